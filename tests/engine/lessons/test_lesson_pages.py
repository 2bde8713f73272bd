"""Lessons beside their runs: every bundled page opens, tasks judge, conditions say what lacks."""

import re
from pathlib import Path

import pytest

import engine
from engine.base.errors import EngineError
from engine.base.place import ASSETS, ROOT
from engine.base.records import replace
from engine.files.openings import END
from engine.judge.conditions import EDITS, Moment
from engine.lessons.checking import check, opened
from engine.lessons.conditions import edits_between, first_met, met_words, still_missing, to_change
from engine.lessons.digest import digest_of, disagreements, with_digest
from engine.lessons.hiding import asks_about_future, hidden_scene
from engine.lessons.lesson import Lesson, Page, Task, TaskKind, Where
from engine.lessons.library import courses, fitting, heads
from engine.lessons.package import lesson_of, open_lesson
from engine.lessons.steps import filled, lit, run_lanes, stand, step_of
from engine.lessons.tasks import Asked, Reply, asked, state_reply
from engine.lessons.writing import as_text
from engine.scene.views import views
from engine.sources.textbook import textbook
from tests.engine.lessons.lessons import SMALL

BUNDLED = sorted((ASSETS / "lessons").glob("*/*.toml"))


@pytest.mark.slow
def test_every_page_of_every_bundled_lesson_opens() -> None:
    """No fault, the author’s digest, a question before the reveal and a task after it, each with
    replies to wrong answers."""
    assert BUNDLED
    keys = set()
    for path in BUNDLED:
        found = open_lesson(path)
        assert [fault.words(path.name) for fault in check(found)] == []
        lesson = found.lesson
        assert lesson is not None and lesson.digest is not None, path
        assert lesson.key and lesson.key not in keys, path
        keys.add(lesson.key)
        # asked before the step, or while what comes after it is covered
        tasks = [
            (page.where.before or "future" in page.hide, page.task)
            for page in lesson.pages
            if page.task
        ]
        assert any(before and task.wrong for before, task in tasks), path
        assert any(task.kind is TaskKind.STATE for _, task in tasks), path
        for page in opened(lesson, found.files):
            assert page.text and "{" not in page.text, path


def test_lists_of_lessons() -> None:
    found = list(heads())
    assert [head.path for head in found] == BUNDLED
    assert all(head.title and head.source and head.topic and head.tasks for head in found)
    about = fitting("perceptron", "spam")
    assert about[0].key == "MM04" and all("perceptron" in head.methods for head in about)


def test_courses_fit_an_hour_and_say_what_is_wrong(tmp_path: Path) -> None:
    found = courses()
    assert [fault.words() for fault in found.faults] == []
    for course in found.courses:
        assert course.key and course.title and course.about
        assert 30 <= course.lesson_minutes <= course.minutes <= 60, course.key
        assert len(set(course.lessons)) == len(course.lessons), course.key
    assert [head.key for head in found.courses[0].lessons][:2] == ["AI03", "AI04"]
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "small.toml").write_text('key = "S1"\n' + SMALL, "utf-8")
    assert courses(tmp_path).faults[0].line == 0
    text = '[[course]]\ntitle = "A"\nminutes = 1\nlessons = ["S1", "XX99"]\nroom = 1\n'
    (tmp_path / "courses.toml").write_text(text, "utf-8")
    wrong = courses(tmp_path)
    assert [head.key for head in wrong.courses[0].lessons] == ["S1"]
    said = {fault.line: fault.sentence for fault in wrong.faults}
    assert "“XX99”" in said[4] and "5 minutes" in said[3] and "“room”" in said[5]
    (tmp_path / "courses.toml").write_text("course = [", "utf-8")
    assert courses(tmp_path).courses == () and courses(tmp_path).faults


def test_the_lesson_of_the_documentation_is_good() -> None:
    page = (ROOT / "docs" / "write-a-lesson.md").read_text("utf-8")
    found = lesson_of(page.split("```toml\n")[1].split("```")[0])
    assert [fault.words() for fault in check(found)] == []
    assert len(list(opened(found.lesson or small(), {}))) == 3


def small() -> Lesson:
    lesson = lesson_of(SMALL).lesson
    assert lesson is not None
    return lesson


