"""One widget per kind of figure, bound in one dict. Figures go in by `set_figure`; tags of what is pointed at come out."""

from typing import Any

from PySide6.QtWidgets import QWidget

from engine.core.scene import Bars, Matrix, Network, Plot, Space, Table, Tree
from gui.figures.bars import BarsFigure
from gui.figures.matrix import MatrixFigure
from gui.figures.network import NetworkFigure
from gui.figures.plot import PlotFigure
from gui.figures.space import SpaceFigure
from gui.figures.table import TableFigure
from gui.figures.tree import TreeFigure

FIGURES: dict[type[Any], type[QWidget]] = {
    Plot: PlotFigure,
    Tree: TreeFigure,
    Table: TableFigure,
    Bars: BarsFigure,
    Matrix: MatrixFigure,
    Network: NetworkFigure,
    Space: SpaceFigure,
}

__all__ = ["FIGURES"]
