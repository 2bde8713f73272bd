"""A session on known points, and files to open."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.look import style
from gui.session.session import Session


@pytest.fixture(autouse=True)
def _light(qapp: object) -> None:
    style.apply(qapp, "light")  # type: ignore[arg-type]


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """table(text, name) writes a file and gives its path."""

    def write(content: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def session() -> Iterator[Session]:
    """Four rows: two numbers, a word, the class; the decision tree looks at them."""
    data = engine.Dataset.from_columns(
        {
            "x1": [0.5, 1.0, 2.0, 3.5],
            "x2": [1.0, -1.0, 0.25, None],
            "food": ["Thai", "French", "Thai", "Burger"],
            "wait": ["yes", "no", "yes", "no"],
        },
        target="wait",
        name="four",
    )
    made = Session(Document(data, (lane("decision_tree"),)))
    yield made
    made.close()
    gc.collect()


@pytest.fixture
def parent(qtbot: object) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)  # type: ignore[attr-defined]
    widget.resize(1280, 800)
    widget.show()
    return widget
