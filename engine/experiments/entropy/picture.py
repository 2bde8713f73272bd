"""The curve B(q) with the whole and the branches on it: the gain is what the chord lies below; the
split on the plane.
"""

from engine.authoring import Float, Step, frozen, np
from engine.base.notation import counted, number, plural
from engine.experiments.entropy import Setting, State, plain_mean
from engine.experiments.entropy.words import branch_names, named
from engine.experiments.parts.lines import curve
from engine.numerics.impurity import boolean_entropy, entropy, remainder
from engine.scene.scene import (
    NO_GROUP,
    Bars,
    Figure,
    Labels,
    Layer,
    Line,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_points,
)
from engine.scene.views import short_names

SHARES = np.linspace(0, 1, 101)
MOST = 14  # bars that can be read


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = []
    if len(given.whole(s.current)) == 2:
        figures.append(chord(given, step))
    best = step.line == "best" and len(s.tried) > 1
    compared = gains(given, s, best)
    if not (best and any(isinstance(figure, Bars) for figure in compared)):  # these lead instead
        figures.append(bits_bars(given, s, step.line in ("rest", "gain")))
    figures += compared
    layers = [data_points(problem), *threshold(given, s)] if problem.plane else []
    leads = ["Plane"] if given.splits[0].column in problem.plane else []
    leads += [short_names([f.title])[0] for f in figures if isinstance(f, Plot)]
    leads.append("Gains" if best else "Entropy")
    return Scene(tuple(layers), tuple(figures), leads=tuple(leads[:2]))


def threshold(given: Setting, s: State) -> list[Layer]:
    """The line on the plane at the threshold of the current split; [] where there is none."""
    if s.current < 0:
        return []
    split = given.splits[s.current]
    if np.isnan(split.at) or split.column not in given.problem.plane:
        return []
    w = np.zeros(2)
    w[given.problem.plane.index(split.column)] = 1.0
    return [Line(frozen(w), -split.at, Role.ACTIVE, label=named(given, s.current), tag="split")]


def at_share(q: float, bits: float, role: Role, label: str, tag: str) -> Points:
    """A named mark on the entropy curve at share q."""
    place = frozen([[q, bits]])
    return Points(place, np.array([NO_GROUP]), role, label=(label,), tag=tag)


def heading(given: Setting, step: Step[State]) -> str:
    """The title of the curve, with what this step finds."""
    s = step.state
    title = "Entropy by share q"
    if s.current < 0:
        return f"{title}: all rows {number(float(entropy(given.whole(s.current))))}"
    name = named(given, s.current)
    if step.line not in ("gain", "best") or s.current >= len(s.tried):
        return f"{title}: {name}"
    gain = number(s.tried[s.current].gain)
    if step.line == "best" and len(s.tried) > 1:
        return f"{title}: {name} gains most, {gain}"
    return f"{title}: {name} gains {gain}"


def chord(given: Setting, step: Step[State]) -> Plot:
    """A plot of the entropy B(q), below it Gini's impurity and the error. The branches are marks on
    B; their weighted mean lies on the chord between them.
    """
    s = step.state
    x = SHARES
    kinds = (
        ("gini", 2 * x * (1 - x), Role.INACTIVE),
        ("error", np.minimum(x, 1 - x), Role.INACTIVE),
        ("whole", boolean_entropy(x), Role.BOUNDARY),
    )
    layers: list[Layer] = [curve(x, y, role, tag) for tag, y, role in kinds]
    places = frozen([[0.14, 0.9], [0.5, 0.54], [0.5, 0.36]])
    layers.append(Labels(places, ("entropy", "Gini", "error"), Role.INACTIVE))
    whole = given.whole(s.current)
    q = float(shares(whole[None])[0])
    before = float(entropy(whole))
    if s.current >= 0:
        counts = given.splits[s.current].counts
        layers += branches(counts, branch_names(given, s.current))
        low = remainder(counts)
        gain = frozen([[[q, low], [q, before]]])
        layers.append(Segments(gain, Role.ACTIVE, label=("gain",), tag="gain"))
        layers.append(at_share(q, low, Role.ACTIVE, "rest", "rest"))
    layers.append(at_share(q, before, Role.SAMPLE, "all rows", "whole"))
    return Plot(
        heading(given, step),
        f"q, share of {given.classes[0]}",
        "bits",
        tuple(layers),
        beside=True,
        x_range=(-0.04, 1.04),
        y_range=(-0.1, 1.08),
    )


