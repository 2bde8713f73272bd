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
from engine.core.tags import joined
from engine.experiments.mistake_bounds import Setting, State

DEEP, LISTED = 4, 32  # levels of the tree, and concepts in the table, that can be read
SIGNS = ("−", "+")


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    listed = len(given.C.names) <= LISTED
    figures: tuple[Figure, ...] = (tree(given, s), *[table(given, s)] * listed, bounds(given, s))
    points = (data_points(given.problem),) if given.problem.plane else ()
    return Scene(points, figures, leads=("Mistake tree", "Class" if listed else "Bounds"))


def tree(given: Setting, s: State) -> Tree:
    """From every inner node both labels are possible, so whatever is said can be denied; the way of
    this game is lit.
    """
    if s.opt < 0:
        return Tree(
            "Mistake tree", (TreeNode(-1, "", f"{s.left} left", "open", role=Role.ACTIVE, tag="V"),)
        )
    nodes: list[TreeNode] = []

    def grow(V: int, parent: int, branch: str, depth: int, level: int, way: int) -> None:
        """way: how many answers of the path lead to this node, −1 when they leave before."""
        now = way == len(s.path)
        role = Role.ACTIVE if now else Role.PLAIN if way >= 0 else Role.INACTIVE
        count = V.bit_count()
        if not depth or level == DEEP:
            text = given.C.names[V.bit_length() - 1] if count == 1 else f"{count} left"
            nodes.append(
                TreeNode(
                    parent,
                    branch,
                    text,
                    "leaf" if not depth else "open",
                    role=role,
                    tag="V" if now else "path",
                )
            )
            return
        x, no, yes, _ = max(given.asked(V), key=lambda found: found[3])
        here = len(nodes)
        nodes.append(
            TreeNode(
                parent,
                branch,
                f"{given.C.inputs[x]}?",
                note=f"{count}, Opt {depth}",
                role=role,
                tag="V" if now else "path",
            )
        )
        for label, part in enumerate((no, yes)):
            goes_on = way if 0 <= way < len(s.path) and s.path[way] == (x, label) else -2
            grow(part, here, SIGNS[label], min(depth - 1, given.best[part]), level + 1, goes_on + 1)

    grow(given.C.all, -1, "", s.opt, 0, 0)
    return Tree(f"Mistake tree: {s.opt} deep", tuple(nodes))


def table(given: Setting, s: State) -> Matrix:
    """Concepts by inputs, 1 where it says +; those that fit amber where they answer
    what is asked.
    """
    C = given.C
    V = [k for k in range(len(C.names)) if s.V >> k & 1]
    active = tuple((k, s.x) for k in V) if s.x >= 0 else ()
    rows = tuple(f"{'' if s.V >> k & 1 else '× '}{name}" for k, name in enumerate(C.names))
    tags = tuple("V" if s.V >> k & 1 else "path" for k in range(len(rows)))
    return Matrix(
        "Class: concepts by inputs",
        rows,
        C.inputs,
        frozen(C.says.astype(np.float64)),
        active,
        digits=0,
        x_label="input",
        row_tags=tags,
        column_tags=("path",) * len(C.inputs),
    )


def bounds(given: Setting, s: State) -> Bars:
    """What is known so far of VC ≤ Opt ≤ M_Halving ≤ log₂ |C|."""
    known = [
        ("VC(C)", s.vc, "vc"),
        ("mistakes so far", s.mistakes, "path"),
        ("Opt(C)", s.opt, "opt"),
        ("M of HALVING", s.halving, "halving"),
    ]
    told = [(name, float(value), tag) for name, value, tag in known if value >= 0]
    told.append(("log₂ |C|", float(np.log2(len(given.C.names))), "log"))
    names, values, tags = zip(*told, strict=True)
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
