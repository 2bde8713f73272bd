"""What lies over the picture of a step while a sketch is drawn, and at its reveal."""

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import fixed
from engine.base.records import Record, replace
from engine.base.tags import column_tag
from engine.lessons.drawings import Pen, apart_from, heights_in, paired, places_in
from engine.lessons.sketches import NOWHERE, Sketch, digits_of
from engine.scene.layers import NO_GROUP, Circles, Labels, Layer, Points, Polyline, Role, Segments
from engine.scene.scene import Plot, Scene, Table
from engine.scene.views import name_in, views
from engine.table.problem import Problem

NAME = 0.045  # of the height of the picture, from a curve to its name
ASIDE, AROUND = 4, 10  # columns: half of a name, and kept free around what is labelled


class Overlay(Record, eq=False):
    """What lies over the picture of a step while a task is drawn, and at its reveal.

    title, plot: as in `Sketch`
    covers: (k, 2) places at which a plot hides its single marks, up to the distance `reach`
    """

    title: str
    layers: tuple[Layer, ...] = ()
    plot: Plot | None = None
    covers: Float = NOWHERE
    reach: float = 0.0


def overlaid(scene: Scene, overlay: Overlay) -> Scene:
    """The scene with the overlay, in a plot of its own or over the picture that it is drawn in."""
    if overlay.plot is not None:
        plot = replace(overlay.plot, layers=(*overlay.plot.layers, *overlay.layers))
        leads = (plot.title, *scene.leads)
        return replace(scene, figures=(plot, *scene.figures), leads=leads)
    if not overlay.title:
        return replace(scene, layers=(*scene.layers, *overlay.layers))
    figures = tuple(
        replace(figure, layers=(*_uncovered(figure, overlay), *overlay.layers))
        if isinstance(figure, Plot) and name_in(figure.title) == overlay.title
        else figure
        for figure in scene.figures
    )
    return replace(scene, figures=figures)


def lighted(scene: Scene, tags: frozenset[str], problem: Problem) -> Scene:
    """The scene with what a page lights, for pictures that no pointer lights: rings around rows,
    amber rows and columns in the table of the examples.
    """
    rows = [row for row, tag in enumerate(problem.row_tags) if tag in tags]
    columns = {f.name for f in problem.features if column_tag(f.name) in tags}
    if not rows and not columns:
        return scene
    figures = tuple(
        replace(
            figure,
            current=tuple(dict.fromkeys((*figure.current, *rows))),
            columns=tuple(
                replace(column, role=Role.ACTIVE) if column.feature.name in columns else column
                for column in figure.columns
            ),
        )
        if isinstance(figure, Table) and figure.names == problem.names
        else figure
        for figure in scene.figures
    )
    rings = Points(problem.xy[rows], problem.codes[rows], Role.ACCEPTED)
    layers = (*scene.layers, rings) if rows and problem.plane else scene.layers
    return replace(scene, figures=figures, layers=layers)


def _uncovered(plot: Plot, overlay: Overlay) -> tuple[Layer, ...]:
    """The layers of a plot without the single marks at covered places: they give them away."""
    return tuple(
        layer
        for layer in plot.layers
        if not (isinstance(layer, Points) and len(layer.xy) == 1 and _lies_at(layer.xy, overlay))
    )


def _lies_at(xy: Float, overlay: Overlay) -> bool:
    apart = np.linalg.norm(np.asarray(xy)[:, None] - overlay.covers[None], axis=2)
    return bool((apart <= overlay.reach).any())


def view_of(title: str, scene: Scene, problem: Problem | None) -> str:
    """The name of the view with this title, "" for the plane, see `engine.scene.views`; "" where
    it is not there.
    """
    found = views(scene, problem).items()
    names = (
        name for name, of in found if ("" if of is None else name_in(of.title)) == name_in(title)
    )
    return next(names, "")


def drawing(pen: Pen) -> Overlay:
    """What was drawn so far, with the pen that keys move and the line that it would draw."""
    sketch = pen.sketch
    layers = (_curve_drawn if sketch.is_curve else _places_drawn)(sketch, pen.given)
    if pen.hand is not None:
        here = frozen(np.array([pen.hand]))
        ends = frozen(np.array([[pen.drawn_from or pen.hand, pen.hand]]))
        tip = Points(here, np.full(1, NO_GROUP), Role.CANDIDATE, tag="hand")
        layers = (*layers, Segments(ends, Role.GHOST, tag="hand"), tip)
    return Overlay(sketch.title, layers, sketch.plot, sketch.places, sketch.within or 0.0)


def _upright(xy: Float, role: Role, tag: str) -> Segments:
    """Lines across the plane at the places (k, 2), where x alone counts."""
    ends = np.repeat(xy[:, None, :1], 2, axis=1) * [1.0, 0.0] + [[0.0, -np.inf], [0.0, np.inf]]
    return Segments(frozen(ends), role, tag=tag)


