"""How views share the stage: the picture that explains the step leads."""

import numpy as np
import pytest

from engine.scene.scene import Bars, Network, Plot, Table, Tree
from gui.figures.wish import ANY, Wish, larger
from gui.stage.arrangement import LEAD, MOST, Arrangement, arrange, lead_share, roomy

KNOWN = {
    "Plane": None,
    "Tree": Tree("Tree", ()),
    "Examples": Table("Examples", (), ()),
    "Best": Table("Best", (), ()),
    "Network": Network("Network", (), ()),
    "Weights": Bars("Weights", (), np.zeros(0)),
    "Space": Plot("Space", "", "", ()),
}
SMALL = (656, 540)
WIDE = (1086, 700)


@pytest.mark.parametrize(
    ("recent", "size", "names", "upright"),
    [
        # the plane right, whatever leads
        (("Plane", "Network"), SMALL, ("Network", "Plane"), False),
        (("Tree", "Plane"), SMALL, ("Tree", "Plane"), False),
        (("Examples", "Tree"), SMALL, ("Tree", "Examples"), True),
        # the tree above, whatever was chosen last
        (("Tree", "Examples"), SMALL, ("Tree", "Examples"), True),
        (("Examples", "Weights"), SMALL, ("Weights", "Examples"), True),
        (("Examples", "Best"), SMALL, ("Best", "Examples"), True),
        (("Examples", "Plane"), SMALL, ("Examples", "Plane"), False),
        (("Examples", "Weights"), (1120, 540), ("Weights", "Examples"), False),  # a flat stage
        (("Examples", "Tree"), (1120, 540), ("Tree", "Examples"), True),
        (("Space", "Network"), WIDE, ("Network", "Space"), False),
        (("Plane",), WIDE, ("Plane",), False),
        (("Plane", "Network"), (639, 540), ("Network",), False),  # no room for two
        (("Plane", "Network"), (640, 199), ("Network",), False),
        (("Examples", "Tree"), (300, 400), ("Tree", "Examples"), True),
        (("Examples", "Tree"), (656, 399), ("Tree",), False),
        ((), WIDE, (), False),
    ],
)
def test_two_views_have_their_places(recent, size, names, upright) -> None:
    found = arrange(recent, KNOWN, size)
    assert (found.names, found.upright) == (names, upright)
    if len(names) == 2:
        assert found.share == pytest.approx(LEAD if names[0] == recent[-1] else 1 - LEAD)


def test_a_table_too_wide_or_too_short_for_its_part_stands_below() -> None:
    pair, flat = ("Examples", "Weights"), (1120, 540)
    narrow = {"Examples": Wish((500, 400), (400, 100))}
    wide = {"Examples": Wish((800, 400), (700, 100))}
    assert not arrange(pair, KNOWN, flat, None, narrow).upright
    assert arrange(pair, KNOWN, flat, None, wide).upright
    short = {"Examples": Wish((500, 200), (400, 100))}
    assert arrange(pair, KNOWN, flat, None, short).upright


def test_a_person_may_put_the_plane_at_the_left() -> None:
    assert arrange(("Network", "Plane"), KNOWN, WIDE, {"Plane": 0, "Network": 1}).names == (
        "Plane",
        "Network",
    )
    assert arrange(("Network", "Plane"), KNOWN, WIDE, {"Plane": 1, "Network": 0}).names == (
        "Network",
        "Plane",
    )
    assert arrange(("Network", "Plane"), KNOWN, WIDE, {"Plane": 0, "Tree": 1}).names == (
        "Network",
        "Plane",
    )


def test_the_least_view_is_280_by_200() -> None:
    assert (
        roomy((640, 200), False) and not roomy((640, 199), False) and not roomy((639, 900), False)
    )
    assert roomy((280, 400), True) and not roomy((279, 400), True) and not roomy((280, 399), True)


def test_the_lead_has_the_most_and_nothing_is_left_empty_that_the_other_needs() -> None:
    table = Wish((600, 300), (160, 100))
    assert lead_share(Wish((500, 250)), table, 600, 1) == 0.5, "both whole: the rest is the lead's"
    assert lead_share(Wish((500, 310)), table, 600, 1) == pytest.approx(LEAD)
    assert lead_share(Wish((500, 360)), table, 600, 1) == pytest.approx(0.6)
    assert lead_share(ANY, table, 600, 1) == pytest.approx(MOST), "a curve over a long table"
    assert lead_share(ANY, Wish((600, 90)), 600, 1) == pytest.approx(0.85), "a short table"
    assert lead_share(ANY, ANY, 1000, 0) == pytest.approx(MOST)
    assert lead_share(table, ANY, 1000, 0) == pytest.approx(0.6)
    assert larger(table, Wish((700, 90), (90, 120))) == Wish((700, 300), (160, 120))
    assert Arrangement() == Arrangement((), False, 1.0)


def test_a_view_that_needs_its_room_stands_alone_and_a_short_table_leaves_the_rest() -> None:
    needy = {"Weights": Wish(needs=(480, 0)), "Plane": Wish()}
    pair = ("Plane", "Weights")
    assert arrange(pair, KNOWN, (700, 520), wishes=needy).names == ("Weights",)
    assert set(arrange(pair, KNOWN, (1060, 700), wishes=needy).names) == set(pair)
    many = Wish((400, 1500), (300, 100), floor=False)
    short = Wish((400, 100), (300, 100), floor=False)
    assert lead_share(short, many, 500, 1) == pytest.approx(0.28), "all of it, with air"
    assert lead_share(Wish((400, 100)), many, 500, 1) == pytest.approx(LEAD), "a growing picture"
    assert lead_share(many, many, 500, 1) == pytest.approx(MOST)
