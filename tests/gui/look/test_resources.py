"""The pictures of the style sheet lie in memory: no start leaves a folder behind, and no folder
must be writable.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QFile
from PySide6.QtWidgets import QCheckBox

from gui.look import icons, style, style_sheet, theme

ROOT = Path(__file__).resolve().parents[3]
START = """
import sys
from PySide6.QtCore import QSettings
from gui.app import application, open_window
application([])
window = open_window(QSettings(sys.argv[1], QSettings.Format.IniFormat))
window.show()
window.grab()
print("shown", flush=True)
application([]).exec()
"""


def read(path: str) -> bytes:
    file = QFile(path)
    assert file.open(QFile.OpenModeFlag.ReadOnly)
    return bytes(file.readAll().data())


def test_what_was_put_is_read_by_its_path(qapp: object) -> None:
    paths = {
        style_sheet.put(f"thing-{i}-{'ä' * i}.txt", f"content {i}".encode()): i for i in range(30)
    }
    assert {path: read(path) for path in paths} == {
        path: f"content {i}".encode() for path, i in paths.items()
    }


@pytest.mark.parametrize("name", theme.THEMES)
def test_every_picture_of_the_sheet_is_there_in_its_colour(qapp: object, name: str) -> None:
    paths = re.findall(r"image: url\((.*?)\)", style.style_sheet(theme.THEMES[name]))
    assert len(paths) > 10
    for path in paths:
        icon, colour = re.fullmatch(r":/([\w-]+)-(\w+)\.svg", path).groups()  # type: ignore[union-attr]
        assert read(path) == icons.svg(icon, f"#{colour}")


def test_a_ticked_box_has_its_tick(qapp: object) -> None:
    style.apply(qapp, "light")  # type: ignore[arg-type]
    box = QCheckBox()
    box.setChecked(True)
    drawn = box.grab().toImage()
    dark = theme.LIGHT.colour("sel").lightness()
    bare = QCheckBox()
    bare.setStyleSheet("QCheckBox::indicator:checked { image: none; }")
    bare.setChecked(True)
    empty = bare.grab().toImage()
    lit = [
        (x, y)
        for x in range(16)
        for y in range(drawn.height())
        if drawn.pixelColor(x, y) != empty.pixelColor(x, y)
    ]
    assert len(lit) > 10
    assert all(drawn.pixelColor(*place).lightness() > dark for place in lit)


def test_a_killed_program_leaves_nothing_in_the_temporary_folder(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    around = {
        "TMPDIR": str(temporary),
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(temporary / "none"),
    }
    settings = str(tmp_path / "settings.ini")
    started = [sys.executable, "-c", START, settings]
    with subprocess.Popen(
        started, cwd=ROOT, env=os.environ | around, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None and program.stdout.readline() == "shown\n"
        program.kill()
    assert list(temporary.iterdir()) == []
