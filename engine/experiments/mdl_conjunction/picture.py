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
    replace,
)
from engine.base.notation import counted, number, plural
from engine.base.tags import joined
from engine.experiments.mdl_conjunction import Setting, State, predict
from engine.experiments.mdl_conjunction.words import rule

NAMED = 5  # literals of a conjunction that a heading names


def surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class by the best conjunction."""
    return predict(given, s, given.problem.from_plane(grid.points())).reshape(grid.shape)


FIELDS = {"class": surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    shown = predict(given, s, problem.X)
    # wrong by h, of which the words speak, not by the best
    said = shown if s.h == s.best else predict(given, replace(s, best=s.h), problem.X)
    wrong = tuple(np.flatnonzero((said != problem.codes) & problem.labelled).tolist())
    tags = tuple(joined("rows", tag) for tag in problem.row_tags)
    table = data_table(problem, current=wrong, tag="rows", tags=tags)
    figures: tuple[Figure, ...] = (lengths(given, s, step.line), table)
    if not problem.plane:
        return Scene((), figures, leads=("Lengths", "Examples"))
    layers = (Field("class", tag="best"), data_points(problem, shown))
    return Scene(layers, figures, leads=("Plane", "Lengths"))


def heading(given: Setting, s: State, line: str) -> str:
    """The title of the lengths, with the conjunction of this step; a long one by its size."""
    many = counted(len(s.h), "literal")
    h = rule(given, s.h) if len(s.h) <= NAMED else many
    said = {
        "start": "no literal",
        "size": f"best of {many}" + (f", {h}" if h != many else ""),
        "done": f"the shortest is {h}",
    }
    return f"Lengths: {said.get(line, h)}"


def lengths(given: Setting, s: State, line: str) -> Plot:
    """A plot of bits over literals: the cost of the literals, and on top of it that of the errors,
    for the tried conjunctions and the best.
    """
    n = given.bits.shape[1]
    k = np.arange(n + 1, dtype=np.float64)
    alone = k * given.literal
    tag = joined("literals", "lengths")
    tried = [(size, given.length(size, errors)) for size, errors in sorted(set(s.tried))]
    layers: list[Layer] = [
        Band(k, np.zeros(n + 1), alone, tag=tag),
        Polyline(np.column_stack([k, alone]), Role.MARGIN, label="literals alone", tag=tag),
        dots(tried, Role.INACTIVE, "tried"),
    ]
    if len(s.sizes):
        found = [(len(h), given.length(len(h), errors)) for h, errors in s.sizes]
        corners = frozen(np.array(found, np.float64))
        tag = joined("sizes", "lengths")
        name = "" if s.sizes[-1] == (s.h, s.errors) else "with errors"  # h has its own name there
        layers.append(Polyline(corners, Role.BOUNDARY, label=name, tag=tag))
    here = (len(s.h), given.length(len(s.h), s.errors))
    best = (len(s.best), s.least)
    name = f"{number(here[1], 2)} {plural(round(here[1], 2), 'bit')}, {s.errors} wrong"
    if s.h == s.best:
        name = f"shortest: {name}"
    else:
        layers.append(dots([best], Role.SAMPLE, "best", ("shortest",)))
    tag = joined("best", "h") if s.h == s.best else "h"
    layers.append(dots([here], Role.ACTIVE, tag, (name,)))
    top = 1.1 * max(given.length(0, given.wrong(())), n * given.literal, s.least, 1.0)
    return Plot(
        heading(given, s, line),
        "literals",
        "bits",
        tuple(layers),
        beside=True,
        x_range=(-0.3, 1.3 * n + 0.3),
        y_range=(-0.05 * top, top),
        x_ticks=tuple((float(size), str(size)) for size in range(n + 1)),
    )


def dots(
    places: list[tuple[int, float]], role: Role, tag: str, label: tuple[str, ...] = ()
) -> Points:
    """Marks of descriptions at (literals, bits)."""
    xy = frozen(np.array(places, np.float64).reshape(-1, 2))
    return Points(xy, np.full(len(xy), -1), role, label=label, tag=joined(tag, "lengths"))
