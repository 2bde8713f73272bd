"""The curve B(q) with the whole and the branches on it: the gain is what the chord lies below; the
split on the plane.
"""

from engine.authoring import Float, Step, frozen, np
from engine.core.scene import (
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
from engine.experiments.entropy import Setting, State, plain_mean
from engine.experiments.entropy.words import branch_names, named
from engine.numerics.impurity import boolean_entropy, entropy, remainder

SHARES = np.linspace(0, 1, 101)
MOST = 14  # bars that can be read


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = [curve(given, s)] if len(given.whole(s.current)) == 2 else []
    figures += [bits_bars(given, s, step.line in ("rest", "gain")), *gains(given, s)]
    layers = [data_points(problem), *threshold(given, s)] if problem.plane else []
    on_plane = given.splits[0].column in problem.plane
    leads = [
        *["Plane"] * on_plane,
        *[f.title for f in figures if isinstance(f, Plot)][: 2 - on_plane],
        "Entropy",
    ][:2]
    return Scene(tuple(layers), tuple(figures), leads=tuple(leads))


def threshold(given: Setting, s: State) -> list[Layer]:
    """The line at which the split parts the plane."""
    at, column = (
        (given.splits[s.current].at, given.splits[s.current].column)
        if s.current >= 0
        else (np.nan, -1)
    )
    if np.isnan(at) or column not in given.problem.plane:
        return []
    w = np.zeros(2)
    w[given.problem.plane.index(column)] = 1.0
    return [Line(frozen(w), -at, Role.ACTIVE, label=named(given, s.current), tag="split")]


def curve(given: Setting, s: State) -> Plot:
    """B(q), and beneath it Gini's impurity and the error; the branches hang on B, their mean on the
    chord between them.
    """
    x = SHARES
    others = ("gini", 2 * x * (1 - x)), ("error", np.minimum(x, 1 - x))
    layers: list[Layer] = [
        Polyline(frozen(np.column_stack([x, y])), Role.INACTIVE, tag=tag) for tag, y in others
    ]
    layers.append(
        Polyline(frozen(np.column_stack([x, boolean_entropy(x)])), Role.BOUNDARY, tag="whole")
    )
    layers.append(
        Labels(
            frozen([[0.14, 0.9], [0.5, 0.54], [0.5, 0.36]]),
            ("entropy", "Gini", "error"),
            Role.INACTIVE,
        )
    )
    (q,) = shares(given.whole(s.current)[None])
    (before,) = (float(entropy(given.whole(s.current))),)
    if s.current >= 0:
        counts = given.splits[s.current].counts
        layers += branches(counts, branch_names(given, s.current))
        low = remainder(counts)
        layers.append(
            Segments(frozen([[[q, low], [q, before]]]), Role.ACTIVE, label=("gain",), tag="gain")
        )
        layers.append(
            Points(
                frozen([[q, low]]), np.array([NO_GROUP]), Role.ACTIVE, label=("rest",), tag="rest"
            )
        )
    layers.append(
        Points(
            frozen([[q, before]]),
            np.array([NO_GROUP]),
            Role.SAMPLE,
            label=("all rows",),
            tag="whole",
        )
    )
    name = given.classes[0]
    return Plot(
        "Entropy by share q",
        f"q, share of {name}",
        "bits",
        tuple(layers),
        beside=True,
        x_range=(-0.04, 1.04),
        y_range=(-0.1, 1.08),
    )


def shares(counts: Float) -> Float:
    return np.asarray(counts[:, 0] / counts.sum(axis=1))


def branches(counts: Float, names: tuple[str, ...]) -> list[Layer]:
    """The branches at their shares, as large as they have rows, and the line between the outer
    ones.
    """
    there = np.flatnonzero(counts.sum(axis=1))
    at = np.column_stack([shares(counts[there]), entropy(counts[there])])
    order = np.argsort(at[:, 0], kind="stable")
    label = tuple(names[b] for b in there)
    size = counts[there].sum(axis=1)
    nobody = np.full(len(there), NO_GROUP)
    marks = Points(
        frozen(at),
        nobody,
        Role.ACCEPTED,
        weight=frozen(size / size.max()),
        label=label,
        tags=tuple(f"branch {b}" for b in there),
    )
    return (
        [Polyline(frozen(at[order[[0, -1]]]), Role.MARGIN, tag="rest"), marks]
        if len(there) == 2
        else [marks]
    )


def bits_bars(given: Setting, s: State, plain: bool) -> Bars:
    """Entropy of the whole, of each branch, and their mean; plain: also the one that is not to be
    taken.
    """
    names, values, tags, roles = (
        ["all rows"],
        [float(entropy(given.whole(s.current)))],
        ["whole"],
        [Role.PLAIN],
    )
    if s.current >= 0:
        split = given.splits[s.current]
        for b, name in list(enumerate(branch_names(given, s.current)))[:MOST]:
            n = int(split.counts[b].sum())
            names.append(f"{name}: {n} {'row' if n == 1 else 'rows'}")
            values.append(float(entropy(split.counts[b])))
            tags.append(f"branch {b}")
        roles += [*[Role.PLAIN] * (len(values) - 1), Role.ACTIVE, *[Role.INACTIVE] * plain]
        names += ["rest, mean by rows", *["plain mean, not used"] * plain]
        values += [remainder(split.counts), *[plain_mean(split.counts)] * plain]
        tags += ["rest", *["plain"] * plain]
    limit = float(np.log2(max(len(given.whole(s.current)), 2)))
    return Bars(
        "Entropy",
        tuple(names),
        frozen(values),
        tuple(roles),
        unit="bits",
        digits=3,
        limit=limit,
        tags=tuple(tags),
    )


def gains(given: Setting, s: State) -> list[Figure]:
    """What every threshold so far gains; of words a bar for each split."""
    if not s.tried:
        return []
    if np.isnan(given.splits[0].at):
        shown = list(range(min(len(s.tried), MOST)))
        roles = tuple(Role.ACTIVE if k == s.best else Role.PLAIN for k in shown)
        tags = tuple("split" if k == s.current else "gain" for k in shown)
        values = frozen([s.tried[k].gain for k in shown])
        return [
            Bars(
                "Gains",
                tuple(named(given, k) for k in shown),
                values,
                roles,
                unit="bits",
                digits=3,
                tags=tags,
            )
        ]
    at = np.array([split.at for split in given.splits[: len(s.tried)]])
    told = np.array(s.tried[:])
    layers: list[Layer] = [
        Polyline(
            frozen(np.column_stack([at, told[:, j]])),
            role,
            label=tag if tag != "gini" else "Gini",
            tag=tag,
        )
        for j, tag, role in (
            (2, "error", Role.INACTIVE),
            (1, "gini", Role.INACTIVE),
            (0, "gain", Role.BOUNDARY),
        )
    ]
    if 0 <= s.current < len(at):
        now = frozen([[at[s.current], told[s.current, 0]]])
        layers.append(Points(now, np.array([NO_GROUP]), Role.ACTIVE, tag="split"))
    title = given.problem.features[given.splits[0].column].title
    return [Plot("Gains", f"threshold of {title}", "falls by", tuple(layers), beside=True)]
