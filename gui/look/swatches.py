"""The small pictures of legends: class markers and hatching."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.table.problem import Problem
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import example_box
from gui.look.style import describe
from gui.look.symbols import symbol_path
from gui.look.theme import CLASS_SHAPES, Theme

LEGEND_RADIUS = 6
HATCH_TILE = 6
HATCH_WIDTH = 1.4
HATCH_ALPHA = 0.8


def paint_marker(
    painter: QPainter, look: Theme, index: int, centre: QPointF, radius: float
) -> None:
    """The marker of a class as on the plane, without casing; a ghost ring for no class (−1)."""
    shape = CLASS_SHAPES[index % len(CLASS_SHAPES)] if index >= 0 else "circle"
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(
        Qt.PenStyle.NoPen if index >= 0 else QPen(look.colour("ghost"), 1.75 * look.stroke)
    )
    painter.setBrush(look.group(index) if index >= 0 else Qt.BrushStyle.NoBrush)
    painter.drawPath(symbol_path(shape, radius).translated(centre))


def boxed(problem: Problem | None) -> bool:
    """Whether classes are shown only by the light and dark boxes of tree and table.

    True for at most two classes without marks on a plane or a map of the inputs.
    """
    if problem is None or problem.plane or not 0 < len(problem.classes) <= 2:
        return False
    from engine.scene.boolean import has_map  # imported here, as the first window does without it

    return not has_map(problem)


def paint_class(
    painter: QPainter, look: Theme, index: int, centre: QPointF, radius: float, box: bool
) -> None:
    """The swatch of a class in a legend: its marker, or the box of an example."""
    if box and index >= 0:
        side = 2.4 * radius
        example_box(
            painter, QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side), "", index, 2
        )
    else:
        paint_marker(painter, look, index, centre, radius)


def marker_pixmap(index: int, size: int = 16, radius: float = 5.5, scale: float = 1.0) -> QPixmap:
    """The marker of a class for lists, menus and buttons."""
    picture = QPixmap(round(size * scale), round(size * scale))
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        paint_marker(painter, theme.current(), index, QPointF(size / 2, size / 2), radius)
    return picture


def marker_icon(index: int, size: int = 16) -> QIcon:
    """The marker of a class as an icon; icons.bind(button, lambda: marker_icon(i)) keeps it in the
    theme's colours.
    """
    look = theme.current()
    result = QIcon()
    for ratio in sorted(
        {1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}
    ):
        result.addPixmap(
            marker_pixmap(index, style.scale(look, size), style.scale(look, size) * 5.5 / 16, ratio)
        )
    return result


class ClassMarker(QWidget):
    """The marker of class `index` (−1: none), as in the legend of the data dock; box: drawn as the
    box of an example.
    """

    def __init__(
        self, index: int, accessible: str = "", parent: QWidget | None = None, box: bool = False
    ) -> None:
        super().__init__(parent)
        self._index, self.box = index, box
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        describe(self, accessible or f"marker of class {index + 1}")

    @guarded
    def sizeHint(self) -> QSize:
        side = style.scale(theme.current(), 16)
        return QSize(side, side)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            look = theme.current()
            middle = QRectF(self.rect()).center()
            paint_class(
                painter, look, self._index, middle, style.scale(look, LEGEND_RADIUS), self.box
            )


class HatchSwatch(QWidget):
    """A sample of the hatching that marks differences on the plane."""

    def __init__(self, accessible: str = "hatched", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        describe(self, accessible)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(style.scale(theme.current(), 26), style.scale(theme.current(), 18))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.fillRect(frame, look.colour("plane"))
            painter.setClipRect(frame)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.colour("ink", HATCH_ALPHA), HATCH_WIDTH * look.stroke))
            for x in range(-self.height(), self.width(), HATCH_TILE):
                painter.drawLine(QPointF(x, self.height()), QPointF(x + self.height(), 0))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(QPen(look.colour("ink"), 1))
            painter.drawRect(frame.adjusted(-0.5, -0.5, -0.5, -0.5))
