"""Every kind of layer has a painter, draws in every role and theme, and leaves the painter as it
was.
"""

import time

import numpy as np
import pytest

from engine.scene.layers import ground_end
from engine.scene.roles import LETTERING, MARKS, SPAN_LETTERING, STROKES, shape_of
from engine.scene.scene import (
    LAYERS,
    Arrows,
    Band,
    Boxes,
    Circles,
    Ellipses,
    Field,
    Labels,
    Line,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
)
from engine.web.svg import DRAWN
from gui.look.theme import CLASS_SHAPES, LIGHT, THEMES
from gui.painters.view import PAINTERS


def every_layer(role: Role) -> list:
    """One layer of each kind, with a place for itself on the canvas."""
    waves = np.linspace(0.2, 1.8, 30)
    return [
        Points(
            np.array([[0.4, 2.7], [0.8, 2.7], [1.2, 2.7]]),
            np.array([0, 1, -1]),
            role,
            np.array([0, 0, -1]),
            label=("a",),
        ),
        Line(np.array([1.0, 2.0]), -5.5, role, "line", "line"),
        Segments(
            np.array([[[0.3, 1.0], [1.2, 1.4]], [[2.0, -np.inf], [2.0, np.inf]]]), role, ("s",)
        ),
        Polyline(np.column_stack([waves, 0.4 + 0.2 * np.sin(6 * waves)]), role, label="p"),
        Band(waves, 1.6 + 0 * waves, 1.9 + 0.1 * np.sin(5 * waves), role, group=1),
        Polygons((np.array([[2.2, 2.0], [3.0, 2.1], [2.6, 2.6]]),), np.array([0]), role),
        Boxes(np.array([[3.1, 0.2, np.inf, 0.9]]), np.array([1]), role, ("box",)),
        Ellipses(
            np.array([[2.6, 1.4]]),
            np.array([[[0.1, 0.03], [0.03, 0.04]]]),
            1.0,
            role,
            np.array([2]),
        ),
        Circles(np.array([[3.4, 1.5]]), np.array([0.3]), role, ("c",)),
        Arrows(np.array([[2.2, 0.3]]), np.array([[2.9, 0.8]]), role, ("v",)),
        Labels(np.array([[3.5, 2.5]]), ("text",), role),
    ]


def test_every_kind_of_layer_has_a_painter_and_a_drawing_on_pages() -> None:
    assert set(PAINTERS) == set(DRAWN) == set(LAYERS)


def test_every_role_has_a_look() -> None:
    for table in (STROKES, MARKS, LETTERING, SPAN_LETTERING):
        assert set(table) == set(Role)


@pytest.mark.slow
@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("role", Role)
def test_every_layer_is_seen_in_every_role_and_theme(canvas, role: Role, name: str) -> None:
    for layer in every_layer(role):
        canvas.paint(layer, theme=THEMES[name])
        assert canvas.count(THEMES[name].plane) < 400 * 300 - 20, type(layer).__name__


@pytest.mark.parametrize("role", Role)
def test_lit_layers_look_different(canvas, role: Role) -> None:
    layer = Line(np.array([1.0, 2.0]), -5.5, role, tag="w")
    plain = canvas.paint(layer).pixels.copy()
    assert not np.array_equal(plain, canvas.paint(layer, lit=frozenset({"w"})).pixels)
    assert np.array_equal(plain, canvas.paint(layer, lit=frozenset({"other"})).pixels)


def test_nothing_breaks_on_empty_and_undefined_layers(canvas) -> None:
    none = np.zeros((0, 2))
    nan = np.full((2, 2), np.nan)
    layers = (
        Points(none, np.zeros(0, int)),
        Points(nan, np.array([0, 1]), label=("a", "b")),
        Points(none, np.zeros(0, int), weight=np.zeros(0)),
        Line(np.zeros(2), 0.0),
        Line(np.array([np.nan, 1.0]), 0.0),
        Segments(np.zeros((0, 2, 2))),
        Segments(np.full((1, 2, 2), np.nan), label=("x",)),
        Polyline(none),
        Polyline(nan),
        Band(np.zeros(0), np.zeros(0), np.zeros(0)),
        Polygons((), np.zeros(0, int)),
        Boxes(np.zeros((0, 4)), np.zeros(0, int)),
        Boxes(np.array([[-np.inf, -np.inf, np.inf, np.inf]]), np.array([-1])),
        Ellipses(none, np.zeros((0, 2, 2))),
        Ellipses(np.array([[1.0, 1.0]]), np.full((1, 2, 2), np.nan)),
        Circles(none, np.zeros(0)),
        Circles(np.array([[1.0, 1.0]]), np.array([np.inf])),
        Arrows(none, none),
        Arrows(np.ones((1, 2)), np.ones((1, 2)), label=("v",)),
        Arrows(nan, nan),
        Labels(none, ()),
        Labels(nan, ("a", "b")),
        Field("class"),
        Field("score", boundary=True),
    )
    canvas.paint(*layers)


def test_colour_lies_under_the_grid_and_marks_above_it() -> None:
    box = Boxes(np.array([[0.0, 0, 1, 1]]), np.array([0]))
    points = Points(np.zeros((1, 2)), np.zeros(1, int))
    assert ground_end((Field(), box, points, box)) == 2
    assert ground_end(()) == 0


def test_the_ninth_class_has_another_shape_than_the_first() -> None:
    assert [shape_of(k) for k in range(8)] == list(CLASS_SHAPES)
    assert shape_of(8) != shape_of(0)
    assert LIGHT.group(8) == LIGHT.group(0)


def best_of(function, times: int = 5) -> float:
    taken = []
    for _ in range(times):
        began = time.thread_time()
        function()
        taken.append(time.thread_time() - began)
    return min(taken)


def test_twenty_thousand_points_are_quick(canvas) -> None:
    """Ten times the budgets, so that a busy machine does not matter: a painter per point would need
    seconds.
    """
    rng = np.random.default_rng(0)
    for n, budget in ((500, 0.02), (20_000, 0.4)):
        group = rng.integers(0, 2, n)
        layer = Points(
            rng.uniform(0, 3, (n, 2)), group, shown=np.where(rng.random(n) < 0.1, 1 - group, group)
        )
        assert best_of(lambda layer=layer: canvas.paint(layer)) < budget
