"""Very many points: their density from afar, themselves from near."""

import time

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from engine.base.records import replace
from engine.scene.layers import WRONG, Points, Role
from engine.scene.legend import legend
from gui.look.theme import THEMES
from gui.painters import density
from gui.painters.density import CELL, CLOSE, crowd_of
from gui.painters.points import paint_points
from gui.painters.view import Brushwork, View

LIGHT = THEMES["light"]
RECT = QRectF(0, 0, 300, 300)
MANY = 200_000


def crowd(n: int = MANY) -> Points:
    """Two clouds apart, the left one of class 0, the right one of class 1; a tenth is predicted
    wrongly, all of them at the right. The layer is a sample of it.
    """
    rng = np.random.default_rng(3)
    group = np.arange(n) % 2
    xy = rng.normal(0, 0.5, (n, 2)) + np.where(group, 2.0, -2.0)[:, None] * [1.0, 0.0]
    shown = np.where(np.arange(n) % 10 == 1, 0, group)
    whole = Points(xy, group, shown=shown, tag="data")
    few = slice(0, 2_000)
    return replace(whole, xy=xy[few], group=group[few], shown=shown[few], whole=whole)


def painted(layer: Points, view: View, cache: dict | None = None) -> QImage:
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(LIGHT.colour("plane"))
    with QPainter(image) as painter:
        paint_points(Brushwork(painter, view, LIGHT, cache={} if cache is None else cache), layer)
    return image


def reddish(colour: QColor) -> bool:
    return colour.red() > colour.blue()


def test_from_afar_the_densest_places_have_the_colour_of_their_class(qapp: object) -> None:
    image = painted(crowd(), View((-4, 4), (-4, 4), RECT))
    left, right, empty = (image.pixelColor(x, y) for x, y in ((75, 150), (225, 150), (150, 20)))
    assert empty == LIGHT.colour("plane")
    one, two = LIGHT.group(0), LIGHT.group(1)
    assert max(abs(left.red() - one.red()), abs(left.blue() - one.blue())) < 12
    assert reddish(right) and right.lightness() < two.lightness(), "wrong ones make it darker"
    edge = image.pixelColor(75, 150 - 45)  # three deviations further up there are few
    assert edge.lightness() > left.lightness() + 20


def test_every_row_is_counted_once(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray] = []
    usual = density.cells_image
    monkeypatch.setattr(
        density, "cells_image", lambda counts, c: seen.append(counts) or usual(counts, c)
    )
    layer = crowd()
    view = View((-1.3, 3.1), (-0.9, 1.7), RECT)
    painted(layer, view)
    x, y = layer.whole.xy.T
    within = (x >= -1.3) & (x <= 3.1) & (y >= -0.9) & (y <= 1.7)
    (counts,) = seen
    ux, uy = view.unit
    # the cells at the rim reach a little further than the view
    around = (np.abs(x - 0.9) <= 2.2 + CELL / ux) & (np.abs(y - 0.4) <= 1.3 + CELL / uy)
    assert within.sum() <= counts.sum() <= around.sum()
    wrong = layer.whole.wrong()
    assert counts.shape[0] == 3 and counts[2].sum() == pytest.approx(wrong[within].sum(), rel=0.05)


def test_cells_stay_on_the_plane_while_it_is_moved(qapp: object) -> None:
    layer = crowd()
    step = 8 * CELL / (300 / 8)  # eight cells
    before = painted(layer, View((-4, 4), (-4, 4), RECT))
    after = painted(layer, View((-4 + step, 4 + step), (-4, 4), RECT))
    move = round(8 * CELL)
    differs = [
        before.pixel(x + move, y) != after.pixel(x, y)
        for x in range(3, 297 - move, 3)
        for y in range(0, 300, 3)
    ]
    assert np.mean(differs) < 0.01


def test_from_near_every_point_is_there(qapp: object) -> None:
    layer = crowd()
    view = View((1.9, 2.1), (-0.1, 0.1), RECT)
    cache: dict = {}
    image = painted(layer, view, cache)
    with QPainter(image) as painter:
        rows = crowd_of(Brushwork(painter, view, LIGHT, cache=cache), layer.whole).in_view(view)
    inside = (np.abs(layer.whole.xy - [2.0, 0.0]) <= 0.1).all(axis=1)
    assert rows.tolist() == np.flatnonzero(inside).tolist() and 1_000 < len(rows) <= CLOSE
    pixels = view.pixels(layer.whole.xy[rows])
    ground = LIGHT.colour("plane")
    here = np.clip(pixels, 1, 298).astype(int)[::10].tolist()
    # some lie below the casing of another
    assert np.mean([image.pixelColor(x, y) != ground for x, y in here]) > 0.7


def test_the_legend_counts_all_rows(qapp: object) -> None:
    layer = crowd()
    (wrong,) = [mark for mark in legend((layer,)) if mark.words == WRONG]
    assert wrong.count == MANY // 10
    held = replace(layer, role=Role.HELD_OUT, whole=replace(layer.whole, role=Role.HELD_OUT))
    assert max(mark.count for mark in legend((held,))) == MANY
    hidden = layer.without(frozenset({WRONG}))
    assert not hidden.whole.wrong().any() and not hidden.wrong().any()
    assert layer.only(np.ones(2_000, bool), "data").whole is None


@pytest.mark.slow
def test_a_frame_of_many_points_is_quick(qapp: object) -> None:
    layer = crowd()
    cache: dict = {}
    lasted = []
    for k in range(9):
        begun = time.thread_time()
        painted(layer, View((-4 + k / 50, 4 + k / 50), (-4, 4), RECT), cache)
        lasted.append(time.thread_time() - begun)
    assert np.median(lasted) < 0.016
