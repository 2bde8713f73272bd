"""After a run that was played to its end a row offers what to try: one click, one undo."""

from laboratory import ALT, LEFT, NONE, Key, Lab
from PySide6.QtTest import QTest

from engine.document.what_next import what_ifs


def play_to_the_end(lab: Lab) -> None:
    lab.settle()
    trace = lab.session.lead.trace
    assert trace is not None
    lab.session.seek(len(trace) - 2)
    lab.key(Key.Key_Space)
    lab.until(lambda: lab.session.lead.at_end and not lab.session.player.playing)


def test_one_click_opens_a_lane_beside_and_one_undo_takes_it_away(lab: Lab) -> None:
    row = lab.window.what_next
    assert row.isHidden()
    play_to_the_end(lab)
    lab.until(lambda: len(row.cards) == 3)  # the lesson about this method comes last
    assert row.isVisible() and row.cards[2].question.startswith("Lesson, ")
    before = lab.session.document
    card = row.cards[0]
    QTest.mouseClick(card, LEFT, NONE, card.rect().center())
    assert len(lab.session.document.lanes) == 2 and row.isHidden()
    added = lab.session.document.of_lane(1).data
    assert len(added) == len(before.data) + 1
    lab.session.undo()
    assert lab.session.document == before
    play_to_the_end(lab)
    lab.key(Key.Key_2, ALT)
    assert lab.session.document.lanes[1].params.rate == 10 * before.lanes[0].params.rate
    lab.session.undo()
    play_to_the_end(lab)
    row.cards[2].click()
    assert lab.window.commands.lessons.player.running and row.isHidden()


def test_it_goes_when_something_else_is_shown(lab: Lab) -> None:
    row = lab.window.what_next
    play_to_the_end(lab)
    assert row.isVisible()
    lab.key(Key.Key_Left)
    assert row.isHidden()
    play_to_the_end(lab)
    row.close_button.click()
    assert row.isHidden()


def test_the_outlier_lies_beyond_the_other_class(lab: Lab) -> None:
    document = lab.session.document
    change = what_ifs(document, 0, document.problem())[0]
    problem = change.document.of_lane(1).problem()
    own, other = (problem.xy[problem.codes == code] for code in (0, 1))
    place = own[-1]
    assert ((place - other.mean(axis=0)) ** 2).sum() < ((place - own[:-1].mean(axis=0)) ** 2).sum()