def shares(counts: Float) -> Float:
    """(b,) the share of the first class in counts (b, k)."""
    return np.asarray(counts[:, 0] / counts.sum(axis=1))


def branches(counts: Float, names: tuple[str, ...]) -> list[Layer]:
    """Marks of the branches on the entropy curve, sized by their rows, and the chord between the
    outer ones. counts: (b, k)
    """
    there = np.flatnonzero(counts.sum(axis=1))
    at = np.column_stack([shares(counts[there]), entropy(counts[there])])
    size = counts[there].sum(axis=1)
    marks = Points(
        frozen(at),
        np.full(len(there), NO_GROUP),
        Role.ACCEPTED,
        weight=frozen(size / size.max()),
        label=tuple(names[b] for b in there),
        tags=tuple(f"branch {b}" for b in there),
    )
    if len(there) != 2:
        return [marks]
    ends = np.argsort(at[:, 0], kind="stable")
    return [Polyline(frozen(at[ends]), Role.MARGIN, tag="rest"), marks]


def bits_bars(given: Setting, s: State, plain: bool) -> Bars:
    """Bars of the entropy in bits: of all rows, of each branch, and their weighted mean. plain:
    also the misleading unweighted mean
    """
    whole = given.whole(s.current)
    bars = [("all rows", float(entropy(whole)), Role.PLAIN, "whole")]
    if s.current >= 0:
        counts = given.splits[s.current].counts
        names = branch_names(given, s.current)[:MOST]
        for b, name in enumerate(names):
            n = int(counts[b].sum())
            title = f"{name}: {n} {plural(n, 'row')}"
            bars.append((title, float(entropy(counts[b])), Role.PLAIN, f"branch {b}"))
        bars.append(("rest, mean by rows", remainder(counts), Role.ACTIVE, "rest"))
        if plain:
            bars.append(("plain mean, not used", plain_mean(counts), Role.INACTIVE, "plain"))
    titles, values, roles, tags = zip(*bars, strict=True)
    return Bars(
        "Entropy",
        titles,
        frozen(values),
        roles,
        unit="bits",
        digits=3,
        limit=float(np.log2(max(len(whole), 2))),
        tags=tags,
        checked=False,
    )


def gains(given: Setting, s: State, best: bool) -> list[Figure]:
    """The gains so far: a plot over the thresholds, or bars for a column of words; [] before the
    first. best: in amber is the best split, else the current one
    """
    if not s.tried:
        return []
    if np.isnan(given.splits[0].at):
        at_hand = s.best if best else s.current
        largest = sorted(range(len(s.tried)), key=lambda k: (k != at_hand, -s.tried[k].gain))
        shown = sorted(largest[:MOST])
        bars = Bars(
            f"Gains: of {counted(len(s.tried), 'split')}",
            tuple(named(given, k) for k in shown),
            frozen([s.tried[k].gain for k in shown]),
            tuple(Role.ACTIVE if k == at_hand else Role.PLAIN for k in shown),
            unit="bits",
            digits=3,
            tags=tuple("split" if k == s.current else "gain" for k in shown),
            checked=best,
        )
        return [bars]
    at = np.array([split.at for split in given.splits[: len(s.tried)]])
    gain, gini, error = np.array(s.tried[:]).T
    lines = (
        ("error", "error", error, Role.INACTIVE),
        ("gini", "Gini", gini, Role.INACTIVE),
        ("gain", "gain", gain, Role.BOUNDARY),
    )
    layers: list[Layer] = [curve(at, y, role, tag, label) for tag, label, y, role in lines]
    if 0 <= s.current < len(at):
        now = frozen([[at[s.current], gain[s.current]]])
        layers.append(Points(now, np.array([NO_GROUP]), Role.ACTIVE, tag="split"))
    title = given.problem.features[given.splits[0].column].title
    return [Plot("Gains", f"threshold of {title}", "falls by", tuple(layers), beside=True)]
