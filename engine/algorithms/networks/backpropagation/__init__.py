"""A feed-forward network that learns by propagating its errors backwards.

AIMA 18.7.1, 18.7.4, Fig 18.24.
"""

from typing import Annotated, Literal

from engine.algorithms.networks.backpropagation.examples import Examples
from engine.algorithms.networks.parts import ASIDE, CALM, Arrays
from engine.algorithms.networks.parts.network_setting import (
    StartWeights,
    bounded,
    random_weights,
    shaped,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
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
    frozen,
    leap,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.activations import Activation
from engine.sources.textbook import textbook

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
    "tanh, relu: extensions. identity: linear units, AIMA Ex 18.22. Output units are logistic for"
    " classes; for values they only add up."
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
        Literal["logistic", "tanh", "relu", "identity"], Label("Hidden activation g"), Help(HIDDEN)
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
    """The model is `weights`; `activations`, `deltas` and `current` are what a moment looks at.

    weights: one (n + 1, m) array per gap between layers, biases last
    before: those before this step
    activations: a, one (n,) array per layer, for the row `current`; (0,) where not known yet
    deltas: Δ of the units at the far end of each gap, one (m,) array per gap; (0,) alike
    current: the row that goes through the network, or −1
    epoch: from 1
    loss: mean of Σ (y − a)² of the examples
    errors: wrong points
    """

    weights: Arrays
    before: Arrays
    activations: Arrays = ()
    deltas: Arrays = ()
    current: int = -1
    epoch: int = 0
    loss: float = 0.0
    errors: int = 0


class Setting(Examples[Params]):
    """X (n, d) and the targets Y (n, m) of the outputs; the fast path of the lines below."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    weights = start_weights(given, rng)
    s = given.with_metrics(State(weights, weights))
    yield from at("init", s)
    yield from epochs(given, s, at, rng)


def start_weights(given: Setting, rng: Rng) -> Arrays:
    """The initial weights, one array for each gap: as set, or random."""
    if given.p.start:
        return shaped(given.p.start, given.sizes)
    return random_weights(given.sizes, given.p.scale, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.fits(s.weights)
    start_weights(given, rng)  # draws what the run drew
    for _ in range(s.epoch):
        given.order(rng)  # the orders of the epochs so far
    yield from epochs(given, s, at, rng)


def epochs(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """The steps of as many epochs as are set; as many again for a run that has had them."""
    last = given.p.epochs if s.epoch < given.p.epochs else s.epoch + given.p.epochs
    learn = learn_one_by_one if given.p.mode == "stochastic" else learn_together
    enough = False
    while s.epoch < last and not enough:
        errors = s.errors if s.epoch else -1
        s = replace(given.between(s), epoch=s.epoch + 1)
        yield from at("epoch", s)
        for rows in given.order(rng):
            s, lost = yield from learn(given, at, s, rows)
            if lost is not None:
                s = given.with_metrics(given.between(s))
                yield from at.end("update", s, "diverged", lost=lost)
                return
            yield None
        s = given.with_worst(s)
        clean = s.errors == 0 != errors and not given.problem.regress
        enough = s.loss <= given.p.enough
        ends = when(clean=clean, converged=enough)
        yield from at("until", s, "round", *ends, ends=ends)


@leap
def learn_one_by_one(
    given: Setting, at: At, s: State, rows: Int
) -> Part[State, tuple[State, int | None]]:
    """(the state after a step for each of these rows in turn, the row whose step made the weights
    diverge or None).
    """
    for i in rows.tolist():
        a, deltas = yield from passes(given, at, s, i)
        weights = stepped(given, s.weights, a, deltas)
        row = int(given.rows[i])
        if not bounded(weights):
            return s, row
        after = replace(s, weights=weights, activations=a, deltas=deltas, current=row)
        s = given.with_metrics(replace(after, before=s.weights))
        yield from at("update", s)
    return s, None


def learn_together(
    given: Setting, at: At, s: State, rows: Int
) -> Part[State, tuple[State, int | None]]:
    """(the state after one step by the mean of a·Δ over these rows, −1 where it makes the weights
    diverge, else None).
    """
    if at.records("input"):
        for i in rows.tolist():
            yield from passes(given, at, s, i)
    a = given.forward(s.weights, given.X)
    deltas = given.backward(s.weights, a, given.Y)
    weights = given.learnt(s.weights, a, deltas)
    if not bounded(weights):
        return s, -1
    s = replace(s, before=s.weights, weights=weights)
    if at.records("update"):  # else the end of the epoch finds the loss
        s = given.with_metrics(s)
        yield from at("update", s)
    return s, None


def passes(given: Setting, at: At, s: State, i: int) -> Part[State, tuple[Arrays, Arrays]]:
    """(a of every layer, Δ of every layer but the inputs) of one example, all with the old weights.

    Layer ℓ + 1 of the book lies between the weights w[ℓ − 1] and w[ℓ]. AIMA Fig 18.24.
    """
    w = s.weights
    output = len(w)
    a = [given.X[i]]
    yield from at("input", given.seen(s, i, a))
    for layer in range(1, output + 1):
        a.append(answers(given.g(layer), w[layer - 1], a[layer - 1]))
        yield from at("forward", given.seen(s, i, a))
    deltas = [output_deltas(given.g(output), a[output], given.Y[i])]
    yield from at("output", given.seen(s, i, a, deltas))
    for layer in range(output - 1, 0, -1):
        deltas.insert(0, hidden_deltas(given.g(layer), w[layer], a[layer], deltas[0]))
        yield from at("hidden", given.seen(s, i, a, deltas))
    return tuple(a), tuple(deltas)


@CALM
def answers(unit: Activation, w: Float, a: Float) -> Float:
    """(m,) a[j] ← g(Σ w[i,j]·a[i]) from a (n,) of the layer before; the last row of w is the bias,
    the weight of a[0] = 1.
    """
    return frozen(unit.g(a @ w[:-1] + w[-1]))


@CALM
def output_deltas(unit: Activation, a: Float, y: Float) -> Float:
    """(m,) Δ[j] ← g′·(y[j] − a[j])."""
    return frozen(unit.slope(a) * (y - a))


@CALM
def hidden_deltas(unit: Activation, w: Float, a: Float, deltas: Float) -> Float:
    """(n,) Δ[i] ← g′·Σ w[i,j]·Δ[j] from the Δ (m,) of the layer after."""
    return frozen(unit.slope(a) * (deltas @ w[:-1].T))


@CALM
def stepped(given: Setting, weights: Arrays, a: Arrays, deltas: Arrays) -> Arrays:
    """The weights after w[i,j] ← w[i,j] + α·a[i]·Δ[j]; with weight decay each w but a bias first
    loses α·λ·w.
    """
    alpha = given.p.rate
    after = []
    for gap, w in enumerate(weights):
        links = (1.0 - alpha * given.p.decay) * w[:-1]
        links += alpha * np.outer(a[gap], deltas[gap])
        bias = w[-1] + alpha * deltas[gap]
        after.append(frozen(np.vstack([links, bias])))
    return tuple(after)


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
