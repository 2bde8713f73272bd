"""k nearest neighbours: store everything, compare only when asked.

AIMA 18.8.1-18.8.2, MMDS 12.4.1-12.4.3, ML 8.2, MIT 2.1.33.
"""

from math import inf, isfinite, nan
from typing import Annotated, Literal

from engine.algorithms.instances.nearest_neighbours.cells import Pictured
from engine.algorithms.instances.nearest_neighbours.votes import front_runners
from engine.algorithms.instances.parts import QUERY
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Part,
    Place,
    Problem,
    Range,
    Rng,
    Steps,
    Task,
    When,
    dataclass,
    frozen,
    leap_to,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start  round:  memory ← empty
store  round:  put every (x, y) into memory
query:         at a query q: best ← empty
look   detail:   for each stored x: d ← |x − q|
keep:              if d < k-th best: keep x, y
vote   round:  each in best votes for its y
answer round:  return the class with most votes
"""
METRIC = (
    "minkowski: numbers; hamming: columns that differ; mahalanobis: scaled by covariance; kernel:"
    " √(K(x,x) − 2K(x,q) + K(q,q))"
)
NORM = "1: sum of the differences (Manhattan), 2: straight line (Euclid), inf: largest difference"
EACH_IS_A_STEP = 50  # with more examples those that are farther are details
ONE_BY_ONE = 50_000  # with more examples the farther ones between two closer ones are told together


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    metric: Annotated[
        Literal["minkowski", "hamming", "mahalanobis", "kernel"], Label("Distance"), Help(METRIC)
    ] = "minkowski"
    kernel: Annotated[
        Literal["quadratic", "polynomial", "rbf"],
        Label("Kernel K"),
        Help("(x·z)², (1 + x·z)^d, exp(−γ|x − z|²)"),
        When("metric", ("kernel",)),
    ] = "polynomial"
    degree: Annotated[
        int,
        Range(1, 10),
        Label("Degree d"),
        Help("of the polynomial kernel"),
        When("metric", ("kernel",)),
    ] = 2
    gamma: Annotated[
        float,
        Range(1e-4, 1e4, log=True),
        Label("Width γ"),
        Help("of rbf; large: narrow bells"),
        When("metric", ("kernel",)),
    ] = 1.0
    p: Annotated[
        float, Range(1, inf), Label("Minkowski p"), Help(NORM), When("metric", ("minkowski",))
    ] = 2.0
    weights: Annotated[Literal["equal", "1/d", "1/d²"], Label("Weight of a vote")] = "equal"
    normalise: Annotated[
        bool,
        Label("Normalise columns"),
        Help("(x − mean) / standard deviation in each column"),
        When("metric", ("minkowski",)),
    ] = False
    disagree: Annotated[
        Literal["vote", "leave unclassified"],
        Label("If they disagree"),
        Help("what happens unless all who vote agree"),
    ] = "vote"
    stretch: Annotated[
        tuple[float, ...],
        Label("Stretch axes"),
        Help("one factor for each column, 0 leaves it out; empty: all 1"),
    ] = ()
    query: Annotated[tuple[float, ...], Label("Query"), Help(QUERY), Place()] = ()


@dataclass(frozen=True, slots=True)
class State:
    """stored: the examples are in the memory (they are the model); query (d,); neighbours,
    distances: the best so far, as table rows, nearest first; votes (classes,) of these; label they
    give, −1 none; radius: distance of the k-th, NaN: a place is free; looked, distance: row
    measured now, or −1; seen: how many were; former, dropped: the k-th before this step
    """

    stored: bool
    query: Float
    neighbours: Int
    distances: Float
    votes: Float
    label: int = -1
    radius: float = nan
    looked: int = -1
    distance: float = nan
    seen: int = 0
    former: float = nan
    dropped: int = -1


class Setting(Pictured[Params]):
    """rows (n,) of the table that are in the memory; rank (n,) their distances from the query,
    equal where they are on paper.
    """


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    _ = given.space  # columns that have no distance are refused before anything is told
    best = frozen(np.zeros(0, np.intp)), frozen(np.zeros(0))
    s = State(False, given.query, *best, frozen(np.zeros(len(given.problem.classes))))
    yield from at("start", s)
    s = yield from stored(given, at, s)
    yield from at("store", s)
    yield from at("query", s)
    s = yield from searched(given, at, s)
    outside = given.as_near(s.query, s.neighbours)
    equals = (
        [] if given.vote.unanimous else np.flatnonzero(front_runners(s.votes[None])[0]).tolist()
    )
    s = replace(
        s,
        label=at.take(equals, s.label),
        looked=-1,
        distance=nan,
        seen=given.n,
        former=nan,
        dropped=-1,
    )
    yield from at("vote", s, *when(tie=outside >= 0 or len(equals) > 1), outside=outside)
    yield from at("answer", s, outside=outside)


def by_heart(given: Setting, s: State) -> State:
    return replace(s, stored=True)


@leap_to(by_heart)
def stored(given: Setting, at: At, s: State) -> Part[State, State]:
    """By heart; what pictures of it need is worked out here, so that nobody waits for it later."""
    yield from given.foresee()
    return by_heart(given, s)


def farther(given: Setting, at: At, s: State, first: int, end: int) -> Part[State, int]:
    """The examples first … end − 1 of the memory, none of which is closer than the k-th best; who
    takes its place by hand, or −1.
    """
    few = given.n <= EACH_IS_A_STEP
    if first == end or not (few or at.tells("look")):
        return -1
    look, s, d = (
        at.step if few else at,
        replace(s, former=nan, dropped=-1),
        given.distances(s.query),
    )
    if given.n > ONE_BY_ONE:
        i = first + int(given.rank[first:end].argmin())
        yield from at(
            "look",
            replace(s, looked=int(given.rows[i]), distance=float(d[i]), seen=end),
            run=(first, end),
        )
        return -1
    rim = given.rank[np.searchsorted(given.rows, s.neighbours[-1])]
    for i in range(first, end):
        s = replace(s, looked=int(given.rows[i]), distance=float(d[i]), seen=i + 1)
        tie = bool(given.rank[i] == rim)
        taken = few and tie and at.take((False, True), False)
        yield from look("look", s, *when(tie=tie), tie=tie)
        if taken:
            return i
    return -1


def found_at_once(given: Setting, s: State) -> State:
    held: State = given.held(s, given.nearest(s.query))
    return held


@leap_to(found_at_once)
def searched(given: Setting, at: At, s: State) -> Part[State, State]:
    """One pass over the examples in table order (AIMA 18.8.2)."""
    best = np.zeros(0, np.intp)
    i = 0
    n = given.n
    while i < n:
        closer = i if len(best) < given.k else given.next_closer(i, best[-1])
        if (other := (yield from farther(given, at, s, i, closer))) >= 0:
            s, i = given.held(s, best := np.append(best[:-1], other), seen=other + 1), other + 1
            continue
        if closer == n:
            break
        s, best = given.joined(s, best, closer)
        yield from at("keep", s, *when(closer=s.dropped >= 0), skipped=closer - i)
        i = closer + 1
    return s


def left_out(given: Setting, s: State) -> Float:
    """What would be said of each example had it not been stored."""
    return given.left_out()


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"radius": s.radius} if isfinite(s.radius) else {}


def predict(given: Setting, s: State, X: Float) -> Int:
    """Class indices, −1 before anything is stored, where neighbours must agree and do not, where a
    number is missing.
    """
    return given.labels(X) if s.stored else np.full(len(X), -1)


def example() -> Problem:
    """Three classes; the query meets closer, farther and equally near examples."""
    x, y = (
        [1.0, 2.0, 5.0, 6.0, 1.0, 2.5, 4.5, 3, 6, 4.5],
        [4.0, 5.0, 5.0, 4.0, 1.0, 3.5, 3.5, 0.5, 0.5, 3.5],
    )
    shapes = [{"c": "circle", "s": "square", "t": "triangle"}[letter] for letter in "ccsstcsttt"]
    return prepare(
        Dataset.from_columns({"x1": x, "x2": y, "shape": shapes}, "shape"), query=(3.5, 3.0)
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Nearest neighbours",
    task=Task.CLASSIFY,
    by_known=True,
    scores=Setting.scores,
    events=("closer", "tie"),
    source=(
        "AIMA 18.8.1",
        "AIMA 18.8.2",
        "AIMA 18.9",
        "AIMA 18.11.1",
        "MMDS 12.4.1-12.4.2",
        "MMDS 12.4.6",
        "MMDS Exercise 12.4.1-12.4.2",
        "MMDS 12.5",
        "ML 8.2",
        "ML 8.2.1-8.2.2",
        "ML Table 8.1",
        "MIT 2.1.32-2.1.35",
        "LS, Nearest neighbor models",
    ),
    curves=(Curve("radius", "distance of the k-th best", about=("ball",)),),
)
