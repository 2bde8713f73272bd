"""What a method has learnt, as text: the tree or the bars of its picture."""

from collections.abc import Iterator, Sequence

from engine.base.notation import counted, number
from engine.scene.figures import Bars, Figure, Tree

LETTERS = 60  # of a name
MOST = 40  # lines: a tree of thousands of leaves is unreadable


def learnt_lines(figures: Sequence[Figure]) -> list[str]:
    """The first tree or bars among the figures of a step as lines; [] without either."""
    found = next((figure for figure in figures if isinstance(figure, (Tree, Bars))), None)
    if found is None:
        return []
    lines = list(_branches(found) if isinstance(found, Tree) else _numbers(found))
    more = len(lines) - MOST
    return (
        [found.title, *lines]
        if more <= 0
        else [found.title, *lines[:MOST], f"  … and {counted(more, 'more line')}"]
    )


def _branches(tree: Tree) -> Iterator[str]:
    """A line per node, indented below its parent."""
    children: dict[int, list[int]] = {}
    for at, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(at)
    waiting = [(at, 1) for at in reversed(children.get(-1, []))]
    while waiting:
        at, depth = waiting.pop()
        node = tree.nodes[at]
        branch = f"{node.branch}: " if node.branch else ""
        note = f" ({node.note})" if node.note else ""
        yield f"{'  ' * depth}{_cut(branch)}{_cut(node.text)}{_cut(note)}"
        waiting += [(child, depth + 1) for child in reversed(children.get(at, []))]


def _numbers(bars: Bars) -> Iterator[str]:
    labels = [_cut(label) for label in bars.labels]
    wide = max(map(len, labels), default=0)
    for label, value in zip(labels, bars.values.tolist(), strict=True):
        yield f"  {label.ljust(wide)}  {number(value, bars.digits)}"


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else text[:LETTERS] + "…"
