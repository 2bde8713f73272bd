"""What Winnow says, in fractions. MMDS 12.2.3, Figs 12.7 and 12.9."""

from fractions import Fraction
from typing import Any

from engine.algorithms.linear.parts.words import example
from engine.algorithms.linear.parts.words import explain as explain
from engine.algorithms.linear.parts.words import round as round
from engine.algorithms.linear.winnow import Params, Setting, State
from engine.authoring import Fact, Formula, Mapping, Note, Operand, note, short
from engine.base.notation import counted, value_text
from engine.base.sums import add_up
from engine.scene.mistakes import round_over, weights_of

SUMMARY = (
    "For yes/no columns. After a missed positive example it doubles the weights of the columns that"
    " are on, after a missed negative one it halves them, so columns that do not matter fade"
    " quickly."
)
ERRATA = (
    (
        "MMDS 12.2.3 presents Winnow as converging whenever a separating w and θ exist. It need"
        " not: on AND of two columns (θ = 2, factor 2) the weights are powers of 2 and never"
        " satisfy w₁, w₂ < 2 < w₁ + w₂. A smaller factor helps there."
    ),
    (
        "MMDS 12.2.4: with a learned θ it need not converge either, not even on the chapter's own"
        " Exercise 12.2.1(d) in the printed order with equality counted as an error."
    ),
    (
        "The advice on the factor, not too near 1 and not too large, is right; but 2 is already too"
        " large for some data."
    ),
)
LONG = 100_000  # of numerator and denominator
TERMS = 12  # weights that a sum writes out
SCORE = Formula("w · x =", "{sum}", "{score} {sign} θ = {theta}")
CHANGE = Formula("w ←", "{before} {times} where x is 1", "{after}")
THETA = Formula("θ ←", "{theta_before} {opposite}", "{theta_after}")
NOW = Fact("w", "{after}"), Fact("θ", "{theta_after}")
WRONG = Fact("wrong points", "{errors}")
HOPELESS = (
    " Winnow need not converge, even on data that a line separates; try another factor or the other"
    " threshold."
)
ENDINGS = {
    "converged": "Round {round} passed without a mistake: the weights will never change again.",
    "cycle": (
        "{mistakes} {mistakes:mistake|mistakes}, and these are {ends} again: it would go on in this"
        " circle for ever." + HOPELESS
    ),
    "diverged": (
        "{mistakes} {mistakes:mistake|mistakes}, and some weight runs away without end." + HOPELESS
    ),
    "rounds": (
        "{mistakes} {mistakes:mistake|mistakes} in the last round that was allowed." + HOPELESS
    ),
}


def wording(p: Params) -> Mapping[str, str]:
    return {"test": "    right: y = +1 just where w·x ≥ θ"} if p.equality == "positive" else {}


def chips(p: Params) -> tuple[str, ...]:
    equal = ("w·x = θ is positive",) if p.equality == "positive" else ()
    return ("θ = d" if p.threshold == "d" else "θ learned", f"factor {short(p.factor)}", *equal)


def operands(given: Setting, s: State) -> dict[str, Any]:
    """What the lines say of a state: w and θ before this step and now; of its example the score
    term by term, many terms only counted, by the weights before this step.
    """
    now = given.exact(s.powers)
    then = given.exact(s.before)
    up = given.sign[s.current] > 0
    times = f"× {short(given.p.factor)}"
    over = f"÷ {short(given.p.factor)}"
    return {
        "theta": Operand(readable(then[-1]), "θ", "w"),
        "times": times if up else over,
        "opposite": over if up else times,
        "before": Operand(tuple(map(readable, then[:-1])), "w", "before"),
        "after": Operand(tuple(map(readable, now[:-1])), "w", "w"),
        "theta_before": Operand(readable(then[-1]), "θ", "before"),
        "theta_after": Operand(readable(now[-1]), "θ", "w"),
        "round": s.round,
        "errors": s.errors,
        **score_of(given, s, then),
        **example(given, s),
    }


def score_of(given: Setting, s: State, then: tuple[Fraction, ...]) -> dict[str, Any]:
    """The operands of the current example's active columns, and of its w · x with the weights
    `then` (θ last).
    """
    problem = given.problem
    row = problem.X[s.current] > 0
    names = [feature.title for feature, on in zip(problem.features, row, strict=True) if on]
    active = [weight for weight, on in zip(then, row, strict=False) if on]
    score = add_up(active, Fraction(0))
    terms = counted(len(active), "weight")
    if 0 < len(active) <= TERMS:
        terms = " + ".join(value_text(readable(weight)) for weight in active)
    columns = ", ".join(names[:TERMS]) or "nothing"
    sign = "="
    if score != then[-1]:
        sign = ">" if score > then[-1] else "<"
    return {
        "columns": columns + (" …" if len(names) > TERMS else ""),
        "sum": Operand(terms, "Σ w where x is 1", "w"),
        "score": Operand(readable(score), "w · x"),
        "sign": sign,
    }


def readable(value: Fraction) -> Fraction | float:
    """The fraction itself while it is short enough to read, else a float."""
    return value if max(value.numerator, value.denominator) < LONG else float(value)


def start(given: Setting, s: State) -> Note:
    return note(
        "Every column starts with the weight 1; the threshold is θ = {theta}.", **operands(given, s)
    )


def take(given: Setting, s: State) -> Note:
    return note("Look at {point}, which is {label}. On: {columns}.", **operands(given, s))


def test(given: Setting, s: State) -> Note:
    return note(
        "{point} is {label} and lies on its side of θ. Nothing changes.",
        SCORE,
        **operands(given, s),
    )


def double(given: Setting, s: State) -> Note:
    """The note of an update, for the error on example `s.current` with the powers `s.before`."""
    by = short(given.p.factor)
    if given.sign[s.current] > 0:
        what = "Double" if given.factor == 2 else f"Multiply by {by}"
        side = "below" if given.fires else "not above"
    else:
        what = "Halve" if given.factor == 2 else f"Divide by {by}"
        side = "not below"
    lead = f"Mistake: {{point}} is {{label}}, but w · x is {side} θ. {what}: {{columns}}."
    if not given.problem.X[s.current].any():
        lead = "Mistake: {point} is {label}, but no column is on, so no weight can change."
        if not given.learned:
            lead += " While θ is fixed this example will be wrong for ever."
    change = (CHANGE, THETA) if given.learned else (CHANGE,)
    return note(lead, SCORE, *change, WRONG, **operands(given, s))


halve = double


def until(given: Setting, s: State, mistakes: int, ending: str, again: int) -> Note:
    lead = ENDINGS[ending] if ending else round_over(mistakes, s.errors)
    return note(
        lead, *NOW, mistakes=mistakes, again=again, ends=weights_of(again), **operands(given, s)
    )
