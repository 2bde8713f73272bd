"""The variables on a ring with their tables, the arcs and those that are tried; beside it what one
more parent of the variable looked at would win, and its counts; in the end ln g of each variable.
"""

from engine.algorithms.bayes.k2_search import Setting, State
from engine.algorithms.bayes.parts.figures import network, table_matrix
from engine.algorithms.bayes.parts.score import LARGEST
from engine.authoring import Step, np, replace
from engine.base.notation import counted, fixed, number, telling_digits
from engine.scene.scene import Arrows, Bars, Layer, Plot, Role, Scene, data_table

NONE = "no parent more"
MOST = 24  # candidates with a bar


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    x = step.state.current
    tried = [(z, x) for z in step.details["candidates"]] if step.line == "try" else []
    best = (s.tried, x) if step.line == "try" and s.tried >= 0 else None
    graph = network(given, s.parents, s.tables, x, tried=tried, best=best)
    if given.order == tuple(range(len(given.variables))):
        graph = replace(graph, title="Network: parents come earlier, clockwise")
    if step.line == "found":
        scores = score_bars(given, s)
        title = f"Network: found, {counted(len(s.edges), 'arc')}, ln g {fixed(s.score)}"
        figures = (replace(graph, title=title), scores, data_table(given.problem))
        return Scene((), figures, leads=("Network", "Scores"))
    if step.line == "start":
        graph = replace(graph, title=f"Network: no arcs, ln g {fixed(s.score)}")
    if step.line == "add":
        graph = new_arc(graph, step)
    if x < 0:
        return Scene((), (graph, data_table(given.problem)), leads=("Network",))
    own = s.parents[x]
    bars = candidate_bars(given, step, x)
    if step.line == "try" and s.tried >= 0:
        own = (*own, s.tried)
    title = f"Counts of {given.variables[x].title}"
    roles = {given.variables[v].name: Role.ACTIVE for v in (x, *own)}
    counts = table_matrix(given, x, own, given.counts(x, own).astype(float), title)
    table = data_table(given.problem, roles=roles)
    return Scene((), (graph, bars, counts, table), leads=("Network", "Candidates"))


def new_arc(graph: Plot, step: Step[State]) -> Plot:
    """The network with the arc that was just added alone in amber, and ln g in its title."""
    s = step.state
    layers: list[Layer] = []
    for one in graph.layers:
        if isinstance(one, Arrows) and one.role is Role.ACTIVE:  # the newest parent is the last
            last = np.arange(one.size) == one.size - 1
            old = replace(one.only(~last, one.tag), role=Role.PLAIN, tags=one.tags[:-1])
            new = replace(one.only(last, one.tag), tags=one.tags[-1:])
            layers += (old, new) if old.size else (new,)
        else:
            layers.append(one)
    before = step.details["before"]
    digits = telling_digits(before, s.score)
    title = f"Network: arc added, ln g {number(before, digits)} → {number(s.score, digits)}"
    return replace(graph, layers=tuple(layers), title=title)


def score_bars(given: Setting, s: State) -> Bars:
    """Bars of ln g of every variable with its parents, which add up to that of the network."""
    variables = range(len(given.variables))
    return Bars(
        f"Scores: ln g of each variable with its parents, together {fixed(s.score)}",
        tuple(given.variables[x].title for x in variables),
        np.array([given.score(x, s.parents[x]) for x in variables]),
        tags=tuple(given.variables[x].tag for x in variables),
        beside=True,
    )


def candidate_bars(given: Setting, step: Step[State], x: int) -> Bars:
    """What each variable before x would win as its next parent, in ln g; at the step that adds one,
    what it and the others would have won.
    """
    s = step.state
    own = s.parents[x]
    chosen = s.tried if step.line in ("try", "add") else -1
    if step.line == "add":
        own = own[:-1]
    before = given.order[: given.order.index(x)]
    rows = [z for z in before if z not in own and given.cases((*own, z)) <= LARGEST][:MOST]
    now = given.score(x, own)
    values = [given.score(x, (*own, z)) - now for z in rows]
    decided = step.line in ("try", "add", "keep")
    roles = [Role.ACTIVE if z == chosen else Role.PLAIN for z in rows]
    last = Role.ACTIVE if decided and chosen < 0 else Role.PLAIN
    names = [f"+ {given.variables[z].title}" for z in rows]
    name = given.variables[x].title
    title = f"Candidates: what one more parent of {name} wins, ln g"
    if "full" in step.events:
        title = f"Candidates: {name} has {counted(len(own), 'parent')}, more are not allowed"
    return Bars(
        title,
        (*names, NONE),
        np.array([*values, 0.0]),
        (*roles, last),
        tags=tuple(given.variables[z].tag for z in (*rows, x)),
        beside=True,
    )
