"""The projector with mouse and clicker: what is clicked there leaves the keys to the run; the
scrubber is a scrubber.
"""

from itertools import product

import pytest
from laboratory import CTRL, LEFT, MIDDLE, NONE, RIGHT, Key, Lab
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.step import Level
from gui.base.plain_text import tip
from gui.frame.projector import LEGEND, NAMED, fitted
from gui.look import focus
from gui.look.ink import face
from gui.widgets.controls import Chip


@pytest.fixture
def projector(lab: Lab) -> Lab:
    lab.key(Key.Key_P)
    lab.settle()
    return lab


def press(lab: Lab, word: str) -> None:
    button, _ = {**lab.window.left_strip.buttons, **lab.window.right_strip.buttons}[word]
    QTest.mouseClick(button, LEFT)
    lab.settle_drawing()


def chip(lab: Lab, text: str) -> Chip:
    return next(
        c for c in lab.window.chips.findChildren(Chip) if c.text() == text and c.isVisible()
    )


def tab_to(lab: Lab, widget: QWidget) -> None:
    for _ in range(150):
        lab.key(Key.Key_Tab)
        if widget.hasFocus():
            return
    raise AssertionError(f"Tab does not reach {widget.accessibleName()}")


# -- who has the keys after a click ----------------------------------------------------------------


@pytest.mark.slow
def test_a_clicker_steps_after_a_click_on_data(projector: Lab) -> None:
    before = projector.data
    press(projector, "Data")
    assert projector.window.left_dock.isVisible()
    for _ in range(3):
        projector.key(Key.Key_PageDown)
    projector.key(Key.Key_PageUp)
    assert projector.session.cursor == 2
    projector.key(Key.Key_Home)
    assert projector.session.cursor == 0
    assert projector.data is before
    assert focus.ring() is None


@pytest.mark.slow
def test_why_is_one_click_away_and_one_back(projector: Lab) -> None:
    """It lies below the words of the step; Code shows the same dock."""
    window = projector.window
    press(projector, "Why?")
    assert window.right_dock.isVisible() and window.right_dock.why.isVisible()
    projector.session.set_settings(tool="probe")
    projector.click(1.0, 1.0)
    projector.settle()
    assert "The probe is now called −1" in window.right_dock.why.as_text()
    page = window.right_dock.page
    top = window.right_dock.why.mapTo(page.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < page.height() - window.right_dock.why.heading.height(), "it is scrolled to"
    press(projector, "Why?")
    assert not window.right_dock.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["x as given", "line through the origin"])
def test_arrows_step_after_a_click_on_a_chip(lab: Lab, text: str) -> None:
    lab.window.resize(1520, 800)
    QApplication.processEvents()
    before = lab.data
    QTest.mouseClick(chip(lab, text), LEFT)
    lab.key(Key.Key_Right)
    lab.key(Key.Key_PageDown)
    assert lab.session.cursor == 2
    assert lab.data is before
    assert focus.ring() is None


@pytest.mark.slow
def test_arrows_step_after_the_click_even_if_the_list_was_reached_by_tab_before(lab: Lab) -> None:
    tab_to(lab, lab.window.left_dock.data.picker.field)
    assert focus.ring() is not None
    QTest.mouseClick(chip(lab, "x as given"), LEFT)
    lab.key(Key.Key_Right)
    assert lab.session.cursor == 1


@pytest.mark.slow
def test_a_chip_pressed_by_a_key_shows_where_the_focus_went(lab: Lab) -> None:
    # a click long before means nothing
    QTest.mouseClick(lab.window.transport.buttons["next"], LEFT)
    tab_to(lab, chip(lab, "x as given"))
    lab.key(Key.Key_Space)
    picker = lab.window.left_dock.data.picker.field
    assert picker.hasFocus()
    ring = focus.ring()
    assert ring is not None
    assert ring.target is picker
    lab.key(Key.Key_Return)
    data = lab.window.left_dock.data.picker
    cursor = lab.session.cursor
    assert data.popup.isVisible()
    here = data.list.currentIndex().row()
    lab.key(Key.Key_PageDown)
    lab.settle()
    assert lab.session.cursor == cursor and data.list.currentIndex().row() > here


@pytest.mark.slow
def test_the_search_is_seen_to_have_the_keys(lab: Lab) -> None:
    lab.key(Key.Key_K, CTRL)
    ring = focus.ring()
    assert ring is not None
    assert ring.target is lab.window.search


