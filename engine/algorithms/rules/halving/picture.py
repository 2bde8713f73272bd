"""All hypotheses as a grid out of which they are struck, the votes at every input, log₂ of what is
left beside the mistakes.
"""

from functools import partial

from engine.algorithms.rules.halving import Setting, State, predict
from engine.algorithms.rules.halving.spaces import ANY, RECTANGLES
from engine.algorithms.rules.halving.words import name
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE
from engine.algorithms.rules.parts.boxfigures import box_scene, on_plane, outline, stream_table
from engine.authoring import (
    Bars,
    Boxes,
    Figure,
    Float,
    Grid,
    Int,
    Labels,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Step,
    frozen,
    np,
    replace,
)
from engine.base.notation import counted, cut
from engine.base.tags import joined
from engine.numerics.boolean import squares
from engine.scene import boolean
from engine.scene.boolean import map_figures
from engine.scene.karnaugh import inputs
from engine.scene.layers import NO_GROUP
from engine.scene.legend import BEFORE

CELLS = 2500  # of the grid: with more they are smaller than a pixel or two
NAMED = 100  # cells that have room for a name
INSET = 0.12
MARKED = 12  # mistakes whose numbers stand on the curve
ROOM = 1.35  # of the examples: the axis, with room for the words at the end of the curve
OUTLINED = 400  # rectangles on the plane
LOOKING = ("take", "vote", "truth")  # lines at which an example is looked at


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state

    def classes(values: Float) -> Int:
        return predict(given, s, values)

    taken = s.seen + (step.line in LOOKING)
    examples = stream_table(problem, given.stream[taken:], s.current)
    if given.H.kind == RECTANGLES:
        yes = f" say {problem.class_text(POSITIVE)}"
        plane_figures = (path(given, step), votes(given, step), examples)
        shown = predict(given, s, problem.X)
        plane = box_scene(problem, shown, s.current, rectangles(given, s), plane_figures)
        return replace(plane, leads=("Plane", "Bits left"), plane=f"V: {heading(given, step, yes)}")
    now = (s.current,) if s.current >= 0 else ()
    figures: list[Figure] = [votes(given, step)]
    maps = map_figures(problem, [], classes, leaving=now, said=outcome(given, step))
    figures += [to_come(one, given.stream[taken:]) for one in maps if isinstance(one, Plot)]
    if given.H.kind == "unbiased":
        figures.append(path(given, step))  # the labels of inputs without an example come first
    else:
        figures.insert(0, path(given, step))
    if given.H.size <= CELLS:
        figures.insert(0, grid(given, step))
    return boolean.scene(problem, classes, (*figures, examples))


def to_come(shown: Plot, later: Int) -> Plot:
    """The map with the rows `later` as points without a class, as their labels are not known yet;
    as it is where a mark stands for several rows.
    """
    layers = list[Layer]()
    for layer in shown.layers:
        if isinstance(layer, Points) and layer.role is Role.POINT and layer.tag == "rows":
            hidden = np.isin(np.arange(layer.size), later)
            group = np.where(hidden, NO_GROUP, layer.group)
            said = None if layer.shown is None else np.where(hidden, NO_GROUP, layer.shown)
            layer = replace(layer, group=group, shown=said)
        layers.append(layer)
    return replace(shown, layers=tuple(layers))


def heading(given: Setting, step: Step[State], of: str = "") -> str:
    """What a step does with V, for a heading. of: what those said that are counted"""
    s = step.state
    if s.current < 0:
        return f"{len(s.left)} of {given.H.size} left"
    name = given.problem.names[s.current]
    if step.line == "take":
        return f"what does it say of {name}?"
    if step.line == "vote":
        said = given.problem.class_text(s.said)
        return f"{step.details['yes']} of {len(s.left)}{of} at {name}, so {said}"
    if step.line == "truth":
        label = given.problem.class_text(int(given.problem.codes[s.current]))
        return f"{name} is {label}, {outcome(given, step)}"
    if step.line == "stop":
        return f"stopped, {len(s.left)} left"
    return f"{np.count_nonzero(s.before)} → {len(s.left)} left"


def outcome(given: Setting, step: Step[State]) -> str:
    """What the vote says or whether it was right, at the lines of these; "" at others."""
    s = step.state
    if step.line == "vote":
        return f"the vote says {given.problem.class_text(s.said)}"
    if step.line == "truth":
        return "as voted" if s.said == given.problem.codes[s.current] else "a mistake"
    return ""


