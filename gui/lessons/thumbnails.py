"""Small pictures: of lessons, drawn from a page that shows a step and kept as files; of prepared
changes, drawn from the first step of their runs.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QRectF, QSize, QSizeF, QTimer, Signal
from PySide6.QtGui import QPainter, QPixmap

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.what_next import WhatIf
from engine.lessons import steps
from engine.lessons.digest import hashed
from engine.lessons.lesson import Lesson
from engine.lessons.library import Head
from engine.lessons.package import open_lesson
from engine.runs.run import Run
from engine.scene.axes import comparable
from engine.scene.figures import Table, Tree
from engine.scene.layers import Points, Polyline
from engine.scene.roles import Role
from engine.scene.scene import Plot
from engine.scene.views import View
from gui.dialogs.job import Job, Tick
from gui.look import theme
from gui.painters.axes import fit_view
from gui.painters.view import View as Ranges

if TYPE_CHECKING:
    from gui.export.page import Draw
    from gui.export.shown import Shown
    from gui.look.theme import Theme

SCALE = 0.5  # of the theme's sizes
FINER = 2  # pixels of a picture for each pixel of the smallest card, either way
BETWEEN_MS = 15  # from one picture to the next
NEAR, FEW = 0.6, 20  # of the plane, around what changes; all of it for so few rows
WIDER = 1.25  # than the rows, where all are shown


class Drawn(Record):
    """A step that a picture shows.

    name: of the view that leads
    about: (m, 2) the places on the plane that the picture is about; None for a plane with the
        numbers of its axes, and for figures
    """

    shown: "Shown"
    name: str
    about: Float | None = None


class Ready(Record):
    """A picture whose surfaces are computed. draw: paints it into `area`"""

    draw: "Draw"
    area: QRectF


class Thumbnails(QObject):
    """Makes pictures of lessons in a queue, one after the other.

    made: the picture of this lesson is there
    """

    made = Signal(object)

    def __init__(self, folder: Path, size: QSize) -> None:
        """folder: where pictures are kept; size: of each, in pixels, of which it has FINER as many
        either way
        """
        super().__init__()
        self.folder, self.size = folder, size
        self._known: dict[tuple[Path, str], QPixmap] = {}
        self._wanted: list[Head] = []
        self._now: Head | None = None
        self._look = theme.current().key  # in which it is drawn
        self._job = Job("This lesson could not be drawn.")
        self._job.done.connect(self._on_done)
        self._next = QTimer(self, singleShot=True, interval=BETWEEN_MS)
        self._next.timeout.connect(self._begin)

    def picture(self, head: Head) -> QPixmap | None:
        """The picture of a lesson; None while it is not made, which this asks for."""
        key = head.path, theme.current().name
        if key not in self._known:
            kept = QPixmap(str(self._file(head)))
            if not kept.isNull():
                self._known[key] = kept
            elif head is not self._now and head not in self._wanted:
                self._wanted.append(head)
                if not self._job.busy:
                    self._next.start()
        return self._known.get(key)

    def forget(self) -> None:
        """Forget what is not begun: those that are seen now ask again."""
        self._wanted.clear()

    def stop(self) -> None:
        """Give up what is not made yet."""
        self._wanted.clear()
        self._next.stop()
        self._job.cancel()
        self._now = None

    def _file(self, head: Head) -> Path:
        try:
            when = head.path.stat().st_mtime_ns
        except OSError:
            when = 0
        name = hashed(str(head.path), when, FINER * self.size.width(), theme.current().name)
        return self.folder / f"{name}.png"

    def _begin(self) -> None:
        if self._wanted and not self._job.busy:
            self._now = head = self._wanted.pop(0)
            size, look = QSizeF(self.size) / SCALE, theme.current()
            self._look = look.key
            self._job.start(lambda tick: ready(drawn(head.path, tick), size, look))

    def _on_done(self, found: object) -> None:
        head, self._now = self._now, None
        if head is not None and self._look != theme.current().key:
            self.made.emit(head)  # made for another theme; its card queues it again when painted
        elif head is not None:
            picture = QPixmap(self.size * FINER)
            picture.fill(theme.current().colour("plane"))
            if isinstance(found, Ready):
                with QPainter(picture) as painter:
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.scale(FINER * SCALE, FINER * SCALE)
                    found.draw(painter, found.area)
                self._keep(head, picture)
            self._known[head.path, theme.current().name] = picture
            self.made.emit(head)
        if self._wanted:
            self._next.start()

    def _keep(self, head: Head, picture: QPixmap) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return
        picture.save(str(self._file(head)))


def ready(found: Drawn, size: QSizeF, look: "Theme") -> Ready:
    """The picture of a step with all that is computed for it; any thread may call it.

    size: of the picture, in pixels of the theme `look`
    """
    from gui.export.shown import Look, prepared_draw

    area = QRectF(0, 0, size.width(), size.height())
    return Ready(prepared_draw(found.shown, found.name, Look(look), area), area)


def drawn(path: Path, tick: Tick) -> Drawn:
    """The step that stands for a lesson; raises EngineError where it cannot be found."""
    from gui.export.shown import Shown  # here, as the window would stand still meanwhile

    found = open_lesson(path)
    if found.lesson is None or not found.lesson.pages:
        raise EngineError("This lesson has no page.")
    lesson = found.lesson
    page = telling_page(lesson)
    traces = steps.run_lanes(lesson, page, found.files, stop=_stopping(tick))
    place = steps.stand(lesson.pages[page], traces, lesson.view.unit).shown[0]
    return telling(Shown(place.trace, place.cursor), lesson.view.pictures)


def leading(shown: "Shown", pictures: Sequence[str]) -> Drawn:
    """The step with the view that the lesson, or else the step, shows first."""
    try:
        name = shown.find(pictures[0]) if pictures else shown.stage[0].name
    except EngineError:
        name = shown.stage[0].name
    return Drawn(shown, name if name in shown.views else "")


def telling(shown: "Shown", pictures: Sequence[str]) -> Drawn:
    """The step with the view that leads; where that is next to nothing, a tree without a test, a
    table of one row or curves that have not begun, with the next view: points, or the examples.
    """
    first = leading(shown, pictures)
    own = (leading(shown, [name]).name for name in (*pictures[1:], *shown.views))
    names = [name for name in (first.name, *own) if not _is_bare(shown.views.get(name))]
    return replace(first, name=names[0]) if names else first


def _is_bare(view: View) -> bool:
    """Whether a view is one box, one row or an empty plot, as many runs begin."""
    if isinstance(view, Plot):
        dots = [each for each in view.layers if isinstance(each, Points) and len(each.xy)]
        lines = [each for each in view.layers if isinstance(each, Polyline)]
        measured = any(each.role is not Role.INACTIVE for each in dots)
        return not measured and any(len(each.xy) < 2 for each in lines)
    if isinstance(view, Table):
        return len(view.names) < 2
    return isinstance(view, Tree) and len(view.nodes) < 2


def _stopping(tick: Tick) -> Callable[[], bool]:
    return lambda: not tick(0.0)


def telling_page(lesson: Lesson) -> int:
    """The number of the first page that goes to a step, from 0; the first where none does."""
    for number, page in enumerate(lesson.pages):
        shows = page.where.event or page.where.line or page.where.step > 0
        if shows and "regions" not in page.hide:
            return number
    return 0


class Starts(QObject):
    """Makes the pictures of prepared changes, one after the other.

    made: (number of the change, its picture)
    """

    made = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self._size = QSize()
        self._waiting: list[tuple[int, WhatIf]] = []
        self._document: Document | None = None
        self._job = Job("This change could not be drawn.")
        self._job.done.connect(self._on_done)

    def make(self, changes: Sequence[WhatIf], document: Document, size: QSize) -> None:
        """Draw these changes of the lanes of a document; gives up those before.

        size: of each, in pixels
        """
        self._waiting, self._document = list(enumerate(changes)), document
        self._size = size
        self._next()

    def stop(self) -> None:
        self._waiting.clear()
        self._job.cancel()

    def _next(self) -> None:
        document = self._document
        if self._waiting and document is not None:
            change = self._waiting[0][1]
            self._job.start(lambda tick: begun(change, document))

    def _on_done(self, found: object) -> None:
        if not self._waiting:
            return
        number, _ = self._waiting.pop(0)
        if isinstance(found, Drawn):
            picture = QPixmap(self._size)
            picture.fill(theme.current().colour("plane"))
            paint(picture, found)
            self.made.emit(number, picture)
        self._next()


def begun(change: WhatIf, document: Document) -> Drawn:
    """The first step of a changed lane, with what changes; raises EngineError."""
    from gui.export.shown import Shown

    lane = change.lane
    own = replace(document, lanes=(lane,), compared=None).of_lane(0)
    run = Run(lane.algorithm, own.problem(), lane.params, lane.seed)
    run.advance(max_steps=1)
    if not len(run.trace):
        raise EngineError("The run has no step.")
    scene = lane.algorithm.scene(run.trace.given, run.trace[0])
    marks = tuple(replace(each, label=()) for each in change.marks if isinstance(each, Points))
    scene = replace(scene, layers=(*scene.layers, *marks))
    found = leading(Shown(run.trace, 0, scene=scene), ())
    planar = found.shown.views.get(found.name, found) is None
    about = marks[0].xy if marks else run.trace.problem.xy
    return replace(found, about=about) if planar and len(about) else found


def paint(picture: QPixmap, found: Drawn) -> None:
    """Paint a step into a picture, with the view that leads."""
    from gui.export.shown import Look

    area = QRectF(0, 0, picture.width() / SCALE, picture.height() / SCALE)
    look = Look(theme.current(), ranges=None if found.about is None else _near(found, area))
    draw = found.shown.draw(found.name, look)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(SCALE, SCALE)
        draw(painter, area)


def _near(found: Drawn, area: QRectF) -> Ranges:
    """The part of the plane around what a picture is about, without the numbers of the axes."""
    trace = found.shown.trace
    equal = found.shown.scene.equal_scales or (
        trace.algorithm.needs.numeric and comparable(trace.problem)
    )
    whole = fit_view(trace.problem, area, equal)
    near = NEAR if trace.problem.n > FEW else 1.0
    ranges = []
    for (low, high), places in zip((whole.x, whole.y), found.about.T, strict=True):
        room = min(high - low, max((high - low) * near, WIDER * float(np.ptp(places))))
        middle = float(places.min() + places.max()) / 2
        begin = min(max(middle - room / 2, low), high - room)
        ranges.append((begin, begin + room))
    return Ranges(ranges[0], ranges[1], area)
