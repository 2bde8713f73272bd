"""k nearest neighbours: store everything, compare only for a query.

AIMA 18.8.1-18.8.2, MMDS 12.4.1-12.4.3, ML 8.2, MIT 2.1.33.
"""

from math import inf, isfinite, nan
from typing import Annotated, Any, Literal

from engine.algorithms.instances.nearest_neighbours.cells import PlaneExamples
from engine.algorithms.instances.parts import WordQuery
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Length,
    Mapping,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    frozen,
    leap_to,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.closeness import tied_with_best

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
    "minkowski: numbers; hamming: columns that differ; mixed: numbers as shares of their range,"
    " words 0 or 1; mahalanobis: scaled by covariance; jaccard: of sets; cosine: the angle in"
    " degrees; kernel: √(K(x,x) − 2K(x,q) + K(q,q))"
)
NORM = "1: sum of the differences (Manhattan), 2: straight line (Euclid), inf: largest difference"
EACH_IS_A_STEP = 50  # with more examples those that are farther are details
ONE_BY_ONE = 50_000  # with more examples the farther ones between two closer ones make one step


class Params(Record, eq=True):
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    metric: Annotated[
        Literal["minkowski", "hamming", "mixed", "mahalanobis", "jaccard", "cosine", "kernel"],
        Label("Distance"),
        Help(METRIC),
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
    weights: Annotated[
        Literal["equal", "1/d", "1/d²", "gaussian"],
        Label("Weight of a vote"),
        Help("gaussian: e^(−d²/σ²)"),
    ] = "equal"
    sigma: Annotated[
        float, Range(1e-3, 1e3, log=True), Label("Width σ"), When("weights", ("gaussian",))
    ] = 1.0
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
        Length("columns"),
    ] = ()
    query: WordQuery = ()


class State(Record):
    """The model is the memory itself; the fields after `stored` are what a step of a query shows.

    stored: whether the examples are in the memory
    query: (d,) q
    neighbours: rows of the best so far, nearest first
    distances: of these from q
    votes: (classes,) of these
    label: the class that they give, −1 for none
    radius: distance of the k-th best, NaN while a place is free
    looked: the row measured now, or −1
    distance: of that row from q
    seen: how many rows were measured
    former: distance of the k-th best before this step
    dropped: the row that lost its place in this step, or −1
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


class Setting(PlaneExamples[Params]):
    """The n stored examples: rows (n,) of the table, their distances from a query, their votes."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    _ = given.space  # raises EngineError for columns that have no distance
    none = frozen(np.zeros(0, np.intp))
    s = State(False, given.query, none, frozen(np.zeros(0)), given.no_votes)
    yield from at("start", s)
    s = yield from stored(given, at, s)
    yield from at("store", s)
    yield from at("query", s)
    s = yield from searched(given, at, s)
    s = replace(s, looked=-1, distance=nan, seen=given.n, former=nan, dropped=-1)
    outside = given.as_near(s.query, s.neighbours)  # a row as near as the k-th best, or −1
    leaders = with_most_votes(s.votes)
    if given.p.disagree == "leave unclassified":
        leaders = [s.label]  # no tie: all agree, or none is given
    s = replace(s, label=at.take(leaders, s.label))
    tie = outside >= 0 or len(leaders) > 1
    yield from at("vote", s, *when(tie=tie), outside=outside)
    yield from at("answer", s, outside=outside)


def by_heart(given: Setting, s: State) -> State:
    """The state in which the examples are stored."""
    return replace(s, stored=True)