def at(step: int, **settings: str) -> tuple[Moment, ...]:
    """Spam under the perceptron (MMDS Fig 12.6) at a step."""
    lesson = small()
    lane = replace(lesson.lanes[0], settings=tuple(settings.items()))
    (trace,) = run_lanes(replace(lesson, lanes=(lane,)), 0, {})
    return (Moment(trace, step if step >= 0 else len(trace) - 1),)


def test_pages_go_to_steps_events_and_lines() -> None:
    lesson = small()
    first, second = list(opened(lesson, {}))
    assert first.text == "w is (0, 0, 0, 0, 0)"
    assert second.stand is not None and second.asked is not None
    assert (second.stand.shown[0].cursor, second.stand.asked[0].cursor) == (1, 2)
    assert second.asked.right == ("0.50", "0.50", "−0.50", "0", "0.50")
    trace = second.stand.shown[0].trace
    where = lesson.pages[1].where
    assert step_of(replace(where, event="", line="update", number=3), trace, lesson.view.unit) == 3
    for wrong in (replace(where, number=5), replace(where, event="", step=99)):
        with pytest.raises(EngineError, match="only"):
            step_of(wrong, trace, lesson.view.unit)
    with pytest.raises(EngineError, match="does not come to line"):
        step_of(replace(where, event="", line="no such line"), trace, lesson.view.unit)
    text = "{after} {wrong()} {rows} {nothing} {{w}}"
    assert filled(text, at(1)) == "(0.50, 0.50, 0, 0.50, 0.50) 3 6 {nothing} {w}"
    page = replace(lesson.pages[0], light=("a", "viagra", "+1", "no"))
    assert lit(page, at(1)) == {"row 1", "column viagra", "class 0"}


def test_answers_are_judged_with_the_lessons_replies() -> None:
    step = next(page for page in opened(small(), {}) if page.asked).asked
    assert step is not None
    assert step.reply(["1/2", "0,5", "−.5", "0", "0.5"]).right
    assert step.reply(["0.5", "0.5", "0.5", "1", "0.5"]).says == "You added."
    assert step.reply(["9"] * 5) == Reply(False, "", (False,) * 5)
    for wrong in (["0.5"], ["", "", "", "", ""], ["x"] * 5):
        with pytest.raises(EngineError):
            step.reply(wrong)

    def task(kind: TaskKind, **fields: object) -> Asked:
        return asked(Task(kind, "?", **fields), at(4))  # type: ignore[arg-type]

    point = task(TaskKind.POINT, wrong=(("e", "No."),))
    assert point.reply(["d"]).right and point.reply(["e"]) == Reply(False, "No.")
    assert task(TaskKind.POINT, right=("e",)).reply(["e"]).right
    number = task(TaskKind.NUMBER, right=('metric("mistakes")', 'state("w")[3]'))
    assert number.reply(["4", "−0.5"]).right and not number.reply(["3", "-1/2"]).right
    number = task(TaskKind.NUMBER, right=(4, 5), wrong=(("4", "No."), ("(4; 6)", "Yes.")))
    assert number.reply(["4", "6,00"]).says == "Yes." and not number.reply(["4", "7"]).says
    choice = task(TaskKind.CHOICE, choices=("yes", "no"), right=("no",))
    assert choice.reply(["no"]).right and not choice.reply(["yes"]).right
    with pytest.raises(EngineError, match="none of"):
        choice.reply(["perhaps"])
    assert task(TaskKind.TEXT).reply(["Because."]).right
    for wrong_task in (
        Task(TaskKind.COLUMN),
        Task(TaskKind.POINT, right=("z",)),
        Task(TaskKind.NUMBER, right=("line()",)),
        Task(TaskKind.NUMBER, right=('metric("x")',)),
    ):
        with pytest.raises(EngineError):
            asked(wrong_task, at(4))


def test_a_leaf_of_a_tree_is_clicked_by_its_path() -> None:
    """AIMA Fig 18.6: no example is French, hungry and finds the place full."""
    found = open_lesson(ASSETS / "lessons" / "aima" / "tree_is_a_formula.toml")
    assert found.lesson is not None
    page = list(opened(found.lesson, found.files))[1].asked
    assert page is not None and page.question is not None and len(page.choices) == 8
    (french,) = (c for c in page.question.candidates if c.label == page.right[0])
    assert page.question.answering(french.tags) == page.question.candidates.index(french)
    assert page.reply(page.right).right and not page.reply(["Patrons = Some"]).right


