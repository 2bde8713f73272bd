"""The range of the curves: a bound belongs to the picture, but the curve comes first."""

from collections.abc import Callable
from math import inf, nan

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from laboratory import Lab
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.algorithm import Curve
from engine.read.tables import parse_table
from engine.table.prepare import Split
from gui.timeline.curves import (
    HEADROOM,
    REACH,
    Curves,
    Series,
    range_of,
    series_of,
    tick_text,
    with_words,
)
from gui.timeline.drawing import corners_of

PLAIN, LOG = Curve("mistakes", "mistakes", digits=0), Curve("loss", "loss", log=True)


def series(name: str, *values: float, dashed: bool = False) -> Series:
    return Series(name, np.arange(len(values), dtype=float), np.asarray(values, float), dashed)


def test_a_bound_within_reach_makes_the_axis_longer() -> None:
    assert range_of(
        PLAIN, [series("mistakes", 0, 1, 2), series("bound", 3, 4, 8, dashed=True)]
    ) == (0, 8)
    assert range_of(PLAIN, [series("mistakes", 5, 3), series("bound", 1, 2, dashed=True)]) == (0, 5)


def test_a_bound_far_above_does_not_flatten_the_curve_and_says_how_far_it_goes() -> None:
    own, bound = series("mistakes", 0, 1, 2), series("bound", 200, 150, 6, dashed=True)
    low, high = range_of(PLAIN, [own, bound])
    assert (low, high) == (0, 6)
    assert high <= REACH * 2
    assert with_words(bound, high, 0).beyond == "above, up to 200"
    assert with_words(own, high, 0).beyond == ""
    assert with_words(series("bound", 6, 5, dashed=True), high, 0).beyond == ""


def test_the_held_out_errors_are_no_bound() -> None:
    assert range_of(PLAIN, [series("wrong", 1, 2), series("held out", 90, 40, dashed=True)]) == (
        0,
        90,
    )


def test_powers_reach_further() -> None:
    own = series("loss", 1e-3, 10)
    assert range_of(LOG, [own, series("bound", 500, 20, dashed=True)]) == (1e-3, 500)
    assert range_of(LOG, [own, series("bound", 1e9, 1e9, dashed=True)]) == (1e-3, 10)


def test_zero_stands_below_the_least_number_on_a_logarithmic_axis() -> None:
    for shown in (
        [series("left", 8, 0)],
        [series("left", 442, 8), series("bad", 436, 0, dashed=True)],
    ):
        low, high = range_of(LOG, shown)
        zero, least = Curves("", (), low, high, log=True).height(np.array([0.0, 3 * low]))
        assert 0 <= zero < least - 0.05 and low > 0


def test_without_values_the_axis_goes_from_0_to_1() -> None:
    assert range_of(PLAIN, []) == (0, 1)
    assert range_of(LOG, [series("loss", 0, 0)]) == (0.1, 1)


def test_what_leaves_the_range_leaves_the_frame() -> None:
    curves = Curves("", (), 0.0, 10.0)
    assert curves.height(np.array([0.0, 10.0])).tolist() == pytest.approx([0, HEADROOM])
    assert curves.height(np.array([1e9]))[0] > 1
    assert np.isfinite(curves.height(np.array([1e300]))).all()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["adaboost", "voronoi_diagram"])
def test_the_bound_of_an_algorithm_is_in_sight(lab: Lab, key: str) -> None:
    lab.window.commands.use_data(engine.generate("leaning_clouds", n=30, noise=0.3))
    lab.session.choose(key)
    lab.session.seek(1 << 60)
    lab.settle()
    curves = lab.window.timeline.curves
    (bound,) = (s for s in curves.series if s.dashed)
    shown = curves.height(bound.y)
    assert ((shown >= 0) & (shown <= 1)).mean() > 0.9


