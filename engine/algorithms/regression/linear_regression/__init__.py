"""The least-squares line in closed form, and the principal axis beside it.

AIMA Eq 18.3, 18.6.2, MMDS Ex 12.2.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.fits import QUICK_ROWS, Examples, metrics
from engine.algorithms.regression.parts.least_squares import (
    least_squares,
    linear_values,
    sum_of_squares,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Label,
    Part,
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
    when,
)
from engine.numerics.closeness import equal, more

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
# the best line by each distance
LINES: dict[Distance, str] = {"vertical": "least squares", "perpendicular": "principal axis"}
ORIGIN = "w₀ = 0: the line passes the origin. MMDS Exercise 12.1.1(a)"


class Params(Record, eq=True):
    through_origin: Annotated[bool, Label("Through origin"), Help(ORIGIN)] = False
    distance: Annotated[Distance, Label("Distance"), Help(UNITS)] = "vertical"


class State(Record):
    """The model is `w`; `count` and `current` are what this step shows.

    w: (d + 1,) the weights, w₀ first, all zero before they are solved
    solved: whether they are
    unique: whether no other weights are as good
    loss: Σ (y − h)²
    count: examples added so far
    current: the row added, or −1
    """

    w: Float
    solved: bool
    unique: bool
    loss: float
    count: int
    current: int


class Setting(Examples[Params]):
    """X (n, d), y (n,) and indices rows (n,) of the examples with a value."""

    def solution(self, distance: Distance) -> tuple[Float, bool]:
        """(w (d + 1,), unique): the best weights by this distance; the other ones may be as good.

        Raises EngineError where the best line by perpendicular distance stands upright.
        """
        if distance == "vertical":
            # the solution of A w = b, A = Σ x xᵀ = XᵀX, b = Σ x y = Xᵀy: w = (XᵀX)⁻¹ Xᵀy, Eq 18.3;
            # where A has no inverse, the smallest w that reaches the least loss
            return least_squares(self.X, self.y, self.p.through_origin)
        return principal_axis(self.X, self.y, self.p.through_origin)

    def distances(self, w: Float, distance: Distance) -> Float:
        """(n,) the vertical or perpendicular distances from the line w (d + 1,) to the examples."""
        errors = self.y - linear_values(w, self.X)
        if distance == "vertical":
            return errors
        return errors / np.sqrt(1 + w[1:] @ w[1:])

    @property
    def rival(self) -> Distance:
        """The distance that is not minimised, "perpendicular" or "vertical"."""
        return "perpendicular" if self.p.distance == "vertical" else "vertical"

    @cached_property
    def other(self) -> Float | None:
        """(d + 1,) the best weights by the other distance; None where that line is vertical."""
        try:
            w, _ = self.solution(self.rival)
        except EngineError:
            return None
        return w

    @cached_property
    def central(self) -> Float | None:
        """(2,) the weights of the best line through the origin by vertical distance; None where
        that is asked for, or for several columns. MMDS Exercise 12.1.1(a)
        """
        asked = self.p.through_origin or self.p.distance != "vertical"
        if asked or self.problem.d > 1 or not self.X.any():
            return None
        w, _ = least_squares(self.X, self.y, True)
        return w


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(
        w=frozen(np.zeros(given.problem.d + 1)),
        solved=False,
        unique=True,
        loss=sum_of_squares(given.y),
        count=0,
        current=-1,
    )
    yield from at("start", s)
    if at.records("each"):
        s = yield from added_up(given, at, s)
    yield from given.precompute(at, "bowl", "other")
    w, unique = given.solution(given.p.distance)  # A w = b
    loss = sum_of_squares(given.y - linear_values(w, given.X))  # Σ (y − h(x))²
    s = State(w=w, solved=True, unique=unique, loss=loss, count=given.n, current=-1)
    yield from at("solve", s, *when(solved=True, not_unique=not unique))
    yield from at("loss", s)


def added_up(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state with all examples in A = Σ x xᵀ and b = Σ x y.

    The words add these sums up over the first `count` examples. To solve for w the examples
    themselves are taken: A holds their squares, in which half of the digits are lost to rounding.
    """
    for count, row in enumerate(given.rows.tolist(), start=1):
        s = replace(s, current=row)
        yield from at("each", s)
        s = replace(s, count=count)  # A ← A + x xᵀ, b ← b + x y
        yield from at("add", s)
    return s


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) h(x) of rows X (m, d)."""
    return linear_values(s.w, X)  # w₀ + w₁ x₁ + …


def principal_axis(X: Float, y: Float, origin: bool = False) -> tuple[Float, bool]:
    """(w (d + 1,), unique): the line or plane of least squared perpendicular distances.

    Its normal is the axis along which the points spread least. Raises EngineError when it stands
    upright and is no function of x. MMDS Ex 12.2.
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
    level = middle[-1] - slopes @ middle[:-1]
    return frozen(np.concatenate([[level], slopes])), unique


def example() -> Problem:
    """The four points of MMDS Ex 12.2."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 1.0, 4.0, 3.0]}
    return prepare(Dataset.from_columns(columns, "y", task="regress"))


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
    needs=QUICK_ROWS,
    metrics=metrics,
    curves=(
        Curve("rmse", "root mean square error", about=("errors",)),
        Curve("loss", "Σ (y − h)²", about=("errors",)),
    ),
    events=("solved", "not unique"),
)
