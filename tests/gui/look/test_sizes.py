"""The rules by which a window grows, against the table of the design tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.look import sizes
from gui.look.sizes import RAIL, Shares, projector_step, shares, timeline_rows, type_step

SIZES = st.tuples(st.integers(800, 5000), st.integers(600, 3000))


@pytest.mark.parametrize(
    ("window", "left", "right", "curve", "timeline"),
    [
        ((1280, 800), 252, 324, 70, 132),
        ((1920, 1080), 316, 464, 150, 252),
        ((2560, 1440), 360, 560, 240, 342),
    ],
)
def test_the_tables_numbers(window, left, right, curve, timeline):
    """1280 × 800 and 1920 × 1080 as printed; 2560 × 1440: left 252 + 0.10 · 1280 and right 324 +
    0.22 · 1280 reach what they have at most, curve 70 + 2/7 · 640 = 253 too, the timeline has 62
    for its rows and 40 for the overview.
    """
    got = shares(*window)
    assert (got.left, got.right, got.curve, got.timeline) == (left, right, curve, timeline)


def test_the_middle_has_the_rest():
    assert 1280 - sizes.TOOLS - shares(1280, 800).left - shares(1280, 800).right == 656
    assert sizes.LESSON.at(0) == 330
    assert sizes.LESSON.at(640) == 394
    assert shares(1280, 800, right=sizes.RIGHT_TREE).right == 340
    assert shares(1280, 800, right=sizes.RIGHT_PREDICT).right == 364


@pytest.mark.parametrize(
    ("window", "step"),
    [
        ((1280, 800), 0),
        ((2000, 899), 0),
        ((1439, 1000), 0),
        ((1440, 900), 1),
        ((1920, 1080), 1),
        ((1919, 1300), 1),
        ((1920, 1260), 2),
        ((2560, 1440), 2),
        ((3840, 2160), 2),
    ],
)
def test_type_follows_the_height(window, step):
    assert type_step(*window) == step
    assert type_step(*window, zoom=2) == step + 2
    assert type_step(*window, zoom=9) == step + 4
    assert type_step(*window, zoom=-9) == 0


def test_type_at_the_steps():
    """The printed ones, then × 1.125."""
    assert [sizes.at_step(sizes.TYPE["body"], k) for k in range(4)] == [13, 14.5, 16, 18]
    assert [sizes.at_step(sizes.BARS["transport"], k) for k in range(4)] == [44, 52, 58, 65.25]


@pytest.mark.parametrize(
    ("window", "step"), [((1024, 768), 0), ((1280, 800), 0), ((1920, 1080), 2), ((2560, 1440), 4)]
)
def test_the_projector_grows_in_proportion(window, step):
    """1.125² = 1.27 ≤ 1080 / 800 = 1.35 < 1.125³; 1.125⁴ = 1.60 ≤ 1.80 < 1.125⁵ = 1.802."""
    assert projector_step(*window) == step


def test_small_windows_fold_in_order():
    """Docks shrink, then the left one becomes a rail, then the right one; overview, events, curve
    by the height.
    """
    at = [shares(w, 800) for w in (1130, 1100, 1099, 900, 899, 800)]
    assert [(s.left, s.right) for s in at] == [
        (252, 324),
        (252, 320),
        (RAIL, 324),
        (RAIL, 324),
        (RAIL, RAIL),
        (RAIL, RAIL),
    ]
    rows = [timeline_rows(height, steps=5000) for height in (700, 698, 640, 638, 600, 598)]
    assert [row[1:] for row in rows] == [
        (70, True, True), (70, True, False), (70, True, False), (70, False, False), (70, False,
        False), (0, False, False),
    ]  # fmt: skip
    assert [row[0] for row in rows] == [172, 132, 132, 110, 110, 52]


def test_two_views_take_room_from_the_docks():
    """640 pixels: 1280 − 48 − 640 = 592 for both docks, which want 576; at 1200 the right one
    shrinks to its least first.
    """
    assert [
        (s.left, s.right) for s in (shares(w, 800, stage=640) for w in (1280, 1240, 1200, 1160))
    ] == [
        (252, 324),
        (252, 300),
        (228, 284),
        (208, 284),
    ]


def test_the_overview_comes_with_long_runs_or_high_curves():
    assert [timeline_rows(800, steps)[3] for steps in (1999, 2000)] == [False, True]
    assert [timeline_rows(height)[3] for height in (934, 940)] == [False, True]


def test_a_size_by_hand_wins():
    got = shares(1920, 1080, dragged={"left": 400, "right": 300, "timeline": 400})
    assert (got.left, got.right, got.timeline, got.curve, got.overview) == (
        400,
        300,
        400,
        298,
        True,
    )
    assert shares(1280, 800, dragged={"left": 10}).left == 208
    assert shares(1280, 800, dragged={"timeline": 900}).timeline == 400
    assert timeline_rows(800, by_hand=20) == (52, 0, False, False)
    assert timeline_rows(800, by_hand=80) == (80, 40, False, False)
    assert timeline_rows(800, by_hand=100) == (100, 38, True, False)


@given(
    SIZES,
    st.integers(0, 20_000),
    st.dictionaries(st.sampled_from(["left", "right", "timeline"]), st.integers(-9, 9999)),
)
def test_nothing_is_ever_squeezed_out(window, steps, dragged):
    """However small the window and whatever was dragged: the middle keeps what two docks at their
    least leave it.
    """
    width, height = window
    got: Shares = shares(width, height, steps=steps, dragged=dragged)
    for size, rule, rail in (
        (got.left, sizes.LEFT, width < 1100),
        (got.right, sizes.RIGHT, width < 900),
    ):
        assert size == RAIL if rail else size >= rule.least
    assert width - sizes.TOOLS - got.left - got.right >= sizes.STAGE
    assert got.curve == 0 or got.curve >= sizes.CURVE.least
    assert sizes.SCRUBBER <= got.timeline <= height // 2
    rows = sizes.CAPTIONS + sizes.TRACK + sizes.MARKS * got.marks + sizes.OVERVIEW * got.overview
    assert got.timeline >= rows + got.curve
    assert (got.left % 2, got.right % 2) == (0, 0) or dragged or width < 1280


@given(SIZES, SIZES)
def test_a_larger_window_never_makes_a_part_smaller(a, b):
    w0, h0 = (min(a[0], b[0]), min(a[1], b[1]))
    w1, h1 = (max(a[0], b[0]), max(a[1], b[1]))
    small, large = shares(w0, h0), shares(w1, h1)
    assert small.left <= large.left
    # the left dock: at 1100 pixels the right one makes room for the last of it
    opens = small.left == RAIL < large.left
    assert small.right <= large.right + (4 if opens else 0)
    assert small.timeline <= large.timeline
    assert type_step(w0, h0) <= type_step(w1, h1)
