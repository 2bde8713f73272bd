"""The field that says what is chosen: nothing of it is cut."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from gui.look import style
from gui.setup.picker_field import PickerField


@pytest.fixture
def chosen(qtbot, qapp) -> Iterator[PickerField]:
    style.apply(qapp, "light")
    window = QWidget()
    made = PickerField("Algorithm")
    column = QVBoxLayout(window)
    column.addWidget(made)
    column.addStretch(1)
    qtbot.addWidget(window)
    window.resize(260, 120)
    window.show()
    yield made
    window.hide()


def high(chosen: PickerField, title: str, wide: int) -> int:
    chosen.show_choice(title, "ML 7.5.4")
    chosen.setFixedWidth(wide)
    for _ in range(3):
        QApplication.processEvents()
    return chosen.height()


def test_a_long_name_stands_on_two_lines(chosen: PickerField) -> None:
    """It ended in dots."""
    one = high(chosen, "Perceptron", 220)
    assert high(chosen, "Randomised weighted majority", 220) == one + 18
    assert chosen.lines() == ["Randomised weighted", "majority"]
    assert high(chosen, "Randomised weighted majority", 300) == one
    assert high(chosen, "Perceptron", 176) == one
    assert chosen.toolTip().startswith("Perceptron, ML 7.5.4")
