"""Which views fit on the stage and how they share it: the picture that explains the step leads."""

from collections.abc import Mapping, Sequence

from engine.base.records import Record
from engine.scene.scene import Table, Tree
from engine.scene.views import View
from gui.look.sizes import STAGE_TWO

LEAST = (280, 200)  # pixels of each of two views
LEFT = 0.45  # of the width for the left one of two
ROWS = 0.6  # of the height at most for a table
FLAT = 1.8  # times as wide as high: what is no tree stands beside its table


class Arrangement(Record, eq=True):
    """names: from the left or from the top; upright: one below the other; share: of the first."""

    names: tuple[str, ...] = ()
    upright: bool = False
    share: float = 1.0


def arrange(
    recent: Sequence[str],
    known: Mapping[str, View],
    size: tuple[int, int],
    sides: Mapping[str, int] | None = None,
) -> Arrangement:
    """Of the views that were chosen, the latest last, those that a stage of this size (width,
    height) has room for. known: what a name stands for, None = the plane, which stands at the
    right; sides: 0 or 1 for where a person put a name.
    """
    pair = list(reversed(recent[-2:]))  # what leads comes first
    if len(pair) < 2 or not roomy(size, upright := stacked(known[pair[0]], known[pair[1]], size)):
        return Arrangement(tuple(pair[:1]))
    first, second = known[pair[0]], known[pair[1]]
    if first is None or (upright and isinstance(second, Tree)):
        pair.reverse()
    if sides and set(sides) == set(pair):
        pair.sort(key=lambda name: sides[name])
    return Arrangement(tuple(pair), upright, 0.5 if upright else LEFT)


def stacked(one: View, other: View, size: tuple[int, int]) -> bool:
    """A table lies below or above what it explains, and stands beside the plane; beside all but a
    tree where the stage is flat.
    """
    flat = size[0] >= FLAT * size[1] and not (isinstance(one, Tree) or isinstance(other, Tree))
    return not (one is None or other is None or flat) and (
        isinstance(one, Table) or isinstance(other, Table)
    )


def roomy(size: tuple[int, int], upright: bool) -> bool:
    """Whether two views have room, each as large as one that can be read."""
    wide, high = size
    return (
        (wide >= LEAST[0] and high >= 2 * LEAST[1])
        if upright
        else (wide >= STAGE_TWO and high >= LEAST[1])
    )


def table_share(rows: int, high: int, first: bool) -> float:
    """The share of the upper view where a table `rows` pixels high is that one, or else lies below
    it.
    """
    table = min(ROWS, rows / max(1, high))
    return table if first else 1 - table
