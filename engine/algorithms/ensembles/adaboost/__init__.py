"""AdaBoost: a weighted majority of weak learners, each taught on the earlier ones' mistakes.

AIMA 18.10, Fig 18.34.
"""

from typing import Annotated, Literal

from engine.algorithms.ensembles.parts.votes import Majority, boosted, row_votes, shares, winners
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    When,
    cached_property,
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.algorithms.ensembles.parts.learners import (
    Candidate,
    WeakLearner,
    leaf_ties,
    replicated,
    weak_learner,
)
from engine.algorithms.ensembles.parts.stumps import Learner

PSEUDOCODE = """
init round:   w[j] ← 1/N for every example
loop detail:  for k = 1 to K
learn:          h[k] ← L(examples, w)
error:          error ← Σ w[j] where h[k] errs
stop round:     if error = 0 or error ≥ ½: stop
reweight:       right: w[j] ·= error/(1 − error)
normalise:      w ← w / Σ w
z round:        z[k] ← log[(1 − error)/error]
return round: majority of h, weighted by z
"""
CANDIDATES, EDGE, TINY = (
    40,
    1e-9,
    2.0**-1022,
)  # stumps listed; errors as near to ½ as rounding, and as near to 0
LEARNERS = "stump: one test. tree: a few tests. line: weighted least squares, for numbers only."
CRITERIA = (
    "error: least weighted error. gain: most information gain. gini: least impurity (extension)."
)
COPIES = (
    "weights: L takes weights. replicated: L gets M copies, w · M of each, the fraction left over"
    " by chance."
)
TESTS = When("learner", ("stump", "tree"))


class Params(Record, eq=True):
    rounds: Annotated[int, Range(1, 10_000, log=True), Label("Rounds K")] = 40
    learner: Annotated[
        Literal["stump", "tree", "line"], Label("Weak learner L"), Help(LEARNERS)
    ] = "stump"
    depth: Annotated[int, Range(1, 6), Label("Depth of a tree"), When("learner", ("tree",))] = 2
    criterion: Annotated[
        Literal["error", "gain", "gini"], Label("Best test"), Help(CRITERIA), TESTS
    ] = "error"
    multiway: Annotated[bool, Label("Multi-way tests"), Help("off: A = v"), TESTS] = True
    copies: Annotated[Literal["weights", "replicated"], Label("Examples"), Help(COPIES)] = "weights"
    size: Annotated[
        int,
        Range(1, 100),
        Label("Copies per example"),
        Help("size of the copied set"),
        When("copies", ("replicated",)),
    ] = 1


