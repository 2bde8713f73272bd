"""k-means by Lloyd's rounds, from centres drawn as k-means++ does.

Extension: the limit σ → 0 of EM for means, ML 6.12.1.
"""

from typing import Annotated

from engine.algorithms.clusters.parts.squares import Nearest, Squares, nearest
from engine.algorithms.clusters.parts import NO_CLASSES, StartMeans, check_start, start_places
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
from engine.core.notation import counted
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
    """means (j, d), j < k while they are drawn; cluster (n,), −1 before round 1; within: Σ d² to
    the own centre; changed: rows of another cluster; current: the row drawn or most doubtful, or
    −1; best: the last state of the best start before this one, None without one; least: its Σ d².
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
        return np.inf if self.best is None else self.best.within


class Setting(Squares[Params]): ...


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    check_start(given.problem.X, 0 if given.p.start else given.p.k)
    yield from starts(given, at, rng, 0, None)


def starts(given: Setting, at: At, rng: Rng, done: int, best: State | None) -> Steps[State]:
    """Those that come after so many that are over; then the best of all is kept."""
    X = given.problem.X
    p = given.p
    unassigned = given.unassigned
    trial = done
    for trial in range(done + 1, (1 if p.start else p.starts) + 1):
        row = -1 if p.start else int(rng.integers(len(X)))
        means = frozen(start_places(X, p.k, p.start, rng) if p.start else X[[row]])
        s = State(means, means, unassigned, np.nan, unassigned[:0], row, 0, trial, best)
        yield from at("start", s)
        s = yield from rounds(given, (yield from spread(given, s, at, rng)), at)
        best = kept(s)
    if best is not None and trial > 1:
        s = replace(best, before=best.means, trial=trial, best=best)
        yield from at("best", replace(doubted(given, *assigned(given, s)), current=-1), "best")


def kept(s: State) -> State:
    """The best start when that of `s` is over, the earlier of equals."""
    return replace(s, best=None) if s.best is None or s.within < s.least else s.best


def now(given: Setting, s: State) -> State:
    """A start that is over, on the examples that there are now."""
    if len(s.cluster) != given.problem.n:
        s = assigned(given, replace(s, cluster=given.unassigned))[0]
    return replace(s, within=float(given.own(s.means, s.cluster).sum()))


def spread(given: Setting, s: State, at: At, rng: Rng) -> Part[State, State]:
    while len(s.means) < given.p.k:
        row = given.another(s.means, rng)
        s = replace(
            s, before=s.means, means=frozen(np.vstack([s.means, given.problem.X[row]])), current=row
        )
        yield from at("spread", s)
    return s


def rounds(given: Setting, s: State, at: At) -> Part[State, State]:
    done = False
    while not done:
        s = replace(s, before=s.means, current=-1, round=s.round + 1)
        yield from at("round", s)
        before = s.cluster
        s, found = assigned(given, s)
        if at.tells("assign"):
            s = doubted(given, s, found)
            taken = at.take(given.as_near(s.means, s.current), int(s.cluster[s.current]))
            cluster = frozen(np.where(given.rows == s.current, taken, s.cluster))
            yield from at(
                "assign",
                s := replace(s, cluster=cluster, changed=frozen(np.flatnonzero(cluster != before))),
            )
        many, sums = totals(given, s)
        means = own(np.where(many > 0, sums / np.maximum(many, 1), s.means))
        s = replace(s, means=means, current=-1, within=float(given.own(means, s.cluster).sum()))
        yield from at("move", s, *when(empty=bool((many == 0).any())))
        done = (
            still := not len(s.changed) and np.array_equal(s.means, s.before)
        ) or s.round == given.p.rounds
        yield from at("until", s, "round", *when(converged=still))
    return s


def assigned(given: Setting, s: State) -> tuple[State, Nearest]:
    """The clusters of the nearest centres; an example whose own centre is as near as any stays."""
    cluster, _, _, close, squares = found = nearest(given.known(s.means))
    if len(close):
        before = s.cluster[close]
        stays = (before >= 0) & (squares[before, np.arange(len(close))] <= squares.min(axis=0))
        cluster[close] = np.where(stays, before, cluster[close])
    return replace(s, cluster=own(cluster), changed=own((cluster != s.cluster).nonzero()[0])), found


def doubted(given: Setting, s: State, found: Nearest) -> State:
    """With the row that another centre is nearly as near to."""
    least, second = tidy(found.least), tidy(found.second)
    return replace(
        s, current=int((second - least).argmin()), within=float(least.sum()) * given.unit**2
    )


def totals(given: Setting, s: State) -> tuple[Float, Float]:
    """How many examples each cluster has (k, 1), and their sums (k, d)."""
    k = len(s.means)
    many = np.bincount(s.cluster, minlength=k)
    sums = [np.bincount(s.cluster, x, k) for x in given.columns]
    return many[:, None].astype(np.float64), np.array(sums, np.float64).T


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if (
        s.means.shape[1] != given.problem.d
        or (len(s.means) != given.p.k and s.round)
        or len(s.means) > given.p.k
    ):
        raise EngineError(
            f"k-means cannot go on from {counted(len(s.means), 'centre')} with k = {given.p.k}:"
            " start again."
        )
    s = s if len(s.cluster) == given.problem.n else replace(s, cluster=given.unassigned)
    s = s if s.best is None else replace(s, best=now(given, s.best))
    given.skip(s.trial, len(s.means), rng)  # what the run before has drawn
    s = yield from rounds(given, (yield from spread(given, s, at, rng)), at)
    yield from starts(given, at, rng, s.trial, kept(s))


def component(given: Setting, s: State, X: Float) -> Int:
    """(m,) the cluster of the nearest centre, the lower number of equals."""
    return np.asarray(given.squares(s.means, X).argmin(axis=0))


def example() -> Problem:
    """Eight numbers in two heaps."""
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
