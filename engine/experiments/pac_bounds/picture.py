"""The chain of the proof, one curve after the other over the examples; what the runs counted; the
last run on the plane.
"""

from engine.authoring import (
    Boxes,
    Figure,
    Labels,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Step,
    Table,
    TableColumn,
    data_points,
    data_table,
    frozen,
    np,
    number,
)
from engine.base.notation import counted
from engine.base.tags import joined
from engine.experiments.pac_bounds import MOST, Setting, State, chain
from engine.experiments.parts.chance import MOST_ROWS, tens
from engine.scene.figures import text_column
from engine.table.dataset import Feature

CHAIN = ("one", "many", "union", "all", "exp", "solve")
NOTHING = "above 1 a bound says nothing"
ABOVE = 1.0  # powers of ten above 1 from which this is said
LOW = -3.0  # powers of ten that are shown
BELOW = 0.4  # and so many more below them


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: tuple[Figure, ...] = (chance(given, step), sizes(given))
    drawn = np.unique(s.drawn if s.drawn is not None else np.zeros(0, np.intp))
    if not problem.plane:
        table = data_table(problem, current=tuple(drawn.tolist()), tag="drawn")
        return Scene((), (*figures, table), leads=("Chance",))
    if given.H is None:
        return Scene((data_points(problem),), figures, leads=("Chance",))
    leads = ("Plane", "Chance")
    if s.h < 0:
        return Scene((data_points(problem),), figures, leads=leads)
    truth = np.where(given.says[s.c], 0, 1)
    taken = np.where(given.says[s.h], 0, 1)
    xy = problem.xy[:MOST_ROWS]
    tags = problem.row_tags[:MOST_ROWS]
    layers: list[Layer] = []
    if given.H.on_plane:
        box = np.array([-1])
        layers = [
            Boxes(given.H.bounds(s.c)[None], box, Role.MARGIN, tag="concept"),
            Boxes(given.H.bounds(s.h)[None], box, Role.BOUNDARY, tag="h"),
        ]
    layers.append(Points(xy, truth, Role.POINT, taken, tag="data", tags=tags))
    layers.append(Points(xy[drawn], np.full(len(drawn), -1), Role.NEIGHBOUR, tag="drawn"))
    title = "The last run: h fits the ringed examples"
    return Scene(tuple(layers), figures, leads=leads, plane=title)


def chance(given: Setting, step: Step[State]) -> Plot:
    """A plot of the chance of failure over m, in powers of ten: each line of the proof so far, at
    the end what was counted.
    """
    come = len(CHAIN)  # lines of the proof so far
    if step.line == "start":
        come = 0
    elif step.line in CHAIN:
        come = CHAIN.index(step.line) + 1
    top = max(0.5, 1.08 * given.log / np.log(10))  # the same at every step
    layers = [*frame(given, top), *curves(given, step.line, CHAIN[:come])]
    if come == len(CHAIN):
        layers += solution(given, step.line == "solve")
    if step.state.runs:
        layers.append(counted_share(step.state))
    name = "Chance of a bad one that fits"
    if given.agnostic:
        gap = "the factor 1 + γ" if given.p.learner == "relative" else "ε"
        name = f"Chance of one that looks better by {gap}"
    return Plot(
        f"{name}: {title(given, step)}",
        "examples m",
        "chance",
        tuple(layers),
        beside=True,
        x_range=(-0.03 * given.m, 1.45 * given.m),
        y_range=(LOW - BELOW, top),
        y_ticks=tens(LOW, top),
    )


def title(given: Setting, step: Step[State]) -> str:
    """What the line of the proof says, or how often it happened in the runs."""
    s = step.state
    if step.line == "done" and s.runs:
        return f"taken in {s.failed} of {counted(s.runs, 'run')}"
    return {
        "start": "it shall be δ at most",
        "one": "after one example",
        "many": "after m examples",
        "union": "of any of k bad ones",
        "all": "k is at most |H|",
        "solve": f"at most δ from m = {given.m:,} on",
    }.get(step.line, "it shall be δ at most" if given.agnostic else "1 − ε ≤ e^(−ε)")


