"""The least-squares line in closed form, and the principal axis beside it.

AIMA Eq 18.3, 18.6.2, MMDS Ex 12.2.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.fits import LINEAR, Examples
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Label,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.numerics.closeness import equal, more
from engine.algorithms.regression.parts.least_squares import (
    least_squares,
    linear_values,
    sum_of_squares,
)

PSEUDOCODE = """
start round:  A ← 0, b ← 0
each  detail: for each (x, y), with x₀ = 1
add   detail:   A ← A + x xᵀ, b ← b + x y
solve round:  w ← the solution of A w = b
loss:         Loss(w) ← Σ (y − h(x))²
"""
Distance = Literal["vertical", "perpendicular"]
UNITS = (
    "vertical: least squares. perpendicular: the principal axis, which depends on the units of x"
    " and y."
)
LINES: dict[Distance, str] = {
    "vertical": "least squares",
    "perpendicular": "principal axis",
}  # the best by each distance
ORIGIN = "w₀ = 0: the line passes the origin. MMDS Exercise 12.1.1(a)"


class Params(Record, eq=True):
    through_origin: Annotated[bool, Label("Through origin"), Help(ORIGIN)] = False
    distance: Annotated[Distance, Label("Distance"), Help(UNITS)] = "vertical"


class State(Record):
    """w (d + 1,), w₀ first, all zero before it is solved; count: examples added so far; current:
    row added or −1; solved; unique: no other weights are as good; loss: Σ (y − h)².
    """

    w: Float
    count: int
    current: int
    solved: bool
    unique: bool
    loss: float


class Setting(Examples[Params]):
    def solution(self, distance: Distance) -> tuple[Float, bool]:
        """(w, unique) that makes the squares of this kind of distance least."""
        method = least_squares if distance == "vertical" else principal_axis
        return method(self.X, self.y, self.p.through_origin)

    def distances(self, w: Float, distance: Distance) -> Float:
        """(n,) of this kind, from the line to the examples."""
        errors = self.y - linear_values(w, self.X)
        return errors if distance == "vertical" else errors / np.sqrt(1 + w[1:] @ w[1:])

    rival = property(
        lambda given: "perpendicular" if given.p.distance == "vertical" else "vertical"
    )

    @cached_property
    def other(self) -> Float | None:
        """The line of the rival distance, for comparison; None when it stands upright."""
        try:
            return self.solution(self.rival)[0]
        except EngineError:
            return None


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(frozen(np.zeros(given.problem.d + 1)), 0, -1, False, True, sum_of_squares(given.y))
    yield from at("start", s)
    # solved at one stroke, the words add up
    for k, i in enumerate(given.rows.tolist() if at.tells("each") else ()):
        s = replace(s, current=i)
        yield from at("each", s)
        s = replace(s, count=k + 1)
        yield from at("add", s)
    yield from given.foresee(at, "bowl", "other")
    w, unique = given.solution(given.p.distance)
    s = State(w, given.n, -1, True, unique, sum_of_squares(given.y - linear_values(w, given.X)))
    yield from at("solve", s, "solved", *(() if unique else ("not unique",)))
    yield from at("loss", s)


def principal_axis(X: Float, y: Float, origin: bool = False) -> tuple[Float, bool]:
    """(w (d + 1,), unique): the line or plane of least squared perpendicular distances.

    MMDS Ex 12.2.

    Raises EngineError when it stands upright and is no function of x.
    """
    rows = np.column_stack([X, y])
    middle = np.zeros(rows.shape[1]) if origin else rows.mean(0)
    few = len(rows) < rows.shape[1]  # else U would be as wide as it is tall
    _, sizes, axes = np.linalg.svd(rows - middle, full_matrices=few)
    sizes = np.append(sizes, np.zeros(rows.shape[1] - len(sizes)))
    normal = axes[-1]
    unique = bool(more(sizes[-2], sizes[-1], sizes[0]))
    if not unique:  # every line through the middle is as good: the level one is taken
        normal = np.eye(rows.shape[1])[-1]
    if equal(normal[-1], 0.0, 1.0):
        raise EngineError(
            "The line nearest to the points by perpendicular distance stands upright: it gives no"
            " value for x. Measure the distances along y instead."
        )
    slopes = -normal[:-1] / normal[-1]
    return frozen(np.concatenate([[middle[-1] - slopes @ middle[:-1]], slopes])), unique


def example() -> Problem:
    """The four points of MMDS Ex 12.2."""
    return prepare(
        Dataset.from_columns(
            {"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 1.0, 4.0, 3.0]}, "y", task="regress"
        )
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Linear regression",
    task=Task.REGRESS,
    source=(
        "AIMA 18.6.1",
        "AIMA 18.6.2",
        "MMDS Ex 12.2",
        "MMDS Exercise 12.1.1",
        "LS, Linear regression",
    ),
    **LINEAR,
    curves=(
        Curve("rmse", "root mean square error", about=("errors",)),
        Curve("loss", "Σ (y − h)²", about=("errors",)),
    ),
    events=("solved", "not unique"),
)
