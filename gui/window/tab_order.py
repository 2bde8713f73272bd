"""Where Tab goes: through the parts of the window in turn, in each as one reads, whenever its
widgets were made.

Nothing is asked for its focus proxy or its group: the binding would take what it answers for a
child of what was asked. A viewport, whose proxy is the area it lies in, then owned its own parent,
and the collector freed both (tests/gui/family.py).
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

WHOLE = (QComboBox, QAbstractSpinBox)  # the field inside them takes its keys from them


def move(parts: Sequence[QWidget], forward: bool) -> bool:
    """Give the keyboard to the next widget in these parts, or the one before; False where there is
    none.
    """
    there = next(_from([part for part in parts if part.isVisible()], forward), None)
    if there is None:
        return False
    there.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _reveal(there)
    return True


def _from(parts: Sequence[QWidget], forward: bool) -> Iterator[QWidget]:
    """All that Tab reaches, once round from the widget that has the keyboard, even if Tab would not
    reach that; from the first one where it has gone. A part is looked through when the one before
    has come to its end.
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
    """`widget` itself, then what is in it, in reading order."""
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
    # the keys go to the area
    if isinstance(area, QAbstractScrollArea) and widget is area.viewport():
        return False
    return (
        widget.isEnabled()
        and (widget.focusPolicy() & Qt.FocusPolicy.TabFocus) == Qt.FocusPolicy.TabFocus
    )


def _as_read(widgets: list[QWidget]) -> list[QWidget]:
    """Row by row from the top, each from the left.

    A widget whose middle lies above the end of all others of a row belongs to it.
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
    """Scroll to it; to a scroll bar nobody scrolls."""
    at = widget.parentWidget()
    while at is not None:
        if isinstance(at, QScrollArea) and at.viewport().isAncestorOf(widget):
            at.ensureWidgetVisible(widget)
        at = at.parentWidget()
