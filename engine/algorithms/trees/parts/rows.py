"""A decision tree in the making: its nodes as rows, level by level. AIMA 18.4.1."""

from typing import Any

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.algorithms.trees.parts.model import Tree, Why


class TreeRows:
    """A tree in the making, level by level; `finish` gives it."""

    def __init__(self, totals: Any, label: Int, tied: Bool, nominal: Bool) -> None:
        self.size = self.depth = 0
        self.nominal = nominal
        self.levels: list[tuple[Any, ...]] = []
        self.tests: list[tuple[Any, ...]] = []
        self.reasons: list[tuple[Any, Any]] = []
        up = np.full(1, -1, dtype=np.intp)
        self._level(totals, label, tied, up, np.zeros(1, dtype=np.intp))

    def _level(self, totals: Any, label: Int, tied: Bool, parent: Int, branch: Int) -> Int:
        self.levels.append((totals, label, tied, parent, branch, np.full(len(label), len(self.levels))))
        self.size += len(label)
        return np.arange(self.size - len(label), self.size)

    def settle(self, nodes: Int, why: Any) -> None:
        """Say why `nodes` are leaves (or OPEN)."""
        self.reasons.append((nodes, why))

    def split(
        self,
        nodes: Int,
        column: Int,
        point: Float,
        gain: Float,
        ties: Int,
        width: Int,
        totals: Any,
        label: Int,
        tied: Bool,
    ) -> Int:
        """Give tests to `nodes` of the last level; returns the indices of all their children."""
        first = self.size + width.cumsum() - width
        self.tests.append((nodes, column, point, gain, ties, first, width))
        parent = nodes.repeat(width)
        children = self._level(totals, label, tied, parent, parent)
        self.levels[-1] = (*self.levels[-1][:4], children - first.repeat(width), self.levels[-1][5])
        return children

    def extend(
        self, nodes: list[tuple[Any, ...]], tests: list[tuple[Any, ...]], reasons: list[tuple[int, Why]]
    ) -> None:
        """Many levels at once: (totals, label, tied, parent, branch, depth) of all nodes that follow, (node, column, point,
        gain, ties, first, width) of tests, (node, why) of leaves."""
        self.size += len(nodes)
        made: tuple[tuple[list[Any], list[Any]], ...] = (
            (self.levels, nodes),
            (self.tests, tests),
            (self.reasons, reasons),
        )
        for rows, more in made:
            if more:
                rows.append(tuple(map(np.array, zip(*more, strict=True))))

    def finish(self) -> Tree:
        totals, label, tied, parent, branch, depth = (np.concatenate(part) for part in zip(*self.levels, strict=True))
        made: dict[str, Any] = {name: np.full(self.size, -1, dtype=np.intp) for name in ("column", "first")}
        made |= {name: np.zeros(self.size, dtype=np.intp) for name in ("width", "ties", "why")}
        made |= {"point": np.full(self.size, np.nan), "gain": np.zeros(self.size)}
        for nodes, why in self.reasons:
            made["why"][nodes] = why
        if self.tests:
            nodes, *tests = (np.concatenate(part) for part in zip(*self.tests, strict=True))
            for name, values in zip(("column", "point", "gain", "ties", "first", "width"), tests, strict=True):
                made[name][nodes] = values
            made["why"][nodes] = int(Why.TEST)
        made |= {"totals": totals.astype(np.float64), "label": label, "tied": tied, "parent": parent, "branch": branch}
        made |= {"depth": depth, "nominal": self.nominal, "alive": np.ones(self.size, dtype=bool)}
        arrays: dict[str, Any] = {name: frozen(values) for name, values in made.items()}
        return Tree(**arrays)
