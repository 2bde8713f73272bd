"""Another theme: who is dressed, how often and when; and what is made before anybody needs it."""

import time
from collections import Counter
from pathlib import Path

import pytest
from laboratory import Lab
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QVBoxLayout, QWidget
from shiboken6 import isValid

from gui.forms.params_row import ParamsRow
from gui.look import dressing, style
from gui.look.dressing import Dresser
from gui.reading import step_room
from gui.widgets.controls import ErrorLine
from gui.widgets.sentence import label

GUI = Path(__file__).parents[3] / "gui"


class Changes(QObject):
    """Counts how often each widget learns that its style is another one."""

    def __init__(self) -> None:
        super().__init__()
        self.of: Counter[QObject] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange and watched.isWidgetType():
            self.of[watched] += 1
        return False


@pytest.fixture
def changes(qapp):
    seen = Changes()
    qapp.installEventFilter(seen)
    yield seen
    qapp.removeEventFilter(seen)


def dresser() -> Dresser:
    found = dressing.dresser(QApplication.instance())
    assert found is not None
    return found


@pytest.mark.slow
def test_what_is_seen_is_dressed_at_once_and_only_once(lab: Lab, changes: Changes) -> None:
    lab.window.use_theme("dark")
    visible = [w for w in lab.window.findChildren(QWidget) if w.isVisible()]
    assert len(visible) > 100
    fresh = {w for w in visible if not changes.of[w]}  # made for this theme
    assert len(fresh) < 30
    assert {changes.of[w] for w in visible if w not in fresh} == {1}


@pytest.mark.slow
def test_what_is_hidden_is_dressed_once_in_spare_time(lab: Lab, changes: Changes, qtbot) -> None:
    hidden = [w for w in lab.window.findChildren(QWidget) if not w.isVisible()]
    lab.window.use_theme("dark")
    waiting = {w for part in dresser().waiting.values() for w in part}
    assert len(waiting & set(hidden)) > 100
    assert not any(changes.of[w] for w in waiting)
    qtbot.waitUntil(lambda: not dresser().waiting)
    # a chip that found no room has been made again
    assert {changes.of[w] for w in waiting if isValid(w)} == {1}


@pytest.mark.slow
def test_what_is_seen_is_painted_before_spare_time_begins(lab: Lab) -> None:
    """Also when it took long to dress and lay it out."""
    lab.window.use_theme("dark")
    waiting = len(dresser().waiting)
    assert waiting > 10
    time.sleep(2 * dressing.PAINTING / 1000)
    painted = Painted(lab.plane.viewport())
    lab.until(lambda: painted.done)
    assert len(dresser().waiting) == waiting


@pytest.mark.slow
def test_what_is_shown_before_that_is_dressed_as_it_is_shown(lab: Lab) -> None:
    dialog = QDialog(lab.window)
    heading = label("A heading", "heading")
    QVBoxLayout(dialog).addWidget(heading)
    dialog.show()
    dialog.hide()
    lab.window.use_theme("projector")
    assert heading.font().pixelSize() == 13
    dialog.show()
    assert heading.font().pixelSize() == 20
    dialog.close()
    dialog.deleteLater()


