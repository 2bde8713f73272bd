"""The chain of the proof, one curve after the other over the examples; what the runs counted; the
last run on the plane.
"""

from engine.authoring import (
    Boxes,
    Figure,
    Float,
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
)
from engine.core.dataset import Feature
from engine.core.tags import joined
from engine.experiments.pac_bounds import MOST, Setting, State
from engine.experiments.parts.sizes import enough
from engine.experiments.parts.chance import MOST_ROWS, tens

CHAIN = ("one", "many", "union", "all", "exp", "solve")
LOW = -3.0  # powers of ten that are shown


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: tuple[Figure, ...] = (chance(given, step), sizes(given))
    if not problem.plane:
        shown = () if s.drawn is None else tuple(np.unique(s.drawn).tolist())
        return Scene(
            (),
            (*figures, data_table(problem, current=shown, tag="drawn")),
            leads=("Chance", "Sizes"),
        )
    if given.H is None or s.h < 0:
        leads = ("Chance", "Sizes") if given.H is None else ("Plane", "Chance")
        return Scene((data_points(problem),), figures, leads=leads)
    truth, taken = (np.where(given.says[k], 0, 1) for k in (s.c, s.h))
    xy = problem.xy[:MOST_ROWS]
    drawn = np.unique(s.drawn if s.drawn is not None else np.zeros(0, np.intp))
    layers: list[Layer] = []
    if given.H.on_plane:
        layers = [
            Boxes(given.H.bounds(s.c)[None], np.array([-1]), Role.MARGIN, tag="concept"),
            Boxes(given.H.bounds(s.h)[None], np.array([-1]), Role.BOUNDARY, tag="h"),
        ]
    layers.append(
        Points(xy, truth, Role.POINT, taken, tag="data", tags=problem.row_tags[:MOST_ROWS])
    )
    layers.append(Points(xy[drawn], np.full(len(drawn), -1), Role.NEIGHBOUR, tag="drawn"))
    return Scene(tuple(layers), figures, leads=("Plane", "Chance"))


def chance(given: Setting, step: Step[State]) -> Plot:
    """In powers of ten, as far as the proof has come; at the end beside what was counted."""
    p = given.p
    s = step.state
    agnostic = given.p.learner == "agnostic"
    m = np.linspace(0, 1.25 * given.m, 200)
    fall, exponent = (
        [-2 * p.epsilon**2] * 2 if agnostic else (float(np.log1p(-p.epsilon)), -p.epsilon)
    )
    lines: dict[str, tuple[Float, str]] = {
        "many": (fall * m, "e^(−2ε²m)" if agnostic else "(1 − ε)ᵐ"),
        "union": (given.log / 2 + fall * m, "k times"),
        "all": (given.log + fall * m, "|H| times"),
        "exp": (given.log + exponent * m, "|H| e^(−2ε²m)" if agnostic else "|H| e^(−ε m)"),
    }
    come = (
        CHAIN.index(step.line) if step.line in CHAIN else -1 if step.line == "start" else len(CHAIN)
    )
    top = max(0.5, 1.08 * given.log / np.log(10)) if come >= CHAIN.index("union") else 0.5
    layers: list[Layer] = []
    if come == 0:
        first = np.array([[0.0, 0.0], [1.0, fall / np.log(10)]])
        layers.append(Points(first, np.array([-1, -1]), Role.ACTIVE, tag="chain"))
    for tag, (logs, label) in lines.items():
        if CHAIN.index(tag) <= come and not (come > CHAIN.index("union") and tag == "union"):
            role = (
                Role.ACTIVE if tag == step.line else Role.BOUNDARY if tag == "exp" else Role.MARGIN
            )
            xy = np.column_stack([m, logs / np.log(10)])[logs >= LOW * np.log(10)]
            # its name stands at its start, the others' at their ends
            xy = xy[::-1] if tag == "many" else xy
            named = tag in ("many", "exp", step.line)
            layers.append(Polyline(frozen(xy), role, label=label * named, tag=joined(tag, "chain")))
    if come >= CHAIN.index("solve"):
        level = float(np.log10(p.delta))
        across, up = np.array(
            [[[-np.inf, level], [np.inf, level]], [[given.m, -np.inf], [given.m, level]]]
        )[:, None]
        layers.append(Segments(across, Role.GHOST, (f"δ = {p.delta:g}",), tag="chain"))
        layers.append(Segments(up, Role.ACTIVE, tag="chain"))
        layers.append(
            Labels(np.array([[1.18 * given.m, LOW + 0.3]]), (f"m = {given.m:,}",), tag="chain")
        )
    if s.runs:
        counts = np.where(s.left > 0, np.log10(np.maximum(s.left, 1) / s.runs), np.nan)
        xy = np.column_stack([np.arange(len(counts)), counts])[: MOST + 1]
        layers.append(Polyline(frozen(xy), Role.PLAIN, label="counted", tag="counted"))
    title = (
        "Chance of a bad one that fits" if not agnostic else "Chance of one that looks better by ε"
    )
    return Plot(
        title,
        "examples m",
        "chance",
        tuple(layers),
        beside=True,
        x_range=(0.0, 1.45 * given.m),
        y_range=(LOW - 0.4, top),
        y_ticks=tens(LOW, top),
    )


def sizes(given: Setting) -> Table:
    """|H| of conjunctions and of all functions of n columns, and how many examples are enough."""
    n = np.arange(1, 7)
    agnostic = given.p.learner == "agnostic"
    columns: list[TableColumn] = [TableColumn(Feature("columns n"), n.astype(np.float64))]
    for title, count in (("conjunctions 3ⁿ", 3.0**n), ("functions 2^2ⁿ", 2.0 ** (2.0**n))):
        m = [enough(v, given.p.epsilon, given.p.delta, agnostic) for v in np.log(count).tolist()]
        columns.append(TableColumn(Feature(title), np.asarray(count, np.float64), digits=0))
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
