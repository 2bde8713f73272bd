"""The variables on a ring with their tables, the arcs and those that are tried; counts of the
variable looked at.
"""

from engine.algorithms.bayes.k2_search import Setting, State
from engine.algorithms.bayes.parts.figures import network, table_matrix
from engine.authoring import Step
from engine.scene.scene import Role, Scene, data_table


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    x = step.state.current
    tried = [(z, x) for z in step.details["candidates"]] if step.line == "try" else []
    graph = network(given, s.parents, s.tables, x, tried=tried)
    if step.line == "found":  # of the last variable: the counts stay beside the network to the end
        x = given.order[-1]
    elif x < 0:
        return Scene((), (graph, data_table(given.problem)), leads=("Network",))
    own = s.parents[x]
    if step.line == "try" and s.tried >= 0:
        own = (*own, s.tried)
    title = f"Counts of {given.variables[x].title}"
    roles = {given.variables[v].name: Role.ACTIVE for v in (x, *own)}
    counts = table_matrix(given, x, own, given.counts(x, own).astype(float), title)
    table = data_table(given.problem, roles=roles)
    return Scene((), (graph, counts, table), leads=("Network", "Counts"))
