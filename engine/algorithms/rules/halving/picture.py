"""All hypotheses as a grid out of which they are struck, the votes at every input, log₂ of what is
left beside the mistakes.
"""

from engine.algorithms.rules.halving import Setting, State, predict
from engine.algorithms.rules.halving.spaces import ANY, RECTANGLES
from engine.algorithms.rules.halving.words import name
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
from engine.core.notation import cut
from engine.core.tags import joined
from engine.numerics.boolean import squares
from engine.pictures import boolean
from engine.pictures.boolean import map_figures
from engine.pictures.karnaugh import inputs

CELLS = 2500  # of the grid: more cannot be told apart
NAMED = 100  # cells that have room for a name
INSET = 0.12
OUTLINED = 400  # rectangles on the plane


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state

    def classes(values: Float) -> Int:
        return predict(given, s, values)

    unseen = given.stream[s.seen + (step.line in ("take", "vote", "truth")) :]
    whole = given.H.kind == RECTANGLES
    told: list[Figure] = [
        path(given, s),
        votes(given, step),
        *(() if whole else map_figures(problem, [], classes)),
    ]
    if given.H.kind == "unbiased":  # what is said of the inputs that no example has comes first
        told = [*told[1:], told[0]]
    if given.H.size <= CELLS and not whole:
        told = [grid(given, step), *told]
    told.append(stream_table(problem, unseen, s.current))
    if whole:
        plane = box_scene(
            problem, predict(given, s, problem.X), s.current, rectangles(given, s), told
        )
        return replace(plane, leads=("Plane", "Bits left"))
    return boolean.scene(problem, classes, tuple(told))


def rectangles(given: Setting, s: State) -> list[Layer]:
    """Those that are left, once they are few."""
    if len(s.left) > OUTLINED:
        return []
    sides = np.stack(given.H.sides(s.left), axis=1).astype(np.float64) + given.H.low  # (left, d, 2)
    boxes = on_plane(given.problem, [(one[:, 0], one[:, 1]) for one in sides])
    return [outline(boxes, Role.INACTIVE if len(boxes) > 1 else Role.ACCEPTED, "hypotheses")]


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    if given.H.kind != RECTANGLES:
        return squares(given.problem, grid, lambda X: predict(given, s, X))
    return (
        predict(given, s, given.problem.from_plane(grid.points()))
        .reshape(grid.shape)
        .astype(np.float64)
    )


FIELDS = {"class": class_surface}


