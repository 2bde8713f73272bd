"""After a run that has ended a row offers what to try: one click, one undo, and what came of it."""

from itertools import islice

import pytest
from laboratory import ALT, LEFT, NONE, Key, Lab, point_at
from PySide6.QtTest import QTest

from engine.base.records import replace
from engine.document.lane_edits import FULL
from engine.lessons import library
from gui.lessons.next_card import NextCard

SOME = [head for head in islice(library.heads(), 12) if head.methods[0] == "perceptron"]


@pytest.fixture(autouse=True)
def few_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "heads", lambda: iter(SOME[:1]))


def play_to_the_end(lab: Lab) -> None:
    lab.settle()
    trace = lab.session.lead.trace
    assert trace is not None
    lab.session.seek(len(trace) - 2)
    lab.key(Key.Key_Space)
    lab.until(lambda: lab.session.lead.at_end and not lab.session.player.playing)


def click(card: NextCard) -> None:
    QTest.mouseClick(card, LEFT, NONE, card.rect().center())


def test_one_click_opens_a_lane_beside_and_says_what_came_of_it(lab: Lab) -> None:
    row, session = lab.window.what_next, lab.session
    assert row.isHidden()
    play_to_the_end(lab)
    lab.until(lambda: len(row.cards) == 3)  # the lesson about this method comes last
    assert row.isVisible() and row.cards[2].words.startswith("Lesson, ")
    before, mistakes = session.document, len(session.lead.trace.when("mistake"))
    assert f"more mistakes than {mistakes}" in row.cards[1].words
    click(row.cards[0])
    assert len(session.document.lanes) == 2 and row.isVisible()
    assert len(session.document.of_lane(1).data) == len(before.data) + 1
    lab.until(lambda: row.cards[0].words.startswith("Lane B: no end after "))
    assert row.cards[0].taken and row.about.text() == "after lane A"
    click(row.cards[0])  # of one that was taken it goes to its lane
    assert len(session.document.lanes) == 2
    session.undo()
    assert session.document == before and not row.cards[0].taken
    lab.key(Key.Key_2, ALT)
    assert session.document.lanes[1].params.rate == 10 * before.lanes[0].params.rate
    lab.settle()
    made = len(session.lane_views[1].trace.when("mistake"))
    lab.until(lambda: f"mistakes so far {made}, before {mistakes}" in row.cards[1].words)
    session.undo()
    row.cards[2].click()
    assert lab.window.commands.lessons.player.running and row.isHidden()


def test_the_plane_shows_what_a_card_would_change(lab: Lab) -> None:
    row, view = lab.window.what_next, lab.session.lane_view
    play_to_the_end(lab)
    card = row.cards[0]
    point_at(card, card.rect().center(), lambda: bool(view.coming))
    (place,) = view.coming[0].xy
    assert set(map(id, view.coming)) <= set(map(id, lab.plane.layers()))
    QTest.mouseMove(lab.window, lab.window.rect().topLeft())
    point_at(lab.window.menus, lab.window.menus.rect().center(), lambda: not view.coming)
    row.cards[1].setFocus()
    assert view.coming == ()  # another rate has no place on the plane
    row.cards[0].setFocus()
    assert view.coming
    lab.key(Key.Key_Return)
    added = lab.session.document.of_lane(1).problem().xy[-1]
    assert added.tolist() == place.tolist() and not view.coming


def test_it_goes_when_something_else_is_shown(lab: Lab) -> None:
    row = lab.window.what_next
    play_to_the_end(lab)
    assert row.isVisible()
    lab.key(Key.Key_Left)
    assert row.isHidden()
    lab.key(Key.Key_Right)
    assert row.isVisible()
    lab.session.predicting.toggle()
    assert row.isHidden()
    lab.session.predicting.toggle()
    lab.key(Key.Key_Home)
    lab.key(Key.Key_End)
    assert row.isVisible()
    lab.key(Key.Key_Escape)
    assert row.isHidden()
    play_to_the_end(lab)
    assert row.isHidden()  # for this run
    lab.session.set_params(rate=0.25)
    lab.settle()
    lab.key(Key.Key_Home)
    lab.key(Key.Key_End)  # a hand that goes to the end and rests there
    lab.until(row.isVisible)
    row.close_button.click()
    assert row.isHidden()


def test_without_room_a_button_brings_it_and_without_a_lane_the_cards_say_why(lab: Lab) -> None:
    row, button = lab.window.what_next, lab.window.transport.what_next
    play_to_the_end(lab)
    assert row.isVisible() and button.isHidden()
    lab.window.resize(1280, 620)
    lab.until(row.isHidden)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT, NONE, button.rect().center())
    assert row.isVisible()
    lab.window.resize(1280, 800)
    lab.until(button.isHidden)
    for _ in range(3):
        lab.session.lane_commands.duplicate()
    lab.session.activate(0)
    assert [card.words for card in row.cards[:2]] == [FULL, FULL]
    assert not row.cards[0].isEnabled()
    click(row.cards[0])
    assert len(lab.session.document.lanes) == 4


def test_without_changes_there_is_the_lesson_alone_and_without_both_no_row(lab: Lab) -> None:
    row = lab.window.what_next
    lab.session.choose("distance_balls")
    play_to_the_end(lab)
    lab.until(lambda: row.known == SOME[:1])
    assert row.isHidden() and not row.changes
    row.known = [replace(SOME[0], methods=("distance_balls",))]
    lab.session.set_params(p=3.0)
    play_to_the_end(lab)
    assert row.isVisible() and [card.name for card in row.cards][-1] == SOME[0].title
