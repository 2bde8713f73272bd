"""The tree of inputs that costs any learner as many mistakes as it is deep, the class as a table,
and the four bounds.
"""

from engine.authoring import (
    Bars,
    Figure,
    Matrix,
    Role,
    Scene,
    Step,
    Tree,
    TreeNode,
    data_points,
    frozen,
    np,
)
from engine.base.tags import joined
from engine.experiments.mistake_bounds import Setting, State

DEEP = 4  # levels of the tree that can be read
LISTED = 32  # concepts in the table
SIGNS = ("−", "+")


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures: tuple[Figure, ...] = (tree(given, s), bounds(given, s))
    leads = ("Mistake tree", "Bounds")
    if len(given.C.names) <= LISTED:
        figures = (tree(given, s), table(given, s), bounds(given, s))
        leads = ("Mistake tree", "Class")
    points = (data_points(given.problem),) if given.problem.plane else ()
    return Scene(points, figures, leads=leads)


def tree(given: Setting, s: State) -> Tree:
    """The optimal mistake tree: both labels are possible at every inner node, so any answer can be
    denied. The path of this game is highlighted.
    """
    if s.opt < 0:
        left = TreeNode(-1, "", f"{s.left} left", "open", role=Role.ACTIVE, tag="V")
        return Tree("Mistake tree", (left,))
    nodes: list[TreeNode] = []
    grow(given, s, nodes, V=given.C.all, parent=-1, branch="", opt=s.opt, level=0, way=0)
    return Tree(f"Mistake tree: {s.opt} deep", tuple(nodes))


def grow(
    given: Setting,
    s: State,
    nodes: list[TreeNode],
    V: int,
    parent: int,
    branch: str,
    opt: int,
    level: int,
    way: int,
) -> None:
    """Adds the node of V and all below it.

    opt: mistakes that are still to come, which are shown; way: how many answers of the path lead to
    this node, −1 when they leave before
    """
    role = Role.PLAIN if way >= 0 else Role.INACTIVE
    tag = "path"
    if way == len(s.path):
        role = Role.ACTIVE
        tag = "V"
    count = V.bit_count()
    if opt == 0 or level == DEEP:
        text = given.C.names[V.bit_length() - 1] if count == 1 else f"{count} left"
        kind = "leaf" if opt == 0 else "open"
        nodes.append(TreeNode(parent, branch, text, kind, role=role, tag=tag))
        return
    x, no, yes = given.worst(V)
    here = len(nodes)
    text = f"{given.C.inputs[x]}?"
    nodes.append(TreeNode(parent, branch, text, note=f"{count}, Opt {opt}", role=role, tag=tag))
    for label, part in enumerate((no, yes)):
        goes_on = 0 <= way < len(s.path) and s.path[way] == (x, label)
        grow(
            given,
            s,
            nodes,
            V=part,
            parent=here,
            branch=SIGNS[label],
            opt=min(opt - 1, given.best[part]),
            level=level + 1,
            way=way + 1 if goes_on else -1,
        )


def table(given: Setting, s: State) -> Matrix:
    """A matrix of concepts by inputs, 1 where a concept says +; consistent ones are amber in the
    column of this step's input.
    """
    C = given.C
    fits = [bool(s.V >> k & 1) for k in range(len(C.names))]
    rows = tuple(name if fit else f"× {name}" for name, fit in zip(C.names, fits, strict=True))
    active = tuple((k, s.x) for k, fit in enumerate(fits) if fit and s.x >= 0)
    return Matrix(
        "Class: concepts by inputs",
        rows,
        C.inputs,
        frozen(C.says.astype(np.float64)),
        active,
        digits=0,
        x_label="input",
        row_tags=tuple("V" if fit else "path" for fit in fits),
        column_tags=("path",) * len(C.inputs),
    )


def bounds(given: Setting, s: State) -> Bars:
    """Bars of what is known so far of VC ≤ Opt ≤ M_Halving ≤ log₂ |C|."""
    known = [
        ("VC(C)", s.vc, "vc"),
        ("mistakes so far", s.mistakes, "path"),
        ("Opt(C)", s.opt, "opt"),
        ("M of HALVING", s.halving, "halving"),
    ]
    bars = [(name, float(value), tag) for name, value, tag in known if value >= 0]
    bars.append(("log₂ |C|", float(np.log2(len(given.C.names))), "log"))
    names, values, tags = zip(*bars, strict=True)
    return Bars(
        "Bounds",
        names,
        frozen(values),
        digits=2,
        unit="mistakes",
        tag="bounds",
        beside=True,
        tags=tuple(joined(tag, "V") for tag in tags),
    )