class Painted(QObject):
    """Whether a widget has been painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.done = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.done = self.done or event.type() == QEvent.Type.Paint
        return False


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dark", "projector"])
def test_there_and_back_gives_the_same_picture_from_the_first_paint_on(lab: Lab, name: str) -> None:
    """The classes of the tool strip were painted twice, in both sizes, until the old
    ones had gone.
    """
    window = lab.window
    lab.until(lambda: lab.session.worker.idle)
    lab.settle_drawing()
    QTest.qWait(100)
    before = window.grab().toImage()
    for _ in range(2):
        window.use_theme(name)
        lab.settle_drawing()
        painted = Painted(window.plane.viewport())
        window.use_theme("light")
        lab.until(lambda painted=painted: painted.done)
        assert window.grab().toImage() == before
        dresser().finish()
        lab.settle_drawing()
        assert window.grab().toImage() == before


@pytest.mark.slow
def test_docks_that_were_open_under_the_projector_come_back_as_they_were(lab: Lab) -> None:
    window = lab.window
    room = lab.window.room
    lab.until(lambda: lab.session.worker.idle)
    lab.settle_drawing()
    QTest.qWait(100)
    before = window.grab().toImage()
    window.use_theme("projector")
    for dock in (window.left_dock, window.right_dock):
        room.unfold(dock)
        lab.settle_drawing()
        room.unfold(dock)
    painted = Painted(window.plane.viewport())
    window.use_theme("light")
    lab.until(lambda: painted.done)
    assert window.grab().toImage() == before


@pytest.fixture
def polished(monkeypatch: pytest.MonkeyPatch) -> list[QWidget]:
    """All whom the sheet has looked at, in turn."""
    found: list[QWidget] = []
    monkeypatch.setattr(
        dressing, "polish", lambda widget: found.append(widget) or widget.style().polish(widget)
    )
    return found


@pytest.mark.slow
def test_a_dock_that_the_projector_folds_comes_back_in_what_it_wears(
    lab: Lab, polished: list[QWidget], changes: Changes, qtbot
) -> None:
    dock = lab.window.left_dock
    own = {dock, *(widget for widget in dock.findChildren(QWidget) if widget.isVisible())}
    assert len(own) > 60
    lab.window.use_theme("projector")
    qtbot.waitUntil(lambda: not dresser().waiting)
    assert not own & set(polished)
    changes.of.clear()
    lab.window.use_theme("light")
    assert not own & set(polished)
    # what they measured themselves may be of another type
    assert {changes.of[widget] for widget in own} == {1}


@pytest.mark.slow
def test_a_dock_that_is_opened_under_the_projector_theme_is_dressed_for_it(lab: Lab) -> None:
    dock = lab.window.right_dock
    heading = lab.window.right_dock.step.heading
    lab.window.use_theme("projector")
    assert heading.font().pixelSize() == 13
    lab.window.room.unfold(dock)
    assert heading.font().pixelSize() == 20
    lab.window.use_theme("light")
    assert heading.font().pixelSize() == 13


@pytest.mark.slow
def test_one_of_another_kind_meanwhile_is_looked_at_again(lab: Lab) -> None:
    word = label("word", "caption")
    word.setParent(lab.window.left_dock)
    word.show()
    lab.window.use_theme("projector")
    style.mark(word, "lead")
    lab.window.use_theme("light")
    assert word.font().pixelSize() == 15


@pytest.mark.slow
def test_what_stays_hidden_in_what_is_shown_waits(lab: Lab, polished: list[QWidget]) -> None:
    dialog = QDialog(lab.window)
    menu = QMenu(dialog)
    heading = label("A heading", "heading")
    QVBoxLayout(dialog).addWidget(heading)
    dialog.ensurePolished()
    lab.window.use_theme("dark")
    polished.clear()
    dialog.show()
    assert heading in polished
    assert menu not in polished
    dialog.close()
    dialog.deleteLater()


@pytest.mark.slow
def test_chips_and_classes_are_made_once_for_themes_of_one_type(lab: Lab) -> None:
    def made() -> list[QWidget]:
        rows = lab.window.chips.chips, lab.window.tool_strip.classes
        return [row.itemAt(k).widget() for row in rows for k in range(row.count())]

    def colours() -> list[QImage]:
        classes = lab.window.tool_strip.classes
        return [
            classes.itemAt(k).widget().icon().pixmap(16).toImage() for k in range(classes.count())
        ]

    before = made()
    light = colours()
    lab.window.use_theme("dark")
    assert made() == before
    assert all(a != b for a, b in zip(light, colours(), strict=True))
    lab.window.use_theme("light")
    assert (made(), colours()) == (before, light)


@pytest.mark.slow
def test_one_thrown_away_while_it_waits_is_left_alone(lab: Lab) -> None:
    inner = QLabel("gone", QDialog(lab.window))
    lab.window.use_theme("dark")
    assert any(inner in part for part in dresser().waiting.values())
    inner.parentWidget().deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    dresser().finish()
    assert not dresser().waiting


@pytest.mark.slow
def test_a_chip_that_found_no_room_in_large_type_is_back_in_small(lab: Lab) -> None:
    def shown() -> list[str]:
        row = lab.window.chips.chips
        return [
            row.itemAt(k).widget().text()
            for k in range(row.count())
            if row.itemAt(k).widget().isVisible()
        ]

    before = shown()
    for name in ("projector", "dark", "projector", "light"):
        lab.window.use_theme(name)
        dresser().finish()
        lab.settle_drawing()
    assert shown() == before


class Sizes(QObject):
    """The sizes that a widget got."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.got: list[tuple[int, int]] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.got.append((event.size().width(), event.size().height()))
        return False


