"""A step and its views by their names: the plane, the figures, the curves, the whole step."""

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.base.records import Record, cached_property, replace
from engine.judge.held_out_figures import held_out_figures
from engine.judge.judging import Judging
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.scene.legend import legend
from engine.scene.scene import Plot, Scene, Space, Table, Tree
from engine.scene.views import PLANE, View, leads, views
from gui.export.curves import paint_curves
from gui.export.figure import paint_figure, paint_figures
from gui.export.page import Draw, Page, classes_of, page_of, step_of
from gui.export.plane import paint, paint_prepared, prepared
from gui.export.words import Cell, paint_words
from gui.look.swatches import boxed
from gui.look.theme import Theme
from gui.painters.view import View as Ranges
from gui.timeline.curves import Curves, curves

COLOURED = (Tree, Table, Plot, Space)  # figures with the colours of the classes
CURVES, WHOLE, STAGE = "Curves", "Whole step", "As on the stage"
ABSENT = "This step has no such picture."
FLAT = 1.25  # width / height from which the words of a whole step stand beside its picture
SHARE_BESIDE, SHARE_BELOW = 0.62, 0.6  # of the picture of a whole step
TYPE = 1.2  # scale of its words
INSIDE = 20.0  # pixels round the words of a whole step


class Look(Record):
    """How the views look.

    ranges: of the plane, with its rectangle; with an empty rectangle it fills the room inside the
        numbers of the axes. None fits the data
    hatch: whether the regions of the plane are hatched
    hidden: marks to leave out, by their words in engine/scene/legend.py
    turned: the widget that shows a figure in space, whose angle is taken over
    """

    theme: Theme
    ranges: Ranges | None = None
    hatch: bool = False
    hidden: frozenset[str] = frozenset()
    turned: object = None


class Part(Record):
    """A view on the stage; x, y, wide, high: its place as shares of the stage."""

    name: str
    x: float = 0.0
    y: float = 0.0
    wide: float = 1.0
    high: float = 1.0

    def within(self, area: QRectF) -> QRectF:
        return QRectF(
            area.x() + self.x * area.width(),
            area.y() + self.y * area.height(),
            self.wide * area.width(),
            self.high * area.height(),
        )