@leap_to(by_heart)
def stored(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state in which the examples are stored; also prepares what pictures need."""
    yield from given.precompute()
    return by_heart(given, s)


def found_at_once(given: Setting, s: State) -> State:
    """The state with the k nearest examples, where the search is not recorded."""
    return with_neighbours(given, s, given.nearest(s.query))


@leap_to(found_at_once)
def searched(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state with the k nearest examples, after one pass over the stored ones in table order
    (AIMA 18.8.2).
    """
    # (n,) d = |x − q| of every stored x. minkowski: (Σ |xᵢ − qᵢ|^p)^(1/p); hamming: how many
    # xᵢ ≠ qᵢ; mixed: of words as hamming, of numbers Σ |xᵢ − qᵢ| / range; mahalanobis:
    # √((x − q)ᵀ S⁻¹ (x − q)); jaccard: 1 − |x ∩ q| / |x ∪ q|; cosine: the angle in degrees;
    # kernel: √(K(x,x) − 2 K(x,q) + K(q,q))
    distance = given.distances(s.query)
    rank = given.rank  # (n,) d rounded: distances equal up to rounding count as equal
    best = np.zeros(0, np.intp)  # positions of the nearest so far, the nearest first
    i = 0
    while i < given.n:
        # the next x with d < k-th best; while a place is free the next x at all
        closer = i if len(best) < given.k else given.next_below(rank[best[-1]], i)
        chosen = yield from farther(given, at, s, distance, i, closer)
        if chosen >= 0:
            best = np.append(best[:-1], chosen)
            s = with_neighbours(given, s, best, seen=chosen + 1)
            i = chosen + 1
        elif closer < given.n:
            place = np.searchsorted(rank[best], rank[closer], side="right")
            best = np.insert(best, place, closer)[: given.k]
            s = kept(given, s, best, closer, distance[closer])
            yield from at("keep", s, *when(closer=s.dropped >= 0), skipped=closer - i)
            i = closer + 1
        else:
            break
    return s


def kept(given: Setting, s: State, best: Int, new: int, distance: float) -> State:
    """The state in which example `new` is among the best; where there were k, the k-th drops
    out.
    """
    full = len(s.neighbours) == given.k
    return with_neighbours(
        given,
        s,
        best,
        looked=int(given.rows[new]),
        distance=float(distance),
        seen=new + 1,
        former=s.radius if full else nan,
        dropped=int(s.neighbours[-1]) if full else -1,
    )


def with_neighbours(given: Setting, s: State, best: Int, **changes: Any) -> State:
    """The state with the examples at the positions `best` as neighbours, nearest first, and their
    votes.
    """
    d = given.distances(s.query)[best]
    y = given.codes[best]
    # 1, 1/d, 1/d² or e^(−d²/σ²); where some d is 0, these alone have a weight 1/d
    weights = given.vote.weigh(d)
    votes = frozen(np.bincount(y, weights, given.vote.classes), np.float64)  # each for its y
    return replace(
        s,
        neighbours=frozen(given.rows[best]),
        distances=frozen(d),
        votes=votes,
        label=elected(given, y, weights, votes),
        radius=float(d[-1]) if len(best) == given.k else nan,
        **changes,
    )


def elected(given: Setting, y: Int, weights: Float, votes: Float) -> int:
    """The class with the most votes, of tied ones that of the nearest neighbour; where all must
    agree theirs, or −1. y: classes of the neighbours, nearest first
    """
    if given.p.disagree == "leave unclassified":
        agree = (y[weights > 0] == y[0]).all()
        return int(y[0]) if agree else -1
    leads = np.isin(y, with_most_votes(votes))
    return int(y[leads.argmax()])


def with_most_votes(votes: Float) -> list[int]:
    """The class codes that tie for the most votes. votes: (classes,)"""
    return np.flatnonzero(tied_with_best(votes)).tolist()


def farther(
    given: Setting, at: At, s: State, distance: Float, first: int, end: int
) -> Part[State, int]:
    """Looks at the examples first … end − 1, none of which is nearer than the k-th best.

    Gives the one among them, as near as the k-th best, that takes its place by hand, else −1. Each
    is a step where the examples are few, a detail where they are many; of very many only the
    nearest is shown.
    """
    few = given.n <= EACH_IS_A_STEP
    if first == end or not (few or at.records("look")):
        return -1
    s = replace(s, former=nan, dropped=-1)
    if given.n > ONE_BY_ONE:
        i = first + int(given.rank[first:end].argmin())
        s = replace(s, looked=int(given.rows[i]), distance=float(distance[i]), seen=end)
        yield from at("look", s, run=(first, end))
        return -1
    look = at.step if few else at
    kth = given.rank[np.searchsorted(given.rows, s.neighbours[-1])]
    for i in range(first, end):
        s = replace(s, looked=int(given.rows[i]), distance=float(distance[i]), seen=i + 1)
        tie = bool(given.rank[i] == kth)
        chosen = few and tie and at.take((False, True), False)
        yield from look("look", s, *when(tie=tie), tie=tie)
        if chosen:
            return i
    return -1


def left_out(given: Setting, s: State) -> Float:
    """(n,) the leave-one-out prediction of each example, from all others."""
    return given.left_out()


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"radius": s.radius} if isfinite(s.radius) else {}


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices; −1 before anything is stored, and where neighbours must agree and do not.

    −1 also where a number is missing.
    """
    # of each row the vote of its k nearest, as in `elected`
    return given.labels(X) if s.stored else np.full(len(X), -1)


def example() -> Problem:
    """Examples of three classes around a query, closer, farther and equally near."""
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
