"""The ball through the nearest example on the plane, the unit balls side by side, and what is
nearest by which way.
"""

from collections import Counter

from engine.authoring import Problem, Step, frozen, np
from engine.base.notation import number
from engine.experiments.distance_balls import Setting, State
from engine.experiments.distance_balls.words import name
from engine.scene.scene import (
    NO_GROUP,
    Figure,
    Labels,
    Layer,
    Matrix,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_points,
)

FAR = 4  # times as wide one axis may be as the other, for round circles to be worth their room
PARTED = 12  # fewer examples have no quarter worth a ball
SIDE = (-1.15, 1.15)  # of the unit balls


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    q = Points(frozen(given.q[None]), np.array([NO_GROUP]), Role.QUERY, tag="query")
    layers: list[Layer] = [data_points(problem), *balls(given, s), *spoke(given, s), q]
    figures: list[Figure] = [unit_plot(given, s), *who(given, s)]
    spans = np.ptp(problem.xy[given.rows], axis=0)
    equal = bool(spans.min() > spans.max() / FAR)
    title = "Which is nearest, by each distance"
    if s.current >= 0:
        title = f"Which is nearest, by {name(given, s.current)}"
    leads = ("Plane", "Unit balls")
    return Scene(tuple(layers), tuple(figures), equal, leads, title)


def balls(given: Setting, s: State) -> list[Layer]:
    """The balls around q that touch the nearest example and that hold a quarter and half of the
    examples; the ball of the previous distance is pale.
    """
    layers = list[Layer]()
    if s.current < 0:
        return layers
    last = len(s.nearest) - 1
    before = last - 1 if s.current == last else last
    if before >= 0:
        radius = float(given.distances[before].min())
        layers += ball(given, before, radius, Role.GHOST, "earlier")
    if s.current == last:
        if len(given.rows) >= PARTED:
            half, quarter = np.quantile(given.distances[last], [0.5, 0.25]).tolist()
            layers += ball(given, last, half, Role.INACTIVE, "part", "½ inside")
            layers += ball(given, last, quarter, Role.INACTIVE, "part", "¼ inside")
        layers += ball(given, last, s.distance, Role.BALL, "ball")
    return layers


def ball(
    given: Setting, way: int, radius: float, role: Role, tag: str, label: str = ""
) -> list[Layer]:
    """The rim of the ball of this radius around q; [] for radius 0 or a degenerate distance. way:
    index of the distance
    """
    unit = given.rims[way]
    if radius <= 0 or not len(unit):
        return []
    ring = frozen(given.q + radius * unit)
    rim = Polyline(ring, role, closed=True, tag=tag)
    low = frozen(ring[[int(np.argmin(ring[:, 1]))]])  # where the names of two rims keep apart
    return [rim, Labels(low, (label,), role, tag=tag)] if label else [rim]


def spoke(given: Setting, s: State) -> list[Layer]:
    """Lines from q to the nearest examples of this distance; at the end to all that were nearest,
    each with the number of distances that say so.
    """
    if not s.nearest or s.current >= len(s.nearest):
        return []
    problem = given.problem
    if s.current < 0:
        many = Counter(rows[0] for rows in s.nearest)
        rows = list(many)
        labels = [f"{problem.names[row]}: {m} of {len(s.nearest)}" for row, m in many.items()]
    else:  # the one that stands first, and all that are as near
        rows = list(s.nearest[-1])
        labels = names_at_places(problem, rows)
        labels[0] += f": {number(s.distance)}"
    xy = problem.xy[rows]
    ends = frozen([[given.q, place] for place in xy])
    return [
        Segments(ends, Role.NEAREST, tag="nearest"),
        Points(xy, problem.codes[rows], Role.NEAREST, label=tuple(labels), tag="nearest"),
    ]


def names_at_places(problem: Problem, rows: list[int]) -> list[str]:
    """The names of rows, those at the same place together at the first of them, “d, e, f”."""
    at = [tuple(place) for place in problem.xy[rows].tolist()]
    names = [problem.names[row] for row in rows]
    return [
        ", ".join(name for name, other in zip(names, at, strict=True) if other == place)
        if at.index(place) == k
        else ""
        for k, place in enumerate(at)
    ]


def unit_plot(given: Setting, s: State) -> Plot:
    """A plot of the unit balls of the distances so far, all scaled to the same width."""
    layers: list[Layer] = []
    shown = range(len(given.ways)) if s.current < 0 else range(s.current + 1)
    for way in shown:
        edge = given.rims[way]
        if len(edge):
            shape = frozen(edge / np.abs(edge).max())
            role = Role.BOUNDARY if way == s.current else Role.INACTIVE
            layers.append(Polyline(shape, role, closed=True, tag="unit"))
    if s.current >= 0 and layers:
        middle = frozen([[0.0, 0.0]])
        label = (name(given, s.current),)
        group = np.array([NO_GROUP])
        layers.append(Points(middle, group, Role.SAMPLE, label=label, tag="unit"))
    across, up = given.names
    return Plot(
        "Unit balls: all at distance 1",
        f"difference in {across}",
        f"in {up}",
        tuple(layers),
        True,
        beside=True,
        x_range=SIDE,
        y_range=SIDE,
    )


def who(given: Setting, s: State) -> list[Figure]:
    """A matrix of the distances, by every way to measure, of each example that is nearest by one;
    the least in amber. [] before the first.
    """
    if not s.nearest:
        return []
    nearest = [rows[0] for rows in s.nearest]
    rows = list(dict.fromkeys(nearest))
    place = np.searchsorted(given.rows, rows)
    values = [given.distances[way][place] for way in range(len(nearest))]
    matrix = Matrix(
        "Distances",
        tuple(given.ways)[: len(nearest)],
        tuple(given.problem.names[row] for row in rows),
        frozen(values),
        tuple((way, rows.index(row)) for way, row in enumerate(nearest)),
        shade=False,
        x_label="example",
        y_label="way",
        column_tags=given.problem.tags_of(rows),
        row_tags=("matrix",) * len(nearest),
    )
    return [matrix]
