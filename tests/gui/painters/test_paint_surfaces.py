"""Surfaces: tints, the boundary to a fraction of a pixel, stepped shading, level lines, and
painting from memory.
"""

import itertools
import time

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from engine.base.grid import Grid
from engine.scene.scene import Field
from gui.look.theme import LIGHT
from gui.painters import strokes, surfaces
from gui.painters.buffers import polygon
from gui.painters.contours import Contours, agrees
from gui.painters.surfaces import margin_tags

COARSE = Grid.over((0.0, 4.0), (0.0, 3.0), 48)
FINE = Grid.over((0.0, 4.0), (0.0, 3.0), 384)


def slope(grid: Grid) -> np.ndarray:
    """Positive above the line y = 0.5 x + 0.52."""
    return grid.y[:, None] - 0.5 * grid.x[None] - 0.52


def tint(group: int) -> str:
    return LIGHT.tint(group).name().upper()


def test_class_indices_become_tints_with_row_zero_at_the_bottom(canvas, raster) -> None:
    classes = np.array([[0.0, 1.0], [-1.0, np.nan], [2.0, 3.0]])
    canvas.paint(Field("class"), raster=raster(**{"class": classes}))
    assert canvas.at(1, 0.5) == tint(0)
    assert canvas.at(3, 0.5) == tint(1)
    assert canvas.at(1, 1.5) == canvas.at(3, 1.5) == LIGHT.plane
    assert canvas.at(1, 2.5) == tint(2)
    assert canvas.at(3, 2.5) == tint(3)
    pure = [tint(group) for group in range(4)] + [LIGHT.plane]
    assert sum(map(canvas.count, pure)) == 400 * 300  # no mixed colours between classes


def test_nothing_is_drawn_while_a_surface_is_not_computed(canvas) -> None:
    canvas.paint(Field("class", boundary=True))
    assert canvas.count(LIGHT.plane) == 400 * 300


@pytest.mark.parametrize("grid", [COARSE, FINE], ids=["48", "384"])
def test_two_classes_divide_exactly_where_the_score_is_zero(canvas, raster, grid: Grid) -> None:
    score = slope(grid)
    rasters = {"class": np.where(score > 0, 0.0, 1.0), "score": score}
    canvas.paint(Field("class", boundary=True), raster=raster(**rasters))
    for x in (0.1, 0.5, 1.33, 2.71, 3.9):
        assert canvas.at(x, 0.5 * x + 0.52) == LIGHT.ink
        assert canvas.at(x, 0.5 * x + 0.52, 0, -6) == tint(0)
        assert canvas.at(x, 0.5 * x + 0.52, 0, 6) == tint(1)


def test_without_a_score_the_boundary_runs_between_the_cells(canvas, raster) -> None:
    classes = np.where(FINE.x[None] < 2, 0.0, 1.0) + 0 * FINE.y[:, None]
    canvas.paint(Field("class", boundary=True), raster=raster(**{"class": classes}))
    assert canvas.at(2, 1.5) == LIGHT.ink
    assert canvas.at(1.95, 1.5) == tint(0)
    assert canvas.at(2.05, 1.5) == tint(1)


def test_three_classes_meet_in_ink(canvas, raster) -> None:
    classes = np.where(FINE.y[:, None] > 2, 2.0, np.where(FINE.x[None] < 2, 0.0, 1.0))
    canvas.paint(Field("class", boundary=True), raster=raster(**{"class": classes}))
    for x, y in ((2, 1), (1, 2), (3, 2)):
        assert canvas.at(x, y) == LIGHT.ink
    assert [canvas.at(*p) for p in ((1, 1), (3, 1), (2, 2.5))] == [tint(0), tint(1), tint(2)]


def test_shading_has_five_steps_on_each_side(canvas, raster) -> None:
    score = FINE.x[None] - 2 + 0 * FINE.y[:, None]
    canvas.paint(Field("score"), raster=raster(score=score))
    shares = np.linspace(*LIGHT.shading, 5)
    right = {canvas.at(x, 1.5) for x in np.linspace(2.02, 3.98, 99)}
    left = {canvas.at(x, 1.5) for x in np.linspace(0.02, 1.98, 99)}
    assert {LIGHT.tint(0, s).name().upper() for s in shares} <= right
    assert {LIGHT.tint(1, s).name().upper() for s in shares} <= left