def test_a_condition_says_what_is_missing() -> None:
    """In words of the lab: titles of curves and parameters, subscripts, the marks of the timeline.

    The spam e-mails of MMDS Example 12.4: three are wrong after the first, none at the end.
    """
    lanes = (*at(1), *at(-1, rate="1.0"))
    cases = {
        'metric("errors") == 0': "The number of wrong points is 3; it must be 0.",
        'metric("errors") / 29.8 < 0.1': "The number of wrong points / 29.8 is 0.101; it must be"
        " below 0.1.",
        'event("converged")': "Go on to the step marked “converged”.",
        'event("converged", lane=2) and event("mistake", lane=2)': "Go back to a step in lane B"
        " marked “mistake”.",
        'not event("mistake")': "This step is marked “mistake”, and must not be.",
        'event("cycle")': "No step of this run is marked “cycle”.",
        'events("cycle") > 0': "No step is marked “cycle” so far; at least 1 must be.",
        'param("rate") > 1': "The parameter “Rate η” is 0.5; it must be above 1.",
        'param("threshold") == "learned"': "The parameter “Threshold” is “zero”; it must"
        " be “learned”.",
        'param("threshold") != "zero"': "The parameter “Threshold” is still “zero”; it must"
        " be something else.",
        'metric("errors", end, lane=2) > 0': "The number of wrong points at the end of lane B is 0;"
        " it must be above 0.",
        'state("w", lane=2) == state("w")': "w of lane B is (0, 2, 0, −1, 1); it must be w of lane"
        " A, (0.50, ",
        'abs(state("w", lane=2)[1] - state("w")[1]) < 0.01': "w₂ of lane B and w₂ of lane A are",
        'abs(state("w")[0] + 0.2) < 0.05': "w₁ is 0.50; it must be less than 0.05 from −0.2.",
        'state("w")[0] == -1': "w₁ is 0.50; it must be −1.",
        'state("w")[0] > sqrt(2)': "w₁ is 0.50; it must be above 1.41.",
        "here == end": "Go on to the end.",
        'line() == "until"': "Go to a step at the line “until the stopping rule holds” of",
        'score("a") > 0': "This step weighs no candidate “a”",
        "added == 1": "No row is added; exactly 1 must be.",
        "wrong() < 3 and rows == 6": "3 rows are wrong; fewer than 3 must be.",
        "wrong() == 0": "3 rows are wrong; none may be.",
        "rows == 7": "There are 6 rows; exactly 7 must be.",
        "0 < wrong() < 2": "3 rows are wrong; fewer than 2 must be.",
        'metric("loss") < 1': "This run measures no “loss”",
    }
    edits = {"added": 0, "removed": 0, "changed": 0}
    for text, said in cases.items():
        missing = " ".join(still_missing(text, lanes, edits))
        assert missing.startswith(said), missing
    assert still_missing('state("w", lane=2) == (0, 2, 0, -1, 1) and rows == 6', lanes) == []
    assert first_met('event("converged")', at(1)) == 14
    met = first_met("wrong() == 0", at(1))
    assert met_words(met, at(1)) == "The run meets it first at step 4, so it can be done."
    assert met_words(met, at(9)).endswith("which is before this page.")
    assert first_met("wrong() == 9", at(1)) is None
    assert not state_reply(Task(TaskKind.STATE, condition="wrong() == 0"), at(1)).right


def test_noise_of_rounding_is_no_number_to_read() -> None:
    """What a condition takes for 0 reads 0; what is small beside the aim is about 0."""
    cases = {"1.1e-16 > 0.1": "0", "3.39e-7 > 0.05": "about 0", "0.0449 > 0.045": "0.0449"}
    for text, now in cases.items():
        (missing,) = still_missing(text, at(1))
        assert missing.split("; ")[0].endswith(f" is {now}"), missing


