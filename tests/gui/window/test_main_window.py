"""The window as a whole: themes, folding, title, closing; no attribute hides a method of Qt;
nothing crashes in painting.
"""

import ast
import gc
import inspect
import pkgutil
import textwrap
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
from laboratory import LEFT, WORKER, Key, Lab, four_points, threads
from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QMenu, QSlider, QWidget

import engine
import gui
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.step import Level
from gui.app import open_window
from gui.figures.bars import BarsFigure
from gui.look import theme
from gui.reading.pseudocode import CodeCard


def qt_names(kind: type) -> set[str]:
    """What the Qt classes that `kind` is made of call their methods."""
    from_qt = [base for base in kind.__mro__ if base.__module__.startswith("PySide6")]
    return {name for base in from_qt for name in vars(base) if callable(getattr(base, name, None))}


def ours() -> list[type]:
    """Every class of gui/ that is a QObject."""
    for module in pkgutil.walk_packages(gui.__path__, "gui."):
        import_module(module.name)
    found, queue = [], [QObject]
    while queue:
        kind = queue.pop()
        queue += kind.__subclasses__()
        if kind.__module__.startswith("gui."):
            found.append(kind)
    return sorted(set(found), key=lambda kind: (kind.__module__, kind.__name__))


def set_on_self(kind: type) -> set[str]:
    """The attributes that the methods of a class assign."""
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):
        source = ""
    found = set()
    for node in ast.walk(ast.parse(textwrap.dedent(source))):
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                if (
                    isinstance(part, ast.Attribute)
                    and isinstance(part.value, ast.Name)
                    and part.value.id == "self"
                ):
                    found.add(part.attr)
    return found


@pytest.mark.slow
def test_no_attribute_hides_a_method_of_qt() -> None:
    """`self.metric = …` in a QWidget takes the place of QWidget.metric(), and Qt crashes when it
    calls that.
    """
    kinds = ours()
    assert kinds
    hidden = {kind.__qualname__: sorted(set_on_self(kind) & qt_names(kind)) for kind in kinds}
    assert {name: found for name, found in hidden.items() if found} == {}


@pytest.mark.slow
def test_living_widgets_hide_no_method_either(lab: Lab) -> None:
    lab.session.choose("decision_tree")
    lab.settle()
    for widget in [lab.window, *lab.window.findChildren(QWidget)]:
        if type(widget).__module__.startswith("gui."):
            own = {
                name
                for name, value in vars(widget).items()
                if not isinstance(value, SignalInstance)
            }
            assert sorted(own & qt_names(type(widget))) == [], type(widget).__name__


# -- themes ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_is_put_in_force_and_remembered(lab: Lab, settings: QSettings, name: str) -> None:
    lab.window.action(name).trigger()
    assert theme.current().name == name
    assert settings.value("theme") == name
    picture = lab.window.grab().toImage()
    assert picture.pixelColor(3, 400).name() == theme.current().colour("dock").name()


def test_an_unknown_theme_in_the_settings_is_the_light_one(
    open_lab: Callable[..., Lab], settings: QSettings
) -> None:
    settings.setValue("theme", "no such theme")
    lab = open_lab()
    assert theme.current().name == "light"
    assert lab.window.action("light").isChecked()


@pytest.mark.slow
def test_the_theme_button_goes_to_and_fro(lab: Lab) -> None:
    lab.window.action("light").trigger()
    QTest.mouseClick(lab.window.theme_button, LEFT)
    assert theme.current().name == "dark"
    lab.key(Key.Key_P)
    lab.key(Key.Key_P)
    assert theme.current().name == "dark"
    QTest.mouseClick(lab.window.theme_button, LEFT)
    assert theme.current().name == "light"


@pytest.mark.slow
def test_the_projector_is_not_what_the_next_start_opens_in(lab: Lab, settings: QSettings) -> None:
    lab.key(Key.Key_P)
    assert settings.value("theme", "light") == "light"
    for name, button in [
        (b.accessibleName(), b) for b in lab.window.right_strip.findChildren(QAbstractButton)
    ]:
        if name == "Leave":
            QTest.mouseClick(button, LEFT)
    assert theme.current().name == "light"


