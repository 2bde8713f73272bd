"""The widgets for the figures of a scene, by kind of figure.

All show a figure by `set_figure` and emit the tag under the pointer.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from PySide6.QtWidgets import QWidget

from engine.scene.scene import Bars, Matrix, Network, Pictures, Plot, Space, Table, Tree

PLACES: dict[type[Any], tuple[str, str]] = {
    Plot: ("plot", "PlotFigure"),
    Tree: ("tree", "TreeFigure"),
    Table: ("table", "TableFigure"),
    Bars: ("bars", "BarsFigure"),
    Matrix: ("matrix", "MatrixFigure"),
    Network: ("network", "NetworkFigure"),
    Space: ("space", "SpaceFigure"),
    Pictures: ("pictures", "PicturesFigure"),
}


class Widgets(Mapping[type[Any], type[QWidget]]):
    """The widget class of each kind of figure. A module is imported when its class is first looked
    up, so that the window opens faster.
    """

    def __getitem__(self, kind: type[Any]) -> type[QWidget]:
        module, name = PLACES[kind]
        found: type[QWidget] = getattr(import_module(f"gui.figures.{module}"), name)
        return found

    def __iter__(self) -> Iterator[type[Any]]:
        return iter(PLACES)

    def __len__(self) -> int:
        return len(PLACES)


FIGURES = Widgets()
__all__ = ["FIGURES"]
