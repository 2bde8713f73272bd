"""Lessons as text: what is written is read, what does not fit is said with its line."""

import io
import os
import zipfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings

from engine.base.place import ASSETS
from engine.lessons.lesson import MOST_PAGES, Data, Lesson, TaskKind
from engine.lessons.package import LESSON, MAX_ALL, lesson_of, open_lesson, save_lesson
from engine.lessons.reading import read_lesson
from engine.lessons.setting import dataset
from engine.lessons.tasks import KINDS
from engine.lessons.writing import as_text
from tests.engine.lessons.lessons import LESSONS, SMALL, mutated


@settings(max_examples=20, deadline=None)
@given(LESSONS)
@example(Lesson("a\\n\n'''\r"))
@example(Lesson('"""\r\n\\', data=Data(columns=("a\x7f",), rows=((True,), ("",), (1.0,)))))
def test_what_is_written_is_read(lesson: Lesson) -> None:
    assert read_lesson(as_text(lesson)).lesson == lesson


def test_a_target_of_decimals_is_a_number_to_predict() -> None:
    """Three examples of AIMA Eq 18.4: (1, 2), (2, 3), (3, 5)."""
    columns = ("x", "y")
    whole = dataset(Data(columns=columns, rows=((1, 2), (2, 3), (3, 5))), {})
    decimal = dataset(Data(columns=columns, rows=((1, 2.0), (2, 3.0), (3, ""))), {})
    table = dataset(Data(file="a.csv"), {"a.csv": b"x,y\n1,2.0\n2,3.5\n"})
    assert [each["y"].feature.numeric for each in (whole, decimal, table)] == [False, True, True]


def test_each_fault_is_said_with_its_line() -> None:
    cases = {
        "version = 9": "line 1: The text was written for version 9",
        'colour = "red"': "“colour” in the text is not known",
        "minutes = 0": "minutes must be a whole number from 1 to 600; it is 0.",
        "[data]\nname = 3": "line 2: name of data must be a text in quotation marks; it is 3.",
        '[data]\nname = "spam"\nfile = "x.csv"': "exactly one of the three",
        '[data]\nname = "spamm"': "There is no data set “spamm”",
        '[data]\nname = "/etc/passwd"': "There is no data set “/etc/passwd”",
        '[data]\nfile = "../x.csv"': "no file beside the lesson",
        '[data]\nfile = "x.csv"': "“x.csv” is missing",
        '[data]\nname = "moons:99999999"': "at most 10,000 rows",
        '[data]\ncolumns = ["a"]\nrows = [[1], [1, 2]]': "line 3: rows of data must be rows of 1",
        '[[lane]]\nmethod = "nope"': "line 2: This program has no method “nope”",
        '[[lane]]\nmethod = "svm"\nset = { D = 1 }': "line 3: There is no parameter “D”",
        '[view]\nunit = "year"': "unit of view must be one of detail, step, round",
        '[view]\ntransform = "log"': "line 2: There is no transformation “log”",
        '[[page]]\n[[page]]\nhide = ["tail"]': "line 3: hide of page 2 can hold future",
        '[[page]]\npicture = "p.png"': "line 2: The picture “p.png” is missing.",
        "[[page]]\nlanes = [7]": "line 2: There is no lane 7.",
        '[[lane]]\nmethod = "svm"\n[[page]]\nevent = "x"': "line 4: Support vector machine has no",
        '[[page]]\nstep = 1\nevent = "x"': "goes to a step, an event or a line",
        '[[page]]\n[page.task]\nkind = "sing"': "line 3: kind of task of page 1 must be one of",
        '[[page]]\n[page.task]\nkind = "state"\ncondition = "open(1)"': "“open” at letter 1",
        '[[page]]\n[page.task]\nkind = "choice"': "A choice needs at least two choices.",
        "title = ": "line 1: This is not readable as TOML: Invalid value.",
        "x = " + "[" * 3000: "nested too deeply",
        "[[page]]\n" * 10_000: f"this text has 10,000: the first {MOST_PAGES} are opened",
    }
    for text, said in cases.items():
        found = [fault.words() for fault in lesson_of(text).faults]
        assert any(said in words for words in found), (text[:40], found)
    assert [fault.words() for fault in lesson_of(SMALL).faults] == []


