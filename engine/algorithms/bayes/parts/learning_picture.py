"""The picture of a network whose tables are learnt: the network, and beside it the numbers of the
table that a step is about.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.algorithms.bayes.parts.figures import network, table_matrix
from engine.algorithms.bayes.parts.learning import Learning
from engine.algorithms.bayes.parts.network_cards import (
    Column,
    family_cards,
    fits_cards,
    network_cards,
    values_of,
)
from engine.authoring import Float, Step, replace
from engine.base.notation import cut, fixed, number, telling_digits
from engine.scene.scene import Figure, Role, Scene, data_table

# titles of sums over rows, with two digits; other numbers are chances, with three
CHANCES = "Entries: chances"
NAMED = 18  # letters of a variable in a heading
MOST_VALUES = 3  # of a variable whose numbers stand in a heading
SUMS = ("Entries: counts", "Counts", "Entries: gradient", "Gradient")


def learning_scene(
    given: Learning[Any],
    s: Any,
    numbers: Mapping[str, Float],
    case: int,
    before: Float | None = None,
    beside: Mapping[str, Column] | None = None,
    said: str = "",
    old: Sequence[int] = (),
) -> Scene:
    """The network, the numbers of the table of the variable looked at, and the examples.

    numbers: {title: (rows, values)}, first those that the step is about; case: the row of them to
    highlight, −1 for none; before: the chances of that table before this step; beside: {name:
    column} that stand beside them on the card, in place of the expected counts; said: of the step,
    in the title of the network; old: variables whose chances are still those of the last round
    """
    x = s.current
    lit = (x, *s.parents[x]) if x >= 0 else ()
    roles = {given.variables[v].name: Role.ACTIVE for v in lit}
    current = (s.row,) if s.row >= 0 else ()
    table = data_table(given.problem, current=current, tag="current", roles=roles)
    shown = beside_chances(s, numbers, beside or {}) if x >= 0 else {}
    about = "" if CHANCES in [*numbers][:1] else next(iter(shown), "")
    graph: Figure
    if fits_cards(s.parents):
        graph = network_cards(
            given, s.parents, s.tables, x, case, given.hidden, shown, before, about, old
        )
    elif x >= 0:
        graph = family_cards(
            given, s.parents, s.tables, x, case, given.hidden, shown, before, about, old
        )
    else:
        graph = network(given, s.parents, s.tables, hidden=given.hidden)
    if said:
        graph = replace(graph, title=f"Network: {said}")
    if not numbers:
        return Scene((), (graph, table), leads=("Network",))
    name = given.variables[x].title
    matrices = [
        table_matrix(
            given, x, s.parents[x], values, f"{title} of {name}", case, 2 if title in SUMS else 3
        )
        for title, values in numbers.items()
    ]
    return Scene((), (graph, *matrices, table), leads=("Network",))


def heading(given: Learning[Any], step: Step[Any]) -> str:
    """What a step is about that no table shows: the start, a round, a row; "" for other steps."""
    s = step.state
    if step.line == "start":
        first = "even chances" if given.p.start == "even" else "chances drawn"
        return f"{first} to begin with, ln P(D) {fixed(s.log_likelihood)}"
    if step.line == "round":
        return f"round {s.round} begins"
    if step.line == "row":
        return f"what {cut(given.problem.names[s.row])} counts as"
    if step.line != "until":
        return ""
    before = step.details["before"]
    digits = telling_digits(before, s.log_likelihood)
    now = f"{number(before, digits)} → {number(s.log_likelihood, digits)}"
    return f"{'settled ' * ('settled' in step.events)}after round {s.round}, ln P(D) {now}"


def place_of(given: Learning[Any], x: int, parents: Sequence[int], case: int) -> str:
    """Variable x and the values of its parents in a row of its table: "ForestFire, no/no"."""
    name = cut(given.variables[x].title, NAMED)
    return ", ".join([name, *["/".join(values_of(given, parents, case))] * bool(parents)])


def listed_values(values: Float, digits: int) -> str:
    """The numbers (k,) of a row of a table, of many values none: "3.0 : 82.0"."""
    if len(values) > MOST_VALUES:
        return ""
    return " : ".join(fixed(float(v), digits) for v in values)


def beside_chances(
    s: Any, numbers: Mapping[str, Float], beside: Mapping[str, Column]
) -> dict[str, Column]:
    """{name: column} of what the card of the current variable shows beside its chances: what the
    step is about, and `beside`; else the counts that are expected.
    """
    found: dict[str, Column] = {}
    for title, values in numbers.items():
        name = title.removeprefix("Entries: ").lower()
        if name != "chances":
            found[name] = values
    found |= beside
    return found or {"counts": s.counts[s.current]}