def test_what_has_to_be_changed_for_a_condition() -> None:
    """MMDS Example 12.4: the run comes to rest by itself; no cell has to be changed for that."""
    lanes, ends, free = at(1), at(-1), ("method", "data", "parameters")
    cases: dict[str, tuple[str, ...]] = {
        'event("converged") and wrong() == 0': (),
        'event("converged") and added == 1': ("data",),
        'param("rate") > 1 and event("converged")': ("parameters",),
        'param("hidden") == 2': ("method",),
        'metric("mistakes") == 1': ("data", "parameters"),
    }
    assert {text: to_change(text, lanes, ends, free) for text in cases} == cases
    assert to_change('metric("mistakes") == 1', lanes, ends, ("method",)) == ()
    assert to_change('event("converged")', lanes, (), ("parameters",)) == ("parameters",)


@pytest.mark.parametrize(
    ("ask", "condition", "lock", "said"),
    [
        ("Add a row.", "added == 1", ("data",), "The page locks the data: “added == 1” never"),
        ("Move or add.", "added > 0 and rows > 0", (), "The task says “Move”, and “added > 0”"),
        ("Set η.", 'param("rate") > 1', ("parameters", "method"), "The page locks the parameters"),
        ("Move a row.", "changed == 1 and added == 0", (), ""),
        ("Set η.", 'param("rate") > 1', ("parameters",), ""),  # another method has its own
    ],
)
def test_a_condition_that_the_page_prevents(
    ask: str, condition: str, lock: tuple[str, ...], said: str
) -> None:
    task = Task(TaskKind.STATE, ask, condition=condition)
    lesson = replace(small(), pages=(Page(lock=lock, task=task),))
    faults = [fault.sentence for fault in check(lesson_of(as_text(lesson)))]
    assert len(faults) == bool(said) and all(each.startswith(said) for each in faults)


def test_an_answered_page_goes_on_to_another_step() -> None:
    lesson = small()
    page = replace(lesson.pages[-1], then=Where(step=END))
    lesson = replace(lesson, pages=(*lesson.pages[:-1], page))
    read = lesson_of(as_text(lesson))
    assert read.lesson == lesson and 'then = "end"' in as_text(lesson) and check(read) == ()
    (trace,) = run_lanes(lesson, 1, {})
    found = stand(page, (trace,), lesson.view.unit)
    assert (found.asked[0].cursor, found.then[0].cursor) == (2, len(trace) - 1)
    events = replace(page, then=Where(event="mistake", number=3))
    assert lesson_of(as_text(replace(lesson, pages=(events,)))).lesson == replace(
        lesson, pages=(events,)
    )
    strange = replace(lesson, pages=(replace(events, then=Where(event="moved"), task=None),))
    said = [fault.sentence for fault in lesson_of(as_text(strange)).faults]
    assert any("no event “moved”" in each for each in said)
    assert "Only a page with a question goes on to another step." in said


def test_the_future_is_hidden_until_the_last_question_about_it() -> None:
    """A page before hides it too, but not where the run is to be played or was seen to its end."""
    ask = Task(TaskKind.CHOICE, "?", right=("a",), choices=("a", "b"))
    read, asks = Page(), Page(hide=("future",), task=ask)
    plays = Page(task=Task(TaskKind.STATE, "!", condition="here == end"))
    lesson = replace(small(), pages=(read, asks, plays, asks, Page(where=Where(step=END)), asks))
    found = [asks_about_future(lesson, page, ()) for page in range(6)]
    assert found == [1, 3, None, None, None, None]
    assert [asks_about_future(lesson, page, (1, 2)) for page in range(3)] == [3, 3, 3]
    assert [asks_about_future(lesson, page, (1, 2, 3)) for page in range(3)] == [None] * 3
    lanes = (replace(read, lanes=(2,)), replace(asks, lanes=(1,)))
    other = replace(lesson, lanes=lesson.lanes * 2, pages=lanes)
    assert asks_about_future(other, 0, ()) is None


