"""Forward, errors backward, the step downhill: for one example or for rows. AIMA 18.7.1, 18.7.4, Fig 18.24."""

from engine.algorithms.networks.parts import Arrays, Units
from engine.authoring import Float, Sequence, frozen, np


def forward(units: Units, weights: Sequence[Float], x: Float) -> list[Float]:
    """Answers a of every layer, inputs first, for one example (d,) or for rows (n, d)."""
    answers = [x]
    for gap, w in enumerate(weights):
        answers.append(units.of(gap, len(weights)).g(answers[-1] @ w[:-1] + w[-1]))
    return answers


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


@np.errstate(over="ignore", invalid="ignore")
def one_example(units: Units, weights: Sequence[Float], x: Float, y: Float) -> tuple[Arrays, Arrays]:
    """(answers, deltas) of one example, or of rows."""
    answers = forward(units, weights, x)
    return tuple(map(frozen, answers)), tuple(map(frozen, backward(units, weights, answers, y)))


@np.errstate(over="ignore", invalid="ignore")
def learnt(
    weights: Sequence[Float], answers: Sequence[Float], deltas: Sequence[Float], rate: float, decay: float
) -> Arrays:
    """The weights after one example, or after rows taken together."""
    after = [w.copy() for w in weights]
    step = descend if answers[0].ndim == 1 else descend_batch
    step(after, answers, deltas, rate, decay)
    return tuple(map(frozen, after))