class Shown:
    """Step `index` of a run, with all its views."""

    def __init__(
        self,
        trace: Trace,
        index: int,
        unit: Level = Level.STEP,
        judging: Judging | None = None,
        curves: Curves | None = None,
        stage: tuple[Part, ...] = (),
        scene: Scene | None = None,
    ) -> None:
        """unit: in which steps are counted; judging, curves: those of the window, None to make
        them; stage: the views on the stage, () for the one that leads; scene: the picture of the
        step where it is another than its own, as a question covers a part of it.
        """
        self.trace, self.index, self.unit = trace, index, unit
        self._judging, self._curves, self._stage = judging, curves, stage
        self._scene = scene
        self._first = self

    def at(self, index: int) -> "Shown":
        """Another step of the same run; what belongs to the whole run is made once."""
        if index == self.index:
            return self
        other = Shown(self.trace, index, self.unit, stage=self._stage)
        other._first = self._first
        return other

    @property
    def number(self) -> int:
        """The number of the step in its unit."""
        return max(0, bisect_right(self.trace.indices(self.unit), self.index) - 1)

    @cached_property
    def judging(self) -> Judging:
        """The errors on held-out rows, with all that the curves and figures need."""
        if self._first is not self:
            return self._first.judging
        judging = self._judging or Judging(self.trace)
        while self._judging is None and judging.judge_next():
            pass
        return judging

    @cached_property
    def scene(self) -> Scene:
        """The picture of the step, with the figures of the held-out rows."""
        if self._scene is not None:
            return self._scene
        own = self.trace.algorithm.scene(self.trace.given, self.trace[self.index])
        if self.trace.problem.held_out is None or not self.judging.calls:
            return own
        predicted = self.judging.says(self.index)
        figures = held_out_figures(self.judging, self.index, predicted)
        return replace(own, figures=(*own.figures, *figures))

    @cached_property
    def curves(self) -> Curves:
        if self._first is not self:
            return self._first.curves
        return curves(self) if self._curves is None else self._curves

    @cached_property
    def views(self) -> dict[str, View]:
        return views(self.scene, self.trace.problem)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all views, those that lead first."""
        several = (STAGE,) if len(self._stage) > 1 else ()
        drawn = (CURVES,) if self.trace.algorithm.curves else ()
        return (*several, *self.views, *drawn, WHOLE)

    @property
    def led_by(self) -> str:
        """The name of what the stage shows: of both views together where there are two."""
        return STAGE if len(self.stage) > 1 else self.stage[0].name

    @property
    def stage(self) -> tuple[Part, ...]:
        """The views on the stage; the one that leads where it is none of a window."""
        lead = leads(self.scene, self.trace.problem)[:1] or tuple(self.views)[:1]
        return self._stage or tuple(Part(name) for name in lead)

    def find(self, wanted: str) -> str:
        """The name of the view that `wanted` means: a name, its beginning, or a kind of figure.

        Raises EngineError with the names that there are.
        """
        text = " ".join(wanted.casefold().split())
        known = {name.casefold(): name for name in self.names}
        kinds = {
            type(view).__name__.casefold(): name
            for name, view in reversed(self.views.items())
            if view is not None
        }
        begun = [name for low, name in known.items() if text and low.startswith(text)]
        also = {"step": WHOLE, "curve": CURVES if CURVES in self.names else ""}
        found = known.get(text) or kinds.get(text) or also.get(text) or "".join(begun[:1])
        if not found:
            raise EngineError(
                f"This step has no view {quoted(wanted)}; there"
                f" {'are' if len(known) > 1 else 'is'} {listed(self.names)}."
            )
        return found

    def draw(self, name: str, look: Look) -> Draw:
        """A function that paints the view called `name`, or the sentence that there is none.

        name: "" for the plane, or the figures of a table without one
        """
        if name == WHOLE:
            return partial(paint_whole, shown=self, look=look)
        if name == STAGE:
            return partial(paint_stage, shown=self, look=look)
        if name == CURVES:
            return partial(paint_curves, shown=self, theme=look.theme)
        if not name and not self.trace.problem.plane:
            return partial(
                paint_figures, problem=self.trace.problem, scene=self.scene, theme=look.theme
            )
        if name and name not in self.views:
            return partial(paint_absent, theme=look.theme)
        figure = self.views[name or PLANE]
        if figure is not None:
            return partial(
                paint_figure,
                figure=figure,
                problem=self.trace.problem,
                theme=look.theme,
                turned=look.turned,
            )
        return partial(
            paint,
            trace=self.trace,
            index=self.index,
            scene=self.scene,
            theme=look.theme,
            view=look.ranges,
            hatch=look.hatch,
            hidden=look.hidden,
        )

    def page(
        self,
        data: str,
        name: str = "",
        *,
        caption: bool,
        explained: bool,
        hidden: frozenset[str] = frozenset(),
    ) -> Page:
        """The words below the view called `name`, "" as in `draw`; data: the name of the data;
        the others as in `page_of`.
        """
        drawn = [part.name for part in self.stage] if name in (WHOLE, STAGE) else [name]
        planar = PLANE in drawn or (not name and bool(self.trace.problem.plane))
        page = page_of(
            self.trace,
            self.index,
            data,
            self.unit,
            caption=caption,
            explained=explained and planar,
            hidden=hidden,
            scene=self.scene if explained and planar else None,
        )
        if name == WHOLE:
            page = replace(page, words="")
        elif caption and name not in ("", PLANE, STAGE):
            page = replace(page, head=f"{name}: {page.head}")
        return page if planar or not explained else self._explained(page, drawn)

    def _explained(self, page: Page, names: Sequence[str]) -> Page:
        """The page with what the figures of these names do not explain themselves."""
        problem = self.trace.problem
        box = boxed(problem)
        for figure in map(self.views.get, names):
            if isinstance(figure, Tree) and len(problem.classes) <= 2 and not box:
                return page  # it has a legend of its own
            if isinstance(figure, COLOURED):
                marks = legend(figure.layers) if isinstance(figure, Plot) else ()
                return replace(page, classes=classes_of(self.trace), marks=marks, box=box)
        return page

    def cell(self) -> Cell:
        """The words of the step, and nothing in place of its picture."""
        step = self.trace[self.index]
        head = step_of(self.trace, self.index, self.unit).capitalize()
        code = dict(self.trace.algorithm.code_lines(self.trace.params))
        return Cell(lambda painter, area: None, head, code.get(step.line, "").strip(), step.note)


def found_in(shown: Shown, places: Sequence[int], wanted: str) -> str:
    """The name of the view that `wanted` means in the last of the steps `places` that has it; ""
    for "".

    Raises EngineError where none has it.
    """
    for index in reversed(places if wanted else ()):
        with suppress(EngineError):
            return shown.at(index).find(wanted)
    return shown.at(places[-1]).find(wanted) if wanted else ""


def prepared_draw(shown: Shown, name: str, look: Look, area: QRectF) -> Draw:
    """As `Shown.draw`, for an area of this size; the surfaces of the plane are computed here, on
    the calling thread.
    """
    if not shown.trace.problem.plane or name not in ("", PLANE):
        return shown.draw(name, look)
    plane = prepared(
        shown.trace, shown.index, shown.scene, area, look.theme, look.ranges, look.hidden
    )
    plane.compute()
    return partial(paint_prepared, plane=plane, theme=look.theme, hatch=look.hatch)


def paint_stage(painter: QPainter, area: QRectF, *, shown: Shown, look: Look) -> None:
    """Paint the views on the stage, divided as they are there."""
    painter.fillRect(area, look.theme.colour("line"))
    for part in shown.stage:
        room = part.within(area)
        painter.save()
        painter.setClipRect(room)
        shown.draw(part.name, look)(painter, room)
        painter.restore()


def paint_whole(painter: QPainter, area: QRectF, *, shown: Shown, look: Look) -> None:
    """Paint what the stage shows, and beside or below it the line of code, the sentence and the
    formulas.
    """
    theme = look.theme
    painter.fillRect(area, theme.colour("plane"))
    if area.width() >= FLAT * area.height():
        wide = SHARE_BESIDE * area.width()
        picture = QRectF(area.left(), area.top(), wide, area.height())
        words = area.adjusted(wide + INSIDE, INSIDE, -INSIDE, -INSIDE)
    else:
        high = SHARE_BELOW * area.height()
        picture = QRectF(area.left(), area.top(), area.width(), high)
        words = area.adjusted(INSIDE, high + INSIDE, -INSIDE, -INSIDE)
    paint_stage(painter, picture, shown=shown, look=look)
    painter.save()
    painter.translate(words.topLeft())
    painter.scale(TYPE, TYPE)
    room = QRectF(0, 0, words.width() / TYPE, words.height() / TYPE)
    paint_words(painter, room, cell=shown.cell(), theme=theme)
    painter.restore()


def paint_absent(painter: QPainter, area: QRectF, *, theme: Theme) -> None:
    """Write that the step has no such picture."""
    painter.fillRect(area, theme.colour("plane"))
    painter.setFont(theme.font("body"))
    painter.setPen(theme.colour("ink3"))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, ABSENT)