def test_a_lesson_has_its_own_words_for_what_is_missing() -> None:
    own = (("event( 'cycle' )", "The weights have not come back yet; {wrong()} rows are wrong."),)
    task = Task(TaskKind.STATE, condition='event("cycle") and wrong() == 0', not_yet=own)
    said = "The weights have not come back yet; 3 rows are wrong. 3 rows are wrong; none may be."
    assert state_reply(task, at(1)).says == said
    strange = replace(task, condition='metric("loss") < 1', not_yet=(("wrong()", "…"),))
    assert state_reply(strange, at(1)).says == "This method does not have what is asked for."
    lesson = small()
    page = replace(lesson.pages[-1], task=replace(strange, ask="Do it."))
    text = as_text(replace(lesson, pages=(page,)))
    read = lesson_of(text)
    assert read.lesson is not None and read.lesson.pages == (page,)
    sentences = [fault.sentence for fault in check(read)]
    assert "“wrong()” is no part of the condition: it has “metric('loss') < 1”." in sentences


def test_no_lesson_shows_code_in_what_is_missing() -> None:
    code = re.compile(r"==|!=|\w\(['\"]|_|·10|lane=|Abs|sqrt")
    told = 0
    for path in BUNDLED:
        found = open_lesson(path)
        assert found.lesson is not None
        for page in opened(found.lesson, found.files):
            if page.asked is not None and page.asked.task.kind is TaskKind.STATE and page.stand:
                said = state_reply(page.asked.task, page.stand.shown, dict.fromkeys(EDITS, 0)).says
                assert said and not code.search(said), (path.stem, said)
                told += 1
    assert told > 100


def test_edits_are_counted_from_the_table() -> None:
    data = textbook("spam")
    assert edits_between(data, data) == {"added": 0, "removed": 0, "changed": 0}
    assert edits_between(data, data.take([0, 0, 1, 2, 3, 4])) == {
        "added": 0,
        "removed": 0,
        "changed": 1,
    }
    assert edits_between(data, data.take([1])) == {"added": 0, "removed": 5, "changed": 0}


def test_a_digest_says_where_a_run_differs() -> None:
    lesson = small()
    digest = digest_of(lesson, {})
    assert digest.pages == ((6.0, 0.0), (3.0, 2.0))  # errors and mistakes of MMDS Example 12.4
    signed = replace(lesson, digest=digest)
    assert lesson_of(with_digest(as_text(lesson), digest)).lesson == signed
    assert lesson_of(with_digest(as_text(signed), digest)).lesson == signed
    assert disagreements(signed, {}) == []
    shifted = replace(digest, pages=((6.0, 0.0), (3.0 + 1e-12, 2.5)))
    (said,) = disagreements(replace(lesson, digest=shifted), {})
    assert said == "Page 2: mistakes is 2 here, and was 2.500000 for the author."
    lane = replace(lesson.lanes[0], settings=(("start", "0,-1,0,1,0"),))
    assert len(disagreements(replace(signed, lanes=(lane,)), {})) == 1
    traces = run_lanes(lesson, 1, {})
    assert stand(lesson.pages[1], traces, lesson.view.unit).asked[0].cursor == 2


def test_a_fraction_is_a_number() -> None:
    """AIMA Fig 18.34 on the twelve guests: the first stump errs on two of them, 1/6."""
    text = """
version = 1
title = "Fractions"
[data]
name = "restaurant"
[[lane]]
method = "adaboost"
set = { rounds = 1 }
[[page]]
text = "{error} {operand('error') * 6}"
line = "error"
[page.task]
kind = "number"
right = 'operand("error")'
"""
    lesson = lesson_of(text).lesson
    assert lesson is not None
    (page,) = opened(lesson, {})
    assert page.text == "1/6 1" and page.asked is not None
    assert page.asked.reply(("1/6",)).right and not page.asked.reply(("1/5",)).right


def test_a_page_that_hides_words_or_errors_shows_headings_without_what_they_say() -> None:
    trace = engine.run("perceptron", textbook("and"))
    scene = trace.algorithm.scene(trace.given, trace[-1])
    assert "wrong now" in scene.plane
    for hide in (("sentence",), ("future",)):
        hidden = hidden_scene(scene, hide, trace.problem)
        assert not hidden.plane and hidden.figures
        assert not any("wrong now" in figure.title for figure in hidden.figures)
        assert list(views(hidden, trace.problem)) == list(views(scene, trace.problem))
    assert hidden_scene(scene, ("code",), trace.problem) is scene
