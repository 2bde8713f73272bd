"""A tree that grows: its boxes, the node looked at, the line that cuts it."""

from engine.algorithms.instances.kd_tree import Setting, State
from engine.algorithms.instances.parts.kd import plane_boxes
from engine.algorithms.instances.parts.kd_picture import (
    NAMED,
    box_layer,
    cut_segment,
    figure_of,
    grid_layers,
)
from engine.authoring import Problem, Step, np
from engine.base.notation import counted
from engine.scene.scene import Layer, Points, Role, Scene, Table, data_points, data_table


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    here = [s.node] if s.node >= 0 else []
    way = s.tree.way_to(s.node) if here else []
    tree = figure_of(problem, s.tree, s.decided, way, dict.fromkeys(here, Role.ACTIVE))
    figures = (tree, rows_table(problem, s))
    if not problem.plane:
        return Scene((), figures)
    bounds = plane_boxes(s.tree, problem.plane)
    layers = [*grid_layers(problem, s.tree, bounds, s.decided), data_points(problem)]
    if here:
        layers += leaf_points(problem, s)  # beneath the box, which is often no larger
        layers.append(box_layer(bounds, np.array(here), Role.ACTIVE, "current"))
    if not np.isnan(s.point):  # it cuts, or may
        role = Role.ACTIVE if step.line == "split" else Role.CANDIDATE
        layers += cut_segment(problem, bounds[s.node], s.axis, s.point, role)
    return Scene(tuple(layers), figures, plane=plane_title(s, step.line))


def plane_title(s: State, line: str) -> str:
    """How many examples the present node has, at a split on either side."""
    if s.node < 0:
        return "The examples"
    tree = s.tree
    count = counted(len(tree.rows(s.node)), "example")
    if line != "split":
        return f"The node: {count}"
    left, right = (len(tree.rows(int(side[s.node]))) for side in (tree.left, tree.right))
    return f"The node: {count}, {left} left, {right} right"


def leaf_points(problem: Problem, s: State) -> list[Layer]:
    """The examples of a new leaf, named where there are few; [] for other nodes."""
    rows = s.tree.rows(s.node)
    if s.node >= s.decided or not s.tree.leaf(s.node) or len(rows) > NAMED:
        return []
    points = Points(
        problem.xy[rows],
        problem.codes[rows],
        Role.POINT,
        label=tuple(problem.names[i] for i in rows),
        tag="current",
        tags=problem.tags_of(rows),
    )
    return [points]


def rows_table(problem: Problem, s: State) -> Table:
    """The examples, those of the present node active, and the tested column highlighted."""
    roles = {problem.features[s.axis].name: Role.ACTIVE} if s.axis >= 0 else {}
    active = np.isin(np.arange(problem.n), s.tree.rows(s.node)) if s.node >= 0 else None
    return data_table(problem, roles=roles, active=active)
