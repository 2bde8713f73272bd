"""The street, who pays and how much, the steps so far as the text lists them.

MMDS Figs 12.16-12.20.
"""

from engine.algorithms.linear.hinge_descent import Setting, State
from engine.algorithms.linear.hinge_descent.words import conditions
from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import (
    descent_title,
    moved_line,
    separator,
    under,
    weight_bars,
)
from engine.authoring import Bool, Float, Iterator, Lazy, Problem, Sequence, Step, np, replace
from engine.base.notation import fixed, subscript
from engine.numerics.linear import plane_line
from engine.scene.figures import text_column
from engine.scene.hinge import hinge_plot
from engine.scene.margins import margin_lines
from engine.scene.scene import (
    Arrows,
    Field,
    Figure,
    Layer,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_table,
    looked_at,
    plane_scene,
)
from engine.table.dataset import Feature, Kind

FEW = 4  # weights up to which every contribution has a column
LISTED = 300  # lines of the table of steps
PULL = 0.09  # length of the arrow of a pull, of the extent of the data
MARKED = 1000  # bad examples up to which rings and arrows can be told apart
NAMED = 8  # bad examples up to which the penalty is written beside the arrow


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    pays = step.line not in ("slope", "update")  # what each pays is said where they are counted
    beneath = (
        [Field("class")],
        street(given, s),
        moved_line(given, step, ("update",)),
        next_line(given, step),
        bad_rings(given, step),
        penalty_arrows(given, s) if pays else pull_arrows(given, step),
        mini_batch(given, step),
    )
    title = heading(given, step)
    made = plane_scene(
        problem, s, given.predict(s, problem.X), figures(given, s, step.line, title), *beneath
    )
    return replace(made, plane=title)


def heading(given: Setting, step: Step[State]) -> str:
    """The number of this step with f, before and after it; where they are counted the bad
    examples, and that the slope is looked at.
    """
    s = step.state
    before = None
    if step.line == "update":
        before = float(given.metrics_of(s.before)["f"])
    title = descent_title(step, "f =", s.f, before)
    if step.line == "slope":
        return title.partition(":")[0] + ": the slope of f"
    short = f", {int(s.bad.sum())} of {len(given.rows)} short of the margin"
    return title + short * (step.line in ("start", "bad"))


def street(given: Setting, s: State) -> Iterator[Layer]:
    """The lines of the parts, numbered, the present line and both margins."""
    for part, draft in enumerate(s.drafts, 1):
        yield replace(separator(given, draft, Role.CANDIDATE, "draft"), label=str(part))
    yield from margin_lines(given.problem, s.weights, s.b)[:2]


def bad_rings(given: Setting, step: Step[State]) -> Iterator[Layer]:
    """Rings around the examples whose condition fails, unless they are too many; in amber where
    they are found.
    """
    problem = given.problem
    s = step.state
    role = Role.NEAREST if step.line == "bad" and s.current < 0 else Role.NEIGHBOUR
    rows = np.flatnonzero(given.penalties(s.weights, s.bad))
    if problem.plane and 0 < len(rows) <= MARKED:
        tags = problem.tags_of(rows)
        yield Points(problem.xy[rows], problem.codes[rows], role, tag="bad", tags=tags)


def next_line(given: Setting, step: Step[State]) -> Iterator[Layer]:
    """The line to which the slope leads, dashed."""
    s = step.state
    if step.line == "slope" and not s.drafts:
        after = given.stepped(s).weights
        if np.isfinite(after).all():
            yield separator(given, after, Role.CANDIDATE, "draft")


def mini_batch(given: Setting, step: Step[State]) -> Iterator[Layer]:
    """The examples of a mini-batch, which this step looks at."""
    few = step.details.get("few")
    problem = given.problem
    if few is not None and problem.plane:
        tags = problem.tags_of(few.tolist())
        yield Points(problem.xy[few], problem.codes[few], Role.ACTIVE, tags=tags)


def penalty_arrows(given: Setting, s: State) -> Iterator[Layer]:
    """An arrow to each bad example from the margin of its class, penalty / |w| long, where the
    plane shows all columns. MMDS Fig 12.16.
    """
    problem = given.problem
    penalties = given.penalties(s.weights, s.bad)
    rows = np.flatnonzero(penalties)
    w, _ = plane_line(problem, s.weights, 0.0)
    size = float(w @ w)
    shown = set(problem.plane) == set(range(problem.d))
    if not 0 < len(rows) <= MARKED or size < 1e-300 or not shown:
        return
    away = (problem.sign[rows] * penalties[rows])[:, None] * (w / size)
    texts = tuple(fixed(v) for v in penalties[rows]) if len(rows) <= NAMED else ()
    tags = problem.tags_of(rows)
    yield Arrows(
        problem.xy[rows] + away, problem.xy[rows], Role.PLAIN, texts, tag="penalty", tags=tags
    )


