"""Trees and networks as SVG, laid out for a width of letters that is guessed: a page has no fonts
of its own.
"""

from collections.abc import Callable, Sequence
from math import ceil, isfinite, sqrt

import numpy as np

from engine.base.notation import counted, fixed
from engine.base.sums import add_up
from engine.scene.axes import axis_name
from engine.scene.figures import Forest, Network, Tree, TreeNode
from engine.scene.layers import Role
from engine.scene.tree_layout import LABEL_AT, depths, thumbnail, tidy
from engine.web.look import COLOURS
from engine.web.markup import escaped, size

LETTER, LINE = 7.4, 16.0  # units of a letter, of a line
# round the text of a node, from one row of nodes to the next, between neighbours
PAD, ROW, GAP = 9.0, 84.0, 14.0
BOX, MOST_BOXES = 13.0, 12  # side of the box of an example, how many of them are drawn
MOST_NODES = 120
# of a forest: width and height of a tree's box, how far the tree lies inside
CARD_WIDE, CARD_HIGH, INSIDE = 150.0, 120.0, 22.0
# of a network: from layer to layer, from unit to unit, radius
ACROSS, DOWN, UNIT = 150.0, 58.0, 17.0
MOST_UNITS, MOST_LABELS = 16, 24
NODES = {Role.ACTIVE: "now", Role.INACTIVE: "pale", Role.REJECTED: "struck", Role.NEAREST: "path"}


def tree(figure: Tree) -> list[str]:
    """SVG of a tree: one part for the frame, one for each branch and each node; [] without
    nodes.
    """
    nodes = list(figure.nodes)[:MOST_NODES]
    if not nodes:
        return []
    parents = [node.parent for node in nodes]
    depth = depths(parents)
    half = [_wide(node) / 2 for node in nodes]
    across = tidy(parents, half, half, [LETTER * len(node.branch) + 4 for node in nodes], GAP)
    left = min(x - h for x, h in zip(across, half, strict=True)) - 6
    right = max(x + h for x, h in zip(across, half, strict=True)) + 6
    places = [(x - left, 30 + ROW * d) for x, d in zip(across, depth, strict=True)]
    high = 30 + ROW * max(depth) + max(map(_high, nodes)) / 2 + 8
    parts = [
        f'<svg viewBox="0 0 {size(right - left)} {size(high)}" class="fig tree" role="img" aria-label="{escaped(_read(figure))}">'
    ]
    parts += [
        _branch(node, places[node.parent], places[k])
        for k, node in enumerate(nodes)
        if node.parent >= 0
    ]
    parts += [_node(node, *places[k]) for k, node in enumerate(nodes)]
    parts.append("</svg>")
    if len(figure.nodes) > len(nodes):
        parts.append(
            f'<p class="cap">and {counted(len(figure.nodes) - len(nodes), "node")} more</p>'
        )
    return parts


def _lines(node: TreeNode) -> list[str]:
    below = f"{counted(node.below, 'node')} below" if node.below else ""
    return [
        *(node.text.split("\n") if node.text else []),
        *([node.note] if node.note else []),
        *([below] if below else []),
    ] or [" "]


def _boxes(node: TreeNode) -> float:
    return BOX * min(len(node.boxes), MOST_BOXES)


def _wide(node: TreeNode) -> float:
    return max(28.0, LETTER * max(map(len, _lines(node))) + 2 * PAD, _boxes(node) + 2 * PAD)


def _high(node: TreeNode) -> float:
    return LINE * len(_lines(node)) + 10 + (BOX + 3) * bool(node.boxes)


def _node(node: TreeNode, x: float, y: float) -> str:
    wide = _wide(node)
    high = _high(node)
    kind = f"nd {node.kind} {NODES.get(node.role, '')}".strip()
    tint = f" t{node.group % COLOURS}" if node.kind == "leaf" and node.group >= 0 else ""
    round_ = min(high / 2, 14.0) if node.kind == "leaf" else 4.0
    made = [
        f'<g class="{kind}" transform="translate({size(x)} {size(y)})">'
        f'<rect x="{size(-wide / 2)}" y="{size(-high / 2)}" width="{size(wide)}" height="{size(high)}" rx="{size(round_)}" class="box{tint}"/>'
    ]
    top = -high / 2 + 5 + LINE * 0.75
    for k, line in enumerate(_lines(node)):
        small = (
            ' class="nt"'
            if k and line in (node.note, f"{counted(node.below, 'node')} below")
            else ""
        )
        made.append(
            f'<text y="{size(top + k * LINE)}" text-anchor="middle"{small}>{escaped(line)}</text>'
        )
    start = -_boxes(node) / 2
    for k, (_, group) in enumerate(node.boxes[:MOST_BOXES]):
        made.append(
            f'<rect x="{size(start + k * BOX + 1)}" y="{size(high / 2 - BOX - 3)}" width="{BOX - 2}" height="{BOX - 2}" '
            f'class="ex f{group % COLOURS if group >= 0 else "p"}"/>'
        )
    return "".join(made) + "</g>"


