"""Who makes a labelling: lines, half-spaces and discs by a linear programme, boxes, intervals and
conjunctions by the smallest one. ML 7.4.1.
"""

from collections.abc import Collection
from itertools import combinations
from typing import Any, Literal

from engine.authoring import Bool, EngineError, Float, Problem, Record, field, frozen, np, replace
from engine.core.notation import quoted
from engine.core.sums import add_up
from engine.numerics.closeness import SHARE, more, settled

Kind = Literal["lines", "boxes", "discs", "intervals", "half-spaces", "conjunctions"]
ON_PLANE = ("lines", "boxes", "discs", "intervals")
# in which w may not be longer than 1, so that the street is the widest one to half a per cent
DIRECTIONS = 32
AIR, BESIDE = (
    0.12,
    1.25,
    # half extents: round the smallest box where there is room; a line that has all points on one
    # side
)
NOTHING: Float = frozen(np.zeros(0))


class Answer(Record):
    """To one labelling. shape: the hypothesis that makes it, w₁, …, b of a line or half-space, x₀,
    y₀, x₁, y₁ of a box or an interval, the centre and the radius of a disc, what a conjunction asks
    of each column (NaN: nothing); where nobody makes it, the smallest that holds at all +, or none,
    (); share (n,): of a line, half-space or disc that there is not, the parts of the points in the
    place where both sides meet, each side 1 in all; within: the − in the smallest one, −1 none.
    """

    made: bool
    shape: Float
    share: Float = field(default_factory=lambda: NOTHING)
    within: int = -1


def placed(kind: Kind, problem: Problem, n: int) -> Float:
    """(n, d) the first points, on the plane or with all their columns.

    Raises EngineError where the hypotheses have no use of them.
    """
    if kind in ON_PLANE:
        if not problem.plane:
            way = "choose a column of numbers for its axes, or conjunctions"
            raise EngineError(f"{kind.capitalize()} lie on the plane, and there is none: {way}.")
        return frozen(problem.xy[:n])
    X = problem.X[:n]
    numbers = kind == "half-spaces"
    for column, feature in zip(X.T, problem.features, strict=True):
        good = (
            numbers or ((column == 0) | (column == 1)).all()
            if feature.numeric
            else len(feature.categories) == 2
        )
        if not good:
            way = "choose lines" if problem.plane else "turn on 0/1 columns"
            need = "numbers" if numbers else "two values"
            raise EngineError(
                f"{kind.capitalize()} need columns of {need}, {quoted(feature.name)} has others:"
                f" {way}."
            )
    return frozen(X)


def scaled(xy: Float, kind: Kind) -> tuple[Float, Float]:
    """(middle (d,), half extents (d,)) of the points (n, d), for discs the same along both axes; 1
    where there is none.
    """
    low = xy.min(axis=0)
    high = xy.max(axis=0)
    half = (high - low) / 2
    half = np.full_like(half, half.max()) if kind == "discs" else half
    return (low + high) / 2, np.where(half > 0, half, 1.0)


def seek(kind: Kind, points: Float, plus: Bool) -> Answer:
    """A hypothesis that holds at just the points (n, d) of `plus` (n,): (n, 2) on the plane, for
    conjunctions rows of 0 and 1.
    """
    if kind == "conjunctions":
        return conjunction(points, plus)
    return (
        box(points, plus, kind == "intervals")
        if kind in ("boxes", "intervals")
        else between(kind, points, plus)
    )


# -- linear programmes -----------------------------------------------------------------------------


def street(Z: Float, y: Float, bent: bool = False) -> tuple[Float, float, Float]:
    """((w, b) with y (w · z + b) ≥ m for all z (n, k), the largest m ≥ 0 there is, the prices (n,)
    of these conditions).

    w is at most 1 long on the plane, else no entry of it larger than 1; `bent`: the last one is not
    above 0. The prices are the dual programme's: those of each side add up to ½, and where m = 0
    both sides have the same mean by them.
    """
    from scipy.optimize import linprog

    n, k = Z.shape
    turn = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    flat = k - bent == 2
    caps = (
        np.pad(np.column_stack([np.cos(turn), np.sin(turn)]), ((0, 0), (0, k)))
        if flat
        else np.zeros((0, k + 2))
    )
    A = np.vstack([np.column_stack([-y[:, None] * Z, -y, np.ones(n)]), caps])
    limits: list[tuple[float | None, float | None]] = [(-1, 1)] * k + [(None, None)] * 2
    limits[k - 1] = (-1, 0 if bent else 1)
    most = np.repeat([0.0, 1.0], [n, len(caps)])
    best: Any = linprog(np.append(np.zeros(k + 1), -1.0), A, most, bounds=limits, method="highs")
    return np.asarray(best.x[:-1]), float(best.x[-1]), np.asarray(-best.ineqlin.marginals[:n])


