"""k lines with the side that each class claims, the borders between the classes, the scores side by
side.
"""

from engine.algorithms.linear.multiclass_perceptron import Setting, State, predict
from engine.algorithms.linear.multiclass_perceptron.words import class_tag, score_bars
from engine.algorithms.linear.parts.picture import (
    nearest_to_middle,
    region_borders,
    separator,
    weight_tags,
)
from engine.authoring import Float, Grid, Int, Iterator, Step, np, replace
from engine.base.notation import counted
from engine.numerics.class_scores import winners
from engine.numerics.closeness import OF_TERMS
from engine.numerics.linear import linear_surface, size_surface
from engine.scene.scene import (
    Arrows,
    Bars,
    Field,
    Layer,
    Matrix,
    Points,
    Role,
    Scene,
    Segments,
    data_table,
    looked_at,
    plane_scene,
)
from engine.scene.views import PREDICTED

NAMED = 5  # wrong points at the end of a round that say their names
ARROW = 0.12  # length of the arrow on a line, of the reach of the data
AROUND = 0.08  # of the data: so far beyond them a line may carry an arrow
FEW, FAR = 12, 1e4  # classes whose borders are computed; how far these go, in sizes of the data


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class codes of `predict` on the grid, with the largest rounding of all
    places.
    """
    far = Grid(np.abs(grid.x).max(keepdims=True), np.abs(grid.y).max(keepdims=True))
    V, rough = given.compared(s.V)
    near = (OF_TERMS * float(size_surface(given.problem, sizes, far)[0, 0]) for sizes in rough)
    return winners(
        zip((linear_surface(given.problem, v, -float(v[-1]), grid) for v in V), near, strict=True),
        grid.shape,
    )


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(step.state)
    shown = predict(given, s, problem.X)
    figures = (
        (
            scores_of(given, s, s.current, int(shown[s.current]), step.line == "test")
            if current
            else slips_of(given, s, step.line == "until")
        ),
        weight_matrix(given, s),
        data_table(problem, current=current, tag="current"),
    )
    made = plane_scene(
        problem,
        s,
        shown,
        figures,
        class_borders(given, s),
        class_lines(given, s, step.line == "until"),
        wrong_points(given, s, shown) if step.line == "until" else (),
        leads=("Plane", "Classes"),
    )
    if step.line == "until" and made.layers:
        return replace(made, plane=f"{PREDICTED}: {s.errors or 'none'} wrong")
    if step.line != "update" or not made.layers:
        return made
    *rest, active = made.layers
    return replace(made, layers=(*rest, replace(active, label=(moved_to(given, s),))))


def slips_of(given: Setting, s: State, over: bool = False) -> Bars:
    """The mistakes of each class in this round, those that made some in amber. over: at its end"""
    said = f"mistakes in round {s.round}" if s.round else "no mistake yet"
    if over:
        said = f"round {s.round} over, {counted(int(s.slips.sum()), 'mistake')}"
    return Bars(
        f"Classes: {said}",
        tuple(given.problem.class_text(c) for c in range(given.k)),
        s.slips.astype(np.float64),
        tuple(Role.ACTIVE if made else Role.PLAIN for made in s.slips.tolist()),
        group=np.arange(given.k),
        digits=0,
        beside=True,
        checked=False,
        tags=tuple(map(class_tag, range(given.k))),
    )


def moved_to(given: Setting, s: State) -> str:
    """The point of this step and what was wrong about it: “D1: Beagle was too high”."""
    asked = given.problem.class_text(s.active)
    way = "low" if given.Y[s.current, s.active] > 0 else "high"
    return f"{given.problem.names[s.current]}: {asked} was too {way}"


def scores_of(given: Setting, s: State, row: int, label: int, passed: bool) -> Bars:
    """The scores of all classes for a row, and where they were before this step; amber is the
    class whose weights moved, before that the one in which the row is called. passed: every
    perceptron is right about it
    """
    x = given.problem.X[[row]]
    now = given.all_scores(s, x)[0][:, 0]
    bars = score_bars(given, now, label if s.active < 0 else s.active)
    before = now if s.active < 0 else given.all_scores(replace(s, V=s.before), x)[0][:, 0]
    title = f"Classes: the score of each for {given.problem.names[row]}"
    title += ", all right" * passed
    return replace(
        bars,
        title=title,
        before=before,
        ticks="before this step",
        beside=True,
        checked=s.active < 0,
    )


def wrong_points(given: Setting, s: State, shown: Int) -> Iterator[Layer]:
    """The points that are wrong at the end of a round, ringed; few of them with their names."""
    problem = given.problem
    rows = np.flatnonzero((shown != problem.codes) & problem.labelled)
    if len(rows):
        names = (
            tuple(f"{problem.names[i]} wrong" for i in rows.tolist()) if len(rows) <= NAMED else ()
        )
        tags = problem.tags_of(rows)
        yield Points(
            problem.xy[rows],
            problem.codes[rows],
            Role.NEIGHBOUR,
            label=names,
            tag="wrong",
            tags=tags,
        )


def class_lines(given: Setting, s: State, over: bool = False) -> Iterator[Layer]:
    """The line of every class in its colour, with an arrow to its side; also the previous line of
    the class just updated. over: at the end of a round those with mistakes are in amber
    """
    problem = given.problem
    low, high, _ = problem.bounds
    reach = ARROW * (float(np.ptp(problem.xy, axis=0).max()) or 1.0)
    if s.active >= 0:
        yield separator(given, s.before[s.active], Role.GHOST, "before")
    for c, v in enumerate(s.V):
        now = c == s.active or (over and s.slips[c] > 0)
        line = separator(given, v, Role.ACTIVE if now else Role.ACCEPTED, class_tag(c))
        size = float(np.hypot(*line.w))
        if size:
            foot = nearest_to_middle(problem, line.w, line.b)
            yield replace(line, group=c)
            if (np.maximum(low - foot, foot - high) > AROUND * (high - low).max()).any():
                continue  # out of view: its name at the edge would point at nothing
            slips = int(s.slips[c])
            said = f": {counted(slips, 'mistake')}" if over and slips else ""
            texts = (problem.class_text(c) + said,)
            yield Arrows(
                foot[None],
                (foot + reach * line.w / size)[None],
                Role.PLAIN,
                texts,
                tag=class_tag(c),
            )


def class_borders(given: Setting, s: State) -> Iterator[Layer]:
    """The class surface, with exact borders where there are few classes."""
    problem = given.problem
    V, _ = given.compared(s.V)
    if len(V) > FEW or not np.isfinite(V).all():
        yield Field("class", boundary=True)
        return
    lines = [separator(given, v) for v in V]
    reach = FAR * (float(np.abs(problem.xy).max(initial=0.0, where=np.isfinite(problem.xy))) + 1.0)
    ends = borders(
        np.array([line.w for line in lines]), np.array([line.b for line in lines]), reach
    )
    yield Field("class")
    if len(ends):
        yield Segments(ends, Role.BOUNDARY, tag="classes")


def weight_matrix(given: Setting, s: State) -> Matrix:
    """A matrix with a row of weights for each class, θ last; the row just updated in amber."""
    rows = tuple(given.problem.class_text(c) for c in range(given.k))
    active = tuple(
        (s.active, j) for j in range(len(given.names)) if s.V[s.active, j] != s.before[s.active, j]
    )
    active = active if s.active >= 0 else ()
    tags = tuple(map(class_tag, range(given.k)))
    return Matrix(
        "Weights",
        rows,
        given.names,
        s.V,
        active,
        shade=False,
        row_tags=tags,
        column_tags=weight_tags(given),
    )


def borders(N: Float, b: Float, reach: float) -> Float:
    """(m, 2, 2) pieces of the lines between the regions of classes, and of none of them, on a
    plane.

    The score of class i at a place is N[i]·place + b[i]; none of them wins where no score is above
    0. N (k, 2); pieces without an end are `reach` long on that side.
    """
    return region_borders(np.vstack([N, np.zeros(2)]), np.append(b, 0.0), reach)
