"""What networks share: how units answer, the in of the output units for rows and for the plane.

AIMA 18.7.1.

weights: one (n + 1, m) array per gap between two layers, the bias (weight of a₀ = 1) in the last
row.
"""

from engine.algorithms.networks.parts.outputs import Outputs
from engine.authoring import Float, Grid, Problem, Record, Sequence, frozen, np
from engine.numerics.activations import ACTIVATIONS, Activation, logistic
from engine.numerics.linear import plane_line
from engine.protocol.params import Written

Arrays = tuple[Float, ...]
ASIDE = Written((("target and columns aside", "+ aside"),))  # a drop-down has no room for more
CALM = np.errstate(over="ignore", invalid="ignore")  # weights that run away are seen by their size
# of a surface taken together at least, so that they stay in the cache
PLACES = 1024
ANSWERS = 65_536


class Units(Record):
    """How the units of a network answer.

    hidden, output: g of the hidden and of the output units
    targets: what the outputs should say, None for a value or where nothing is learnt
    """

    hidden: Activation
    output: Activation
    targets: Outputs | None = None

    def of(self, gap: int, gaps: int) -> Activation:
        """The activation of the units at the far end of a gap. gaps: number of gaps"""
        return self.output if gap == gaps - 1 else self.hidden

    def deciding(self, weights: Sequence[Float]) -> Arrays:
        """The weights without those of outputs for further columns, which do not decide the
        class.
        """
        if self.targets is None:
            return tuple(weights)
        return (*weights[:-1], weights[-1][:, : self.targets.own])


NO_HIDDEN = Units(ACTIVATIONS["identity"], ACTIVATIONS["identity"])


@CALM
def all_answers(units: Units, weights: Sequence[Float], x: Float) -> Arrays:
    """a[j] ← g(Σ w[i,j]·a[i]) of every layer, inputs first, for one example (d,) or for rows (n,
    d).
    """
    a = [x]
    for gap, w in enumerate(weights):
        g = units.of(gap, len(weights)).g
        a.append(g(a[-1] @ w[:-1] + w[-1]))
    return tuple(map(frozen, a))


def output_inputs(units: Units, weights: Sequence[Float], X: Float) -> Float:
    """(n, m) the inputs in of the output units for rows X (n, d), before the last g."""
    a = X
    for w in weights[:-1]:
        a = units.hidden.g(a @ w[:-1] + w[-1])
    return np.asarray(a @ weights[-1][:-1] + weights[-1][-1])


def grid_inputs(problem: Problem, units: Units, weights: Sequence[Float], grid: Grid) -> Float:
    """(m, ny, nx) the inputs in of the deciding output units on the grid."""
    weights = units.deciding(weights)
    lines = [plane_line(problem, unit[:-1], float(unit[-1])) for unit in weights[0].T]
    slopes = np.array([w for w, _ in lines])
    shifts = np.array([b for _, b in lines])
    across = slopes[:, :1] * grid.x
    upright = slopes[:, 1:] * grid.y + shifts[:, None]
    widest = max(w.shape[1] for w in weights)
    rows = max(1, PLACES // len(grid.x), ANSWERS // (len(grid.x) * widest))
    parts = []
    for begin in range(0, len(grid.y), rows):
        some = upright[:, begin : begin + rows, None]
        a = (some + across[:, None, :]).reshape(len(lines), -1)
        for w in weights[1:]:
            a = w[:-1].T @ units.hidden.g(a)
            a += w[-1][:, None]
        parts.append(a.reshape(len(a), -1, len(grid.x)))
    return np.concatenate(parts, axis=1)


def grid_classes(problem: Problem, units: Units, weights: Sequence[Float], grid: Grid) -> Float:
    """(ny, nx) the class codes of `classify` on the grid."""
    inputs = grid_inputs(problem, units, weights, grid)
    return np.asarray(inputs[0] < 0 if len(inputs) == 1 else inputs.argmax(0), np.float64)


def grid_score(problem: Problem, units: Units, weights: Sequence[Float], grid: Grid) -> Float:
    """(ny, nx) for two classes 2a − 1, or a₁ − a₂ of two outputs: 1 where the first class is
    certain, −1 the other; NaN for more classes.
    """
    if len(problem.classes) != 2:
        return np.full(grid.shape, np.nan)
    a = logistic(grid_inputs(problem, units, weights, grid))
    return np.asarray(2.0 * a[0] - 1.0 if len(a) == 1 else a[0] - a[1])


def with_weight(weights: Arrays, link: Sequence[int], value: float) -> Arrays:
    """The weights with one value at link (gap, from, to) replaced; from = n is the bias."""
    gap, i, j = link
    changed = weights[gap].copy()
    changed[i, j] = value
    return (*weights[:gap], frozen(changed), *weights[gap + 1 :])
