"""RBF network: one hidden unit a centre answers the more the nearer, the output is linear in their
answers. ML 8.4, Eq 8.8.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.fits import NUMBERS, metrics
from engine.algorithms.regression.parts.least_squares import sum_of_squares, triangle
from engine.algorithms.regression.rbf_network.units import Units, check_units, gaps
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    EngineError,
    Float,
    Help,
    Label,
    Length,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    frozen,
    np,
    prepare,
    replace,
)
from engine.numerics.closeness import OF_TERMS
from engine.numerics.descent import OVERFLOW, Rest
from engine.numerics.distances import bells, squared_distances

PSEUDOCODE = """
place  round:  μ₁ … μₖ ← places for the units
move:          each μᵤ ← mean of its nearest
width  round:  σᵤ ← distance to the next centre
hidden round:  φᵤ(x) ← e^(−|x − μᵤ|² / 2σᵤ²)
fit:           w ← least Σ (y − w₀ − Σ wᵤ φᵤ)²
end    round:  return h = w₀ + Σ wᵤ φᵤ
"""
CENTRES = (
    "k-means: means of k heaps; random: k examples; all examples: one unit each; by hand: the"
    " places below"
)
WIDTH = (
    "by rule: how many times that distance; one for all: σ itself; empty: 0.7, or largest distance"
    " / √2k"
)
RANDOM_CENTRES = When("centres", ("k-means", "random"))
HAND = When("centres", ("by hand",))
DESCENT = When("fit", ("descent",))
Centres = Literal["k-means", "random", "all examples", "by hand"]
Rate = Annotated[
    float | None,
    Range(1e-9, 10, log=True),
    Label("Rate α"),
    Empty("auto"),
    Help("empty: safe"),
    DESCENT,
]
OVERLAP = 0.7  # of the distance to the next centre
_ROUNDS = 100  # of k-means, which nearly always rests before
_BLOCK = 500  # rows reduced at a time


class Params(Record, eq=True):
    centres: Annotated[Centres, Label("Centres"), Help(CENTRES)] = "k-means"
    k: Annotated[int, Range(1, 300, log=True), Label("Units k"), RANDOM_CENTRES] = 6
    places: Annotated[
        tuple[float, ...],
        Label("Places"),
        Help("a number for each column"),
        Length("columns", multiple=True),
        HAND,
    ] = ()
    widths: Annotated[Literal["by rule", "one for all"], Label("Widths")] = "by rule"
    width: Annotated[
        float | None, Range(1e-6, 1e6, log=True), Label("Width"), Empty("auto"), Help(WIDTH)
    ] = None
    fit: Annotated[Literal["least squares", "descent"], Label("Output by")] = "least squares"
    rate: Rate = None
    steps: Annotated[int, Range(1, 100_000, log=True), Label("Steps"), DESCENT] = 200


class State(Record):
    """The model is `centres`, `widths` and `weights`; `before` is what this step shows.

    centres: (k, d) μ of each unit
    widths: (k,) σ of each unit, none before they are set
    weights: (k + 1,) w₀, then the weight of each unit, all zero before the fit
    loss: Σ (y − h)²
    before: (k, d) the centres before this step
    steps: of descent so far
    round: of k-means
    fitted: whether the weights are
    """

    centres: Float
    widths: Float
    weights: Float
    loss: float
    before: Float
    steps: int = 0
    round: int = 0
    fitted: bool = False


class Setting(Units[Params]):
    """X (n, d) and y (n,) of the rows with a value, and the units."""

    def first(self, rng: Rng) -> Float:
        """(k, d) the initial centres, fewer where there are not k different places."""
        places = np.unique(self.X, axis=0)  # all examples: one unit each
        if self.p.centres == "by hand":
            places = self.by_hand()
        elif self.random_centres and self.p.k < len(places):
            rows = rng.choice(len(places), self.p.k, replace=False)  # k of the examples
            places = places[np.sort(rows)]
        check_units(len(places))
        return frozen(places)

    def means(self, centres: Float) -> Float:
        """(k, d) each centre at the mean of the examples nearest to it; one without stays."""
        nearest = squared_distances(self.X, centres).argmin(axis=1)
        count = np.bincount(nearest, minlength=len(centres))[:, None]
        sums = np.column_stack([np.bincount(nearest, x, len(centres)) for x in self.X.T])
        return frozen(np.where(count > 0, sums / np.maximum(count, 1), centres))

    def widths(self, centres: Float) -> Float:
        """(k,) σ of each unit: a part of the distance to its next centre, or one for all."""
        k = len(centres)
        far = gaps(centres)  # (k, k) |μᵤ − μᵥ|, ∞ where they are at one place
        alone = self.spread(centres) or 1.0  # in place of a distance that is ∞
        if self.p.widths == "one for all":
            farthest = float(far[np.isfinite(far)].max(initial=0.0))
            return frozen(np.full(k, self.p.width or farthest / np.sqrt(2 * k) or alone))
        to_next = far.min(axis=1)
        to_next = np.where(np.isfinite(to_next), to_next, alone)
        return frozen(to_next * (self.p.width or OVERLAP))


def phi(X: Float, centres: Float, widths: Float) -> Float:
    """(n, k + 1) 1, then φᵤ(x) = e^(−|x − μᵤ|² / 2σᵤ²) of each unit, for rows X (n, d)."""
    return np.column_stack(
        [np.ones(len(X)), bells(squared_distances(X, centres) / (2 * widths**2))]
    )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    centres = given.first(rng)
    s = State(
        centres=centres,
        widths=frozen([]),
        weights=frozen(np.zeros(len(centres) + 1)),
        loss=sum_of_squares(given.y),
        before=centres,
    )
    yield from at("place", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if s.centres.shape[1] != given.problem.d or (
        given.random_centres and len(s.centres) > given.p.k
    ):
        raise EngineError(
            f"A network of {len(s.centres)} units cannot go on with these parameters: start again."
        )
    if not len(s.widths):
        if given.p.centres == "k-means":
            s = yield from k_means(given, at, s)
        s = replace(s, before=s.centres, widths=given.widths(s.centres))
        yield from at("width", s)
        yield from at("hidden", s)
    if given.p.fit == "descent":
        s, event = yield from descended(given, at, s)
    else:
        s, event = yield from solved(given, at, s)
    events = (event,) if event else ()
    yield from at("end", s, *events)


def k_means(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after rounds that move every centre to the mean of its nearest examples, until none
    moves.
    """
    while s.round < _ROUNDS:
        yield None
        s = replace(s, centres=given.means(s.centres), before=s.centres, round=s.round + 1)
        yield from at("move", s)
        if np.array_equal(s.centres, s.before):
            break
    return s


