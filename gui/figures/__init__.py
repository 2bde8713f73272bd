"""The widgets for the figures of a scene, by kind of figure.

All show a figure by `set_figure` and emit the tag under the pointer.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from engine.scene.figures import Figure

W = TypeVar("W", bound=type[QWidget])


class Widgets(dict[type[Figure], type[QWidget]]):
    """The widget class of each kind of figure. The module of a kind, `gui.figures.tree` of `Tree`,
    is imported when its widget is first looked up, so that the window opens faster.
    """

    def __missing__(self, kind: type[Figure]) -> type[QWidget]:
        import_module(f"{__name__}.{kind.__name__.lower()}")
        found = self.get(kind)
        if found is None:
            raise KeyError(kind)
        return found


FIGURES = Widgets()


def shows(kind: type[Figure]) -> Callable[[W], W]:
    """A decorator that makes a class the widget of a kind of figure."""

    def register(widget: W) -> W:
        FIGURES[kind] = widget
        return widget

    return register


__all__ = ["FIGURES", "shows"]
