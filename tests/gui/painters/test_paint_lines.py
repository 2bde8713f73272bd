"""Lines, curves and arrows: exact places, token colours, dashes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from engine.scene.scene import Arrows, Band, Boxes, Line, Polyline, Role, Segments
from gui.look.theme import LIGHT, PROJECTOR
from gui.painters import lines
from gui.painters.strokes import dashes
from gui.painters.view import View, clip_segments

LEVEL = (np.array([0.0, 1.0]), -1.5)  # the line y = 1.5
GROUND = Boxes(np.array([[-np.inf, -np.inf, np.inf, np.inf]]), np.array([0]))


def test_the_boundary_is_ink_two_and_three_quarters_wide_with_a_casing(canvas) -> None:
    canvas.paint(GROUND, Line(*LEVEL))
    column = [canvas.at(1, 1.5, 0, d) for d in range(-6, 6)]
    assert canvas.at(1, 1.5) == LIGHT.ink
    # 2.75 px round a pixel edge: two whole ones and two partly covered
    assert column.count(LIGHT.ink) == 2
    assert canvas.at(0, 1.5) == canvas.at(4, 1.5, -1) == LIGHT.ink  # from side to side
    assert canvas.at(1, 1.5, 0, 6) == LIGHT.tint(0).name().upper()
    # the casing is lighter than the tint
    assert max(column[3], column[8]) > LIGHT.tint(0).name().upper()


def test_dashes_by_role(canvas) -> None:
    for role, colour in (
        (Role.GHOST, LIGHT.ghost),
        (Role.MARGIN, LIGHT.ink),
        (Role.CANDIDATE, LIGHT.ink),
    ):
        canvas.paint(Line(np.array([0.0, 1.0]), -1.505, role))
        row = canvas.pixels[149, :]
        dark = (row < 200).all(axis=1)
        assert 0.3 < dark.mean() < 0.75
        assert canvas.count(colour) > 50
    canvas.paint(Line(np.array([0.0, 1.0]), -1.505, Role.ACCEPTED))
    assert (canvas.pixels[149, :] < 60).all()


def test_a_candidate_under_the_pointer_is_solid(canvas) -> None:
    line = Line(np.array([0.0, 1.0]), -1.505, Role.CANDIDATE, tag="a")
    canvas.paint(line, lit=frozenset({"a"}))
    assert (canvas.pixels[149, :] < 60).all()


def test_a_candidate_carries_a_letter_handle(canvas) -> None:
    line = Line(np.array([1.0, 0.0]), -2.0, Role.CANDIDATE, "A", "a")
    canvas.paint(line)
    assert canvas.at(2, 3, 9, 17) == LIGHT.plane  # the upper end, drawn whole inside the frame
    canvas.paint(line, lit=frozenset({"a"}))
    assert canvas.at(2, 3, 9, 17) == LIGHT.sel


def test_active_lines_are_amber_between_ink(canvas) -> None:
    canvas.paint(Line(*LEVEL, Role.ACTIVE))
    assert canvas.at(1, 1.5) == LIGHT.now
    assert LIGHT.ink in {canvas.at(1, 1.5, 0, d) for d in (2, 2.5, 3)}


def test_same_and_different_cells(canvas) -> None:
    ends = np.array([[[0.0, 1.505], [4.0, 1.505]]])
    canvas.paint(Segments(ends, Role.DIFFERENT))
    assert (canvas.pixels[149, 5:-5] < 60).all()
    canvas.paint(Segments(ends, Role.SAME))
    dark = (canvas.pixels[149] < 200).all(axis=1).mean()
    assert dark == pytest.approx(1 / 2, abs=0.06)


def test_open_segments_reach_the_frame(canvas) -> None:
    canvas.paint(Segments(np.array([[[2.0, -np.inf], [2.0, np.inf]]]), Role.ACCEPTED))
    assert canvas.at(2, 3, 0, 0) == canvas.at(2, 0, 0, -1) == LIGHT.ink


def test_a_gap_breaks_a_curve(canvas) -> None:
    canvas.paint(
        Polyline(np.array([[0.5, 1.5], [1.5, 1.5], [np.nan, np.nan], [2.5, 1.5], [3.5, 1.5]]))
    )
    assert canvas.shows(LIGHT.ink, 1, 1.5)
    assert canvas.at(2, 1.5) == LIGHT.plane
    assert canvas.shows(LIGHT.ink, 3, 1.5)


def test_a_curve_of_a_class_has_its_colour(canvas) -> None:
    xy = np.array([[0.5, 1.5], [3.5, 1.5]])
    assert canvas.paint(Polyline(xy, group=1)).shows(LIGHT.classes[1], 2, 1.5)
    assert canvas.paint(Polyline(xy, Role.ACTIVE, group=1)).at(2, 1.5) == LIGHT.now


def test_a_band_is_tinted(canvas) -> None:
    x = np.array([0.5, 3.5])
    canvas.paint(Band(x, np.array([1.0, 1.0]), np.array([2.0, 2.0]), group=1))
    assert canvas.at(2, 1.5) == LIGHT.tint(1).name().upper()
    assert canvas.at(2, 2.5) == LIGHT.plane


def test_arrows_have_heads_of_thirteen_pixels(canvas) -> None:
    canvas.paint(Arrows(np.array([[1.0, 1.5]]), np.array([[3.0, 1.5]]), Role.ACTIVE))
    assert canvas.at(2, 1.5) == LIGHT.now
    assert canvas.shows(LIGHT.now, 3, 1.5, -10, 4)  # in the head, beside the shaft
    assert not canvas.shows(LIGHT.now, 3, 1.5, -18, 5)
    assert canvas.at(3, 1.5, 4) == LIGHT.plane


def test_an_accepted_arrow_stands_on_a_disc(canvas) -> None:
    canvas.paint(Arrows(np.array([[1.0, 1.5]]), np.array([[3.0, 1.5]]), Role.ACCEPTED))
    assert canvas.at(1, 1.5) == LIGHT.plane
    assert canvas.at(2, 1.5) == LIGHT.ink


def test_projector_lines_are_half_as_wide_again(canvas) -> None:
    thin = (canvas.paint(Line(*LEVEL)).pixels[:, 100] < 90).all(axis=1).sum()
    thick = (canvas.paint(Line(*LEVEL), theme=PROJECTOR).pixels[:, 100] < 90).all(axis=1).sum()
    assert thick >= thin + 1


# -- clipping --------------------------------------------------------------------------------------

number = st.floats(-1e3, 1e3, allow_nan=False)


@given(number, number, number)
def test_a_clipped_line_lies_on_the_line_and_in_the_view(a: float, c: float, b: float) -> None:
    view = View((-3.0, 5.0), (-2.0, 2.0), QRectF(30, 10, 400, 300))
    ends = view.line(np.array([a, c]), b, reach=0.0)
    if ends is None:
        return
    x = view.x[0] + (ends[:, 0] - 30) / 400 * 8
    y = view.y[1] - (ends[:, 1] - 10) / 300 * 4
    scale = np.hypot(a / view.unit[0], c / view.unit[1])
    assert np.abs(a * x + c * y + b).max() / scale < 1e-3  # pixels
    assert (ends >= np.array([30, 10]) - 1e-6).all()
    assert (ends <= np.array([430, 310]) + 1e-6).all()


def test_a_line_that_misses_the_view_is_not_drawn() -> None:
    view = View((0.0, 1.0), (0.0, 1.0), QRectF(0, 0, 100, 100))
    assert view.line(np.array([1.0, 0.0]), -5.0) is None
    assert view.line(np.array([0.0, 0.0]), 1.0) is None


def test_segments_are_cut_at_the_rectangle() -> None:
    parts, kept = clip_segments(
        np.array(
            [[[-10.0, 5.0], [20.0, 5.0]], [[50.0, 50.0], [60.0, 60.0]], [[3.0, 3.0], [4.0, 4.0]]]
        ),
        QRectF(0, 0, 10, 10),
    )
    assert kept.tolist() == [0, 2]
    assert parts.tolist() == [[[0, 5], [10, 5]], [[3, 3], [4, 4]]]


def test_pieces_of_a_layer_have_widths_of_their_own(canvas) -> None:
    ends = np.array([[[0.0, 1.0], [4.0, 1.0]], [[0.0, 2.0], [4.0, 2.0]]])
    canvas.paint(Segments(ends, Role.PLAIN, width=np.array([1.0, 3.0])))
    dark = (canvas.pixels[:, 200] < 60).all(axis=1)
    thick = [int(dark[row - 6 : row + 7].sum()) for row in (200, 100)]
    assert thick[0] <= 2
    assert 4 <= thick[1] <= 6


# -- curves that fly by ----------------------------------------------------------------------------

ZIGZAG = np.column_stack([np.linspace(0.2, 3.8, 60), 1.5 + np.tile([-0.8, 0.8], 30)])
WAVE = np.column_stack([np.linspace(0.2, 3.8, 400), 1.5 + np.sin(np.linspace(0, 6, 400))])


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("xy", [ZIGZAG, WAVE], ids=["zigzag", "wave"])
@pytest.mark.parametrize("role", [Role.GHOST, Role.INACTIVE, Role.SAMPLE, Role.CANDIDATE])
def test_a_curve_that_flies_by_has_the_look_it_has_at_rest(
    canvas, role: Role, xy: np.ndarray, closed: bool
) -> None:
    """Its dashes go on from piece to piece; where it crosses itself what is seen through becomes no
    darker.
    """
    curve = Polyline(xy, role, closed=closed)
    still = canvas.paint(curve).pixels.astype(int)
    flown = canvas.paint(curve, fleeting=True).pixels.astype(int)
    apart = np.abs(still - flown).max(axis=2)
    drawn = (still < 240).any(axis=2)
    assert drawn.sum() > 500
    assert (apart[drawn] > 60).mean() < 0.12  # where two dashes touch, and at corners
    assert flown.min() >= still.min() - 2


def test_a_curve_that_flies_by_is_no_path(canvas, monkeypatch) -> None:
    """At 3840 × 2160 Qt takes 50 ms for one of 350 dashed pieces."""
    monkeypatch.setattr(lines, "draw_path", lambda *_: pytest.fail("one path of all pieces"))
    for role in (Role.GHOST, Role.INACTIVE, Role.BOUNDARY):
        for rapid in (False, True):
            canvas.paint(Polyline(ZIGZAG, role), fleeting=True, rapid=rapid)


def test_dashes_go_on_from_piece_to_piece() -> None:
    """A line of 30 pixels in pieces of 10, in dashes of 7 with gaps of 5: 0 to 7, 12 to 19, 24 to
    30.
    """
    ends = np.array(
        [[[0.0, 0.0], [10.0, 0.0]], [[10.0, 0.0], [20.0, 0.0]], [[20.0, 0.0], [20.0, 10.0]]]
    )
    found = dashes(ends, 7.0, 5.0)
    assert found.tolist() == [[[0, 0], [7, 0]], [[12, 0], [19, 0]], [[20, 4], [20, 10]]]
    assert dashes(np.zeros((0, 2, 2)), 7.0, 5.0).shape == (0, 2, 2)


def test_level_and_upright_lines_that_fly_by_lie_where_they_do_at_rest(canvas) -> None:
    ends = np.array([[[1.0, 0.5], [1.0, 2.5]], [[0.5, 1.0], [3.5, 1.0]]])
    for fleeting in (False, True):
        canvas.paint(Segments(ends, Role.SAMPLE), fleeting=fleeting)
        assert canvas.shows(LIGHT.ink2, 1, 2) and canvas.shows(LIGHT.ink2, 3, 1)
        assert canvas.at(1, 2, 4) == canvas.at(3, 1, 0, 4) == LIGHT.plane


@pytest.mark.parametrize("to_the_left", [True, False])
def test_the_name_of_a_level_line_does_not_lie_on_it(canvas, to_the_left: bool) -> None:
    """At its left end it lay on the dashes."""
    ends = [0.08, 3.92] if to_the_left else [3.92, 0.08]
    xy = np.array([[x, 1.5] for x in reversed(ends)])
    bare = canvas.paint(Polyline(xy, Role.GHOST)).image.copy()
    named = canvas.paint(Polyline(xy, Role.GHOST, label="always 0")).image
    assert bare != named
    row = [canvas.view.pixels(np.array([[x, 1.5]]))[0] for x in np.linspace(0.15, 3.85, 60)]
    for x, y in row:
        assert bare.pixel(int(x), int(y)) == named.pixel(int(x), int(y))
