"""Figures of a step, painted on any device by the widgets that show them in the window."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from engine.base.errors import EngineError
from engine.scene.figures import Figure
from engine.scene.scene import Scene
from engine.table.problem import Problem
from gui.look import style
from gui.look import theme as themes
from gui.look.theme import Theme

MARGIN, LEAST = 16, 60  # round the figures of a table without a plane, and their least height
ROUND = 12.0  # pixels round a single figure
# sizes of a figure that scrolls, relative to its picture: the first that leaves nothing out makes
# its type as large as can be
FACTORS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75)
PART = "A part of it; a larger picture shows more."
CHILDREN = QWidget.RenderFlag.DrawChildren


@contextmanager
def in_theme(theme: Theme) -> Iterator[None]:
    """A context in which `theme` is the current theme, which widgets and formulas use."""
    before = themes.current().key
    themes.use(theme.name)
    try:
        yield
    finally:
        themes.use(*before)


def paint_figure(
    painter: QPainter,
    area: QRectF,
    *,
    figure: Figure,
    problem: Problem,
    theme: Theme,
    turned: Any = None,
) -> None:
    """Paint a figure into `area`: all of it, in type as large as can be, or else the part that a
    person would see first.

    turned: the widget that shows a figure of this kind, whose angle is taken over
    """
    painter.fillRect(area, theme.colour("plane"))
    with in_theme(theme):
        widget = widget_of(figure, problem, theme)
        if turned is not None and hasattr(widget, "stand_as"):
            widget.stand_as(turned)
        room = area.adjusted(ROUND, ROUND, -ROUND, -ROUND)
        factor = _best_factor(widget, room)
        if leaves_out(widget):
            room.setHeight(room.height() - theme.line_height("caption"))
            painter.setFont(theme.font("caption"))
            painter.setPen(theme.colour("ink3"))
            below = QRectF(room.left(), room.bottom(), room.width(), ROUND + room.height())
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, PART)
        render(widget, painter, room, factor)


def widget_of(figure: Figure, problem: Problem, theme: Theme) -> Any:
    """A widget that shows the figure as the stage does, without scroll bars."""
    from gui.figures import FIGURES
    from gui.figures.for_problem import suit

    widget: Any = FIGURES[type(figure)]()
    widget.setPalette(style.palette(theme))
    sheet = style.style_sheet(theme)
    if QApplication.instance().styleSheet() not in ("", sheet):  # the window has another theme
        widget.setStyleSheet(sheet + widget.styleSheet())
    suit(widget, problem)
    for setting in ("set_large", "set_roomy"):
        if hasattr(widget, setting):
            getattr(widget, setting)(True)
    if hasattr(widget, "printed"):
        widget.printed = True
    widget.set_figure(figure)
    for part in scrolled(widget):
        part.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        part.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return widget


def scrolled(widget: QWidget) -> list[QAbstractScrollArea]:
    """The parts of a widget that can scroll, the widget itself included."""
    parts = (widget, *widget.findChildren(QAbstractScrollArea))
    return [part for part in parts if isinstance(part, QAbstractScrollArea)]


def _best_factor(widget: QWidget, area: QRectF) -> float:
    """The first of `FACTORS` at which nothing is left out; 1 where there is none, or where the
    figure takes all the room it gets.
    """
    for factor in FACTORS if scrolled(widget) else ():
        widget.resize(round(area.width() * factor), round(area.height() * factor))
        settle(widget)
        if not leaves_out(widget):
            return factor
    widget.resize(round(area.width()), round(area.height()))
    settle(widget)
    return 1.0


def leaves_out(widget: QWidget) -> bool:
    """Whether a part of the figure could be seen by scrolling only."""
    return any(
        part.verticalScrollBar().maximum() > 0 or part.horizontalScrollBar().maximum() > 0
        for part in scrolled(widget)
    )


def settle(widget: QWidget) -> None:
    """Let a widget that was never shown take its size: it does so when it is painted."""
    nowhere = QImage(1, 1, QImage.Format.Format_RGB32)
    with QPainter(nowhere) as painter:
        widget.render(painter, QPoint(), QRegion(0, 0, 1, 1), CHILDREN)


def render(widget: QWidget, painter: QPainter, area: QRectF, factor: float = 1.0) -> None:
    """Paint a widget into `area`, its type smaller by `factor`."""
    widget.resize(round(area.width() * factor), round(area.height() * factor))
    settle(widget)
    painter.save()
    painter.translate(area.topLeft())
    painter.scale(1 / factor, 1 / factor)
    widget.render(painter, QPoint(), QRegion(), CHILDREN)
    painter.restore()


def paint_figures(
    painter: QPainter, area: QRectF, *, problem: Problem, scene: Scene, theme: Theme
) -> None:
    """Paint the first two figures of a scene below each other, for a table without a plane.

    Raises EngineError if the scene has no figure.
    """
    if not scene.figures:
        raise EngineError(
            "This step has no picture: the table has no numeric column to show on a plane."
        )
    painter.fillRect(area, theme.colour("dock"))
    room = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    chosen = scene.figures[:2]
    with in_theme(theme):
        for figure in chosen:
            widget = widget_of(figure, problem, theme)
            high = room.height() if figure is chosen[-1] else _wished(widget, room)
            render(
                widget,
                painter,
                QRectF(room.topLeft(), room.size()).adjusted(0, 0, 0, high - room.height()),
            )
            room.setTop(room.top() + high + MARGIN)
            if room.height() < MARGIN:
                break


def _wished(widget: QWidget, room: QRectF) -> float:
    """The height that a figure wishes in this width, at most that of `room`."""
    wide = round(room.width())
    wished = (
        widget.heightForWidth(wide) if widget.hasHeightForWidth() else widget.sizeHint().height()
    )
    return min(room.height(), float(max(wished, LEAST)))
