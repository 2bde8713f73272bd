"""The line, the weights with what was done to them, the printed table. MMDS Figs 12.7 and 12.9."""

from fractions import Fraction
from itertools import compress

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import lines, weight_tags
from engine.algorithms.linear.winnow import Setting, State
from engine.algorithms.linear.winnow.words import readable
from engine.authoring import Sequence, Step, np, replace, short
from engine.base.notation import MINUS, value_text
from engine.base.sums import add_up
from engine.scene.figures import text_column
from engine.scene.scene import (
    Bars,
    Field,
    Figure,
    Role,
    Scene,
    Table,
    TableColumn,
    data_table,
    looked_at,
    plane_scene,
)

FEW = 8  # columns up to which the table shows every weight


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    changed = (s.powers != s.before)[: problem.d]
    amber = {problem.features[j].name: Role.ACTIVE for j in np.flatnonzero(changed)}
    examples = data_table(problem, current=looked_at(s), roles=amber, tag="current")
    visits = (visit_table(given, s),) if s.visits else ()
    figures: tuple[Figure, ...] = (weight_bars(given, s), *visits, examples)
    shown = given.predict(s, problem.X)
    line = lines(given, step, ("double", "halve"))
    return plane_scene(problem, s, shown, figures, [Field("class")], line, place=problem.d == 2)


def weight_bars(given: Setting, s: State) -> Bars:
    """Bars of the weights; doubled and halved ones in amber with × and ÷ at their names. A fixed θ
    has no bar.
    """
    kept = slice(None) if given.learned else slice(0, given.problem.d)
    change = (s.powers - s.before)[kept].tolist()
    by = short(given.p.factor)
    marks = {1: f" × {by}", -1: f" ÷ {by}", 0: ""}
    return Bars(
        "Weights w" if given.learned else f"Weights w, θ = {short(s.theta)}",
        tuple(name + marks[c] for name, c in zip(given.names[kept], change, strict=True)),
        given.floats(s.powers)[kept],
        tuple(Role.ACTIVE if c else Role.PLAIN for c in change),
        given.floats(s.before)[kept],
        tag="w",
        beside=True,
        ticks="before this step",
        tags=weight_tags(given)[kept],
    )


def visit_table(given: Setting, s: State) -> Table:
    """The table of visits as in Fig 12.7; weights are written only where they changed."""
    problem = given.problem
    exact = {powers.tobytes(): given.exact(powers) for _, powers, _ in s.visits}
    rows = [i for i, _, _ in s.visits]
    then = [exact[powers.tobytes()] for _, powers, _ in s.visits]
    after = [() if powers is None else given.exact(powers) for _, _, powers in s.visits]
    scores = [
        add_up(compress(weights, problem.X[i] > 0), Fraction(0))
        for i, weights in zip(rows, then, strict=True)
    ]
    columns = [
        text_column("x", [problem.names[i] for i in rows]),
        text_column("y", ["+" if problem.codes[i] == 0 else MINUS for i in rows]),
        text_column("w·x", [fraction_text(score) for score in scores]),
    ]
    if given.learned:
        columns.append(text_column("θ", [fraction_text(weights[-1]) for weights in then]))
    right = ["no" if weights else "yes" for weights in after]
    columns.append(text_column("OK?", right, Role.BOUNDARY))
    if problem.d <= FEW:
        columns += changed_weights(given, s, after)
    first = s.visited - len(rows) + 1
    return Table(
        "Visits",
        tuple(columns),
        tuple(f"visit {first + k}" for k in range(len(rows))),
        problem.codes[rows],
        np.array([bool(weights) for weights in after]),
        (len(rows) - 1,) if s.current >= 0 else (),
        tag="w",
        tags=problem.tags_of(rows),
    )


def changed_weights(
    given: Setting, s: State, after: Sequence[tuple[Fraction, ...]]
) -> list[TableColumn]:
    """A column for each weight, and a learned θ, with its value after each visit; empty where a
    visit changed nothing.
    """
    titles = [feature.title for feature in given.problem.features]
    if given.learned:
        titles.append("θ after")
    columns = []
    for j, title in enumerate(titles):
        texts = [fraction_text(weights[j]) if weights else "" for weights in after]
        role = Role.ACTIVE if s.powers[j] != s.before[j] else Role.PLAIN
        columns.append(replace(text_column(title, texts, role), tag=weight_tags(given)[j]))
    return columns


def fraction_text(value: Fraction) -> str:
    """The value as text, a fraction where that is readable."""
    return value_text(readable(value))
