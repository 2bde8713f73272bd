"""Where the curve of the run is the picture that a text shows, the window shows it first."""

import pytest
from laboratory import Lab
from PySide6.QtCore import QPoint, QRect

from engine.files.books import contents
from engine.files.openings import Opening
from engine.scene.views import CODE, CURVE


def place_and_way(text: str, name: str) -> tuple[object, Opening]:
    place = next(place for place in contents()[text] if place.name == name)
    return place, place.opens[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "size"), [("light", (1280, 800)), ("projector", (1280, 800)), ("dark", (800, 600))]
)
def test_a_training_curve_is_seen_where_the_book_shows_it(
    open_lab, look: str, size: tuple[int, int]
) -> None:
    lab: Lab = open_lab(None, size)
    window = lab.window
    window.use_theme(look)
    lab.settle()
    usual = window.timeline.rows[1]
    place, way = place_and_way("AIMA", "Fig 18.16(a)")
    assert CURVE in way.views
    window.commands.data_commands.open_place(place, way)
    assert window.message.dismiss(), "the remark on the figure"
    lab.settle()
    timeline = window.timeline
    seen = QRect(timeline.mapTo(window, QPoint(0, 0)), timeline.size())
    assert timeline.isVisible() and window.rect().contains(seen)
    least = 100 if size == (800, 600) else 125
    assert timeline.rows[1] > usual and window.stage.height() >= least
    if size == (1280, 800):
        assert timeline.height() > 0.4 * (timeline.height() + window.stage.height())
    lab.session.choose("nearest_neighbours")
    lab.settle()
    assert timeline.isVisible() == (look != "projector")
    assert timeline.rows[1] == usual, "another method leads with its own pictures"


@pytest.mark.slow
def test_a_listing_is_seen_with_all_its_lines_where_the_book_prints_one(open_lab) -> None:
    lab: Lab = open_lab(None, (1280, 800))
    window, dock = lab.window, lab.window.right_dock
    window.use_theme("projector")
    lab.settle()
    for text, name, shown in (
        ("AIMA", "Fig 18.34", True),
        ("AIMA", "Fig 18.15", False),
        ("ML", "Table 8.1", True),
    ):
        place, way = place_and_way(text, name)
        assert (CODE in way.views) == shown
        window.commands.data_commands.open_place(place, way)
        lab.settle()
        assert dock.isVisible() == shown, name
    whole = dock.code.heights(dock.page.section_width())[1]
    assert dock.code.height() >= whole - 1 and dock.page.verticalScrollBar().value() == 0


def test_an_opening_shows_the_curve_that_it_names(open_lab) -> None:
    lab: Lab = open_lab(None, (1280, 800))
    commands = lab.window.commands.data_commands
    place, way = place_and_way("MMDS", "12.3.6")
    commands.open_place(place, way)
    lab.settle()
    assert way.curve == "f" and lab.window.timeline.curves.caption.startswith("f = ")
    place, way = place_and_way("MMDS", "12.2.1")
    commands.open_place(place, way)
    lab.settle()
    assert not way.curve and lab.window.timeline.shown_metric == ""