@pytest.mark.slow
@pytest.mark.parametrize(("name", "times"), [("projector", 1), ("dark", 0)])
def test_the_window_is_laid_out_once_for_a_theme(lab: Lab, name: str, times: int) -> None:
    sizes = Sizes(lab.window.stage)
    lab.window.use_theme(name)
    lab.settle_drawing()
    assert len(sizes.got) == times
    lab.window.use_theme("light")
    lab.settle_drawing()
    assert len(sizes.got) == 2 * times


@pytest.fixture
def measured(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one for each step whose words are measured; those of the run that is shown have
    been.
    """
    room = lab.window.right_dock.room
    calls = []
    lab.until(lambda: room.measured and lab.session.worker.idle)
    usual = type(room.panel).height_for
    monkeypatch.setattr(
        type(room.panel), "height_for", lambda *given: calls.append(1) or usual(*given)
    )
    return calls


@pytest.mark.slow
def test_words_are_measured_again_for_other_type_only(lab: Lab, measured: list[int]) -> None:
    lab.window.use_theme("dark")
    lab.settle()
    assert not measured
    lab.window.use_theme("projector")
    lab.window.room.unfold(lab.window.right_dock)
    lab.until(lambda: bool(measured))


@pytest.mark.slow
def test_words_are_measured_once_for_each_type(lab: Lab, measured: list[int]) -> None:
    room = lab.window.right_dock.room
    needed = room.needed
    for name in ("projector", "light"):
        lab.window.use_theme(name)
        lab.settle()
        lab.settle_drawing()
    assert (room.needed, measured) == (needed, [])


def test_words_are_measured_a_few_steps_at_a_time(
    lab: Lab, measured: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = lab.window.right_dock.room
    monkeypatch.setattr(step_room, "AT_ONCE", 0.0)
    room.forget()
    room.measure()
    assert len(measured) == 1
    assert not room.measured
    lab.until(lambda: room.measured)
    assert len(measured) > 1


# -- what is not needed yet is not made -----------------------------------------------------------


def test_a_parameter_that_does_not_count_now_has_no_control(lab: Lab) -> None:
    rows = lab.window.left_dock.form.findChildren(ParamsRow)
    hidden = [row for row in rows if row.isHidden()]
    assert hidden
    assert not any(row.findChildren(QWidget) for row in hidden)
    assert not any(row.findChildren(ErrorLine) for row in rows)


@pytest.mark.slow
def test_words_are_measured_when_the_window_has_done_something_long(
    lab: Lab, measured: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = lab.window.right_dock.room
    monkeypatch.setattr(step_room, "AT_ONCE", 0.0)
    monkeypatch.setattr(step_room, "BETWEEN", 200)
    room.forget()
    room.measure()
    count = len(measured)
    time.sleep(0.25)  # the window paints, say
    QApplication.processEvents()
    assert len(measured) == count
    lab.until(lambda: len(measured) > count)