def test_the_curves_of_a_whole_run_are_drawn_at_once(lab: Lab) -> None:
    """While a slider is dragged the curves must not blink."""
    lab.session.set_params(rate=0.3)
    lab.settle()
    assert len(lab.window.timeline.curves.series[0].x) == len(lab.session.trace)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.5, "0.5"),
        (-2.0, "−2"),
        (0.001, "0.001"),
        (10.0**-3, "0.001"),
        (10.0**-4, "10⁻⁴"),
        (1e-8, "10⁻⁸"),
        (1e-12, "10⁻¹²"),
        (2.5e-4, "2.5·10⁻⁴"),
        (250.0, "250"),
        (20000.0, "20000"),
        (1e6, "10⁶"),
        (2.5e6, "2.5·10⁶"),
    ],
)
def test_numbers_of_the_axis_are_short(value: float, text: str) -> None:
    assert tick_text(value) == text


@pytest.mark.slow
def test_numbers_of_the_axis_keep_off_one_another_and_off_the_name_of_the_marks(
    lab: Lab, monkeypatch
) -> None:
    written: list[tuple[QRectF, str]] = []

    class Listener(QPainter):
        def drawText(self, *args: object) -> None:
            if isinstance(args[0], QRectF):
                written.append((args[0], str(args[-1])))
            super().drawText(*args)

    timeline = lab.window.timeline
    data = engine.generate("moons", 40, 0.3)
    lab.window.commands.use_data(data)
    for key in ("svm", "decision_tree", "gradient_descent", "em_means"):
        if key == "gradient_descent":
            lab.window.commands.use_data(engine.generate("sine", 20))
        lab.session.choose(key)
        lab.settle()
        written.clear()
        image = QImage(timeline.size(), QImage.Format.Format_RGB32)
        painter = Listener(image)
        timeline.paper.paint_ground(
            painter, timeline.track_y(), timeline.overview.geometry().center().y()
        )
        painter.end()
        middles = sorted(box.center().y() for box, _ in written)
        assert len(middles) > 2 and written[-1][1] in ("events", "bounds", "splits")
        assert min(np.diff(middles)) >= 15, [(box.center().y(), text) for box, text in written]


@pytest.mark.parametrize(
    ("low", "high"),
    [(2.0, 19.9), (0.3, 4.0), (1.0, 9.0), (3.0, 3.0), (0.0, 0.0), (0.01, 5.0), (1e-6, 1e3)],
)
def test_a_logarithmic_axis_has_several_numbers(low: float, high: float) -> None:
    axis = Curves("loss", (), low, high, log=True)
    heights = axis.height(np.array(axis.ticks()))
    assert 2 <= len(heights) <= 7
    assert (np.diff(heights) > 0).all() and heights.min() >= 0 and heights.max() <= 1


@given(
    st.lists(st.floats(), min_size=1, max_size=6),
    st.lists(st.floats(), max_size=6),
    st.booleans(),
)
@example([nan], [], False)
@example([5e-324], [], False)
@example([1e308, -1e308], [inf, nan], False)
def test_no_value_breaks_the_axis_or_the_painting(
    values: list[float], bound: list[float], log: bool
) -> None:
    metric = Curve("loss", "loss", log=log)
    own = series_of(metric, {"loss": values}, 1.0)
    above = series_of(Curve("b", "b", bound=True), {"b": bound}, 1.0)
    shown = [one for one in (own, above) if len(one.x)]
    low, high = range_of(metric, shown)
    assert -inf < low < high < inf or low == high != 0
    curves = Curves("", tuple(shown), low, high, log)
    assert np.isfinite(curves.ticks()).all()
    for one in shown:
        assert np.isfinite(curves.height(one.y)).all()
        corners_of(one.x, curves.height(one.y), 300)


@pytest.mark.slow
def test_held_out_rows_without_a_label_leave_their_curve_out(
    open_lab: Callable[..., Lab], faults: list[str]
) -> None:
    text = "x,y,class\n" + "".join(
        f"{k},{k * k % 7},{'ab'[k % 2] if k < 6 else ''}\n" for k in range(12)
    )
    data = parse_table(text)
    lab = open_lab(Document(data, (lane("perceptron"),), split=Split(rows=tuple(range(7, 13)))))
    lab.session.seek(1 << 60)
    lab.settle()
    lab.window.grab()
    shown = lab.window.timeline.curves
    assert "held out" not in [one.name for one in shown.series]
    assert np.isfinite([shown.low, shown.high]).all()