def pull_arrows(given: Setting, step: Step[State]) -> Iterator[Layer]:
    """Where the slope is looked at, for each bad example an arrow on the line the way it pulls it,
    all of one length, and a thin line from the example to its foot.
    """
    problem, s = given.problem, step.state
    rows = np.flatnonzero(given.penalties(s.weights, s.bad))
    if looked_at(s):  # one example makes the step
        rows = np.intersect1d(rows, looked_at(s))
    elif step.details.get("few") is not None:
        rows = np.intersect1d(rows, step.details["few"])
    w, b = plane_line(problem, s.weights, given.bias(s.weights))
    size = float(np.hypot(*w))
    shown = set(problem.plane) == set(range(problem.d))
    known = shown and 1e-150 < size < np.inf
    if step.line != "slope" or not known or not 0 < len(rows) <= MARKED:
        return
    low, high, _ = problem.bounds
    unit = w / size
    xy = problem.xy[rows]
    feet = xy - ((xy @ w + b) / size)[:, None] * unit
    reach = PULL * (float((high - low).max()) or 1.0)
    tips = feet - problem.sign[rows][:, None] * reach * unit
    tags = problem.tags_of(rows)
    yield Segments(np.stack([xy, feet], axis=1), Role.SAME, tag="pull", tags=tags)
    yield Arrows(feet, tips, Role.ACTIVE, tag="pull", tags=tags)


def figures(given: Setting, s: State, line: str, title: str) -> tuple[Figure, ...]:
    """The table of conditions, the table of steps, the hinge, and bars of the weights where there
    are many.
    """
    bars = [weight_bars(given, s, under("Weights w, b", title))] if given.problem.d > FEW else []
    steps = [step_table(given, s, line)] if len(s.lines) or s.current < 0 else []
    hinge = hinge_plot(given.problem, given.z(s.weights), looked_at(s))
    return (*bars, condition_table(given, s), *steps, *hinge)


def condition_table(given: Setting, s: State) -> Table:
    """The examples with z, condition, penalty, and what each bad one adds to the gradient (−y x).
    Fig 12.19.
    """
    columns = [
        _numbers("y(w·x+b)", given.z(s.weights)),
        TableColumn(
            Feature("≥ 1", Kind.CATEGORICAL, ("o", "x")), s.bad.astype(np.float64), Role.ACTIVE
        ),
        _numbers("penalty", given.penalties(s.weights, s.bad)),
    ]
    if given.problem.d < FEW:
        added = (-given.sign[:, None] * given.X).T
        columns += [
            _numbers(f"−y·{name}", part)
            for name, part in zip((*given.names[:-1], "1"), added, strict=True)
        ]
    rest = data_table(
        given.problem, title="Conditions", active=s.bad, current=looked_at(s), tag="penalty"
    )
    return replace(rest, columns=(*columns, *rest.columns))


def step_table(given: Setting, s: State, line: str) -> Table:
    """The table of steps: weights, conditions and gradient of each, the present one last. Fig
    12.20.
    """
    lines = [*s.lines[max(0, len(s.lines) - LISTED) :]]
    known = line == "slope" and not s.drafts and s.current < 0
    lines.append((s.weights, s.bad, s.slope if known else np.full(len(s.weights), np.nan)))
    names = tuple(f"({k})" for k in range(len(s.lines) - len(lines) + 2, len(s.lines) + 2))
    columns = Lazy(lambda: step_columns(given.problem, *zip(*lines, strict=True)))
    return Table("Steps", columns, names, current=(len(names) - 1,), tag="w")


def step_columns(
    problem: Problem, W: Sequence[Float], bad: Sequence[Bool], slopes: Sequence[Float]
) -> list[TableColumn]:
    marks = text_column("o/x", [conditions(problem, fails) for fails in bad])
    names = [*(f"w{subscript(j + 1)}" for j in range(problem.d)), "b"] if problem.d <= FEW else []
    texts = [["" if v != v else fixed(v, 3) for v in part] for part in np.array(slopes).T.tolist()]
    weights = [_numbers(name, w) for name, w in zip(names, np.array(W).T, strict=False)]
    return [
        *weights,
        marks,
        *(text_column(f"∂f/∂{name}", part) for name, part in zip(names, texts, strict=False)),
    ]


def _numbers(title: str, values: Float) -> TableColumn:
    return TableColumn(Feature(title), values, digits=3)
