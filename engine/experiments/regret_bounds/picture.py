"""Mistakes and their bounds over the factor, and the regret for each trial over the length of the
table.
"""

from engine.authoring import Step, frozen, np
from engine.core.notation import plural
from engine.core.scene import (
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
from engine.experiments.regret_bounds import Setting, State
from engine.algorithms.online.parts.regret import expected_bound, vote_bound

# factors, and the one from which on a bound has its name
FINE, LABELLED = np.linspace(0.02, 0.99, 98), 20


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures = (over_factors(given, s), *over_trials(s))
    layers = (data_points(given.problem),) if given.problem.plane else ()
    return Scene(layers, figures, leads=tuple(figure.title for figure in figures))


def named(places: list[tuple[float, float]], names: list[str]) -> Labels:
    return Labels(frozen(np.array(places).reshape(-1, 2)), tuple(names), Role.PLAIN)


def over_factors(given: Setting, s: State) -> Plot:
    """Bounds in dashes, what was counted as lines and dots, the best expert at the bottom."""
    bounds = {
        tag: [of(s.least, given.K, float(b)) for b in FINE]
        for tag, of in (("vote_bound", vote_bound), ("drawn_bound", expected_bound))
    }
    layers: list[Layer] = [
        Polyline(frozen(np.column_stack([FINE, y])), Role.MARGIN, tag=tag)
        for tag, y in bounds.items()
    ]
    layers.append(Polyline(frozen([[0.0, s.least], [1.0, s.least]]), Role.GHOST, tag="best"))
    counted = [float(m) for seen in s.seen for m in (seen.vote, seen.drawn, *seen.runs)]
    top = 1.25 * max([*counted, min(bounds["vote_bound"]), min(bounds["drawn_bound"]), 1.0])
    places, names = [], ["bound of the vote", "bound of the draw"]
    for line in bounds.values():
        k = max(LABELLED, next(k for k, y in enumerate(line) if y <= 0.85 * top))
        places.append((FINE[k] + 0.03, line[k] + 0.06 * top))
    layers.append(named([*places, (0.5, s.least - 0.03 * top)], [*names, "best expert"]))
    if s.seen:
        beta = np.array([seen.beta for seen in s.seen])
        for tag, y, role in (
            ("vote", [seen.vote for seen in s.seen], Role.PLAIN),
            ("drawn", [seen.drawn for seen in s.seen], Role.BOUNDARY),
        ):
            name = {"vote": "vote", "drawn": "drawn"}[tag]
            layers.append(Polyline(frozen(np.column_stack([beta, y])), role, label=name, tag=tag))
        runs = np.array([(seen.beta, m) for seen in s.seen for m in seen.runs], np.float64).reshape(
            -1, 2
        )
        layers.append(
            Points(
                frozen(runs),
                np.full(len(runs), NO_GROUP),
                Role.SAMPLE,
                weight=frozen(np.full(len(runs), 0.3)),
                tag="runs",
            )
        )
    if np.isfinite(s.beta):
        layers.append(
            Segments(
                frozen([[[s.beta, -np.inf], [s.beta, np.inf]]]),
                Role.ACTIVE,
                label=(f"β = {s.beta:g}",),
                tag="now",
            )
        )
    return Plot(
        "By factor β",
        "factor β",
        f"mistakes in {s.n} {plural(s.n, 'trial')}",
        tuple(layers),
        beside=True,
        x_range=(0.0, 1.05),
        y_range=(-0.09 * top, top),
    )


def over_trials(s: State) -> list[Plot]:
    """What each trial costs beyond the best expert, with the β that is best for so many."""
    if not s.lengths:
        return []
    n = np.array([one.n for one in s.lengths], np.float64)
    layers: list[Layer] = [Polyline(frozen([[0.0, 0.0], [s.n, 0.0]]), Role.GHOST, tag="best")]
    for tag, y, role, name in (
        ("regret_bound", [one.bound for one in s.lengths], Role.MARGIN, "bound"),
        ("regret", [one.regret for one in s.lengths], Role.BOUNDARY, "regret"),
    ):
        layers.append(Polyline(frozen(np.column_stack([n, y])), role, label=name, tag=tag))
        layers.append(
            Points(frozen(np.column_stack([n, y])), np.full(len(n), NO_GROUP), Role.SAMPLE, tag=tag)
        )
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
