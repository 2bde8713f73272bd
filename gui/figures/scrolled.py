"""The base class of figures that paint and scroll their own content."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QSizePolicy, QWidget

from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style


class ScrolledFigure(QAbstractScrollArea):
    """A scroll area whose subclasses give the size of the content, paint its visible part and give
    the tag at a place.

    hovered: tag under the pointer, '' when it leaves
    """

    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lit: frozenset[str] = frozenset()
        self.zoom = 1.0  # pixels for one of the content
        self._tag = ""
        self._hint = QSize()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)

    # -- for subclasses ----------------------------------------------------------------------------

    def content_size(self, width: int) -> QSize:
        """The size of the content for a viewport of `width` pixels."""
        return QSize(width, 0)

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        """Paint what lies in `visible`, in coordinates of the content."""

    def tag_at(self, at: QPointF) -> str:
        """The tag at a place of the content."""
        return ""

    def tip_at(self, at: QPointF) -> str:
        """The tool tip at a place of the content, such as a text that is cut there."""
        return ""

    # -- the rest ----------------------------------------------------------------------------------

    def content_changed(self) -> None:
        """Fit the scroll bars to new content and repaint. The scroll position stays."""
        self._fit()
        style.read_aloud(self, self.as_text, self.name())
        hint = self.sizeHint()
        if hint != self._hint:  # spares a layout of the surroundings at each step
            self._hint = hint
            self.updateGeometry()
        self.viewport().update()

    def as_text(self) -> str:
        """The figure as plain text."""
        return ""

    def name(self) -> str:
        """A short accessible name: every stop of the Tab key needs one."""
        return "Figure"

    def set_lit(self, tags: frozenset[str]) -> None:
        if tags != self.lit:
            self.lit = tags
            self.viewport().update()

    def origin(self) -> QPointF:
        """The viewport's top left corner, in pixels from that of the content."""
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def in_content(self, at: QPointF) -> QPointF:
        """The place of the content at a place of the viewport."""
        return (at + self.origin()) / self.zoom

    def in_view(self, at: QPointF) -> QPointF:
        """The place of the viewport at a place of the content."""
        return at * self.zoom - self.origin()

    def show_rows(self, top: float, bottom: float) -> None:
        """Scroll just far enough to show the content between two heights."""
        _show(self.verticalScrollBar(), self.viewport().height(), top, bottom)

    def show_columns(self, left: float, right: float) -> None:
        """Scroll just far enough to show the content between two places along the width."""
        _show(self.horizontalScrollBar(), self.viewport().width(), left, right)

    def _fit(self) -> None:
        room = self.maximumViewportSize()
        size = self.content_size(room.width())
        if (
            size.width() > room.width() or size.height() > room.height()
        ):  # else each bar would make the other necessary
            room = self.viewport().size()
            size = self.content_size(room.width())
        for bar, whole, part in (
            (self.horizontalScrollBar(), size.width(), room.width()),
            (self.verticalScrollBar(), size.height(), room.height()),
        ):
            bar.setRange(0, max(0, whole - part))
            bar.setPageStep(part)
            bar.setSingleStep(20)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self.content_changed()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(-self.origin())
            painter.scale(self.zoom, self.zoom)
            seen = QRectF(event.rect())
            corners = map(self.in_content, (seen.topLeft(), seen.bottomRight()))
            self.paint_content(painter, QRectF(*corners))

    @guarded
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point_at("")
        return super().viewportEvent(event)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.in_content(event.position())
        self._point_at(self.tag_at(at))
        self.viewport().setToolTip(tip(self.tip_at(at)))

    def _point_at(self, tag: str) -> None:
        if tag != self._tag:
            self._tag = tag
            self.hovered.emit(tag)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the event to the panel around where nothing scrolls here."""
        bar = self.verticalScrollBar()
        if bar.maximum() == 0 and self.horizontalScrollBar().maximum() == 0:
            event.ignore()
            return
        super().wheelEvent(event)


def _show(bar: QScrollBar, room: int, low: float, high: float) -> None:
    """Move a scroll bar just far enough to show what is between two places; the first of them where
    the room is too small for both.
    """
    if low < bar.value() or high - low > room:
        bar.setValue(int(low))
    elif high > bar.value() + room:
        bar.setValue(int(high - room + 0.999))
