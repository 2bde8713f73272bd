"""Mistakes and their bounds over the factor, and the regret for each trial over the length of the
table.
"""

from engine.algorithms.online.randomized_weighted_majority import expected_bound
from engine.algorithms.online.weighted_majority import vote_bound
from engine.authoring import Mapping, Step, frozen, np, number, short
from engine.base.notation import plural
from engine.experiments.parts.curves import End, names_at_ends
from engine.experiments.parts.lines import curve
from engine.experiments.regret_bounds import Setting, State
from engine.scene.scene import (
    NO_GROUP,
    Arrows,
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

LEADS = ("By factor β", "Over the trials")
FINE = np.linspace(0.02, 0.99, 98)  # factors
RIGHT = 1.5  # of the axis of factors: room for names
HIGHEST = 0.94  # of the height, the tip of an arrow to what lies above it
WIDE = 1.5  # the axis of trials, of their number
LEFT = 0.15  # least factor at which a name stands
ABOVE, BELOW = 0.055, 0.035  # from a line to its name, of the height


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures = (over_factors(given, s, step.line), *over_trials(s, step.line))
    layers = (data_points(given.problem),) if given.problem.plane else ()
    return Scene(layers, figures, leads=LEADS[: len(figures)])


def over_factors(given: Setting, s: State, line: str) -> Plot:
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
    layers.append(names(s, bounds, top, line))
    if s.seen:
        layers += counts(s, top, line)
    if np.isfinite(s.beta):
        upright = frozen([[[s.beta, -np.inf], [s.beta, np.inf]]])
        layers.append(Segments(upright, Role.GHOST, tag="now"))
        if line == "best":
            layers.append(least_bound(given, s))
        elif not s.lengths:  # else the step is about the number of trials
            layers += gap(given, s, top)
    return Plot(
        f"By factor β: {title(s, line)}",
        "factor β",
        f"mistakes in {s.n} {plural(s.n, 'trial')}",
        tuple(layers),
        beside=True,
        x_range=(0.0, RIGHT),
        y_range=(-0.09 * top, top),
        x_ticks=tuple((tenth / 10, short(tenth / 10)) for tenth in range(0, 11, 2)),
    )


def title(s: State, line: str) -> str:
    """What the step is about."""
    if line == "best":
        return f"bound least at β = {short(s.beta)}"
    if np.isfinite(s.beta) and not s.lengths:
        return f"mistakes with β = {short(s.beta)}"
    return "at most, and counted"


def least_bound(given: Setting, s: State) -> Points:
    """The place where the bound of the draw is least, with its height."""
    least = expected_bound(s.least, given.K, s.beta)
    none = np.array([NO_GROUP])
    label = (f"bound of the draw, {number(least)}",)
    return Points(frozen([[s.beta, least]]), none, Role.NEAREST, label=label, tag="now")


def gap(given: Setting, s: State, top: float) -> list[Layer]:
    """From the mistakes with the present β, on average of drawn experts or of the vote before they
    are known, up to the most that they can be; an arrow where the plot ends below that.
    """
    here = next((seen for seen in s.seen if seen.beta == s.beta), None)
    if here is not None:
        counted, most = here.drawn, here.drawn_bound
    elif s.vote >= 0:
        counted, most = float(s.vote), vote_bound(s.least, given.K, s.beta)
    else:
        return []
    foot, end = frozen([[s.beta, counted]]), frozen([[s.beta, min(most, HIGHEST * top)]])
    if most > top:
        return [Arrows(foot, end, Role.ACTIVE, tag="now")]
    return [Segments(np.stack([foot, end], axis=1), Role.ACTIVE, tag="now")]


def names(s: State, bounds: Mapping[str, list[float]], top: float, line: str) -> Labels:
    """The names of the bounds, where they are least, and of the best expert below their lines; that
    of the draw above it, as most counts lie below, and at its ring on the line "best".
    """
    lowest = [min(zip(bound, FINE.tolist(), strict=True)) for bound in bounds.values()]
    (vote, at_vote), (draw, at_draw) = lowest
    found = [
        (max(at_vote, LEFT), vote - BELOW * top, "bound of the vote"),
        (0.25, s.least - BELOW * top, f"best expert, {s.least}"),
        (max(at_draw, LEFT), draw + ABOVE * top, "bound of the draw"),
    ]
    x, y, texts = zip(*found[: 2 if line == "best" else 3], strict=True)
    places = np.column_stack([x, y])
    return Labels(frozen(places), texts, Role.PLAIN)


def counts(s: State, top: float, line: str) -> list[Layer]:
    """The counted mistakes for each β so far: of the vote, of drawn experts, and of their single
    runs; of the present β how many times as many its bound allows. top: the upper end of the axis
    """
    beta = np.array([seen.beta for seen in s.seen])
    runs = np.array([(seen.beta, m) for seen in s.seen for m in seen.runs], np.float64)
    runs = runs.reshape(-1, 2)
    weight = frozen(np.full(len(runs), 0.3))
    group = np.full(len(runs), NO_GROUP)
    last = s.seen[-1]
    ends = [
        End(last.beta, last.vote, f"vote, {last.vote}", "vote"),
        End(last.beta, last.drawn, f"drawn, {number(last.drawn)}", "drawn"),
    ]
    if line == "draw":
        most = last.drawn_bound
        times = f": {number(most / last.drawn)} times" if last.drawn else ""
        ends.append(
            End(last.beta, min(most, HIGHEST * top), f"bound, {number(most)}{times}", "now")
        )
    return [
        curve(beta, [seen.vote for seen in s.seen], Role.PLAIN, "vote"),
        curve(beta, [seen.drawn for seen in s.seen], Role.BOUNDARY, "drawn"),
        Points(frozen(runs), group, Role.SAMPLE, weight=weight, tag="runs"),
        *names_at_ends(ends, RIGHT, 1.09 * top),
    ]


def over_trials(s: State, line: str) -> list[Plot]:
    """A plot of the regret for each trial over the number of trials, with the best β for each; []
    before the first.
    """
    if not s.lengths:
        return []
    n = np.array([length.n for length in s.lengths], np.float64)
    bound = [length.bound for length in s.lengths]
    regret = [length.regret for length in s.lengths]
    layers: list[Layer] = [Polyline(frozen([[0.0, 0.0], [s.n, 0.0]]), Role.GHOST, tag="best")]
    for kind in (
        curve(n, bound, Role.MARGIN, "regret_bound"),
        curve(n, regret, Role.BOUNDARY, "regret"),
    ):
        layers.append(kind)
        layers.append(Points(kind.xy, np.full(len(n), NO_GROUP), Role.SAMPLE, tag=kind.tag))
    ends = [
        End(n[-1], bound[-1], f"bound, {number(bound[-1], 3)}", "regret_bound"),
        End(n[-1], regret[-1], f"regret, {number(regret[-1], 3)}", "regret"),
    ]
    at_the_end = line == "told"
    shown = [0, len(n) - 1] if at_the_end else [len(n) - 1]
    texts = (number(regret[0], 3), "") if at_the_end else ("",)
    none = np.full(len(shown), NO_GROUP)
    places = np.column_stack([n, regret])[shown]
    layers.append(Points(frozen(places), none, Role.NEAREST, label=texts, tag="now"))
    top = 1.15 * max(*bound, *regret, 0.01)
    low = min(0.0, *regret) - 0.09 * top
    layers += names_at_ends(ends, WIDE * s.n, top - low)
    said = f"after {n[-1]:.0f} trials"
    if at_the_end:
        said = f"{texts[0]} → {number(regret[-1], 3)}"
    return [
        Plot(
            f"Over the trials: regret {said}",
            "trials n",
            "regret for each trial",
            tuple(layers),
            beside=True,
            x_range=(0.0, WIDE * s.n),
            y_range=(low, top),
        )
    ]
