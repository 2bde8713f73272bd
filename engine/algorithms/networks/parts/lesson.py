"""What a network is to learn and how it learns it: forward, backward, a step of the weights.

AIMA 18.7.4, Fig 18.24.
"""

from itertools import pairwise
from typing import Annotated, Any, TypeVar

from engine.algorithms.networks.parts import Arrays, Units, all_answers, output_inputs
from engine.algorithms.networks.parts.outputs import Outputs, outputs
from engine.authoring import (
    EngineError,
    Fits,
    Float,
    Help,
    Int,
    Label,
    Problem,
    Rng,
    Sequence,
    Setting,
    cached_property,
    frozen,
    np,
    replace,
    short,
)
from engine.core.notation import counted
from engine.core.sums import add_up
from engine.numerics.activations import ACTIVATIONS
from engine.numerics.class_scores import classify, of_classes

P = TypeVar("P")
MOST_LAYERS, MOST_UNITS = 6, 256
HUGE = 1e300  # shown for a loss beyond all numbers
EMPTY = frozen(np.zeros(0))
START = (
    "all weights, gap by gap: from the first unit to every unit after it, …, from the bias to every"
    " unit"
)
FLAT = 0.01  # share of the steepest slope of g below which a unit hardly learns
# a weight beyond it will not come back; products of a few such weights are still finite
LIMIT = 1e12


