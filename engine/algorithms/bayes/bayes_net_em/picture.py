"""The network with its tables, and of the variable looked at what a row expects, the expected
counts and the chances.
"""

from engine.algorithms.bayes.bayes_net_em import Setting, State
from engine.algorithms.bayes.parts.learning import likeliest, telling
from engine.algorithms.bayes.parts.learning_picture import heading, learning_scene
from engine.authoring import Float, Step
from engine.scene.scene import Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    numbers = spoken_of(given, step)
    before = step.details.get("before") if numbers else None
    case, said = case_of(step, numbers), heading(given, step)
    return learning_scene(given, step.state, numbers, case, before, said=said)


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
