"""RBF network: one hidden unit a centre answers the more the nearer, the output is linear in their
answers. ML 8.4, Eq 8.8.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.fits import NUMBERS, metrics
from engine.algorithms.regression.parts.least_squares import sum_of_squares, triangle
from engine.algorithms.regression.rbf_network.units import Units, answers
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
from engine.numerics.descent import OVERFLOW, Rest
from engine.numerics.distances import squared_distances
from engine.numerics.closeness import OF_TERMS

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
DRAWN, HAND = When("centres", ("k-means", "random")), When("centres", ("by hand",))
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
_ROUNDS, _BLOCK = 100, 500  # of k-means, which rests before; rows reduced at a time


class Params(Record, eq=True):
    centres: Annotated[Centres, Label("Centres"), Help(CENTRES)] = "k-means"
    k: Annotated[int, Range(1, 300, log=True), Label("Units k"), DRAWN] = 6
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
    """centres, before (k, d): now, and before this step; widths (k,), none before they are set;
    weights (k + 1,), w₀ first, all zero before the fit; loss: Σ (y − h)²; steps: of descent so far;
    round: of k-means
    """

    centres: Float
    before: Float
    widths: Float
    weights: Float
    loss: float
    steps: int = 0
    round: int = 0
    fitted: bool = False


class Setting(Units[Params]):
    """X, y: the rows with a value; first(rng): centres; widths(centres): σ of each."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    centres = given.first(rng)
    s = State(
        centres, centres, frozen([]), frozen(np.zeros(len(centres) + 1)), sum_of_squares(given.y)
    )
    yield from at("place", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if s.centres.shape[1] != given.problem.d or (given.drawn and len(s.centres) > given.p.k):
        raise EngineError(
            f"A network of {len(s.centres)} units cannot go on with these parameters: start again."
        )
    if not len(s.widths):
        s = yield from heaps(given, s, at)
        yield from at("width", s)
        yield from at("hidden", s)
    s, event = yield from (descended if given.p.fit == "descent" else solved)(given, s, at)
    yield from at("end", s, *[event] * bool(event))


def heaps(given: Setting, s: State, at: At) -> Part[State, State]:
    """Lloyd's rounds: every example goes to its nearest centre, every centre to the mean of its
    examples.
    """
    k = len(s.centres)
    while given.p.centres == "k-means" and s.round < _ROUNDS:
        yield None
        nearest = squared_distances(given.X, s.centres).argmin(axis=1)
        many = np.bincount(nearest, minlength=k)[:, None]
        sums = np.column_stack([np.bincount(nearest, x, k) for x in given.X.T])
        means = frozen(np.where(many > 0, sums / np.maximum(many, 1), s.centres))
        s = replace(s, centres=means, before=s.centres, round=s.round + 1)
        yield from at("move", s)
        if np.array_equal(s.centres, s.before):
            break
    return replace(s, before=s.centres, widths=given.widths(s.centres))


def solved(given: Setting, s: State, at: At) -> Part[State, tuple[State, str]]:
    blocks = (slice(i, i + _BLOCK) for i in range(0, given.n, _BLOCK))
    rows = (np.column_stack([answers(given.X[i], s.centres, s.widths), given.y[i]]) for i in blocks)
    R = yield from triangle(rows)
    w, _, rank, _ = np.linalg.lstsq(R[:, :-1], R[:, -1], rcond=OF_TERMS)
    s = replace(s, weights=frozen(w), fitted=True)
    s = replace(s, loss=sum_of_squares(given.y - predict(given, s, given.X)))
    yield from at("fit", s)
    return s, "not unique" if int(rank) < len(w) else ""


def descended(given: Setting, s: State, at: At) -> Part[State, tuple[State, str]]:
    A = answers(given.X, s.centres, s.widths)
    rest = Rest(A, given.y)
    rate = given.p.rate or 1 / float(np.linalg.norm(A, 2)) ** 2
    errors = given.y - A @ s.weights
    while s.steps < given.p.steps:
        before = s.loss
        w = frozen(s.weights + rate * (errors @ A))
        if not w @ w < OVERFLOW:
            return s, "diverged"
        errors = given.y - A @ w
        s = replace(s, weights=w, loss=sum_of_squares(errors), steps=s.steps + 1, fitted=True)
        yield from at("fit", s, loss_before=before) or (None,)
        if rest(errors):
            return s, "converged"
    return s, ""


def predict(given: Setting, s: State, X: Float) -> Float:
    return (
        answers(X, s.centres, s.widths) @ s.weights
        if len(s.widths)
        else np.where(np.isnan(X).any(axis=1), np.nan, 0.0)
    )


def example() -> Problem:  # ten points of a wave
    return prepare(
        Dataset.from_columns(
            {"x": (x := np.arange(10.0)), "y": np.sin(x).round(2)}, "y", task="regress"
        )
    )


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
