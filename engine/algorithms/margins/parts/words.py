"""What kernel methods say alike: a score written out as a sum over examples."""

from typing import Any

from engine.algorithms.margins.parts.lifted import Lifted
from engine.algorithms.margins.parts.picture import numbered
from engine.authoring import Float, Int, Operand

BY_HAND = 4  # terms that a formula shows one by one


def sum_terms(
    given: Lifted[Any], s: Any, rows: Int, near: Float, symbol: str, tag: str
) -> tuple[str, dict[str, Operand]]:
    """Σ α y K over these rows as the body of a formula, with its operands: near (m,) are the K, written out while they are
    few, else one sum of each class; symbol and tag of the multipliers."""
    if not 0 < len(rows) <= BY_HAND:
        sides = (("plus", "₊", given.sign[rows] > 0), ("minus", "₋", given.sign[rows] < 0))
        sums = {
            name: Operand(float(s.alpha[rows][on] @ near[on]), f"Σ{mark} {symbol} K", tag) for name, mark, on in sides
        }
        return "{plus} − {minus}", sums
    operands = dict[str, Operand]()
    for k, row in enumerate(rows.tolist()):
        operands[f"a{k}"] = Operand(s.alpha[row].item(), numbered(given.problem, row, symbol), tag)
        operands[f"y{k}"] = Operand("(+1)" if given.sign[row] > 0 else "(−1)", "y")
        operands[f"K{k}"] = Operand(float(near[k]), f"K({given.problem.names[row]}, x)")
    return " + ".join(f"{{a{k}}} · {{y{k}}} · {{K{k}}}" for k in range(len(rows))), operands
