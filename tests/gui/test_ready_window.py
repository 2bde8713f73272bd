"""A window that stands ready is untouched."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ready_window
from laboratory import Key, Lab, four_points
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from engine.base.records import replace
from engine.document.lane import lane

STATE = ("windowTitle", "geometry", "isEnabled", "accessibleName", "toolTip", "hasFocus")
MORE = {QAbstractButton: ("text", "isChecked", "isDown"), QLabel: ("text",), QLineEdit: ("text",)}


def looks(top: QWidget) -> list[tuple[Any, ...]]:
    """What each visible widget of a window says of itself, the window's own place apart."""
    seen = [
        widget
        for widget in top.findChildren(QWidget)
        if widget.isVisible() and widget.window() is top
    ]
    more = {
        widget: [name for kind, names in MORE.items() if isinstance(widget, kind) for name in names]
        for widget in seen
    }
    return [
        (type(widget).__name__, *(getattr(widget, name)() for name in (*STATE, *names)))
        for widget, names in more.items()
    ]


def contents(lab: Lab) -> tuple[Any, ...]:
    """What a session says of itself."""
    session, plane = lab.session, lab.plane
    edits = session.history.done, session.history.undone
    time = (
        session.cursor,
        session.wanted,
        session.unit,
        session.together,
        session.stop_at,
        session.player.playing,
    )
    hands = session.tool, session.current_class, plane.selected, session.pointer.place
    return (
        *edits,
        *time,
        *hands,
        session.path,
        session.unsaved,
        plane.view().x,
        plane.view().y,
        lab.said(),
    )


def test_it_is_as_a_new_one(
    lab: Lab, homes: Iterator[Path], request: pytest.FixtureRequest
) -> None:
    """Shown, announced and kept: a new window that has had its time says the same."""
    ready = looks(lab.window)
    says = contents(lab)
    settings = set(lab.window.settings.allKeys())
    lab.window.hide()
    new = request.getfixturevalue("open_lab")(kept=ready_window.settings_in(next(homes)))
    QTest.qWait(ready_window.IDLE)
    assert contents(new) == says
    assert len(ready) > 150 and looks(new.window) == ready
    assert settings == set(new.window.settings.allKeys())


def at_rest(lab: Lab) -> None:
    """Wait until what it looks like has not changed three times in a row: on a busy machine it
    stands still for a moment. It is made wider and as wide again, so that both have found room for
    their chips and hints at the same width.
    """
    size = lab.window.size()
    for wide in (size.width() + 40, size.width()):
        lab.window.resize(wide, size.height())
        lab.settle()
    before: list[list[tuple[Any, ...]]] = []
    while len(before) < 3 or any(now != before[-1] for now in before[-3:]):
        before.append(looks(lab.window))
        QTest.qWait(ready_window.IDLE)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["perceptron", "decision_tree", "kmeans"])
def test_a_document_it_opens_is_shown_as_by_a_new_one(
    open_lab: Callable[..., Lab], homes: Iterator[Path], key: str
) -> None:
    document = replace(four_points(), lanes=(lane(key),))
    opened = open_lab(document)
    at_rest(opened)
    shown = looks(opened.window)
    says = contents(opened)
    opened.window.hide()
    new = open_lab(document, kept=ready_window.settings_in(next(homes)))
    at_rest(new)
    assert contents(new) == says
    # chips that are kept were made before the names of views, new ones after them
    assert len(shown) > 150 and sorted(map(repr, looks(new.window))) == sorted(map(repr, shown))


@pytest.mark.parametrize("time", [1, 2])
def test_what_a_test_does_ends_with_it(lab: Lab, time: int) -> None:
    """The same test twice, on the same window where processes can be forked: it finds nothing of
    the other time.
    """
    session = lab.session
    assert (session.history.done, session.lane.key, session.cursor) == ([], "perceptron", 0)
    assert lab.window.settings.value("folded") is None
    session.choose("decision_tree")
    session.seek(3)
    lab.window.room.fold_docks()
    lab.window.toggle_dark()
    lab.key(Key.Key_Space)
    lab.window.settings.sync()
    assert lab.window.settings.value("folded") is not None


if hasattr(os, "fork"):

    def test_a_test_that_kills_its_process_fails_alone(
        request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            ready_window, "runtestprotocol", lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
        )
        (report,) = ready_window.run_in_fork(request.node)
        assert (report.outcome, report.nodeid) == ("failed", request.node.nodeid)
        assert "ended with -9" in str(report.longrepr)