@pytest.mark.slow
def test_docks_unfold_in_the_projector(lab: Lab) -> None:
    lab.key(Key.Key_P)
    for strip, dock in [
        (lab.window.left_strip, lab.window.left_dock),
        (lab.window.right_strip, lab.window.right_dock),
    ]:
        first = strip.findChildren(QAbstractButton)[0]
        QTest.mouseClick(first, LEFT)
        assert dock.isVisible()
        QTest.mouseClick(first, LEFT)
        assert dock.isHidden()


def test_docks_fold_away_and_come_back(lab: Lab) -> None:
    QTest.mouseClick(lab.window.chips.expand, LEFT)
    assert lab.window.left_dock.isHidden()
    assert lab.window.right_dock.isHidden()
    QTest.mouseClick(lab.window.chips.expand, LEFT)
    assert lab.window.left_dock.isVisible()
    assert lab.window.right_dock.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 620), (1280, 800), (1920, 1080)])
def test_every_size_shows_the_plane_and_the_transport(open_lab, size: tuple[int, int]) -> None:
    lab = open_lab(size=size)
    assert (lab.window.width(), lab.window.height()) == size
    assert lab.plane.width() > 250
    assert lab.plane.height() > 150
    for button in lab.window.transport.buttons.values():
        right = button.mapTo(lab.window, button.rect().topRight()).x()
        assert 0 < right <= size[0]


def test_every_control_has_an_accessible_name(lab: Lab) -> None:
    for kind in (QAbstractButton, QComboBox, QSlider):
        for control in lab.window.findChildren(kind):
            named = control.accessibleName() or getattr(control, "text", str)()
            assert named or not control.isVisible(), control


@pytest.mark.slow
@pytest.mark.parametrize("key", ["perceptron", "nearest_neighbours", "decision_tree", "adaboost"])
def test_every_stop_of_the_tab_key_has_an_accessible_name(lab: Lab, key: str) -> None:
    lab.session.choose(key)
    lab.settle()
    seen = 0
    while True:
        stops = [
            widget
            for widget in lab.window.findChildren(QWidget)
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and widget.isVisible()
            and widget.focusProxy() is None
        ]
        for stop in stops:
            heard = stop.accessibleName() or (
                stop.text() if isinstance(stop, QAbstractButton) else ""
            )
            assert heard, f"{type(stop).__name__} in {type(stop.parentWidget()).__name__}"
        seen += len(stops)
        if lab.session.cursor >= 3:
            break
        lab.window.action("next").trigger()
        lab.settle()
    assert seen > 60


def test_the_code_and_the_bars_are_called_by_what_they_are(open_lab) -> None:
    lab = open_lab(size=(1280, 1400))
    QTest.qWait(50)
    lab.settle()
    bars = [bars for bars in lab.window.findChildren(BarsFigure) if bars.isVisible()]
    assert bars and all(each.title for each in bars)
    assert all(each.accessibleName().startswith(each.title) for each in bars)
    assert lab.window.findChild(CodeCard).accessibleName() == "Pseudo-code"


def test_commands_in_the_menu_bar_are_all_there(lab: Lab) -> None:
    shown = {action for menu in lab.window.actions_.menus for action in within(menu)}
    assert set(lab.window.actions_.all.values()) <= shown


def within(menu: QMenu) -> Iterator[QAction]:
    """The actions of a menu and of the menus in it."""
    for action in menu.actions():
        yield action
        if isinstance(action.menu(), QMenu):
            yield from within(action.menu())


