"""Pictures of mixtures: soft members, means and how they move, ovals or bells, sizes. ML 6.12."""

from typing import Any

from engine.algorithms.clusters.parts import Mixing
from engine.algorithms.clusters.parts.cluster_cards import cluster_cards, fits
from engine.algorithms.clusters.parts.mixtures import LOG_2PI, owners
from engine.authoring import Float, Problem, Sequence, np
from engine.base.notation import fixed, subscript
from engine.base.tags import class_tag, class_tags, joined
from engine.scene.scene import (
    Arrows,
    Bars,
    Cards,
    Ellipses,
    Field,
    Figure,
    Layer,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_table,
    thinned,
)
from engine.table.dataset import Feature

CLEARLY = 1e-3  # ahead of the others by so much of a share an example has the colour of a component
FEW = 3  # components up to which an example says its shares
_CURVE = 400  # places of a bell
# as shares of the plane's height
_BELOW = 0.065  # of means below the examples
_HEIGHT = 0.42  # of the highest bell


def names_of(k: int) -> tuple[str, ...]:
    """The names of k components: μ₁, μ₂, …"""
    return tuple("μ" + subscript(j + 1) for j in range(k))


def mixture_scene(
    given: Mixing[Any],
    s: Any,
    shapes: list[Layer],
    was: Float | None,
    bars: Bars,
    first: Sequence[Figure] = (),
) -> Scene:
    """The scene of the examples and the `shapes` of the Gaussians. was: (k, d) the means before
    they moved
    """
    problem = given.problem
    shares = s.responsibilities
    row = s.current
    doubtful = doubtful_bars(problem, shares, row)
    figures = (*first, *doubtful, bars, member_table(problem, shares, row))
    if not problem.plane:
        if not fits(problem, given.p.k):
            return Scene((), figures)
        return Scene((), (component_cards(problem, s.means, shares, row), *figures))
    marks = [*mean_layers(problem, s.means, was), *current_layers(problem, shares, row)]
    return Scene((ground(given.p.k), *shapes, soft_points(problem, shares), *marks), figures)


def soft_points(problem: Problem, shares: Float) -> Layer:
    """The examples in the marker of their likeliest component; the more doubtful an example, the
    smaller. shares: (n, k)
    """
    group = owners(shares.T, CLEARLY)
    if (group < 0).all():
        return thinned(problem, Points(problem.xy, group, Role.SAMPLE, tag="data"))
    k = shares.shape[1]
    sure = (shares.max(axis=1) - 1 / k) / (1 - 1 / k) if k > 1 else np.ones(len(shares))
    weight = 0.12 + 0.88 * np.clip(sure, 0, 1)
    return thinned(problem, Points(problem.xy, group, Role.POINT, group, weight, tag="data"))


# levels of ln E[z₁]/E[z₂], where E[z₁] is .1, .3 …
AHEAD = tuple(float(np.log(z / (1 - z))) for z in (0.1, 0.3, 0.5, 0.7, 0.9))


def ground(k: int) -> Field:
    """The surface of memberships: for two components shaded by the lead, for more divided into
    regions.
    """
    return Field("membership", AHEAD, tag="z") if k == 2 else Field("class", tag="z")


def current_layers(problem: Problem, shares: Float, row: int) -> list[Layer]:
    """The mark of the example whose memberships the note computes, with its shares where they are
    few; [] for row −1.
    """
    if row < 0:
        return []
    group = owners(shares.T, CLEARLY)[[row]]
    name = problem.names[row]
    if shares.shape[1] <= FEW:
        name += ": " + " : ".join(fixed(float(share), 3) for share in shares[row])
    xy = problem.xy[[row]]
    return [Points(xy, group, Role.ACTIVE, group, label=(name,), tag="current")]


def mean_layers(problem: Problem, means: Float, before: Float | None) -> list[Layer]:
    """The means (k, d) as ringed symbols; after an M step also their previous places and the way
    between.
    """
    group = np.arange(len(means))
    at = _on_plane(problem, means)
    names = names_of(len(means))
    tags = class_tags(len(means))
    marks: list[Layer] = [
        Points(at, group, Role.ACCEPTED, group, label=names, tag="means", tags=tags)
    ]
    if before is None:
        return marks
    was = _on_plane(problem, before)
    ghosts = Points(was, group, Role.GHOST, tag="before", tags=tags)
    moved = np.flatnonzero((was != at).any(axis=1))
    if not len(moved):
        return [ghosts, *marks]
    of_moved = tuple(tags[j] for j in moved)
    ways = Arrows(was[moved], at[moved], Role.ACTIVE, tag="change", tags=of_moved)
    return [ghosts, ways, *marks]


