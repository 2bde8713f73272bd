"""One widget per kind of figure, bound in one table.

Figures go in by `set_figure`; tags of what is pointed at come out.
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
    """Each is loaded when it is first wanted: the window opens without those that
    nobody sees yet.
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
