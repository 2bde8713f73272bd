"""Ticks, views and the frame."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from engine import Dataset, prepare
from engine.base.records import replace
from engine.scene.axes import (
    axis_name,
    comparable,
    extent,
    tick_step,
    tick_text,
    tick_texts,
    ticks,
)
from gui.look.theme import LIGHT, PROJECTOR
from gui.painters import axes
from gui.painters.axes import (
    axis_step,
    draw_plane,
    fit_view,
    fitted_name,
    name_places,
    plane_rect,
    plane_ticks,
)
from gui.painters.view import Brushwork, View

PLANE = QRectF(34, 10, 612, 510)


def problem(X):
    return prepare(
        Dataset.from_arrays(np.asarray(X, float), [1, -1] * (len(X) // 2) + [1] * (len(X) % 2))
    )


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.floats(50, 3000))
def test_steps_are_one_two_or_five_and_not_too_close(
    low: float, span: float, length: float
) -> None:
    step = tick_step(low, low + span, length, 80)
    mantissa = step / 10 ** np.floor(np.log10(step) + 1e-9)
    assert min(abs(mantissa - m) for m in (1, 2, 5, 10)) < 1e-6
    assert step / span * length >= 80 * (1 - 1e-6)
    assert step / span * length <= 80 * 2.5 * (1 + 1e-6)


def test_ticks_of_the_mock_up(qapp) -> None:
    view = View((-2.98, 2.98), (-2.48, 2.48), PLANE)
    (xs, step), (ys, _) = plane_ticks(view, LIGHT)
    assert [tick_text(x, step) for x in xs] == ["−2", "−1", "0", "1", "2"]
    assert [tick_text(y, step) for y in ys] == ["−2", "−1", "0", "1", "2"]


@pytest.mark.parametrize("theme", [LIGHT, PROJECTOR], ids=lambda t: t.name)
@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(5, 40))
def test_a_short_axis_has_two_numbers_as_well(
    qapp, theme, low: float, span: float, lines: float
) -> None:
    """One number alone gives no scale. They do not touch."""
    line = theme.line_height("caption")
    step = axis_step(1, (low, low + span), lines * line, theme)
    if lines > 6:
        assert len(ticks(low, low + span, step)) > 1
    assert step / span * lines * line >= line


def test_texts_of_ticks() -> None:
    assert tick_text(-0.5, 0.5) == "−0.5"
    assert tick_text(0.30000000000000004, 0.1) == "0.3"
    assert tick_text(-1e-17, 0.1) == "0"
    assert tick_text(1500.0, 500.0) == "1500"
    assert tick_text(2e7, 1e7) == "2·10⁷"


@pytest.mark.parametrize(
    ("low", "span", "texts"),
    [
        (1990, 30, ["1990", "1995", "2000", "2005", "2010", "2015", "2020"]),
        (2e6, 20, ["2000000", "2000005", "2000010", "2000015", "2000020"]),
        (1e7, 20, ["10000000", "10000005", "10000010", "10000015", "10000020"]),
        (-1e7, 20, ["−10000000", "−9999995", "−9999990", "−9999985", "−9999980"]),
        (
            1e12,
            20,
            ["1000000000000", "1000000000005", "1000000000010", "1000000000015", "1000000000020"],
        ),
        (8e6, 4e6, ["8·10⁶", "9·10⁶", "1.0·10⁷", "1.1·10⁷", "1.2·10⁷"]),
        (
            1e-9,
            1e-12,
            [
                "1.0000·10⁻⁹",
                "1.0002·10⁻⁹",
                "1.0004·10⁻⁹",
                "1.0006·10⁻⁹",
                "1.0008·10⁻⁹",
                "1.0010·10⁻⁹",
            ],
        ),
        (0.5, 1e-4, ["0.50000", "0.50002", "0.50004", "0.50006", "0.50008", "0.50010"]),
        (-2e-5, 4e-5, ["−2·10⁻⁵", "−1·10⁻⁵", "0", "1·10⁻⁵", "2·10⁻⁵"]),
    ],
)
def test_texts_of_far_and_fine_ticks(low: float, span: float, texts: list[str]) -> None:
    step = tick_step(low, low + span, 550, 80)
    assert tick_texts(ticks(low, low + span, step).tolist(), step) == texts


@given(st.floats(-15, 15), st.floats(-11, 1), st.booleans())
def test_no_two_ticks_have_the_same_text(size: float, finer: float, negative: bool) -> None:
    low = 10**size * (-1 if negative else 1)
    high = low + 10 ** (size + finer)
    step = tick_step(low, high, 600, 80)
    texts = tick_texts(ticks(low, high, step).tolist(), step)
    assert len(texts) > 1
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("theme", [LIGHT, PROJECTOR], ids=lambda t: t.name)
@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e5, 1e9])
def test_numbers_never_touch(qapp, theme, scale: float) -> None:
    from gui.painters.axes import label_width

    view = View((-3 * scale, 3 * scale), (0, 1), PLANE)
    (xs, step), _ = plane_ticks(view, theme)
    assert 1 < len(xs) < 12
    assert label_width(view.x, step, theme) < step * view.unit[0]


def test_ticks_do_not_run_away() -> None:
    assert len(ticks(0, 1e9, 1e-3)) == 0
    assert len(ticks(0, np.inf, 1.0)) == 0


def test_names_with_numbers_get_subscripts() -> None:
    assert axis_name("x1") == "x₁"
    assert axis_name("x12") == "x₁₂"
    assert axis_name("width") == "width"
    assert axis_name("A2024") == "A2024"
    assert axis_name("") == ""


def test_views_keep_eight_per_cent_of_air() -> None:
    view = fit_view(problem([[0, 0], [10, 2]]), PLANE, equal=False)
    assert view.x == pytest.approx((-0.8, 10.8))
    assert view.y == pytest.approx((-0.16, 2.16))


def test_equal_scales() -> None:
    view = fit_view(problem([[0, 0], [10, 2]]), PLANE, equal=True)
    assert view.unit[0] == pytest.approx(view.unit[1])
    assert view.x == pytest.approx((-0.8, 10.8))
    assert comparable(problem([[0, 0], [4, 2]]))
    assert not comparable(problem([[0, 0], [1000, 2]]))


@pytest.mark.parametrize(
    "X", [[[3, 4]], [[3, 4], [3, 4]], [[3, 1], [3, 2]], [[1e9, 0], [1e9, 1]], [[5.0], [6.0]]]
)
def test_single_points_and_lines_of_points_have_a_view(X) -> None:
    view = fit_view(problem(X), PLANE, equal=False)
    assert view.x[0] < view.x[1]
    assert view.y[0] < view.y[1]
    assert np.isfinite([*view.x, *view.y]).all()


def test_held_out_points_and_the_query_are_in_view() -> None:
    base = problem([[0, 0], [1, 1]])
    far = replace(base, held_out=problem([[5, 5], [6, 6]]), query=np.array([-4.0, 0.5]))
    view = fit_view(far, PLANE, equal=False)
    assert view.x[0] < -4
    assert view.x[1] > 6


def test_room_for_the_numbers_is_as_in_the_mock_ups() -> None:
    rect = plane_rect(QRectF(300, 70, 656, 554), LIGHT)
    assert rect == QRectF(334, 80, 612, 510)


def test_points_nearly_at_one_place_have_a_range_that_can_be_drawn() -> None:
    (x0, x1), (y0, y1) = extent(problem([[1e-320, 1e-310], [2e-320, -1e-310]]))
    assert x1 - x0 == pytest.approx(1.0)
    assert y1 - y0 == pytest.approx(1.0)


def test_a_picture_too_small_for_its_numbers_has_a_plane_all_the_same() -> None:
    rect = plane_rect(QRectF(0, 0, 16, 16), LIGHT)
    assert rect.width() >= 1
    assert rect.height() >= 1


@given(
    st.text(st.characters(categories=("L", "Nd", "P", "Zs")), max_size=120),
    st.floats(60, 800),
    st.sampled_from([LIGHT, PROJECTOR]),
)
@example("precision, share of A among those called so", 240.0, LIGHT)
@example("precision, share of A among those called so", 240.0, PROJECTOR)
def test_no_name_of_an_axis_is_wider_than_its_frame(qapp, name: str, wide: float, look) -> None:
    rect = QRectF(30, 0, wide, 200)
    picture = QImage(900, 240, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        b = Brushwork(painter, View((0, 1), (0, 1), rect), look)
        for style in ("body", "caption"):
            for place in name_places(b, (name, name), style):
                assert place.left() >= rect.left() and place.right() <= rect.right()


def test_a_name_with_room_is_written_out(qapp) -> None:
    picture = QImage(900, 240, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        b = Brushwork(painter, View((0, 1), (0, 1), QRectF(0, 0, 400, 200)), LIGHT)
        name = "share of wrong rows"
        assert fitted_name(b.view, b.theme, name, "body")[0] == name
        assert fitted_name(b.view, b.theme, "x" * 200, "body")[0].endswith("…")


@pytest.mark.parametrize("top", [0.0, 30.0])
def test_a_number_that_the_top_would_cut_is_left_out(qapp, top: float) -> None:
    """Of the ticks 0 and 1, one at the upper end of an axis: only where there is room above."""
    image = QImage(200, 160, QImage.Format.Format_RGB32)
    image.fill(LIGHT.colour("window"))
    ticks = (), ((0.0, "0"), (1.0, "888"))
    view = View((0.0, 1.0), (0.0, 1.0), QRectF(60, top, 130, 100), ticks)
    with QPainter(image) as painter:
        draw_plane(painter, None, (), lambda name: None, view, LIGHT, ("x", "y"), small=True)
    beside = [
        image.pixelColor(x, y) != LIGHT.colour("window")
        for x in range(20, 54)
        for y in range(int(top) + 12)
    ]
    assert any(beside) == (top > 0)


def test_every_tick_has_its_number_whatever_the_name_of_the_axis(qapp, monkeypatch) -> None:
    """A name that would cover a number stands inside the frame, and else among the numbers."""
    written: list[tuple[str, float]] = []
    real = axes.draw_text

    def watched(b, text, font, left, middle, *rest):
        written.append((text, middle))
        real(b, text, font, left, middle, *rest)

    monkeypatch.setattr(axes, "draw_text", watched)
    rect = QRectF(40, 10, 300, 200)
    for name, high, inside in (
        ("Nodes: simple → complex", 15.4, True),
        ("x", 18.0, False),
        ("x", 15.0, True),
    ):
        written.clear()
        picture = QImage(400, 260, QImage.Format.Format_RGB32)
        view = View((0.0, high), (0.0, 1.0), rect)
        with QPainter(picture) as painter:
            axes.draw_plane(
                painter, None, (), lambda name: None, view, LIGHT, (name, "y"), small=True
            )
        assert {"0", "5", "10", "15"} <= {text for text, _ in written}, name
        ((_, middle),) = [each for each in written if each[0] == name]
        assert (middle < rect.bottom()) is inside, (name, high)
