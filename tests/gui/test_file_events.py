"""A file that the desktop hands to the running program is opened, as on macOS after a
double click.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = """
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFileOpenEvent
from gui.app import application, open_window
from gui.lab_application import LabApplication
import sys

app = application([])
assert isinstance(app, LabApplication)
window = open_window(QSettings(sys.argv[2], QSettings.Format.IniFormat))
app.file_wanted.connect(window.commands.open_path)
app.sendEvent(app, QFileOpenEvent(sys.argv[1]))
print(window.session.document.data.name, len(window.session.document.data))
window.session.close()
"""


@pytest.mark.slow
def test_a_double_click_on_a_project_opens_it(tmp_path: Path) -> None:
    import engine
    from engine.document.document import Document
    from engine.document.lane import lane
    from engine.files.project import save_project

    project = tmp_path / "mine.learnscope"
    save_project(Document(engine.generate("moons", 17), (lane("kmeans"),)), project)
    said = subprocess.run(
        [sys.executable, "-c", CODE, str(project), str(tmp_path / "settings.ini")],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert said.stdout.split()[-1:] == ["17"], said.stderr
