"""The ball through the nearest example on the plane, the unit balls side by side, and who is
nearest by which way.
"""

from collections import Counter

from engine.authoring import Step, frozen, np
from engine.core.scene import (
    NO_GROUP,
    Figure,
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
from engine.experiments.distance_balls import Setting, State
from engine.experiments.distance_balls.words import name

FAR = 4  # times as wide one axis may be as the other, for round circles to be worth their room


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    q = Points(frozen(given.q[None]), np.array([NO_GROUP]), Role.QUERY, tag="query")
    layers: list[Layer] = [data_points(problem), *balls(given, s), *spoke(given, s), q]
    spans = np.ptp(problem.xy[given.rows], axis=0)
    figures: list[Figure] = [unit_plot(given, s), *who(given, s)]
    equal = bool(spans.min() > spans.max() / FAR)
    return Scene(tuple(layers), tuple(figures), equal_scales=equal, leads=("Plane", "Unit balls"))


def balls(given: Setting, s: State) -> list[Layer]:
    """Through the nearest, and those in which a quarter and half of the examples lie; pale the one
    of the way before.
    """
    made = list[Layer]()
    last = len(s.nearest) - 1
    if s.current < 0:
        return made
    if last > 0 or s.current > last:
        before = last - (s.current == last)
        made += ring(given, before, float(given.distances[before].min()), Role.GHOST, "earlier")
    if s.current == last:
        d = given.distances[last]
        for share, label in ((0.5, "½ of the examples"), (0.25, "¼")):
            made += ring(given, last, float(np.quantile(d, share)), Role.INACTIVE, "part", label)
        made += ring(given, last, s.distance, Role.BALL, "ball")
    return made


def ring(
    given: Setting, way: int, radius: float, role: Role, tag: str, label: str = ""
) -> list[Layer]:
    edge = given.rims[way]
    here = radius > 0 and len(edge) > 0
    return [
        Polyline(frozen(given.q + radius * edge), role, closed=True, label=label, tag=tag)
    ] * here


def spoke(given: Setting, s: State) -> list[Layer]:
    """From q to the nearest; in the end to all that were nearest, with how many ways say so."""
    if not s.nearest or s.current >= len(s.nearest):
        return []
    many = Counter(rows[0] for rows in (s.nearest if s.current < 0 else s.nearest[-1:]))
    rows = list(many)
    problem = given.problem
    line = Segments(
        frozen([[given.q, problem.xy[row]] for row in rows]), Role.NEAREST, tag="nearest"
    )
    label = tuple(
        problem.names[r] + f": {m} of {len(s.nearest)}" * (s.current < 0) for r, m in many.items()
    )
    return [
        line,
        Points(problem.xy[rows], problem.codes[rows], Role.NEAREST, label=label, tag="nearest"),
    ]


def unit_plot(given: Setting, s: State) -> Plot:
    """Each as wide as 1: its shape is what counts."""
    layers: list[Layer] = []
    for way in range(s.current + 1 or len(given.ways)):
        edge = given.rims[way]
        now = way == s.current
        if len(edge):
            layers.append(
                Polyline(
                    frozen(edge / np.abs(edge).max()),
                    Role.BOUNDARY if now else Role.INACTIVE,
                    closed=True,
                    tag="unit",
                )
            )
    if s.current >= 0 and layers:
        layers.append(
            Points(
                frozen([[0.0, 0.0]]),
                np.array([NO_GROUP]),
                Role.SAMPLE,
                label=(name(given, s.current),),
                tag="unit",
            )
        )
    across, up = given.names
    side = (-1.15, 1.15)
    return Plot(
        "Unit balls",
        f"difference in {across}",
        f"in {up}",
        tuple(layers),
        True,
        beside=True,
        x_range=side,
        y_range=side,
    )


def who(given: Setting, s: State) -> list[Figure]:
    """The distance of everybody who was nearest by one way, by each; the nearest in amber."""
    if not s.nearest:
        return []
    rows = list(dict.fromkeys(r[0] for r in s.nearest))
    place = np.searchsorted(given.rows, rows)
    values = np.column_stack([given.distances[way][place] for way in range(len(s.nearest))])
    active = tuple((rows.index(r[0]), way) for way, r in enumerate(s.nearest))
    names = tuple(given.problem.names[r] for r in rows)
    tags = given.problem.tags_of(rows)
    ways = tuple(list(given.ways)[: len(s.nearest)])
    return [
        Matrix(
            "Distances",
            ways,
            names,
            frozen(values.T),
            tuple((w, r) for r, w in active),
            shade=False,
            x_label="example",
            y_label="way",
            column_tags=tags,
            row_tags=("matrix",) * len(ways),
        )
    ]