class State(Record):
    """learners, z: hypotheses with a vote so far; weights (n,); round from 1, 0 before. errors:
    rows that the vote gets wrong; bound: of them, at most this many. This round's: wrong (n,) mask
    (of the result: by the vote), learner h[k], its weighted error (NaN before it is known), copies
    (n,) it was shown, candidates.
    """

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
    """codes (n,): 0 for unlabelled rows, which weigh 0; known: labelled rows; size: of the copied
    set; nobody (n,): no row.
    """

    codes = cached_property(lambda given: np.maximum(given.problem.codes, 0))
    known = cached_property(lambda given: int(given.problem.labelled.sum()))
    size = property(lambda given: given.p.size * given.known)
    nobody = cached_property(lambda given: own(np.zeros(given.problem.n, bool)))

    @cached_property
    def L(self) -> WeakLearner:
        p = self.p
        table = (self.problem.X, self.codes, self.problem.features, len(self.problem.classes))
        return weak_learner(
            p.learner, *table, depth=p.depth, multiway=p.multiway, criterion=p.criterion
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = own(given.problem.labelled / given.known)
    n = given.known
    yield from at("init", s := State(Prefix([], 0), Prefix([], 0), w, n, float(n), given.nobody))
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    vote, w, bound = boosted(given.problem, s.learners, s.z)
    s = State(s.learners, s.z, w, vote.errors(), bound, given.nobody, len(s.z))
    for _ in range(s.round if given.p.copies == "replicated" else 0):
        replicated(w, given.size, rng)  # the chances of the rounds so far
    yield from rounds(given, s, at, rng, vote.votes, vote.power)


def rounds(given: Setting, s: State, at: At, rng: Rng, votes: Float, power: float) -> Steps[State]:
    vote = Majority(given.problem, votes, power)
    while s.round < given.p.rounds and s.z[-1:] != (np.inf,):
        yield from at.foothold(rounds, s, lambda: (vote.votes, vote.power))
        s = replace(s, round=s.round + 1, learner=None, error=float("nan"), wrong=given.nobody)
        yield from at("loop", s)
        copies = replicated(s.weights, given.size, rng) if given.p.copies == "replicated" else None
        w = s.weights if copies is None else np.asarray(copies / copies.sum(), np.float64)
        h = yield from given.L.learn(w)
        h = (
            (yield from learnt(given, at, replace(s, copies=copies), h, w))
            if at.tells("learn")
            else h
        )
        wrong = ((says := given.L.says(h)) != given.problem.codes) & given.problem.labelled
        error = float(s.weights.compress(wrong).sum()) or TINY * bool(wrong.any())
        yield from at(
            "error", s := replace(s, copies=copies, learner=h, wrong=own(wrong), error=error)
        )
        if s.error == 0 or s.error >= 0.5 - EDGE:
            s = voted(s, h, says, vote) if s.error == 0 else s
            yield from at("stop", s, *(("round", "perfect") if s.error == 0 else ("no edge",)))
            break
        before = s
        s = replace(
            s, weights=own(np.where(wrong, s.weights, s.weights * (s.error / (1 - s.error))))
        )
        yield from at("reweight", s, before=before.weights)
        yield from at("normalise", s := replace(s, weights=own(s.weights / s.weights.sum())))
        yield from at(
            "z",
            s := voted(s, h, says, vote),
            "round",
            *when(clean=s.errors == 0 and before.errors > 0),
        )
    yield from at("return", replace(s, learner=None, wrong=own(vote.mistakes())), ties=vote.ties())


def learnt(given: Setting, at: At, s: State, h: Learner, w: Float) -> Part[State, Learner]:
    """h[k] and, beside it, the stumps that were in the race, the leaves where classes tie.

    A whole tree has but one root.
    """
    candidates, tied = yield from given.L.candidates(w, CANDIDATES)
    h = (
        candidates[i].stump
        if given.p.learner == "stump" and tied and (i := at.take(tied)) != tied[0]
        else h
    )
    leaves = leaf_ties(h, given.problem.X, given.codes, w, len(given.problem.classes))
    yield from at(
        "learn",
        replace(s, candidates=candidates, learner=h),
        *when(tie=len(tied) > 1 or bool(leaves)),
        tied=tied,
        leaves=leaves,
    )
    return h


def voted(s: State, h: Learner, says: Int, vote: Majority) -> State:
    """z[k] ← log[(1 − error)/error]: the figure prints it without the bracket.

    Error 0 has all the vote.
    """
    z = float(np.log((1 - s.error) / s.error)) if s.error else np.inf
    vote.add(says, z)
    bound = s.bound * 2 * float(np.sqrt(s.error * (1 - s.error)))
    return replace(s, learners=s.learners.plus(h), z=s.z.plus(z), errors=vote.errors(), bound=bound)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    error = {} if np.isnan(s.error) else {"error": s.error}
    return {"errors": float(s.errors), "bound": min(s.bound, float(len(s.weights))), **error}


def predict(given: Setting, s: State, X: Float) -> Int:
    return winners(row_votes(given.problem, s.learners, s.z, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    return shares(row_votes(given.problem, s.learners, s.z, X))


def example() -> Problem:
    """Two places with three of one class and one of the other: after one round no stump has an
    edge.
    """
    return prepare(
        Dataset.from_arrays([[1.0, 1.0]] * 4 + [[2.0, 2.0]] * 4, ["Yes"] * 3 + ["No"] * 4 + ["Yes"])
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="AdaBoost",
    task=Task.CLASSIFY,
    source=("AIMA 18.10", "AIMA Fig 18.34"),
    needs=Needs(missing=True),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("bound", "bound N Π 2√(e(1 − e))", of_n=True, bound=True, digits=1, about=("z",)),
        Curve("error", "weighted error of this round", digits=3, about=("learner",)),
    ),
    events=("round", "tie", "clean", "perfect", "no edge"),
)
