"""What the methods that keep their examples share: the query, and k-d trees.

AIMA 18.8.
"""

from typing import Annotated, Any, TypeVar

from engine.algorithms.instances.parts.values import value_of
from engine.authoring import (
    Choice,
    EngineError,
    Fits,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Option,
    Place,
    Problem,
    Sequence,
    Setting,
    cached_property,
    frozen,
    np,
    number,
)
from engine.base.notation import counted, quoted, telling_digits
from engine.scene.scene import Role, Segments, Table, TableColumn
from engine.table.dataset import Feature

P = TypeVar("P")
BOX = 10.0  # half side of the box that clips diagrams, in half extents of the points
WORDS = "a place on the plane, or a word or number for each column; empty: the probe, or the middle"
QUERY = "a place on the plane; empty: the probe, or the middle of the data"
PLACES = Needs(labels=False, numeric=True, max_columns=1000)  # what a k-d tree can be built of


def query_place(p: Any, problem: Problem) -> Float:
    """(d,) the query: `p.query`, a place on the plane or a number for each
    column; where it is empty the probe, or the middle of the data.

    Raises EngineError where the numbers do not fit the columns.
    """
    query = p.query
    if not query:
        return problem.anchor if problem.query is None else problem.query
    if any(isinstance(value, str) for value in query):
        return query_of_words(query, problem)
    if problem.plane and len(query) in (2, len(problem.plane)):
        return frozen(problem.from_plane(np.array([query]))[0])
    if len(query) != problem.d:
        raise EngineError(
            "The query needs two numbers, its place on the plane, or one for each of"
            f" {counted(problem.d, 'column')}."
        )
    for value, feature in zip(query, problem.features, strict=True):
        if not feature.numeric and value not in range(len(feature.categories)):
            raise EngineError(
                f"The query gives {quoted(feature.name)} the number {number(value)}; its values"
                f" are numbered from 0 to {len(feature.categories) - 1}."
            )
    return frozen(query, np.float64)


def query_of_words(query: Sequence[float | str], problem: Problem) -> Float:
    """(d,) the query with a word or number for each column.

    Raises EngineError where there are too few or too many, or one is no value of its column.
    """
    if len(query) != problem.d:
        raise EngineError(
            f"The query needs a value for each of {counted(problem.d, 'column')}; it has"
            f" {len(query)}."
        )
    pairs = zip(problem.features, query, strict=True)
    return frozen([value_of(feature, word, "The query") for feature, word in pairs], np.float64)


WordQuery = Annotated[
    tuple[float | str, ...], Label("Query"), Help(WORDS), Place(), Fits(query_place)
]
Query = Annotated[tuple[float, ...], Label("Query"), Help(QUERY), Place(), Fits(query_place)]


class QuerySetting(Setting[P]):
    """The state fields of a method that answers a query."""

    p: Any

    @cached_property
    def query(self) -> Float:
        """(d,) the query, see `query_place`."""
        return query_place(self.p, self.problem)


def extent(points: Float) -> tuple[Float, float]:
    """(middle, half extent) of points (n, 2); 1 for those at one place."""
    columns = points.T.copy()  # by columns: ten times as fast
    low = columns.min(axis=1)
    high = columns.max(axis=1)
    return low / 2 + high / 2, float((high / 2 - low / 2).max()) or 1.0


def comparable(problem: Problem) -> bool:
    """The plane shows two columns whose spans differ by less than a factor of 4, so that circles
    may be round on it: with spans farther apart most of the plane would be empty.
    """
    xy = problem.xy[np.isfinite(problem.xy).all(axis=1)]
    if len(problem.plane) != 2 or not len(xy):
        return False
    spans = xy.max(axis=0) / 2 - xy.min(axis=0) / 2
    return bool(spans.min() > spans.max() / 4)


def best_table(problem: Problem, s: Any, tag: str, *more: TableColumn) -> Table:
    """The table of the best neighbours so far, nearest first, with their distances."""
    names = tuple(problem.names[i] for i in s.neighbours)
    numbers = tuple(problem.number_of(int(i)) for i in s.neighbours)
    # lit only while a distance is what the step is about
    role = Role.ACTIVE if s.looked >= 0 else Role.PLAIN
    columns = (TableColumn(Feature("distance"), s.distances, role, 4), *more)
    current = tuple(np.flatnonzero(s.neighbours == s.looked).tolist())
    group = problem.codes[s.neighbours] if problem.classes else None
    return Table("Best: so far", columns, names, group, current=current, tag=tag, numbers=numbers)


def nearer_choice(
    problem: Problem, s: Any, rim: int, away: float, chosen: int, tie: bool, about: str
) -> Choice:
    """Which of two belongs to the k best: row `rim`, the k-th so far, `away` from the query, or the
    one looked at.

    chosen: 0 or 1; tie: both are as far; about: the tag of `rim` in the picture
    """
    farthest = Option(problem.names[rim], away, about, value=rim)
    looked = Option(problem.names[s.looked], s.distance, "looked", value=s.looked)
    return Choice(
        "Which of the two is nearer to “?”?",
        (farthest, looked),
        winners=(0, 1) if tie else (chosen,),
        chosen=chosen,
        rule="equal distances: the lower row number" if tie else "",
        unit="distance",
        smallest=True,
        digits=4 if tie else max(4, telling_digits(s.distance, away)),
    )


def spokes(
    problem: Problem, query: Float, rows: Int, role: Role, tag: str, labels: tuple[str, ...] = ()
) -> Segments:
    """Lines from the query to these examples."""
    start = np.broadcast_to(problem.to_plane(query[None]), (len(rows), 2))
    return Segments(
        np.stack([start, problem.xy[rows]], axis=1), role, labels, tag, tags=problem.tags_of(rows)
    )