def test_levels_are_thin_lines_and_edges_of_the_steps(canvas, raster) -> None:
    score = FINE.x[None] - 2 + 0 * FINE.y[:, None]
    canvas.paint(
        Field("score", (-1.0, -0.5, 0.0, 0.5, 1.0), boundary=True), raster=raster(score=score)
    )
    low, high = LIGHT.shading
    assert canvas.at(2.25, 1.5) == LIGHT.tint(0, low).name().upper()
    assert canvas.at(2.75, 1.5) == LIGHT.tint(0, (low + high) / 2).name().upper()
    assert canvas.at(3.5, 1.5) == LIGHT.tint(0, high).name().upper()
    line, beside = QColor(canvas.at(3, 1.5)).lightness(), QColor(canvas.at(3.1, 1.5)).lightness()
    assert line < beside
    assert canvas.at(2, 1.5) == LIGHT.ink


def test_votes_stay_rectangular(canvas, raster) -> None:
    """A score made of steps keeps its corners: its zero line is not slanted between cells."""
    votes = np.where((FINE.x[None] < 2) & (FINE.y[:, None] > 1.5), 1.0, -2.0)
    canvas.paint(Field("score", boundary=True), raster=raster(score=votes))
    assert canvas.at(2, 1.5, -1, -40) == canvas.at(1, 1.5) == LIGHT.ink
    assert (
        canvas.at(1, 2) == LIGHT.tint(0, LIGHT.shading[1]).name().upper()
        or canvas.at(1, 2) != LIGHT.plane
    )


def test_undefined_places_are_plain(canvas, raster) -> None:
    score = slope(FINE)
    score[:, :96] = np.nan
    canvas.paint(Field("score"), raster=raster(score=score))
    assert canvas.at(0.5, 1.5) == LIGHT.plane
    assert canvas.at(2, 2.5) != LIGHT.plane


def test_a_score_of_nothing_but_zero_is_plain(canvas, raster) -> None:
    flat = np.zeros((48, 48))
    canvas.paint(Field("score", boundary=True), raster=raster(score=flat))
    assert canvas.count(LIGHT.plane) == 400 * 300
    canvas.paint(Field("class", boundary=True), raster=raster(**{"class": flat - 1, "score": flat}))
    assert canvas.count(LIGHT.plane) == 400 * 300


def test_a_score_counts_only_if_its_sign_tells_the_classes() -> None:
    score = slope(FINE)
    assert agrees(np.where(score > 0, 0.0, 1.0), score)
    assert not agrees(np.where(score > 0, 1.0, 0.0), score)
    assert not agrees(np.where(score > 0, 0.0, 1.0), None)
    assert not agrees(np.where(score > 0, 0.0, 1.0), slope(COARSE))


def test_the_same_step_is_painted_from_memory(canvas, raster, monkeypatch) -> None:
    built = []
    build = surfaces.build
    monkeypatch.setattr(surfaces, "build", lambda *given: built.append(1) or build(*given))
    cache: dict = {}
    rasters = raster(**{"class": np.where(slope(COARSE) > 0, 0.0, 1.0)})
    first = canvas.paint(Field("class", boundary=True), raster=rasters, cache=cache).pixels.copy()
    again = canvas.paint(Field("class", boundary=True), raster=rasters, cache=cache).pixels
    assert np.array_equal(first, again)
    assert len(built) == 1
    canvas.paint(Field("class", boundary=True), raster=rasters, cache=cache, hatch=True)
    assert len(built) == 2
    for step in range(20):
        later = raster(**{"class": np.full((4, 4), float(step % 2))})
        canvas.paint(Field("class"), raster=later, cache=cache)
    assert len(cache["surfaces"]) <= surfaces.KEPT