def _places_drawn(sketch: Sketch, given: Float) -> tuple[Layer, ...]:
    """Places (k, 2)."""
    if not len(given):
        return ()
    if not sketch.axes[1]:
        return (_upright(given, Role.CANDIDATE, "yours"),)
    xy = frozen(given)
    return (Points(xy, np.full(len(xy), NO_GROUP), Role.CANDIDATE, tag="yours"),)


def _curve_drawn(sketch: Sketch, heights: Float) -> tuple[Layer, ...]:
    """Heights (COLUMNS,), NaN where nothing is drawn."""
    line = np.column_stack([sketch.columns, heights])
    known = np.isfinite(heights)
    line = frozen(line[: len(known) - int(np.argmax(known[::-1]))] if known.any() else NOWHERE)
    return (Polyline(line, Role.CANDIDATE, tag="yours"),)


def revealed(sketch: Sketch, text: str = "") -> Overlay:
    """What is right, beside the answer if there is one, and the distance between them."""
    try:
        layers = (_curve_revealed if sketch.is_curve else _places_revealed)(sketch, text)
    except EngineError:  # an answer of an earlier sitting, kept in words only
        layers = (_curve_revealed if sketch.is_curve else _places_revealed)(sketch, "")
    return Overlay(sketch.title, layers, sketch.plot)


def _places_revealed(sketch: Sketch, text: str) -> tuple[Layer, ...]:
    right = sketch.places
    flat = not sketch.axes[1]
    made: list[Layer] = []
    given = places_in(text) if text else NOWHERE
    if len(given) == len(right):
        ends, apart = paired(sketch, given)
        pieces = np.nan_to_num(np.stack([given, ends], axis=1))
        if flat:
            pieces[..., 1] = 0.0
        digits = digits_of(sketch.within or 0.0)
        labels = tuple(f"{fixed(float(each), digits)} away" for each in apart)
        made.append(Segments(frozen(pieces), Role.DIFFERENCE, labels, tag="distance"))
        made += _places_drawn(sketch, given)
    if flat:
        return (_upright(right, Role.ACTIVE, "right"), *made)
    radius = np.full(len(right), sketch.within or 0.0)
    return (
        Circles(right, radius, Role.GHOST, tag="counts"),
        *made,
        Points(right, np.full(len(right), NO_GROUP), Role.ACTIVE, tag="right"),
    )


def _curve_revealed(sketch: Sketch, text: str) -> tuple[Layer, ...]:
    right = Polyline(sketch.curve, Role.ACTIVE, tag="right")
    if not text:
        return (right,)
    heights = heights_in(text)
    apart = apart_from(sketch, heights)
    worst = int(np.argmax(np.abs(apart)))
    x, y = sketch.columns[worst], heights[worst]
    made: list[Layer] = [right, *_curve_drawn(sketch, heights), _names(sketch, heights, worst)]
    if apart[worst]:
        digits = digits_of(sketch.within or sketch.height / 10)
        ends = frozen([[[x, y], [x, y - apart[worst]]]])
        label = (fixed(abs(float(apart[worst])), digits),)
        made.append(Segments(ends, Role.DIFFERENCE, label, tag="distance"))
    return tuple(made)


def _names(sketch: Sketch, heights: Float, worst: int) -> Labels:
    """The names of the drawn curve and of the right one, where there is room beside them."""
    curves = np.stack([heights, np.interp(sketch.columns, *sketch.curve.T)])
    taken = [worst]
    xy = []
    for curve, other in (curves, curves[::-1]):
        spots = np.stack([curve + NAME * sketch.height, curve - NAME * sketch.height])
        room = np.where([curve >= other, curve <= other], _room(spots, curves), -np.inf)
        for k in taken:
            room[:, max(0, k - AROUND) : k + AROUND] = -np.inf
        room[:, :ASIDE] = room[:, -ASIDE:] = -np.inf
        side, k = divmod(int(np.argmax(room)), room.shape[1])
        taken.append(k)
        xy.append((sketch.columns[k], spots[side, k]))
    return Labels(frozen(xy), ("yours", "right"), tag="names")


def _room(spots: Float, curves: Float) -> Float:
    """How far each of the spots (s, m) is from every curve (c, m) within the width of a name."""
    apart = np.abs(spots[:, None] - curves[None]).min(axis=1)
    apart = np.pad(apart, ((0, 0), (ASIDE, ASIDE)), mode="edge")
    window = np.lib.stride_tricks.sliding_window_view(apart, 2 * ASIDE + 1, axis=1)
    nearest: Float = window.min(axis=2)
    return nearest
