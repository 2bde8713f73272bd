"""AdaBoost: a weighted majority of weak learners, each taught on the earlier ones' mistakes. AIMA 18.10, Fig 18.34."""

from typing import Annotated, Literal

from engine.algorithms.ensembles.parts.votes import Majority, row_votes, shares, winners
from engine.authoring import (
    Algorithm, At, Bool, Curve, Dataset, Float, Help, Int, Label, Mapping, Needs, Part, Problem, Range, Rng, Sequence,
    Setting as Given, Steps, Task, When, cached_property, dataclass, frozen, leap, np, prepare, replace,
)  # fmt: skip
from engine.core.arrays import Prefix
from engine.numerics.weak_learners import Candidate, Learner, WeakLearner, leaf_ties, replicated, weak_learner

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
EDGE, TINY = 1e-9, float(np.finfo(float).tiny)  # an error this near to ½ is ½ up to rounding
LEARNERS = "stump: one test. tree: a few tests. line: weighted least squares, for numbers only."
CRITERIA = "error: least weighted error. gain: most information gain. gini: least impurity (extension)."
COPIES = "weights: L takes weights. replicated: L gets M copies, w · M of each, the fraction left over by chance."
TESTS = When("learner", ("stump", "tree"))


@dataclass(frozen=True)
class Params:
    rounds: Annotated[int, Range(1, 10_000, log=True), Label("Rounds K")] = 40
    learner: Annotated[Literal["stump", "tree", "line"], Label("Weak learner L"), Help(LEARNERS)] = "stump"
    depth: Annotated[int, Range(1, 6), Label("Depth of a tree"), When("learner", ("tree",))] = 2
    criterion: Annotated[Literal["error", "gain", "gini"], Label("Best test"), Help(CRITERIA), TESTS] = "error"
    multiway: Annotated[bool, Label("Multi-way tests"), Help("off: A = v"), TESTS] = True
    copies: Annotated[Literal["weights", "replicated"], Label("Examples"), Help(COPIES)] = "weights"
    size: Annotated[int, Range(1, 100), Label("Copies, × N"), Help("size of the copied set"), When("copies", ("replicated",))] = 1  # fmt: skip


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


