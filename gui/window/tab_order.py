"""Where Tab goes: through the parts of the window in turn, in each in reading order, whatever the
order of creation.

Do not call focusProxy() or the like here: PySide would make the returned widget a child of its
caller. A viewport, whose proxy is the area it lies in, then owned its own parent, and the collector
freed both (tests/gui/family.py).
"""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QWidget,
)

from gui.setup.dropdown import DropDown

WHOLE = (QComboBox, QAbstractSpinBox)  # the field inside them is no stop of its own


def move(parts: Sequence[QWidget], forward: bool) -> bool:
    """Give the focus to the next or previous widget in these parts; False where there is none."""
    there = next(_from([part for part in parts if part.isVisible()], forward), None)
    if there is None:
        return False
    there.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _reveal(there)
    return True


def _from(parts: Sequence[QWidget], forward: bool) -> Iterator[QWidget]:
    """All widgets that Tab reaches, once round from the focused one, or from the first one if
    that no longer exists.

    Lazy: a part is searched only when the last one has come to its end.
    """
    here = _opener(QApplication.focusWidget())
    own = next(
        (
            k
            for k, part in enumerate(parts)
            if here is not None and (part is here or part.isAncestorOf(here))
        ),
        0,
    )
    order = [*parts[own:], *parts[:own]] if forward else [*parts[own::-1], *parts[:own:-1]]
    first = _stops(order[0], here, forward) if order else []
    if here in first:
        at = first.index(here) + 1
    else:
        order = [*parts] if forward else [*reversed(parts)]
        at = 0
        first = _stops(order[0], here, forward) if order else []
    yield from first[at:]
    for part in order[1:]:
        yield from _stops(part, here, forward)
    yield from first[:at]


def _stops(part: QWidget, here: QWidget | None, forward: bool) -> list[QWidget]:
    return _within(part, here)[:: 1 if forward else -1]


def _within(widget: QWidget, here: QWidget | None) -> list[QWidget]:
    """The widgets that Tab reaches in `widget`, itself first, in reading order."""
    parts = (
        []
        if isinstance(widget, WHOLE)
        else [c for c in widget.children() if isinstance(c, QWidget)]
    )
    parts = [part for part in parts if not part.isWindow() and not part.isHidden()]
    inner = {part: found for part in parts if (found := _within(part, here))}
    own = [widget] if widget is here or _takes_tab(widget) else []
    return own + [stop for part in _as_read(list(inner)) for stop in inner[part]]


def _takes_tab(widget: QWidget) -> bool:
    area = widget.parentWidget()
    # the area has the focus instead
    if isinstance(area, QAbstractScrollArea) and widget is area.viewport():
        return False
    return (
        widget.isEnabled()
        and (widget.focusPolicy() & Qt.FocusPolicy.TabFocus) == Qt.FocusPolicy.TabFocus
    )


def _as_read(widgets: list[QWidget]) -> list[QWidget]:
    """The widgets row by row from the top, each row from the left.

    A widget belongs to a row if its middle lies above the bottom of all others in it.
    """
    rows: list[list[QWidget]] = []
    for widget in sorted(widgets, key=QWidget.y):
        middle = widget.geometry().center().y()
        if rows and middle <= min(other.geometry().bottom() for other in rows[-1]):
            rows[-1].append(widget)
        else:
            rows.append([widget])
    return [widget for row in rows for widget in sorted(row, key=QWidget.x)]


def _opener(widget: QWidget | None) -> QWidget | None:
    """The field that a drop-down list belongs to; every other widget itself."""
    at = widget
    while at is not None and not isinstance(at, DropDown):
        at = at.parentWidget()
    return widget if at is None else at.field


def _reveal(widget: QWidget) -> None:
    """Scroll all areas around a widget to it."""
    at = widget.parentWidget()
    while at is not None:
        if isinstance(at, QScrollArea) and at.viewport().isAncestorOf(widget):
            at.ensureWidgetVisible(widget)
        at = at.parentWidget()
