"""The error of the majority over its members and over the error of each; how many err, counted
beside the sum.
"""

from engine.algorithms.ensembles.parts.majority import counts_law
from engine.authoring import Step, frozen, np
from engine.experiments.ensemble_error import Setting, State
from engine.experiments.ensemble_error.words import percent
from engine.experiments.parts.lines import curve
from engine.numerics.closeness import equal
from engine.scene.scene import (
    NO_GROUP,
    Arrows,
    Band,
    Bars,
    Figure,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Scene,
    data_points,
)

OTHERS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
MOST = 12  # members whose counts have a bar each
TRAIL = 5  # curves of fewer members


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    layers = (data_points(given.problem),) if given.problem.plane else ()
    figures: tuple[Figure, ...] = (
        over_members(given, s, step.line),
        over_error(given, s, step.line),
        *how_many(given, s),
    )
    return Scene(layers, figures, leads=("By members K", "By error p"))


def heading(given: Setting, s: State, line: str) -> str:
    """The title of the plot over the members, with what this step finds."""
    said = f"each errs in {percent(given.p.error)}"
    match line:
        case "size":
            said = f"{s.K} vote"
        case "law" | "count":
            said = f"{s.K} vote, {percent(given.law(s.K))} wrong"
        case "told" if s.seen:
            together = f"{s.seen[-1].K} together {percent(s.seen[-1].law)}"
            said = f"alone {percent(given.p.error)}, {together}"
    return f"By members K: {said}"


def over_members(given: Setting, s: State, line: str) -> Plot:
    """The majority's error over the number of members: pale for other p, in ink for the set p with
    the usual range of chance, and the counted errors.
    """
    K = given.sizes.astype(np.float64)
    p = given.p.error
    law = np.array(laws(given, p))
    spread = 2 * np.sqrt(law * (1 - law) / given.cases)
    low = frozen(np.maximum(law - spread, 0))
    high = frozen(np.minimum(law + spread, 1))
    layers: list[Layer] = [Band(frozen(K), low, high, Role.REGION, tag="law")]
    others = [other for other in OTHERS if not equal(other, p)]
    layers += [curve(K, laws(given, other), Role.INACTIVE, "law") for other in others]
    places = frozen([[1 - 0.12 * K[-1], e] for e in (*others, p)])
    names = (*(f"{e:g}" for e in others), f"p = {p:g}")
    layers.append(Labels(places, names, Role.PLAIN))
    if given.p.correlation:
        alone = [given.law(int(k), together=False) for k in given.sizes]
        layers.append(curve(K, alone, Role.MARGIN, "alone", "independent"))
    layers.append(curve(K, law, Role.BOUNDARY, "law"))
    if s.seen:
        xy = frozen([[one.K, one.counted] for one in s.seen])
        group = np.full(len(xy), NO_GROUP)
        layers.append(Points(xy, group, Role.SAMPLE, tag="counted"))
        if line == "told":
            ends = frozen([[1.0, p], [s.seen[-1].K, s.seen[-1].law]])
            names = tuple(percent(e) for e in ends[:, 1])
            layers.append(Points(ends, np.full(2, NO_GROUP), Role.ACTIVE, label=names, tag="law"))
        elif line == "count":
            name = (f"counted: {s.wrong} of {given.cases}",)
            layers.append(Points(xy[-1:], group[-1:], Role.ACTIVE, label=name, tag="counted"))
    return Plot(
        heading(given, s, line),
        "members K",
        "error of the majority",
        tuple(layers),
        beside=True,
        x_range=(1 - 0.2 * K[-1], 1.05 * K[-1]),
        y_range=(-0.09, max(0.75, law.max() + 0.1)),
    )


def laws(given: Setting, p: float) -> list[float]:
    """The error of the majority by the formula, for each number of members; p: error of one
    member
    """
    return [given.law(int(k), p) for k in given.sizes]


def over_error(given: Setting, s: State, line: str) -> Plot:
    """The majority's error over the error p of one member, a curve for each size: the more members,
    the steeper at p = ½. At the end an arrow leads from one member to all of them.
    """
    p = np.linspace(0, 1, 81)
    layers: list[Layer] = [curve(p, p, Role.GHOST, "law")]
    shown = given.sizes[1:][:TRAIL].tolist()
    if s.K:
        shown = [one.K for one in s.seen if 1 < one.K < s.K][-TRAIL:]
    for K in shown:
        layers.append(curve(p, [given.law(K, float(e)) for e in p], Role.INACTIVE, "law"))
    if s.K:
        layers.append(curve(p, [given.law(s.K, float(e)) for e in p], Role.BOUNDARY, "law"))
        here = frozen([[given.p.error, given.law(s.K)]])
        group = np.array([NO_GROUP])
        if line == "told":
            alone = frozen([[given.p.error, given.p.error]])
            layers.append(Points(alone, group, Role.PLAIN, label=("alone",), tag="law"))
            layers.append(Arrows(alone, here, Role.ACTIVE, tag="law"))
        name = f"K = {s.K}" + ("" if line == "size" else f": {percent(given.law(s.K))}")
        layers.append(Points(here, group, Role.ACTIVE, label=(name,), tag="law"))
    return Plot(
        "By error p",
        "error p of each",
        "error of the majority",
        tuple(layers),
        beside=True,
        x_range=(-0.03, 1.03),
        y_range=(-0.08, 1.03),
    )


def how_many(given: Setting, s: State) -> list[Bars]:
    """Bars of the share of cases in which 0, 1, … members err, ticked where the formula has it,
    amber where the majority errs; [] for too many members.
    """
    if s.counts is None or len(s.counts) != s.K + 1 or s.K > MOST:
        return []
    roles = tuple(Role.ACTIVE if 2 * i > s.K else Role.PLAIN for i in range(s.K + 1))
    names = tuple(f"{i} wrong" for i in range(s.K + 1))
    bars = Bars(
        "How many err: amber where the majority is wrong",
        names,
        s.counts,
        roles,
        frozen(counts_law(s.K, given.p.error, given.copying)),
        unit="of the cases",
        digits=4,
        tag="counted",
        ticks="expected by the sum",
    )
    return [bars]
