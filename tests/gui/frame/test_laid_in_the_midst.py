"""What gives parts their places, and is called again while it does."""

import pytest
from laboratory import Lab

from gui.frame.chips import ChipRow
from gui.frame.shown_section import ShownRow
from gui.frame.switcher import Switcher
from gui.widgets.layouts import PASSES, not_within_itself


class Shelf:
    """As wide as it is set; its parts get what is left, and some of them make it narrower while
    they are placed.
    """

    def __init__(self, *less: int) -> None:
        self.width = 100
        self.less = list(less)
        self.places = list[int]()

    @not_within_itself
    def place(self) -> None:
        width = self.width
        if self.less:
            self.width -= self.less.pop()
            self.place()
        self.places.append(width)


def test_the_last_word_has_the_room_that_there_is() -> None:
    shelf = Shelf(10, 20)
    shelf.place()
    assert shelf.places == [100, 80, 70]
    shelf.place()
    assert shelf.places == [100, 80, 70, 70]


def test_what_never_comes_to_rest_ends_and_what_fails_can_be_called_again() -> None:
    restless = Shelf(*[1] * 50)
    restless.place()
    assert len(restless.places) == PASSES
    broken = Shelf(1)
    broken.places = None  # type: ignore[assignment]
    with pytest.raises(AttributeError):
        broken.place()
    broken.places = []
    broken.place()
    assert broken.places == [99]


def test_a_row_that_becomes_narrower_in_the_midst_hides_the_chips_that_have_no_room(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A larger window closed a dock that a rail had opened: chips for which there had been room lay
    on one another.
    """
    row = ChipRow(lab.session, lab.session.lead)
    fit = Switcher.fit
    row.setParent(lab.window)  # in no layout
    row.hold(Switcher())
    row.show()
    chips = [row.chips.itemAt(k).widget() for k in range(row.chips.count())]
    row.resize(400, row.height())
    narrow = [chip.isHidden() for chip in chips]
    row.resize(1500, row.height())
    assert sum(chip.isHidden() for chip in chips) < sum(narrow)

    def fit_in_a_narrow_row(switcher: Switcher, room: int) -> None:
        monkeypatch.setattr(Switcher, "fit", fit)
        row.resize(400, row.height())
        fit(switcher, room)

    monkeypatch.setattr(Switcher, "fit", fit_in_a_narrow_row)
    row.resize(1400, row.height())
    assert row.width() == 400
    assert [chip.isHidden() for chip in chips] == narrow


def test_a_row_that_needs_more_lines_in_a_narrower_dock_gets_them(lab: Lab) -> None:
    """Its words took another line while the dock was laid out, and were cut until something else
    changed.
    """
    lab.window.resize(800, 600)
    lab.settle()
    lab.window.left_dock.focus_data()
    lab.settle()
    rows = [row for row in lab.window.left_dock.findChildren(ShownRow) if row.isVisible()]
    assert any("\n" in row.box.text() for row in rows)
    lab.until(lambda: all(row.height() >= row.sizeHint().height() for row in rows), 2)
