"""Mistakes and their bounds over the factor, and the regret for each trial over the length of the
table.
"""

from engine.algorithms.online.randomized_weighted_majority import expected_bound
from engine.algorithms.online.weighted_majority import vote_bound
from engine.authoring import Mapping, Step, frozen, np
from engine.base.notation import plural
from engine.experiments.parts.lines import curve
from engine.experiments.regret_bounds import Setting, State
from engine.scene.scene import (
    NO_GROUP,
    Labels,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_points,
)

FINE = np.linspace(0.02, 0.99, 98)  # factors
LABELLED = 20  # the first of them at which a bound may have its name


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures = (over_factors(given, s), *over_trials(s))
    layers = (data_points(given.problem),) if given.problem.plane else ()
    return Scene(layers, figures, leads=tuple(figure.title for figure in figures))


def over_factors(given: Setting, s: State) -> Plot:
    """A plot of mistakes over β: bounds dashed, counts as lines and dots, the best expert at the
    bottom.
    """
    bounds = {
        "vote_bound": [vote_bound(s.least, given.K, beta) for beta in FINE.tolist()],
        "drawn_bound": [expected_bound(s.least, given.K, beta) for beta in FINE.tolist()],
    }
    counted = [float(m) for seen in s.seen for m in (seen.vote, seen.drawn, *seen.runs)]
    top = 1.25 * max([*counted, *map(min, bounds.values()), 1.0])
    layers: list[Layer] = [curve(FINE, y, Role.MARGIN, tag) for tag, y in bounds.items()]
    layers.append(Polyline(frozen([[0.0, s.least], [1.0, s.least]]), Role.GHOST, tag="best"))
    layers.append(names(s, bounds, top))
    if s.seen:
        layers += counts(s)
    if np.isfinite(s.beta):
        line = frozen([[[s.beta, -np.inf], [s.beta, np.inf]]])
        layers.append(Segments(line, Role.ACTIVE, label=(f"β = {s.beta:g}",), tag="now"))
    return Plot(
        "By factor β",
        "factor β",
        f"mistakes in {s.n} {plural(s.n, 'trial')}",
        tuple(layers),
        beside=True,
        x_range=(0.0, 1.05),
        y_range=(-0.09 * top, top),
    )


def names(s: State, bounds: Mapping[str, list[float]], top: float) -> Labels:
    """The names of the curves, each where its curve comes below the upper edge of the plot."""
    places = []
    for line in bounds.values():
        below = next(k for k, y in enumerate(line) if y <= 0.85 * top)
        k = max(LABELLED, below)
        places.append((FINE[k] + 0.03, line[k] + 0.06 * top))
    places.append((0.5, s.least - 0.03 * top))
    texts = ("bound of the vote", "bound of the draw", "best expert")
    return Labels(frozen(np.array(places)), texts, Role.PLAIN)


def counts(s: State) -> list[Layer]:
    """The counted mistakes for each β so far: of the vote, of drawn experts, and of their single
    runs.
    """
    beta = np.array([seen.beta for seen in s.seen])
    runs = np.array([(seen.beta, m) for seen in s.seen for m in seen.runs], np.float64)
    runs = runs.reshape(-1, 2)
    weight = frozen(np.full(len(runs), 0.3))
    group = np.full(len(runs), NO_GROUP)
    return [
        curve(beta, [seen.vote for seen in s.seen], Role.PLAIN, "vote", "vote"),
        curve(beta, [seen.drawn for seen in s.seen], Role.BOUNDARY, "drawn", "drawn"),
        Points(frozen(runs), group, Role.SAMPLE, weight=weight, tag="runs"),
    ]


def over_trials(s: State) -> list[Plot]:
    """A plot of the regret for each trial over the number of trials, with the best β for each; []
    before the first.
    """
    if not s.lengths:
        return []
    n = np.array([length.n for length in s.lengths], np.float64)
    bound = [length.bound for length in s.lengths]
    regret = [length.regret for length in s.lengths]
    layers: list[Layer] = [Polyline(frozen([[0.0, 0.0], [s.n, 0.0]]), Role.GHOST, tag="best")]
    for line in (
        curve(n, bound, Role.MARGIN, "regret_bound", "bound"),
        curve(n, regret, Role.BOUNDARY, "regret", "regret"),
    ):
        layers.append(line)
        layers.append(Points(line.xy, np.full(len(n), NO_GROUP), Role.SAMPLE, tag=line.tag))
    return [
        Plot(
            "Over the trials",
            "trials n",
            "regret for each trial",
            tuple(layers),
            beside=True,
            x_range=(0.0, 1.1 * s.n),
        )
    ]
