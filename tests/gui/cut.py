"""What is wrong with a window at a look: words that are cut, parts that lie on one another or
outside, bars within bars, empty room beside what is cut. Qt's own controls are measured, what the
program paints itself is overheard while it paints.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPaintDevice, QPainter, QPicture
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QToolButton,
    QWidget,
)

from gui.figures.matrix import MOST_ZOOM, MatrixFigure
from gui.figures.scrolled import ScrolledFigure
from gui.figures.table_cells import Header
from gui.figures.table_model import two_lines
from gui.frame.message import MessageLine
from gui.reading.note_view import FlowView
from gui.setup.dropdown import DropDown
from gui.stage.arrangement import LEAD
from gui.stage.stage import Pane, Stage
from gui.widgets.controls import ElidedLabel
from gui.widgets.edge import Edge

SLACK = 1.0  # pixels that a rounded size may be off
LEAST_EMPTY = 24  # pixels of height that are worth something to what is cut beside them
FLOATING = (Edge, MessageLine, DropDown)  # lie over others on purpose


class Fault(NamedTuple):
    """kind: 'cut', 'on one another', 'outside', 'bar in bar', 'empty beside cut', 'small lead',
    'grey half', 'in a corner'; where: the widget; words: what it says.
    """

    kind: str
    where: str
    words: str


def faults(top: QWidget) -> list[Fault]:
    """All that is wrong with the visible widgets of a window; what they paint is found by
    `Painted`.
    """
    seen = [top, *(w for w in top.findChildren(QWidget) if w.isVisible() and w.window() is top)]
    found = [Fault("cut", name(w), words) for w in seen for words in cut(w)]
    found += [Fault("outside", name(w), "") for w in seen if w is not top and is_outside(w)]
    found += [Fault("on one another", name(a), name(b)) for w in seen for a, b in overlaps(w)]
    bars = [w for w in seen if isinstance(w, QAbstractScrollArea) and scrolls(w)]
    found += [
        Fault("bar in bar", name(a), name(b))
        for a in bars
        for b in bars
        if a is not b and a.isAncestorOf(b)
    ]
    found += [fault for w in seen if isinstance(w, Stage) for fault in stage_faults(w)]
    return found + [Fault("empty beside cut", name(a), name(b)) for a, b in wasted(seen)]


def name(widget: QWidget) -> str:
    """The widget and what it lies in, up to the nearest with a name of its own."""
    line = []
    at = widget
    while at is not None and not at.isWindow() and len(line) < 3:
        if type(at) is not QWidget:
            line.append(type(at).__name__)
        at = at.parentWidget()
    return " < ".join(line)


# -- words of controls -----------------------------------------------------------------------------


def cut(widget: QWidget) -> list[str]:
    """The words of a widget that are not seen whole."""
    if isinstance(widget, FlowView):
        return [widget.as_text()] if flow_is_cut(widget) else []
    if isinstance(widget, ScrolledFigure):
        return [widget.as_text()[:60]] if widget.horizontalScrollBar().maximum() else []
    if isinstance(widget, QHeaderView):
        return [text for text, wide in sections(widget) if wanted(widget, text) > wide]
    if isinstance(widget, QTabBar):
        return [
            widget.tabText(k)
            for k in range(widget.count())
            if widget.tabRect(k).width() < wanted(widget, widget.tabText(k))
        ]
    words, room, needs = said(widget)
    return [words] if words and (needs[0] > room[0] + SLACK or needs[1] > room[1] + SLACK) else []


def wanted(widget: QWidget, text: str) -> float:
    return max(
        (QFontMetricsF(widget.font()).horizontalAdvance(line) for line in text.split("\n")),
        default=0.0,
    )


def said(widget: QWidget) -> tuple[str, tuple[float, float], tuple[float, float]]:
    """(words, the room they have, the room they need), widths and heights in pixels; no words where
    it has none.
    """
    nothing = "", (0.0, 0.0), (0.0, 0.0)
    rect = widget.contentsRect()
    line = QFontMetricsF(widget.font()).height()
    if isinstance(widget, ElidedLabel):
        shown, whole = (
            widget.text(),
            widget.full_text(),
        )  # something shorter may stand for it, but it must not end in “…”
        words = whole if shown.endswith("…") and shown != whole else shown
        return words, (rect.width(), rect.height()), (wanted(widget, words), line if words else 0)
    if isinstance(widget, QLabel) and widget.text():
        high = (
            widget.heightForWidth(widget.width())
            if widget.wordWrap()
            else widget.sizeHint().height()
        )
        wide = longest_word(widget) if widget.wordWrap() else wanted(widget, widget.text())
        return widget.text(), (rect.width(), widget.height()), (wide, high)
    if isinstance(widget, (QCheckBox, QRadioButton)) or type(widget).__name__ == "Fold":
        return (
            widget.text(),
            widget.size().toTuple(),
            widget.sizeHint().toTuple() if widget.text() else (0, 0),
        )
    if isinstance(widget, (QPushButton, QToolButton)) and widget.text() and not icon_only(widget):
        icon = widget.iconSize().width() + 4 if not widget.icon().isNull() else 0
        return (
            widget.text().replace("&", ""),
            rect.size().toTuple(),
            (wanted(widget, plain(widget)) + icon, line),
        )
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        parts = (
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            widget,
        )
        field = widget.style().subControlRect(*parts)
        return (
            widget.currentText(),
            (field.width() - 4, field.height()),
            (wanted(widget, widget.currentText()), line),
        )
    # what is typed moves along
    if isinstance(widget, QLineEdit) and not (widget.hasFocus() and widget.text()):
        text = widget.text() or widget.placeholderText()
        option = QStyleOptionFrame()
        widget.initStyleOption(option)
        field = widget.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, widget)
        margins = widget.textMargins()
        room = field.width() - margins.left() - margins.right()
        return (
            text,
            (room - 4, field.height() + 4),
            (wanted(widget, text), line if text else 0),
        )  # 2 on each side are Qt's
    return nothing


def plain(button: QAbstractButton) -> str:
    return button.text().replace("&&", "\0").replace("&", "").replace("\0", "&")


def icon_only(button: QAbstractButton) -> bool:
    return (
        isinstance(button, QToolButton)
        and not button.icon().isNull()
        and button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
    )


def longest_word(widget: QLabel) -> float:
    return max((wanted(widget, word) for word in widget.text().split()), default=0.0)


def sections(header: QHeaderView) -> Iterator[tuple[str, int]]:
    model = header.model()
    way = header.orientation()
    for k in range(header.count()) if model is not None else ():
        if not header.isSectionHidden(k) and way is Qt.Orientation.Horizontal:
            yield head(header, str(model.headerData(k, way) or "")), header.sectionSize(k)


def head(header: QHeaderView, text: str) -> str:
    """The head of a column as it is written, in two lines where the table wraps its heads."""
    if not (isinstance(header, Header) and header.view.wraps):
        return text
    return "\n".join(two_lines(text, QFontMetricsF(header.font()).horizontalAdvance))


def flow_is_cut(view: FlowView) -> bool:
    """Whether lines reach below it, or a word beyond its right edge."""
    wide = max(view.width(), 80)
    right = max((x + box.width for box, x, _ in view.sheet(wide).placed), default=0.0)
    return view.heightForWidth(wide) > view.height() + SLACK or right > view.width() + 2


# -- places ----------------------------------------------------------------------------------------


def is_outside(widget: QWidget) -> bool:
    """Whether it reaches beyond what it lies in; up and down it may where that scrolls."""
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or isinstance(widget, FLOATING):
        return False
    inner = widget.geometry()
    outer = parent.rect()
    area = parent.parentWidget()
    if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
        bar = area.verticalScrollBar()  # it may lie on the padding of what it scrolls
        return (
            inner.left() < -SLACK
            or inner.right() > outer.right() + SLACK + bar.isVisible() * bar.width()
        )
    return not outer.adjusted(-1, -1, 1, 1).contains(inner)


def overlaps(parent: QWidget) -> Iterator[tuple[QWidget, QWidget]]:
    """Visible children that share more than an edge, where none of them floats."""
    if parent.layout() is None and not isinstance(parent, QAbstractScrollArea):
        return
    found = parent.children()
    shown = [w for w in found if isinstance(w, QWidget) and w.isVisible() and not w.isWindow()]
    for a, b in combinations([w for w in shown if not isinstance(w, FLOATING)], 2):
        shared = a.geometry() & b.geometry()
        if shared.width() > 1 and shared.height() > 1:
            yield a, b


def scrolls(area: QAbstractScrollArea) -> bool:
    return area.verticalScrollBar().isVisible() or area.horizontalScrollBar().isVisible()


def wasted(seen: Sequence[QWidget]) -> Iterator[tuple[QWidget, QWidget]]:
    """Panels with empty room at their foot, and those in the same column that lack some."""
    panels = [w for w in seen if isinstance(w, (QScrollArea, ScrolledFigure))]
    cramped = [w for w in panels if w.verticalScrollBar().maximum() > 2]
    empty = [w for w in panels if w not in cramped and free(w) > LEAST_EMPTY]
    for a, b in ((a, b) for a in empty for b in cramped):
        if not (a.isAncestorOf(b) or b.isAncestorOf(a)) and in_column(a, b):
            yield a, b


def free(panel: QScrollArea | ScrolledFigure) -> int:
    """Pixels at its foot with nothing in them."""
    view = panel.viewport().size()
    if isinstance(panel, ScrolledFigure):
        return view.height() - panel.content_size(view.width()).height()
    parts = panel.widget().findChildren(QWidget)
    return view.height() - max(
        (foot(w, panel.widget()) for w in parts if w.isVisible() and speaks(w)), default=0
    )


def speaks(widget: QWidget) -> bool:
    """Whether it shows something of its own, and no room for others."""
    return isinstance(widget, (FlowView, QLabel, QAbstractButton, ScrolledFigure))


def foot(widget: QWidget, ground: QWidget) -> int:
    """Where it ends in `ground`: words where their last line does."""
    high = (
        widget.heightForWidth(widget.width()) if isinstance(widget, FlowView) else widget.height()
    )
    return widget.mapTo(ground, QPoint(0, min(high, widget.height()))).y()


def in_column(a: QWidget, b: QWidget) -> bool:
    left, right = (QRect(w.mapToGlobal(w.rect().topLeft()), w.size()) for w in (a, b))
    return abs(left.center().x() - right.center().x()) < min(left.width(), right.width()) / 4


# -- pictures on the stage -------------------------------------------------------------------------


def stage_faults(stage: Stage) -> Iterator[Fault]:
    """A lead picture that has less of the stage than it should although it could use it, a half
    without a picture, and a grid of numbers in a corner of its room.
    """
    lead = stage.recent()[-1] if stage.recent() else ""
    for view, pane in stage.panes():
        if pane.widget() is pane.absent:
            yield Fault("grey half", name(pane), view)
            continue
        share = pane.width() * pane.height() / max(1, stage.width() * stage.height())
        if view == lead and share < LEAD - 0.02 and not is_whole(stage, pane):
            yield Fault("small lead", name(pane), f"{view}: {share:.2f}")
        grid = pane.widget()
        if isinstance(grid, MatrixFigure) and is_in_a_corner(grid):
            yield Fault("in a corner", name(grid), view)


def is_whole(stage: Stage, pane: Pane) -> bool:
    """Whether a picture has all the room that it wants, in the direction that is divided."""
    axis = int(stage.arrangement.upright)
    return pane.figures.wish().enough[axis] <= pane.size().toTuple()[axis]


def is_in_a_corner(grid: MatrixFigure) -> bool:
    """Whether a grid fills neither the width nor the height of its room, and could be larger."""
    wide, high = grid.content_size(grid.width()).toTuple()
    fills = max(wide / max(1, grid.width()), high / max(1, grid.height())) > 0.9
    return not fills and grid.zoom < MOST_ZOOM


# -- what is painted -------------------------------------------------------------------------------


class Held(QObject):
    """A window that paints only on request, and then what has changed since."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.window = window
        self._holds = True
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return self._holds and event.type() == QEvent.Type.UpdateRequest

    @contextmanager
    def let_go(self) -> Iterator[None]:
        self._holds = False
        yield
        self._holds = True

    def paint_changed(self) -> None:
        with self.let_go():
            QApplication.sendEvent(self.window, QEvent(QEvent.Type.UpdateRequest))

    def resize(self, size: tuple[int, int]) -> None:
        """The window in another size, in which all is to be painted."""
        self.window.setUpdatesEnabled(False)
        self.window.resize(*size)
        QApplication.processEvents()
        self.window.setUpdatesEnabled(True)


