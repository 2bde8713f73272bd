"""What kernel methods say alike: their kernel, a score written out as a sum over examples, why a
place is called what it is.
"""

from typing import Any

from engine.algorithms.margins.parts.kernel import Kernel
from engine.algorithms.margins.parts.lifted import Lifted
from engine.algorithms.margins.parts.picture import numbered, part_bars
from engine.authoring import Explanation, Float, Formula, Int, Operand, note, np, short
from engine.numerics.linear import signed_classes

BY_HAND = 4  # terms that a formula shows one by one
CALLED = "The score is {score}: this is called {name}."
ON_BOUNDARY = "The score is 0: this is on the boundary."


def kernel_chip(p: Any) -> str:
    """A short text for the kernel and its parameter: "rbf, γ = 2"."""
    if p.kernel == "rbf":
        return f"rbf, γ = {short(p.gamma)}"
    return f"K = {Kernel(p.kernel, p.degree, p.gamma).text()}"


def sum_terms(
    given: Lifted[Any], s: Any, rows: Int, near: Float, symbol: str, tag: str
) -> tuple[str, dict[str, Operand]]:
    """Σ α y K over these rows as the body of a formula, with its operands: near (m,) are the K,
    written out while they are few, else one sum of each class; symbol and tag of the multipliers.
    """
    if not 0 < len(rows) <= BY_HAND:
        sums = dict[str, Operand]()
        for name, mark, sign in (("plus", "₊", 1), ("minus", "₋", -1)):
            on = given.sign[rows] == sign
            sums[name] = Operand(float(s.alpha[rows][on] @ near[on]), f"Σ{mark} {symbol} K", tag)
        return "{plus} − {minus}", sums
    operands = dict[str, Operand]()
    for k, row in enumerate(rows.tolist()):
        operands[f"a{k}"] = Operand(s.alpha[row].item(), numbered(given.problem, row, symbol), tag)
        operands[f"y{k}"] = Operand("(+1)" if given.sign[row] > 0 else "(−1)", "y")
        operands[f"K{k}"] = Operand(float(near[k]), f"K({given.problem.names[row]}, x)")
    body = " + ".join(f"{{a{k}}} · {{y{k}}} · {{K{k}}}" for k in range(len(rows)))
    return body, operands


def explain_sum(
    given: Lifted[Any],
    s: Any,
    x: Float,
    symbol: str,
    name: str,
    about: tuple[str, str, str],
    b: bool,
    nothing: str,
) -> Explanation:
    """The score at x (d,) term by term; each example adds towards its own class.

    symbol: of the multipliers
    name: of the score
    about: the tags of multipliers, score and b
    b: whether there is a bias
    nothing: the sentence where there is no term yet
    """
    problem = given.problem
    score = float(given.score(s, x[None])[0])
    rows = np.flatnonzero(s.alpha)
    near = given.kernel.matrix(x[None], problem.X[rows])[0]
    label = int(signed_classes(np.asarray(score)))
    if not len(rows):
        return Explanation(label, note(nothing))
    body, operands = sum_terms(given, s, rows, near, symbol, about[0])
    if b:
        body += " + {b}"
    lead = ON_BOUNDARY if label < 0 else CALLED
    said = note(
        lead,
        Formula(f"{name} =", body, "{score}"),
        score=Operand(score, "score", about[1]),
        name=problem.class_text(label),
        b=Operand(s.b, "b", about[2]),
        **operands,
    )
    parts = s.alpha[rows] * given.sign[rows] * near
    title = f"{symbol} y K of each"
    return Explanation(
        label, said, part_bars(problem, rows, parts, s.b if b else None, title, about[0])
    )
