"""No part of the window is shown as a window of its own, however shortly: it would take keys."""

import pytest
from laboratory import CTRL, Key, Lab
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget


class Strays(QObject):
    """Names of the widgets that were shown as windows."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.isWindow():
            self.names.append(type(watched).__name__)
        return False


@pytest.mark.slow
def test_lanes_views_and_themes_show_no_part_as_a_window(lab: Lab) -> None:
    strays = Strays()
    app = QApplication.instance()
    app.installEventFilter(strays)
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    lab.session.choose("decision_tree")
    lab.settle()
    lab.window.use_theme("projector")
    lab.window.use_theme("light")
    lab.settle()
    app.removeEventFilter(strays)
    assert strays.names == []
