"""The tree of inputs that costs any learner as many mistakes as it is deep, the class as a table,
and the four bounds.
"""

from itertools import combinations

from engine.authoring import (
    Bars,
    Figure,
    Role,
    Scene,
    Step,
    Tree,
    TreeNode,
    data_points,
    frozen,
    np,
)
from engine.base.notation import counted, listed
from engine.base.tags import joined
from engine.experiments.mistake_bounds import Setting, State
from engine.scene.scene import NO_GROUP, Boxes, Labels, Layer, Plot, Segments

DEEP = 4  # levels of the tree that can be read
LISTED = 32  # concepts in the table
SIGNS = ("−", "+")
SIGNED = 16  # concepts in the table up to which each cell has its sign
HALF = 0.42  # half a side of a cell
FOUND = {"start": "log", "vc": "vc", "opt": "opt", "halving": "halving"}  # bar by line
ASKED = ("opt", "ask", "say")  # the lines about an input that splits V


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures: tuple[Figure, ...] = (tree(given, s), bounds(given, s, step.line))
    leads = ("Mistake tree", "Bounds")
    if len(given.C.names) <= LISTED:
        figures = (figures[0], table(given, s, step.line), figures[1])
        leads = ("Class", "Bounds")
    if given.C.trees:
        figures = (*figures, one_of_the_trees(given, s))
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
    grow(given, s, nodes, V=given.C.all, parent=-1, branch="", level=0, way=0)
    return Tree(f"Mistake tree: each answer is denied, {s.opt} times", tuple(nodes))


def one_of_the_trees(given: Setting, s: State) -> Tree:
    """The tree of the table, where its labels are those of one; else a tree of the class that fits:
    the last one, at the end of the game the only one.
    """
    own = given.of_the_table
    k = s.V.bit_length() - 1 if own < 0 else own
    root, child, leaves = given.C.trees[k]
    role = Role.ACTIVE if s.left == 1 and own < 0 else Role.PLAIN
    nodes = [TreeNode(-1, "", root, role=role, tag="V")]
    for side in (0, 1):
        nodes.append(TreeNode(0, str(side), child, tag="V"))
        here = len(nodes) - 1
        for way, label in enumerate(leaves[2 * side : 2 * side + 2]):
            nodes.append(TreeNode(here, str(way), SIGNS[label], "leaf", tag="V"))
    if own >= 0:
        return Tree(f"Regular tree: that of the table, {given.C.names[k]}", tuple(nodes))
    others = f", one of {s.left}" if s.left > 1 else ""
    return Tree(f"Regular tree: {given.C.names[k]}{others}", tuple(nodes))


def grow(
    given: Setting,
    s: State,
    nodes: list[TreeNode],
    V: int,
    parent: int,
    branch: str,
    level: int,
    way: int,
) -> None:
    """Adds the node of V, with Opt(V), and all below it, as deep as Opt of the class is, DEEP
    levels at most.

    way: how many answers of the path lead to this node, −1 when they leave before
    """
    role = Role.PLAIN if way >= 0 else Role.INACTIVE
    tag = "path"
    if way == len(s.path):
        role = Role.ACTIVE
        tag = "V"
    count = V.bit_count()
    opt = given.best[V]
    if count == 1:
        name = given.C.names[V.bit_length() - 1]
        nodes.append(TreeNode(parent, branch, name, "leaf", role=role, tag=tag))
        return
    if level == min(s.opt, DEEP):
        text = f"{count} left, Opt {opt}"
        nodes.append(TreeNode(parent, branch, text, "open", role=role, tag=tag))
        return
    x, no, yes = given.worst(V)
    here = len(nodes)
    text = f"{given.C.inputs[x]}?"
    nodes.append(
        TreeNode(parent, branch, text, note=f"{count} left, Opt {opt}", role=role, tag=tag)
    )
    for label, part in enumerate((no, yes)):
        goes_on = 0 <= way < len(s.path) and s.path[way] == (x, label)
        grow(
            given,
            s,
            nodes,
            V=part,
            parent=here,
            branch=SIGNS[label],
            level=level + 1,
            way=way + 1 if goes_on else -1,
        )


