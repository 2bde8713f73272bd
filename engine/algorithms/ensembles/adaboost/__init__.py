"""AdaBoost: a weighted majority of weak learners, each taught on the earlier ones' mistakes.

AIMA 18.10, Fig 18.34.
"""

from typing import Annotated, Literal

from engine.algorithms.ensembles.parts.learners import (
    Candidate,
    WeakLearner,
    leaf_ties,
    replicated,
    weak_learner,
)
from engine.algorithms.ensembles.parts.stumps import Learner
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
from engine.authoring import (
    Setting as Given,
)
from engine.numerics.closeness import more

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
CANDIDATES = 40  # stumps listed at most
TINY = 2.0**-1022  # the error of a learner that errs only where the weights are rounded to 0
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
    """The model is `learners` with their votes `z`; the other fields are what this step shows.

    learners: h[1] … h[k], as far as they have a vote
    z: their votes
    weights: (n,) w
    errors: rows that the vote gets wrong
    bound: at most so many rows are wrong by the theorem
    wrong: (n,) rows that h[k] gets wrong; at the end those of the vote
    round: k, 0 before the first
    learner: h[k]
    error: its weighted error, NaN before it is known
    copies: (n,) how often each example was shown to it
    candidates: the stumps that were compared for it
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
    """The labelled examples and the weak learner; rows without a label have weight 0."""

    @cached_property
    def codes(self) -> Int:
        """(n,) class codes, 0 for rows without a label."""
        return np.maximum(self.problem.codes, 0)

    @cached_property
    def known(self) -> int:
        """N, the number of labelled examples."""
        return int(self.problem.labelled.sum())

    @property
    def size(self) -> int:
        """The number of copies in a replicated training set, `size` · N."""
        return int(self.p.size * self.known)

    @cached_property
    def none_wrong(self) -> Bool:
        """(n,) False: no row is wrong."""
        return own(np.zeros(self.problem.n, bool))

    @cached_property
    def L(self) -> WeakLearner:
        """The weak learner, which learns from weights w (n,).

        A stump is the test whose branches, each saying its heaviest class, have the least error
        Σ w[j] where it errs; by `criterion` the one of most gain of information or of Gini
        impurity under w. A tree divides on in the same way. A line has the direction of weighted
        least squares. Raises EngineError for a table that it cannot learn from.
        """
        return weak_learner(
            self.p.learner,
            self.problem.X,
            self.codes,
            self.problem.features,
            len(self.problem.classes),
            depth=self.p.depth,
            multiway=self.p.multiway,
            criterion=self.p.criterion,
        )

    def errs(self, says: Int) -> Bool:
        """(n,) the labelled rows that a learner gets wrong. says: (n,) its answers"""
        return own((says != self.problem.codes) & self.problem.labelled)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    N = given.known
    w = own(given.problem.labelled / N)
    s = State(Prefix([], 0), Prefix([], 0), w, N, float(N), given.none_wrong)
    yield from at("init", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    vote, w, bound = boosted(given.problem, s.learners, s.z)
    s = State(s.learners, s.z, w, vote.errors(), bound, given.none_wrong, len(s.z))
    if given.p.copies == "replicated":
        for _ in range(s.round):
            replicated(w, given.size, rng)  # the random numbers of the rounds so far
    yield from rounds(given, s, at, rng, vote.votes, vote.power)


def rounds(given: Setting, s: State, at: At, rng: Rng, votes: Float, power: float) -> Steps[State]:
    """The steps of AIMA Fig 18.34 from a state on. votes, power: of its learners so far, see
    Majority
    """
    vote = Majority(given.problem, votes, power)
    perfect = s.z[-1:] == (np.inf,)
    while s.round < given.p.rounds and not perfect:
        yield from at.checkpoint(rounds, s, lambda: (vote.votes, vote.power))
        s = replace(s, round=s.round + 1, learner=None, error=float("nan"), wrong=given.none_wrong)
        yield from at("loop", s)

        s = yield from learnt(given, at, s, rng)  # h[k] ← L(examples, w)
        says = given.L.says(s.learner)

        wrong = given.errs(says)
        error = float(s.weights.compress(wrong).sum())  # Σ w[j] where h[k] errs
        if wrong.any() and not error:
            error = TINY  # it is not perfect
        s = replace(s, wrong=wrong, error=error)
        yield from at("error", s)

        perfect = error == 0
        no_edge = not more(0.5, error)  # error ≥ ½, up to rounding
        if perfect:
            s = voted(s, says, vote)
        if perfect or no_edge:
            yield from at("stop", s, *when(round=perfect, perfect=perfect, no_edge=no_edge))
            break

        w = s.weights
        reweighted = np.where(wrong, w, w * (error / (1 - error)))
        s = replace(s, weights=own(reweighted))
        yield from at("reweight", s, before=w)
        s = replace(s, weights=own(s.weights / s.weights.sum()))
        yield from at("normalise", s)

        errors_before = s.errors
        s = voted(s, says, vote)
        yield from at("z", s, *when(round=True, clean=s.errors == 0 and errors_before > 0))
    wrong = vote.mistakes()  # where argmax over c of Σ z[k] [h[k](x) = c] is not y
    s = replace(s, learner=None, wrong=own(wrong))
    yield from at("return", s, ties=vote.ties())


def learnt(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """The state with h[k], learnt from the weights or from copies of the examples.

    Where its step is shown: with the stumps that were compared and the leaves where classes tie.
    A whole tree has one root, so that only stumps can be chosen by hand.
    """
    w = s.weights
    if given.p.copies == "replicated":
        copies = replicated(w, given.size, rng)
        w = np.asarray(copies / copies.sum(), np.float64)
        s = replace(s, copies=copies)
    else:
        s = replace(s, copies=None)
    h = yield from given.L.learn(w)  # the test of least Σ w[j] where it errs, or by p.criterion
    if not at.records("learn"):
        return replace(s, learner=h)
    candidates, tied = yield from given.L.candidates(w, CANDIDATES)
    if given.p.learner == "stump" and tied:
        chosen = at.take(tied)
        if chosen != tied[0]:
            h = candidates[chosen].stump
    leaves = leaf_ties(h, given.problem.X, given.codes, w, len(given.problem.classes))
    tie = len(tied) > 1 or bool(leaves)
    shown = replace(s, candidates=candidates, learner=h)
    yield from at("learn", shown, *when(tie=tie), tied=tied, leaves=leaves)
    return replace(s, learner=h)


def voted(s: State, says: Int, vote: Majority) -> State:
    """The state with z[k] ← log[(1 − error)/error], ∞ for error 0; the figure prints it without the
    bracket.
    """
    assert s.learner is not None
    z = float(np.log((1 - s.error) / s.error)) if s.error else np.inf
    vote.add(says, z)
    return replace(
        s,
        learners=s.learners.plus(s.learner),
        z=s.z.plus(z),
        errors=vote.errors(),
        bound=s.bound * 2 * float(np.sqrt(s.error * (1 - s.error))),
    )


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    error = {} if np.isnan(s.error) else {"error": s.error}
    return {"errors": float(s.errors), "bound": min(s.bound, float(len(s.weights))), **error}


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class c of most votes Σ z[k] over the k with h[k](x) = c, the first of tied ones."""
    votes = row_votes(given.problem, s.learners, s.z, X)  # (classes, m)
    return winners(votes)  # argmax over the classes, −1 without votes


def scores(given: Setting, s: State, X: Float) -> Float:
    """The votes' shares: (m,) first class less the other for two classes, else (m, k) of each
    class.
    """
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
