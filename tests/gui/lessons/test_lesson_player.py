"""A person goes through “Six e-mails, one line” with mouse and keys, once right, once wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laboratory import LEFT, NONE, SHIFT, Key, Lab, point_at
from PySide6.QtCore import QPointF, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog

from engine.lessons.handin import read_handin
from engine.lessons.library import FOLDER
from engine.lessons.package import lesson_of
from gui.lessons.marks_window import MarksWindow
from gui.lessons.panel import LessonPanel
from gui.lessons.player import LessonPlayer
from gui.lessons.presenter import Presenter

SIX = str(FOLDER / "mmds" / "six_e_mails.toml")
MISTAKE = "It counts as a mistake, and w changes."


@pytest.fixture
def lab(settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]) -> Lab:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    return open_lab()


def begin(lab: Lab, path: str = SIX) -> tuple[LessonPlayer, LessonPanel]:
    lab.window.commands.open_path(path)
    lab.settle()
    assert lab.window.lesson_mode is not None
    return lab.window.commands.lessons.player, lab.window.lesson_mode.panel


def press(button: QAbstractButton) -> None:
    QTest.mouseClick(button, LEFT, NONE, button.rect().center())


def card(panel: LessonPanel, words: str) -> Any:
    return next(each for each in panel.page.choices.cards if each.words == words)


def fill(lab: Lab, panel: LessonPanel, numbers: str) -> None:
    for field, number in zip(panel.page.blanks.fields, numbers.split(), strict=True):
        field.setFocus()
        field.selectAll()
        lab.write(number)


def click_row(lab: Lab, row: int) -> None:
    """Click a row of the table of examples, as a person does: point, then press."""
    panes = dict(lab.window.stage.panes())
    table = panes["Examples"].figures.stack.currentWidget()
    place = table.visualRect(table.model().index(row, 1)).center()
    name = f"row {row + 1}"
    point_at(table.viewport(), place, lambda: name in lab.session.pointer.pointed)
    QTest.mouseClick(table.viewport(), LEFT, NONE, place)


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_a_walk_that_answers_right(lab: Lab, theme: str, tmp_path: Path) -> None:
    lab.window.use_theme(theme)
    before = lab.session.document
    player, panel = begin(lab)
    assert panel.isVisible() and panel.head.number.text() == "1 of 8"
    assert "w = (0, 0, 0, 0, 0)" in panel.page.text.text() and lab.session.cursor == 0
    for _ in range(2):
        lab.key(Key.Key_PageDown)
    assert lab.session.cursor == 1 and lab.session.lead.veiled
    fill(lab, panel, "0.5 0.5 -1/2 0 .5")
    lab.key(Key.Key_Return)
    assert player.answer_so_far.points == 2 and lab.session.cursor == 2
    assert not lab.session.lead.veiled
    lab.key(Key.Key_PageDown)
    press(card(panel, MISTAKE))
    assert panel.page.said.text() == "✓ Right." and "becomes (0.50, 1, 0, 0, 0.50)" in (
        panel.page.answer.text()
    )
    lab.key(Key.Key_Return)
    click_row(lab, 3)
    assert player.answer_so_far.right and lab.session.cursor == 4
    lab.key(Key.Key_PageDown)
    lab.key(Key.Key_A)
    press(panel.foot.next)
    assert panel.page.said.text().startswith("Not yet. ") or player.reply is None
    lab.key(Key.Key_End)
    lab.until(lambda: player.answer_so_far.right)
    lab.key(Key.Key_PageDown)
    press(panel.page.settings)
    assert panel.strip.isVisible() and not panel.area.isVisible()
    lab.session.set_params(order="random")
    lab.key(Key.Key_End)
    lab.until(lambda: player.answer_so_far.right)
    assert player.progress is not None and player.progress.score == player.progress.most == 12
    assert "random" in player.answer_so_far.fork and player.answer_so_far.state
    lab.window.commands.lessons.hand_in_to("Lynx", str(tmp_path / "lynx.handin"))
    made, faults = read_handin((tmp_path / "lynx.handin").read_text(encoding="utf-8"))
    assert made is not None and not faults and not made.misfits and made.progress.score == 12
    lab.key(Key.Key_Escape)  # the settings
    lab.key(Key.Key_Escape)  # the message
    while player.running:
        lab.key(Key.Key_Escape)
    assert panel.isHidden() and not lab.session.locked
    lab.session.undo()
    assert lab.session.document == before


def test_a_walk_that_answers_wrong(lab: Lab) -> None:
    player, panel = begin(lab)
    player.go(2)
    lab.settle()
    fill(lab, panel, "0.5 0.5 x 0 0")
    press(panel.page.blanks.enter)
    assert "is no number" in panel.page.error.text() and not player.answer_so_far.tries
    fill(lab, panel, "0.5 0.5 0.5 1 0.5")
    press(panel.page.blanks.enter)
    assert panel.page.said.text().startswith("✕ You added the row.")
    assert not panel.page.hint_button.isVisible() and lab.session.cursor == 1
    press(panel.page.blanks.enter)
    press(panel.page.hint_button)
    assert panel.page.hint.text().startswith("Hint: Only two words")
    press(panel.page.blanks.enter)
    assert player.answer_so_far.shown and lab.session.cursor == 2
    assert panel.page.blanks.fields[2].text() == "−0.50" and player.answer_so_far.points == 0
    player.go(4)
    lab.settle()
    press(card(panel, "b"))
    assert "its turn in this round is over" in panel.page.said.text()
    press(panel.page.show_button)
    assert card(panel, "d").state == "right" and card(panel, "b").state == "wrong"
    player.leave()
    begin(lab)  # where it was left
    assert player.at == 4 and player.answer_so_far.shown
    player.reset()
    assert player.at == 0 and not any(each.tries for each in player.progress.answers)


def test_what_a_page_locks_and_hides(lab: Lab) -> None:
    player, panel = begin(lab)
    player.go(4)
    lab.settle()
    said: list[str] = []
    lab.session.said.connect(lambda sentence, kind: said.append(sentence))
    panel.fold(True)
    document, cursor = lab.session.document, lab.session.cursor
    lab.session.set_params(rate=0.1)
    lab.session.set_seed(7)
    lab.session.next()
    lab.key(Key.Key_Space)
    lab.window.commands.clear()
    assert lab.session.document == document and lab.session.cursor == cursor
    assert "This page of the lesson locks the parameters." in said
    assert "This page of the lesson locks the timeline." in said
    assert "This page of the lesson locks the data." in said
    dock = lab.window.left_dock
    assert not dock.params.isEnabled() and not dock.data.isEnabled() and dock.algorithm.isEnabled()
    cover = lab.window.childAt(dock.params.mapTo(lab.window, dock.params.rect().center()))
    assert "locks the parameters" in cover.toolTip()
    words = lab.window.right_dock.step.as_text()
    assert "Mistake" not in words and "hides what the step says" in words
    player.leave()
    assert dock.params.isEnabled() and "Mistake" in lab.window.right_dock.step.as_text()


def test_regions_hidden_show_no_class_of_a_place(lab: Lab) -> None:
    player, _ = begin(lab, str(FOLDER / "ml" / "one_or_five.toml"))
    player.go(1)
    lab.settle()
    view = lab.session.lane_view
    assert view.raster("class", (-1, 1), (-1, 1)) is None
    roles = {str(getattr(layer, "role", "")) for layer in view.scene.layers}
    assert not roles & {"boundary", "same", "different"}
    assert [figure.title for figure in view.scene.figures] == ["Examples"]
    assert all(getattr(layer, "shown", None) is None for layer in view.scene.layers)
    lab.plane.grab()
    lab.click(0.12, 0.1)  # x₁, the nearest
    assert player.answer_so_far.points == 2
    begin(lab)  # another lesson in its place
    assert player.lesson.key == "MM04" and player.at == 0


def test_a_step_that_no_run_has_is_a_sentence(lab: Lab) -> None:
    found = lesson_of(Path(SIX).read_text(encoding="utf-8").replace("number = 4", "number = 40"))
    player = lab.window.commands.lessons.player
    player.begin(found)
    player.go(6)
    lab.settle()
    assert "has the event “mistake” 4 times only" in player.fault
    assert lab.window.lesson_mode is not None
    assert lab.window.lesson_mode.panel.page.fault.isVisible()


def test_another_document_ends_the_lesson(lab: Lab) -> None:
    player, panel = begin(lab)
    lab.window.commands.new()
    QApplication.processEvents()
    assert not player.running and panel.isHidden() and not lab.session.hidden


def test_a_file_that_is_no_lesson_is_a_sentence(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("version = ", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(broken), ""))
    said: list[str] = []
    lab.session.said.connect(lambda sentence, kind: said.append(sentence))
    lab.window.action("open_lesson").trigger()
    assert any("not readable as TOML" in sentence for sentence in said)


HIDES = """
version = 1
title = "Two borders"
[data]
name = "leaning_clouds:30:0.8:2"
[[lane]]
method = "nearest_neighbours"
set = { k = 1 }
[[lane]]
method = "decision_tree"
[[page]]
title = "All of it"
text = "Look."
step = 1
[[page]]
title = "What comes?"
text = "Which one errs less at its end?"
step = 1
hide = ["future", "regions"]
"""


def test_neither_legend_nor_numbers_tell_what_a_page_hides(lab: Lab) -> None:
    lab.window.use_theme("projector")
    player = lab.window.commands.lessons.player
    player.begin(lesson_of(HIDES))
    lab.settle()
    entries = {entry for pane in lab.window.stage.panes() for entry in pane[1].heading.entries}
    table = lab.window.right_dock.above.numbers
    assert "edge between classes" in entries and all(row.cells[0] for row in table.rows)
    player.go(1)
    lab.settle()
    entries = {entry for pane in lab.window.stage.panes() for entry in pane[1].heading.entries}
    assert "edge between classes" not in entries
    assert [row.cells for row in table.rows] == [("", "", "", "")] * 2
    assert "/" not in lab.window.counter.accessibleName()
    assert not any(cell.projector_score.text() for cell in lab.window.lanes.cells)
    player.leave()
    lab.settle()
    assert all(row.cells[0] and row.cells[2] for row in table.rows)
    assert "/" in lab.window.counter.accessibleName()


def test_the_presenter_sees_what_comes_and_counts_hands_before_the_reveal(lab: Lab) -> None:
    window = lab.window
    window.action("present").trigger()
    assert "Open a lesson first" in lab.said()
    player, panel = begin(lab)
    player.go(3)
    lab.settle()
    window.action("present").trigger()
    presenter = window.findChild(Presenter)
    said = {name: part.text() for name, part in presenter.parts.items()}
    assert said["The answer"].startswith(MISTAKE)
    assert "c is +1 but lies on the line" in said["The coming step"]
    assert said["The coming page"].startswith(player.lesson.pages[4].title)
    for box, count in zip(presenter.hands.boxes.values(), (12, 6, 30), strict=True):
        box.setValue(count)
    shown = {each.words: (each.hands, each.share) for each in panel.page.choices.cards}
    assert shown[MISTAKE] == (12, 0.25) and [n for n, _ in shown.values()] == [12, 6, 30]
    press(presenter.reveal)
    assert player.done and lab.session.cursor == 3 and not presenter.reveal.isEnabled()
    assert card(panel, MISTAKE).hands == 12, "they stay beside the answer"
    player.go(4)
    assert not player.hands and not any(each.hands for each in panel.page.choices.cards)
    player.leave()
    assert presenter.isHidden()


def test_bad_input_is_a_sentence_each(lab: Lab, tmp_path: Path) -> None:
    head, end = HIDES.split("[[page]]", 1)[0], '[[page]]\ntitle = "P"\ntext = "t"\n'
    (tmp_path / "broken.png").write_bytes(b"no picture")
    broken, gone = (f'{end}picture = "{name}.png"\n' for name in ("broken", "gone"))
    ragged = head.replace(
        'name = "leaning_clouds:30:0.8:2"', 'columns = ["a", "b"]\nrows = [[1, 2], [1]]'
    )
    files = {"pages": head + 10_000 * end, "pictures": head + broken + gone, "ragged": ragged + end}
    said = {}
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        player, panel = begin(lab, str(tmp_path / f"{name}.toml"))
        said[name] = lab.said(), panel.page.fault.text()
    assert "this text has 10,000: the first 200 are opened" in said["pages"][0]
    assert "“broken.png” cannot be shown" in said["pictures"][1]
    assert "rows of data must be rows of 2 cells" in said["ragged"][0]
    assert said["ragged"][1] == "The table has no rows that can be read."
    player, panel = begin(lab, str(tmp_path / "pictures.toml"))
    player.go(1)
    assert "“gone.png” is missing: put it beside the lesson" in panel.page.fault.text()


def test_a_hand_in_that_was_changed_is_marked(lab: Lab, tmp_path: Path) -> None:
    player, _ = begin(lab)
    player.go(3)
    lab.settle()
    player.answer((MISTAKE,))
    path = tmp_path / "a.handin"
    lab.window.commands.lessons.hand_in_to("A", str(path))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(MISTAKE, "0 is not negative: it counts as right."), "utf-8")
    lab.window.commands.open_path(str(path))
    marks = lab.window.findChild(MarksWindow)
    lab.until(lambda: "1 to look at" in marks.count.text())
    marks.table.setCurrentCell(0, 4)
    lab.until(lambda: "does not fit its digest: the file was changed" in marks.side.tries.text())
    marks.close()


def click_place(lab: Lab, x: float, y: float) -> None:
    """Click a place of the plane."""
    plane = lab.window.plane
    px = plane.view().to_pixels(np.array([x, y]))
    at = plane.mapFromScene(plane.view_box.mapToScene(QPointF(*px)))
    QTest.mouseClick(plane.viewport(), LEFT, NONE, at)


def test_a_curve_is_drawn_by_keys(lab: Lab) -> None:
    """AIMA 18.6.4, as below: from the left end down to the right one, then higher."""
    player, panel = begin(lab, str(FOLDER / "aima" / "hard_and_soft.toml"))
    player.go(1)
    lab.until(lambda: player.stand is not None)
    lab.settle()
    bar, pen = panel.page.sketch, lab.session.predicting.pen
    cursor, left, right = lab.session.cursor, *pen.sketch.columns[[0, -1]]
    while QApplication.focusWidget() is not bar.keys:
        lab.key(Key.Key_Tab)
    assert pen.hand == (left, pen.sketch.low + pen.sketch.height / 2)
    lab.key(Key.Key_Return)
    assert pen.given[0] == pen.hand[1] and not pen.whole and not bar.check.isEnabled()
    for _ in range(8):
        lab.key(Key.Key_Right)
    lab.key(Key.Key_Down)
    lab.key(Key.Key_Up, SHIFT)
    drop = pen.given[0] - pen.hand[1]
    assert pen.hand[0] == pytest.approx((left + right) / 2)
    assert drop == pytest.approx(pen.sketch.height * (1 - 1 / 4) / 25)
    tags = [layer.tag for layer in lab.session.lane_view.overlay.layers]
    assert tags == ["yours", "hand", "hand"]
    lab.key(Key.Key_Return)
    lab.key(Key.Key_End)
    lab.key(Key.Key_Return)
    assert pen.whole and lab.session.cursor == cursor and pen.hand[0] == right
    assert np.allclose(np.diff(pen.given[:33]), -drop / 32)
    assert np.allclose(pen.given[32:], pen.hand[1])
    lab.key(Key.Key_Tab, SHIFT)
    assert pen.hand is None and QApplication.focusWidget() is bar.clear
    lab.key(Key.Key_Tab, SHIFT)
    lab.key(Key.Key_Space)
    assert len(player.answer_so_far.tries) == 1


def test_places_are_clicked_and_revealed(lab: Lab) -> None:
    """AIMA Fig 18.1: the ninth point; its page shows both runs at their ends."""
    player, panel = begin(lab, str(FOLDER / "aima" / "which_curve.toml"))
    player.go(2)
    lab.settle()
    views = lab.session.lane_views
    assert [view.cursor for view in views] == [len(view.trace) - 1 for view in views]
    bar = panel.page.sketch
    assert bar.isVisible() and not bar.check.isEnabled() and bar.how.text().startswith("Click on")
    rows = len(lab.session.data)
    click_place(lab, 3, 7)
    click_place(lab, 8, 5.75)
    assert bar.check.isEnabled() and len(lab.session.data) == rows
    press(bar.check)
    assert panel.page.said.text().startswith("✕ Level with the last point")
    press(bar.clear)
    assert not bar.check.isEnabled()
    lab.plane.setFocus()
    click_place(lab, 8, 6.1)
    press(bar.check)
    assert player.answer_so_far.points == 1 and "0.1" in panel.page.said.text()
    assert [layer.tag for layer in views[0].scene.layers[-4:]] == [
        "counts",
        "distance",
        "yours",
        "right",
    ]
    assert views[0].own_scene.layers == views[0].scene.layers[:-4] and views[1].overlay is None
    presenter = Presenter(lab.window, player)
    assert presenter.parts["The answer"].text().startswith("(8, 6.2). The line says")
    player.go(3)
    assert views[0].overlay is None
    player.go(2)
    lab.settle()
    assert len(views[0].scene.layers) == len(views[0].own_scene.layers) + 4  # as it was answered


def test_every_lane_of_a_page_shows_the_pictures_of_the_lesson(lab: Lab) -> None:
    """AIMA 18.6.1: the map of weights, of one lane, then of two on a later page."""
    player, _ = begin(lab, str(FOLDER / "aima" / "at_once_or_in_turn.toml"))
    for page, lanes in ((0, 1), (3, 2)):
        player.go(page)
        lab.until(lambda: player.stand is not None)
        lab.settle()
        shown = [cell.stage.arrangement.names for cell in lab.window.lanes.cells]
        assert len(shown) == lanes and all("Space" in names for names in shown)


def test_a_curve_is_drawn_in_a_plot_before_it_is_shown(lab: Lab) -> None:
    """AIMA 18.6.4: the number of wrong events over 300 steps, a curve of the timeline."""
    player, panel = begin(lab, str(FOLDER / "aima" / "hard_and_soft.toml"))
    player.go(1)
    lab.until(lambda: player.stand is not None)
    lab.settle()
    name = "Wrong points"
    figure = dict(lab.window.stage.panes())[name].figures.stack.currentWidget()
    corners = [(1, 36), (20, 20), (60, 33), (299, 3)]
    places = [QPointF(*figure.view().to_pixels(np.array(each))).toPoint() for each in corners]
    QTest.mousePress(figure, LEFT, NONE, places[0])
    for place in places[1:]:
        QTest.mouseMove(figure, place)
    QTest.mouseRelease(figure, LEFT, NONE, places[-1])
    press(panel.page.sketch.check)
    assert panel.page.said.text().startswith("✕ Nothing drives it up again")
    press(panel.page.show_button)
    assert panel.page.answer.text().startswith("After 15 steps it is 3")
    (tried,) = player.answer_so_far.tries
    assert tried.startswith("falls, then rises, then falls, at step")


def test_the_timeline_says_until_when_it_is_hidden(lab: Lab) -> None:
    """“Six e-mails” asks about coming mistakes on pages 3 to 6, and lets the run be played on 7."""
    player, panel = begin(lab)
    said = []
    for page in range(7):
        player.go(page)
        lab.settle()
        said.append(lab.session.lead.ahead)
        assert lab.session.lead.veiled == (said[-1] == "hidden until you answer")
        assert panel.page.settings.isHidden()  # playing is enough
    assert said[:3] == ["hidden until page 3"] * 2 + ["hidden until you answer"]
    assert said[-1] == ""
    player.go(0)
    lab.settle()
    lab.session.seek(3)  # a page that only tells lets the run go on
    assert lab.session.cursor == 3 and lab.session.lead.covers_ahead
    player.leave()
    assert not lab.session.lead.covers_ahead


def test_an_answered_page_goes_on_and_a_task_names_what_it_needs(lab: Lab, tmp_path: Path) -> None:
    text = Path(SIX).read_text("utf-8").split("[[page]]")[0]
    text += """
