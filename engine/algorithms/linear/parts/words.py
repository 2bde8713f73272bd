"""What linear learners say alike: an example, a round that begins, why a place has its class."""

from typing import Any

from engine.algorithms.linear.parts.picture import weight_tags
from engine.authoring import Explanation, Float, Formula, Note, Operand, note
from engine.base.notation import label_text, product_digits
from engine.scene.scene import Bars

ON_THE_LINE = "This lies on the line, on neither side: w · x = 0."


def round(given: Any, s: Any) -> Note:
    return note("Round {round} begins.", round=s.round)


def example(given: Any, s: Any) -> dict[str, Operand]:
    """The operands point and label of the current example; none without one."""
    if s.current < 0:
        return {}
    label = given.problem.class_text(int(given.problem.codes[s.current]))
    return {
        "point": Operand(given.problem.names[s.current], about="current"),
        "label": Operand(label),
    }


def moved(given: Any, s: Any, eta: float, symbol: str = "w", digits: int = 2) -> dict[str, Any]:
    """The operands of a step at rate η: weights before and after, number of steps, point and
    label.
    """
    return {
        "before": Operand(given.previous_line(s), symbol, "before", digits),
        "after": Operand(given.line(s), symbol, "w", digits),
        "eta": Operand(eta, "η", digits=-1 if eta == float(f"{eta:.6g}") else 4),
        "updates": s.updates,
        **example(given, s),
    }


def explain(given: Any, s: Any, x: Float) -> Explanation:
    """The answer at x (d,), with w · x term by term, the threshold included."""
    w = given.line(s)
    row = given.extended(x[None])[0]
    score = given.scored(s, x[None])
    label = int(given.class_codes(score)[0])
    total = float(score[0])
    terms = " + ".join(f"{{w{j}}} · {{x{j}}}" for j in range(len(w)))
    words = note(
        "This is called {name}: w · x {sign} 0." if label >= 0 else ON_THE_LINE,
        Formula("w · x =", terms, "{score}"),
        name=given.problem.class_text(label),
        sign=sign_text(total),
        score=Operand(total, "w · x"),
        **factors(given, w, row, total),
    )
    if len(w) <= 4:  # the formula shows a few itself
        return Explanation(label, words)
    bars = Bars("Part of each column", given.names, row * w, tags=weight_tags(given))
    return Explanation(label, words, bars)


def sign_text(value: float) -> str:
    """The sign that compares the value with 0: "<", "=" or ">"."""
    if value == 0:
        return "="
    return ">" if value > 0 else "<"


def factors(given: Any, w: Float, row: Float, total: float) -> dict[str, Operand]:
    """The operands w0, x0, w1, x1, … of the terms of w · x, which add up to `total`."""
    d = given.problem.d
    digits = product_digits((w, row, total), column=False)
    operands = {}
    for j, (weight, value) in enumerate(zip(w.tolist(), row.tolist(), strict=True)):
        of_column = j < d
        name = f"w{j + 1}" if of_column else given.names[j]
        feature = f"x{j + 1}" if of_column else _constant(value)
        operands[f"w{j}"] = Operand(weight, name, "w", digits)
        operands[f"x{j}"] = Operand(value, feature, digits=digits)
    return operands


def _constant(value: float) -> str:
    """The feature of a threshold or bias, in a row of symbols."""
    text = label_text(int(value))
    return f"({text})" if value < 0 else text