def table(given: Setting, s: State, line: str) -> Plot:
    """Concepts by inputs, + where a concept holds; those that no longer fit are pale and struck, in
    amber by the step that contradicts them, and the input that comes is in amber.
    """
    C = given.C
    rows, columns = C.says.shape
    fits = np.array([bool(s.V >> k & 1) for k in range(rows)])
    x, y = np.meshgrid(np.arange(columns, dtype=float), -np.arange(rows, dtype=float))
    layers: list[Layer] = []
    holds = C.says.astype(bool) & fits[:, None]
    at = np.column_stack([x[holds], y[holds]])
    boxes = np.hstack([at - HALF, at + HALF])
    layers.append(Boxes(boxes, np.zeros(len(at), np.intp), Role.REGION, tag="says"))
    signed = ((fits, Role.PLAIN), (~fits, Role.INACTIVE)) if rows <= SIGNED else ()
    for own, role in signed:
        places = np.column_stack([x[own].ravel(), y[own].ravel()])
        signs = tuple(SIGNS[int(one)] for one in C.says[own].ravel())
        layers.append(Labels(places, signs, role, tag="says"))
    newly = np.zeros(rows, bool)
    if line == "deny":  # those that said the denied label, as the path so far did not
        x_said, truth = s.path[-1]
        before = [C.says[:, x] == label for x, label in s.path[:-1]]
        newly = np.all([*before, C.says[:, x_said] != truth], axis=0)
    for struck, role in ((~fits & ~newly, Role.GHOST), (newly, Role.ACTIVE)):
        gone = -np.flatnonzero(struck).astype(float)
        ends = np.array([[(-0.5, at), (columns - 0.5, at)] for at in gone]).reshape(-1, 2, 2)
        if len(ends):
            layers.append(Segments(ends, role, tag="struck"))
    left = f"{s.left} of {counted(rows, 'concept')} left"
    title = f"{left}; inputs {C.asked}" if C.asked else left
    framed: tuple[int, ...] = ()
    if line == "vc":
        framed = shattered(given, s)
        if framed:
            title = f"all labellings of {listed([C.inputs[x] for x in framed])}"
    elif line in ASKED and (question := asked(given, s)):
        x, no, yes = question
        framed = (x,)
        layers[:1] = [sides(x, no, yes, rows), *layers[:1]]
        title = f"{C.inputs[x]}: {no.bit_count()} say −, {yes.bit_count()} say +"
    elif line == "deny":
        x, truth = s.path[-1]
        framed = (x,)
        title = f"{C.inputs[x]} is {SIGNS[truth]}, {left}"
    for x in framed:
        frame = frozen([[x - 0.5, 0.5 - rows, x + 0.5, 0.5]])
        role = Role.BOUNDARY if line == "deny" else Role.ACTIVE  # amber is what is contradicted
        layers.append(Boxes(frame, np.array([NO_GROUP]), role, tag="path"))
    return Plot(
        f"Class: {title}",
        "",
        "",
        tuple(layers),
        beside=True,
        x_range=(-0.7, columns - 0.3),
        y_range=(0.2 - rows, 0.8),
        x_ticks=tuple((float(k), name) for k, name in enumerate(C.inputs)),
        y_ticks=tuple((-float(k), name) for k, name in enumerate(C.names)),
    )


def shattered(given: Setting, s: State) -> tuple[int, ...]:
    """The first VC(C) inputs that the concepts shatter."""
    C = given.C
    return next((some for some in combinations(range(len(C.inputs)), s.vc) if C.shatters(some)), ())


def asked(given: Setting, s: State) -> tuple[int, int, int] | None:
    """(input, concepts that say −, those that say +) of the input that comes, before the game of
    the one that costs most; None where none comes.
    """
    if s.x < 0:
        return given.worst(s.V) if s.opt > 0 else None
    return next((part for part in given.C.splits(s.V) if part[0] == s.x), None)


def sides(x: int, no: int, yes: int, rows: int) -> Boxes:
    """The cells of input x: the concepts that say + in one tint, those that say − in the other."""
    parts = [(k, side) for side, V in enumerate((yes, no)) for k in range(rows) if V >> k & 1]
    cells = [(x - 0.5, -k - 0.5, x + 0.5, 0.5 - k) for k, _ in parts]
    return Boxes(frozen(cells), np.array([side for _, side in parts]), Role.INACTIVE, tag="V")


def bounds(given: Setting, s: State, line: str) -> Bars:
    """Bars of what is known so far of VC ≤ Opt ≤ M_Halving ≤ log₂ |C|, and among them the mistakes
    of this game; in amber the one that the line of the pseudo-code finds.
    """
    found = FOUND.get(line, "")
    title = "Bounds: VC ≤ Opt ≤ HALVING ≤ log₂ |C|" if line == "done" else "Bounds"
    known = [
        ("VC(C), at least", s.vc, "vc"),
        ("mistakes so far", s.mistakes if s.opt >= 0 else -1, "path"),
        ("Opt(C), is forced", s.opt, "opt"),
        ("HALVING, at most", s.halving, "halving"),
    ]
    question = asked(given, s) if line in ASKED else None
    if question is not None:
        _, no, yes = question
        opts = given.best[no], given.best[yes]
        known[2:2] = [("Opt, if it is −", opts[0], "no"), ("Opt, if it is +", opts[1], "yes")]
        side = s.said if line == "say" else int(opts[1] < opts[0])
        found = found or ("no", "yes")[side]
        title = f"Bounds: 1 + the smaller Opt = {1 + min(opts)}"
    bars = [(name, float(value), tag) for name, value, tag in known if value >= 0]
    bars.append(("log₂ |C|, at most", float(np.log2(len(given.C.names))), "log"))
    names, values, tags = zip(*bars, strict=True)
    denied = [float(tag == "path") for tag in tags] if line == "deny" else []
    return Bars(
        title,
        names,
        frozen(values),
        tuple(Role.ACTIVE if tag == found else Role.PLAIN for tag in tags),
        frozen(np.subtract(values, denied)) if denied else None,
        digits=2,
        unit="mistakes",
        tag="bounds",
        beside=True,
        tags=tuple(joined(tag, "V") for tag in tags),
        ticks="before this step",
        checked=line != "ask",
        levels=((float(s.opt), "Opt(C)"),) if s.opt >= 0 else (),
    )
