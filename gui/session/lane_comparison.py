"""The difference of two lanes: where on the plane and on which rows they disagree, and from which
step on their runs differ.
"""

from bisect import bisect_right
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer

from engine.base.arrays import Float
from engine.document.lane_edits import LETTERS
from engine.judge.difference import (
    Comparison,
    Difference,
    RowsApart,
    disagreement,
    rows_apart,
    same_clusters,
)
from engine.runs.trace import Trace
from engine.scene.differences import DIFFERENCE, GHOST, OTHER
from engine.scene.layers import Field, Layer, Points, Role, ground_end
from engine.table.problem import Problem, Task
from gui.session.changes import Change, Changes
from gui.session.forked import begun_in, forked_from
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead

# seconds of search at a time; milliseconds between two of them while the clock runs
SLICE, PAUSE = 0.004, 30
LABELLED = 12  # points that only one lane gets right: more of them are not lettered

Pair = tuple[LaneView, LaneView]


class LaneComparison(QObject):
    """Compares the two lanes that the document names; the first one shows their difference."""

    def __init__(self, shown: Playhead) -> None:
        super().__init__(shown)
        self._shown = shown
        self.search: Comparison | None = None
        self._known: Difference | None = None
        self._pair: Pair | None = None
        self._rows: tuple[object, list[tuple[Problem, RowsApart]]] = (None, [])
        self._mask: tuple[object, Float] = (None, np.zeros((0, 0)))
        self.share = float("nan")  # of the plane where they disagree, as last drawn
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._search_on)
        shown.changed.connect(self._on_changed)
        self._follow()

    def _on_changed(self, changes: Changes) -> None:
        anywhere = changes.anywhere()
        if anywhere & (Change.DOCUMENT | Change.RUN):
            self._follow()
        elif anywhere & Change.STEPS:
            self._wake()
        # the first lane shows surfaces of the second one, which become finer later
        if self._pair is not None and changes.of(self._pair[1]) & Change.SURFACE:
            self._redraw()

    # -- which lanes -------------------------------------------------------------------------------

    @property
    def pair(self) -> Pair | None:
        compared = self._shown.document.compared
        views = self._shown.lane_views
        if compared is None or max(compared) >= len(views):
            return None
        return views[compared[0]], views[compared[1]]

    @property
    def letters(self) -> tuple[str, str]:
        first, second = self._shown.document.compared or (0, 0)
        return LETTERS[first], LETTERS[second]

    def _follow(self) -> None:
        """Take up another pair, or other runs of the same pair."""
        pair = self.pair
        for view in self._shown.lane_views:
            view.beside = self if pair is not None and view is pair[0] else None
        self._pair = pair
        traces = tuple(view.trace for view in pair) if pair is not None else (None, None)
        before = (self.search.one, self.search.other) if self.search is not None else (None, None)
        if traces[0] is not before[0] or traces[1] is not before[1]:
            self.search = None
            self._rows = (None, [])
            self._mask = (None, np.zeros((0, 0)))
            self.share = float("nan")
        self._wake()
        self._redraw()

    def _redraw(self) -> None:
        """Repaint the first lane."""
        if self._pair is not None:
            self._pair[0].announce(Change.SURFACE)

    @property
    def refusal(self) -> str:
        """Why the answers of the two lanes cannot be compared; "" where they can."""
        for view in self.pair or ():
            if view.covered:
                return f"{LETTERS[view.place]} begins later, which is covered."
            if view.trace is None or (view.finished and not len(view.trace)):
                return f"{LETTERS[view.place]} has no run: {view.error}"
            if view.algorithm.predict is None:
                return f"{view.algorithm.title} gives no answers: there is nothing to compare."
        pair = self.pair
        if pair is not None and len({view.algorithm.task is Task.CLUSTER for view in pair}) > 1:
            return (
                "One of them finds clusters, which have no names: they cannot be compared with"
                " classes."
            )
        return ""

    # -- answers -----------------------------------------------------------------------------------

    def rows(self) -> list[tuple[Problem, RowsApart]]:
        """The pairs (problem, what both lanes say of its rows).

        One for the examples, one for the held-out rows where there are any; [] where nothing can be
        compared.
        """
        pair = self.pair
        if pair is None or self.refusal:
            return []
        traces = [view.trace for view in pair]
        steps = [view.step for view in pair]
        if any(step is None for step in steps):
            return []
        at = tuple((id(trace), view.cursor) for trace, view in zip(traces, pair, strict=True))
        if self._rows[0] != at:
            problems = [
                p
                for p in (pair[0].problem, pair[0].problem and pair[0].problem.held_out)
                if p is not None
            ]
            self._rows = (at, [(p, self._of_rows(pair, p)) for p in problems])
        return self._rows[1]

    def _of_rows(self, pair: Pair, problem: Problem) -> RowsApart:
        one, other = (_answers(view, problem.X) for view in pair)
        if pair[0].algorithm.task is Task.CLUSTER:
            other = same_clusters(one, other)
        return rows_apart(problem, one, other)

    # -- the plane ---------------------------------------------------------------------------------

    def raster(
        self, name: str, x: tuple[float, float], y: tuple[float, float], dragged: bool
    ) -> Float | None:
        """The raster (n, n) of the difference: 1 where the two disagree, 0 elsewhere; of the ghost,
        the classes of the second lane. None where there is none.
        """
        pair = self.pair
        if pair is None or self.refusal:
            return None
        values = [
            view.raster("class", x, y, dragged)
            for view in (pair if name == DIFFERENCE else pair[1:])
        ]
        if any(each is None for each in values):
            return None
        if name == GHOST:
            return np.asarray(values[0])
        return self._apart(pair, *values)

    def _apart(self, pair: Pair, one: Float, other: Float) -> Float:
        if (ids := (id(one), id(other))) != self._mask[0]:
            kept = one, other
            one, other = of_one_size(one, other)
            if pair[0].algorithm.task is Task.CLUSTER:
                other = same_clusters(one.ravel(), other.ravel()).reshape(one.shape)
            self._mask = ids, disagreement(one, other).astype(np.float64)
            self._kept = kept  # alive, so that no other array gets their id
            share = float(self._mask[1].mean())
            if share != self.share:
                self.share = share
                QTimer.singleShot(0, self, lambda: self._shown.announce(Change.COMPARISON))
        return self._mask[1]

    def with_difference(self, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        """The layers of the plane, with the hatch and the ghost over the ground, and rings round
        points that only one lane gets right.
        """
        pair = self.pair
        if pair is None or self.refusal or pair[0].problem is None or pair[0].problem.regress:
            return layers
        end = ground_end(layers)
        names = [DIFFERENCE, *[GHOST] * self._shown.document.ghost]
        return (
            *layers[:end],
            *(Field(name, tag=OTHER + self.letters[1]) for name in names),
            *layers[end:],
            *self._rings(),
        )

    def _rings(self) -> tuple[Points, ...]:
        rings = []
        for problem, apart in self.rows():
            for letter, only in zip(self.letters, (apart.only_one, apart.only_other), strict=True):
                label = (letter,) * int(only.sum()) if only.sum() <= LABELLED else ()
                rings.append(
                    Points(
                        problem.xy[only],
                        problem.codes[only],
                        Role.DIFFERENCE,
                        label=label,
                        tag=DIFFERENCE,
                    )
                )
        return tuple(ring for ring in rings if len(ring.xy))

    # -- the runs ----------------------------------------------------------------------------------

    def comparison(self) -> Comparison | None:
        """The search for the first step at which the two runs differ; None without a common
        step.
        """
        pair = self.pair
        if pair is None:
            return None
        one, other = pair[0].trace, pair[1].trace
        if one is None or other is None or pair[0].lane.key != pair[1].lane.key:
            return None
        if self.search is None or self.search.one is not one or self.search.other is not other:
            begin = first_steps(*pair)
            self.search = Comparison(one, other, begin) if begin is not None else None
        return self.search

    @property
    def first(self) -> Difference | None:
        """The first difference of the two runs; None until it is found, and while it is covered."""
        search = self.comparison()
        pair = self.pair
        if search is None or pair is None or search.found is None:
            return None
        covered = any(
            view.veiled and view.cursor < at for view, at in zip(pair, search.found.at, strict=True)
        )
        return None if covered else search.found

    def moment(self) -> str:
        """The step of the first difference in words, as 'step 41'; "" without one.

        Of two lanes, one forked from the other, it is counted in the lane that began first.
        """
        pair, first = self.pair, self.first
        if pair is None or first is None:
            return ""
        k = 1 if forked_from(pair[0]) is not None else 0
        trace = pair[k].trace
        at = first.at[k]
        if trace is None:
            return ""
        level = min(trace.levels[at], self._shown.unit)
        number = max(0, bisect_right(trace.indices(level), at) - 1)
        return f"{level.name.lower()} {number:,}"

    def _wake(self) -> None:
        search = self.comparison()
        if search is None or search.pending:
            self._timer.stop()
            self._announce_first()
        elif not self._timer.isActive():
            self._timer.start(PAUSE if self._shown.is_playing() else 0)

    def _search_on(self) -> None:
        search = self.comparison()
        if search is not None:
            search.advance(SLICE)
        if search is None or search.pending:
            self._timer.stop()
        self._announce_first()

    def _announce_first(self) -> None:
        if self.first != self._known:
            self._known = self.first
            self._shown.announce(Change.DIFFERENCE)


def first_steps(one: LaneView, other: LaneView) -> tuple[int, int] | None:
    """The index in each run of the first step that both have in common; None without one.

    Where one run was forked from the other: its first step, and the step after the fork.
    """
    mine, theirs = forked_from(one), forked_from(other)
    if mine is not None and mine[0] is other:
        return 0, mine[1] + 1
    if theirs is not None and theirs[0] is one:
        return theirs[1] + 1, 0
    return (0, 0) if begun_in(one) == begun_in(other) else None


def of_one_size(one: Float, other: Float) -> tuple[Float, Float]:
    """Two rasters (n, n) over the same ranges; the coarser one's cells are repeated to fit."""
    size = max(len(one), len(other))
    return tuple(
        v if len(v) == size else v[np.ix_(*[np.arange(size) * len(v) // size] * 2)]
        for v in (one, other)
    )  # type: ignore[return-value]


def _answers(view: LaneView, X: Float) -> Float:
    trace: Trace | None = view.trace
    step: Any = view.step
    assert trace is not None and trace.algorithm.predict is not None
    return np.asarray(trace.algorithm.predict(trace.given, step.state, X), np.float64)
