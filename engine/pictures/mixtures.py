"""Pictures of mixtures: soft members, means and how they move, ovals or bells, the likelihood over two means. ML 6.12."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from engine.core.arrays import Float
from engine.core.dataset import Feature
from engine.core.notation import subscript
from engine.core.problem import Problem
from engine.core.scene import (
    NO_GROUP,
    Arrows,
    Bars,
    Ellipses,
    Field,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Segments,
    Table,
    TableColumn,
    data_table,
)
from engine.numerics.contours import joined, level_lines
from engine.numerics.mixtures import LOG_2PI, owners, pair_likelihood

CLEARLY = 1e-3  # ahead of the others by so much of a share an example has the colour of a component
_CURVE, _GRID = 400, 56
_MOST_FOR_SURFACE = 2000
_LEVELS = np.array([0.003, 0.012, 0.03, 0.06, 0.1, 0.16, 0.25, 0.4, 0.6])  # of the way down from the top
_BELOW = 0.065
_HEIGHT = 0.42  # of the highest bell, as a share of the plane's height


def names_of(k: int) -> tuple[str, ...]:
    return tuple("μ" + subscript(j + 1) for j in range(k))


def soft_points(problem: Problem, shares: Float) -> Layer:
    """The examples in the shape and colour of their likeliest component; the more doubtful, the smaller."""
    group, k = owners(shares.T, CLEARLY), shares.shape[1]
    if (group < 0).all():
        return Points(problem.xy, group, Role.SAMPLE, tag="data")
    sure = (shares.max(axis=1) - 1 / k) / (1 - 1 / k) if k > 1 else np.ones(len(shares))
    return Points(problem.xy, group, Role.POINT, group, 0.12 + 0.88 * np.clip(sure, 0, 1), tag="data")


AHEAD = tuple(float(np.log(z / (1 - z))) for z in (0.1, 0.3, 0.5, 0.7, 0.9))  # of the quotient's ln, where E[z] is that


def ground(k: int) -> Field:
    """Two components shade the plane by how far each is ahead; more of them divide it."""
    return Field("membership", AHEAD, tag="z") if k == 2 else Field("class", tag="z")


def current_layers(problem: Problem, shares: Float, row: int) -> list[Layer]:
    """The example whose memberships are reckoned in the note."""
    if row < 0:
        return []
    group = owners(shares.T, CLEARLY)[[row]]
    return [Points(problem.xy[[row]], group, Role.ACTIVE, group, label=(problem.names[row],), tag="current")]


def mean_layers(problem: Problem, means: Float, before: Float, moved: bool) -> list[Layer]:
    """The means as ringed symbols; after an M step with their former places and the way between."""
    k, at, was = len(means), _on_plane(problem, means), _on_plane(problem, before)
    group = np.arange(k)
    marks: list[Layer] = [Points(at, group, Role.ACCEPTED, group, label=names_of(k), tag="means")]
    if not moved:
        return marks
    way = [Arrows(was[far], at[far], Role.ACTIVE, tag="change")] if (far := (was != at).any(axis=1)).any() else []
    return [Points(was, group, Role.GHOST, tag="before"), *way, *marks]


def _on_plane(problem: Problem, rows: Float) -> Float:
    """Rows as places of the plane; over one column they stand a little below the examples, so that they hide none."""
    xy = problem.to_plane(rows)
    if len(problem.plane) == 1:
        foot, high = _foot(problem)
        xy[:, 1] = foot - _BELOW * high
    return xy


def _foot(problem: Problem) -> tuple[float, float]:
    """Where bells over one column stand, and how high the plane is."""
    x, y = problem.xy[:, 0], problem.xy[:, 1]
    high = float(np.ptp(y)) or float(np.ptp(x)) or 1.0
    return float(y.min()), high


def shape_layers(
    problem: Problem, means: Float, covariances: Float, weights: Float, role: Role = Role.BALL, tag: str = "shapes"
) -> list[Layer]:
    """Each Gaussian: ovals at one and two standard deviations over two columns, a bell over one."""
    axes = list(problem.plane)
    if len(axes) == 2:
        shown = covariances[:, axes][:, :, axes]
        group = np.arange(len(means)) if role is Role.BALL else None
        reaches = (1.0, 2.0) if role is Role.BALL else (1.0,)
        return [Ellipses(means[:, axes], shown, reach, role, group, tag=tag) for reach in reaches]
    return _bells(problem, means[:, axes[0]], covariances[:, axes[0], axes[0]], weights, role, tag)


def _bells(problem: Problem, means: Float, variances: Float, weights: Float, role: Role, tag: str) -> list[Layer]:
    foot, high = _foot(problem)
    x = problem.xy[:, 0]
    air = float(np.ptp(x)) or 1.0
    at = np.unique(np.concatenate([np.linspace(x.min() - air, x.max() + air, _CURVE), means]))
    deviations = np.sqrt(variances)
    z = (at - means[:, None]) / deviations[:, None]
    logs = -0.5 * z * z - np.log(deviations)[:, None] - 0.5 * LOG_2PI
    density = weights[:, None] * np.exp(logs - logs.max())
    total = density.sum(axis=0)
    scale = _HEIGHT * high / (float(total.max()) or 1.0)

    def curve(values: Float) -> Float:
        return np.column_stack([at, foot + scale * values])

    if role is Role.GHOST:
        return [Polyline(curve(row), role, tag=tag) for row in density]
    bells: list[Layer] = [Polyline(curve(row), Role.PLAIN, group=j, tag=tag) for j, row in enumerate(density)]
    peaks = np.interp(means, at, total) * scale + foot
    feet = np.column_stack([means, np.full(len(means), foot - _BELOW * high)])
    stems = np.stack([feet, np.column_stack([means, peaks])], axis=1)
    return [Segments(stems, Role.SAME, tag="means"), *bells, Polyline(curve(total), Role.BOUNDARY, tag="density")]


# -- beside the plane --------------------------------------------------------------------------------------------------


def member_bars(shares: Float, title: str) -> Bars:
    """Memberships of one example or place, shares (k,)."""
    group = np.arange(len(shares))
    return Bars(title, names_of(len(shares)), shares, group=group, digits=3, limit=1.0, tag="z")


def doubtful_bars(problem: Problem, shares: Float, current: int) -> list[Bars]:
    """Memberships of the example that the step names, if it names one; shares (n, k)."""
    title = "E[z] of {}: its memberships"
    return [member_bars(shares[current], title.format(problem.names[current]))] if current >= 0 else []


def mass_bars(shares: Float, before: Float | None = None) -> Bars:
    """How many examples each component owns, counted in parts; shares (n, k)."""
    k = shares.shape[1]
    mass = shares.sum(axis=0)
    unit = "examples, each counted by its share"
    return Bars("Sizes", names_of(k), mass, group=np.arange(k), before=before, unit=unit, tag="N")


def share_bars(weights: Float) -> Bars:
    """The share of each component in the mixture."""
    k = len(weights)
    return Bars("Shares π", names_of(k), weights, group=np.arange(k), digits=3, limit=1.0, tag="N")


def member_table(problem: Problem, shares: Float, current: int) -> Table:
    """The examples with their memberships."""
    table = data_table(problem, current=(current,) if current >= 0 else ())
    soft = [TableColumn(Feature(f"E[z] {n}"), shares[:, j]) for j, n in enumerate(names_of(shares.shape[1]))]
    return replace(table, columns=(*table.columns, *soft))


@lru_cache(maxsize=8)
def _landscape(problem: Problem, sigma: float, low: float, high: float) -> tuple[Layer, ...]:
    """Level lines of the log-likelihood over two means between low and high."""
    axis = np.linspace(low, high, _GRID)
    z = pair_likelihood(problem.X[:, 0], sigma, axis)
    top, deep = float(z.max()), float(np.ptp(z))
    lines = level_lines(axis, axis, z, top - deep * _LEVELS[::-1])
    return (Polyline(joined(lines), Role.INACTIVE, tag="likelihood"),)


def likelihood_plot(
    problem: Problem, sigma: float, path: Float, role: str, after: Float | None = None, mass: Float | None = None
) -> list[Plot]:
    """The log-likelihood over the two means of a single column, with the way (m, 2, 1) so far. After an E step also Q
    (Eq 6.30): ovals round its top `after`, drawn for the masses (2,), where the M step will jump."""
    if path.shape[1:] != (2, 1) or problem.n > _MOST_FOR_SURFACE:
        return []
    way = path[:, :, 0]
    places = np.concatenate([problem.X[:, 0], way[0]])
    air = 0.12 * (float(np.ptp(places)) or 1.0)
    low, high = float(places.min()) - air, float(places.max()) + air
    alike = Segments(np.array([[[low, low], [high, high]]]), Role.SAME, tag="saddle")
    layers: list[Layer] = [alike, *_landscape(problem, sigma, low, high), Polyline(way, Role.GHOST, tag="path")]
    none = np.array([NO_GROUP])
    if len(way) > 1:
        layers.append(Points(way[:-1][-60:], np.full(len(way[:-1][-60:]), NO_GROUP), Role.INACTIVE, tag="path"))
    if role == "e" and after is not None and mass is not None:
        layers += _jump(way[-1], after[:, 0], mass)
    elif role == "m" and len(way) > 1 and (way[-1] != way[-2]).any():
        layers.append(Arrows(way[-2:-1], way[-1:], Role.ACTIVE, tag="change"))
    layers.append(Points(way[-1:], none, Role.ACTIVE, label=("μ",), tag="means"))
    span = (low, high)
    x, y = names_of(2)
    return [Plot("Likelihood", x, y, tuple(layers), beside=True, x_range=span, y_range=span)]


def _jump(now: Float, after: Float, mass: Float) -> list[Layer]:
    """Q is a paraboloid: ovals round its top, one of them through the present means."""
    shape = np.diag(1 / np.maximum(mass, 1e-9))[None]
    reach = float(np.sqrt(((after - now) ** 2 * mass).sum()))
    ovals: list[Layer] = []
    if reach > 0:
        ovals = [Ellipses(after[None], shape, share * reach, Role.CANDIDATE, tag="q") for share in (0.5, 1.0)]
    return [*ovals, Points(after[None], np.array([NO_GROUP]), Role.CANDIDATE, label=("top of Q",), tag="q")]
