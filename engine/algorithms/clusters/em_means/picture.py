"""Circles of one width or bells, the means and how they move, the likelihood over two means."""

from functools import lru_cache

from engine.algorithms.clusters.em_means import Setting, State
from engine.algorithms.clusters.em_means.widths import spherical_log_density
from engine.algorithms.clusters.parts import SURFACES
from engine.algorithms.clusters.parts.figures import (
    mass_bars,
    mixture_scene,
    names_of,
    shape_layers,
)
from engine.algorithms.clusters.parts.mixtures import weighted_means
from engine.authoring import Float, Step, np, number, replace
from engine.base.notation import counted, fixed
from engine.base.tags import joined as both
from engine.numerics.contours import level_lines, one_polyline
from engine.scene.scene import (
    NO_GROUP,
    Arrows,
    Ellipses,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
)

FIELDS = SURFACES
_GRID = 56
_MOST_FOR_SURFACE = 2000
# of the way down from the top
_LEVELS = np.array([0.003, 0.012, 0.03, 0.06, 0.1, 0.16, 0.25, 0.4, 0.6])


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    k = given.p.k
    d = given.problem.d
    changed = step.line == "m"
    circles = np.tile(given.sigma**2 * np.eye(d), (k, 1, 1))
    even = np.full(k, 1 / k)
    ghost = (
        shape_layers(given.problem, s.before, circles, even, Role.GHOST, "before")
        if changed
        else []
    )
    shapes = [*ghost, *shape_layers(given.problem, s.means, circles, even)]
    bars = mass_bars(s.responsibilities)
    made = mixture_scene(
        given, s, shapes, s.before if changed else None, bars, likelihood_plot(given, step)
    )
    return replace(made, plane=title(step))


def title(step: Step[State]) -> str:
    """What the plane shows: which part of which round, at its end how far the means moved."""
    s = step.state
    if step.line == "e":
        return f"Round {s.round}: E step, the share of each example"
    if step.line == "m":
        return f"Round {s.round}: M step, the means move at most {number(s.moved)}"
    if step.line == "until":
        return f"Round {s.round} is over: the largest move was {number(s.moved)}"
    return f"Start: {counted(len(s.means), 'mean')}" if not s.round else f"Round {s.round}"


def likelihood_plot(given: Setting, step: Step[State]) -> list[Plot]:
    """The log-likelihood over the two means of a single column, with the way so far.

    After an E step also Q (Eq 6.30): ovals round its top, where the M step will jump.
    """
    s = step.state
    problem = given.problem
    if s.means.shape != (2, 1) or problem.n > _MOST_FOR_SURFACE:
        return []
    way = np.asarray(tuple(s.path))[:, :, 0]
    places = np.concatenate([problem.X[:, 0], way[0]])
    air = 0.12 * (float(np.ptp(places)) or 1.0)
    span = low, high = float(places.min()) - air, float(places.max()) + air
    x, y = names_of(2)
    alike = Segments(np.array([[[low, low], [high, high]]]), Role.SAME, tag="saddle")
    layers: list[Layer] = [
        alike,
        _landscape(given, low, high),
        Polyline(way, Role.GHOST, tag=both("path", "means")),
    ]
    if len(way) > 1:
        previous = way[:-1][-60:]
        layers.append(Points(previous, np.full(len(previous), NO_GROUP), Role.INACTIVE, tag="path"))
    if step.line == "e":
        layers += _jump(given, s)
    elif step.line == "m" and len(way) > 1 and (way[-1] != way[-2]).any():
        layers.append(Arrows(way[-2:-1], way[-1:], Role.ACTIVE, tag="change"))
    role, name = Role.PLAIN, "μ"
    if step.line in ("start", "m"):  # the others move no mean
        role, name = Role.ACTIVE, f"μ ({', '.join(number(v) for v in way[-1].tolist())})"
    layers.append(Points(way[-1:], np.array([NO_GROUP]), role, label=(name,), tag="means"))
    return [Plot(heading(step), x, y, tuple(layers), beside=True, x_range=span, y_range=span)]


def heading(step: Step[State]) -> str:
    """The title of the plot, with the log-likelihood as far as the step has it."""
    s = step.state
    if step.line not in ("m", "until"):
        return "Likelihood"
    now = fixed(s.log_likelihood)
    before = fixed(step.details["before"]) if step.line == "m" else now
    return (
        f"Likelihood: logarithm {before} → {now}"
        if before != now
        else f"Likelihood: logarithm {now}"
    )


@lru_cache(maxsize=8)
def _landscape(given: Setting, low: float, high: float) -> Layer:
    """Level lines of the log-likelihood over two means between low and high."""
    axis = np.linspace(low, high, _GRID)
    z = pair_likelihood(given.problem.X[:, 0], given.sigma, axis)
    top, deep = float(z.max()), float(np.ptp(z))
    lines = level_lines(axis, axis, z, top - deep * _LEVELS[::-1])
    return Polyline(one_polyline(lines), Role.INACTIVE, tag="likelihood")


def pair_likelihood(x: Float, sigma: float, means: Float) -> Float:
    """(m, m) log-likelihood of the values x (n,) for two components of equal share, over all pairs
    of `means` (m,).
    """
    density = spherical_log_density(x[:, None], means[:, None], sigma)
    surface = np.zeros((len(means), len(means)))
    for i, one in enumerate(density):
        surface[i, : i + 1] = np.logaddexp(density[: i + 1], one).sum(axis=1)
    return surface + np.tril(surface, -1).T - len(x) * float(np.log(2))


def _jump(given: Setting, s: State) -> list[Layer]:
    """Q is a paraboloid: ovals round its top, one of them through the present means."""
    now = s.means[:, 0]
    mass = s.responsibilities.sum(axis=0)
    after = weighted_means(given.problem.X, s.responsibilities.T, s.means)[:, 0]
    shape = np.diag(1 / np.maximum(mass, 1e-9))[None]
    reach = float(np.sqrt(((after - now) ** 2 * mass).sum()))
    ovals: list[Layer] = []
    if reach > 0:
        ovals = [
            Ellipses(after[None], shape, share * reach, Role.CANDIDATE, tag="q")
            for share in (0.5, 1.0)
        ]
    return [
        *ovals,
        Points(after[None], np.array([NO_GROUP]), Role.CANDIDATE, label=("top of Q",), tag="q"),
    ]
