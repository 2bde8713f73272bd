"""The network with its tables, and of the variable looked at what a row expects, the counts, the
gradient or the chances.
"""

from engine.algorithms.bayes.bayes_net_gradient import Setting, State
from engine.algorithms.bayes.parts.learning import likeliest, telling
from engine.algorithms.bayes.parts.learning_picture import (
    heading,
    learning_scene,
    listed_values,
    place_of,
)
from engine.authoring import Float, Step
from engine.base.notation import fixed
from engine.scene.scene import Scene

TABLES = ("gradient", "move", "normalise")  # lines about one table after the other


def scene(given: Setting, step: Step[State]) -> Scene:
    numbers = spoken_of(given, step)
    before = step.details.get("before", step.details.get("moved")) if numbers else None
    beside = beside_chances(given, step) if numbers else {}
    case = case_of(step, numbers)
    said = of_table(given, step, case) if step.line in TABLES else heading(given, step)
    old = not_yet_moved(step)
    return learning_scene(given, step.state, numbers, case, before, beside, said, old)


def not_yet_moved(step: Step[State]) -> range:
    """The variables whose chances are still those of the last round while this one moves them."""
    s = step.state
    if step.line not in TABLES:
        return range(0)
    return range(s.current + (step.line != "gradient"), len(s.tables))


def of_table(given: Setting, step: Step[State], case: int) -> str:
    """What a step does to a table, for the gradient with the numbers of its row `case`."""
    s = step.state
    x = s.current
    where = place_of(given, x, s.parents[x], case)
    if step.line == "move":
        return f"moved uphill, {where}"
    if step.line == "normalise":
        left = given.p.renormalise == "not at all"
        return f"{'left as it is' if left else 'adding up to 1 again'}, {where}"
    numbers = listed_values(step.details["g"][case], 1)
    return f"gradient, {where}{': ' * bool(numbers)}{numbers}"


def beside_chances(given: Setting, step: Step[State]) -> dict[str, tuple[str, ...]]:
    """{name: a text for each row} of the table of now, where a step changes what its rows add up
    to: the sum after a move; the sum before and after the renormalisation, and what is taken off.
    """
    now = step.state.tables[step.state.current]
    if step.line == "move":
        return {"sum": tuple(written_sum(row) for row in now)}
    if step.line != "normalise":
        return {}
    was = step.details["moved"]
    sums = zip(was.sum(axis=1).tolist(), now.sum(axis=1).tolist(), strict=True)
    columns = {"sum": tuple(f"{fixed(old, 3)} → {fixed(new, 3)}" for old, new in sums)}
    if given.p.renormalise == "nearest":
        lost = (was - now).max(axis=1)
        columns["taken off"] = tuple(fixed(float(off), 4) for off in lost)
    return columns


def written_sum(chances: Float) -> str:
    """The sum of a row, of two chances with both of them: 0.972 + 0.058 = 1.030."""
    total = fixed(float(chances.sum()), 3)
    if len(chances) > 2:
        return total
    return " + ".join(fixed(float(w), 3) for w in chances) + f" = {total}"


def case_of(step: Step[State], numbers: dict[str, Float]) -> int:
    """The row of the table that a step is about, −1 for none."""
    if not numbers:
        return -1
    first = next(iter(numbers.values()))
    if step.line == "row":
        return likeliest(first)[0]
    return telling(step.details.get("g", step.details.get("moved", first)))


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
    if step.line == "gradient":
        return {
            "Entries: gradient": step.details["g"],
            "Counts": s.counts[x],
            "Chances": s.tables[x],
        }
    if step.line == "move":
        return {"Entries: chances": s.tables[x], "Gradient": step.details["g"]}
    return {"Entries: chances": s.tables[x]}