def _branch(node: TreeNode, parent: tuple[float, float], place: tuple[float, float]) -> str:
    (x0, y0), (x1, y1) = parent, place
    lit = {Role.ACTIVE: " now", Role.NEAREST: " path"}.get(
        node.role, " pale" if node.role is Role.INACTIVE else ""
    )
    x = x0 + LABEL_AT * (x1 - x0)
    y = y0 + LABEL_AT * (y1 - y0)
    label = (
        f'<text x="{size(x)}" y="{size(y + 4)}" text-anchor="middle" class="br">{escaped(node.branch)}</text>'
        if node.branch
        else ""
    )
    return f'<path d="M{size(x0)} {size(y0)}L{size(x1)} {size(y1)}" class="link{lit}"/>{label}'


def _read(figure: Tree) -> str:
    return f"{figure.title}: {counted(len(figure.nodes), 'node')}"


# -- forests ---------------------------------------------------------------------------------------


def forest(figure: Forest) -> list[str]:
    """SVG of small trees in rows, each in a box with its name; [] without trees."""
    count = len(figure.trees)
    if not count:
        return []
    columns = ceil(sqrt(count))
    rows = ceil(count / columns)
    read = f"{figure.title}: {counted(count, 'tree')}"
    parts = [
        f'<svg viewBox="0 0 {size(columns * CARD_WIDE)} {size(rows * CARD_HIGH)}" class="fig tree" role="img" aria-label="{escaped(read)}">'
    ]
    for k, nodes in enumerate(figure.trees):
        row, column = divmod(k, columns)
        shift = f"translate({size(column * CARD_WIDE)} {size(row * CARD_HIGH)})"
        parts.append(f'<g transform="{shift}">{_small_tree(figure, k, nodes)}</g>')
    return [*parts, "</svg>"]


def _small_tree(figure: Forest, k: int, nodes: Sequence[TreeNode]) -> str:
    wide, high = CARD_WIDE - 2 * INSIDE, CARD_HIGH - 2 * INSIDE
    places = [
        (INSIDE + x * wide, INSIDE + 6 + y * high)
        for x, y in thumbnail([node.parent for node in nodes])
    ]
    state = "now" if k == figure.current else "" if nodes else "open"
    made = [
        f'<g class="nd {state}"><rect x="3" y="3" width="{size(CARD_WIDE - 6)}" height="{size(CARD_HIGH - 6)}" rx="4" class="box"/>'
        f'<text x="10" y="19">{escaped(figure.names[k])}</text></g>'
    ]
    vote = int(figure.votes[k])
    for node, (x, y) in zip(nodes, places, strict=True):
        if node.parent >= 0:
            (x0, y0) = places[node.parent]
            lit = NODES.get(node.role, "")
            made.append(
                f'<path d="M{size(x0)} {size(y0)}L{size(x)} {size(y)}" class="link {lit}"/>'
            )
    for node, (x, y) in zip(nodes, places, strict=True):
        look = f"ex f{node.group % COLOURS}" if node.kind == "leaf" and node.group >= 0 else "ex fp"
        made.append(
            f'<rect x="{size(x - 3.5)}" y="{size(y - 3.5)}" width="7" height="7" class="{look}"/>'
        )
    if vote >= 0:
        made.append(
            f'<rect x="{size(CARD_WIDE - 22)}" y="8" width="12" height="12" class="ex f{vote % COLOURS}"/>'
        )
    return "".join(made)


# -- networks --------------------------------------------------------------------------------------


