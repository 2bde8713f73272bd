"""An answer of a hand-in at its step: what is right, what was given, and where both lie."""

from pathlib import Path

import numpy as np
import pytest

import engine
from engine.base.records import replace
from engine.lessons.answered import Known, first_wrong, known_lesson, looked_at
from engine.lessons.library import FOLDER
from engine.lessons.package import open_lesson, save_lesson
from engine.lessons.progress import Answer, begin
from engine.lessons.setting import document
from engine.lessons.states import state_text
from engine.scene.layers import Arrows, Line


def known(name: str) -> Known:
    found = open_lesson(FOLDER / name)
    assert found.lesson is not None
    return Known(found.lesson, found.files, {})


def test_the_answered_vector_is_an_arrow_beside_the_right_one() -> None:
    """w is (1, 2), the point (3, −2) of class 1, η 0.5: right is (2.5, 1), subtracted (−0.5, 3)."""
    lesson = known("mmds/helps_and_may_not_do.toml")
    answer = Answer(kind="step", tries=("-0.5; 3", "2.5; 1"), right=True)
    found = looked_at(lesson, 1, answer)
    assert (found.right, found.given, found.own) == ("2.50; 1", "-0.5; 3", False)
    arrow, line = found.marks
    assert isinstance(arrow, Arrows) and isinstance(line, Line)
    assert np.allclose(arrow.end - arrow.start, [[-0.5, 3]]) and np.allclose(line.w, [-0.5, 3])
    assert looked_at(lesson, 1, Answer(kind="step", tries=("2.5; 1",), right=True)).marks == ()
    nonsense = looked_at(lesson, 1, Answer(kind="step", tries=("x; y",)))
    assert nonsense.marks == () and nonsense.given == "x; y" and nonsense.says == ""


def test_a_state_is_shown_as_it_was_left() -> None:
    lesson = known("mmds/helps_and_may_not_do.toml")
    left = state_text(document(lesson.lesson, 4, lesson.files), 1)
    found = looked_at(None, 4, Answer(kind="state", right=True, state=left))
    assert found.own and [lane.cursor for lane in found.lanes] == [1] * len(found.lanes)
    with pytest.raises(engine.EngineError, match="This version of the lesson is not here"):
        looked_at(None, 1, Answer())


def test_a_lesson_of_ones_own_is_found_among_files_and_in_folders(tmp_path: Path) -> None:
    lesson = known("mmds/six_e_mails.toml").lesson
    own, changed = (replace(lesson, title=title) for title in ("Mine", "Other"))
    beside = tmp_path / "class"
    beside.mkdir()
    (beside / "notes.toml").write_text("no lesson")
    save_lesson(changed, beside / "changed.toml")
    save_lesson(own, path := beside / "mine.lesson")
    assert known_lesson(begin(own)) is None
    for places in ([beside], [tmp_path / "gone.lesson", path]):
        found = known_lesson(begin(own), places)
        assert found is not None and (found.lesson, found.path) == (own, path)


def test_the_lesson_is_found_in_its_very_version() -> None:
    lesson = known("mmds/six_e_mails.toml").lesson
    progress = begin(lesson)
    found = known_lesson(progress)
    assert found is not None and found.lesson == lesson
    assert known_lesson(replace(progress, digest="another")) is None
    replied = looked_at(found, 4, Answer(kind="point", tries=("b",)))
    assert (replied.right, replied.given) == ("d", "b")
    assert replied.says == dict(lesson.pages[4].task.wrong)["b"]
    assert first_wrong(Answer(tries=("a", "b"), right=True)) == "a"
    assert first_wrong(Answer(tries=("a",), right=True)) == ""
