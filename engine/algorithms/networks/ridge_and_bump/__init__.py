"""A network made by hand: sigmoids add up to a ridge, crossed ridges to a bump, bumps to any shape.

AIMA 18.7.3, Fig 18.23.
"""

from typing import Annotated, Literal

from engine.algorithms.networks.parts import Arrays
from engine.algorithms.networks.ridge_and_bump.recipe import MOST, Recipe, place_fits
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Fits,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Place,
    Problem,
    Range,
    Record,
    Rng,
    Sequence,
    Steps,
    Task,
    When,
    frozen,
    np,
    prepare,
)

PSEUDOCODE = """
slope:        for each bump: the first sigmoid
pair:           f ← its sum with the opposite
ridge:          cut: g(s·(f − 1.5))
cross:          f ← f + the same pair in x₂
bump  round:    cut: z ← g(s·(f − 3.5))
sum   round:  out ← Σ z of all bumps
"""
WHERE = (
    f"in the middle of the plane or where you put it; or on each of at most {MOST} examples of the"
    " first class"
)


class Params(Record, eq=True):
    steepness: Annotated[
        float, Range(0.1, 50, log=True), Label("Steepness k"), Help("the picture is −4 to 4")
    ] = 5.0
    width: Annotated[
        float, Range(0.1, 4), Label("Half width b"), Help("of a ridge, in the same measure")
    ] = 2.0
    cut: Annotated[float, Range(0.1, 100, log=True), Label("Steepness s of cuts")] = 10.0
    ridge_at: Annotated[
        float, Range(0, 2), Label("Ridge from height f"), Help("f is 1 beside the ridge, 2 on it")
    ] = 1.5
    bump_at: Annotated[
        float, Range(0, 4), Label("Bump from height f"), Help("f is 3 on one ridge, 4 on both")
    ] = 3.5
    bumps: Annotated[
        Literal["one", "on the first class", "a ridge alone"], Label("Bumps"), Help(WHERE)
    ] = "one"
    place: Annotated[
        tuple[float, ...],
        Label("Centre"),
        Help("else the middle"),
        Place(),
        Fits(place_fits),
        When("bumps", ("one", "a ridge alone")),
    ] = ()


class State(Record):
    """The model is `weights`, `name` and `level`.

    weights: one (n + 1, m) array per gap of the network so far, biases last, hidden units logistic
    name: of its output: a sigmoid a, a sum f, a ridge r, a bump z, or out, the sum of bumps
    level: where a cut through the output parts the classes
    bump: which is made, −1 for all
    errors: wrong examples
    """

    weights: Arrays
    name: str
    level: float
    bump: int
    errors: int = 0


class Setting(Recipe[Params]):
    """The centres, axes and scale of the bumps."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    p = given.p
    bumps = list[Arrays]()
    for k, centre in enumerate(given.centres):
        pairs = [pair(given, axis, centre[axis]) for axis in given.axes]
        first = pairs[0]
        yield from at("slope", made(given, (first[:, :1],), "a", 0.5, k))
        yield from at("pair", made(given, total(first), "f", p.ridge_at, k))
        bump = cut(given, first, p.ridge_at)
        yield from at("ridge", made(given, bump, "r", 0.5, k))
        if p.bumps == "a ridge alone":
            bumps.append(bump)
            continue
        if len(pairs) == 2:  # a single column has no other
            both = np.hstack(pairs)
            yield from at("cross", made(given, total(both), "f", p.bump_at, k))
            bump = cut(given, both, p.bump_at)
        yield from at("bump", made(given, bump, "z", 0.5, k))
        bumps.append(bump)
    yield from at("sum", made(given, side_by_side(bumps), "out", 0.5, -1))


def pair(given: Setting, axis: int, c: float) -> Float:
    """(d + 1, 2) weights of two opposite sigmoids across an axis, around the centre c, in the
    recipe's units: g(k·(x − c + b)) and g(k·(−x + c + b)), where g(z) = 1/(1 + e^−z).
    """
    k = given.p.steepness
    b = given.p.width
    slope = k / given.unit[axis]
    weights = np.zeros((given.problem.d + 1, 2))
    weights[axis] = slope, -slope
    weights[-1] = k * b - slope * c, k * b + slope * c
    return weights


def total(units: Float) -> Arrays:
    """The weights of a network whose output f is the sum of these units (d + 1, m)."""
    return units, np.append(np.ones(units.shape[1]), 0.0)[:, None]


def cut(given: Setting, units: Float, at: float) -> Arrays:
    """The weights of a network with output g(s·(f − at)), f the sum of these units (d + 1, m), g(z)
    = 1/(1 + e^−z).
    """
    s = given.p.cut
    return units, s * np.append(np.ones(units.shape[1]), -at)[:, None]


def side_by_side(bumps: Sequence[Arrays]) -> Arrays:
    """The weights of one network with all bumps z, whose output is Σ z."""
    size = bumps[0][0].shape[1]
    second = np.zeros((len(bumps) * size + 1, len(bumps)))
    for k, (_, w) in enumerate(bumps):
        second[k * size : (k + 1) * size, k] = w[:-1, 0]
        second[-1, k] = w[-1, 0]
    return np.hstack([units for units, _ in bumps]), *total(second)


def made(given: Setting, weights: Arrays, name: str, level: float, bump: int) -> State:
    """The state of the network so far, with its errors."""
    s: State = given.with_metrics(State(tuple(map(frozen, weights)), name, level, bump))
    return s


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first class where the output is at least the level, else the second."""
    height = given.height(s, X)
    return np.where(height >= s.level, 0, 1)


def example() -> Problem:
    """Nine points, one on the bump and eight around it, from −4 to 4 along both axes."""
    X = [[a, b] for a in (-4.0, 0.0, 4.0) for b in (-4.0, 0.0, 4.0)]
    return prepare(Dataset.from_arrays(X, [1 if x == [0.0, 0.0] else -1 for x in X]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Ridge and bump",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.3", "AIMA Fig 18.23"),
    narrow=True,
    needs=Needs(min_classes=2, max_classes=2, numeric=True),
    curves=(Curve("errors", "wrong points", of_n=True, digits=0),),
    scores=Setting.scores,
)
