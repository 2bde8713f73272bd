"""A lesson is written from nothing in the lab by mouse and keys, checked, saved, opened again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import ALT, CTRL, LEFT, NONE, Key, Lab
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtTest import QTest

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.lessons.checking import check
from engine.lessons.drafting import FREE
from engine.lessons.lesson import Task, TaskKind
from engine.lessons.library import with_key
from engine.lessons.package import open_lesson
from engine.lessons.setting import document
from gui.lessons.author_question import ONE_LINE, WORDS, as_number
from gui.lessons.author_text import ValueText
from gui.window.author_mode import AuthorMode


@pytest.fixture
def lab(settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]) -> Lab:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    return open_lab()


def begin(lab: Lab, *steps: int) -> AuthorMode:
    """Open the panels, and add a page at each of these steps."""
    lab.window.action("make_lesson").trigger()
    mode = lab.window.commands.lessons.author_mode
    for step in steps:
        lab.session.seek(step)
        mode.pages.add.click()
    return mode


def mistakes(lab: Lab) -> list[int]:
    trace = lab.session.lead.trace
    assert trace is not None
    return list(map(int, trace.when("mistake")))


def words(mode: AuthorMode) -> list[str]:
    return [page.where.words() for page in mode.author.lesson.pages]


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_form_has_room_beside_the_rails_of_the_projector(
    lab: Lab, size: tuple[int, int]
) -> None:
    lab.window.resize(*size)
    lab.window.use_theme("projector")
    mode = begin(lab, 3)
    lab.settle()
    rail, corner = lab.window.right_strip, mode.form.rect().topRight()
    assert mode.form.mapTo(lab.window, corner).x() < rail.mapTo(lab.window, QPoint()).x()
    inside = mode.form.area.viewport()
    for part in (mode.form.name, mode.form.here, mode.form.text, mode.form.question):
        assert part.mapTo(inside, part.rect().topRight()).x() < inside.width()


def test_a_row_that_was_changed_is_no_fault_of_a_condition(lab: Lab) -> None:
    mode = begin(lab, 3)
    mode.form.question.choices[TaskKind.STATE].click()
    part = mode.form.question.condition
    part.show_condition("changed == 1")
    part.prove()
    lab.until(lambda: part.now.text() != "")
    assert part.now.text() == "Now not met. No row is changed; exactly 1 must be."


def test_a_lesson_from_nothing(lab: Lab, tmp_path: Path) -> None:
    mode = begin(lab)
    author, form = mode.author, mode.form
    assert mode.pages.empty.isVisible() and not form.previews.isEnabled()
    second = mistakes(lab)[1]
    lab.session.seek(second)
    lab.key(Key.Key_Return, CTRL)
    assert words(mode) == ["mistake 2"]
    before = [form.where.itemText(k) for k in range(form.where.count())]
    form.where.setCurrentIndex(before.index(f"Opens before mistake 2, step {second}"))
    form.where.activated.emit(form.where.currentIndex())
    assert words(mode) == ["before mistake 2"] and lab.session.cursor == second - 1
    QTest.keyClicks(mode.pages.title, "A line")
    form.text.setFocus()
    lab.write("Now w =")
    next(chip for chip in form.chips.parts if chip.toolTip() == form.text.box.words("w")).click()
    assert author.page.text == "Now w = {w}"
    form.question.choices[TaskKind.STEP].click()
    assert form.question.right.text().startswith("Right: ")
    ((wrong, reply),) = author.page.task.wrong if author.page.task else ()
    assert wrong.startswith("(") and reply == "Add, not subtract."
    form.hide_boxes["future"].trigger()
    assert lab.session.lead.veiled
    lab.session.seek(second + 1)
    assert not lab.session.lead.veiled and not lab.session.refuses("timeline")
    author.choose(0)
    assert lab.session.lead.veiled and lab.session.cursor == second - 1
    form.hide_boxes["curves"].trigger()
    form.lock_boxes["data"].trigger()
    assert lab.session.hidden == {"curves"} and lab.session.locked == {"data"}
    assert not lab.window.left_dock.data.isEnabled()
    form.hide_boxes["curves"].trigger()
    form.lock_boxes["data"].trigger()
    assert lab.window.left_dock.data.isEnabled()
    assert form.text.names() == ["w"] and not author.saved
    author.save(str(path := tmp_path / "line.lesson"))
    lab.until(lambda: (found := open_lesson(path).lesson) is not None and found.digest is not None)
    found = open_lesson(path)
    assert found.lesson is not None and not check(found) and author.saved
    assert document(found.lesson, 0, {}).lanes == lab.session.document.lanes
    mode.leave()
    assert not mode.pages.isVisible() and not mode.form.isVisible()
    assert not lab.session.lead.veiled


def test_a_task_that_the_lab_proves(lab: Lab) -> None:
    mode = begin(lab, 0)
    form, condition = mode.form, mode.form.question.condition
    form.question.choices[TaskKind.STATE].click()
    QTest.keyClicks(form.question.fields["ask"], "Let it converge.")
    condition.more.click()
    row = condition.rows[0]
    assert mode.author.page.task and mode.author.page.task.condition == 'metric("errors") == 0'
    lab.until(lambda: condition.met.text().endswith("so it can be done."))
    row.what.setCurrentIndex(row.what.findData('events("mistake")'))
    row.what.activated.emit(row.what.currentIndex())
    row.value.selectAll()
    QTest.keyClicks(row.value, "99")
    lab.until(lambda: condition.met.text().startswith("No step of this run meets it"))
    assert condition.written.text() == 'events("mistake") == 99'
    mode.author.check()
    lab.until(lambda: mode.author.remarks is not None)
    assert form.remarks.text().splitlines() == ["1 remark:", "The lesson has no title."]


def test_the_order_of_pages(lab: Lab) -> None:
    """Dragged, moved and walked through by keys, gone to over the timeline, removed and back."""
    first, second = mistakes(lab)[0], mistakes(lab)[-1]
    mode = begin(lab, 0, first, second)
    author, pages = mode.author, mode.pages.list
    rows = [pages.visualItemRect(pages.item(k)).center() for k in range(3)]
    QTest.mousePress(pages.viewport(), LEFT, NONE, rows[2])
    for to in (rows[1], rows[0]):
        QTest.mouseMove(pages.viewport(), to)
    QTest.mouseRelease(pages.viewport(), LEFT, NONE, rows[0])
    order = [f"mistake {len(mistakes(lab))}", "step 0", "mistake 1"]
    assert words(mode) == order and author.at == 0
    lab.window.setFocus()
    lab.key(Key.Key_Down, ALT)
    assert words(mode) == [order[1], order[0], order[2]] and author.at == 1
    lab.key(Key.Key_Up, ALT)
    lab.key(Key.Key_PageDown)
    assert author.at == 1 and lab.session.cursor == 0
    last = max(mode.numbers.numbered(), key=lambda each: each.x)
    assert last.words == "1"
    place = QPoint(round(last.x), mode.numbers.height() // 2)
    QTest.mouseClick(mode.numbers, LEFT, NONE, place)
    assert author.at == 0 and lab.session.cursor == second
    author.remove()
    assert words(mode) == order[1:]
    lab.window.message.offer.action.click()
    assert words(mode) == order


def test_other_data(lab: Lab) -> None:
    """A page whose step shows its event no more is marked, and found again at its new step."""
    mode = begin(lab, mistakes(lab)[-1], 0)
    other = engine.generate("leaning_clouds", seed=5)
    lab.session.edit(replace(lab.session.document, data=other), "other data")
    lab.until(lambda: any(mode.author.gone))
    mode.author.choose(0)
    sentence = mode.form.gone.text()
    assert sentence.endswith("is no mistake any more.") and mode.author.gone[1] == ""
    lab.settle()
    mode.form.gone.action.click()
    trace = lab.session.lead.trace
    assert trace is not None and lab.session.cursor == trace.when("mistake")[-1]
    assert mode.author.gone == ["", ""] and mode.form.gone.text() == ""


def test_a_preview_and_back(lab: Lab) -> None:
    """F5 shows the page to a student, Escape leads back; nothing of it is kept as progress."""
    mode = begin(lab, mistakes(lab)[0], mistakes(lab)[1])
    before = lab.session.document
    lab.window.setFocus()
    lab.key(Key.Key_F5)
    player = lab.window.commands.lessons.player
    lab.until(lambda: player.stand is not None)
    assert player.at == 1 and not mode.form.isVisible()
    lab.key(Key.Key_PageUp)
    lab.key(Key.Key_Escape)
    lab.settle()
    assert not player.running and mode.form.isVisible() and mode.author.at == 0
    assert lab.session.document == before and lab.window.commands.lessons.shelf.all() == []


def test_other_modes_do_not_cover_the_pages(lab: Lab) -> None:
    """Predict is not begun meanwhile; a lesson that is opened closes the pages."""
    mode = begin(lab, 0)
    lab.window.setFocus()
    lab.write("?")
    assert not lab.session.predicting.on and mode.form.isVisible()
    head = with_key("MM04")
    assert head is not None
    lab.window.commands.lessons.open_reported(str(head.path))
    assert mode.form.isHidden() and mode.pages.isHidden() and len(mode.author.drafts) == 1
    lab.settle()
    lab.window.commands.lessons.leave()
    lab.window.action("make_lesson").trigger()
    assert mode.form.isVisible() and mode.author.at == 0


def test_what_was_not_saved_is_gone_on_with(lab: Lab) -> None:
    """After the program ended, and from an open lesson, which can be changed."""
    mode = begin(lab, mistakes(lab)[1])
    mode.form.name.setText("")
    QTest.keyClicks(mode.form.name, "Here")
    lab.window.commands.leave()
    kept = open_lesson(mode.author.kept).lesson
    assert kept is not None and kept.pages[0].title == "Here"
    mode.leave()
    del lab.window.commands.lessons.__dict__["author_mode"]  # the program is opened again
    lab.session.seek(0)
    lab.window.action("make_lesson").trigger()
    again = lab.window.commands.lessons.author_mode
    assert again is not mode and again.author.drafts == []
    lab.window.message.offer.action.click()
    lab.settle()
    lab.until(lambda: lab.session.cursor == mistakes(lab)[1])
    assert words(again) == ["mistake 2"] and again.author.gone == [""]
    again.author.remove()
    again.leave()
    head = with_key("MM04")
    assert head is not None
    lab.window.commands.lessons.open(str(head.path))
    lab.settle()
    lab.window.action("make_lesson").trigger()
    lab.settle()
    lesson = again.author.lesson
    assert (lesson.title, len(lesson.pages)) == ("Six e-mails, one line", 8)
    assert again.author.gone == [""] * 8
    opened = open_lesson(head.path).lesson
    assert opened is not None and opened.pages == lesson.pages and opened.view == lesson.view


def test_a_page_shows_some_of_the_lanes(
    settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]
) -> None:
    """It stands in the run of the first of them; its conditions count the lanes that it shows."""
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    lanes = (lane("perceptron"), lane("decision_tree"))
    lab = open_lab(Document(engine.generate("leaning_clouds"), lanes))
    lab.settle()
    mode = begin(lab, mistakes(lab)[0])
    author, form = mode.author, mode.form
    assert form.lanes.text() == "Shows all lanes" and author.page.lanes == ()
    form.question.choices[TaskKind.STATE].click()
    condition = form.question.condition
    condition.more.click()
    row = condition.rows[0]
    row.lane.setCurrentIndex(row.lane.findText("any lane"))
    row.lane.activated.emit(row.lane.currentIndex())
    assert row.what.findData('event("mistake")') < 0  # the tree has none
    assert condition.condition.startswith("(") and ", lane=2) == 0)" in condition.condition
    form.lane_boxes[0].trigger()
    assert author.page.lanes == (2,) and form.lanes.text() == "Shows lane B"
    tree = lab.session.lane_views[1]
    stand = author.stand(0)
    assert stand is not None and [each.trace for each in stand.shown] == [tree.trace]
    assert author.gone == [""] and lab.session.lead.place == 1
    condition.written.clear()
    condition.written.textEdited.emit("")
    condition.more.click()
    (row,) = condition.rows
    assert not row.lane.isVisible() and row.what.findData('event("mistake")') < 0
    author.preview()
    player = lab.window.commands.lessons.player
    lab.until(lambda: player.stand is not None)
    assert [each.key for each in lab.session.document.lanes] == ["decision_tree"]
    lab.window.setFocus()
    lab.key(Key.Key_Escape)
    lab.settle()
    lab.session.set_lanes(replace(lab.session.document, lanes=lanes[:1]), "one lane", 0)
    lab.until(lambda: any(author.gone))
    assert form.gone.text() == "The lab has no lane B any more."
    form.gone.action.click()
    assert author.page.lanes == () and author.gone == [""] and form.lanes.isHidden()


def test_a_lesson_with_different_lanes_can_be_changed(lab: Lab) -> None:
    head = with_key("AI01")
    assert head is not None
    lesson = open_lesson(head.path).lesson
    assert lesson is not None and len({page.lanes for page in lesson.pages}) > 1
    lab.window.commands.lessons.open(str(head.path))
    lab.settle()
    lab.window.action("make_lesson").trigger()
    lab.settle()
    author = lab.window.commands.lessons.author_mode.author
    lab.until(lambda: author.gone == [""] * len(lesson.pages))
    assert author.lesson.pages == lesson.pages
    for number, page in enumerate(lesson.pages):
        author.choose(number)
        lab.settle()
        shown = [view.place + 1 for view in author.lanes_of(number)]
        assert shown == list(page.lanes or range(1, len(lesson.lanes) + 1))


def test_values_in_a_text(qapp: object) -> None:
    """Boxes are written as names in braces, braces of the text as two; copies keep them."""
    field = ValueText()
    written = '{{0}}: w = {w}, {w}\nthen {metric("errors")}.'
    field.show_text(written)
    assert field.text() == written and field.names() == ["w", "w", 'metric("errors")']
    field.selectAll()
    copied = field.createMimeDataFromSelection()
    field.clear()
    field.insertFromMimeData(copied)
    assert field.text() == written
    assert (as_number("0,5"), as_number("score")) == (0.5, "score")


def test_every_kind_of_question_of_ones_own_can_be_written() -> None:
    assert set(FREE) == set(WORDS)
    for kind, line in (
        (TaskKind.NUMBER, "0.5"),
        (TaskKind.PLACE, "(8, 6.2); (1, 2) within 0.5"),
        (TaskKind.CURVE, "within 0.1 in loss"),
    ):
        made = ONE_LINE[kind].taken(Task(kind), line)
        assert ONE_LINE[kind].written(made) == line
    place = ONE_LINE[TaskKind.PLACE].taken(Task(TaskKind.PLACE), "(8, 6.2); (1, 2) within 0.5")
    assert (place.right, place.within) == (("(8, 6.2)", "(1, 2)"), 0.5)
