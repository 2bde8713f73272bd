"""The list of columns is as wide as what it says where the dialogue has that much room: no name is
cut in the middle.
"""

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from gui.dialogs.open_columns import NAME
from gui.dialogs.open_table import MOST, OpenTable
from gui.dialogs.table_source import FileTable
from gui.look import theme
from tests.customers import customers


def test_names_of_columns_are_whole_where_there_is_room(qtbot: Any, tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text(customers(300).text)
    theme.use("light")
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    dialog = OpenTable(FileTable(path), window)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    qtbot.wait(50)
    columns = dialog.columns
    assert columns.wanted() <= MOST * dialog.width(), "there is room"
    assert columns.columnWidth(NAME) >= columns.sizeHintForColumn(NAME)
    assert sum(columns.columnWidth(k) for k in range(4)) <= columns.viewport().width()
