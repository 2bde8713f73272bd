"""The street, who pays and how much, the steps so far as the text lists them. MMDS Figs 12.16-12.20."""

from engine.algorithms.linear.hinge_descent import State, predict
from engine.algorithms.linear.hinge_descent.loss import Setting
from engine.algorithms.linear.hinge_descent.words import conditions
from engine.algorithms.linear.parts import class_surface, score_surface
from engine.authoring import Float, Step, np, replace
from engine.core.dataset import Feature, Kind
from engine.core.notation import fixed, subscript
from engine.core.scene import (
    Bars, Field, Figure, Layer, Role, Scene, Table, TableColumn, active_point, data_points,
)  # fmt: skip
from engine.pictures.linear import penalty_arrows, separator
from engine.pictures.margins import margin_lines
from engine.pictures.text_columns import text_column

FEW = 4  # weights up to which every contribution has a column
LISTED = 300  # lines of the table of steps
FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    beside = figures(given, s, step.line)
    if not problem.plane:
        return Scene((), beside)
    shown = predict(given, s, problem.X)
    layers: list[Layer] = [Field("class")]
    layers += [separator(problem, s.before, float(s.before[-1]), Role.GHOST, "before")] if step.line == "update" else []
    drafts = (separator(problem, draft, float(draft[-1]), Role.CANDIDATE, "draft") for draft in s.drafts)
    layers += [replace(line, label=str(part)) for part, line in enumerate(drafts, 1)]
    layers += [*margin_lines(problem, s.weights, s.b)[:2], separator(problem, s.weights, s.b)]
    layers += [*penalty_arrows(problem, s.weights, given.f.penalties(s.weights, s.bad)), data_points(problem, shown)]
    layers += [active_point(problem, s.current, shown)] if s.current >= 0 else []
    return Scene(tuple(layers), beside)


def figures(given: Setting, s: State, line: str) -> tuple[Figure, ...]:
    """Who reaches his margin; the steps so far as the text lists them; the weights when they are many."""
    shown: list[Figure] = [condition_table(given, s)]
    if len(s.lines) or s.current < 0:
        shown.append(step_table(given, s, line))
    if given.problem.d > FEW:
        shown.insert(0, Bars("Weights w, b", given.names, s.weights, before=s.before, tag="w"))
    return tuple(shown)


def condition_table(given: Setting, s: State) -> Table:
    """Fig 12.19: z, the condition, the penalty, and what it adds to the slope
    while it is bad, −y x for each weight."""
    problem, f = given.problem, given.f
    z, penalty = f.z(s.weights), f.penalties(s.weights, s.bad)
    columns = [
        _numbers("y(w·x+b)", z),
        TableColumn(Feature("≥ 1", Kind.CATEGORICAL, ("o", "x")), s.bad.astype(np.float64), Role.ACTIVE),
        _numbers("penalty", penalty),
    ]
    if problem.d < FEW:
        parts = -f.y[:, None] * f.X
        columns += [_numbers(f"−y·{name}", parts[:, j]) for j, name in enumerate((*given.names[:-1], "1"))]
    columns += [TableColumn(feature, problem.X[:, j]) for j, feature in enumerate(problem.features)]
    if problem.target is not None:
        columns.append(TableColumn(problem.target, np.where(problem.codes < 0, np.nan, problem.codes), Role.BOUNDARY))
    current = (s.current,) if s.current >= 0 else ()
    told = problem.names, problem.codes, s.bad, current
    return Table("Conditions", tuple(columns), *told, tag="penalty", numbers=problem.numbers)


def step_table(given: Setting, s: State, line: str) -> Table:
    """Fig 12.20: the weights, the conditions and the slope of every step; the present line last."""
    problem, lines = given.problem, list(s.lines[max(0, len(s.lines) - LISTED) :])
    known = line == "slope" and not s.drafts and s.current < 0
    lines.append((s.weights, s.bad, s.slope if known else np.full(len(s.weights), np.nan)))
    called = (*(f"w{subscript(j + 1)}" for j in range(problem.d)), "b")
    W, slopes = np.array([w for w, _, _ in lines]), np.array([slope for _, _, slope in lines])
    columns = [_numbers(name, W[:, j]) for j, name in enumerate(called) if problem.d <= FEW]
    columns.append(text_column("o/x", [conditions(problem, bad) for _, bad, _ in lines]))
    for j, name in enumerate(called if problem.d <= FEW else ()):
        columns.append(text_column(f"∂f/∂{name}", ["" if np.isnan(v) else fixed(v, 3) for v in slopes[:, j]]))
    first = len(s.lines) - len(lines) + 2
    last = len(lines) - 1
    return Table("Steps", tuple(columns), tuple(f"({first + k})" for k in range(len(lines))), current=(last,), tag="w")


def _numbers(title: str, values: Float) -> TableColumn:
    return TableColumn(Feature(title), values, digits=3)