[[page]]
event = "mistake"
number = 1
before = true
then = "end"
[page.task]
kind = "choice"
ask = "Where does it end?"
choices = ["at rest", "nowhere"]
right = "at rest"
[[page]]
[page.task]
kind = "state"
ask = "Change a row."
condition = 'changed == 1 and wrong() >= 0'
"""
    path = tmp_path / "then.toml"
    path.write_text(text, "utf-8")
    player, panel = begin(lab, str(path))
    trace = lab.session.lead.trace
    assert trace is not None and lab.session.cursor == 0
    press(card(panel, "at rest"))
    lab.settle()
    assert player.done and lab.session.cursor == len(trace) - 1
    player.go(1)
    lab.settle()
    assert panel.page.settings.text() == "Change the data" and panel.page.settings.isVisible()
    player.go(0)
    lab.settle()
    assert lab.session.cursor == len(trace) - 1  # as it was left
    player.go(1)
    player.show_answer()
    assert panel.page.said.text() == "The answer was shown."


def test_what_a_page_lights_is_lit_in_a_figure_that_comes_with_it(lab: Lab) -> None:
    """The page hides the figures, so that the table of examples takes their place."""
    player, _ = begin(lab, str(FOLDER / "mit" / "conjunction_by_hand.toml"))
    player.go(1)
    lab.settle()
    table = dict(lab.window.stage.panes())["Examples"].figures.stack.currentWidget()
    assert player.page.light == ("x₂", "x₄", "x₆")
    assert [row for row in range(6) if table.pointed_at(row)] == [1, 3, 5]


def test_hidden_curves_hide_the_events_and_leave_no_empty_axis(lab: Lab, tmp_path: Path) -> None:
    text = Path(SIX).read_text("utf-8").split("[[page]]")[0]
    path = tmp_path / "bare.toml"
    path.write_text(text + '[[page]]\nevent = "mistake"\nnumber = 2\nhide = ["curves"]\n', "utf-8")
    begin(lab, str(path))
    timeline = lab.window.timeline
    assert timeline.choice.isHidden() and lab.session.lead.ahead == "hidden on this page"
    assert timeline.paper is not None and timeline.paper.until < 0


def test_an_answer_is_as_high_as_its_lines(lab: Lab) -> None:
    """Three lines beside answers of one and two."""
    player, panel = begin(lab, str(FOLDER / "mit" / "a_better_line.toml"))
    player.go(3)
    lab.settle()
    heights = [
        (each.height(), each.heightForWidth(each.width())) for each in panel.page.choices.cards
    ]
    assert heights and all(given >= wanted for given, wanted in heights)


def test_a_hidden_picture_says_that_the_page_hides_it(lab: Lab, tmp_path: Path) -> None:
    bundled = (FOLDER / "ml" / "vote_of_sixteen.toml").read_text("utf-8")
    path = tmp_path / "hiding.toml"
    path.write_text(bundled.replace('step = "end"', 'step = "end"\nhide = ["figures"]', 1), "utf-8")
    player, _ = begin(lab, str(path))
    hides = next(k for k, page in enumerate(player.lesson.pages) if "figures" in page.hide)
    player.go(hides)
    lab.settle()
    said = [pane.absent.text() for _, pane in lab.window.stage.panes() if pane.absent.isVisible()]
    assert said and set(said) == {"This page of the lesson hides this picture."}
    player.show_answer()
    lab.settle()
    assert not any(pane.absent.isVisible() for _, pane in lab.window.stage.panes())
