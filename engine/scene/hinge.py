"""The hinge max(0, 1 − z) with the examples on it, shared by two families of separators.

MMDS Fig 12.17.
"""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float, Int, frozen
from engine.scene.figures import Plot
from engine.scene.scene import Layer, Points, Polyline, Role
from engine.table.problem import Problem

SHOWN = 300  # examples up to which the picture is drawn: the dots of more lie on one another
LEAST, MOST = -1.0, 3.0  # the axis shows at least this much


def hinge_plot(problem: Problem, z: Float, current: Sequence[int] = ()) -> list[Plot]:
    """The penalty max(0, 1 − z) over z = y(w·x + b), a dot for each example; [] for very many.

    z: (n,); current: rows in amber
    """
    rows = np.flatnonzero(problem.labelled & np.isfinite(z))
    if not 0 < len(rows) <= SHOWN:
        return []
    low = min(LEAST, float(z[rows].min()))
    high = max(MOST, float(z[rows].max()))
    hinge = Polyline(frozen([[low, 1 - low], [1.0, 0.0], [high, 0.0]]), Role.BOUNDARY, tag="hinge")
    layers: list[Layer] = [hinge, _dots(problem, z, rows, Role.POINT, "penalty")]
    active = rows[np.isin(rows, list(current))]
    if len(active):
        layers.append(_dots(problem, z, active, Role.ACTIVE, "current"))
    top = 1 - low
    return [
        Plot(
            "Hinge",
            "z = y(w·x + b)",
            "penalty max(0, 1 − z)",
            tuple(layers),
            x_range=(low - 0.2, high + 0.2),
            y_range=(-0.08 * top, 1.05 * top),
        )
    ]


def _dots(problem: Problem, z: Float, rows: Int, role: Role, tag: str) -> Points:
    """The examples of these rows on the hinge."""
    places = np.column_stack([z[rows], np.maximum(0.0, 1 - z[rows])])
    return Points(
        frozen(places), frozen(problem.codes[rows]), role, tag=tag, tags=problem.tags_of(rows)
    )
