"""Save a picture: what the dialog offers, saves and copies."""

from pathlib import Path

import pytest
from laboratory import Lab
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog

import engine
from gui.dialogs.export_picture import ExportPicture, Wanted
from gui.look import theme
from gui.session.session import EXPORT_COVERED


def asked(lab: Lab) -> ExportPicture:
    lab.settle()
    lab.window.action("export").trigger()
    (dialog,) = lab.window.findChildren(ExportPicture)
    return dialog


def offered(dialog: ExportPicture) -> list[str]:
    return [dialog.views.itemText(k) for k in range(dialog.views.count())]


@pytest.mark.slow
def test_it_begins_with_what_the_stage_shows(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = asked(lab)
    names = offered(dialog)
    assert names[0] == "Plane" and names[-2:] == ["Curves", "Whole step"]
    dialog.close()
    lab.settle_drawing()
    lab.session.choose("decision_tree")
    lab.window.commands.use_data(engine.textbook("restaurant"))
    dialog = asked(lab)
    names = offered(dialog)
    assert names[:3] == ["As on the stage", "Tree", "Examples"]
    dialog.steps.setText("0, 3, 999")
    dialog.save_button.click()
    assert "no step 999" in dialog.error.text() and dialog.isVisible()
    dialog.steps.setText("0, 3, 9")
    dialog.views.setCurrentText("Tree")
    dialog.sizes.setCurrentIndex(2)
    dialog.colours.setCurrentText("Dark")
    path = tmp_path / "strip.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    dialog.save_button.click()
    assert lab.said() == "Saved as strip.png."
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1920, 1080)
    assert image.pixelColor(2, 2) == theme.THEMES["dark"].colour("plane")
    assert theme.current().name == "light"


def test_a_picture_is_copied(lab: Lab) -> None:
    lab.settle()
    lab.window.commands.exports.copy_picture(Wanted((500, 300), True, True, "Curves"))
    image = QApplication.clipboard().image()
    assert (image.width(), image.height()) == (500, 300)
    assert lab.said() == "The picture is on the clipboard."
    lab.window.commands.exports.copy_picture(Wanted((100, 100), steps="0,1,2"))
    assert "have no room" in lab.said()


def test_a_strip_shows_nothing_that_predict_covers(lab: Lab, tmp_path: Path) -> None:
    lab.settle()
    lab.window.action("predict").trigger()
    path = tmp_path / "strip.png"
    lab.window.commands.exports.picture_to(str(path), Wanted((900, 600), steps="0,1,2"))
    assert not path.exists() and lab.said() == EXPORT_COVERED
    lab.window.commands.exports.picture_to(str(path), Wanted((900, 600), view="Curves"))
    assert not path.exists() and "covered" in lab.said()
