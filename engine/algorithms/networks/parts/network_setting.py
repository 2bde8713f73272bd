"""What a network is to learn and how it learns it: forward, backward, a step of the weights.

AIMA 18.7.4, Fig 18.24.
"""

from itertools import pairwise
from typing import Annotated, Any, NamedTuple, TypeVar

from engine.algorithms.networks.parts import CALM, Arrays, Units, all_answers, output_inputs
from engine.algorithms.networks.parts.outputs import Outputs, outputs_for
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
from engine.base.notation import counted
from engine.base.sums import add_up
from engine.numerics.activations import ACTIVATIONS
from engine.numerics.class_scores import classify, of_classes

P = TypeVar("P")
MOST_LAYERS = 6
MOST_UNITS = 256
HUGE = 1e300  # shown for a loss beyond all numbers
EMPTY = frozen(np.zeros(0))
START = (
    "all weights, gap by gap: from the first unit to every unit after it, …, from the bias to every"
    " unit"
)
FLAT = 0.01  # share of the steepest slope of g below which a unit hardly learns
# a weight beyond it will not come back; products of a few such weights are still finite
LIMIT = 1e12


class Judgement(NamedTuple):
    """loss: mean of Σ (y − a)² over the examples; errors: how many of them are given another class,
    0 of values; worst: the example with the largest Σ (y − a)², the first of equals.
    """

    loss: float
    errors: int
    worst: int


