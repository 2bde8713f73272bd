"""The examples between two comparisons without a word: what the vote says is known of
all of them.
"""

from engine.algorithms.online.parts.stream import tied
from engine.algorithms.online.weighted_majority import Setting, State, drawn
from engine.authoring import Float, np, replace


def examples(given: Setting, s: State, end: int, chances: Float) -> State:
    said = given.said[s.seen : end].copy()
    for t in np.flatnonzero(said < 0).tolist():  # at a tie one is drawn
        said[t] = drawn(tied(given.votes[s.seen + t]), chances[s.seen + t])
    return replace(given.heard(s, said), plain=float(given.stream.plain[end]))