def rectangles(given: Setting, s: State) -> list[Layer]:
    """The outlines of the rectangles left in V; [] while there are many."""
    if len(s.left) > OUTLINED:
        return []
    sides = np.stack(given.H.sides(s.left), axis=1).astype(np.float64) + given.H.low  # (left, d, 2)
    boxes = on_plane(given.problem, [(one[:, 0], one[:, 1]) for one in sides])
    return [outline(boxes, Role.INACTIVE if len(boxes) > 1 else Role.ACCEPTED, "hypotheses")]


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class by the vote of V at every place of the grid."""
    if given.H.kind != RECTANGLES:
        return squares(given.problem, grid, partial(predict, given, s))
    codes = predict(given, s, given.problem.from_plane(grid.points()))
    return codes.reshape(grid.shape).astype(np.float64)


FIELDS = {"class": class_surface}


def places(given: Setting) -> tuple[Int, Int, int, int]:
    """(x (|H|,), y (|H|,), width, height) of the hypotheses in the grid, rows counted from the
    top.
    """
    H = given.H
    h = np.arange(H.size)
    if H.kind == "conjunctions":
        wide = 3 ** ((H.d + 1) // 2)
        high = 3 ** (H.d // 2)
        x = h // high
        y = h % high
        x[-1] = 0  # the one that never holds stands below the others
        y[-1] = high
        return x, y, wide, high + 1
    wide = int(np.ceil(np.sqrt(H.size)))
    return h % wide, h // wide, wide, -(-H.size // wide)


def grid(given: Setting, step: Step[State]) -> Plot:
    """A plot with a cell for each hypothesis in the colour of its answer to this example: left,
    removed now, removed before.
    """
    s = step.state
    H = given.H
    x, y, wide, high = places(given)
    top = high - y
    edges = [x + INSET, top - 1 + INSET, x + 1 - INSET, top - INSET]
    bounds = np.column_stack(edges).astype(np.float64)
    middle = np.column_stack([x + 0.5, top - 0.5])
    layers = [*cells(given, s, bounds), strokes(s, bounds), edge(given, wide, high)]
    if H.size <= NAMED and H.kind in ("unbiased", "columns"):
        names = tuple(short_name(given, k) for k in range(H.size))
        layers.append(Labels(frozen(middle), names, tag="hypotheses"))
    across, up = axis_names(given)
    return Plot(
        f"Hypotheses: {heading(given, step, f' say {given.problem.class_text(POSITIVE)}')}",
        across,
        up,
        tuple(layers),
        beside=True,
        ticks=False,
        x_range=(-1.0, wide + 0.2),
        y_range=(-0.2, high + 0.8),
    )


def cells(given: Setting, s: State, bounds: Float) -> list[Layer]:
    """The cells of the hypotheses, by role: left, removed now, removed before. bounds: (|H|, 4)"""
    H = given.H
    says = np.full(H.size, -1)
    if s.current >= 0:
        holds = H.says(given.X[[s.current]], np.arange(H.size))[0]
        says = np.where(holds, POSITIVE, NEGATIVE)
    struck = s.before & ~s.version_space
    earlier = ~s.before & (H.size <= NAMED)  # of very many only the strokes are left
    layers: list[Layer] = []
    for which, role in (
        (s.version_space, Role.ACCEPTED),
        (struck, Role.ACTIVE),
        (earlier, Role.REJECTED),
    ):
        rows = np.flatnonzero(which)
        group = np.full(len(rows), -1) if role is Role.REJECTED else says[rows]
        tags = tuple(joined("hypotheses", f"h {k}") for k in rows.tolist())
        layers.append(Boxes(frozen(bounds[rows]), group, role, tag="hypotheses", tags=tags))
    return layers


def strokes(s: State, bounds: Float) -> Segments:
    """A stroke through each hypothesis that was wrong; bounds: (|H|, 4)."""
    crossed = bounds[~s.version_space | ~s.before]
    ends = np.stack([crossed[:, [0, 1]], crossed[:, [2, 3]]], axis=1).reshape(-1, 2, 2)
    return Segments(frozen(ends), Role.INACTIVE, tag="hypotheses")


def axis_names(given: Setting) -> tuple[str, str]:
    """(x label, y label) of the grid: the columns of conjunctions, the inputs of functions."""
    H = given.H
    if H.kind == "conjunctions":
        titles = [feature.title for feature in given.problem.features]
        half = (H.d + 1) // 2
        return " ".join(titles[:half]), " ".join(titles[half:])
    if H.kind == "unbiased":
        return "values at " + " ".join(f"{c:0{H.d}b}" for c in range(1 << H.d)), ""
    return "", ""


def short_name(given: Setting, k: int) -> str:
    """The label of hypothesis k that fits a cell: the values of a function, or the name of a
    column.
    """
    if given.H.kind == "columns":
        return cut(name(given, k), 7)
    return "".join(str(k >> c & 1) for c in range(1 << given.H.d))


def edge(given: Setting, wide: int, high: int) -> Labels:
    """Labels above and left of the grid: what conjunctions require; none where the grid is too
    large.
    """
    half = (given.H.d + 1) // 2
    if given.H.kind != "conjunctions" or wide > 9:
        return Labels(frozen(np.zeros((0, 2))), ())
    literals = given.H.ternary
    rows = high - 1
    above = [((k + 0.5, high + 0.4), sign(literals[k * rows, :half])) for k in range(wide)]
    beside = [((-0.5, high - 0.5 - k), sign(literals[k, half:])) for k in range(rows)]
    below = [((1.6, 0.5), "False")]
    places, texts = zip(*above, *beside, *below, strict=True)
    return Labels(frozen(np.array(places)), texts, tag="hypotheses")


def sign(literals: Int) -> str:
    """The values that a conjunction requires of some columns, as text: "01?"."""
    return "".join("?" if v == ANY else str(v) for v in literals.tolist())


def votes(given: Setting, step: Step[State]) -> Bars:
    """Bars of V's votes at every input; for many columns at this example."""
    s = step.state
    V = np.flatnonzero(s.before if step.line in LOOKING else s.version_space)
    if given.problem.d <= 4 and given.H.kind in ("conjunctions", "unbiased"):
        return votes_of_inputs(given, step, V)
    return votes_of_example(given, step, V)


