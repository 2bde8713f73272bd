"""The examples between two comparisons without a word: their draws at once."""

from engine.algorithms.online.parts.stream import drawn, weights
from engine.algorithms.online.randomized_weighted_majority import Setting, State
from engine.authoring import Rng, np, replace


def examples(given: Setting, s: State, end: int, rng: Rng) -> State:
    stream = given.stream
    beta = given.p.beta
    seen = s.seen
    if seen == end:
        return s
    u = rng.random(end - seen)
    said = stream.says[np.arange(seen, end), drawn(weights(stream.counts[seen:end], beta), u)]
    s = replace(given.heard(s, said), u=float(u[-1]))
    return replace(s, expected=float(stream.expected(beta)[end]), regret=s.mistakes - s.best)
