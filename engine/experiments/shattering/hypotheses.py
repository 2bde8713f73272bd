"""Hypotheses as numbers: their shapes, where they hold, and the linear programme that finds lines,
half-spaces and discs. ML 7.4.1.
"""

from typing import Any, Literal

from engine.authoring import Bool, EngineError, Float, Problem, Record, field, frozen, np, replace
from engine.base.notation import quoted
from engine.numerics.closeness import SHARE, settled

Kind = Literal["lines", "boxes", "discs", "triangles", "intervals", "half-spaces", "conjunctions"]
ON_PLANE = ("lines", "boxes", "discs", "triangles", "intervals")
DIRECTIONS = 32  # in which w is at most 1 long: the street is the widest one to half a per cent
AIR = 0.12  # half extents round the smallest box, where there is room
BESIDE = 1.25  # half extents from the middle to a line that has all points on one side
NOTHING: Float = frozen(np.zeros(0))


class Answer(Record):
    """The answer to one labelling: the hypothesis that makes it, or why none does.

    made: whether a hypothesis makes it
    shape: w₁, …, b of a line or half-space; x₀, y₀, x₁, y₁ of a box or an interval; centre and
        radius of a disc; x₀, y₀, x₁, … of the corners of a triangle; the required value of each
        column of a conjunction, NaN for none. Where none makes it, the smallest that covers all +,
        for triangles the hull of the +; () where there is none
    share: (n,) where no line, half-space or disc makes it, the weights of the points in the place
        where both sides meet, each side 1 in all
    within: a − inside the smallest box or conjunction, −1 for none
    """

    made: bool
    shape: Float
    share: Float = field(default_factory=lambda: NOTHING)
    within: int = -1


def turned(answer: Answer) -> Answer:
    """The answer to the opposite labelling: the other side of a line or half-space."""
    return replace(answer, shape=frozen(-answer.shape))


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
    need = "numbers" if kind == "half-spaces" else "two values"
    for column, feature in zip(X.T, problem.features, strict=True):
        binary = bool(((column == 0) | (column == 1)).all())
        good = len(feature.categories) == 2
        if feature.numeric:
            good = binary or kind == "half-spaces"
        if not good:
            way = "choose lines" if problem.plane else "turn on 0/1 columns"
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
    if kind == "discs":
        half = np.full_like(half, half.max())
    return (low + high) / 2, np.where(half > 0, half, 1.0)


def widest_street(x: Float, y: Float, bent: bool = False) -> tuple[Float, float, Float]:
    """((w, b) with y (w · x + b) ≥ m for all rows of x (n, k), the largest m ≥ 0 there is, where
    m = 0 the parts (n,) of the points in the place where both sides meet).

    w is at most 1 long on the plane, else no entry of it larger than 1; `bent`: the last one is not
    above 0. The parts are the dual programme's prices of the conditions: those of each side add up
    to ½, and where m = 0 both sides have the same mean by them.
    """
    from scipy.optimize import linprog  # its import takes a while

    n, k = x.shape
    rows = np.column_stack([-y[:, None] * x, -y, np.ones(n)])  # of (w, b, m)
    most = np.zeros(n)
    if k - bent == 2:
        turn = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        caps = np.column_stack([np.cos(turn), np.sin(turn)])
        rows = np.vstack([rows, np.pad(caps, ((0, 0), (0, k)))])
        most = np.append(most, np.ones(DIRECTIONS))
    limits: list[tuple[float | None, float | None]] = [(-1, 1)] * k + [(None, None)] * 2
    if bent:
        limits[k - 1] = (-1, 0)
    aim = np.append(np.zeros(k + 1), -1.0)
    best: Any = linprog(aim, rows, most, bounds=limits, method="highs")
    price = -best.ineqlin.marginals[:n]
    return np.asarray(best.x[:-1]), float(best.x[-1]), frozen(settled(2 * price, 1.0, SHARE))


def plane(wb: Float, middle: Float, half: Float) -> Float:
    """The shape (d + 1,) of a line or half-space in coordinates of the points.

    wb: (d + 1,) w and b where middle is 0 and half is 1
    """
    w = wb[:-1] / half
    return frozen([*w, wb[-1] - float(w @ middle)])


def disc(wb: Float, middle: Float, half: Float) -> Float:
    """The shape of a disc from the w of x₁, x₂, x · x and b in half extents round the middle.

    A line is a very large disc: no x · x is above 2 there, so that a bend of −1/8 changes no side.
    """
    bend = min(wb[2], -1 / 8)
    centre = wb[:2] / (-2 * bend)
    radius = np.sqrt(centre @ centre - wb[3] / bend)
    return frozen([*(middle + half * centre), half[0] * radius])


def box(low: Float, high: Float, middle: Float, half: Float) -> Float:
    """The shape of a box from its corners, or an interval from its ends (1,), given where middle is
    0 and half is 1.
    """
    bounds = np.array([[-np.inf, -np.inf], [np.inf, np.inf]])
    bounds[:, : len(low)] = [low, high]
    return frozen((bounds * half + middle).ravel())


def beside(kind: Kind, middle: Float, half: Float, plus: bool) -> Float:
    """The shape that has all points on its + side, or all on its − side: a line below them, a disc
    around all, or none.
    """
    if kind == "discs":
        return frozen([*middle, half[0] * np.hypot(BESIDE, BESIDE)]) if plus else NOTHING
    w = np.eye(len(half))[-1] / half / (BESIDE - 1)  # so that w · x + b is 1 at the nearest
    b = BESIDE / (BESIDE - 1) if plus else -BESIDE / (BESIDE - 1)
    return frozen([*w, b - float(w @ middle)])


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
    if kind == "triangles":
        return within_ring(shape.reshape(-1, 2), P)
    return np.asarray(((shape[:2] <= P) & (shape[2:] >= P)).all(axis=1))


def within_ring(ring: Float, P: Float) -> Bool:
    """(m,) which of the places P (m, 2) lie in a convex ring (k, 2) that runs counter-clockwise."""
    along = np.roll(ring, -1, axis=0) - ring  # (k, 2)
    away = P[:, None] - ring  # (m, k, 2)
    left = along[:, 0] * away[..., 1] - along[:, 1] * away[..., 0]
    return np.asarray((left >= 0).all(axis=1))


def most(kind: Kind, n: int) -> int | None:
    """The largest number of labellings that lines or intervals make of n points; None for other
    kinds.
    """
    if kind == "intervals":
        return 1 + n * (n + 1) // 2
    if kind == "lines":
        return 2 * (n + (n - 1) * (n - 2) // 2)
    return None


def dimension(kind: Kind, d: int) -> int | None:
    """The VC dimension of a kind over d columns, ML 7.4.2 and Exercise 7.5, which asks for boxes,
    discs and triangles; None of conjunctions over one column.
    """
    known = {
        "lines": 3,
        "intervals": 2,
        "boxes": 4,
        "discs": 3,
        "triangles": 7,
        "half-spaces": d + 1,
    }
    if kind == "conjunctions" and d > 1:
        return d
    return known.get(kind)