def votes_of_inputs(given: Setting, step: Step[State], V: Int) -> Bars:
    """Bars of the share of V that says yes at every input; where this step strikes hypotheses, also
    the shares before it. V: indices of hypotheses
    """
    s = step.state
    strikes = step.line == "strike"
    problem = given.problem
    X = inputs(problem.d) if problem.d > 1 else np.array([[0.0], [1.0]])
    here = (given.X[s.current] == X).all(axis=1) & (s.current >= 0)
    former = np.flatnonzero(s.before)
    where = "" if step.line in LOOKING else f", at every input {' '.join(problem.titles)}"
    return Bars(
        f"Votes for {problem.class_text(POSITIVE)}: {heading(given, step)}{where}",
        tuple("".join(str(int(v)) for v in row) for row in X),
        frozen(given.H.votes(X, V) / max(1, len(V))),
        tuple(Role.ACTIVE if active else Role.PLAIN for active in here.tolist()),
        before=frozen(given.H.votes(X, former) / max(1, len(former))) if strikes else None,
        ticks=BEFORE if strikes else "",
        checked=False,
        limit=1.0,
        unit="share of V",
        tag="votes",
        levels=((0.5, "half of V"),),
        tags=tuple(joined("votes", f"cell {k}") for k in range(len(X))),
    )


def votes_of_example(given: Setting, step: Step[State], V: Int) -> Bars:
    """Bars of how many of V say yes and no to this example, with a tick at half of V; between the
    examples of how many are left. V: indices of hypotheses
    """
    s = step.state
    problem = given.problem
    if s.current < 0:
        return Bars(
            f"Votes: {heading(given, step)}",
            ("left in V", "struck"),
            np.array([len(s.left), given.H.size - len(s.left)], np.float64),
            digits=0,
            limit=float(given.H.size),
            unit="hypotheses",
            tag="hypotheses",
            beside=True,
        )
    yes = int(given.H.votes(given.X[[s.current]], V)[0])
    said = [problem.class_text(code) for code in (POSITIVE, NEGATIVE)]
    return Bars(
        f"Votes: {heading(given, step)}",
        tuple(f"say {text}" for text in said),
        np.array([yes, len(V) - yes], np.float64),
        before=np.full(2, len(V) / 2),
        group=np.arange(2),
        digits=0,
        limit=float(len(V)),
        unit="hypotheses",
        tag="votes",
        beside=True,
        tags=("votes", "votes"),
        ticks="half of V",
    )


def path(given: Setting, step: Step[State]) -> Plot:
    """A plot of log₂ |V| after every example, with the bound log₂ |H| − M: each mistake costs at
    least 1. Its end is in amber where this step strikes hypotheses.
    """
    s = step.state
    left, made = np.array([(given.H.size, 0), *s.trail], np.float64).T
    x = np.arange(len(left), dtype=np.float64)
    top = given.H.bits
    bound = frozen(np.column_stack([x, top - made]))
    bits = np.where(left > 0, np.log2(np.maximum(left, 1)), np.nan)
    curve = frozen(np.column_stack([x, bits]))
    missed = np.flatnonzero((np.diff(made, prepend=0) > 0) & (left > 0))
    marks = frozen(curve[missed])
    names = tuple(f"M = {int(made[k])}" for k in missed) if len(missed) <= MARKED else ()
    layers = [
        Polyline(bound, Role.MARGIN, tag="bound"),
        Polyline(curve, Role.BOUNDARY, tag="bits"),
        Points(marks, np.full(len(marks), -1), Role.DIFFERENCE, label=names, tag="mistakes"),
    ]
    if np.isfinite(bits[-1]):
        here = (f"{counted(int(left[-1]), 'hypothesis', 'hypotheses')}",)
        role = Role.ACTIVE if step.line in ("strike", "stop") else Role.SAMPLE
        layers.append(Points(frozen(curve[-1:]), np.array([-1]), role, label=here, tag="bits"))
    across = (-0.02 * len(given.stream), max(1.0, ROOM * len(given.stream)))
    up = (-0.1 * top - 0.1, 1.15 * top + 0.1)
    return Plot(
        "Bits left: log₂ |V| ≤ log₂ |H| − M",
        "examples",
        "log₂ |V|",
        tuple(layers),
        beside=True,
        x_range=across,
        y_range=up,
    )
