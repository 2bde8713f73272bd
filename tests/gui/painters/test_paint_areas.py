"""Boxes, cells, ellipses and circles."""

from itertools import pairwise

import numpy as np
import pytest

from engine.scene.scene import Boxes, Circles, Ellipses, Polygons, Role
from gui.look.theme import LIGHT
from gui.painters import areas

OPEN = np.array([[-np.inf, -np.inf, 2.0, np.inf], [2.0, -np.inf, np.inf, np.inf]])


def test_open_boxes_fill_to_the_frame_and_are_divided_by_ink(canvas) -> None:
    canvas.paint(Boxes(OPEN, np.array([0, 1])))
    assert canvas.at(0, 3) == canvas.at(0, 0, 0, -1) == LIGHT.tint(0).name().upper()
    assert canvas.at(4, 3, -1) == LIGHT.tint(1).name().upper()
    assert canvas.at(2, 1.5) == LIGHT.ink


def test_boxes_of_one_class_are_not_divided_by_solid_ink(canvas) -> None:
    canvas.paint(Boxes(OPEN, np.array([0, 0])))
    assert canvas.count(LIGHT.ink) == 0


def test_the_active_box_has_an_amber_frame_inside_the_view(canvas) -> None:
    canvas.paint(Boxes(np.array([[1.0, -np.inf, np.inf, 2.0]]), np.array([-1]), Role.ACTIVE))
    assert canvas.at(2, 2) == LIGHT.now
    assert canvas.at(1, 1) == LIGHT.now
    assert LIGHT.now in {canvas.at(4, 1, -d) for d in range(1, 6)}
    assert canvas.at(2, 1) == LIGHT.plane


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_a_region_that_is_pointed_at_is_outlined_and_not_covered(canvas, kind: str) -> None:
    ring = np.array([[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]])
    box = Boxes(np.array([[1.0, 1.0, 2.0, 2.0]]), np.array([0]), tag="leaf")
    layer = box if kind == "boxes" else Polygons((ring,), np.array([0]), tag="leaf")
    plain = canvas.paint(layer).at(1.5, 1.5)
    ink = canvas.count(LIGHT.ink)
    canvas.paint(layer, lit=frozenset({"leaf"}))
    assert canvas.at(1.5, 1.5) == plain
    assert canvas.count(LIGHT.ink) > ink + 300
    assert canvas.count(LIGHT.now) == 0


def test_cells_are_tinted_without_an_outline(canvas) -> None:
    ring = np.array([[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]])
    canvas.paint(Polygons((ring,), np.array([2])))
    assert canvas.at(2, 1.5) == LIGHT.tint(2).name().upper()
    assert canvas.count(LIGHT.ink) == 0


def test_an_active_box_out_of_sight_has_no_frame(canvas) -> None:
    canvas.paint(Boxes(np.array([[5.0, 5.0, 6.0, 6.0]]), np.array([-1]), Role.ACTIVE))
    assert canvas.count(LIGHT.plane) == 400 * 300