def network(figure: Network) -> list[str]:
    """SVG of a network: one part for the frame, one for each link and each unit; [] without layers.
    The bias of a layer stands above its units.
    """
    counts = [min(len(layer), MOST_UNITS) for layer in figure.activations]
    if not counts:
        return []
    tallest = max(counts) + 1
    high = DOWN * tallest + 24
    wide = ACROSS * (len(counts) - 1) + 250
    place = _places(counts, high)
    few = add_up(len(w) * len(w[0]) for w in figure.weights if len(w)) <= MOST_LABELS
    parts = [
        f'<svg viewBox="0 0 {size(wide)} {size(high)}" class="fig net" role="img" aria-label="{escaped(figure.title)}">'
    ]
    for gap, weights in enumerate(figure.weights):
        parts += _links(figure, gap, np.asarray(weights, np.float64), counts, place, few)
    now = _current(figure)
    for layer, count in enumerate(counts):
        parts += [_unit(figure, (layer, k), place(layer, k), now) for k in range(count)]
        if len(figure.activations[layer]) > count:
            x, y = place(layer, count - 1)
            more = len(figure.activations[layer]) - count
            parts.append(
                f'<text x="{size(x)}" y="{size(y + UNIT + 18)}" text-anchor="middle" class="nt">{more:,} more</text>'
            )
    parts.append("</svg>")
    return parts


def _places(counts: Sequence[int], high: float) -> Callable[[int, int], tuple[float, float]]:
    def place(layer: int, unit: int) -> tuple[float, float]:
        """Unit −1 is the bias."""
        x = 100 + ACROSS * layer
        return x, high / 2 + 14 + DOWN * (unit - (counts[layer] - 1) / 2)

    return place


def _current(figure: Network) -> set[tuple[int, int]]:
    if figure.current:
        return {(int(layer), int(unit)) for layer, unit in figure.current}
    return {(int(layer) + 1, int(end)) for layer, _, end in figure.active if end >= 0}


def _links(
    figure: Network,
    gap: int,
    weights: np.ndarray,
    counts: Sequence[int],
    place: Callable[[int, int], tuple[float, float]],
    few: bool,
) -> list[str]:
    bias = len(weights) - 1
    known = np.abs(weights[np.isfinite(weights)])
    most = float(known.max(initial=0.0)) or 1.0
    removed = figure.removed[gap] if gap < len(figure.removed) else None
    made = []
    for end in range(min(weights.shape[1], counts[gap + 1])):
        for start in (*range(min(bias, counts[gap])), bias):
            value = float(weights[start, end])
            if not isfinite(value):
                continue
            is_removed = removed is not None and bool(removed[start, end])
            lit = any(
                layer == gap and a in (start, -1) and b in (end, -1)
                for layer, a, b in figure.active
            )
            x0, y0 = place(gap, -1 if start == bias else start)
            x1, y1 = place(gap + 1, end)
            width = 0.75 + 3.5 * abs(value) / most
            kind = (
                "link now"
                if lit
                else "link gone"
                if is_removed
                else "link minus"
                if value < 0
                else "link plus"
            )
            made.append(
                f'<path d="M{size(x0)} {size(y0)}L{size(x1)} {size(y1)}" class="{kind}" style="stroke-width:{size(width)}"/>'
            )
            if (few or lit) and not is_removed:
                at = 0.3 + 0.12 * (end % 3)
                made.append(
                    f'<text x="{size(x0 + at * (x1 - x0))}" y="{size(y0 + at * (y1 - y0) + 4)}" text-anchor="middle" '
                    f'class="wt">{escaped(fixed(value, figure.digits))}</text>'
                )
    x, y = place(gap, -1)
    if np.isfinite(weights[bias]).any():
        made.append(
            f'<g class="unit bias" transform="translate({size(x)} {size(y)})"><circle r="9"/><text y="4" text-anchor="middle">1</text></g>'
        )
    return made


def _unit(
    figure: Network, unit: tuple[int, int], place: tuple[float, float], now: set[tuple[int, int]]
) -> str:
    layer, k = unit
    value = float(figure.activations[layer][k])
    names = (
        figure.names
        if layer == 0
        else figure.outputs
        if layer == len(figure.activations) - 1
        else ()
    )
    name = axis_name(names[k]) if k < len(names) else ""
    side = ("end", -UNIT - 6) if layer == 0 else ("start", UNIT + 6)
    known = (
        layer < len(figure.deltas)
        and k < len(figure.deltas[layer])
        and isfinite(float(figure.deltas[layer][k]))
    )
    delta = (
        f'<text y="{size(UNIT + 13)}" text-anchor="middle" class="nt">Δ {fixed(float(figure.deltas[layer][k]), 4)}</text>'
        if known
        else ""
    )
    text = "?" if not isfinite(value) else fixed(value, 2)
    named = (
        f'<text x="{size(side[1])}" y="4" text-anchor="{side[0]}" class="nm">{escaped(name)}</text>'
        if name
        else ""
    )
    return (
        f'<g class="unit{" now" if unit in now else ""}" transform="translate({size(place[0])} {size(place[1])})"><circle r="{UNIT}"/>'
        f'<text y="4" text-anchor="middle">{text}</text>{named}{delta}</g>'
    )
