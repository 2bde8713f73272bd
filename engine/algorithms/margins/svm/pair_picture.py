"""What the picture says of the pair of a step: what b each asks for, how its α moves, and a heading
of the plane with what comes of it.
"""

from engine.algorithms.margins.svm import Setting, State
from engine.authoring import Step, frozen, replace
from engine.base.notation import counted, fixed, number, short, telling_digits

MOST = 150  # support vectors up to which the former boundary of a curved kernel is looked for


def pair_labels(given: Setting, step: Step[State]) -> tuple[str, ...]:
    """What stands beside the examples of the pair after their names, in their order; () without."""
    s = step.state
    if step.line == "choose":
        return tuple(needed_b(given, s, *step.details["pair"].asks))
    if step.line == "b":
        texts = needed_b(given, s, *step.details["demands"])
        return tuple(texts) if len(s.pair) > 1 else ()
    if not s.before:
        return ()
    return tuple(
        change("α ", was, float(s.alpha[k])) for k, was in zip(s.pair, s.before, strict=True)
    )


def needed_b(given: Setting, s: State, least: float, most: float) -> list[str]:
    """What b an example asks for at least and another at most, with digits that tell them apart.
    least, most: measured from the origin of the rows
    """
    shift = given.shift(s.w)
    low, high = least - shift, most - shift
    digits = telling_digits(low, high)
    return [f"b ≥ {fixed(low, digits)}", f"b ≤ {fixed(high, digits)}"]


def change(name: str, before: float, after: float) -> str:
    """A number before and after a step, with digits that tell them apart."""
    digits = telling_digits(before, after)
    return f"{name}{number(before, digits)} → {number(after, digits)}"


def former(given: Setting, step: Step[State]) -> State | None:
    """The model before the pair moved; None for another step, and where all α were 0 or very many
    are not.
    """
    s = step.state
    if step.line not in ("move", "clip") or (s.w is None and s.support > MOST):
        return None
    rows = list(s.pair)
    alpha = s.alpha.copy()
    alpha[rows] = s.before
    if not alpha.any():
        return None
    w = s.w
    if w is not None:
        w = w + ((alpha - s.alpha) * given.sign)[rows] @ given.X[rows]
    return replace(s, alpha=frozen(alpha), b=step.details["was"][0], w=w)


def heading(given: Setting, step: Step[State]) -> str:
    """What the step comes to, above the plane."""
    s = step.state
    if step.line == "start":
        return "All α are 0"
    if step.line == "choose":
        high, low = step.details["pair"].asks
        return f"A pair that disagrees about b by {number(high - low)}"
    if step.line in ("move", "clip"):
        return change("Their α move: largest disagreement ", step.details["was"][1], s.violation)
    if step.line == "b":
        return f"b goes midway: {fixed(s.b)}"
    if step.line == "return":
        tolerance = short(given.p.tolerance)
        return f"Done: no pair disagrees about b by more than {tolerance}"
    if "not separable" in step.events:
        return "Not separable: α would grow for ever"
    last = "Stopped after" if "stopped" in step.events else "After"
    return f"{last} {counted(s.moves, 'pair')}: largest disagreement {number(s.violation, 4)}"
