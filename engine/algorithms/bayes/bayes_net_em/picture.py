"""The network with its tables, and of the variable looked at what a row expects, the expected
counts and the chances.
"""

from engine.algorithms.bayes.bayes_net_em import Setting, State
from engine.algorithms.bayes.parts.learning import likeliest, telling
from engine.algorithms.bayes.parts.learning_picture import (
    heading,
    learning_scene,
    listed_values,
    place_of,
)
from engine.authoring import Float, Step
from engine.base.notation import counted, fixed
from engine.scene.scene import Scene

TABLES = ("expect", "set")  # lines about one table after the other


def scene(given: Setting, step: Step[State]) -> Scene:
    numbers = spoken_of(given, step)
    before = step.details.get("before") if numbers else None
    case = case_of(step, numbers)
    said = of_table(given, step, case) if step.line in TABLES else heading(given, step)
    return learning_scene(
        given, step.state, numbers, case, before, said=said, old=not_yet_set(step)
    )


def not_yet_set(step: Step[State]) -> range:
    """The variables whose chances are still those of the last round while this one sets tables."""
    s = step.state
    if step.line not in TABLES:
        return range(0)
    return range(s.current + (step.line == "set"), len(s.tables))


def of_table(given: Setting, step: Step[State], case: int) -> str:
    """What a step does to the row `case` of a table, with the numbers."""
    s = step.state
    x = s.current
    N, w = s.counts[x][case], s.tables[x][case]
    where = place_of(given, x, s.parents[x], case)
    if step.line == "expect":
        said = f"expected counts, {where}"
        numbers = listed_values(N, 1)
        return f"{said}: {numbers} of {counted(given.problem.n, 'row')}" if numbers else said
    whole = float(N.sum())
    if whole == 0:
        return f"{where}: no row, its chances stay"
    said = f"counts → chances, {where}"
    if len(w) != 2:
        return said
    return f"{said}: {fixed(float(N[0]), 1)} / {fixed(whole, 1)} = {fixed(float(w[0]), 3)}"


def case_of(step: Step[State], numbers: dict[str, Float]) -> int:
    """The row of the table that a step is about, −1 for none."""
    if not numbers:
        return -1
    first = next(iter(numbers.values()))
    if step.line == "row":
        return likeliest(first)[0]
    return telling(step.state.counts[step.state.current])


def spoken_of(given: Setting, step: Step[State]) -> dict[str, Float]:
    """{title: numbers (rows, values)} for the table that a step is about, the most informative
    first.
    """
    s = step.state
    x = s.current
    if x < 0:
        return {}
    if step.line == "row":
        ways, _, shares = given.of_row(s.tables, s.row)
        return {"Entries: row's share": given.counted(x, ways, shares), "Chances": s.tables[x]}
    if step.line == "expect":
        return {"Entries: counts": s.counts[x], "Chances": s.tables[x]}
    return {"Entries: chances": s.tables[x], "Counts": s.counts[x]}
