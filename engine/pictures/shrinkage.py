"""Penalty against loss: the diamond or circle touching an oval in weight space, and weights over the strength. AIMA Fig 18.14."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import subscript
from engine.core.problem import Problem
from engine.core.scene import Circles, Ellipses, Figure, Layer, Plot, Points, Polyline, Role, Segments
from engine.numerics.least_squares import Bowl, training_rows
from engine.numerics.shrinkage import Centred, centred, complexity, slope_bowl, strength_path, turn
from engine.pictures.weight_space import (
    WeightView,
    bottom,
    bowl_space,
    contours,
    path_layers,
    place,
    step_arrow,
    thinned,
    weight_plot,
    weight_view,
)

MOST_LABELS = 8


@dataclass(frozen=True, eq=False)
class Penalised:
    """A penalised fit as its pictures need it. total: strength beside the sum of squares; angle: by which the first two
    columns are turned; averaged: rows over which the loss is a mean, 1 for a sum."""

    problem: Problem
    q: int
    total: float
    angle: float
    averaged: int = 1

    @cached_property
    def rows(self) -> tuple[Float, Float]:
        """(X, y) of the training rows, X turned."""
        X, y, _ = training_rows(self.problem)
        return X @ turn(self.problem.d, self.angle), y

    @cached_property
    def data(self) -> Centred:
        return centred(*self.rows)

    @cached_property
    def bowl(self) -> Bowl:
        """The loss over the slopes."""
        return slope_bowl(*self.rows, self.data)


def shown_slopes(problem: Problem) -> tuple[int, int]:
    """The two slopes shown: of the plane's first column and of the first other one."""
    first = problem.plane[0] if problem.plane else 0
    second = problem.plane[1] if len(problem.plane) > 1 else (1 if first == 0 else 0)
    return first, second


def penalty_figures(
    fit: Penalised, w: Float, before: Float, path: Sequence[Float], changed: bool
) -> tuple[Figure, ...]:
    """Weight space with the ovals of the loss and the diamond or circle of the penalty; of one weight the cost curve."""
    if len(w) == 2:
        return (cost_plot(fit, float(w[1])),)
    slopes, track = w[1:], thinned(path)[:, 1:]
    names = tuple("w" + subscript(k) for k in range(1, len(w)))
    zero = np.zeros(len(slopes))
    pair = shown_slopes(fit.problem)
    here = slopes[list(pair)]
    size = complexity(here, fit.q) ** (1 / fit.q)
    corners = np.array([[-size, -size], [size, size]])
    view = weight_view(fit.bowl, pair, slopes, track, zero, names, corners)
    layers = [*contours(view, np.zeros(2)), *touching_oval(view, here), *price(here, fit.q), *bottom(view)]
    layers += [*path_layers(view, track), place(view, slopes, Role.ACTIVE, "w")]
    layers += step_arrow(view, before[1:], slopes, "") if changed else []
    space = bowl_space(view, track, slopes, "Cost", lambda places: fit.total * _complexities(places, fit.q))
    return weight_plot(view, layers), space


def _complexities(places: Float, q: int) -> Float:
    return np.asarray(np.abs(places).sum(axis=1) if q == 1 else (places**2).sum(axis=1))


def touching_oval(view: WeightView, here: Float) -> list[Layer]:
    """The oval of equal loss through w: at the end it touches the diamond or circle."""
    reach = view.bowl.reach(here)
    if not view.bowl.round_bottom or reach <= 0:
        return []
    shape = np.asarray(np.linalg.inv(view.bowl.H)[None], np.float64)
    return [Ellipses(view.bowl.centre[None], shape, reach, Role.ACCEPTED, tag="loss")]


def price(here: Float, q: int) -> list[Layer]:
    """All weights that cost as much as these two: a diamond or a circle round the origin."""
    size = complexity(here, q)
    if size <= 0:
        return []
    if q == 2:
        return [Circles(np.zeros((1, 2)), np.array([size**0.5]), Role.BOUNDARY, tag="penalty")]
    corners = size * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return [Polyline(corners, Role.BOUNDARY, closed=True, tag="penalty")]


def cost_plot(fit: Penalised, w: float) -> Plot:
    """Loss, penalty and their sum over the one weight there is."""
    bowl = fit.bowl
    centre = float(bowl.centre[0])
    reach = 1.5 * max(abs(centre), abs(w)) or 1.0
    at = np.sort(
        np.append(np.linspace(-reach / 2 if centre > 0 else -reach, reach if centre > 0 else reach / 2, 121), 0.0)
    )
    loss = bowl(at[:, None])
    price_ = fit.total * _complexities(at[:, None], fit.q)
    curves = (("loss", loss, Role.INACTIVE), ("penalty", price_, Role.MARGIN), ("cost", loss + price_, Role.BOUNDARY))
    layers: list[Layer] = [Polyline(np.column_stack([at, z]), role, label=name, tag=name) for name, z, role in curves]
    here = bowl(np.array([[w]])) + fit.total * complexity(np.array([w]), fit.q)
    layers.append(Points(np.column_stack([[w], here]), np.array([-1]), Role.ACTIVE, label=("w₁",), tag="w"))
    return Plot("Cost of one weight", "w₁", "Σ (y − h)² + λ |w|^q", tuple(layers), beside=True)


@lru_cache(maxsize=8)
def _strengths(problem: Problem, q: int, angle: float) -> tuple[Float, Float]:
    """The whole path; it is the same at every step of a run."""
    return strength_path(Penalised(problem, q, 0.0, angle).data, q)


def path_plot(fit: Penalised) -> Plot:
    """Every weight over the strength λ as it is set; the present one is marked."""
    strengths, slopes = _strengths(fit.problem, fit.q, fit.angle)
    x = np.log10(strengths / fit.averaged)
    largest = np.argsort(-np.abs(slopes).max(axis=0))[:MOST_LABELS].tolist()
    layers: list[Layer] = [Segments(np.array([[[x[0], 0.0], [x[-1], 0.0]]]), Role.SAME)]
    for j in range(slopes.shape[1]):
        name = "w" + subscript(j + 1) if j in largest else ""
        layers.append(Polyline(np.column_stack([x, slopes[:, j]])[::-1], Role.PLAIN, label=name, tag=f"w{j + 1}"))
    if fit.total > 0:
        at = float(np.log10(fit.total / fit.averaged))
        layers.append(Segments(np.array([[[at, -np.inf], [at, np.inf]]]), Role.ACTIVE, tag="strength"))
        x = np.append(x, at)
    air = 0.04 * float(np.ptp(x))
    low, high = min(float(slopes.min()), 0.0), max(float(slopes.max()), 0.0)
    room = (high - low) or 1.0  # below the zero line there is place for the name of the axis
    return Plot("Paths", "log₁₀ λ", "", tuple(layers),
                x_range=(float(x.min()) - air, float(x.max()) + air), y_range=(low - 0.25 * room, high + 0.15 * room))  # fmt: skip
