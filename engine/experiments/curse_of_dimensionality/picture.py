"""The cube from one side with the cube that holds k of N; edge, rim and contrast over the
dimensions; all the distances.
"""

from engine.authoring import Step, frozen, np
from engine.core.scene import (
    NO_GROUP,
    Band,
    Boxes,
    Figure,
    Labels,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    data_points,
)
from engine.experiments.curse_of_dimensionality import Seen, Setting, State
from engine.experiments.curse_of_dimensionality.distances import BINS

CURVE, FIRST = 200, 20  # places of a law, and how many dimensions the axis has at first


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = [over_dimensions(given, s), cube(given, s.now), *distances(s)]
    layers = (data_points(problem),) if problem.plane else ()
    return Scene(layers, tuple(figures), leads=("Over the dimensions", "Cube"))


def over_dimensions(given: Setting, s: State) -> Plot:
    """The laws as far as they are asked for, and what was measured so far."""
    end = max(FIRST, 1.2 * s.now.n) if s.now is not None else given.p.dimensions
    n = np.unique(np.round(np.linspace(1, min(end, max(given.p.dimensions, 2)), CURVE)))
    laws = (
        ("edge", "edge ℓ", [given.edge(int(v)) for v in n], Role.BOUNDARY),
        ("rim", "rim", [given.rim(int(v)) for v in n], Role.MARGIN),
    )
    layers: list[Layer] = [
        Polyline(frozen(np.column_stack([n, y])), role, label=label, tag=tag)
        for tag, label, y, role in laws
    ]
    for tag, label, role in (
        ("cube", "nearest / farthest: cube", Role.PLAIN),
        ("own", "table", Role.ACCEPTED),
    ):
        xy = np.array(
            [(seen.n, getattr(seen, tag)) for seen in s.seen if np.isfinite(getattr(seen, tag))]
        ).reshape(-1, 2)
        if len(xy):
            layers.append(
                Polyline(frozen(xy), role if len(xy) > 1 else Role.PLAIN, label=label, tag=tag)
            )
            layers.append(Points(frozen(xy), np.full(len(xy), NO_GROUP), Role.SAMPLE, tag=tag))
    if s.now is not None:
        now = frozen([[s.now.n, s.now.edge], [s.now.n, s.now.rim]])
        layers.append(Points(now, np.full(2, NO_GROUP), Role.ACTIVE, tags=("edge", "rim")))
    return Plot(
        "Over the dimensions",
        "dimensions n",
        "part of the whole",
        tuple(layers),
        beside=True,
        y_range=(-0.05, 1.1),
    )


def cube(given: Setting, now: Seen | None) -> Plot:
    """From one side: however many dimensions there are, this is how long the edges are
    beside it.
    """
    s = given.p.rim
    sides = [[0.0, 0.0, 1.0, 1.0], [s, s, 1 - s, 1 - s]]
    layers: list[Layer] = [Boxes(frozen(sides), np.full(2, NO_GROUP), Role.PLAIN, tag="rim")]
    if now is not None:
        low = (1 - now.edge) / 2
        high = (1 + now.edge) / 2
        layers.append(
            Boxes(frozen([[low, low, high, high]]), np.array([NO_GROUP]), Role.ACTIVE, tag="edge")
        )
        words = f"{now.n} {'dimension' if now.n == 1 else 'dimensions'}"
        layers.append(Labels(frozen([[0.5, 1.05]]), (words,), Role.PLAIN))
    return Plot(
        "Cube: one side of it", "one dimension", "another", tuple(layers), True, beside=True
    )


def distances(s: State) -> list[Plot]:
    """The shares of all distances, beside their mean: the more dimensions, the more
    alike they are.
    """
    if s.spread is None or s.now is None:
        return []
    x = np.repeat(BINS, 2)[1:-1]
    layers = list[Layer]()
    for k, (tag, name, role) in enumerate(
        (("cube", "cube", Role.PLAIN), ("own", "table", Role.BOUNDARY))
    ):
        if k and not np.isfinite(s.now.own):
            continue
        rim = np.repeat(s.spread[k], 2)
        top = int(s.spread[k].argmax())
        layers += [Band(frozen(x), frozen(0 * x), frozen(rim), Role.REGION, tag=tag)] * (k == 0)
        layers.append(Polyline(frozen(np.column_stack([x, rim])), role, tag=tag))
        layers.append(
            Labels(
                frozen([[BINS[top : top + 2].mean(), rim.max() * 1.06]]),
                (name,),
                Role.PLAIN,
                tag=tag,
            )
        )
    share = f"share of the pairs, n = {s.now.n}"
    return [
        Plot(
            "Distances",
            "distance / mean of all",
            share,
            tuple(layers),
            beside=True,
            x_range=(0.0, 2.0),
        )
    ]
