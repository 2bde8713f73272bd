"""Tidy trees: nothing overlaps, parents stand over the middle of their children, order is kept.

After Reingold and Tilford, Tidier drawings of trees, 1981; here nodes have different widths, and
there are rows of branch labels.
"""

from collections.abc import Sequence
from itertools import pairwise

SIBLING_GAP, LABEL_GAP = 18.0, 10.0
LABEL_AT = 0.53  # where on its line a branch label stands, from parent to child


def depths(parents: Sequence[int]) -> list[int]:
    """The depth of each node, a root has 0.

    parents: the parent of each node, which comes before it; −1 at a root
    """
    found: list[int] = []
    for parent in parents:
        found.append(found[parent] + 1 if parent >= 0 else 0)
    return found


def children_of(parents: Sequence[int]) -> list[list[int]]:
    """The children of each node in order."""
    kids: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            kids[parent].append(node)
    return kids


def preorder(parents: Sequence[int]) -> list[int]:
    """The nodes in reading order: each before its children, and the children in order."""
    kids = children_of(parents)
    order: list[int] = []
    waiting = [node for node, parent in enumerate(parents) if parent < 0][::-1]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += reversed(kids[node])
    return order


def tidy(
    parents: Sequence[int],
    left: Sequence[float],
    right: Sequence[float],
    labels: Sequence[float],
    gap: float = SIBLING_GAP,
) -> list[float]:
    """Horizontal places of the nodes, the first root at 0.

    left, right: how far each node reaches from its place
    labels: width of the label on the branch to each node
    """
    kids = children_of(parents)
    offset = [0.0] * len(parents)  # from the parent
    shapes: dict[int, tuple[list[float], list[float]]] = {}
    for node in reversed(range(len(parents))):
        shapes[node] = _family(node, kids[node], offset, shapes, left, right, labels, gap)
    roots = [node for node, parent in enumerate(parents) if parent < 0]
    if roots:
        _side_by_side(roots, offset, shapes, [0.0] * len(parents), gap)
    places: list[float] = []
    for node, parent in enumerate(parents):
        places.append(offset[node] + (places[parent] if parent >= 0 else 0.0))
    return places


def thumbnail(parents: Sequence[int]) -> list[tuple[float, float]]:
    """(x, y) of each node of one tree in a box from (0, 0), upper left, to (1, 1); a tree of one
    node lies in its upper middle.
    """
    depth = depths(parents)
    half = [0.5] * len(parents)
    across = tidy(parents, half, half, [0.0] * len(parents), 0.2)
    low, high = min(across, default=0.0), max(across, default=0.0)
    wide, deep = high - low, max(depth, default=0)
    return [
        ((x - low) / wide if wide else 0.5, d / deep if deep else 0.0)
        for x, d in zip(across, depth, strict=True)
    ]


def _family(
    node: int,
    kids: list[int],
    offset: list[float],
    shapes: dict[int, tuple[list[float], list[float]]],
    left: Sequence[float],
    right: Sequence[float],
    labels: Sequence[float],
    gap: float,
) -> tuple[list[float], list[float]]:
    """Place the children of a node; returns the outline of its subtree.

    The outline is (left, right): the ends of every row, rows of nodes and rows of labels in turn.
    """
    if not kids:
        return [-left[node]], [right[node]]
    low, high = _side_by_side(kids, offset, shapes, labels, gap)
    middle = (offset[kids[0]] + offset[kids[-1]]) / 2
    for kid in kids:
        offset[kid] -= middle
    first = min(LABEL_AT * offset[kid] - labels[kid] / 2 for kid in kids)
    last = max(LABEL_AT * offset[kid] + labels[kid] / 2 for kid in kids)
    return [-left[node], first, *(x - middle for x in low)], [
        right[node],
        last,
        *(x - middle for x in high),
    ]


def _side_by_side(
    nodes: list[int],
    offset: list[float],
    shapes: dict[int, tuple[list[float], list[float]]],
    labels: Sequence[float],
    gap: float,
) -> tuple[list[float], list[float]]:
    """Push subtrees together as far as they go; returns their common outline.

    The first one stays at 0. Uses up the shapes of the nodes.
    """
    low, high = map(list, shapes.pop(nodes[0]))
    offset[nodes[0]] = 0.0
    for before, node in pairwise(nodes):
        near, far = shapes.pop(node)
        shift = max(h - n for h, n in zip(high, near, strict=False)) + gap
        apart = (labels[before] + labels[node]) / 2
        if apart:
            shift = max(shift, offset[before] + (apart + min(LABEL_GAP, gap)) / LABEL_AT)
        offset[node] = shift
        low += [x + shift for x in near[len(low) :]]
        high[: len(far)] = [x + shift for x in far]
    return low, high
