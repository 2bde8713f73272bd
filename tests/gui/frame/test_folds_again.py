"""What has been folded for want of room comes back when another sheet makes room, though nothing is
resized.
"""

from collections.abc import Callable
from typing import Any

import pytest
from laboratory import Lab

from gui.look import style


@pytest.mark.slow
def test_chips_and_key_hints_find_their_room_again_in_another_theme(lab: Lab) -> None:
    """A window that was laid out before it was dressed kept a chip and the key hints folded for
    ever.
    """
    chips = lab.window.chips
    hints = lab.window.transport.hints
    made = [chips.chips.itemAt(k).widget() for k in range(chips.chips.count())]
    there = [chip.isVisible() for chip in made]
    assert hints.isVisible() and sum(there) > 2
    hints.setVisible(False)
    for chip in made[1:]:
        chip.setVisible(False)
    lab.window.use_theme("dark")
    lab.until(hints.isVisible, 5.0)
    lab.until(lambda: [chip.isVisible() for chip in made] == there, 5.0)


@pytest.mark.slow
def test_a_window_built_under_the_projectors_sheet_shows_as_many_chips(
    built: None, qapp: Any, open_lab: Callable[..., Lab]
) -> None:
    """The button of the folded chips was measured while it still had the projector's size: one chip
    found no room.
    """
    style.apply(qapp, "projector")
    chips = open_lab().window.chips
    shown = [
        chips.chips.itemAt(k).widget().text()
        for k in range(3)
        if not chips.chips.itemAt(k).widget().isHidden()
    ]
    assert shown == ["Perceptron", "seed 0", "x as given"]
