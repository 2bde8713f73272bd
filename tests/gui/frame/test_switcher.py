"""The words of the stage by themselves: what is dark, what finds room, what the mouse and the arrow
keys do.
"""

from collections.abc import Callable

import pytest
from laboratory import CTRL, LEFT, NONE, Key
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from gui.frame.switcher import Switcher
from gui.look import theme

NAMES = ("Space", "Plane", "Cost", "Paths", "Weights w", "Examples")


@pytest.fixture
def switcher(qtbot, qapp) -> Switcher:
    theme.use("light")
    made = Switcher()
    qtbot.addWidget(made)
    made.show_views(NAMES, ("Space", "Examples"), frozenset({"Paths"}))
    made.show()
    QApplication.processEvents()
    return made


def seen(switcher: Switcher) -> list[str]:
    return [word.name for word in switcher.words if word.isVisible()]


def test_what_is_shown_is_dark_and_what_is_not_there_is_grey(switcher: Switcher) -> None:
    assert [word.isChecked() for word in switcher.words] == [True, False, False, False, False, True]
    assert [word.isEnabled() for word in switcher.words] == [True, True, True, False, True, True]
    assert switcher.words[0].accessibleName() == "Space, shown"
    assert "V 2" in switcher.words[1].toolTip()


def test_words_that_find_no_room_are_in_a_menu_but_for_those_shown(switcher: Switcher) -> None:
    switcher.fit(260)
    assert switcher.width() <= 262
    assert {"Space", "Examples"} <= set(seen(switcher)) and len(seen(switcher)) < len(NAMES)
    assert switcher.more.isVisible()
    got: list[tuple[str, bool]] = []
    switcher.picked.connect(lambda name, beside: got.append((name, beside)))
    QTest.mouseClick(switcher.more, LEFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == [
        name for name in NAMES if name not in seen(switcher)
    ]
    menu.actions()[-1].trigger()
    menu.close()
    assert got == [("Weights w", False)]
    switcher.fit(2000)
    assert seen(switcher) == list(NAMES)
    assert not switcher.more.isVisible()


def test_an_and_in_a_name_is_no_underlined_key(switcher: Switcher) -> None:
    """On the words and in the menu alike: Qt would swallow a single &."""
    switcher.show_views(("Plane", "Sugar & salt", "Salt & fat"), ("Plane",), frozenset())
    assert [word.text() for word in switcher.words[:3]] == [
        "Plane",
        "Sugar && salt",
        "Salt && fat",
    ]
    switcher.fit(120)
    QTest.mouseClick(switcher.more, LEFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    hidden = [action.text() for action in menu.actions()]
    menu.close()
    assert "Salt && fat" in hidden
    assert all("&&" in name for name in hidden)


def test_a_press_asks_and_changes_nothing_by_itself(switcher: Switcher) -> None:
    got: list[tuple[str, bool]] = []
    switcher.picked.connect(lambda name, beside: got.append((name, beside)))
    for k, keys in ((1, NONE), (2, CTRL), (0, NONE)):
        QTest.mouseClick(switcher.words[k], LEFT, keys)
    assert got == [("Plane", False), ("Cost", True), ("Space", False)]
    assert [word.isChecked() for word in switcher.words] == [True, False, False, False, False, True]


def test_the_arrow_keys_go_from_word_to_word(switcher: Switcher) -> None:
    switcher.activateWindow()
    switcher.words[0].setFocus()
    for key, at in ((Key.Key_Right, 1), (Key.Key_Right, 2), (Key.Key_Right, 4), (Key.Key_Left, 2)):
        QTest.keyClick(switcher.focusWidget(), key)
        assert switcher.focusWidget() is switcher.words[at]  # what is grey is passed over


def test_one_view_alone_needs_no_words(switcher: Switcher) -> None:
    switcher.show_views(("Plane",), ("Plane",))
    assert not switcher.isVisible()


class Row(QObject):
    """What lies around the words: with each width that they take it gives them other room."""

    def __init__(self, switcher: Switcher, room: Callable[[], int]) -> None:
        super().__init__(switcher)
        self.switcher, self.room = switcher, room
        switcher.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.switcher.fit(self.room())
        return False


def test_room_that_changes_while_words_come_and_go_is_used(switcher: Switcher) -> None:
    """The words lay on one another: the row found other room in the midst of laying them out, and
    the old width won.
    """
    wide = switcher.room
    Row(switcher, lambda: wide)
    switcher.fit(200)
    QApplication.processEvents()
    assert seen(switcher) == list(NAMES) and not switcher.more.isVisible()
    ends = [word.geometry().right() for word in switcher.words]
    assert ends == sorted(ends) and ends[-1] < switcher.width()
    assert all(
        b.x() > a.geometry().right()
        for a, b in zip(switcher.words, switcher.words[1:], strict=False)
    )


def test_words_that_would_come_and_go_for_ever_stay_away(switcher: Switcher) -> None:
    """A tree of the restaurants in two lanes: with its words the row had room for none, without
    them for all, and the window never answered again.
    """
    switcher.fit(60)
    Row(switcher, lambda: 60 if len(seen(switcher)) > 2 else 900)
    switcher.fit(900)
    QApplication.processEvents()
    assert len(seen(switcher)) < len(NAMES) and switcher.more.isVisible()