class NetworkSetting(Setting[P]):
    """The examples whose target is known, the units that learn them, and how.

    The page's `Params` have hidden, activation and rate.
    """

    p: Any

    @property
    def decay(self) -> float:
        """λ, the weight decay: a step takes α·λ·w from a weight."""
        return 0.0

    @cached_property
    def targets(self) -> Outputs | None:
        """The targets of the output units; None for values."""
        return None if self.problem.regress else outputs_for(self.problem, False)

    @cached_property
    def units(self) -> Units:
        """The activations: as set for hidden units, logistic outputs for classes, linear ones for a
        value.
        """
        output = ACTIVATIONS["identity" if self.problem.regress else "logistic"]
        return Units(ACTIVATIONS[self.p.activation], output, self.targets)

    @cached_property
    def rows(self) -> Int:
        """(n,) the indices of the rows with a known target. Raises EngineError where there is
        none.
        """
        problem = self.problem
        known = np.isfinite(problem.y) if problem.regress else problem.labelled
        if not known.any():
            raise EngineError("No example has a target: there is nothing to learn from.")
        return frozen(np.flatnonzero(known))

    @cached_property
    def X(self) -> Float:
        """(n, d) the columns of these rows."""
        return frozen(self.problem.X[self.rows])

    @cached_property
    def Y(self) -> Float:
        """(n, m) the targets of the outputs: the value, or 0 and 1.

        Raises EngineError where a further column is not complete.
        """
        targets = self.targets
        if targets is None:
            return np.asarray(self.problem.y[self.rows][:, None], np.float64)
        Y = np.asarray(targets.Y[self.rows], np.float64)
        gaps = np.isnan(Y).any(axis=0)
        if gaps.any():
            name = targets.names[int(gaps.argmax())]
            raise EngineError(
                f"“{name}” does not say what its output should be in every row: fill it, or choose"
                " other outputs."
            )
        return Y

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of units of each layer, inputs first."""
        return (self.problem.d, *layer_sizes(self.p.hidden), self.Y.shape[1])

    def wanted(self, row: int) -> Float:
        """(m,) the targets of the outputs for a row of the problem."""
        return np.asarray(self.Y[int(np.searchsorted(self.rows, row))])

    # -- back-propagation of rows at once ----------------------------------------------------------

    def forward(self, weights: Arrays, x: Float) -> Arrays:
        """The activations of every layer, inputs first, for one example (d,) or rows (n, d)."""
        return all_answers(self.units, weights, x)

    @CALM
    def backward(self, weights: Arrays, a: Arrays, y: Float) -> Arrays:
        """Δ of every layer after the inputs, for targets y.

        Δ[j] ← g′·(y[j] − a[j]) at the outputs, Δ[i] ← g′·Σ w[i,j]·Δ[j] before them. ∂Σ (y − a)²/∂w
        = −2 a Δ.
        """
        deltas = [self.units.output.slope(a[-1]) * (y - a[-1])]
        for gap in range(len(weights) - 1, 0, -1):
            blame = deltas[0] @ weights[gap][:-1].T
            deltas.insert(0, self.units.hidden.slope(a[gap]) * blame)
        return tuple(map(frozen, deltas))

    @CALM
    def learnt(self, weights: Arrays, a: Arrays, deltas: Arrays) -> Arrays:
        """The weights after w[i,j] ← w[i,j] + α·a[i]·Δ[j], by the mean over rows; first w ← w − α λ
        w for all but biases.
        """
        after = []
        for gap, before in enumerate(weights):
            answers = np.atleast_2d(a[gap])
            delta = np.atleast_2d(deltas[gap])
            share = self.p.rate / len(answers)
            w = before.copy()
            w[:-1] *= 1.0 - self.p.rate * self.decay
            w[:-1] += share * (answers.T @ delta)
            w[-1] += share * delta.sum(0)
            after.append(frozen(w))
        return tuple(after)

    def flat_answers(self, weights: Arrays) -> tuple[int, int]:
        """(saturated activations, all activations) of logistic and tanh units over the examples;
        saturated ones have almost no slope.
        """
        flat = 0
        count = 0
        for gap, answers in enumerate(self.forward(weights, self.X)[1:]):
            unit = self.units.of(gap, len(weights))
            if np.isfinite(unit.high):
                steepest = unit.slope(np.asarray((unit.low + unit.high) / 2))
                flat += int(np.count_nonzero(unit.slope(answers) < FLAT * steepest))
                count += answers.size
        return flat, count

    @CALM
    def judge(self, weights: Sequence[Float]) -> Judgement:
        """The loss and errors of a network with these weights on the examples."""
        inputs = output_inputs(self.units, weights, self.X)
        squares = ((self.Y - self.units.output.g(inputs)) ** 2).sum(1)
        loss = float(squares.mean())
        errors = 0
        if self.targets is not None:
            said = classify(inputs[:, : self.targets.own])
            errors = int((said != self.problem.codes[self.rows]).sum())
        return Judgement(loss if loss < HUGE else HUGE, errors, int(squares.argmax()))

    def with_metrics(self, s: Any) -> Any:
        """The state with its loss and errors."""
        found = self.judge(s.weights)
        return replace(s, loss=found.loss, errors=found.errors)

    def wrong_held_out(self, s: Any) -> int:
        """The number of errors on the held-out rows; on the training rows where none is held
        out.
        """
        held_out = self.problem.held_out
        if held_out is None:
            return int(s.errors)
        known = held_out.labelled
        return int(np.count_nonzero(self.predict(s, held_out.X[known]) != held_out.codes[known]))

    # -- the model ---------------------------------------------------------------------------------

    def metrics(self, s: Any) -> dict[str, float]:
        """The metrics of a state: loss, its root, and for classes the errors."""
        wrong = {} if self.problem.regress else {"errors": float(s.errors)}
        return {**wrong, "rmse": s.loss**0.5, "loss": s.loss}

    def inputs(self, s: Any, X: Float) -> Float:
        """(m, k) the inputs in of the deciding output units for rows X (m, d)."""
        return output_inputs(self.units, self.units.deciding(s.weights), X)

    def predict(self, s: Any, X: Float) -> Any:
        """(m,) class codes by the largest output, or for one output by a ≥ ½; or values."""
        inputs = self.inputs(s, X)
        return inputs[:, 0] if self.problem.regress else classify(inputs)

    def scores(self, s: Any, X: Float) -> Float:
        """(m, classes) the outputs by which classes are ranked; (m,) for a single output."""
        return of_classes(self.inputs(s, X))

    def fits(self, weights: Sequence[Float]) -> None:
        """Raises EngineError when weights to go on from are of another network."""
        if [w.shape for w in weights] != [(a + 1, b) for a, b in pairwise(self.sizes)]:
            sizes = [len(w) - 1 for w in weights] + [weights[-1].shape[1]]
            raise EngineError(
                f"These weights are of a {net_text(sizes)} network and cannot go on in a"
                f" {net_text(self.sizes)} one: start anew."
            )


def net_text(sizes: Sequence[int]) -> str:
    """The sizes of the layers as text: "2-4-1"."""
    return "-".join(map(str, sizes))


def random_weights(sizes: Sequence[int], scale: float, rng: Rng) -> Arrays:
    """Random weights, uniform between ±scale; one array (n + 1, m) for each gap between layers of
    sizes n and m.
    """
    return tuple(frozen(rng.uniform(-scale, scale, (n + 1, m))) for n, m in pairwise(sizes))


def bounded(weights: Sequence[Float]) -> bool:
    """Whether every weight is finite and within ±LIMIT."""
    return all(w.min() > -LIMIT and w.max() < LIMIT for w in weights)


def layer_sizes(text: Sequence[float]) -> tuple[int, ...]:
    """The sizes of the hidden layers that a person typed; raises EngineError for anything but a
    short list of whole numbers.
    """
    if len(text) > MOST_LAYERS or any(n != int(n) or not 1 <= n <= MOST_UNITS for n in text):
        raise EngineError(
            f"Hidden units must be at most {MOST_LAYERS} whole numbers from 1 to {MOST_UNITS}, one"
            f" for each hidden layer; they are {', '.join(map(short, text))}."
        )
    return tuple(int(n) for n in text)


def shaped(flat: Sequence[float], sizes: Sequence[int]) -> Arrays:
    """A flat list of weights, gap by gap and row by row, as arrays. Raises EngineError where its
    length does not fit.
    """
    shapes = [(n + 1, m) for n, m in pairwise(sizes)]
    counts = [n * m for n, m in shapes]
    wanted = int(add_up(counts))
    if wanted != len(flat):
        raise EngineError(
            f"Start w needs {counted(wanted, 'number')} for a {net_text(sizes)} network; it has"
            f" {len(flat)}."
        )
    parts = np.split(np.asarray(flat, np.float64), np.cumsum(counts)[:-1])
    return tuple(
        frozen(part.reshape(shape).copy()) for part, shape in zip(parts, shapes, strict=True)
    )


def start_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.start` has not one number for each weight of the network."""
    kind = getattr(p, "outputs", "one")
    targets = outputs_for(problem, kind.endswith("aside"), kind.endswith("class"))
    units = 1 if problem.regress else len(targets.names)
    shaped(p.start, (problem.d, *layer_sizes(p.hidden), units))


StartWeights = Annotated[tuple[float, ...], Label("Start w"), Help(START), Fits(start_fits)]
