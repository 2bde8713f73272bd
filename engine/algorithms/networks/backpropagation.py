"""A feed-forward network that learns by propagating its errors backwards. AIMA 18.7.1, 18.7.4, Fig 18.24."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Level, Note, Pace, Step, late_note
from engine.data.prepare import prepare
from engine.data.textbook import textbook
from engine.numerics import network as nets
from engine.numerics.activations import ACTIVATIONS
from engine.numerics.class_scores import classify, of_classes
from engine.numerics.network import Arrays, Lesson, Units
from engine.numerics.output_units import outputs
from engine.pictures import network_words as words
from engine.pictures import networks as pictures

PSEUDOCODE = """
init: w[i,j] ← small random numbers
epoch: repeat
input:   for each (x, y): a[i] ← x[i]
forward:     ℓ=2…L: a[j] ← g(Σ w[i,j]·a[i])
output:     ℓ=L: Δ[j] ← g′·(y[j] − a[j])
hidden:     ℓ=L−1…2: Δ[i] ← g′·Σ w[i,j]·Δ[j]
update:     w[i,j] ← w[i,j] + α·a[i]·Δ[j]
until: until the epochs are over
"""


@dataclass(frozen=True)
class Params:
    hidden: Annotated[tuple[float, ...], Label("Hidden units"), Help("in each layer: 4, or 8, 2 for two")] = (4.0,)
    outputs: Annotated[
        Literal["one", "one per class", "target and columns aside"],
        Label("Outputs"),
        Help("one: for two classes; several have one each. columns aside: pairs that are not learnt from, one each"),
    ] = "one"
    rate: Annotated[float, Range(1e-5, 100, log=True), Label("Rate α")] = 0.5
    epochs: Annotated[int, Range(1, 100_000, log=True), Label("Epochs")] = 1000
    activation: Annotated[
        Literal["logistic", "tanh", "relu"],
        Label("g of hidden units"),
        Help("tanh, relu: extensions. Output units are logistic for classes; for values they only add up."),
    ] = "logistic"
    mode: Annotated[
        Literal["stochastic", "batch"], Label("Mode"), Help("a step after every example, or one an epoch by their mean")
    ] = "stochastic"
    order: Annotated[Literal["table", "random"], Label("Order"), When("mode", ("stochastic",))] = "table"
    scale: Annotated[float, Range(0, 10), Label("Start scale"), Help("start weights: from −scale to +scale")] = 1.0
    start: Annotated[
        tuple[float, ...],
        Label("Start w"),
        Help("all weights, gap by gap: from the first unit to every unit after it, …, from the bias to every unit"),
    ] = ()
    decay: Annotated[float, Range(0, 1), Label("Weight decay λ"), Help("extension: a weight loses α·λ a step")] = 0.0
    enough: Annotated[float, Range(0, 1e6), Label("Stop at loss"), Help("0: all epochs")] = 0.0


@dataclass(frozen=True, slots=True)
class State:
    """weights: one (n + 1, m) array per gap between layers, biases last; before: those before this step.
    activations: one (n,) array per layer for the row `current`; deltas: one (m,) array per gap, Δ of the units at its
    far end, (0,) where not known yet. epoch from 1; loss: mean of Σ (y − a)² over the examples; errors: wrong points."""

    weights: tuple[Float, ...]
    before: tuple[Float, ...]
    activations: tuple[Float, ...] = ()
    deltas: tuple[Float, ...] = ()
    current: int = -1
    epoch: int = 0
    loss: float = 0.0
    errors: int = 0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    task = nets.lesson(problem, units(problem, p))
    sizes = (problem.d, *nets.layer_sizes(p.hidden), task.Y.shape[1])
    weights = nets.shaped(p.start, sizes) if p.start else nets.random_weights(sizes, p.scale, rng)
    s, _ = judged(task, State(weights, weights))
    yield step("init", task, s, words.init_note(sizes, p.scale, bool(p.start)), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    """Goes on from the weights of `s`; after the last epoch, for as many epochs again."""
    task = nets.lesson(problem, units(problem, p))
    nets.check_layers(s.weights, (problem.d, *nets.layer_sizes(p.hidden), task.Y.shape[1]))
    last = p.epochs if s.epoch < p.epochs else s.epoch + p.epochs
    one_epoch = stochastic_epoch if p.mode == "stochastic" else batch_epoch
    while s.epoch < last:
        order = rng.permutation(len(task.rows)) if p.order == "random" else np.arange(len(task.rows))
        errors = s.errors if s.epoch else -1
        s = State(s.weights, s.weights, epoch=s.epoch + 1, loss=s.loss, errors=s.errors)
        if pace.detail:
            yield step("epoch", task, s, words.epoch_note(s.epoch), Level.DETAIL)
        s, lost = yield from one_epoch(problem, p, task, s, order, pace)
        if lost is not None:
            yield step("update", task, s, words.diverged_note(problem, p.rate, lost), Level.ROUND, ("diverged",))
            return
        s, worst = judged(task, replace(s, before=s.weights))
        events = ("clean",) if s.errors == 0 != errors and not task.regress else ()
        a, _ = nets.one_example(task.units, s.weights, task.X[worst], task.Y[worst])
        s = replace(s, current=int(task.rows[worst]), deltas=(), activations=a)
        reached = s.loss <= p.enough
        yield epoch_step(problem, task, s, worst, (*events, *(("converged",) if reached else ())))
        if reached:
            return


Lost = int | None  # the row whose step broke the weights, −1 for all rows together
Epoch = Generator_[Step[State] | None, None, tuple[State, Lost]]


def stochastic_epoch(problem: Problem, p: Params, task: Lesson, s: State, order: Int, pace: Pace) -> Epoch:
    """One example after the other, each with the weights that the one before left."""
    if not pace.step:  # nobody looks: the same sums without a halt
        weights = yield from nets.learn_all(task.units, s.weights, task.X, task.Y, order, p.rate, p.decay)
        if nets.bounded(weights):
            return replace(s, weights=weights), None
    for i in order:
        a, delta = nets.one_example(task.units, s.weights, task.X[i], task.Y[i])
        if pace.detail:
            yield from look(problem, task, s, i, a, delta)
        weights = nets.learnt(s.weights, a, delta, p.rate, p.decay)
        if not nets.bounded(weights):
            return s, int(task.rows[i])
        s = replace(s, before=s.weights, weights=weights)
        if pace.step:
            s, _ = judged(task, replace(s, activations=a, deltas=delta, current=int(task.rows[i])))
            yield update_step(problem, p, task, s)
    return s, None


def batch_epoch(problem: Problem, p: Params, task: Lesson, s: State, order: Int, pace: Pace) -> Epoch:
    """One step with the mean over all examples; the looks at each of them change nothing."""
    if pace.detail:
        for i in order:
            yield from look(problem, task, s, i, *nets.one_example(task.units, s.weights, task.X[i], task.Y[i]))
    weights = nets.learnt(s.weights, *nets.one_example(task.units, s.weights, task.X, task.Y), p.rate, p.decay)
    if not nets.bounded(weights):
        return s, -1
    s = replace(s, before=s.weights, weights=weights)
    if pace.step:
        s, _ = judged(task, s)
        yield update_step(problem, p, task, s)
    return s, None


def look(problem: Problem, task: Lesson, s: State, i: int, a: Arrays, delta: Arrays) -> Iterator[Step[State]]:
    """Forward layer by layer, then backward layer by layer, all with the old weights."""
    gaps, row, y, w = len(s.weights), int(task.rows[i]), task.Y[i], s.weights

    def seen(line: str, said: Note, forwards: int, backwards: int = 0) -> Step[State]:
        unknown = gaps - backwards
        later = tuple(pictures.EMPTY for _ in range(unknown)) + delta[unknown:] if backwards else ()
        earlier = a[:forwards] + tuple(pictures.EMPTY for _ in a[forwards:])
        now = replace(s, before=w, activations=earlier, deltas=later, current=row)
        return step(line, task, now, said, Level.DETAIL)

    yield seen("input", late_note(words.input_note, problem, row, y), 1)
    for layer in range(1, gaps + 1):
        yield seen("forward", late_note(words.forward_note, w, a, layer, task.units.of(layer - 1, gaps)), layer + 1)
    yield seen("output", late_note(words.output_note, w, a, delta, y, task.units.output), gaps + 1, 1)
    for layer in range(gaps - 1, 0, -1):
        said = late_note(words.hidden_note, w, a, delta, layer, task.units.hidden)
        yield seen("hidden", said, gaps + 1, gaps - layer + 1)


# -- steps with their words --------------------------------------------------------------------------------------------


def step(
    line: str, task: Lesson, s: State, said: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()
) -> Step[State]:
    wrong = {} if task.regress else {"errors": float(s.errors)}
    return Step(line, s, said, level, {**wrong, "rmse": s.loss**0.5, "loss": s.loss}, events)


def update_step(problem: Problem, p: Params, task: Lesson, s: State) -> Step[State]:
    told = words.told(problem, s.loss, s.errors, s.current)
    return step("update", task, s, late_note(words.update_note, s.before, s.weights, p.rate, p.decay, told))


def epoch_step(problem: Problem, task: Lesson, s: State, worst: int, events: tuple[str, ...]) -> Step[State]:
    told, said = words.told(problem, s.loss, s.errors, s.current), s.activations[-1]
    note = words.end_note(s.epoch, told, said, task.Y[worst], events)
    return step("until", task, s, note, Level.ROUND, ("round", *events))


# -- the model ---------------------------------------------------------------------------------------------------------


def units(problem: Problem, p: Params) -> Units:
    told = None if problem.regress else outputs(problem, p.outputs.endswith("aside"), p.outputs.endswith("class"))
    return Units(ACTIVATIONS[p.activation], ACTIVATIONS["identity" if problem.regress else "logistic"], told)


def judged(task: Lesson, s: State) -> tuple[State, int]:
    """The state with its loss and errors, and which example is worst."""
    loss, errors, worst = task.judge(s.weights)
    return replace(s, loss=loss, errors=errors), worst


def tweak(problem: Problem, p: Params, s: State, link: tuple[int, ...], value: float) -> State:
    """The weight of link (layer, from, to) set by hand; the example at hand goes forward again."""
    weights = nets.with_weight(s.weights, link, value)
    a = nets.forward(units(problem, p), weights, problem.X[s.current]) if s.current >= 0 else ()
    now = replace(s, before=s.weights, weights=weights, activations=tuple(map(frozen, a)), deltas=())
    return judged(nets.lesson(problem, units(problem, p)), now)[0]


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Classes by the largest output, with one output by a ≥ ½; or values."""
    inputs = nets.deciding_inputs(units(problem, p), s.weights, X)
    return inputs[:, 0] if problem.regress else classify(inputs)  # type: ignore[return-value]


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return nets.grid_score(problem, units(problem, p), s.weights, grid)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    if problem.regress:
        return np.full(grid.shape, -1.0)
    return nets.grid_classes(problem, units(problem, p), s.weights, grid)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    net, weights = units(problem, p), units(problem, p).deciding(s.weights)
    a = nets.forward(net, weights, x)
    label = -1 if problem.regress else int(predict(problem, p, s, x[None])[0])
    said = words.explained_note(problem, weights, a, net.output, label)
    return Explanation(label, said, pictures.output_bars(problem, net, weights, a))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    said = predict(problem, p, step.state, problem.X)
    return pictures.network_scene(problem, units(problem, p), step.line, step.state, said)


