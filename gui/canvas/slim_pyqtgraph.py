"""pyqtgraph without what the lab does not use, which takes two fifths of a start: `from
gui.canvas.slim_pyqtgraph import pg`.

Its `__init__` imports ninety modules besides the plot, and copies each of Qt's names, for which
PySide makes all its classes. Here names of Qt are looked up when they are used, and the rest of
pyqtgraph comes when somebody asks for it. Another version than the one that this was tried with is
imported as it is.
"""

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

TRIED = "0.14.0"
MIRRORED = ("QtCore", "QtGui", "QtWidgets")
USED = {
    "widgets": ("FileDialog", "GraphicsView", "PlotWidget"),
    "graphicsItems": (
        "AxisItem", "BarGraphItem", "ButtonItem", "GraphicsItem", "GraphicsObject",
        "GraphicsWidget", "GraphicsWidgetAnchor", "InfiniteLine",
        "ItemGroup", "LabelItem", "LegendItem", "PlotCurveItem", "PlotDataItem", "PlotItem",
        "ScatterPlotItem", "TextItem", "ViewBox",
    ),
    "imageview": (), "parametertree": (), "multiprocess": (),
}  # fmt: skip


class _StandIn(MetaPathFinder, Loader):
    """Finds an empty module for whatever is not used."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top, part, *rest = [*name.split("."), "", ""]
        unused = (
            top == "pyqtgraph"
            and part in USED
            and (rest[0] or part not in ("widgets", "graphicsItems"))
        )
        return ModuleSpec(name, self) if unused and rest[0] not in USED[part] else None

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__getattr__"] = _nothing


def _nothing(name: str) -> None:
    if name.startswith("__"):
        raise AttributeError(name)


@contextmanager
def _mirrors() -> Iterator[None]:
    """pyqtgraph's modules of Qt look names up, and find none to copy."""
    originals = [importlib.import_module(f"PySide6.{name}") for name in MIRRORED]
    for name, original in zip(MIRRORED, originals, strict=True):
        mirror = ModuleType(f"pyqtgraph.Qt.{name}")
        mirror.__dict__["__getattr__"] = partial(getattr, original)
        sys.modules[mirror.__name__] = mirror
    with ExitStack() as until_then:
        for original in originals:
            until_then.callback(original.__dict__.update, __dir__=original.__dir__)
            original.__dict__["__dir__"] = list
        yield


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyqtgraph"]:
        del sys.modules[name]


def _slim() -> Any:
    finder = _StandIn()
    sys.meta_path.insert(0, finder)
    try:
        with _mirrors():
            slim = importlib.import_module("pyqtgraph")
    finally:
        sys.meta_path.remove(finder)
    stood_in = [
        name
        for name, module in sys.modules.items()
        if getattr(module, "__loader__", None) is finder
    ]
    for name in stood_in:
        del sys.modules[name]
    for each in (
        slim,
        *(sys.modules[f"pyqtgraph.{part}"] for part in ("widgets", "graphicsItems")),
    ):
        for name, value in [*vars(each).items()]:
            if value is None or getattr(value, "__loader__", None) is finder:
                delattr(each, name)
    slim.__dict__["__getattr__"] = _whole
    return slim


def _whole(name: str) -> Any:
    """Somebody asks for more than the lab does: all of it is there from now on."""
    if name.startswith("__"):
        raise AttributeError(name)
    del pg.__dict__["__getattr__"]
    return getattr(importlib.reload(pg), name)


def _imported() -> Any:
    if "pyqtgraph" in sys.modules:
        return sys.modules["pyqtgraph"]
    try:
        slim = _slim()
        if slim.__version__ == TRIED:
            return slim
    except Exception:  # one that has other parts
        pass
    _forget()
    return importlib.import_module("pyqtgraph")


pg = _imported()
