"""Rows and columns of widgets without gaps, and the rules between them."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout

from gui.look import style


def _box(layout: QBoxLayout, parts: tuple[Any, ...]) -> QBoxLayout:
    """Put the parts into a layout without gaps.

    Layouts are nested, not widgets: with each new parent the sheet would style all parts again.
    """
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        inner, stretch = part if isinstance(part, tuple) else (part, 0)
        (layout.addLayout if isinstance(inner, QBoxLayout) else layout.addWidget)(inner, stretch)
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
