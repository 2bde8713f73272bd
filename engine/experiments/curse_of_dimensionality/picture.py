"""The cube from one side with the cube that holds k of N; edge, rim and contrast over the
dimensions; all the distances.
"""

from engine.authoring import Float, Step, frozen, np
from engine.base.notation import counted, number
from engine.experiments.curse_of_dimensionality import Seen, Setting, State
from engine.experiments.curse_of_dimensionality.distances import BINS
from engine.experiments.parts.curves import End, names_at_ends
from engine.experiments.parts.lines import curve
from engine.scene.scene import (
    NO_GROUP,
    Band,
    Boxes,
    Figure,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Scene,
    data_points,
)

CURVE = 200  # places of a law
WIDE = 1.4  # the axis of dimensions, of its greatest: room for names
ABOVE = 0.05  # from an edge of the cube to its name, of the side
FIRST = 20  # dimensions that the axis has at first
FOUND = {"edge": ("edge",), "shell": ("rim",), "near": ("cube", "own"), "told": ("rim", "cube")}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = [
        over_dimensions(given, s, step.line),
        cube(given, s.now, step.line),
        *distances(s),
    ]
    layers = (data_points(problem),) if problem.plane else ()
    return Scene(layers, tuple(figures), leads=("Over the dimensions", "Cube"))


def heading(given: Setting, s: State, line: str) -> str:
    """The title of the plot over the dimensions, with what this step finds."""
    now = s.now
    said = f"up to {given.p.dimensions}"
    if now is not None:
        n = f"{counted(now.n, 'dimension')}, "
        match line:
            case "edge":
                said = f"{n}edge ℓ {number(now.edge)}"
            case "shell":
                said = f"{n}{share(now.rim)} in the rim"
            case "near":
                said = f"{n}nearest / farthest {number(now.cube)}"
            case "told":
                said = f"{share(now.rim)} rim, nearest / farthest {number(now.cube)}"
    return f"Over the dimensions: {said}"


def share(part: float) -> str:
    """A part of the whole in per cent."""
    return f"{number(100 * part, 1)} %"


def over_dimensions(given: Setting, s: State, line: str) -> Plot:
    """A plot over the number of dimensions: the formulas as lines, what was measured so far as
    points; amber is what the line of the pseudo-code finds.
    """
    end = float(given.p.dimensions)
    if s.now is not None:
        end = min(max(FIRST, 1.2 * s.now.n), max(end, 2.0))
    n = np.unique(np.round(np.linspace(1, end, CURVE)))
    edge = [given.edge(int(v)) for v in n]
    rim = [given.rim(int(v)) for v in n]
    layers: list[Layer] = [
        curve(n, edge, Role.BOUNDARY, "edge"),
        curve(n, rim, Role.MARGIN, "rim"),
        *measured(s, "cube", "nearest / farthest: cube", Role.PLAIN),
        *measured(s, "own", "table", Role.ACCEPTED),
    ]
    if s.now is not None:
        found = {"edge": s.now.edge, "rim": s.now.rim, "cube": s.now.cube, "own": s.now.own}
        layers += [
            Points(
                frozen([[s.now.n, value]]),
                np.array([NO_GROUP]),
                Role.ACTIVE if tag in FOUND.get(line, ()) else Role.SAMPLE,
                tag=tag,
            )
            for tag, value in found.items()
            if np.isfinite(value)
        ]
    ends = (
        End(end, edge[-1], "edge ℓ", "edge"),
        End(end, rim[-1], "share in the rim", "rim"),
    )
    layers += names_at_ends(ends, WIDE * end, 1.15, 1.02 * end)
    return Plot(
        heading(given, s, line),
        "dimensions n",
        "part of the whole",
        tuple(layers),
        beside=True,
        x_range=(0.0, WIDE * end),
        y_range=(-0.05, 1.1),
    )


def measured(s: State, name: str, label: str, role: Role) -> list[Layer]:
    """The layers of the metric `name` measured so far: [] for no value, one point, or a curve."""
    known = [(seen.n, getattr(seen, name)) for seen in s.seen]
    known = [(n, value) for n, value in known if np.isfinite(value)]
    if not known:
        return []
    n, values = zip(*known, strict=True)
    line = curve(np.array(n), values, role if len(n) > 1 else Role.PLAIN, name)
    names = (
        *[""] * (len(n) - 1),
        f"{label}, {number(values[-1])}",
    )  # beside the last point, clear of its ring
    none = np.full(len(n), NO_GROUP)
    return [line, Points(line.xy, none, Role.SAMPLE, label=names, tag=name)]


def cube(given: Setting, now: Seen | None, line: str) -> Plot:
    """A plot of one face of the cube with its rim, and beside it the edge ℓ for the present number
    of dimensions.
    """
    s = given.p.rim
    sides = [[0.0, 0.0, 1.0, 1.0], [s, s, 1 - s, 1 - s]]
    layers: list[Layer] = [Boxes(frozen(sides), np.full(2, NO_GROUP), Role.PLAIN, tag="rim")]
    if now is not None:
        low = (1 - now.edge) / 2
        high = (1 + now.edge) / 2
        role = Role.ACTIVE if "edge" in FOUND.get(line, ()) else Role.ACCEPTED
        inner = frozen([[low, low, high, high]])
        layers.append(Boxes(inner, np.array([NO_GROUP]), role, tag="edge"))
        words = (
            f"{counted(now.n, 'dimension')}: side 1",
            f"{given.p.k} of {number(float(given.N))}: ℓ = {number(now.edge)}",
        )
        beside = high + ABOVE if high + ABOVE < 1 - 2 * s - ABOVE else high - 2 * s - ABOVE
        places = frozen([[0.5, 1 + ABOVE], [0.5, beside]])
        layers.append(Labels(places, words, Role.PLAIN, tag="edge"))
    return Plot(
        "Cube: one side of it",
        "one dimension",
        "another",
        tuple(layers),
        True,
        beside=True,
        x_range=(-0.05, 1.05),
        y_range=(-0.15, 1.15),
        ticks=False,
    )


def distances(s: State) -> list[Plot]:
    """A histogram of all distances, each divided by their mean: with more dimensions they become
    more alike. [] before the first.
    """
    if s.spread is None or s.now is None:
        return []
    x = np.repeat(BINS, 2)[1:-1]
    cube, table = np.repeat(s.spread, 2, axis=1)
    ground = Band(frozen(x), frozen(0 * x), frozen(cube), Role.REGION, tag="cube")
    layers: list[Layer] = [ground, *stairs(x, cube, "cube", Role.PLAIN, "cube")]
    if np.isfinite(s.now.own):
        layers += stairs(x, table, "table", Role.BOUNDARY, "own")
    plot = Plot(
        "Distances",
        "distance / mean of all",
        f"share of the pairs, n = {s.now.n}",
        tuple(layers),
        beside=True,
        x_range=(0.0, 2.0),
    )
    return [plot]


def stairs(x: Float, height: Float, name: str, role: Role, tag: str) -> list[Layer]:
    """A histogram as a step line, with its name above the highest bin. x, height: (2b,) corners of
    the bins
    """
    top = int(height.argmax()) // 2
    place = frozen([[BINS[top : top + 2].mean(), height.max() * 1.06]])
    line = curve(x, height, role, tag)
    return [line, Labels(place, (name,), Role.PLAIN, tag=tag)]
