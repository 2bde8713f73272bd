"""What linear learners say alike: an example, a round that begins, why a place is called what it
is.
"""

from typing import Any

from engine.algorithms.linear.parts.picture import weight_tags
from engine.authoring import Explanation, Float, Formula, Note, Operand, note
from engine.core.notation import label_text, product_digits
from engine.core.scene import Bars

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
    """The operands of a step at the rate η: the weights before and after it, how many were taken,
    point and label.
    """
    return {
        "before": Operand(given.former(s), symbol, "before", digits),
        "after": Operand(given.line(s), symbol, "w", digits),
        "eta": Operand(eta, "η", digits=-1 if eta == float(f"{eta:.6g}") else 4),
        "updates": s.updates,
        **example(given, s),
    }


def explain(given: Any, s: Any, x: Float) -> Explanation:
    """w · x term by term, the threshold's column among them; the bars call it as `given.names`
    does.
    """
    d = given.problem.d
    names = given.names
    w = given.line(s)
    row = given.extended(x[None])[0]
    score = given.scored(s, x[None])
    label = int(given.called(score)[0])
    total = float(score[0])
    digits = product_digits((w, row, total), column=False)
    words = note(
        "This is called {name}: w · x {sign} 0." if label >= 0 else ON_THE_LINE,
        Formula("w · x =", " + ".join(f"{{w{j}}} · {{x{j}}}" for j in range(len(w))), "{score}"),
        name=given.problem.class_text(label),
        sign=">" if total > 0 else ("<" if total < 0 else "="),
        score=Operand(total, "w · x"),
        **{
            f"w{j}": Operand(float(v), names[j] if j >= d else f"w{j + 1}", "w", digits)
            for j, v in enumerate(w)
        },
        **{
            f"x{j}": Operand(float(v), _constant(v) if j >= d else f"x{j + 1}", digits=digits)
            for j, v in enumerate(row)
        },
    )
    bars = (
        Bars("Part of each column", names, row * w, tags=weight_tags(given)) if len(w) > 4 else None
    )  # the formula shows a few itself
    return Explanation(label, words, bars)


def _constant(value: float) -> str:
    """What the threshold is multiplied by, in a row of symbols."""
    return f"({label_text(int(value))})" if value < 0 else label_text(int(value))
