"""A round without a word: perceptron by perceptron, since none looks at another."""

from engine.algorithms.linear.multiclass_perceptron import Setting, State
from engine.authoring import Work, frozen, np, replace


def one_round(given: Setting, s: State) -> Work[State]:
    rounds = []
    for visits, v in zip(given.visits, s.V, strict=True):
        rounds.append(visits.whole_round(given.rows, v, given.p.rate))
        yield
    slips = frozen([mistakes for _, mistakes in rounds], np.intp)
    return replace(
        s,
        V=frozen(np.array([v for v, _ in rounds])),
        slips=slips,
        mistakes=s.mistakes + int(slips.sum()),
    )
