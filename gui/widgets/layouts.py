"""Rows and columns of widgets without gaps, and the rules between them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QVBoxLayout

from gui.look import style

PASSES = 8  # limit, should it never come to rest


def not_within_itself(lay: Callable[[Any], None]) -> Callable[[Any], None]:
    """The method, which runs once more at its end if it was called while it ran.

    A method that places parts may make Qt or a signal call it again. A nested run would be
    overwritten by the outer one, which still uses the old sizes.
    """
    under_way = f"_{lay.__name__}_again"

    @wraps(lay)
    def laid(self: Any) -> None:
        known = self.__dict__
        if under_way in known:
            known[under_way] = True
            return
        try:
            for _ in range(PASSES):
                known[under_way] = False
                lay(self)
                if not known[under_way]:
                    break
        finally:
            del known[under_way]

    return laid


def _box(layout: QBoxLayout, parts: tuple[Any, ...]) -> QBoxLayout:
    """Put the parts into a layout without gaps.

    Layouts are nested, not widgets: with each new parent the sheet would style all parts again.
    """
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        inner, stretch = part if isinstance(part, tuple) else (part, 0)
        (layout.addLayout if isinstance(inner, QLayout) else layout.addWidget)(inner, stretch)
    return layout


def row(*parts: Any) -> QBoxLayout:
    """A layout of widgets and layouts from left to right; (part, n) stretches by n."""
    return _box(QHBoxLayout(), parts)


def column(*parts: Any) -> QBoxLayout:
    """As `row`, from top to bottom."""
    return _box(QVBoxLayout(), parts)


def rule(vertical: bool = True) -> QFrame:
    """A thin line between two parts."""
    line = QFrame()
    style.mark(line, "rule-vertical" if vertical else "rule")
    line.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return line
