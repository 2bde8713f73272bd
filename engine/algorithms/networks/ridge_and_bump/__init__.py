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
    Help,
    Label,
    Needs,
    Place,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
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
    bumps: Annotated[Literal["one", "on the first class"], Label("Bumps"), Help(WHERE)] = "one"
    place: Annotated[
        tuple[float, ...],
        Label("Centre"),
        Help("else the middle"),
        Place(),
        Fits(place_fits),
        When("bumps", ("one",)),
    ] = ()


class State(Record):
    """weights: one (n + 1, m) array per gap of the network so far, biases last, hidden units
    logistic; name: of its output, a sigmoid a, a sum f, a ridge r, a bump z, or out, the sum of
    bumps; level: where a cut through it parts the classes. bump: which is made, −1 for all; errors:
    wrong examples.
    """

    weights: Arrays
    name: str
    level: float
    bump: int
    errors: int = 0


class Setting(Recipe[Params]): ...


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    p = given.p
    bumps = list[Arrays]()
    for k, centre in enumerate(given.centres):
        first, *second = (given.pair(axis, centre[axis]) for axis in given.axes)
        yield from at("slope", given.judged(State((first[:, :1],), "a", 0.5, k)))
        yield from at("pair", given.judged(State(given.added(first), "f", p.ridge_at, k)))
        bump = given.cut(first, p.ridge_at)
        yield from at("ridge", given.judged(State(bump, "r", 0.5, k)))
        for other in second:  # a single column has no other
            both = np.hstack([first, other])
            yield from at("cross", given.judged(State(given.added(both), "f", p.bump_at, k)))
            bump = given.cut(both, p.bump_at)
        yield from at("bump", given.judged(State(bump, "z", 0.5, k)))
        bumps.append(bump)
    yield from at("sum", given.judged(State(given.together(bumps), "out", 0.5, -1)))


def example() -> Problem:
    """One point on the bump, eight around it, from −4 to 4 along both axes."""
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
    predict=Setting.predict,
    scores=Setting.scores,
)
