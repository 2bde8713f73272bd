"""A feed-forward network that learns by propagating its errors backwards.

AIMA 18.7.1, 18.7.4, Fig 18.24.
"""

from typing import Annotated, Literal

from engine.algorithms.networks.backpropagation.examples import Examples
from engine.algorithms.networks.parts import ASIDE, Arrays
from engine.algorithms.networks.parts.lesson import StartWeights, bounded, random_weights, shaped
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    leap,
    prepare,
    replace,
    when,
)
from engine.data.textbook import textbook

PSEUDOCODE = """
init    round:  w[i,j] ← small random numbers
epoch   detail: repeat
input   detail:   for each (x, y): a[i] ← x[i]
forward detail:     ℓ=2…L: a[j] ← g(Σ w[i,j]·a[i])
output  detail:     ℓ=L: Δ[j] ← g′·(y[j] − a[j])
hidden  detail:     ℓ=L−1…2: Δ[i] ← g′·Σ w[i,j]·Δ[j]
update:             w[i,j] ← w[i,j] + α·a[i]·Δ[j]
until   round:  until the epochs are over
"""
OUTPUTS = (
    "one: for two classes; several have one each. columns aside: pairs that are not learnt from,"
    " one each"
)
HIDDEN = (
    "tanh, relu: extensions. Output units are logistic for classes; for values they only add up."
)
MODES = "a step after every example, or one an epoch by their mean"
Outs = Literal["one", "one per class", "target and columns aside"]


class Params(Record, eq=True):
    hidden: Annotated[
        tuple[float, ...], Label("Hidden units"), Help("in each layer: 4, or 8, 2 for two")
    ] = (4.0,)
    outputs: Annotated[Outs, Label("Outputs"), Help(OUTPUTS), ASIDE] = "one"
    rate: Annotated[float, Range(1e-5, 100, log=True), Label("Rate α")] = 0.5
    epochs: Annotated[int, Range(1, 100_000, log=True), Label("Epochs")] = 1000
    activation: Annotated[
        Literal["logistic", "tanh", "relu"], Label("Hidden activation g"), Help(HIDDEN)
    ] = "logistic"
    mode: Annotated[Literal["stochastic", "batch"], Label("Mode"), Help(MODES)] = "stochastic"
    order: Annotated[Literal["table", "random"], Label("Order"), When("mode", ("stochastic",))] = (
        "table"
    )
    scale: Annotated[
        float, Range(0, 10), Label("Start scale"), Help("start weights: from −scale to +scale")
    ] = 1.0
    start: StartWeights = ()
    decay: Annotated[
        float, Range(0, 1), Label("Weight decay λ"), Help("extension: a weight loses α·λ a step")
    ] = 0.0
    enough: Annotated[float, Range(0, 1e6), Label("Stop at loss"), Help("0: all epochs")] = 0.0


class State(Record):
    """weights: one (n + 1, m) array per gap between layers, biases last; before: those before this
    step. activations: one (n,) array per layer for the row `current`; deltas: one (m,) array per
    gap, Δ of the units at its far end, (0,) where not known yet. epoch from 1; loss: mean of Σ (y −
    a)² of the examples; errors: wrong points.
    """

    weights: Arrays
    before: Arrays
    activations: Arrays = ()
    deltas: Arrays = ()
    current: int = -1
    epoch: int = 0
    loss: float = 0.0
    errors: int = 0


class Setting(Examples[Params]): ...


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    weights = first(given, rng)
    yield from at("init", s := given.judged(State(weights, weights))[0])
    yield from epochs(given, s, at, rng)


def first(given: Setting, rng: Rng) -> Arrays:
    """The weights that learning begins with."""
    return (
        shaped(given.p.start, given.sizes)
        if given.p.start
        else random_weights(given.sizes, given.p.scale, rng)
    )


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.fits(s.weights)
    first(given, rng)
    for _ in range(s.epoch):
        given.order(rng)  # the orders of the epochs so far
    yield from epochs(given, s, at, rng)


def epochs(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    last = given.p.epochs if s.epoch < given.p.epochs else s.epoch + given.p.epochs
    enough = False
    while s.epoch < last and not enough:
        errors = s.errors if s.epoch else -1
        s = replace(given.between(s), epoch=s.epoch + 1)
        yield from at("epoch", s)
        for rows in given.order(rng):
            s, lost = yield from learn(given, at, s, rows)
            if lost is not None:
                yield from at.end(
                    "update", given.judged(given.between(s))[0], "diverged", lost=lost
                )
                return
            yield None
        s, worst = given.judged(given.between(s))
        s = replace(
            s, activations=given.forward(s.weights, given.X[worst]), current=int(given.rows[worst])
        )
        clean = s.errors == 0 != errors and not given.problem.regress
        enough = s.loss <= given.p.enough
        ends = (*when(clean=clean, converged=enough),)
        yield from at("until", s, "round", *ends, ends=ends)


@leap
def learn(given: Setting, at: At, s: State, rows: Int) -> Part[State, tuple[State, int | None]]:
    """Each example with the weights that the one before left, or all by their mean; which row broke
    them, −1: all.
    """
    single = given.p.mode == "stochastic"
    each = rows.tolist()
    for i in each if single else [slice(None)]:
        # layer by layer, with the old weights
        for k in ([i] if single else each) if at.tells("input") else []:
            yield from at("input", given.seen(s, k, (given.X[k], *s.weights), (), 1))
            delta = given.backward(s.weights, a := given.forward(s.weights, given.X[k]), given.Y[k])
            for layer in range(1, len(a)):
                yield from at("forward", given.seen(s, k, a, delta, layer + 1))
            yield from at("output", given.seen(s, k, a, delta, len(a), 1))
            for layer in range(len(a) - 2, 0, -1):
                yield from at("hidden", given.seen(s, k, a, delta, len(a), len(a) - layer))
        delta = given.backward(s.weights, a := given.forward(s.weights, given.X[i]), given.Y[i])
        weights = given.learnt(s.weights, a, delta)
        if not bounded(weights):
            return s, int(given.rows[i]) if single else -1
        seen = {"activations": a, "deltas": delta, "current": int(given.rows[i])} if single else {}
        s, _ = given.judged(replace(s, before=s.weights, weights=weights, **seen))
        yield from at("update", s)
    return s, None


def example() -> Problem:
    return prepare(textbook("xor"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Back-propagation",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.3", "AIMA 18.7.4", "AIMA Fig 18.24", "AIMA 18.11.1", "MIT 2.1.40-2.1.41"),
    needs=Needs(values=True, min_classes=2, numeric=True),
    events=("round", "clean", "converged", "diverged"),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("rmse", "root of the mean squared error", digits=3),
        Curve("loss", "mean squared error", digits=4),
    ),
    metrics=Setting.metrics,
    predict=Setting.predict,
    scores=Setting.scores,
    tweak=Setting.tweak,
)