def places(given: Setting) -> tuple[Int, Int, int, int]:
    """(x, y, wide, high) where each hypothesis stands, rows counted from the top."""
    H = given.H
    h = np.arange(given.H.size)
    if H.kind == "conjunctions":
        wide = 3 ** ((H.d + 1) // 2)
        high = 3 ** (H.d // 2)
        x = h // high
        y = h % high
        x[-1], y[-1] = 0, high  # the one that never holds, below the others
        return x, y, wide, high + 1
    wide = int(np.ceil(np.sqrt(H.size)))
    return h % wide, h // wide, wide, -(-H.size // wide)


def grid(given: Setting, step: Step[State]) -> Plot:
    """Every hypothesis in the colour of what it says of this example; those left, those struck now,
    those struck before.
    """
    s = step.state
    x, y, wide, high = places(given)
    now = s.before & ~s.version_space
    group = np.full(given.H.size, -1)
    if s.current >= 0:
        group = np.where(given.H.says(given.X[[s.current]], np.arange(given.H.size))[0], 0, 1)
    top = high - y
    bounds = np.column_stack([x + INSET, top - 1 + INSET, x + 1 - INSET, top - INSET]).astype(
        np.float64
    )
    tags = tuple(joined("hypotheses", f"h {k}") for k in range(given.H.size))
    layers: list[Layer] = []
    gone = ~s.before & (given.H.size <= NAMED)  # of very many only the strokes are left
    for which, role in (
        (s.version_space, Role.ACCEPTED),
        (now, Role.ACTIVE),
        (gone, Role.REJECTED),
    ):
        rows = np.flatnonzero(which)
        shown = group[rows] if role is not Role.REJECTED else np.full(len(rows), -1)
        layers.append(
            Boxes(
                frozen(bounds[rows]),
                shown,
                role,
                tag="hypotheses",
                tags=tuple(tags[k] for k in rows),
            )
        )
    crossed = bounds[now | ~s.before]
    ends = np.stack([crossed[:, [0, 1]], crossed[:, [2, 3]]], axis=1).reshape(-1, 2, 2)
    layers.append(Segments(frozen(ends), Role.INACTIVE, tag="hypotheses"))
    layers.append(edge(given, wide, high))
    if given.H.size <= NAMED and given.H.kind in ("unbiased", "columns"):
        middle = np.column_stack([x + 0.5, top - 0.5])
        layers.append(
            Labels(
                frozen(middle),
                tuple(short_name(given, k) for k in range(given.H.size)),
                tag="hypotheses",
            )
        )
    titles = [feature.title for feature in given.problem.features]
    half = (given.H.d + 1) // 2
    names = (
        (" ".join(titles[:half]), " ".join(titles[half:]))
        if given.H.kind == "conjunctions"
        else ("", "")
    )
    if given.H.kind == "unbiased":
        names = ("values at " + " ".join(f"{c:0{given.H.d}b}" for c in range(1 << given.H.d)), "")
    title = f"Hypotheses: {len(s.left)} of {given.H.size} left"
    return Plot(
        title,
        *names,
        tuple(layers),
        beside=True,
        ticks=False,
        x_range=(-1.0, wide + 0.2),
        y_range=(-0.2, high + 0.8),
    )


def short_name(given: Setting, k: int) -> str:
    """What has room in a cell: the values of a function, or the name of a column."""
    if given.H.kind == "columns":
        return cut(name(given, k), 7)
    return "".join(str(k >> c & 1) for c in range(1 << given.H.d))


def edge(given: Setting, wide: int, high: int) -> Labels:
    """Above and left of the grid of conjunctions, what they ask of the columns; nothing where they
    are too many to be read.
    """
    across = (given.H.d + 1) // 2
    if given.H.kind != "conjunctions" or wide > 9:
        return Labels(frozen(np.zeros((0, 2))), ())
    asked = given.H.ternary
    rows = high - 1
    xy = [(k + 0.5, high + 0.4) for k in range(wide)]
    xy += [*((-0.5, high - 0.5 - k) for k in range(rows)), (1.6, 0.5)]
    texts = [sign(asked[k * rows, :across]) for k in range(wide)]
    texts += [sign(asked[k, across:]) for k in range(rows)] + ["False"]
    return Labels(frozen(np.array(xy)), tuple(texts), tag="hypotheses")


def sign(asked: Int) -> str:
    return "".join("?" if v == ANY else str(v) for v in asked.tolist())


def votes(given: Setting, step: Step[State]) -> Bars:
    """The share of the hypotheses left that say yes at every input; of many columns the votes at
    this example.
    """
    s = step.state
    problem = given.problem
    asked = s.before if step.line in ("vote", "truth", "take") else s.version_space
    left = np.flatnonzero(asked)
    shown = np.arange(0)
    if problem.d <= 4 and given.H.kind in ("conjunctions", "unbiased"):
        X = inputs(problem.d) if problem.d > 1 else np.array([[0.0], [1.0]])
        names = tuple("".join(str(int(v)) for v in row) for row in X)
        share = given.H.votes(X, left) / max(1, len(left))
        here = np.flatnonzero((given.X[s.current] == X).all(1)) if s.current >= 0 else shown
        roles = tuple(Role.ACTIVE if k in here else Role.PLAIN for k in range(len(X)))
        tags = tuple(joined("votes", f"cell {k}") for k in range(len(X)))
        return Bars(
            f"Votes for {problem.class_text(0)}",
            names,
            frozen(share),
            roles,
            limit=0.5,
            unit="share of V",
            tag="votes",
            tags=tags,
        )
    yes = int(given.H.votes(given.X[[s.current]], left)[0]) if s.current >= 0 else 0
    counts = np.array([yes, len(left) - yes if s.current >= 0 else 0], np.float64)
    texts = tuple(problem.class_text(code) for code in (0, 1))
    return Bars(
        "Votes",
        texts,
        frozen(counts),
        group=np.arange(2),
        digits=0,
        unit="hypotheses",
        tag="votes",
        tags=("votes", "votes"),
    )


def path(given: Setting, s: State) -> Plot:
    """log₂ |V| after every example so far, and how far it may be after so many mistakes: each costs
    at least 1.
    """
    left, made = np.array([(given.H.size, 0), *s.trail], np.float64).T
    x = np.arange(len(left), dtype=np.float64)
    top = given.H.bits
    bits = np.where(left > 0, np.log2(np.maximum(left, 1)), np.nan)
    missed = np.flatnonzero((np.diff(made, prepend=0) > 0) & (left > 0))
    marks = frozen(np.column_stack([x, bits])[missed])
    begun = s.seen > 0  # at the start both curves are the same point
    layers = (
        Polyline(
            frozen(np.column_stack([x, top - made])),
            Role.MARGIN,
            label="log₂ |H| − M" * begun,
            tag="bound",
        ),
        Polyline(
            frozen(np.column_stack([x, bits])), Role.ACTIVE, label="log₂ |V|" * begun, tag="bits"
        ),
        Points(marks, np.full(len(marks), -1), Role.REJECTED, tag="mistakes"),
    )
    across = (0.0, max(1.0, 1.4 * s.seen))
    up = (-0.1 * top - 0.1, 1.15 * top + 0.1)
    return Plot("Bits left", "examples", "log₂ |V|", layers, x_range=across, y_range=up)
