"""Some visits of one unit that learns by itself, with what happened on the way. AIMA 18.7.2."""

import math
from typing import Any

from engine.authoring import Float, Int, Mapping, dataclass, frozen, np
from engine.core.sums import add_up
from engine.numerics.compiled import Changing, ChangingRows, Numbers, Rows, loop
from engine.numerics.mistakes import EQUAL, LEFT, cleared, next_mistake, reach_of


@dataclass(frozen=True, eq=False)
class UnitRound:
    """What happened to one unit: inputs (n,) its in for each example in order, and the weights after each change."""

    inputs: Float
    changes: Mapping[int, Any]
    size: int

    def weights(self, at: int) -> Float:
        """After the change at this place of the order."""
        return np.array(self.changes[at][: self.size], np.float64)

    def after(self, w: Float) -> Float:
        """The weights after the round that began with w."""
        return self.weights(max(self.changes)) if self.changes else w


def threshold_round(X: Float, y: Float, order: Int, w: Float, rate: float) -> UnitRound:
    """w ← w + α (y − h) x after every mistake. X (n, d + 1) with the 1s last. Between two mistakes w stands still, so
    the examples up to the next mistake are judged together; up to three columns are quicker in plain numbers."""
    sign, reach = np.nan_to_num(2.0 * y - 1.0), reach_of(X, rate)
    if X.shape[1] <= 3:
        return _round_of_three(X[order], sign[order], w, rate, reach)
    at, inputs = 0, []
    changes: dict[int, Any] = {}
    while at < len(order):
        miss, scores = next_mistake(X, sign, order, at, w, fires_at_zero=True, reach=reach)
        inputs.append(scores[: miss + 1 - at])
        if miss < len(order):
            row = order[miss]
            w = frozen(cleared(w + rate * sign[row] * X[row], reach))  # y − h is ±1 at a mistake
            changes[miss] = w
        at = miss + 1
    return UnitRound(np.concatenate(inputs) if inputs else np.zeros(0), changes, len(w))


def _round_of_three(X: Float, sign: Float, w: Float, rate: float, reach: Float) -> UnitRound:
    inputs, d = [], X.shape[1]
    largest = float(np.abs(X).max(initial=0.0))
    near = EQUAL * largest * (float((np.abs(w) + reach).sum()) + 3 * largest * abs(rate) * len(X))
    ru, rv, rt = np.pad(reach, (0, 3 - d)).tolist()
    changes: dict[int, Any] = {}
    u, v, t = np.pad(w, (0, 3 - d)).tolist()
    columns = np.pad(X, ((0, 0), (0, 3 - d))).T.tolist()
    for at, (x, y, z, side) in enumerate(zip(*columns, sign.tolist(), strict=True)):
        score = u * x + v * y + t * z
        if -near <= score <= near:  # perhaps 0, but for rounding, which a weight of 0 has none of
            terms = zip((u, v, t), (ru, rv, rt), (x, y, z), strict=True)
            size = add_up((abs(w) + more) * abs(value) for w, more, value in terms if w)
            score = 0.0 if abs(score) <= EQUAL * size else score
        inputs.append(score)
        if side and (score >= 0) != (side > 0):
            step = rate * side
            u, v, t = changes[at] = (
                _cleared(u + step * x, ru),
                _cleared(v + step * y, rv),
                _cleared(t + step * z, rt),
            )
    return UnitRound(np.asarray(inputs, np.float64), changes, d)


def _cleared(w: float, reach: float) -> float:
    return 0.0 if abs(w) <= LEFT * reach else w


@loop()
def sigmoid_visits(
    rows: Rows, wanted: Numbers, rate: float, w: Changing, inputs: Changing, after: ChangingRows
) -> None:
    """Each row whose y is known changes w. inputs: in of every row; after: w then, of as many rows as there is room for."""
    for at in range(len(wanted)):
        row, score = rows[at], 0.0
        for i in range(len(w)):
            score += w[i] * row[i]
        inputs[at] = score
        if wanted[at] == wanted[at]:
            h = 0.5 * math.tanh(0.5 * score) + 0.5
            step = rate * (wanted[at] - h) * h * (1.0 - h)
            for i in range(len(w)):
                w[i] += step * row[i]
        if at < len(after):
            after[at] = w[:]


def sigmoid_round(X: Float, y: Float, order: Int, w: Float, rate: float, watched: bool = True) -> UnitRound:
    """w ← w + α (y − h) h(1 − h) x after every example whose y is known. AIMA Eq 18.8"""
    rows, wanted, inputs, learnt = np.ascontiguousarray(X[order]), y[order], np.zeros(len(order)), w.copy()
    after = np.zeros((len(order) if watched else 0, len(w)))
    compiled = sigmoid_visits.compiled_for(rows.size)
    if compiled:
        compiled(rows, wanted, rate, learnt, inputs, after)
    else:
        plain = learnt.tolist(), inputs.tolist(), after.tolist()
        sigmoid_visits(rows.tolist(), wanted.tolist(), rate, *plain)
        learnt, inputs, after = (np.asarray(numbers, np.float64) for numbers in plain)
    known = np.flatnonzero(~np.isnan(wanted)).tolist()
    changes = {at: after[at] for at in known} if watched else dict.fromkeys(known[-1:], learnt)
    return UnitRound(inputs, changes, len(w))
