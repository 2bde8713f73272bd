"""k-means by Lloyd's rounds, from centres drawn as k-means++ does.

Extension: the limit σ → 0 of EM for means, ML 6.12.1.
"""

from typing import Annotated

from engine.algorithms.clusters.parts import NO_CLASSES, StartMeans, check_start, start_places
from engine.algorithms.clusters.parts.squares import Nearest, Squares, nearest
from engine.authoring import (
    LINEAR_ROWS,
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    MostRounds,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    frozen,
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.base.notation import counted
from engine.numerics.closeness import tidy

PSEUDOCODE = """
start round:  for each start: μ₁ ← a random example
spread:         μⱼ ← an example, with chance ∝ d²
round detail:   repeat
assign:           cᵢ ← the nearest of μ₁ … μₖ
move:             μⱼ ← the mean of its examples
until round:    until no cluster changes
best round:   keep the start of the least Σ d²
"""


class Params(Record, eq=True):
    k: Annotated[int, Range(1, 20), Label("Clusters k")] = 3
    start: StartMeans = ()
    starts: Annotated[
        int, Range(1, 50), Label("Starts"), Help("the least sum wins"), When("start", ((),))
    ] = 3
    rounds: MostRounds = None


class State(Record):
    """The model is `means`; `trial` and `best` are kept for the end.

    means: (j, d) μ, j < k while they are drawn
    before: the means before this step
    cluster: (n,) c, −1 before round 1
    within: Σ d² of the examples to the centre of their cluster
    changed: rows that went to another cluster in this round
    current: the row that was drawn, or the one whose two nearest centres differ least in d²; or −1
    round: of this start, 0 before its first
    trial: number of the start, from 1 on
    best: the last state of the best start before this one, None without one
    """

    means: Float
    before: Float
    cluster: Int
    within: float
    changed: Int
    current: int
    round: int
    trial: int
    best: "State | None" = None

    @property
    def least(self) -> float:
        """Σ d² of the best earlier start; ∞ before one is finished."""
        return np.inf if self.best is None else self.best.within


class Setting(Squares[Params]):
    """The examples, their squared distances to centres, and the random choices of k-means++."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    check_start(given.problem.X, 0 if given.p.start else given.p.k)
    yield from starts(given, at, rng, 0, None)


def starts(given: Setting, at: At, rng: Rng, done: int, best: State | None) -> Steps[State]:
    """The steps of the starts after the first `done`, and of the choice of the best.

    best: the best state of those that are done, None for none
    """
    last = 1 if given.p.start else given.p.starts
    for trial in range(done + 1, last + 1):
        s = first_means(given, rng, trial, best)
        yield from at("start", s)
        s = yield from spread(given, s, at, rng)
        s = yield from rounds(given, s, at)
        best = better(s)
    made = max(last, done)
    if best is not None and made > 1:
        s = replace(best, before=best.means, trial=made, best=best)
        s, found = assigned(given, s)
        s = replace(doubted(given, s, found), current=-1)
        yield from at("best", s, "best")


def first_means(given: Setting, rng: Rng, trial: int, best: State | None) -> State:
    """The state at a start with its first centre, an example drawn at random; or with all centres
    that are set.
    """
    X = given.problem.X
    if given.p.start:
        row = -1
        means = frozen(start_places(X, given.p.k, given.p.start, rng))
    else:
        row = int(rng.integers(len(X)))
        means = frozen(X[[row]])
    cluster = given.unassigned
    return State(means, means, cluster, np.nan, cluster[:0], row, 0, trial, best)


def better(s: State) -> State:
    """The state of lower Σ d² of a finished start and the best before it; the earlier one of
    ties.
    """
    return replace(s, best=None) if s.best is None or s.within < s.least else s.best


def spread(given: Setting, s: State, at: At, rng: Rng) -> Part[State, State]:
    """The state with all k centres: each further one is an example drawn with chance ∝ d², d its
    distance from the nearest centre.
    """
    while len(s.means) < given.p.k:
        chances = given.chances(s.means)  # d² / Σ d², d from the nearest centre
        row = int(rng.choice(given.problem.n, p=chances))
        means = np.vstack([s.means, given.problem.X[row]])
        s = replace(s, before=s.means, means=frozen(means), current=row)
        yield from at("spread", s)
    return s


def rounds(given: Setting, s: State, at: At) -> Part[State, State]:
    """The state after Lloyd's rounds, when no cluster changes any more."""
    done = False
    while not done:
        s = replace(s, before=s.means, current=-1, round=s.round + 1)
        yield from at("round", s)

        former = s.cluster
        s, found = assigned(given, s)
        if at.records("assign"):
            s = doubted(given, s, found)
            s = with_tie_taken(given, s, at, former)
            yield from at("assign", s, former=former)

        many, sums = totals(given, s)
        means = np.where(many > 0, sums / np.maximum(many, 1), s.means)  # Σ xᵢ / |cluster|
        within = float(given.own(means, s.cluster).sum())
        s = replace(s, means=own(means), current=-1, within=within)
        yield from at("move", s, *when(empty=bool((many == 0).any())))

        still = not len(s.changed) and np.array_equal(s.means, s.before)
        done = still or s.round == given.p.rounds
        yield from at("until", s, *when(round=True, converged=still))
    return s


def assigned(given: Setting, s: State) -> tuple[State, Nearest]:
    """(the state with each example in the cluster of its nearest centre, the distances found).

    An example stays where its own centre is tied for nearest.
    """
    squares = given.squares_of_examples(s.means)  # |xᵢ − μⱼ|²
    found = nearest(squares)
    cluster = found.which  # cᵢ ← argminⱼ |xᵢ − μⱼ|²
    close = found.close  # rows to which two centres are nearly as near
    if len(close):
        before = s.cluster[close]
        own_square = found.squares[before, np.arange(len(close))]
        stays = (before >= 0) & (own_square <= found.squares.min(axis=0))
        cluster[close] = np.where(stays, before, cluster[close])
    changed = (cluster != s.cluster).nonzero()[0]
    return replace(s, cluster=own(cluster), changed=own(changed)), found


def doubted(given: Setting, s: State, found: Nearest) -> State:
    """The state that shows the most doubtful row: the difference of its two least d² is
    smallest.
    """
    least = tidy(found.least)
    second = tidy(found.second)
    row = int((second - least).argmin())
    return replace(s, current=row, within=float(least.sum()) * given.unit**2)


def with_tie_taken(given: Setting, s: State, at: At, before: Int) -> State:
    """The state in which the shown row joins the tied nearest centre that is chosen.

    before: (n,) the clusters before this round
    """
    equals = given.as_near(s.means, s.current)
    taken = at.take(equals, int(s.cluster[s.current]))
    cluster = np.where(given.rows == s.current, taken, s.cluster)
    changed = np.flatnonzero(cluster != before)
    return replace(s, cluster=frozen(cluster), changed=frozen(changed))


def totals(given: Setting, s: State) -> tuple[Float, Float]:
    """(k, 1) how many examples each cluster has, and (k, d) their sums."""
    k = len(s.means)
    many = np.bincount(s.cluster, minlength=k)
    sums = [np.bincount(s.cluster, x, k) for x in given.columns]
    return many[:, None].astype(np.float64), np.array(sums, np.float64).T


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    k = len(s.means)
    whole = k == given.p.k or (s.round == 0 and k < given.p.k)  # no centre too few or too many
    if s.means.shape[1] != given.problem.d or not whole:
        raise EngineError(
            f"k-means cannot go on from {counted(k, 'centre')} with k = {given.p.k}: start again."
        )
    if len(s.cluster) != given.problem.n:
        s = replace(s, cluster=given.unassigned)
    if s.best is not None:
        s = replace(s, best=assigned_again(given, s.best))
    given.skip(s.trial, k, rng)  # the random numbers of the starts so far
    s = yield from spread(given, s, at, rng)
    s = yield from rounds(given, s, at)
    yield from starts(given, at, rng, s.trial, better(s))


def assigned_again(given: Setting, s: State) -> State:
    """The end of an earlier start, assigned again where the examples have changed since."""
    if len(s.cluster) != given.problem.n:
        s = assigned(given, replace(s, cluster=given.unassigned))[0]
    return replace(s, within=float(given.own(s.means, s.cluster).sum()))


def component(given: Setting, s: State, X: Float) -> Int:
    """(m,) the cluster of the nearest centre, the lower number of tied ones."""
    return np.asarray(given.squares(s.means, X).argmin(axis=0))


def example() -> Problem:
    """Eight numbers in two clusters."""
    return prepare(Dataset.from_columns({"x": [-3.2, -2.4, -1.9, -0.6, 0.8, 1.7, 2.3, 3.1]}))


ALGORITHM = Algorithm.of(
    __name__,
    title="k-means",
    task=Task.CLUSTER,
    extension=True,
    needs=replace(NO_CLASSES, sample=LINEAR_ROWS),
    curves=(Curve("within", "sum of squares within"),),
    events=("round", "empty", "converged", "best"),
)