def between(kind: Kind, P: Float, plus: Bool) -> Answer:
    """The line, half-space or disc that keeps furthest away from the points; of a disc x · x is one
    more column, with a w < 0.
    """
    middle, half = scaled(P, kind)
    u = (P - middle) / half
    y = np.where(plus, 1.0, -1.0)
    if plus.all() or not plus.any():
        return Answer(True, beside(kind, middle, half, 1.0 if plus.any() else -1.0))
    bent = kind == "discs"
    wb, margin, price = street(np.column_stack([u, (u * u).sum(axis=1)]) if bent else u, y, bent)
    if not more(margin, 0.0, 1.0):
        return Answer(False, NOTHING, frozen(settled(2 * price, 1.0, SHARE)))
    wb = wb / margin
    if not bent:
        w = wb[:-1] / half
        return Answer(True, frozen([*w, wb[-1] - float(w @ middle)]))
    bend = min(wb[2], -1 / 8)  # a line is a very large disc: no x · x here is above 2
    centre = wb[:2] / (-2 * bend)
    return Answer(
        True, frozen([*(middle + half * centre), half[0] * np.sqrt(centre @ centre - wb[3] / bend)])
    )


def turned(answer: Answer) -> Answer:
    """To the opposite labelling, of a line or half-space: its other side."""
    return replace(answer, shape=frozen(-answer.shape))


def beside(kind: Kind, middle: Float, half: Float, side: float) -> Float:
    """A line below all points, which are + then (side 1), or above them; a disc round all of them,
    or none.
    """
    if kind == "discs":
        return frozen([*middle, half[0] * np.hypot(BESIDE, BESIDE)]) if side > 0 else NOTHING
    w = np.eye(len(half))[-1] / half / (BESIDE - 1)  # so that w · x + b is 1 at the nearest
    return frozen([*w, side * BESIDE / (BESIDE - 1) - float(w @ middle)])


# -- the smallest one ------------------------------------------------------------------------------


def box(xy: Float, plus: Bool, upright: bool) -> Answer:
    """The smallest box round all +, or interval of the first column, open upwards and downwards;
    with some air as it is drawn.
    """
    if not plus.any():
        return Answer(True, NOTHING)
    middle, half = scaled(xy, "boxes")
    u = ((xy - middle) / half)[:, : 1 if upright else 2]
    low = u[plus].min(axis=0)
    high = u[plus].max(axis=0)
    beyond = np.maximum(low - u, u - high).max(axis=1)
    inside = np.flatnonzero(~plus & ~more(beyond, 0.0, 1.0))
    air = 0.0 if len(inside) else min(AIR, float(beyond[~plus].min(initial=np.inf)) / 2)
    bounds = np.array([-np.inf, -np.inf, np.inf, np.inf]).reshape(2, 2)
    bounds[:, : len(low)] = [low - air, high + air]
    shape = frozen((bounds * half + middle).ravel())
    return Answer(False, shape, within=int(inside[0])) if len(inside) else Answer(True, shape)


def conjunction(X: Float, plus: Bool) -> Answer:
    """All literals that hold at every +; without a + the one that asks for a column and its
    opposite, and never holds.
    """
    if not plus.any():
        return Answer(True, NOTHING)
    first = X[plus][0]
    asked = np.where((X[plus] == first).all(axis=0), first, np.nan)
    inside = np.flatnonzero(~plus & holds("conjunctions", asked, X))
    return Answer(not len(inside), frozen(asked), within=int(inside[0]) if len(inside) else -1)


def holds(kind: Kind, shape: Float, P: Float) -> Bool:
    """(m,) at which of the places P (m, d) the hypothesis of this shape holds; without a shape at
    none.
    """
    if not len(shape):
        return np.zeros(len(P), bool)
    if kind == "conjunctions":
        return np.asarray((np.isnan(shape) | (shape == P)).all(axis=1))
    if kind in ("lines", "half-spaces"):
        return np.asarray(P @ shape[:-1] + shape[-1] >= 0)
    if kind == "discs":
        return np.asarray(np.hypot(*(P - shape[:2]).T) <= shape[2])
    return np.asarray(((shape[:2] <= P) & (shape[2:] >= P)).all(axis=1))


# -- sets ------------------------------------------------------------------------------------------


def labels(number: int, n: int) -> Bool:
    """(n,) the labelling of this number: x₁ is its highest bit."""
    return np.array([number >> (n - 1 - i) & 1 for i in range(n)], dtype=bool)


def shattered(made: Collection[int], n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(how many sets of 1, 2, … n points have all their labellings among the `made` ones, the first
    of the smallest that has not, () when all have): whoever makes a labelling of all points makes
    its part of some of them.
    """
    counts: list[int] = []
    fails: tuple[int, ...] = ()
    for k in range(1, n + 1):
        good = 0
        for chosen in combinations(range(n), k):
            mask = add_up(1 << (n - 1 - i) for i in chosen)
            whole = len({number & mask for number in made}) == 1 << k
            good += whole
            fails = fails if whole or fails else chosen
        counts.append(good)
    return tuple(counts), fails


def most(kind: Kind, n: int) -> int | None:
    """So many labellings of n points lines or intervals make at most; None for others."""
    if kind == "intervals":
        return 1 + n * (n + 1) // 2
    return 2 * (n + (n - 1) * (n - 2) // 2) if kind == "lines" else None


def dimension(kind: Kind, d: int) -> int | None:
    """The VC dimension that ML 7.4.2 prints; None where it asks for it."""
    return {
        "lines": 3,
        "intervals": 2,
        "half-spaces": d + 1,
        "conjunctions": d if d > 1 else None,
    }.get(kind)
