"""Playlists: what a file names, what Page Down opens, what is walked over."""

from pathlib import Path
from typing import Any

import pytest
from laboratory import Key, Lab
from PySide6.QtWidgets import QFileDialog

from engine.base.errors import EngineError
from engine.files.playlist import opening_of, read_playlist, station_of, write_playlist
from engine.lessons.library import shipped
from gui.dialogs.playlist import PlaylistDialog


def walked(lab: Lab, key: Any) -> tuple[int, str]:
    """(number of the shown station, what is said) after a key."""
    lab.window.setFocus()
    lab.key(key)
    lab.settle()
    return lab.window.commands.playlist.at, lab.said()


def test_a_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.playlist"
    project = str(tmp_path / "trees" / "iris.learnscope")
    write_playlist(path, ["AIMA Fig 18.6", project, "LS, Validation"])
    assert read_playlist(path).stations == (
        "AIMA Fig 18.6",
        "trees/iris.learnscope",
        "LS, Validation",
    )
    path.write_text("\ufeff# Monday\n\n  AIMA 18.3 # a tree\n", "utf-8")
    assert read_playlist(path).stations == ("AIMA 18.3",)
    for content, words in ((b"# none\n", "names no station"), (b"\xff\xfe\x00", "no text")):
        path.write_bytes(content)
        with pytest.raises(EngineError, match=words):
            read_playlist(path)
    for place, words in ((tmp_path / "no", "could not be read"), (tmp_path, "could not be read")):
        with pytest.raises(EngineError, match=words):
            read_playlist(place)


def test_a_station_names_one_opening_of_a_place() -> None:
    place, way = opening_of("aima  fig 18.6")
    assert place.citation == "AIMA Fig 18.6" and way.key == "decision_tree"
    assert station_of(place, way) == "AIMA Fig 18.6"
    for station in ("AIMA Fig 99.9", "iris.csv", "AIMA Fig 18.6 (99)", "()"):
        with pytest.raises(EngineError):
            opening_of(station)


@pytest.mark.slow
def test_page_down_walks_and_what_cannot_be_opened_is_left_out(lab: Lab, tmp_path: Path) -> None:
    lab.window.commands.save_to(str(tmp_path / "own.learnscope"))
    (tmp_path / "broken.learnscope").write_text("{")
    file = tmp_path / "day.playlist"
    lines = ["AIMA Fig 18.6", "AIMA Fig 99.9", "own.learnscope", "broken.learnscope"]
    file.write_text("\n".join(lines), "utf-8")
    lab.window.commands.open_path(str(file))
    lab.settle()
    assert lab.said() == "Station 1 of 4: AIMA Fig 18.6."
    assert lab.session.lane.key == "decision_tree" and not lab.session.unsaved
    at, said = walked(lab, Key.Key_PageDown)
    assert at == 2 and lab.session.path == str(tmp_path / "own.learnscope")
    assert "Station 2 is left out. “AIMA Fig 99.9”" in said and said.endswith("4: own.")
    at, said = walked(lab, Key.Key_PageDown)
    assert at == 2 and "Station 4 is left out." in said and "last station" in said
    at, said = walked(lab, Key.Key_PageUp)
    assert at == 0 and lab.session.path is None, "saving now overwrites no project"
    assert "first station" in walked(lab, Key.Key_PageUp)[1]
    lab.window.action("leave_playlist").trigger()
    before = lab.session.cursor
    walked(lab, Key.Key_PageUp)
    assert lab.session.cursor < before, "it steps again"


def test_the_dialog_makes_what_opens_again(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = lab.window.commands
    commands.playlist.make()
    (dialog,) = lab.window.findChildren(PlaylistDialog)
    dialog.begin()
    assert "no station" in dialog.error.text()
    dialog.add_here()
    assert "save the project" in dialog.error.text() and dialog.stations == ()
    for station in ("AIMA 18.3", "nowhere.learnscope", "AIMA Fig 18.6"):
        dialog.add(station)
    assert dialog.stations == ("AIMA 18.3", "AIMA Fig 18.6")
    dialog.shift(-1)
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "day"), "")
    )
    dialog.save()
    assert "could not be saved" in dialog.error.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "day"), ""))
    dialog.save()
    assert read_playlist(tmp_path / "day.playlist").stations == ("AIMA Fig 18.6", "AIMA 18.3")
    commands.playlist.open(str(tmp_path / "day.playlist"))
    lab.settle()
    assert commands.playlist.here() == "AIMA Fig 18.6"


def test_lessons_are_stations_and_are_found_by_title_key_and_topic(
    lab: Lab, tmp_path: Path, settings: Any
) -> None:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    window = lab.window
    head = shipped()[0]
    for typed in (head.key.lower(), head.title, f"lesson {head.topic}"):
        assert (head.title, f"lesson {head.key}") in {
            (found.text, found.kind) for found in window.search.results(typed)
        }
    (tmp_path / "own.toml").write_bytes(head.path.read_bytes())
    file = tmp_path / "day.playlist"
    file.write_text(f"{head.key.lower()}\nown.toml\nAIMA Fig 18.6\nnone.lesson\n", "utf-8")
    window.commands.open_path(str(file))
    lab.settle()
    player, walk = window.commands.lessons.player, window.commands.playlist
    assert player.lesson.key == head.key and walk.here() == head.key
    player.go(head.pages - 1)
    assert walked(lab, Key.Key_PageDown)[0] == 1, "Page Down leaves the last page"
    assert walk.here() == str(tmp_path / "own.toml")
    player.go(head.pages - 1)
    assert walked(lab, Key.Key_PageDown)[0] == 2 and not player.running
    assert "Station 4 is left out." in walked(lab, Key.Key_PageDown)[1]
    assert lab.session.lane.key == "decision_tree"


def test_the_program_starts_with_the_lessons_where_that_is_wished(lab: Lab) -> None:
    action, lessons = lab.window.action("start_with_lessons"), lab.window.commands.lessons
    assert not lessons.first and not action.isChecked()
    action.trigger()
    assert lessons.first and "starts with the list of lessons" in lab.said()
    action.trigger()
    assert not lessons.first
