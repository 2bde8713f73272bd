"""What has been folded for want of room comes back when another sheet makes room, though nothing is resized."""

import pytest
from laboratory import Lab


@pytest.mark.slow
def test_chips_and_key_hints_find_their_room_anew_in_another_theme(lab: Lab) -> None:
    """A window that was laid out before it was dressed kept a chip and the key hints folded for ever."""
    chips, hints = lab.window.chips, lab.window.transport.hints
    made = [chips.chips.itemAt(k).widget() for k in range(chips.chips.count())]
    there = [chip.isVisible() for chip in made]
    assert hints.isVisible() and sum(there) > 2
    hints.setVisible(False)
    for chip in made[1:]:
        chip.setVisible(False)
    lab.window.use_theme("dark")
    lab.until(hints.isVisible, 5.0)
    lab.until(lambda: [chip.isVisible() for chip in made] == there, 5.0)