def frame(given: Setting, top: float) -> list[Layer]:
    """The level δ that the bound has to reach, and the part above 1, where it says nothing."""
    level = float(np.log10(given.p.delta))
    across = np.array([[[-np.inf, level], [np.inf, level]]])
    name = np.array([[1.3 * given.m, level + 0.03 * (top - LOW)]])
    made: list[Layer] = [
        Segments(across, Role.GHOST, tag="wanted"),
        Labels(name, (f"δ = {given.p.delta:g}",), tag="wanted"),
    ]
    if top >= ABOVE:
        bounds = np.array([[-np.inf, 0.0, np.inf, np.inf]])
        place = np.array([[0.95 * given.m, 0.55 * top]])
        made.append(Boxes(bounds, np.array([-1]), Role.SAME, tag="empty"))
        made.append(Labels(place, (NOTHING,), Role.GHOST, tag="empty"))
    return made


def curves(given: Setting, line: str, come: tuple[str, ...]) -> list[Layer]:
    """A curve for each line of the proof so far, the newest in amber."""
    m = np.linspace(0, 1.25 * given.m, 200)
    layers: list[Layer] = []
    if come == ("one",):
        first = np.array([[1.0, chain(given, np.ones(1))["many"][0] / np.log(10)]])
        survives = (f"one h, one example: {number(10 ** float(first[0, 1]))} at most",)
        layers.append(Points(first, np.array([-1]), Role.ACTIVE, label=survives, tag="chain"))
    for name, logs in chain(given, m).items():
        if name not in come or (name == "union" and come[-1] != "union"):
            continue
        if name == "all" and given.agnostic and "exp" in come:
            continue  # nothing is made looser: both curves are one
        role = Role.BOUNDARY if name == "exp" else Role.MARGIN
        if name == line:
            role = Role.ACTIVE
        xy = np.column_stack([m, logs / np.log(10)])[logs >= LOW * np.log(10)]
        if name == "many" and line != "many":
            xy = xy[::-1]  # later its name stands at its start, the others' at their ends
        named = name in ("many", "exp", line)
        label = label_of(given, name) if named else ""
        layers.append(Polyline(frozen(xy), role, label=label, tag=joined(name, "chain")))
    return layers


def label_of(given: Setting, line: str) -> str:
    """The formula that labels the curve of a line of the proof."""
    one, looser = {
        "consistent": ("(1 − ε)ᵐ", "e^(−ε m)"),
        "agnostic": ("e^(−2ε²m)", "e^(−2ε²m)"),
        "relative": ("e^(−εg²m/2)", "e^(−εg²m/2)"),
    }[given.p.learner]
    return {
        "many": f"one h: {one}",
        "union": f"k bad ones: k {one}",
        "all": f"all of H: |H| {one}",
        "exp": f"|H| {looser}",
    }[line]


def solution(given: Setting, now: bool) -> list[Layer]:
    """An upright line at m, where the bound falls below δ.

    m is named at the left of the line, below δ, where no curve is
    """
    level = float(np.log10(given.p.delta))
    up = np.array([[[given.m, -np.inf], [given.m, level]]])
    place = np.array([[0.8 * given.m, (level + LOW - BELOW) / 2]])
    return [
        Segments(up, Role.ACTIVE if now else Role.MARGIN, tag="chain"),
        Labels(place, (f"enough: m = {given.m:,}",), tag="chain"),
    ]


def counted_share(s: State) -> Polyline:
    """The share of runs in which a bad hypothesis was left, over the number of examples, as a
    curve.
    """
    logs = np.where(s.left > 0, np.log10(np.maximum(s.left, 1) / s.runs), np.nan)
    xy = np.column_stack([np.arange(len(logs)), logs])[: MOST + 1]
    return Polyline(frozen(xy), Role.PLAIN, label="counted", tag="counted")


def power(count: float) -> str:
    """A count in digits, a large one as a power of 2."""
    return f"{count:.0f}" if count < 1e6 else f"2^{np.log2(count):.0f}"


def sizes(given: Setting) -> Table:
    """A table of |H| and of the examples that suffice, for conjunctions and for all functions of 1
    to 6 columns.
    """
    n = np.arange(1, 7)
    columns: list[TableColumn] = [TableColumn(Feature("columns n"), n.astype(np.float64))]
    for title, count in (("conjunctions 3ⁿ", 3.0**n), ("functions 2^2ⁿ", 2.0 ** (2.0**n))):
        logs = np.log(count).tolist()
        m = [given.enough(log) for log in logs]
        columns.append(text_column(title, [power(c) for c in count.tolist()]))
        columns.append(TableColumn(Feature(f"m for {title.split()[0]}"), np.array(m, np.float64)))
    here = tuple(np.flatnonzero(n == given.n).tolist())
    return Table(
        "Sizes of H",
        tuple(columns),
        tuple(map(str, n)),
        current=here,
        numbers=tuple(n.tolist()),
        tag="sizes",
    )