@pytest.mark.parametrize("name", ["score", "class"])
def test_margins_are_dashed_lines_with_their_values(canvas, raster, name: str) -> None:
    """Along each margin ink and ground alternate; the boundary is whole except under its tag."""
    score = FINE.x[None] - 2 + 0 * FINE.y[:, None]
    rasters = raster(score=score, **{"class": np.where(score > 0, 0.0, 1.0)})
    canvas.paint(Field(name, boundary=True, margins=(-1.0, 1.0)), raster=rasters)
    heights = np.linspace(0.6, 2.9, 400)
    for x in (1, 3):
        inked = np.array([canvas.shows(LIGHT.ink, x, y) for y in heights])
        assert 0.4 < inked.mean() < 0.95
        assert np.diff(inked.astype(int)).clip(0).sum() > 10
    assert all(canvas.at(2, y) == LIGHT.ink for y in heights)
    tagged = canvas.paint(
        Field(name, boundary=True, margins=(-1.0, 1.0)), raster=rasters
    ).pixels.copy()
    plain = canvas.paint(Field(name, boundary=True), raster=rasters).pixels
    beside = np.abs(tagged.astype(int) - plain).sum(2) > 0
    columns = np.flatnonzero(beside.any(0))
    # tags as wide as their numbers
    assert all(np.abs(columns - x).min() <= 1 for x in (92, 200, 308))


def test_margins_outside_the_view_have_no_tag() -> None:
    contours = Contours(FINE.x[None] - 2 + 0 * FINE.y[:, None], QRectF(0, 0, 400, 300))
    tags = margin_tags(contours, (-1.0, 1.0, 50.0), QRectF(0, 0, 400, 300))
    assert [text for text, _ in tags] == ["−1", "0", "+1"]
    assert tags[0][1][0] == pytest.approx((100, 277), abs=4)
    assert margin_tags(contours, (), QRectF(0, 0, 400, 300)) == []


def ragged(canvas, monkeypatch, raster, many: int):
    """(pixels, milliseconds) of a surface with thousands of steps in its border."""
    monkeypatch.setattr(strokes, "MANY", many)
    rng = np.random.default_rng(5)
    classes = (rng.random((96, 96)) < 0.5).astype(float)
    rasters = raster(**{"class": classes})
    times = []
    for _ in range(4):
        began = time.thread_time()
        picture = canvas.paint(Field("class", boundary=True), raster=rasters).pixels.copy()
        times.append(1000 * (time.thread_time() - began))
    return picture.astype(int), min(times)


@pytest.mark.slow
def test_a_ragged_border_is_cheap_and_looks_as_before(canvas, monkeypatch, raster) -> None:
    pieces, quick = ragged(canvas, monkeypatch, raster, strokes.MANY)
    whole, slow = ragged(canvas, monkeypatch, raster, 10**9)
    apart = np.abs(pieces - whole).max(axis=2)
    assert (apart > 60).mean() < 0.005
    assert (pieces == 0).all(axis=2).mean() == pytest.approx(
        (whole == 0).all(axis=2).mean(), abs=0.01
    )
    assert quick < 0.6 * slow


def test_pieces_of_a_border_hang_together() -> None:
    line = polygon(np.column_stack([np.arange(200.0), np.zeros(200)]))
    parts = strokes.pieces(line)
    assert all(a.last() == b.first() for a, b in itertools.pairwise(parts))
    assert (parts[0].first(), parts[-1].last()) == (line.first(), line.last())
    assert sum(part.size() - 1 for part in parts) == 199
    assert strokes.pieces(polygon(np.zeros((3, 2))))[0].size() == 3


@pytest.mark.parametrize("hatch", [False, True])
def test_two_classes_divide_the_whole_plane(canvas, raster, hatch: bool) -> None:
    """The first is only the ground under the second; hatched, both have a region of their own."""
    classes = np.where(slope(FINE) > 0, 0.0, 1.0)
    canvas.paint(Field("class", boundary=True), raster=raster(**{"class": classes}), hatch=hatch)
    assert canvas.shows(tint(0), 1.0, 2.6)
    assert canvas.shows(tint(1), 3.0, 0.4)
    assert canvas.count(tint(0)) > 15_000
    assert canvas.count(tint(1)) > 15_000


