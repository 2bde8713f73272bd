"""The figure of a network: activations in the units, weights as line widths, deltas below the
units. Weights can be edited.
"""

from math import isfinite

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from engine.base.notation import fixed, number
from engine.scene.scene import Network
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.figures import shows
from gui.figures.network_layout import (
    ASIDE,
    COARSE,
    FULL,
    Link,
    NetworkLayout,
    Unit,
    current_units,
    is_disconnected,
    is_removed,
    shape_of,
    unit_name,
)
from gui.figures.network_look import paint_network
from gui.figures.scrolled import ScrolledFigure
from gui.look import theme
from gui.widgets.number_slider import plain
from gui.widgets.text_field import TextField

FIELD_WIDTH = 78
LEAST_SCALE = 0.85  # text of 12 pixels stays legible at 10


@shows(Network)
class NetworkFigure(ScrolledFigure):
    """Shows a `Network`. When the room is small it first shows less beside the units, then shrinks
    a little, then scrolls.

    hovered: “unit 1 0” or “link 0 2 1”; edit_wanted(layer, from, to, weight): a click on a link
    opened the field for its weight; edited((layer, from, to), weight): Enter set the weight

    laid: where units, links and numbers stand, before `scale`
    """

    edit_wanted = Signal(int, int, int, float)
    edited = Signal(object, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.network = Network("", (), ())
        # flying: fast playback
        self.editable, self.flying = True, False
        self.field: WeightField | None = None
        self.link: Link | None = None  # the link of the open field
        self.laid = NetworkLayout(self.network, 100, 100)
        self._laid_for: object = None
        self.scale = 1.0
        self._hinted: tuple[object, QSize] | None = None

    def set_figure(self, network: Network) -> None:
        shapes = [w.shape for w in network.weights]
        if shapes != [w.shape for w in self.network.weights]:
            self.close_field()
        self.network = network
        self._lay()
        self.content_changed()
        self._reveal()

    def _reveal(self) -> None:
        """Scroll to the current units."""
        now = [
            self.laid.circle(unit)
            for unit in current_units(self.network)
            if unit in self.laid.units
        ]
        if now:
            below = self.laid.below
            top = min(c.top() for c in now) - 4
            bottom = max(c.bottom() for c in now) + below + 4
            self.show_rows(top * self.scale, bottom * self.scale)

    def set_editable(self, editable: bool) -> None:
        """Set whether weights can be edited, that is, whether the run can go on from a changed
        weight.
        """
        self.editable = editable
        if not editable:
            self.close_field()

    # -- out ---------------------------------------------------------------------------------------

    def as_text(self) -> str:
        """The activations of every layer, then the weights into every unit; *
        before current units.
        """
        net = self.network
        now = current_units(self.network)
        lines = [net.title] if net.title else []
        for layer in range(len(net.activations)):
            units = [self._unit_text((layer, k), now) for k in range(len(net.activations[layer]))]
            lines.append(f"layer {layer}: {', '.join(units)}")
        for layer, weights in enumerate(net.weights):
            for j in range(weights.shape[1]):
                parts = [
                    self._weight_text((layer, i, j))
                    for i in range(len(weights))
                    if np.isfinite(weights[i, j])
                ]
                lines.append(f"weights into {unit_name(net, (layer + 1, j))}: {', '.join(parts)}")
        return "\n".join(lines)

    def _unit_text(self, unit: Unit, now: frozenset[Unit]) -> str:
        layer, k = unit
        delta = (
            f" (Δ {fixed(self.network.deltas[layer][k], 4)})"
            if self._delta(unit) is not None
            else ""
        )
        star = "*" if unit in now else ""
        if is_disconnected(self.network, unit):
            return f"{star}{unit_name(self.network, unit)} (removed)"
        value = float(self.network.activations[layer][k])
        return (
            f"{star}{unit_name(self.network, unit)}"
            f" {'?' if value != value else fixed(value, 2)}{delta}"
        )

    def _weight_text(self, link: Link) -> str:
        suffix = " (removed)" if is_removed(self.network, link) else ""
        return f"{unit_name(self.network, link[:2])} {fixed(self.weight(link), 2)}{suffix}"

    def weight(self, link: Link) -> float:
        """The weight of a link."""
        layer, start, end = link
        return float(self.network.weights[layer][start, end])

    def _delta(self, unit: Unit) -> float | None:
        """The delta of a unit; None while it is unknown."""
        layer, k = unit
        known = layer < len(self.network.deltas) and k < len(self.network.deltas[layer])
        value = float(self.network.deltas[layer][k]) if known else float("nan")
        return value if isfinite(value) else None

    def tag_at(self, at: QPointF) -> str:
        unit, link = self._under(at)
        if unit is not None:
            return f"unit {unit[0]} {unit[1]}"
        return f"link {link[0]} {link[1]} {link[2]}" if link is not None else ""

    def tip_at(self, at: QPointF) -> str:
        unit, link = self._under(at)
        if unit is not None:
            return self._unit_tip(unit)
        if link is None:
            return ""
        names = (
            f"{unit_name(self.network, link[:2])} →"
            f" {unit_name(self.network, (link[0] + 1, link[2]))}"
        )
        if is_removed(self.network, link):
            return f"{names}: removed"
        hint = "\nClick to set it by hand" if self.editable else ""
        return f"{names}: weight {number(self.weight(link), 4)}{hint}"

    def _unit_tip(self, unit: Unit) -> str:
        layer, k = unit
        name = unit_name(self.network, unit)
        if k >= len(self.network.activations[layer]):
            return f"{name}: always 1"
        if is_disconnected(self.network, unit):
            return f"{name}: removed"
        delta = self._delta(unit)
        more = f", Δ {number(delta, 4)}" if delta is not None else ""
        value = float(self.network.activations[layer][k])
        return f"{name}: {'not known yet' if value != value else number(value, 4)}{more}"

    def _under(self, at: QPointF) -> tuple[Unit | None, Link | None]:
        """(unit, link) at a place of the content, None for either; no link under a unit."""
        at = at / self.scale
        unit = self.laid.unit_at(at)
        return unit, (self.laid.link_at(at) if unit is None else None)

    # -- measures and painting ---------------------------------------------------------------------

    def _lay(self) -> None:
        """Choose the layout with the most detail that fits; else a slightly smaller one; else the
        full one, which scrolls.

        Measure the room without scroll bars: they would otherwise appear and vanish forever.
        Without deltas the detail ASIDE is not tried.
        """
        room = self.maximumViewportSize()
        about = shape_of(self.network), room, theme.current().key
        if about == self._laid_for:
            self.laid.network = self.network
            return
        self._laid_for = about
        wide, high = float(room.width()), float(room.height())
        for detail in (FULL, ASIDE, COARSE) if self.network.deltas else (FULL, COARSE):
            laid = NetworkLayout(self.network, wide, high, detail)
            if laid.size[0] <= wide and laid.size[1] <= high:
                self.laid = laid
                self.scale = 1.0
                return
        scale = min(1.0, wide / laid.size[0], high / laid.size[1])
        if scale >= LEAST_SCALE:
            self.laid = NetworkLayout(self.network, wide / scale, high / scale, COARSE)
            self.scale = scale
        else:
            laid = NetworkLayout(self.network, wide, high)
            down = laid.size[1] > high
            across = laid.size[0] > wide
            bar = self.verticalScrollBar().sizeHint().width()
            self.laid = NetworkLayout(self.network, wide - bar * down, high - bar * across)
            self.scale = 1.0

    def place(self, link: Link) -> QPointF:
        """The middle of a link, in coordinates of the content."""
        return self.laid.on_link(link, 0.5) * self.scale

    def content_size(self, width: int) -> QSize:
        return QSize(*(int(side * self.scale) for side in self.laid.size))

    @guarded
    def sizeHint(self) -> QSize:
        """The preferred size, independent of the weights, so that no step changes the layout
        around.
        """
        net = self.network
        shapes = tuple(w.shape for w in net.weights)
        about = shapes, net.names, net.outputs, net.digits, len(net.deltas), theme.current().key
        if self._hinted is None or self._hinted[0] != about:
            wide, high = NetworkLayout(net, 300, 100).size
            self._hinted = about, QSize(max(160, min(wide, 420)), max(120, min(high, 420)))
        return self._hinted[1]

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, 110)

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        painter.scale(self.scale, self.scale)
        part = QRectF(visible.topLeft() / self.scale, visible.size() / self.scale)
        paint_network(painter, self.laid, self.lit, part, self.flying)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay()
        super().resizeEvent(event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._lay()
        super().changeEvent(event)

    @guarded
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.close_field()
        self.viewport().update()

    # -- setting a weight --------------------------------------------------------------------------

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        hand = self._link_to_edit(event.position()) is not None
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        link = self._link_to_edit(event.position())
        self.close_field()
        if link is not None and event.button() == Qt.MouseButton.LeftButton:
            self.open_field(link)

    def _link_to_edit(self, at: QPointF) -> Link | None:
        """The editable link at a place of the viewport; None where there is none."""
        _, link = self._under(at + self.origin())
        return (
            link
            if self.editable and link is not None and not is_removed(self.network, link)
            else None
        )

    def open_field(self, link: Link) -> None:
        """Open a small field on the link: Enter sets the weight, Escape closes."""
        self.link = link
        self.edit_wanted.emit(*link, self.weight(link))
        field = WeightField(self.weight(link), self.viewport())
        field.entered.connect(self._enter)
        field.left.connect(self.close_field)
        at = self.place(link) - self.origin()
        size = QSize(FIELD_WIDTH, field.sizeHint().height())
        room = self.viewport().size() - size
        x = at.x() - size.width() / 2
        y = at.y() - size.height() / 2
        field.setGeometry(
            int(max(0.0, min(x, room.width()))),
            int(max(0.0, min(y, room.height()))),
            size.width(),
            size.height(),
        )
        self.field = field
        field.show()
        field.selectAll()
        field.setFocus(Qt.FocusReason.MouseFocusReason)

    def close_field(self) -> None:
        """Close the field without setting the weight."""
        field = self.field
        self.field = None
        self.link = None
        if field is not None:
            field.hide()
            field.deleteLater()

    def _enter(self, value: float) -> None:
        link = self.link
        self.close_field()
        if link is not None:
            self.edited.emit(link, value)


class WeightField(TextField):
    """The field for a weight. left: Escape was pressed or the focus moved away; nothing is set."""

    left = Signal()

    def __init__(self, value: float, parent: QWidget) -> None:
        super().__init__(
            read_weight, lambda w: f"{w:.5g}".replace("-", "−"), "Weight of this link", parent
        )
        self.set_value(value)
        self.refused.connect(lambda why: self.setToolTip(tip(why)))

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape or (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.isModified()
        ):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        QLineEdit.focusOutEvent(self, event)
        self.left.emit()


def read_weight(text: str) -> float:
    """The number in `text`. Raises `ValueError` with a sentence to show when it is none or not
    finite.
    """
    try:
        value = float(plain(text))
    except ValueError:
        raise ValueError("A weight is a number, such as −0.5.") from None
    if not isfinite(value):
        raise ValueError("A weight has to be finite.")
    return value
