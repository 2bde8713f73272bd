"""AdaBoost: a weighted majority of weak learners, each taught on the earlier ones' mistakes. AIMA 18.10, Fig 18.34."""

from engine.algorithms.ensembles.adaboost.majority import Majority, boosted, row_scores, row_votes, winners
from engine.algorithms.ensembles.adaboost.setting import Params, Setting
from engine.authoring import (
    Algorithm, At, Bool, Curve, Dataset, Float, Int, Mapping, Needs, Part, Problem, Rng, Sequence, Steps, Task, dataclass,
    frozen, leap, np, prepare, replace,
)  # fmt: skip
from engine.core.arrays import Prefix
from engine.algorithms.ensembles.adaboost.learners import Candidate, leaf_ties, replicated
from engine.algorithms.ensembles.adaboost.stumps import Learner

PSEUDOCODE = """
init round:   w[j] ← 1/N for every example
loop detail:  for k = 1 to K
learn:          h[k] ← L(examples, w)
error:          error ← Σ w[j] where h[k] errs
stop round:     if error = 0 or error ≥ ½: stop
reweight:       right: w[j] ·= error/(1 − error)
normalise:      w ← w / Σ w
z round:        z[k] ← log[(1 − error)/error]
return:       majority of h, weighted by z
"""
CANDIDATES = 40  # columns whose best stumps are listed
EDGE = 1e-9  # an error this near to ½ is ½ up to rounding


@dataclass(frozen=True, slots=True)
class State:
    """learners, z: hypotheses with a vote so far; weights (n,); round from 1, 0 before.
    errors: rows that the vote gets wrong; bound: of them, at most this many. This round's: wrong (n,) mask (of the result:
    by the vote), learner h[k], its weighted error (NaN before it is known), copies (n,) it was shown, candidates."""

    learners: Prefix[Learner]
    z: Prefix[float]
    weights: Float
    errors: int
    bound: float
    wrong: Bool
    round: int = 0
    learner: Learner | None = None
    error: float = float("nan")
    copies: Int | None = None
    candidates: tuple[Candidate, ...] = ()


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    _, s = rebuilt(given.problem, (), ())
    yield from at("init", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    problem, p = given.problem, given.p
    vote, s = rebuilt(problem, s.learners, s.z)
    nobody = s.wrong
    while s.round < p.rounds and not np.isinf(s.z[-1:]).any():
        s = replace(s, round=s.round + 1, learner=None, error=float("nan"), wrong=nobody)
        yield from at("loop", s)
        s = replace(s, copies=replicated(s.weights, given.size, rng) if p.copies == "replicated" else None)
        h = yield from given.L.learn(given.shown(s.weights, s.copies))
        s = replace(s, learner=h)
        yield from learnt(given, at, s, h)
        says = given.L.says(h)
        s = judged(problem, s, says)
        yield from at("error", s)
        if s.error == 0:
            s = voted(s, h, says, vote, s.weights)
            yield from at("stop", s, "round", "perfect")
            break
        if s.error >= 0.5 - EDGE:
            yield from at("stop", s, "no edge")
            break
        before, s = s, replace(s, weights=frozen(np.where(s.wrong, s.weights, s.weights * (s.error / (1 - s.error)))))
        yield from at("reweight", s, before=before.weights)
        s = replace(s, weights=frozen(s.weights / s.weights.sum()))
        yield from at("normalise", s)
        s = voted(s, h, says, vote, s.weights)
        yield from at("z", s, "round", *["clean"] * (s.errors == 0 and before.errors > 0))
    s = replace(s, learner=None, wrong=frozen(vote.mistakes()))
    yield from at("return", s, ties=vote.ties())


@leap
def learnt(given: Setting, at: At, s: State, h: Learner) -> Part[State, None]:
    """The learner, and the stumps that were in the race."""
    problem, weights = given.problem, given.shown(s.weights, s.copies)
    candidates, tied = yield from given.L.candidates(weights, CANDIDATES)
    leaves = leaf_ties(h, problem.X, np.maximum(problem.codes, 0), weights, len(problem.classes))
    events = ["tie"] * (len(tied) > 1 or bool(leaves))
    yield from at("learn", replace(s, candidates=candidates), *events, tied=tied, leaves=leaves)


def rebuilt(problem: Problem, learners: Sequence[Learner], z: Sequence[float]) -> tuple[Majority, State]:
    """The state that these learners leave on the problem's examples; without learners, the start."""
    vote, weights, bound = boosted(problem, learners, z)
    nobody = frozen(np.zeros(problem.n, dtype=bool))
    return vote, State(
        vote.learners.prefix(), vote.z.prefix(), weights, vote.errors(), bound, nobody, len(vote.z.items)
    )


def judged(problem: Problem, s: State, says: Int) -> State:
    """error ← total weight of the mistakes of h[k], which says `says` (n,)."""
    wrong = (says != problem.codes) & problem.labelled
    error = float(s.weights @ wrong) or float(np.finfo(float).tiny * wrong.any())
    return replace(s, wrong=frozen(wrong), error=error)


def voted(s: State, h: Learner, says: Int, vote: Majority, w: Float) -> State:
    """z[k] ← log[(1 − error)/error]: the figure prints it without the bracket. Error 0 has all the vote."""
    vote.add(h, says, float(np.log((1 - s.error) / s.error)) if s.error else float("inf"))
    bound = s.bound * 2 * float(np.sqrt(s.error * (1 - s.error)))
    return replace(s, weights=w, learners=vote.learners.prefix(), z=vote.z.prefix(), errors=vote.errors(), bound=bound)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = {} if np.isnan(s.error) else {"error": s.error}
    return {"errors": float(s.errors), "bound": min(s.bound, float(len(s.weights)))} | known


def predict(given: Setting, s: State, X: Float) -> Int:
    """Weighted majority of the learners so far, −1 before the first; equal votes go to the first class in order."""
    return winners(row_votes(given.problem, s.learners, s.z, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    return row_scores(given.problem, s.learners, s.z, X)


def example() -> Problem:
    """Two places with three of one class and one of the other: after one round no stump has an edge."""
    X = [[1.0, 1.0]] * 4 + [[2.0, 2.0]] * 4
    return prepare(Dataset.from_arrays(X, ["Yes", "Yes", "Yes", "No", "No", "No", "No", "Yes"]))


ALGORITHM = Algorithm.of(
    __name__,
    title="AdaBoost",
    task=Task.CLASSIFY,
    source=("AIMA 18.10", "AIMA Fig 18.34"),
    params=Params,
    needs=Needs(missing=True),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("bound", "bound N Π 2√(e(1 − e))", of_n=True, bound=True, digits=1),
        Curve("error", "weighted error of this round", digits=3),
    ),
    events=("round", "tie", "clean", "perfect", "no edge"),
)