# -- the tool in hand ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_strip_shows_the_tool_in_hand(projector: Lab) -> None:
    def checked() -> set[str]:
        return {
            word
            for word, (button, _) in projector.window.left_strip.buttons.items()
            if button.isChecked()
        }

    press(projector, "Probe")
    assert (projector.session.tool, checked()) == ("probe", {"Probe"})
    press(projector, "Probe")
    assert checked() == {"Probe"}, "still in hand"
    press(projector, "Points")
    assert (projector.session.tool, checked()) == ("add", {"Points"})
    projector.key(Key.Key_M)
    assert checked() == set()
    projector.key(Key.Key_I)
    assert checked() == {"Probe"}


@pytest.mark.slow
def test_the_button_in_hand_is_dark(projector: Lab) -> None:
    press(projector, "Probe")
    projector.move(*projector.free_place())  # else it looks hovered
    shades = []
    for word in ("Probe", "Points"):
        image = projector.window.left_strip.buttons[word][0].grab().toImage()
        shades.append(image.pixelColor(8, 8).lightness())
    assert shades[0] < 80 < 200 < shades[1]


# -- the scrubber ----------------------------------------------------------------------------------


def at(lab: Lab, share: float, above: int = 0) -> QPoint:
    """A place of the band, by the share of the way along the track, and pixels above it."""
    place = lab.window.caption_band.scrubber.pointAt(share)
    return place.toPoint() - QPoint(0, above)


@pytest.mark.slow
def test_only_the_left_button_scrubs_and_only_on_the_scrubber(projector: Lab) -> None:
    band = projector.window.caption_band
    projector.key(Key.Key_End)
    projector.settle()
    projector.key(Key.Key_Home)
    for button in (RIGHT, MIDDLE):
        for above in (0, 90):
            QTest.mouseClick(band, button, NONE, at(projector, 0.5, above))
    QTest.mouseClick(band, LEFT, NONE, at(projector, 0.5, 90))  # on the sentence
    QTest.mousePress(band, LEFT, NONE, at(projector, 0.2, 90))
    QTest.mouseMove(band, at(projector, 0.7))
    QTest.mouseRelease(band, LEFT, NONE, at(projector, 0.7))
    assert projector.session.cursor == 0
    last = len(projector.session.trace) - 1
    for above in (0, 10, 20, -12):  # comfortably around the line
        QTest.mouseClick(band, LEFT, NONE, at(projector, 0.5, above))
        assert abs(projector.session.cursor - last / 2) <= 1
        projector.key(Key.Key_Home)
    QTest.mousePress(band, LEFT, NONE, at(projector, 0.2))
    QTest.mouseMove(band, at(projector, 1.0, 60))  # a drag goes on wherever the hand goes
    assert projector.session.cursor == last
    QTest.mouseRelease(band, LEFT, NONE, at(projector, 1.0, 60))
    QTest.mouseMove(band, at(projector, 0.1))
    assert projector.session.cursor == last


