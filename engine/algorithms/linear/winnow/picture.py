"""The line, the weights with what was done to them, the printed table. MMDS Figs 12.7 and 12.9."""

from collections.abc import Iterable
from itertools import compress
from typing import Any

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import lines, weight_tags
from engine.algorithms.linear.winnow import Setting, State
from engine.algorithms.linear.winnow.words import readable
from engine.authoring import Step, np, replace, short
from engine.core.notation import MINUS, value_text
from engine.core.scene import (
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
from engine.core.sums import add_up
from engine.pictures.text_columns import text_column

FEW = 8  # columns up to which the table shows every weight


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(step.state)
    changed = [
        f.name for f, a, b in zip(problem.features, s.before, s.powers, strict=False) if a != b
    ]
    examples = data_table(
        problem, current=current, roles=dict.fromkeys(changed, Role.ACTIVE), tag="current"
    )
    figures: tuple[Figure, ...] = (
        weight_bars(given, s),
        *([visit_table(given, s)] if s.visits else []),
        examples,
    )
    beneath = [Field("class")], lines(given, step, ("double", "halve"))
    return plane_scene(
        problem, s, given.predict(s, problem.X), figures, *beneath, place=problem.d == 2
    )


def weight_bars(given: Setting, s: State) -> Bars:
    """Doubled and halved columns in amber, with × and ÷ at their names."""
    kept = slice(None) if given.learned else slice(0, given.problem.d)
    change = (s.powers - s.before)[kept]
    by = short(given.p.factor)
    marks = {1: f" × {by}", -1: f" ÷ {by}", 0: ""}
    return Bars(
        "Weights w" + ("" if given.learned else f", θ = {short(s.theta)}"),
        tuple(name + marks[int(c)] for name, c in zip(given.names[kept], change, strict=True)),
        given.floats(s.powers)[kept],
        tuple(Role.ACTIVE if c else Role.PLAIN for c in change),
        given.floats(s.before)[kept],
        tag="w",
        beside=True,
        tags=weight_tags(given)[kept],
    )


def visit_table(given: Setting, s: State) -> Table:
    """Fig 12.7: every example as it was looked at; the weights are written only where
    they changed.
    """
    problem = given.problem
    exact = {powers.tobytes(): given.exact(powers) for _, powers, _ in s.visits}
    rows = [i for i, _, _ in s.visits]
    then = [exact[powers.tobytes()] for _, powers, _ in s.visits]
    after = [() if powers is None else given.exact(powers) for _, _, powers in s.visits]
    on = [compress(w, problem.X[i] > 0) for i, w in zip(rows, then, strict=True)]

    def column(title: str, values: Iterable[Any], role: Role = Role.PLAIN) -> TableColumn:
        return text_column(
            title, [v if isinstance(v, str) else value_text(readable(v)) for v in values], role
        )

    columns = [
        column("x", (problem.names[i] for i in rows)),
        column("y", ("+" if problem.codes[i] == 0 else MINUS for i in rows)),
        column("w·x", (add_up(active, 0 * then[0][-1]) for active in on)),
        *([column("θ", (w[-1] for w in then))] if given.learned else []),
        column("OK?", ("no" if w else "yes" for w in after), Role.BOUNDARY),
    ]
    titles = [f.title for f in problem.features] + ["θ after"] * given.learned
    for j, title in enumerate(titles if problem.d <= FEW else ()):
        role = Role.ACTIVE if s.powers[j] != s.before[j] else Role.PLAIN
        weights = column(title, (w[j] if w else "" for w in after), role)
        columns.append(replace(weights, tag=weight_tags(given)[j]))
    names = tuple(f"visit {s.visited - len(rows) + k + 1}" for k in range(len(rows)))
    active = (len(rows) - 1,) if s.current >= 0 else ()
    wrong = np.array([bool(w) for w in after])
    return Table(
        "Visits",
        tuple(columns),
        names,
        problem.codes[rows],
        wrong,
        active,
        tag="w",
        tags=problem.tags_of(rows),
    )
