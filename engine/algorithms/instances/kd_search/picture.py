"""A search: boxes it has been in, boxes it has left out, the ball that decides, the tree."""

from engine.algorithms.instances.kd_search import Setting, State
from engine.algorithms.instances.parts import best_table, comparable
from engine.algorithms.instances.parts.best import near_lines, result, telling, verdict
from engine.algorithms.instances.parts.kd import under
from engine.algorithms.instances.parts.kd_picture import (
    MOST_NODES,
    box_layer,
    cut_segment,
    figure_of,
    whole_grid,
)
from engine.authoring import Float, Operand, Problem, Step, np, number, replace
from engine.base.notation import telling_digits
from engine.scene.scene import (
    Arrows,
    Circles,
    Layer,
    Points,
    Role,
    Scene,
    Table,
    Tree,
    data_points,
    data_table,
)


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    best = best_table(problem, s, "best")
    if step.line in ("look", "keep"):  # also where no plane says it
        best = replace(best, title=f"Best: {verdict(problem, step)}")
    figures = (
        tree_figure(given, s, step.line),
        best,
        examined_table(problem, s),
    )
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = [data_points(problem)]
    if problem.all_on_plane:
        layers = [*boxes(problem, s, step.line), *layers]
    query = problem.to_plane(s.query[None])
    former = step.details["before"].radius if step.line == "keep" else np.inf
    if problem.all_on_plane and former < np.inf:
        layers.append(Circles(query, np.array([former]), Role.GHOST, tag="former"))
    if problem.all_on_plane and 0 < s.radius < np.inf:  # all places as near as the k-th best
        layers.append(Circles(query, np.array([s.radius]), Role.BALL, tag="ball", tags=("radius",)))
    if step.line != "build":
        layers += near_lines(problem, step)
        layers.append(Points(query, np.array([-1]), Role.QUERY, label=("?",), tag="query"))
    equal = problem.all_on_plane and comparable(problem)
    return Scene(tuple(layers), figures, equal, plane=plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """What the step does, with the numbers that decide."""
    s, line = step.state, step.line
    if line == "build":
        return "The boxes of the tree"
    if line == "descend":
        return "On the way down"
    if line in ("prune", "other"):
        does = "left out" if line == "prune" else "searched too"
        return f"The other side is {does}: {compared(s, short=True)}"
    if line in ("look", "keep"):
        return verdict(given.problem, step)
    if line == "answer" and len(s.neighbours):
        return result(given.problem, s)
    return "The examples and the query"


def boxes(problem: Problem, s: State, line: str) -> list[Layer]:
    """All boxes of the tree, by role: pruned, visited leaves, the present node; where the search
    goes down its dividing line, where one is compared with the ball that line and the way to it.
    """
    bounds, grid = whole_grid(problem, s.tree)
    pruned = np.array(s.pruned, np.intp)
    visited = np.array([v for v in s.visited if s.tree.leaf(v)], np.intp)
    layers = [
        *grid,
        box_layer(bounds, pruned, Role.DIFFERENCE, "pruned"),
        box_layer(bounds, visited, Role.ACCEPTED, "visited"),
    ]
    if s.node >= 0:
        layers.append(box_layer(bounds, np.array([s.node]), Role.ACTIVE, "current"))
    if line in ("prune", "other"):
        layers += gap_layers(problem, s, bounds)
    if line == "descend":
        column, point = int(s.tree.axis[s.node]), float(s.tree.split[s.node])
        far = np.array([s.tree.sides(s.node, s.query)[1]])
        layers.append(box_layer(bounds, far, Role.CANDIDATE, "waits", ("waits",)))
        layers += cut_segment(problem, bounds[s.node], column, point, Role.ACTIVE)
    return layers


def gap_layers(problem: Problem, s: State, bounds: Float) -> list[Layer]:
    """The dividing line, and the perpendicular from the query to it."""
    parent = int(s.tree.parent[s.node])
    column = int(s.tree.axis[parent])
    point = float(s.tree.split[parent])
    foot = s.query.copy()
    foot[column] = point
    start = problem.to_plane(s.query[None])
    end = problem.to_plane(foot[None])
    cut = cut_segment(problem, bounds[parent], column, point, Role.ACTIVE)
    return [*cut, Arrows(start, end, Role.ACTIVE, (number(s.gap),), tag="gap", measure=True)]


def tree_figure(given: Setting, s: State, line: str) -> Tree:
    """The tree with the visited and the pruned nodes highlighted; where a side is left out its line
    is at work, with its distance and that of the k-th best; where the search goes down, the side
    that it takes is on the way, the other one waits.
    """
    tree, problem = s.tree, given.problem
    roles = dict.fromkeys(s.visited, Role.NEAREST)
    for v in s.pruned:
        if tree.size <= MOST_NODES:
            roles |= dict.fromkeys(np.flatnonzero(under(tree, v)).tolist(), Role.INACTIVE)
        roles[v] = Role.REJECTED
    ended = s.node < 0 and len(s.neighbours) > 0  # then where the nearest was found is lit
    here = tree.leaf_with(int(s.neighbours[0])) if ended else s.node
    few = tree.size <= MOST_NODES
    notes = {v: note_of(given, s, v) for v in s.visited} if few else {}
    if line in ("prune", "other"):
        above = int(tree.parent[s.node])
        notes[above] = f"to the line {compared(s)}"
        here = above if line == "prune" else here
    if line == "descend":
        near, far = tree.sides(s.node, s.query)
        roles[near] = Role.NEAREST
        notes |= {near: "next", far: "waits"}
    way = tree.way_to(here if line != "prune" else s.node) if here >= 0 else []
    if here >= 0:
        roles[here] = Role.ACTIVE
    return figure_of(problem, tree, tree.size, way, roles, notes)


def note_of(given: Setting, s: State, node: int) -> str:
    """What the search found at a node that it visited: the query's value in the column of its
    test, the distance of the nearest of its examples.
    """
    if s.tree.leaf(node):
        if node == s.node and s.looked < 0:
            return "how far?"
        return f"distance {number(float(given.distances(s.tree.rows(node)).min()))}"
    return f"? has {number(float(s.query[s.tree.axis[node]]))}"


def compared(s: State, short: bool = False) -> str:
    """The distance of the dividing line beside that of the k-th best, as text; short: with few
    decimals and without words.
    """
    digits = telling(s, s.gap)
    if short:
        digits = 2 if s.as_far(s.gap) else telling_digits(s.gap, s.radius)
    gap = Operand(s.gap, digits=digits).text()
    if not s.full:
        return gap
    sign = "=" if s.as_far(s.gap) else ">" if s.gap > s.radius else "<"
    kth = Operand(s.radius, digits=digits).text()
    return f"{gap} {sign} {kth}" if short else f"{gap} {sign} k-th best {kth}"


def examined_table(problem: Problem, s: State) -> Table:
    """The examples; those below a pruned node are pale."""
    active = np.ones(problem.n, dtype=bool)
    for v in s.pruned:
        active[s.tree.rows(v)] = False
    return data_table(problem, active=active, current=(s.looked,) if s.looked >= 0 else ())