class Setting(Given[Params]):
    """codes (n,): unlabelled rows weigh 0, so the class they are given does not matter; size: of the copied set."""

    codes = cached_property(lambda given: np.maximum(given.problem.codes, 0))
    size = property(lambda given: given.p.size * int(given.problem.labelled.sum()))

    @cached_property
    def L(self) -> WeakLearner:
        p, table = self.p, (self.problem.X, self.codes, self.problem.features, len(self.problem.classes))
        return weak_learner(p.learner, *table, depth=p.depth, multiway=p.multiway, criterion=p.criterion)

    def shown(self, w: Float, copies: Int | None) -> Float:
        """What L is given: the weights, or copies in their proportion; it sums to 1."""
        return w if copies is None else np.asarray(copies / copies.sum(), np.float64)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = boosted(given, (), ())[1]
    yield from at("init", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    vote, s = boosted(given, s.learners, s.z)
    nobody = s.wrong
    while s.round < given.p.rounds and s.z[-1:] != (np.inf,):
        s = replace(s, round=s.round + 1, learner=None, error=float("nan"), wrong=nobody)
        yield from at("loop", s)
        copies = replicated(s.weights, given.size, rng) if given.p.copies == "replicated" else None
        h = yield from given.L.learn(given.shown(s.weights, copies))
        s = replace(s, copies=copies, learner=h)
        says = given.L.says(h)
        yield from learnt(given, at, s, h)
        wrong = (says != given.problem.codes) & given.problem.labelled
        s = replace(s, wrong=frozen(wrong), error=float(s.weights @ wrong) or TINY * bool(wrong.any()))
        yield from at("error", s)
        if s.error == 0 or s.error >= 0.5 - EDGE:
            s = voted(s, h, says, vote) if s.error == 0 else s
            yield from at("stop", s, *(("round", "perfect") if s.error == 0 else ("no edge",)))
            break
        before, s = s, replace(s, weights=frozen(np.where(wrong, s.weights, s.weights * (s.error / (1 - s.error)))))
        yield from at("reweight", s, before=before.weights)
        s = replace(s, weights=frozen(s.weights / s.weights.sum()))
        yield from at("normalise", s)
        s = voted(s, h, says, vote)
        yield from at("z", s, "round", *["clean"] * (s.errors == 0 and before.errors > 0))
    s = replace(s, learner=None, wrong=frozen(vote.mistakes()))
    yield from at("return", s, ties=vote.ties())


@leap
def learnt(given: Setting, at: At, s: State, h: Learner) -> Part[State, None]:
    """Beside h[k]: the stumps that were in the race, the leaves where classes tie."""
    w = given.shown(s.weights, s.copies)
    candidates, tied = yield from given.L.candidates(w, CANDIDATES)
    leaves = leaf_ties(h, given.problem.X, given.codes, w, len(given.problem.classes))
    events = ["tie"] * (len(tied) > 1 or bool(leaves))
    yield from at("learn", replace(s, candidates=candidates), *events, tied=tied, leaves=leaves)


def voted(s: State, h: Learner, says: Int, vote: Majority) -> State:
    """z[k] ← log[(1 − error)/error]: the figure prints it without the bracket. Error 0 has all the vote."""
    z = float(np.log((1 - s.error) / s.error)) if s.error else np.inf
    vote.add(says, z)
    bound = s.bound * 2 * float(np.sqrt(s.error * (1 - s.error)))
    return replace(s, learners=s.learners.plus(h), z=s.z.plus(z), errors=vote.errors(), bound=bound)


def boosted(given: Setting, learners: Sequence[Learner], z: Sequence[float]) -> tuple[Majority, State]:
    """What these learners leave on the examples, which may have changed since; the start without any. A right answer divides
    a weight by e^z; the errors are at most Σ e^(Σz/2 − Σz of the right ones) over the examples."""
    problem, vote, right = given.problem, Majority(given.problem), np.zeros(given.problem.n)
    for h, power in zip(learners, z, strict=True):
        vote.add(says := h.predict(problem.X), power)
        right += (says == problem.codes) * (power if power < np.inf else 0.0)
    w = np.where(problem.labelled, np.exp(right[problem.labelled].min() - right), 0.0)
    bound = vote.errors() if np.inf in z else float(np.exp(vote.power / 2 - right[problem.labelled]).sum())
    kept, nobody = (Prefix([*learners], len(z)), Prefix([*z], len(z))), frozen(np.zeros(problem.n, bool))
    return vote, State(*kept, frozen(w / w.sum()), vote.errors(), bound, nobody, len(z))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = {} if np.isnan(s.error) else {"error": s.error}
    return {"errors": float(s.errors), "bound": min(s.bound, float(len(s.weights)))} | known


def predict(given: Setting, s: State, X: Float) -> Int:
    """Weighted majority of the learners so far, −1 before the first; equal votes go to the first class in order."""
    return winners(row_votes(given.problem, s.learners, s.z, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    return shares(row_votes(given.problem, s.learners, s.z, X))


def example() -> Problem:
    """Two places with three of one class and one of the other: after one round no stump has an edge."""
    X = [[1.0, 1.0]] * 4 + [[2.0, 2.0]] * 4
    return prepare(Dataset.from_arrays(X, ["Yes", "Yes", "Yes", "No", "No", "No", "No", "Yes"]))


ALGORITHM = Algorithm.of(
    __name__, title="AdaBoost", task=Task.CLASSIFY, source=("AIMA 18.10", "AIMA Fig 18.34"), needs=Needs(missing=True),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("bound", "bound N Π 2√(e(1 − e))", of_n=True, bound=True, digits=1),
        Curve("error", "weighted error of this round", digits=3),
    ),
    events=("round", "tie", "clean", "perfect", "no edge"),
)  # fmt: skip
