"""What the methods that keep their examples share: the place that is asked about, and k-d trees. AIMA 18.8."""

from typing import Any, TypeVar

from engine.authoring import EngineError, Float, Needs, Problem, Setting, cached_property, frozen, np, number
from engine.core.notation import counted, quoted

P = TypeVar("P")
BOX = 10.0  # half side of the box that clips diagrams, in half extents of the points
QUERY = "a place on the plane; empty: the probe, or the middle of the data"
PLACES = Needs(labels=False, numeric=True, max_columns=1000)  # what a k-d tree can be built of


class Asked(Setting[P]):
    """A method that answers a question."""

    p: Any

    @cached_property
    def query(self) -> Float:
        """(d,) the place asked about: as given, the probe, or the middle of the data."""
        problem, query = self.problem, self.p.query
        if not query:
            return problem.anchor if problem.query is None else problem.query
        if problem.plane and len(query) in (2, len(problem.plane)):
            return frozen(problem.from_plane(np.array([query]))[0])
        if len(query) != problem.d:
            raise EngineError(
                f"The query needs two numbers, its place on the plane, or one for each of {counted(problem.d, 'column')}."
            )
        for value, feature in zip(query, problem.features, strict=True):
            if not feature.numeric and value not in range(len(feature.categories)):
                raise EngineError(
                    f"The query gives {quoted(feature.name)} the number {number(value)}; its values are numbered from 0 "
                    f"to {len(feature.categories) - 1}."
                )
        return frozen(query, np.float64)


def comparable(problem: Problem) -> bool:
    """The plane shows two columns whose spans differ by less than a factor of 4, so that circles may be round on it: with
    spans farther apart most of the plane would be empty."""
    xy = problem.xy[np.isfinite(problem.xy).all(axis=1)]
    if len(problem.plane) != 2 or not len(xy):
        return False
    spans = xy.max(axis=0) / 2 - xy.min(axis=0) / 2
    return bool(spans.min() > spans.max() / 4)
