"""The network with its tables, and of the variable looked at what a row expects, the counts, the
gradient or the chances.
"""

from engine.algorithms.bayes.bayes_net_gradient import Setting, State
from engine.algorithms.bayes.parts.figures import network, table_matrix
from engine.algorithms.bayes.parts.learning import likeliest, telling
from engine.authoring import Float, Step
from engine.scene.scene import Matrix, Role, Scene, data_table


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    x = step.state.current
    lit = (x, *s.parents[x]) if x >= 0 else ()
    roles = {given.variables[v].name: Role.ACTIVE for v in lit}
    current = (s.row,) if s.row >= 0 else ()
    table = data_table(given.problem, current=current, tag="current", roles=roles)
    numbers = spoken_of(given, step)
    case = case_of(step, numbers)
    graph = network(given, s.parents, s.tables, x, case, hidden=given.hidden)
    if not numbers:
        return Scene((), (graph, table), leads=("Network",))
    beside = [matrix(given, s, title, values, case) for title, values in numbers.items()]
    return Scene((), (graph, *beside, table), leads=("Network", "Entries"))


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


def matrix(given: Setting, s: State, title: str, values: Float, case: int) -> Matrix:
    """A matrix figure of numbers (rows, values) of the table that a step is about. case: the row to
    highlight, −1 for none
    """
    name = given.variables[s.current].title
    digits = 2 if title in ("Entries: gradient", "Gradient", "Counts") else 3
    return table_matrix(
        given, s.current, s.parents[s.current], values, f"{title} of {name}", case, digits
    )
