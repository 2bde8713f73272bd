"""Linear regression with a penalty on the weights: the diamond (q = 1) and the circle (q = 2).

AIMA 18.6.2, 18.4.3.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.fits import QUICK_ROWS
from engine.algorithms.regression.parts.least_squares import linear_values, root_mean_square
from engine.algorithms.regression.regularised_regression.shrinkage import (
    Centred,
    complexity,
    ridge,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Label,
    Mapping,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    np,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Prefix, RowLog

PSEUDOCODE = """
start  round:  w ← 0, w₀ ← mean of y
round  detail: repeat
take   detail:   for each wⱼ (q = 2: all at once)
update:            wⱼ ← argmin Loss + λ Σ |w|^q
until  round:  until no weight moves
"""
MOST_ROUNDS = 5000
STILL = 1e-6  # moves of the values, in relation to the size of y, below which w has converged
NORM = "1: Σ |w|, some weights become exactly 0. 2: Σ w², together they become smaller."
LOSS = (
    "mean: (1/N) Σ (y − h)², AIMA 18.4.2. sum: Σ (y − h)², AIMA 18.6.1. The same λ means N times"
    " less there."
)
TURN = (
    "degrees by which the first two columns are turned: q = 2 gives the same values, q = 1 does not"
)


class Params(Record, eq=True):
    q: Annotated[Literal[1, 2], Label("Norm q"), Help(NORM)] = 1
    strength: Annotated[float, Range(0, 1e6, log=True), Label("Strength λ")] = 0.5
    loss: Annotated[Literal["mean", "sum"], Label("Loss"), Help(LOSS)] = "mean"
    turn: Annotated[float, Range(0, 90), Label("Turn axes"), Help(TURN)] = 0.0


class State(Record):
    """The model is `w`; `before` and `current` are what this step shows.

    w: (d + 1,) the weights over the turned columns, w₀, which is never penalised, first
    loss: Σ (y − h)²
    round: counts from 1
    path: every w so far
    before: (d + 1,) w before this step
    current: number of the weight at hand, 0 for none, −1 for all
    """

    w: Float
    loss: float
    round: int
    path: Prefix[Float]
    before: Float
    current: int


class Setting(Centred[Params]):
    """Columns and y less their means; λ weighs against the mean or the sum of the squared
    errors.
    """

    @property
    def averaged(self) -> int:
        """The divisor of the squared errors: n for a mean, 1 for a sum."""
        return self.n if self.p.loss == "mean" else 1

    @property
    def total(self) -> float:
        """λ scaled to the sum of the squared errors."""
        return float(self.p.strength * self.averaged)

    def pull(self, slopes: Float, j: int) -> float:
        """xⱼ · r, where r = y − Σ wₖ xₖ is the residual without weight j."""
        xy, xx, size = self.parts[j]  # xⱼ · y, xⱼ · every column, xⱼ · xⱼ
        return float(xy - float(xx @ slopes) + size * float(slopes[j]))

    def still(self, slopes: Float, before: Float) -> bool:
        """Whether no weight moves the values by more than 10⁻⁶ |y|: |Δwⱼ| |xⱼ|."""
        moves = np.abs(slopes - before) * self.lengths
        return bool(moves.max() <= STILL * self.size)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.weights(np.zeros(given.problem.d))
    path = Prefix(RowLog([w]), 1)
    s = State(w=w, loss=given.loss(w), round=0, path=path, before=w, current=0)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    over = False
    while not over:
        s = replace(s, before=s.w, current=0, round=s.round + 1)
        begun = s
        yield from at("round", s)
        if given.p.q == 1:
            s = yield from weight_by_weight(given, at, s)
            settled = given.still(s.w[1:], begun.w[1:])
        else:
            s = yield from all_at_once(given, at, s)
            settled = True
        over = settled or s.round >= MOST_ROUNDS
        s = replace(s, before=begun.w, current=0)
        yield from at("until", s, *when(round=True, converged=settled), settled=settled, over=over)


def weight_by_weight(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after coordinate descent (q = 1): each weight in turn takes its best value with the
    others fixed.
    """
    slopes = np.array(s.w[1:])
    for j in range(len(slopes)):
        s = replace(s, before=s.w, current=j + 1)
        yield from at("take", s)
        old = slopes[j]
        pull = given.pull(slopes, j)  # xⱼ · (what the other weights leave of y)
        size = given.sizes[j]  # xⱼ · xⱼ
        slopes[j] = shrunk(pull, given.total / 2, size)  # argmin Loss + λ |wⱼ|
        s = moved(given, s, slopes)
        yield from at("update", s, *when(zero=slopes[j] == 0 != old), pull=pull)
    return s


def shrunk(pull: float, threshold: float, size: float) -> float:
    """The w of least size · w² − 2 pull · w + 2 threshold · |w|.

    The loss alone would have w = pull / size. The penalty brings the pull nearer to 0 by the
    threshold: w is exactly 0 where |pull| ≤ threshold.
    """
    if abs(pull) <= threshold or size <= 0:
        return 0.0
    left = pull - threshold if pull > 0 else pull + threshold
    return left / size


def all_at_once(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state with all weights solved for together (q = 2)."""
    s = replace(s, current=-1)
    yield from at("take", s)
    # argmin Loss + λ Σ w² = (XᵀX + λ I)⁻¹ Xᵀy; the smallest w where there is no inverse
    slopes = ridge(given.G, given.b, given.total)
    s = moved(given, s, slopes)
    yield from at("update", s)
    return s


def moved(given: Setting, s: State, slopes: Float) -> State:
    """The state with these slopes (d,) and the w₀ that fits them."""
    w = given.weights(slopes)
    return replace(s, w=w, loss=given.loss(w), path=s.path.plus(w))


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) h(x) of rows X (m, d)."""
    return linear_values(s.w, given.turned(X))  # w₀ + w₁ x₁ + …


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    cost = s.loss / given.averaged + given.p.strength * complexity(s.w[1:], given.p.q)
    return {
        "rmse": root_mean_square(s.loss, given.n),
        "cost": cost,
        "nonzero": float(np.count_nonzero(s.w[1:])),
    }


def example() -> Problem:
    """Six rows of two columns, the second of little use: q = 1 gives it weight 0."""
    x1 = [-2.0, -1.0, 0.0, 1.0, 2.0, 0.5]
    x2 = [1.0, -1.5, 0.5, -1.0, 1.0, 2.0]
    y = [-2.0, -1.6, 0.3, 1.1, 2.6, 1.0]
    return prepare(Dataset.from_columns({"x1": x1, "x2": x2, "y": y}, "y", task="regress"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Regularised regression",
    task=Task.REGRESS,
    source=("AIMA 18.6.2", "AIMA 18.4.3"),
    needs=QUICK_ROWS,
    curves=(
        Curve("rmse", "root mean square error", about=("loss",)),
        Curve("cost", "loss + λ complexity", about=("loss", "penalty")),
        Curve("nonzero", "weights that are not 0", digits=0, about=("w",)),
    ),
    events=("round", "zero", "converged"),
)
