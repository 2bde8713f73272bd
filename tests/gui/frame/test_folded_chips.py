"""What the chips say that find no room: read as it is written, also with an &."""

import pytest
from laboratory import Lab


@pytest.mark.slow
def test_folded_chips_are_read_as_they_are_written(lab: Lab) -> None:
    """The names of the classes stand in chips; Qt's buttons need a second &, tool tips do not."""
    chips = lab.window.chips
    texts = ["Perceptron", "seed 0", *(f"salt & pepper {k}" for k in range(30))]
    chips.texts = lambda: texts
    chips.refresh()
    lab.settle()
    assert chips.more.isVisible()
    assert "salt & pepper 29" in chips.more.toolTip()
    assert "&&" not in chips.more.toolTip()
    assert "&&" not in chips.more.accessibleName()
