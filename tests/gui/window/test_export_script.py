"""File → Export → Python script: the file that the dialogue names is written, and the window says
so.
"""

from pathlib import Path

import pytest
from laboratory import Lab
from PySide6.QtWidgets import QFileDialog


def test_the_script_of_the_run_is_saved(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lab.settle()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "run"), ""))
    lab.window.action("script").trigger()
    assert lab.said() == "Saved as run.py."
    text = (tmp_path / "run.py").read_text("utf-8")
    compile(text, "run.py", "exec")
    assert "from Learnscope" in text


def test_a_place_that_takes_no_file_is_a_sentence(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lab.settle()
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "nowhere" / "run.py"), "")
    )
    lab.window.action("script").trigger()
    assert "could not be saved" in lab.said()
    assert not [place for place in tmp_path.rglob("*") if "run" in place.name]