class Painted:
    """What the program's own painting says while it is listened to: texts that leave what they are
    painted on or lie outside the clip, and texts that were elided. `found` empties itself with each
    call.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[bool, Fault], None] = {}
        self._elided: set[str] = set()

    def found_again(self, held: "Held") -> list[Fault]:
        """What is wrong now, if painting what has changed since the last look tells of anything:
        what has not changed said of it then.
        """
        held.paint_changed()
        if not self._found:
            return []
        with held.let_go():
            return self.found(held.window)

    def found(self, top: QWidget) -> list[Fault]:
        """What is wrong now: all is painted once more, as what was seen for a moment only does not
        count. Pictures that are kept are painted when they change: what was wrong with them since
        the last call.
        """
        self._found = {key: None for key in self._found if key[0]}
        top.repaint()
        found = [fault for _, fault in self._found]
        self._found = {}
        return found

    @contextmanager
    def listening(self) -> Iterator["Painted"]:
        text = QPainter.drawText
        still = QPainter.drawStaticText
        elide = QFontMetrics.elidedText

        def draw_text(painter: QPainter, *given: Any) -> Any:
            self._hear(painter, *given)
            return text(painter, *given)

        def draw_static(painter: QPainter, place: Any, laid: Any) -> Any:
            self._hear(
                painter,
                QPointF(place) + QPointF(0, QFontMetricsF(painter.font()).ascent()),
                laid.text(),
            )
            return still(painter, place, laid)

        def elided(metrics: QFontMetrics, words: str, *given: Any) -> str:
            shown = elide(metrics, words, *given)
            if shown != words:
                self._elided.add(shown)
            return shown

        QPainter.drawText, QPainter.drawStaticText = draw_text, draw_static  # type: ignore[method-assign,assignment]
        QFontMetrics.elidedText = elided  # type: ignore[method-assign,assignment]
        try:
            yield self
        finally:
            QPainter.drawText, QPainter.drawStaticText = text, still  # type: ignore[method-assign]
            QFontMetrics.elidedText = elide  # type: ignore[method-assign]

    def _hear(self, painter: QPainter, place: Any, *rest: Any) -> None:
        words = str(rest[-1])
        device = painter.device()
        metrics = QFontMetricsF(painter.font())
        kept = not isinstance(device, QWidget)
        if not words.strip() or isinstance(device, QPicture):  # pyqtgraph's, of numbers on an axis
            return
        if isinstance(place, (QRectF, QRect)):
            box = metrics.boundingRect(QRectF(place), int(rest[0]), words)
            room = QRectF(place)
            if (
                box.width() > room.width() + SLACK
                or box.height() > room.height() + metrics.descent()
            ):
                self._note("cut", device, words)
        else:
            box = QRectF(
                place.x(),
                place.y() - metrics.capHeight(),
                metrics.horizontalAdvance(words),
                metrics.capHeight(),
            )
        if words in self._elided:
            self._note("elided", device, words)
        at = painter.worldTransform().mapRect(box)
        ratio = device.devicePixelRatio() if kept else 1.0
        whole = QRectF(0, 0, device.width() / ratio, device.height() / ratio)
        listed = type(device) is QPaintDevice  # a row of one of Qt's lists, which scrolls
        # else it is scrolled away
        if not listed and whole.intersects(at) and not reached(device, whole).contains(at):
            self._note("painted over the edge", device, words)

    def _note(self, kind: str, device: Any, words: str) -> None:
        kept = not isinstance(device, QWidget)
        self._found[kept, Fault(kind, type(device).__name__ if kept else name(device), words)] = (
            None
        )


def reached(device: Any, whole: QRectF) -> QRectF:
    """Where words may stand: also beyond an edge to which they can be scrolled."""
    area = device if isinstance(device, QWidget) else None
    while isinstance(area, QWidget) and (
        not isinstance(area, QAbstractScrollArea) or isinstance(area, QHeaderView)
    ):
        area = area.parentWidget()
    far = 1e6
    across, down = (
        (
            far * bool(area.horizontalScrollBar().maximum()),
            far * bool(area.verticalScrollBar().maximum()),
        )
        if isinstance(area, QAbstractScrollArea)
        else (0.0, 0.0)
    )
    return whole.adjusted(-SLACK - across, -SLACK - down, SLACK + across, SLACK + down)
