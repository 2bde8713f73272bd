"""The views of a scene, the plane and the figures, by the names that a person reads, and which of
them lead.
"""

import re
from collections.abc import Sequence

from engine.scene.figures import Bars, Figure, Table, Tree
from engine.scene.scene import Field, Line, Polyline, Role, Scene
from engine.table.problem import Problem

PLANE = "Plane"
CODE = "Code"  # the pseudo-code beside the stage: an opening of a listing can name it
CURVE = "Curve"  # of the run, over its timeline: an opening can name it among its views
PREDICTED = "Predicted at each place"
EXAMPLES, FITTED = "The examples", "The examples and the fit"

View = Figure | None  # None: the plane


def name_in(title: str) -> str:
    """The name at the beginning of a title, which after a colon may say what its step does."""
    return title.partition(":")[0]


def short_names(titles: Sequence[str]) -> list[str]:
    """The titles up to a colon, a comma or “of”, where that leaves them distinct."""
    short = [re.split(r"[:,] | of ", title)[0] for title in titles]
    return [
        name if short.count(name) == 1 else title for name, title in zip(short, titles, strict=True)
    ]


def views(scene: Scene, problem: Problem | None) -> dict[str, View]:
    """Every view of a scene by its name, which is unique; those that lead come first."""
    found: dict[str, View] = {} if problem is None or not problem.plane else {PLANE: None}
    for name, figure in zip(
        short_names([f.title for f in scene.figures]), scene.figures, strict=True
    ):
        same = [known for known in found if known == name or known.startswith(f"{name} ")]
        found[f"{name} {len(same) + 1}" if name in found else name] = figure
    first = _leading(scene, problem, found)
    return {name: found[name] for name in (*first, *(name for name in found if name not in first))}


def heading(scene: Scene, view: View) -> str:
    """What stands above a view that shares the stage: the title of a figure, for bars with what
    they measure, or what the plane shows.
    """
    if isinstance(view, Bars) and view.unit and ":" not in view.title:
        return f"{view.title}: {view.unit}"
    if view is not None:
        return view.title
    if scene.plane:
        return scene.plane
    if any(isinstance(layer, Field) for layer in scene.layers):
        return PREDICTED
    lines = (layer for layer in scene.layers if isinstance(layer, (Line, Polyline)))
    return FITTED if any(line.role is Role.BOUNDARY for line in lines) else EXAMPLES


def leads(scene: Scene, problem: Problem | None) -> tuple[str, ...]:
    """The names of the views that show this step best, the best first.

    Those that the scene names, else the plane and the picture of the method. A tree with tests on
    columns that are no axes of the plane leads with a table, because the plane cannot show its
    tests.
    """
    return _leading(scene, problem, views(scene, problem))


def _leading(scene: Scene, problem: Problem | None, found: dict[str, View]) -> tuple[str, ...]:
    named = tuple(name for name in scene.leads if name in found)
    if named:
        return named
    own = {name: figure for name, figure in found.items() if figure is not None}
    telling = next((name for name, figure in own.items() if figure.is_telling), "")
    tested = isinstance(own.get(telling), Tree) and problem is not None and not problem.all_on_plane
    if PLANE in found and not tested:
        return (PLANE, telling) if telling else (PLANE,)
    tables = [name for name, figure in own.items() if isinstance(figure, Table) and name != telling]
    return (telling, *tables[:1]) if telling else tuple(own)[:2]