def test_a_question_of_the_step_has_words_of_its_own_and_any_other_needs_some() -> None:
    page = SMALL.partition("[[page]]")[0] + '[[page]]\nstep = 1\n[page.task]\nkind = "{}"'
    for kind in TaskKind:
        said = [fault.sentence for fault in lesson_of(page.format(kind.value)).faults]
        assert any("asks nothing" in each for each in said) == (kind not in KINDS), kind


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return packed.getvalue()


TABLE = SMALL.replace('name = "spam"', 'file = "points.csv"')


def test_a_zip_brings_its_table(tmp_path: Path) -> None:
    found = lesson_of(TABLE, {"points.csv": b"x,y,c\n1,2,a\n2,1,b\n"})
    assert found.lesson is not None and not found.faults
    save_lesson(found.lesson, tmp_path / "a.lesson", found.files)
    again = open_lesson(tmp_path / "a.lesson")
    assert (again.lesson, again.files, again.faults) == (found.lesson, found.files, ())


def test_nothing_outside_is_read(tmp_path: Path) -> None:
    """Faults are sentences: zip bombs, links, devices, broken tables."""
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    folder = tmp_path / "inside"
    folder.mkdir()
    os.symlink(tmp_path / "secret.csv", folder / "points.csv")
    (folder / "l.toml").write_text(TABLE)
    cases = {
        folder / "l.toml": "a link out of the lesson’s folder",
        Path("/dev/zero"): "is no file",
        tmp_path / "none.toml": "There is no file",
    }
    for name, content, said in (
        ("bomb", zipped(lesson__toml=b" " * (MAX_ALL + 1)), "it is not opened"),
        ("large", zipped(lesson__toml=b" " * 2**21), "larger than 1 MB"),
        ("none", zipped(other__toml=b""), f"“{LESSON}” is missing"),
        ("broken", zipped(lesson__toml=SMALL.encode())[:-9], "It is no lesson"),
        ("binary", zipped(lesson__toml=b"\xff\xfe"), "not a text in UTF-8"),
        ("shape", zipped(lesson__toml=TABLE.encode(), points__csv=b"a,b\n1\n"), "line 2: there"),
        ("words", zipped(lesson__toml=TABLE.encode(), points__csv=b"\xff"), "no CSV table"),
    ):
        (tmp_path / f"{name}.lesson").write_bytes(content)
        cases[tmp_path / f"{name}.lesson"] = said
    for path, said in cases.items():
        found = [fault.words() for fault in open_lesson(path).faults]
        assert any(said in words for words in found), (path, found)


def test_mutated_lessons_never_raise() -> None:
    """They are opened as far as they can be, and are written and read again."""
    random = Random(3)
    texts = [path.read_text() for path in (ASSETS / "lessons").glob("*/*.toml")][:2]
    for _ in range(60):
        for text in map(mutated, (SMALL, TABLE, *texts), [random] * 4):
            found = lesson_of(text)
            for fault in found.faults:
                assert fault.sentence and 0 <= fault.line <= text.count("\n") + 1
            if found.lesson is not None:
                assert read_lesson(as_text(found.lesson)).lesson == found.lesson


def test_a_page_of_a_missing_method_says_so() -> None:
    from engine.base.errors import EngineError
    from engine.lessons.setting import document

    lesson = lesson_of(SMALL.replace("perceptron", "nope")).lesson
    assert lesson is not None and lesson.pages[0].title == "First"
    with pytest.raises(EngineError, match="needs a method"):
        document(lesson, 0, {})
