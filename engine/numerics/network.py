"""Feed-forward networks: forward pass, errors propagated backwards, the step downhill, the surface. AIMA 18.7.1, 18.7.4.

weights: one (n + 1, m) array per gap between two layers, the bias (weight of a₀ = 1) in the last row.
deltas: one (m,) array per gap, Δ of the units at its far end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from engine.core.arrays import Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.notation import counted, short
from engine.core.problem import Problem
from engine.core.sums import add_up
from engine.core.work import Work
from engine.numerics.activations import ACTIVATIONS, Activation, logistic
from engine.numerics.class_scores import classify
from engine.numerics.linear import plane_line
from engine.numerics.output_units import Outputs

Arrays = tuple[Float, ...]
MOST_LAYERS, MOST_UNITS = 6, 256
HUGE = 1e300  # shown for a loss beyond all numbers
AT_ONCE = 200  # examples learnt between two looks at stop
LIMIT = 1e12  # a weight beyond it will not come back; products of a few such weights are still finite
PLACES, ANSWERS = 1024, 65_536  # of a surface taken together at least, so that they stay in the cache


@dataclass(frozen=True)
class Units:
    """How the hidden and the output units answer; told: by the outputs, None for a value or where nobody learns."""

    hidden: Activation
    output: Activation
    told: Outputs | None = None

    def of(self, gap: int, gaps: int) -> Activation:
        """The units at the far end of this gap."""
        return self.output if gap == gaps - 1 else self.hidden

    def deciding(self, weights: Sequence[Float]) -> Arrays:
        """The weights without those of the outputs that tell something else than the class."""
        return (*weights[:-1], weights[-1][:, : self.told.own if self.told is not None else None])


NO_HIDDEN = Units(ACTIVATIONS["identity"], ACTIVATIONS["identity"])


def random_weights(sizes: Sequence[int], scale: float, rng: Generator) -> Arrays:
    """Small random weights, uniform between ±scale, for layers of these sizes."""
    return tuple(frozen(rng.uniform(-scale, scale, (n + 1, m))) for n, m in pairwise(sizes))


def forward(units: Units, weights: Sequence[Float], x: Float) -> list[Float]:
    """Answers a of every layer, inputs first, for one example (d,) or for rows (n, d)."""
    answers = [x]
    for gap, w in enumerate(weights):
        answers.append(units.of(gap, len(weights)).g(answers[-1] @ w[:-1] + w[-1]))
    return answers


def output_inputs(units: Units, weights: Sequence[Float], X: Float) -> Float:
    """in of the output units for rows X (n, d): their answers without the last g. (n, m)"""
    a = X
    for w in weights[:-1]:
        a = units.hidden.g(a @ w[:-1] + w[-1])
    return np.asarray(a @ weights[-1][:-1] + weights[-1][-1])


def deciding_inputs(units: Units, weights: Sequence[Float], X: Float) -> Float:
    """The same of those output units that tell the class, or the value."""
    return output_inputs(units, units.deciding(weights), X)


def backward(units: Units, weights: Sequence[Float], answers: Sequence[Float], y: Float) -> list[Float]:
    """Δ of every layer but the inputs: g′(in)·(y − a) at the outputs, g′(in)·Σ w Δ before them, by the present weights.

    For one example or for rows. ∂Loss/∂w = −2 a Δ for Loss = Σ (y − a)².
    """
    deltas = [units.output.slope(answers[-1]) * (y - answers[-1])]
    for w, a in zip(weights[:0:-1], answers[-2:0:-1], strict=True):
        deltas.append(units.hidden.slope(a) * (deltas[-1] @ w[:-1].T))
    return deltas[::-1]


def descend(
    weights: Sequence[Float], answers: Sequence[Float], deltas: Sequence[Float], rate: float, decay: float
) -> None:
    """w ← w + α a Δ for one example, in place; decay: λ, also w ← w − α λ w, the bias apart."""
    for w, a, delta in zip(weights, answers, deltas, strict=False):
        if decay:
            w[:-1] *= 1.0 - rate * decay
        w[:-1] += (rate * a)[:, None] * delta
        w[-1] += rate * delta


def descend_batch(
    weights: Sequence[Float], answers: Sequence[Float], deltas: Sequence[Float], rate: float, decay: float
) -> None:
    """The same with the mean of a Δ over rows."""
    share = rate / len(answers[0])
    for w, a, delta in zip(weights, answers, deltas, strict=False):
        if decay:
            w[:-1] *= 1.0 - rate * decay
        w[:-1] += share * (a.T @ delta)
        w[-1] += share * delta.sum(0)


def bounded(weights: Sequence[Float]) -> bool:
    """Every weight is a number below the limit."""
    return all(w.min() > -LIMIT and w.max() < LIMIT for w in weights)


@np.errstate(over="ignore", invalid="ignore")
def one_example(units: Units, weights: Sequence[Float], x: Float, y: Float) -> tuple[Arrays, Arrays]:
    """(answers, deltas) of one example, or of rows."""
    answers = forward(units, weights, x)
    return tuple(map(frozen, answers)), tuple(map(frozen, backward(units, weights, answers, y)))


@np.errstate(over="ignore", invalid="ignore")
def learn_in_order(
    units: Units, weights: Sequence[Float], X: Float, Y: Float, order: Int, rate: float, decay: float
) -> Arrays:
    """The weights after one example after the other."""
    learnt = [w.copy() for w in weights]
    for i in order:
        answers = forward(units, learnt, X[i])
        descend(learnt, answers, backward(units, learnt, answers, Y[i]), rate, decay)
    return tuple(map(frozen, learnt))


def learn_all(units: Units, weights: Arrays, X: Float, Y: Float, order: Int, rate: float, decay: float) -> Work[Arrays]:
    """The same, some examples at a time."""
    for at in range(0, len(order), AT_ONCE):
        weights = learn_in_order(units, weights, X, Y, order[at : at + AT_ONCE], rate, decay)
        yield
    return weights


@np.errstate(over="ignore", invalid="ignore")
def learnt(
    weights: Sequence[Float], answers: Sequence[Float], deltas: Sequence[Float], rate: float, decay: float
) -> Arrays:
    """The weights after one example, or after rows taken together."""
    after = [w.copy() for w in weights]
    step = descend if answers[0].ndim == 1 else descend_batch
    step(after, answers, deltas, rate, decay)
    return tuple(map(frozen, after))


def grid_inputs(problem: Problem, units: Units, weights: Sequence[Float], grid: Grid) -> Float:
    """in of the units that decide, for every place of the grid: the first layer is a sum per axis. (m, ny, nx)"""
    weights = units.deciding(weights)
    lines = [plane_line(problem, unit[:-1], float(unit[-1])) for unit in weights[0].T]
    across = np.array([w[0] for w, _ in lines])[:, None] * grid.x
    upright = np.array([w[1] for w, _ in lines])[:, None] * grid.y + np.array([[b] for _, b in lines])
    rows = max(1, PLACES // len(grid.x), ANSWERS // (len(grid.x) * max(w.shape[1] for w in weights)))
    parts = []
    for begin in range(0, len(grid.y), rows):
        a = (upright[:, begin : begin + rows, None] + across[:, None, :]).reshape(len(lines), -1)
        for w in weights[1:]:
            a = w[:-1].T @ units.hidden.g(a)
            a += w[-1][:, None]
        parts.append(a.reshape(len(a), -1, len(grid.x)))
    return np.concatenate(parts, axis=1)


def grid_classes(problem: Problem, units: Units, weights: Sequence[Float], grid: Grid) -> Float:
    """`classify` for every place of the grid. (ny, nx)"""
    inputs = grid_inputs(problem, units, weights, grid)
    return np.asarray(inputs[0] < 0 if len(inputs) == 1 else inputs.argmax(0), np.float64)


def grid_score(problem: Problem, units: Units, weights: Sequence[Float], grid: Grid) -> Float:
    """2a − 1 for two classes, or a₁ − a₂ of two outputs: 1 where the network is sure of the first, −1 of the other."""
    if len(problem.classes) != 2:
        return np.full(grid.shape, np.nan)
    a = logistic(grid_inputs(problem, units, weights, grid))
    return np.asarray(2.0 * a[0] - 1.0 if len(a) == 1 else a[0] - a[1])


def with_weight(weights: Arrays, link: Sequence[int], value: float) -> Arrays:
    """The weights with the one of link (gap, from, to) changed; from = n is the bias."""
    gap, i, j = link
    changed = weights[gap].copy()
    changed[i, j] = value
    return (*weights[:gap], frozen(changed), *weights[gap + 1 :])


# -- what is to be learnt ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Lesson:
    """The examples whose target is known. rows (n,) of the problem; X (n, d); Y (n, m) what the outputs should say: the
    value, or 0 and 1 as `units.told`; codes (n,) classes."""

    rows: Int
    X: Float
    Y: Float
    codes: Int
    units: Units
    regress: bool

    def wrong(self, inputs: Float) -> int:
        """How many examples are given another class, from the in of the output units."""
        own = self.units.told.own if self.units.told is not None else 0
        return int((classify(inputs[:, :own]) != self.codes).sum()) if own else 0

    @np.errstate(over="ignore", invalid="ignore")
    def judge(self, weights: Sequence[Float]) -> tuple[float, int, int]:
        """(loss, wrong examples, the example with the largest error): the loss is the mean of Σ (y − a)²."""
        inputs = output_inputs(self.units, weights, self.X)
        squares = ((self.Y - self.units.output.g(inputs)) ** 2).sum(1)
        loss = float(squares.mean())
        return loss if loss < HUGE else HUGE, self.wrong(inputs), int(squares.argmax())


def lesson(problem: Problem, units: Units) -> Lesson:
    """What `problem` teaches a network of these units. Raises EngineError when no target is known, or not all that a column
    aside should teach."""
    known = np.isfinite(problem.y) if problem.regress else problem.labelled
    rows, told = np.flatnonzero(known), units.told
    if not len(rows):
        raise EngineError("No example has a target: there is nothing to learn from.")
    Y = np.asarray(problem.y[rows][:, None] if told is None else told.Y[rows], np.float64)
    if told is not None and np.isnan(Y).any():
        name = told.names[int(np.isnan(Y).any(axis=0).argmax())]
        raise EngineError(
            f"“{name}” does not say what its output should be in every row: fill it, or choose other outputs."
        )
    return Lesson(rows, problem.X[rows], Y, problem.codes[rows], units, problem.regress)


def check_layers(weights: Sequence[Float], sizes: Sequence[int]) -> None:
    """Raises EngineError when weights to go on from are of another network than `sizes` (units per layer)."""
    if [w.shape for w in weights] != [(a + 1, b) for a, b in pairwise(sizes)]:
        here = "-".join(str(len(w) - 1) for w in weights) + f"-{weights[-1].shape[1]}"
        wanted = "-".join(map(str, sizes))
        raise EngineError(f"These weights are of a {here} network and cannot go on in a {wanted} one: start anew.")


def layer_sizes(text: Sequence[float]) -> tuple[int, ...]:
    """The hidden layers as a person wrote them, checked."""
    if len(text) > MOST_LAYERS or any(n != int(n) or not 1 <= n <= MOST_UNITS for n in text):
        raise EngineError(
            f"Hidden units must be at most {MOST_LAYERS} whole numbers from 1 to {MOST_UNITS}, one for each hidden layer; "
            f"they are {', '.join(map(short, text))}."
        )
    return tuple(int(n) for n in text)


def shaped(flat: Sequence[float], sizes: Sequence[int]) -> Arrays:
    """Weights written as one list, gap by gap, row by row, as arrays."""
    shapes = [(n + 1, m) for n, m in pairwise(sizes)]
    counts = [n * m for n, m in shapes]
    if add_up(counts) != len(flat):
        net = "-".join(map(str, sizes))
        raise EngineError(
            f"Start w needs {counted(int(add_up(counts)), 'number')} for a {net} network; it has {len(flat)}."
        )
    parts = np.split(np.asarray(flat, np.float64), np.cumsum(counts)[:-1])
    return tuple(frozen(part.reshape(shape).copy()) for part, shape in zip(parts, shapes, strict=True))
