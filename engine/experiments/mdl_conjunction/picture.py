"""Every conjunction as a point of its literals and its bits; the bits of the literals below, and
the rows that are wrong.
"""

from engine.authoring import (
    Band,
    Field,
    Figure,
    Grid,
    Int,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Step,
    data_points,
    data_table,
    frozen,
    np,
)
from engine.core.tags import joined
from engine.experiments.mdl_conjunction import Setting, State, predict


def surface(given: Setting, s: State, grid: Grid) -> Int:
    return predict(given, s, given.problem.from_plane(grid.points())).reshape(grid.shape)


FIELDS = {"class": surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    shown = predict(given, s, problem.X)
    wrong = tuple(np.flatnonzero((shown != problem.codes) & problem.labelled).tolist())
    tags = tuple(joined("rows", tag) for tag in problem.row_tags)
    figures: tuple[Figure, ...] = (
        lengths(given, s),
        data_table(problem, current=wrong, tag="rows", tags=tags),
    )
    if not problem.plane:
        return Scene((), figures, leads=("Lengths", "Examples"))
    return Scene(
        (Field("class", tag="best"), data_points(problem, shown)),
        figures,
        leads=("Plane", "Lengths"),
    )


def lengths(given: Setting, s: State) -> Plot:
    """Bits over literals: what the literals cost, and on top of it the errors, of all that were
    tried and of the best.
    """
    n = given.bits.shape[1]
    k = np.arange(n + 1, dtype=np.float64)
    layers: list[Layer] = [
        Band(k, np.zeros(n + 1), k * given.literal, tag=joined("literals", "lengths")),
        Polyline(
            np.column_stack([k, k * given.literal]),
            Role.MARGIN,
            label="literals alone",
            tag=joined("literals", "lengths"),
        ),
    ]
    places = np.array(
        [(size, given.length(size, errors)) for size, errors in sorted(set(s.tried))]
    ).reshape(-1, 2)
    layers.append(
        Points(
            frozen(places), np.full(len(places), -1), Role.INACTIVE, tag=joined("tried", "lengths")
        )
    )
    if len(s.sizes):
        found = [(len(h), given.length(len(h), errors)) for h, errors in s.sizes]
        layers.append(
            Polyline(
                frozen(np.array(found, np.float64)),
                Role.BOUNDARY,
                label="with errors",
                tag=joined("sizes", "lengths"),
            )
        )
    now = np.array([[len(s.h), given.length(len(s.h), s.errors)]])
    layers.append(Points(now, np.array([-1]), Role.SAMPLE, tag=joined("h", "lengths")))
    best = np.array([[len(s.best), s.least]])
    layers.append(
        Points(
            best, np.array([-1]), Role.ACTIVE, label=("shortest",), tag=joined("best", "lengths")
        )
    )
    top = 1.1 * max(given.length(0, given.wrong(())), n * given.literal, s.least, 1.0)
    ticks = tuple((float(v), f"{int(v)}") for v in k)
    return Plot(
        "Lengths: of the descriptions",
        "literals",
        "bits",
        tuple(layers),
        beside=True,
        x_range=(-0.3, 1.3 * n + 0.3),
        y_range=(-0.05 * top, top),
        x_ticks=ticks,
    )