def chips(p: Params) -> tuple[str, ...]:
    return (f"{', '.join(map(short, p.hidden)) or 'no'} hidden units", p.activation, f"α {short(p.rate)}")


def example() -> Problem:
    """XOR, which a single unit cannot learn."""
    return prepare(textbook("xor"))


ALGORITHM = former(
    key="backpropagation",
    title="Back-propagation",
    family="networks",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.3", "AIMA 18.7.4", "AIMA Fig 18.24"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    tweak=tweak,
    scene=scene,
    predict=predict,
    scores=lambda problem, p, s, X: of_classes(nets.deciding_inputs(units(problem, p), s.weights, X)),
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(values=True, min_classes=2, numeric=True),
    example=example,
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("rmse", "root of the mean squared error", digits=3),
        Curve("loss", "mean squared error", digits=4),
    ),
    events=("round", "clean", "converged", "diverged"),
    errata=(
        "AIMA Fig 18.24 draws the random weights inside the repeat loop: every epoch would forget the one before. Here they "
        "are drawn once, before the loop.",
        "The figure's backward loop runs down to layer 1. The inputs have no in and no Δ: it stops at layer 2.",
        "AIMA 18.7.4 derives ∂Loss/∂w = −aΔ. Of the squared loss it is −2aΔ, and for a hidden weight Δ holds the sum over "
        "all outputs. The rate α takes up the 2, but a gradient check shows a ratio of exactly 2.",
        "All Δ are computed with the old weights; only then the weights change.",
        "AIMA Fig 18.20(b) has two output units; its caption speaks of one.",
        "AIMA 18.7.4 reports a perfect fit to 100 restaurant rows. Some start weights lead there, others end nearby.",
    ),
    chips=chips,
    summary="Units in layers pass their answers forward. What is wrong at the outputs is passed back over the same links as "
    "blame for every hidden unit, and each weight takes a small step downhill. Hidden units bend the boundary.",
)