def _on_plane(problem: Problem, rows: Float) -> Float:
    """Rows as places of the plane; over one column they stand a little below the examples, so that
    they hide none.
    """
    xy = problem.to_plane(rows)
    if len(problem.plane) == 1:
        foot, high = _foot(problem)
        xy[:, 1] = foot - _BELOW * high
    return xy


def _foot(problem: Problem) -> tuple[float, float]:
    """Where bells over one column stand, and how high the plane is."""
    x = problem.xy[:, 0]
    y = problem.xy[:, 1]
    high = float(np.ptp(y)) or float(np.ptp(x)) or 1.0
    return float(y.min()), high


def shape_layers(
    problem: Problem,
    means: Float,
    covariances: Float,
    weights: Float,
    role: Role = Role.BALL,
    tag: str = "shapes",
) -> list[Layer]:
    """Each Gaussian: ovals at one and two standard deviations over two columns, a bell over one."""
    if not problem.plane:
        return []
    axes = list(problem.plane)
    if len(axes) == 1:
        axis = axes[0]
        variances = covariances[:, axis, axis]
        return _bells(problem, means[:, axis], variances, weights, role, tag)
    shown = covariances[:, axes][:, :, axes]
    tags = class_tags(len(means))
    if role is not Role.BALL:
        return [Ellipses(means[:, axes], shown, 1.0, role, None, tag=tag, tags=tags)]
    group = np.arange(len(means))
    return [
        Ellipses(means[:, axes], shown, deviations, role, group, tag=tag, tags=tags)
        for deviations in (1.0, 2.0)
    ]


def _bells(
    problem: Problem, means: Float, variances: Float, weights: Float, role: Role, tag: str
) -> list[Layer]:
    """The density of each Gaussian over one column, variances (k,), and of all; ghosts of each
    alone.
    """
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
    tags = class_tags(len(means))
    bells: list[Layer] = []
    for j, row in enumerate(density):
        bells.append(Polyline(curve(row), Role.PLAIN, group=j, tag=joined(tag, tags[j])))
    peaks = np.interp(means, at, total) * scale + foot
    feet = np.column_stack([means, np.full(len(means), foot - _BELOW * high)])
    stems = np.stack([feet, np.column_stack([means, peaks])], axis=1)
    whole = Polyline(curve(total), Role.BOUNDARY, tag="density")
    return [Segments(stems, Role.SAME, tag="means", tags=tags), *bells, whole]


# -- beside the plane ------------------------------------------------------------------------------


def member_bars(shares: Float, title: str) -> Bars:
    """Bars of the memberships of one example or place. shares: (k,)"""
    k = len(shares)
    group = np.arange(k)
    tags = class_tags(k)
    return Bars(
        title,
        names_of(k),
        shares,
        group=group,
        digits=3,
        limit=1.0,
        tag="z",
        tags=tags,
        clusters=True,
    )


def doubtful_bars(problem: Problem, shares: Float, current: int) -> list[Bars]:
    """Bars of the memberships of the example `current`; [] for −1. shares: (n, k)"""
    if current < 0:
        return []
    return [member_bars(shares[current], f"Memberships of {problem.names[current]}")]


def component_cards(problem: Problem, means: Float, shares: Float, current: int) -> Cards:
    """The components as cards with their part of each example. means: (k, d), shares: (n, k)"""
    title = "Components: rows with their share E[z]"
    notes = [f"Σ E[z] = {fixed(float(mass))}" for mass in shares.sum(axis=0)]
    moved = (current,) if current >= 0 else ()
    return cluster_cards(title, problem, means, shares, shares, notes, moved)


def mass_bars(shares: Float) -> Bars:
    """Bars of the mass Σ E[z] of each component, the number of examples by share. shares: (n, k)"""
    k = shares.shape[1]
    unit = "examples, each counted by its share"
    return Bars(
        "Sizes",
        names_of(k),
        shares.sum(axis=0),
        group=np.arange(k),
        unit=unit,
        tag="N",
        tags=class_tags(k),
        clusters=True,
    )


def member_table(problem: Problem, shares: Float, current: int) -> Table:
    """The examples with their memberships. shares: (n, k)"""

    def columns(own: list[TableColumn]) -> list[TableColumn]:
        more = list[TableColumn]()
        for j, name in enumerate(names_of(shares.shape[1])):
            more.append(TableColumn(Feature(f"E[z] {name}"), shares[:, j], tag=class_tag(j)))
        return own + more

    return data_table(problem, columns, current=(current,) if current >= 0 else ())