def test_the_edges_of_many_boxes_are_those_of_each(canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred boxes side by side: the same lines, drawn once each or box by box."""
    x, y = (
        part.ravel() for part in np.meshgrid(0.3 + 0.3 * np.arange(10), 0.1 + 0.25 * np.arange(10))
    )
    layer = Boxes(np.column_stack([x, y, x + 0.3, y + 0.25]), np.full(100, -1), Role.PLAIN)
    pictures = []
    for few in (0, 1_000):
        monkeypatch.setattr("gui.painters.areas.FEW", few)
        pictures.append(canvas.paint(layer).pixels.astype(int))
    at_once, each = (np.abs(picture - picture[0, 0]).max(axis=2) > 60 for picture in pictures)
    assert each.sum() > 4_000
    assert (at_once != each).mean() < 0.01  # corners are square or round


def test_a_difference_is_hatched_in_ink(canvas) -> None:
    ring = np.array([[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]])
    canvas.paint(Polygons((ring,), np.array([-1]), Role.DIFFERENCE))
    inside = canvas.pixels[110:190, 110:290]
    assert 0.15 < (inside < 160).all(axis=2).mean() < 0.5


def test_hatching_covers_regions_of_classes(canvas) -> None:
    plain = canvas.paint(Boxes(OPEN, np.array([0, 1]))).pixels.copy()
    hatched = canvas.paint(Boxes(OPEN, np.array([0, 1])), hatch=True).pixels
    changed = (plain != hatched).any(axis=2)
    assert 0.15 < changed[:, :190].mean() < 0.6
    assert 0.01 < changed[:, 210:].mean() < 0.15  # dots cover less than lines


def test_circles_and_ellipses_have_their_size(canvas) -> None:
    canvas.paint(Circles(np.array([[2.0, 1.5]]), np.array([1.0])))
    for x, y in ((3, 1.5), (1, 1.5), (2, 2.5), (2, 0.5)):
        assert canvas.shows(LIGHT.ink, x, y)
    canvas.paint(Ellipses(np.array([[2.0, 1.5]]), np.array([[[0.25, 0], [0, 0.04]]]), 2.0))
    for x, y in ((3, 1.5), (1, 1.5), (2, 1.9), (2, 1.1)):
        assert canvas.shows(LIGHT.ink, x, y)
    canvas.paint(
        Ellipses(
            np.array([[2.0, 1.5]]), np.array([[[0.25, 0], [0, 0.04]]]), 2.0, group=np.array([1])
        )
    )
    assert canvas.shows(LIGHT.classes[1], 3, 1.5)


@pytest.mark.parametrize("angle", [0.3, 1.2, 2.5])
def test_slanted_ellipses_point_the_right_way(canvas, angle: float) -> None:
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    shape = np.outer(along, along) + 0.04 * np.outer(across, across)
    canvas.paint(Ellipses(np.array([[2.0, 1.5]]), shape[None], 1.0))
    assert canvas.shows(LIGHT.ink, *(np.array([2.0, 1.5]) + along))
    assert canvas.shows(LIGHT.ink, *(np.array([2.0, 1.5]) + 0.2 * across))


@pytest.mark.parametrize(
    "role", [Role.REGION, Role.DIFFERENCE, Role.ACTIVE, Role.ACCEPTED, Role.SAME]
)
@pytest.mark.parametrize("side", [2, 9], ids=["few", "many"])
def test_boxes_that_fly_by_are_framed_where_they_are_at_rest(canvas, role: Role, side: int) -> None:
    """A grid of boxes, next to one another; their sides are drawn without smoothing, and those of
    two boxes once.
    """
    left, low = np.meshgrid(np.linspace(0.41, 3.2, side), np.linspace(0.33, 2.2, side))
    corner = np.column_stack([left.ravel(), low.ravel()])
    size = (left[0, 1] - left[0, 0], low[1, 0] - low[0, 0])
    boxes = Boxes(np.column_stack([corner, corner + size]), np.arange(side**2) % 2, role)
    still = canvas.paint(boxes).pixels.astype(int)
    flown = canvas.paint(boxes, fleeting=True).pixels.astype(int)
    apart = [np.roll(still - flown, (dx, dy), (1, 0)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    near = np.abs(np.mean(apart, axis=0)).max(axis=2)  # of 255, over the nine pixels round each
    assert near.max() < 120 and near.mean() < 6
    assert flown.min() < 160


@pytest.mark.parametrize("role", [Role.BALL, Role.GHOST, Role.INACTIVE])
def test_an_ellipse_that_flies_by_has_the_look_it_has_at_rest(canvas, role: Role) -> None:
    ellipse = Ellipses(
        np.array([[2.0, 1.5]]), np.array([[[1.0, 0.3], [0.3, 0.4]]]), 1.4, role, group=np.array([1])
    )
    still = canvas.paint(ellipse).pixels.astype(int)
    flown = canvas.paint(ellipse, fleeting=True).pixels.astype(int)
    assert (np.abs(still - flown).max(axis=2) > 60).mean() < 0.003


def test_of_labels_on_one_another_those_of_the_higher_boxes_are_written(
    canvas, monkeypatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(areas, "say", lambda b, text, *rest: said.append(text))
    tops = np.array([0.0, 0.05, 0.1, 0.15, 1.15, 2.15, 2.17])  # 100 pixels are about one unit
    bounds = np.array([[1.0, low, 3.0, high] for low, high in pairwise(tops)])
    names = ("a", "b", "c", "high", "higher", "thin")
    canvas.paint(Boxes(bounds, np.zeros(6, int), Role.PLAIN, label=names))
    assert {"high", "higher"} <= set(said)
    assert "thin" not in said
    assert len({"a", "b", "c"} & set(said)) <= 1
