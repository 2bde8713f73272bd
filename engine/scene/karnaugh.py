"""Karnaugh map: all inputs of two to four 0/1 columns, where neighbours differ in one bit.

Rules are outlined blocks. MIT 2.2.31.
"""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.notation import counted, subscript
from engine.base.records import replace
from engine.base.tags import joined
from engine.numerics.boolean import GRAY, Conjunction, covers, gray_runs, to_values
from engine.scene.scene import NO_GROUP, Boxes, Labels, Layer, Plot, Points, Role
from engine.table.problem import Problem

INSET = 0.05  # of a rule's outline from the edge of its cells; each further rule a little more
SPREAD = 0.26  # between several examples in one cell
CROWD = 36  # the most examples in one cell that one can distinguish
ABOVE = 0.24  # how far above the middle of a cell that holds examples a name stands
# how far left of the middle the only example of a cell stands, with its name on its right
NAMED = 0.14
ASIDE = 0.12  # how far left of the middle the name of a rule stands above examples
# room beside, above and below the cells for codes and names, in cells
LEFT, HEADING, BELOW = 1.0, 0.9, 0.8
LONG = 12  # letters of a name that still fit into a cell
HEAD = 9  # letters of a column's names that still fit into the corner


def cells(columns: int) -> tuple[int, int]:
    """(across, down): how many of the columns label the map's columns, and how many its rows."""
    across = (columns + 1) // 2
    return across, columns - across


def inputs(columns: int) -> Float:
    """(2^d, d) every input in the order of the cells: row by row from the top."""
    across, down = cells(columns)
    return np.asarray(
        [[float(b) for b in right + below] for below in GRAY[down] for right in GRAY[across]]
    )


def karnaugh_map(
    problem: Problem,
    rules: Sequence[Conjunction],
    names: Sequence[str],
    predicted: Int,
    growing: Conjunction | None,
    query: Float | None = None,
    now: int = -1,
    leaving: Sequence[int] | Int = (),
) -> Plot:
    """The map of a problem with rules as outlined blocks.

    names: of the rules, then of the growing one
    predicted: (2^d,) the class of every cell of `inputs`
    growing: the conjunction that is being built, dashed
    query: (d,) the input whose cell is framed
    now: the index of the current rule, the growing one included; −1 for none
    leaving: the rows that this step is about, in amber
    """
    across, down = cells(problem.d)
    wide, high = len(GRAY[across]), len(GRAY[down])
    titles = [f.title for f in problem.features]
    over, beside = " ".join(titles[:across]), " ".join(titles[across:])
    inside = max(len(over), len(beside)) <= HEAD
    layers: list[Layer] = [
        _tints(problem, predicted, across, down),
        _edge_labels(across, down, over, beside, inside),
    ]
    shown = [*rules, *([] if growing is None else [growing])]
    for k in sorted(range(len(shown)), key=lambda k: k == now):  # on top of the others
        ready = k < len(rules)
        role = Role.ACTIVE if k == now else Role.ACCEPTED if ready else Role.CANDIDATE
        inset, tag = (INSET * (1 + k % 3), f"rule {k}") if ready else (INSET, "rule")
        layers.append(_block(shown[k], across, down, role, inset, tag))
    if query is not None:
        literals = tuple((j, float(value)) for j, value in enumerate(query))
        layers.append(_block(literals, across, down, Role.ACTIVE, INSET / 2, "query"))
    examples = _examples(problem, predicted, across, down)
    layers += [*_rule_names(problem, shown, names, across, down), examples]
    if len(leaving) and examples.size == problem.n:  # else a mark stands for several rows
        here = np.isin(np.arange(problem.n), np.asarray(leaving, np.intp))
        amber = examples.only(here, "current")
        layers.append(replace(amber, role=Role.ACTIVE, tags=problem.tags_of(np.flatnonzero(here))))
    x, y = ("", "") if inside else (over, beside)
    return Plot(
        "Karnaugh map",
        x,
        y,
        tuple(layers),
        beside=True,
        ticks=False,
        x_range=(-LEFT, wide + 0.1),
        y_range=(-BELOW, high + HEADING),
    )


def _tints(problem: Problem, predicted: Int, across: int, down: int) -> Boxes:
    """The cells, tinted by class; each has the tags of its examples, while these are few."""
    wide = len(GRAY[across])
    high = len(GRAY[down])
    where = cell_of(problem, across)
    few = np.bincount(where).max(initial=0) <= CROWD
    inside = [np.flatnonzero(where == k) if few else () for k in range(wide * high)]
    tags = tuple(joined(f"cell {k}", *problem.tags_of(rows)) for k, rows in enumerate(inside))
    bounds = [[x, high - 1 - y, x + 1, high - y] for y in range(high) for x in range(wide)]
    return Boxes(np.asarray(bounds, np.float64), predicted, tag="cells", tags=tags)


def _edge_labels(across: int, down: int, over: str, beside: str, inside: bool) -> Labels:
    """The codes above and left of the cells; inside: the names of the columns are in the
    corners.
    """
    high = len(GRAY[down])
    places = [(x + 0.5, high + HEADING / 2) for x in range(len(GRAY[across]))]
    places += [(-LEFT / 2, high - 0.5 - y) for y in range(high)]
    texts = GRAY[across] + GRAY[down]
    if inside:
        places += [(-LEFT / 2, high + HEADING / 2), (-LEFT / 2, -BELOW / 2)]
        texts += (f"{over} →", f"{beside} ↑")
    return Labels(np.asarray(places), texts, tag="cells")