class Lesson(Setting[P]):
    """The examples whose target is known: rows (n,) of the problem; X (n, d); Y (n, m) what the
    outputs should say, the value, or 0 and 1 as `units.told`. The page's `Params` have hidden,
    activation and rate.
    """

    p: Any
    decay = 0.0  # what a weight loses at a step, in parts of the rate

    @cached_property
    def told(self) -> Outputs | None:
        return None if self.problem.regress else outputs(self.problem, False)

    @cached_property
    def units(self) -> Units:
        output = ACTIVATIONS["identity" if self.problem.regress else "logistic"]
        return Units(ACTIVATIONS[self.p.activation], output, self.told)

    @cached_property
    def rows(self) -> Int:
        """Raises EngineError when no target is known."""
        rows = np.flatnonzero(
            np.isfinite(self.problem.y) if self.problem.regress else self.problem.labelled
        )
        if not len(rows):
            raise EngineError("No example has a target: there is nothing to learn from.")
        return frozen(rows)

    @cached_property
    def X(self) -> Float:
        return frozen(self.problem.X[self.rows])

    @cached_property
    def Y(self) -> Float:
        """Raises EngineError when a column aside does not tell all that it should teach."""
        told = self.units.told
        Y = np.asarray(
            self.problem.y[self.rows][:, None] if told is None else told.Y[self.rows], np.float64
        )
        if told is not None and np.isnan(Y).any():
            name = told.names[int(np.isnan(Y).any(axis=0).argmax())]
            raise EngineError(
                f"“{name}” does not say what its output should be in every row: fill it, or choose"
                " other outputs."
            )
        return Y

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Units per layer."""
        return (self.problem.d, *layer_sizes(self.p.hidden), self.Y.shape[1])

    def wanted(self, row: int) -> Float:
        """(m,) what the outputs should say of a row of the problem."""
        return np.asarray(self.Y[int(np.searchsorted(self.rows, row))])

    def forward(self, weights: Arrays, x: Float) -> Arrays:
        """What every layer answers, inputs first, to one example (d,) or to rows (n, d)."""
        return all_answers(self.units, weights, x)

    def flat_answers(self, weights: Arrays) -> tuple[int, int]:
        """How many answers of logistic and tanh units to the examples have almost no slope, and how
        many there are.
        """
        flat = count = 0
        for gap, answers in enumerate(self.forward(weights, self.X)[1:]):
            unit = self.units.of(gap, len(weights))
            if np.isfinite(unit.high):
                steepest = unit.slope(np.asarray((unit.low + unit.high) / 2))
                flat += int(np.count_nonzero(unit.slope(answers) < FLAT * steepest))
                count += answers.size
        return flat, count

    @np.errstate(over="ignore", invalid="ignore")
    def backward(self, weights: Arrays, a: Arrays, y: Float) -> Arrays:
        """Δ[j] ← g′·(y[j] − a[j]) at the outputs, Δ[i] ← g′·Σ w[i,j]·Δ[j] before them. ∂Σ (y −
        a)²/∂w = −2 a Δ
        """
        deltas = [self.units.output.slope(a[-1]) * (y - a[-1])]
        for w, answers in zip(weights[:0:-1], a[-2:0:-1], strict=True):
            deltas.append(self.units.hidden.slope(answers) * (deltas[-1] @ w[:-1].T))
        return tuple(map(frozen, reversed(deltas)))

    @np.errstate(over="ignore", invalid="ignore")
    def learnt(self, weights: Arrays, a: Arrays, deltas: Arrays) -> Arrays:
        """w[i,j] ← w[i,j] + α·a[i]·Δ[j], for rows by the mean; before it w ← w − α λ w, but for the
        bias.
        """
        after = [w.copy() for w in weights]
        rate = self.p.rate
        for w, one, delta in zip(
            after, map(np.atleast_2d, a), map(np.atleast_2d, deltas), strict=False
        ):
            w[:-1] *= 1.0 - rate * self.decay
            w[:-1] += rate / len(one) * (one.T @ delta)
            w[-1] += rate / len(one) * delta.sum(0)
        return tuple(map(frozen, after))

    def judged(self, s: Any) -> tuple[Any, int]:
        """The state with its loss, the mean of Σ (y − a)², and errors; and which example
        is worst.
        """
        loss, errors, worst = self._judge(s.weights)
        return replace(s, loss=loss, errors=errors), worst

    @np.errstate(over="ignore", invalid="ignore")
    def _judge(self, weights: Sequence[Float]) -> tuple[float, int, int]:
        inputs = output_inputs(self.units, weights, self.X)
        squares = ((self.Y - self.units.output.g(inputs)) ** 2).sum(1)
        loss = float(squares.mean())
        own = self.units.told.own if self.units.told is not None else 0
        wrong = (
            int((classify(inputs[:, :own]) != self.problem.codes[self.rows]).sum()) if own else 0
        )
        return loss if loss < HUGE else HUGE, wrong, int(squares.argmax())

    # -- the model ---------------------------------------------------------------------------------

    def metrics(self, s: Any) -> dict[str, float]:
        wrong = {} if self.problem.regress else {"errors": float(s.errors)}
        return {**wrong, "rmse": s.loss**0.5, "loss": s.loss}

    def inputs(self, s: Any, X: Float) -> Float:
        """in of the output units that decide, for rows X. (m, k)"""
        return output_inputs(self.units, self.units.deciding(s.weights), X)

    def predict(self, s: Any, X: Float) -> Any:
        """Classes by the largest output, with one output by a ≥ ½; or values."""
        inputs = self.inputs(s, X)
        return inputs[:, 0] if self.problem.regress else classify(inputs)

    def scores(self, s: Any, X: Float) -> Float:
        return of_classes(self.inputs(s, X))

    def fits(self, weights: Sequence[Float]) -> None:
        """Raises EngineError when weights to go on from are of another network."""
        if [w.shape for w in weights] != [(a + 1, b) for a, b in pairwise(self.sizes)]:
            here = "-".join(str(len(w) - 1) for w in weights) + f"-{weights[-1].shape[1]}"
            wanted = "-".join(map(str, self.sizes))
            raise EngineError(
                f"These weights are of a {here} network and cannot go on in a {wanted} one: start"
                " anew."
            )


def random_weights(sizes: Sequence[int], scale: float, rng: Rng) -> Arrays:
    """Small random weights, uniform between ±scale, for layers of these sizes."""
    return tuple(frozen(rng.uniform(-scale, scale, (n + 1, m))) for n, m in pairwise(sizes))


def bounded(weights: Sequence[Float]) -> bool:
    """Every weight is a number below the limit."""
    return all(w.min() > -LIMIT and w.max() < LIMIT for w in weights)


def layer_sizes(text: Sequence[float]) -> tuple[int, ...]:
    """The hidden layers as a person wrote them, checked."""
    if len(text) > MOST_LAYERS or any(n != int(n) or not 1 <= n <= MOST_UNITS for n in text):
        raise EngineError(
            f"Hidden units must be at most {MOST_LAYERS} whole numbers from 1 to {MOST_UNITS}, one"
            f" for each hidden layer; they are {', '.join(map(short, text))}."
        )
    return tuple(int(n) for n in text)


def shaped(flat: Sequence[float], sizes: Sequence[int]) -> Arrays:
    """Weights written as one list, gap by gap, row by row, as arrays."""
    shapes = [(n + 1, m) for n, m in pairwise(sizes)]
    counts = [n * m for n, m in shapes]
    if (wanted := int(add_up(counts))) != len(flat):
        net = "-".join(map(str, sizes))
        raise EngineError(
            f"Start w needs {counted(wanted, 'number')} for a {net} network; it has {len(flat)}."
        )
    parts = np.split(np.asarray(flat, np.float64), np.cumsum(counts)[:-1])
    return tuple(
        frozen(part.reshape(shape).copy()) for part, shape in zip(parts, shapes, strict=True)
    )


def start_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.start` has not one number for each weight of the network."""
    kind = getattr(p, "outputs", "one")
    told = outputs(problem, kind.endswith("aside"), kind.endswith("class"))
    units = 1 if problem.regress else len(told.names)
    shaped(p.start, (problem.d, *layer_sizes(p.hidden), units))


StartWeights = Annotated[tuple[float, ...], Label("Start w"), Help(START), Fits(start_fits)]