# -- title and end ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_title_says_what_is_open_and_whether_it_is_saved(lab: Lab, tmp_path) -> None:
    assert not lab.window.windowTitle().startswith("*")
    lab.click(*lab.free_place())
    assert lab.window.windowTitle().startswith("*")
    lab.key(Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not lab.window.windowTitle().startswith("*")
    path = str(tmp_path / "lesson.learnscope")
    lab.session.path = path
    lab.click(*lab.free_place())
    assert lab.window.commands.save()
    assert lab.window.windowTitle() == "lesson – Learnscope"


@pytest.mark.slow
def test_a_document_just_opened_is_not_marked_as_changed(lab: Lab) -> None:
    lab.session.open(Document(engine.textbook("and"), (lane("perceptron"),)), None)
    assert not lab.window.windowTitle().startswith("*")


def test_closing_ends_the_worker(lab: Lab) -> None:
    before = threading.active_count()
    assert len(threads(WORKER)) == 1
    lab.key(Key.Key_Space)
    assert lab.window.close()
    assert not lab.session.player.playing
    assert threads(WORKER) == []
    assert threading.active_count() <= before


@pytest.mark.slow
def test_closing_in_the_middle_of_work_ends_it_too(endless: Lab) -> None:
    endless.key(Key.Key_End)
    assert not endless.session.worker.idle
    assert endless.window.close()
    assert threads(WORKER) == []


def test_the_window_remembers_its_place(open_lab, settings: QSettings) -> None:
    lab = open_lab()
    lab.window.resize(1100, 700)
    QApplication.processEvents()
    lab.window.close()
    assert settings.value("geometry") is not None


@pytest.mark.slow
def test_the_window_answers_while_a_run_is_recorded(endless: Lab) -> None:
    endless.key(Key.Key_End)
    times = []
    for _ in range(60):
        began = time.thread_time()  # the window's own work: how busy the machine is does not matter
        QApplication.processEvents()
        times.append(time.thread_time() - began)
        time.sleep(0.005)
    assert sorted(times)[len(times) // 2] < 0.050


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1000, 640)])
def test_no_event_to_stop_at_is_cut_whatever_method_is_chosen(
    open_lab, size: tuple[int, int]
) -> None:
    lab = open_lab(size=size)
    transport = lab.window.transport
    for key in ("adaboost", "decision_tree", "svm", "perceptron", "gaussian_mixture"):
        lab.session.choose(key)
        lab.settle()
        for check in transport.checks.values():
            assert check.isHidden() or check.width() >= check.sizeHint().width(), (
                key,
                check.text(),
            )
        assert set(transport.checks) == set(lab.session.algorithm.events)
        assert transport.more.isVisible() == any(
            check.isHidden() for check in transport.checks.values()
        )
        assert transport.layout().sizeHint().width() <= transport.width()


@pytest.mark.slow
def test_events_without_a_box_are_in_a_menu(open_lab) -> None:
    """By mouse and by keys; B sets and clears them with the others, and the button tells when one
    is set.
    """
    lab = open_lab(
        Document(engine.generate("moons", 40, 0.3), (lane("decision_tree"),)), size=(1000, 640)
    )
    session = lab.session
    transport = lab.window.transport
    more = transport.more
    menu = transport.more.menu()
    assert more.accessibleName() == "More events to stop at"
    hidden = [event for event, check in transport.checks.items() if check.isHidden()]
    assert hidden
    assert hidden[-1] == "done"

    def in_menu(press) -> None:
        """The menu has an event loop of its own: what is done in it waits there."""
        QTimer.singleShot(0, press)
        QTest.mouseClick(more, LEFT)

    def click_first() -> None:
        assert [action.text() for action in menu.actions()] == hidden
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[0]).center())

    def last_by_keys() -> None:
        assert [action.isChecked() for action in menu.actions()] == [
            True,
            *[False] * (len(hidden) - 1),
        ]
        QTest.keyClick(menu, Key.Key_Up)
        QTest.keyClick(menu, Key.Key_Return)

    in_menu(click_first)
    assert session.stop_at == {hidden[0]}
    assert more.isChecked()
    in_menu(last_by_keys)
    assert session.stop_at == {hidden[0], hidden[-1]}
    # not by its key: on the screen of the tests the closed menu stays the active window
    switch = lab.window.action("breakpoints")
    switch.trigger()
    assert session.stop_at == frozenset()
    assert not more.isChecked()
    switch.trigger()
    assert session.stop_at == set(session.algorithm.events)
    assert more.isChecked()
    transport.checks["split"].click()
    assert session.stop_at == {*session.algorithm.events} - {"split"}, (
        "those in the menu are not forgotten"
    )
    lab.window.resize(1900, 800)
    assert more.isHidden()


@pytest.mark.slow
def test_the_hint_at_the_arrow_keys_names_what_they_move_by(lab: Lab) -> None:
    for unit in Level:
        lab.session.set_unit(unit)
        assert lab.window.transport.stride.text() == f"one {unit.name.lower()}"


def test_a_closed_window_lets_go_of_its_data_and_its_run(
    built: None, open_lab, settings: QSettings
) -> None:
    window = open_window(settings, four_points())
    window.show()
    QApplication.processEvents()  # what it does at once is done
    run, problem = (
        weakref.ref(found) for found in (window.session.lane_view.run, window.session.problem)
    )
    window.session.saved = window.session.document
    window.close()
    window.deleteLater()
    del window
    for _ in range(2):  # the window, and then what it takes with it
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert run() is None and problem() is None