@pytest.mark.slow
def test_the_wheel_over_the_band_steps(projector: Lab) -> None:
    band = projector.window.caption_band
    place = QPointF(300, 40)

    def turn(notches: int) -> None:
        event = QWheelEvent(
            place,
            QPointF(band.mapToGlobal(place.toPoint())),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(band, event)

    turn(-1)
    turn(-1)
    assert projector.session.cursor == 2
    turn(1)
    assert projector.session.cursor == 1


@pytest.mark.slow
def test_the_scrubber_stops_at_rounds_when_rounds_are_counted(projector: Lab) -> None:
    projector.key(Key.Key_End)
    projector.settle()
    projector.session.set_unit(Level.ROUND)
    rounds = set(projector.session.trace.indices(Level.ROUND))
    assert len(rounds) < len(projector.session.trace) - 5
    band = projector.window.caption_band
    met = set()
    QTest.mousePress(band, LEFT, NONE, at(projector, 0.0))
    for k in range(41):
        QTest.mouseMove(band, at(projector, k / 40))
        met.add(projector.session.cursor)
    QTest.mouseRelease(band, LEFT, NONE, at(projector, 1.0))
    assert met <= rounds
    assert len(met) > 2


@pytest.mark.slow
def test_the_curves_take_the_place_of_the_scrubber(projector: Lab) -> None:
    """They scrub themselves, and the band has the number: nothing is there twice, and no dock loses
    height to them.
    """
    window = projector.window
    band = projector.window.caption_band
    press(projector, "Code")
    height, plane = window.right_dock.height(), window.stage.height()
    press(projector, "Curves")
    assert window.timeline.isVisible()
    assert not window.counter.isVisible()
    assert window.right_dock.height() == height
    assert plane - window.stage.height() < window.timeline.height()
    assert window.right_strip.buttons["Curves"][0].isChecked()
    shown = band.grab().toImage()
    projector.key(Key.Key_End)
    projector.settle()
    projector.key(Key.Key_Home)
    QTest.mouseClick(band, LEFT, NONE, QPoint(band.width() // 2, band.height() - 4))
    assert projector.session.cursor == 0, "there is no scrubber to click"
    assert shown.pixelColor(14, band.height() - 24) == shown.pixelColor(2, 2), "nor one to be seen"
    QTest.mouseClick(window.timeline, LEFT, NONE, window.timeline.rect().center())
    assert projector.session.cursor > 0
    projector.key(Key.Key_Home)
    press(projector, "Curves")
    assert not window.timeline.isVisible()
    QTest.mouseClick(band, LEFT, NONE, at(projector, 0.5))
    assert projector.session.cursor > 0
    press(projector, "Curves")
    projector.key(Key.Key_P)
    projector.settle_drawing()
    assert window.counter.isVisible() and window.timeline.isVisible()
    assert window.timeline.mapTo(window, QPoint(0, 0)).x() == 0, "below everything again"
    projector.key(Key.Key_P)
    projector.settle_drawing()
    assert not window.timeline.isVisible() and not band.lent
    assert not window.right_strip.buttons["Curves"][0].isChecked()


# -- the sentence ----------------------------------------------------------------------------------

LONG = (
    "The 10 examples before it are farther. x₁₅₀ is closer: 0.26 < 0.44. x₆₄ drops out of the 5"
    " best. The vote so far: virginica."
)


def test_a_wanted_step_that_is_still_to_come_is_said(
    projector: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pad of digits learns for seconds before the step that its text shows."""
    view = projector.session.lane_view
    band = projector.window.caption_band
    projector.session.seek(3)
    said = band.sentence()
    assert said == view.step.note.text() and not view.to_come
    monkeypatch.setattr(type(view), "finished", property(lambda _: False))
    view.wanted = 1 << 60
    assert "its end" in band.sentence() and band.sentence().endswith("as soon as it is there.")
    view.wanted = view.cursor + 1
    assert band.sentence() == said


@pytest.mark.slow
def test_a_sentence_keeps_its_words_or_shows_that_it_is_cut(projector: Lab) -> None:
    for width, times in product((120, 300, 400, 700, 1100), (1, 2, 5)):
        sentence = " ".join([LONG] * times)
        font, lines, whole = fitted(sentence, width, 98)
        metrics = QFontMetrics(font)
        assert font.pixelSize() >= 16
        assert len(lines) * metrics.lineSpacing() <= 98
        assert all(metrics.horizontalAdvance(line) <= width for line in lines)
        assert (" ".join(lines) == sentence) == whole
        assert whole or any("…" in line for line in lines)
        assert whole or times > 1 or width == 120


@pytest.mark.slow
def test_a_long_word_is_not_cut_at_the_edge(projector: Lab) -> None:
    _, (line,), whole = fitted(
        "customers_age_in_completed_years_at_the_time_of_the_survey", 200, 98
    )
    assert line.endswith("…") and not whole


def ink_rows(picture: QImage, left: int, right: int) -> list[int]:
    """The rows of the picture that have something dark between two columns."""
    return [
        y
        for y in range(picture.height())
        if any(picture.pixelColor(x, y).lightness() < 128 for x in range(left, right))
    ]


@pytest.mark.slow
def test_the_band_beside_a_dock_says_the_whole_sentence(projector: Lab) -> None:
    """The result of AdaBoost beside “Why?” at 1280 x 800: its first line was halved and its last
    word missing.
    """
    projector.session.choose("adaboost")
    projector.settle()
    press(projector, "Why?")
    projector.key(Key.Key_End)
    projector.settle()
    band = projector.window.caption_band
    assert band.width() < 800
    font, lines, whole = band.said()
    assert whole and " ".join(lines) == projector.session.step.note.text()
    picture = band.grab().toImage()
    left = round(band.counter()[0]) + 32
    words = [y for y in ink_rows(picture, left, band.width()) if y < 104 - 8]
    assert words[0] >= 2 and words[-1] <= 101
    assert words[-1] - words[0] > (len(lines) - 1) * QFontMetrics(font).lineSpacing()


@pytest.mark.slow
def test_the_tip_tells_what_is_cut(projector: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    band = projector.window.caption_band
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *_: tips.append(text))
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(200, 40), QPoint(200, 40))
    QApplication.sendEvent(band, event)
    monkeypatch.setattr(band, "sentence", lambda: " ".join([LONG] * 9))
    QApplication.sendEvent(band, event)
    assert tips == ["", tip(" ".join([LONG] * 9))]
    assert tips[1].startswith(" ".join([LONG] * 4))


# -- the title -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_classes_stand_below_a_name_that_needs_the_line(open_lab) -> None:
    lab = open_lab(Document(engine.real("iris"), (lane("nearest_neighbours"),)))
    lab.key(Key.Key_P)
    lab.settle()
    row = lab.window.title_row
    assert not row.two_lines()
    press(lab, "Why?")
    assert row.two_lines()
    assert row.cut_names() == row.names()
    picture = row.grab().toImage()
    whole = round(face("title").width("Nearest neighbours"))
    upper, lower = (picture.copy(12, y, whole, 26) for y in (8, 44))
    assert ink_rows(upper, 0, 60) and ink_rows(upper, whole - 20, whole - 2), "the name to its end"
    assert not ink_rows(lower, 0, 60)


@pytest.mark.slow
def test_settings_that_would_be_three_dots_are_left_out(
    projector: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = projector.window.title_row
    assert row.settings(400.0) == "line through the origin, η 0.5"
    assert row.settings(200.0).startswith("line through") and row.settings(200.0).endswith("…")
    assert row.settings(50.0) == ""


@pytest.mark.slow
def test_many_long_classes_have_a_share_of_the_row_each(projector: Lab) -> None:
    row = projector.window.title_row
    names = [f"a class with a very long name, number {k}" for k in range(6)]
    row.names = lambda: names  # type: ignore[method-assign]
    cut = row.cut_names()
    assert all(name.endswith("…") for name in cut)
    assert sum(face("body").width(name) + NAMED for name in cut) <= row.width() - sum(LEGEND)


# -- size ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_jumps_when_the_total_grows(
    projector: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence and the stroke between step and total stand still, whatever is counted; long
    numbers stay in their room.
    """
    band = projector.window.caption_band
    places = set()
    for here, total in (
        ("9", "/ 12+"),
        ("10", "/ 999+"),
        ("3,757", "/ 8,041+"),
        ("99,999", "/ 100,000+"),
    ):
        monkeypatch.setattr(
            "gui.frame.projector.counter_texts", lambda _, h=here, t=total: (h, t, [])
        )
        end, parts = band.counter()
        places.add((end, parts[1][3]))
        assert parts[0][3] >= 11
        assert parts[1][3] + QFontMetrics(parts[1][1]).horizontalAdvance(total) <= end
    assert len(places) == 1


@pytest.mark.slow
def test_the_strips_step_to_and_fro(projector: Lab) -> None:
    press(projector, "Next")
    press(projector, "Next")
    assert projector.session.cursor == 2
    press(projector, "Back")
    assert projector.session.cursor == 1


@pytest.mark.slow
@pytest.mark.parametrize(("size", "times"), [((1280, 800), 1.0), ((2560, 1440), 1.125**4)])
def test_all_of_the_projector_grows_with_the_screen(
    open_lab, size: tuple[int, int], times: float
) -> None:
    lab = open_lab(size=size)
    lab.window.toggle_projector()
    lab.settle_drawing()
    window = lab.window
    heights = (window.left_strip.width(), window.title_row.height(), window.caption_band.height())
    assert heights == pytest.approx((80 * times, 72 * times, 156 * times), abs=1)
    for strip in (window.left_strip, window.right_strip):
        for _, word in strip.buttons.values():
            assert word.isVisible() and word.width() >= word.fontMetrics().horizontalAdvance(
                word.text()
            )
            assert word.geometry().bottom() < strip.height()


def test_the_strips_are_painted_whenever_their_buttons_were_made(lab: Lab) -> None:
    window = lab.window
    window.grab()
    assert "buttons" not in vars(window.left_strip), "a start makes none"
    window.use_theme("projector")
    lab.settle()
    image = window.left_strip.grab().toImage()
    button = window.left_strip.buttons["Data"][0]
    edge = button.geometry().center().y()
    inks = {
        image.pixelColor(x, edge).lightness()
        for x in range(button.x(), button.geometry().right() + 1)
    }
    assert min(inks) < 60 < 200 < max(inks)