def test_of_steps_that_fly_no_pixels_are_kept_be_their_words_read_or_not(
    canvas, raster, monkeypatch
) -> None:
    """At 3840 × 2160 to fill a picture of a surface, draw into it and copy it takes three times as
    long as to draw it.
    """
    score = slope(COARSE)
    rasters = raster(**{"class": np.where(score > 0, 0.0, 1.0), "score": score})
    drawn = canvas.paint(Field("class", boundary=True), raster=rasters).pixels.astype(int)
    monkeypatch.setattr(surfaces, "render", lambda *_: pytest.fail("pixels were kept"))
    for rapid in (False, True):
        flown = canvas.paint(
            Field("class", boundary=True), raster=rasters, rapid=rapid, fleeting=True
        ).pixels
        assert np.abs(drawn - flown).max() <= 2


BENT = FINE.x[None] ** 2 - 4 * FINE.y[:, None] + 1.0
FLOWN = {
    "halves": (
        Field("class", boundary=True),
        {"class": np.where(slope(COARSE) > 0, 0.0, 1.0), "score": slope(COARSE)},
    ),
    "cells": (
        Field("class"),
        {"class": np.where(FINE.y[:, None] > 2, 2.0, np.where(FINE.x[None] < 2, 0.0, 1.0))},
    ),
    "cells without a class": (
        Field("class"),
        {"class": np.where(BENT > 3, -1.0, np.where(BENT > 0, 0.0, 1.0))},
    ),
    "regions of two classes": (
        Field("class", boundary=True),
        {"class": np.where(BENT > 0, 0.0, 1.0)},
    ),
    "regions of three": (
        Field("class", boundary=True),
        {"class": np.where(BENT > 3, 2.0, np.where(BENT > 0, 0.0, 1.0))},
    ),
    "steps": (Field("score", levels=(-1.0, 0.0, 1.0)), {"score": BENT}),
    "steps with a gap": (Field("score"), {"score": np.where(BENT > 5, np.nan, BENT)}),
    "one side": (Field("score"), {"score": np.abs(BENT) + 1.0}),
    "nothing yet": (Field("class"), {}),
}


@pytest.mark.parametrize("fleeting", [False, True])
@pytest.mark.parametrize("name", FLOWN)
def test_a_surface_that_flies_by_looks_as_one_at_rest_whatever_was_there_before(
    canvas, raster, name: str, fleeting: bool
) -> None:
    """No ground is laid under what hides it, edges are not smoothed, and no pixel shows the frame
    before.
    """
    layer, rasters = FLOWN[name]
    still = canvas.paint(layer, raster=raster(**rasters)).pixels.astype(int)
    flown = canvas.paint(
        layer, raster=raster(**rasters), fleeting=fleeting, bare=True, before="#FF00FF"
    ).pixels
    apart = np.abs(still - flown).max(axis=2)
    assert (apart > 2).mean() < 0.02  # edges: up to ten of them, a pixel wide
    assert apart.max() < 60  # between two tints, and far from magenta


def test_marks_without_a_surface_lie_on_the_plane(canvas) -> None:
    canvas.paint(bare=True, before="#FF00FF")
    assert canvas.count(LIGHT.plane) == 400 * 300


def test_of_a_surface_every_side_but_the_larger_is_filled(canvas, raster, monkeypatch) -> None:
    """All and one side take half the time of both sides on a ground; deeper steps lie on each
    other, of one that flies by beside each other.
    """
    built = []
    draw = surfaces.draw_ground
    monkeypatch.setattr(
        surfaces, "draw_ground", lambda b, ground, lit: (built.append(ground), draw(b, ground, lit))
    )
    canvas.paint(Field("score"), raster=raster(score=BENT), fleeting=True)
    canvas.paint(Field("score"), raster=raster(score=BENT))
    flown, still = built
    assert flown.covers and still.covers
    assert len(flown.fills) == len(still.fills) == 2 * surfaces.STEPS - 1
    middles = [QPointF(20.0 * i + 10, 20.0 * j + 10) for i in range(20) for j in range(15)]
    assert max(sum(path.contains(at) for path, _ in flown.fills) for at in middles) == 1
    assert (
        max(sum(path.contains(at) for path, _ in still.fills) for at in middles) == surfaces.STEPS
    )