def _block(rule: Conjunction, across: int, down: int, role: Role, inset: float, tag: str) -> Boxes:
    """The cells in which the rule holds: one box, or several where it wraps around the edge."""
    wanted: list[int | None] = [None] * (across + down)
    for column, value in rule:
        wanted[column] = int(value)
    high = len(GRAY[down])
    bounds = [
        (left + inset, high - below + inset, right - inset, high - above - inset)
        for left, right in gray_runs(tuple(wanted[:across]))
        for above, below in gray_runs(tuple(wanted[across:]))
    ]
    return Boxes(np.asarray(bounds).reshape(-1, 4), np.full(len(bounds), NO_GROUP), role, (), tag)


def cell_of(problem: Problem, across: int) -> Int:
    """(n,) the cell of every example, as an index into `inputs`."""
    values = to_values(problem.features, problem.X).astype(np.intp)
    right, below = _place(values[:, :across]), _place(values[:, across:])
    cell: Int = below * len(GRAY[across]) + right
    return cell


def _place(bits: Int) -> Int:
    """(n,) the index in GRAY[k] of each code in `bits` (n, k)."""
    codes = GRAY[bits.shape[1]]
    places = np.zeros(len(codes), np.intp)
    places[[int(code or "0", 2) for code in codes]] = np.arange(len(codes))
    return places[bits @ (1 << np.arange(bits.shape[1])[::-1])]


def _rule_names(
    problem: Problem, rules: Sequence[Conjunction], names: Sequence[str], across: int, down: int
) -> tuple[Labels, Labels]:
    """The name of every rule, in that of its cells with the fewest examples, rules and names: first
    the names inside, then those on the frame of their rule, where a cell has something else.

    Long names are replaced by a number.
    """
    places = inputs(problem.d)
    texts = [n if len(n) <= LONG else f"r{subscript(k + 1)}" for k, n in enumerate(names)]
    examples = np.bincount(cell_of(problem, across), minlength=len(places))
    covered = np.asarray([covers(rule, places) for rule in rules], bool).reshape(-1, len(places))
    wide, high = len(GRAY[across]), len(GRAY[down])
    named, xy = np.zeros(len(places)), np.zeros((len(rules), 2))
    framed = np.zeros(len(rules), bool)
    for k in range(len(rules)):
        cost = np.where(covered[k], 100 * named + 15 * covered.sum(0) + 10 * examples, np.inf)
        cell = int(cost.argmin())
        xy[k] = cell % wide + 0.5, high - 0.5 - cell // wide
        if examples[cell] or named[cell]:
            above = cell - wide
            framed[k] = above < 0 or not covered[k, above]  # along the top of this cell
            xy[k] += (-ASIDE, 0.5 - INSET * (1 + k % 3) if framed[k] else ABOVE)
        named[cell] += 1
    inside, on_frame = (
        Labels(xy[here], tuple(texts[k] for k in np.flatnonzero(here)), role, tag="rules")
        for here, role in ((~framed, Role.PLAIN), (framed, Role.MARGIN))
    )
    return inside, on_frame


def _examples(problem: Problem, predicted: Int, across: int, down: int) -> Points:
    """Every example in the middle of its cell, several of them side by side.

    Where any cell has too many, the map has one mark for each class in a cell, with the number of
    its examples.
    """
    cell = cell_of(problem, across)
    if np.bincount(cell).max(initial=0) > CROWD:
        return _counted(problem, cell, predicted, across, down)
    order = np.argsort(cell, kind="stable")
    first = np.searchsorted(cell[order], cell)
    rank = np.empty(problem.n, np.intp)
    rank[order] = np.arange(problem.n)
    among = np.bincount(cell, minlength=len(predicted))[cell]
    xy = _inside(cell, rank - first, among, across, down) - np.where(among == 1, NAMED, 0.0)[
        :, None
    ] * (1, 0)
    crowded = np.bincount(cell).max(initial=0) > 9
    label = () if crowded else problem.names
    tags = problem.row_tags
    return Points(
        xy, problem.codes, Role.POINT, predicted[cell], label=label, tag="rows", tags=tags
    )


def _counted(problem: Problem, cell: Int, predicted: Int, across: int, down: int) -> Points:
    """One mark for all examples of a class in a cell, labelled with their number."""
    kinds, count = np.unique(np.column_stack([cell, problem.codes]), axis=0, return_counts=True)
    where, codes = kinds.T
    rank = np.arange(len(where)) - np.searchsorted(where, where)
    xy = _inside(where, rank, np.bincount(where)[where], across, down)
    return Points(
        xy, codes, Role.POINT, predicted[where], label=tuple(counted(c, "time") for c in count)
    )


def _inside(cell: Int, rank: Int, among: Int, across: int, down: int) -> Float:
    """(m, 2) places of marks in their cells: mark `rank` of `among` in a square of rows and
    columns.
    """
    wide, high = len(GRAY[across]), len(GRAY[down])
    side = np.ceil(np.sqrt(among)).astype(np.intp)
    rows = -(-among // side)
    apart = np.minimum(SPREAD, 0.8 / side)
    x = cell % wide + 0.5 + apart * (rank % side - (side - 1) / 2)
    y = high - 0.5 - cell // wide - apart * (rank // side - (rows - 1) / 2)
    return np.column_stack([x, y])
