"""Progress, hand-ins and marks: what a student did, and that it fits its digest."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.lessons import handin, progress
from engine.lessons.carrying import Brought, bring_back, carry_away
from engine.lessons.digest import lesson_hash
from engine.lessons.handin import HandIn, hand_in, read_handin
from engine.lessons.lesson import Lesson, Page, Task, TaskKind
from engine.lessons.marks import csv_text, lines, marks
from engine.lessons.progress import Answer, Progress, Shelf, begin, read_progress
from engine.lessons.states import lane_words, state_of, state_text
from engine.sources.textbook import textbook
from tests.engine.lessons.lessons import WORDS, mutated

LESSON = Lesson(
    "A line",
    "T1",
    pages=(
        Page("Read"),
        Page("Point", task=Task(TaskKind.POINT)),
        Page("Do it", task=Task(TaskKind.STEP)),
        Page("Make it true", task=Task(TaskKind.STATE)),
        Page("Why", task=Task(TaskKind.TEXT)),
    ),
)


def done() -> Progress:
    """Right at once, right at the second try, shown, a sentence."""
    after = begin(LESSON).spent(0, 30).spent(1, 45)
    after = after.tried(1, ("x₅",), True).tried(1, ("x₆",), False)
    after = after.tried(2, ("1", "2"), False).tried(2, ("1", "3"), True).shown(2)
    after = after.shown(3).tried(3, (), True)
    return after.said(4, "The point lies\nbelow the line.").forked(3, "Perceptron, η 5", "{}")


def test_points_are_two_at_once_one_later_none_when_shown() -> None:
    after = done()
    assert [answer.points for answer in after.answers] == [0, 2, 1, 0, 0]
    assert (after.score, after.most, after.seconds) == (3, 6, 75)
    assert [answer.misses for answer in after.answers] == [0, 0, 1, 0, 0]
    assert after.hinted(1).answers[1].points == 1
    assert begin(LESSON).hinted(1).tried(1, ("x₅",), True).score == 1


def test_progress_is_kept_and_reset(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "progress")
    assert shelf.load(LESSON) == begin(LESSON)
    after = done().at(3)
    shelf.save(after)
    assert shelf.load(LESSON) == after
    assert shelf.load(replace(LESSON, title="Another")) == begin(replace(LESSON, title="Another"))
    shelf.path(after).write_bytes(b"\xff broken")
    assert shelf.load(LESSON) == begin(LESSON)
    shelf.save(after)
    shelf.reset(LESSON)
    assert shelf.load(LESSON) == begin(LESSON)
    shelf.save(after)
    shelf.reset_all()
    assert shelf.load(LESSON) == begin(LESSON)


def test_progress_is_carried_to_another_machine(tmp_path: Path) -> None:
    """Of a lesson done on both the better one stays; a file that is none changes nothing."""
    here, there = Shelf(tmp_path / "here"), Shelf(tmp_path / "there")
    other = replace(LESSON, title="Another")
    here.save(done())
    here.save(begin(other).spent(0, 5))
    carried = tmp_path / "mine.progress"
    assert carry_away(here, carried) == 2
    assert bring_back(there, carried) == Brought(new=2)
    assert there.load(LESSON) == done() and there.load(other) == begin(other).spent(0, 5)
    better = begin(other).tried(1, ("x₅",), True)
    there.save(better)
    there.save(begin(LESSON).at(2))
    again = bring_back(there, carried)
    assert (again.better, again.kept) == (1, 1) and again.words() == (
        "2 lessons brought back: 1 better than here and taken over, 1 no better and left as here."
    )
    assert there.load(other) == better and there.load(LESSON) == done()
    text = carried.read_text("utf-8")
    for broken in (
        "\xff",
        "version = 1",
        text.replace("version = 1", "version = 9"),
        text[:-40],
        "[[progress]]",
    ):
        carried.write_bytes(broken.encode("latin-1" if len(broken) == 1 else "utf-8"))
        with pytest.raises(EngineError, match="holds no progress"):
            bring_back(there, carried)
        assert there.load(other) == better
    carried.write_text(text.replace("page = 1", "page = 1\nodd = 2", 1), "utf-8")
    assert "odd" in bring_back(there, carried).words()


ANSWERS = st.builds(
    Answer,
    WORDS,
    st.sampled_from(["", *TaskKind]),
    st.lists(WORDS, max_size=3).map(tuple),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 10**6),
    WORDS,
    WORDS,
    WORDS,
)
PROGRESS = st.builds(
    Progress,
    WORDS,
    WORDS,
    WORDS,
    st.lists(ANSWERS, min_size=1, max_size=3).map(tuple),
    st.integers(0, 9),
)


@settings(max_examples=20, deadline=None)
@given(PROGRESS, WORDS, WORDS)
def test_what_is_handed_in_is_read(made: Progress, name: str, when: str) -> None:
    assert read_progress(progress.as_text(made)) == (made, ())
    handed = hand_in(made, name, when)
    assert read_handin(handin.as_text(handed)) == (handed, ())
    assert handed.misfits == ()


def test_what_was_changed_does_not_fit_its_digest() -> None:
    text = handin.as_text(hand_in(done(), "Lynx", "2026-11-29 23:40"))
    for old, new, pages in (
        ('"1; 2", "1; 3"', '"1; 3"', (2,)),
        ("shown = true", "shown = false", (3,)),
        ("seconds = 45", "seconds = 5", (1,)),
        ('"Lynx"', '"Vole"', (0, 1, 2, 3, 4)),
        ("", "", ()),
    ):
        assert old in text
        found, faults = read_handin(text.replace(old, new))
        assert found is not None and not faults and found.misfits == pages, old


def test_mutated_hand_ins_never_raise() -> None:
    random = Random(3)
    for _ in range(200):
        text = mutated(handin.as_text(hand_in(done(), "Lynx", "noon")), random)
        found, faults = read_handin(text)
        assert found is not None or faults
        if found is not None:
            assert read_handin(handin.as_text(found))[0] == found


def test_the_very_state_is_handed_in() -> None:
    """The fork of a student opens as it was, with its rows and its step."""
    data = textbook("spam").take([0, 1, 2, 3])
    document = Document(data, (lane("perceptron", 3, rate=5.0), lane("winnow")))
    words = lane_words(document)
    assert words == "Perceptron, Rate η 5, seed 3; Winnow"
    made = hand_in(begin(LESSON).forked(3, words, state_text(document, 7)), "Lynx", "noon")
    found, faults = read_handin(handin.as_text(made))
    assert found == made and not faults
    project = state_of(made.progress.answers[3].state)
    assert (project.document, project.cursor) == (document, 7)
    for broken in ("", "{", "[]", '{"format": "learnscope project"}'):
        with pytest.raises(EngineError):
            state_of(broken)


def test_marks_of_a_class(tmp_path: Path) -> None:
    def put(file: str, handed: HandIn, change: tuple[str, str] = ("", "")) -> Path:
        path = tmp_path / f"{file}.handin"
        text = handin.as_text(handed)
        path.write_text(text.replace(*change) if change[0] else text)
        return path

    other = begin(replace(LESSON, title="Another"))
    (tmp_path / "broken.handin").write_bytes(b"\xff")
    (tmp_path / "table.handin").write_text("a,b\n1,2\n")
    found = marks(
        [
            put("lynx", hand_in(done(), "Lynx", "9:00")),
            put("again", hand_in(begin(LESSON), "Lynx", "9:30")),
            put("evil", hand_in(done(), "=1+1", "9:10"), ("seconds = 45", "seconds = 5")),
            put("other", hand_in(other, "Vole", "9:00")),
            tmp_path / "broken.handin",
            tmp_path / "table.handin",
            tmp_path / "none.handin",
        ]
    )
    assert found.names() == ["=1+1", "Lynx, 9:00", "Lynx, 9:30"]
    assert csv_text(found).splitlines() == [
        "name,1. Read,2. Point,3. Do it,4. Make it true,5. Why,score,of,minutes,remark",
        "'=1+1,·,2?,1,0,·,3?,6,0.6,page 2 does not fit its digest",
        '"Lynx, 9:00",·,2,1,0,·,3,6,1.2,',
        '"Lynx, 9:30",,,,,,0,6,0.0,',
    ]
    assert found.wrong(2) == [("1; 2", 2)] and len(found.gave(2, "1; 2")) == 2
    assert found.at_once(1) == 2
    assert "  3. Do it: “1; 2”, 2" in lines(found)
    said = " ".join(found.left_out)
    for words in ("“other.handin” is of another lesson", "not a text", "not readable", "no file"):
        assert words in said
    assert len(marks([tmp_path / "other.handin"], lesson_hash(LESSON)).handins) == 0
    assert lines(marks([])) == ["There is no hand-in of one lesson among these files."]