def solved(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    """(the state with the weights of least squares, an event or "")."""
    blocks = (slice(i, i + _BLOCK) for i in range(0, given.n, _BLOCK))
    rows = (np.column_stack([phi(given.X[i], s.centres, s.widths), given.y[i]]) for i in blocks)
    # R of a QR factorisation of all rows (φ, y): the least Σ (y − w₀ − Σ wᵤ φᵤ)² of its few rows
    # is reached by the same w
    R = yield from triangle(rows)
    w, _, rank, _ = np.linalg.lstsq(R[:, :-1], R[:, -1], rcond=OF_TERMS)
    s = replace(s, weights=frozen(w), fitted=True)
    s = replace(s, loss=sum_of_squares(given.y - predict(given, s, given.X)))
    yield from at("fit", s)
    return s, "not unique" if int(rank) < len(w) else ""


def descended(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    """(the state after gradient descent on Σ (y − h)², an event or "")."""
    A = phi(given.X, s.centres, s.widths)
    rest = Rest(A, given.y)
    rate = given.p.rate or 1 / float(np.linalg.norm(A, 2)) ** 2
    errors = given.y - A @ s.weights
    while s.steps < given.p.steps:
        before = s.loss
        w = frozen(s.weights + rate * (errors @ A))  # w + α Σ (y − h(x)) φ(x)
        if not w @ w < OVERFLOW:
            return s, "diverged"
        errors = given.y - A @ w
        s = replace(s, weights=w, loss=sum_of_squares(errors), steps=s.steps + 1, fitted=True)
        yield from at("fit", s, loss_before=before) or (None,)
        if rest(errors):
            return s, "converged"
    return s, ""


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) h(x) = w₀ + Σ wᵤ φᵤ(x) of rows X (m, d); 0 before the units are made, NaN where a number
    is unknown.
    """
    if not len(s.widths):
        return np.where(np.isnan(X).any(axis=1), np.nan, 0.0)
    return phi(X, s.centres, s.widths) @ s.weights


def example() -> Problem:
    """Ten points of a sine wave."""
    x = np.arange(10.0)
    return prepare(Dataset.from_columns({"x": x, "y": np.sin(x).round(2)}, "y", task="regress"))


ALGORITHM = Algorithm.of(
    __name__,
    title="RBF network",
    task=Task.REGRESS,
    source=("ML 8.4",),
    narrow=True,
    needs=NUMBERS,
    metrics=metrics,
    curves=(Curve("rmse", "root mean square error", about=("errors",)),),
    events=("not unique", "converged", "diverged"),
)
