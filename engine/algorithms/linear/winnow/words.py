"""What Winnow says, in fractions. MMDS 12.2.3, Figs 12.7 and 12.9."""

from fractions import Fraction

from engine.algorithms.linear.winnow import Params, Setting, State
from engine.authoring import Explanation, Fact, Float, Formula, Int, Mapping, Note, Operand, note, np, short
from engine.core.notation import value_text
from engine.core.sums import add_up
from engine.pictures.linear import explain_score
from engine.pictures.mistakes import round_over, weights_of

SUMMARY = (
    "For yes/no columns. After a missed positive example it doubles the weights of the columns that are on, after a "
    "missed negative one it halves them, so columns that do not matter fade quickly."
)
ERRATA = (
    "MMDS 12.2.3 presents Winnow as converging whenever a separating w and θ exist. It need not: on AND of two columns "
    "(θ = 2, factor 2) the weights are powers of 2 and never satisfy w₁, w₂ < 2 < w₁ + w₂. A smaller factor helps there.",
    "MMDS 12.2.4: with a learned θ it need not converge either, not even on the chapter's own Exercise 12.2.1(d) in the "
    "printed order with equality counted as an error.",
    "The advice on the factor, not too near 1 and not too large, is right; but 2 is already too large for some data.",
)
LONG = 100_000  # of numerator and denominator
TERMS = 12  # weights that a sum writes out
SCORE = Formula("w · x =", "{sum}", "{score} {sign} θ = {theta}")
CHANGE = Formula("w ←", "{before} {times} where x = 1", "{after}")
THETA = Formula("θ ←", "{theta_before} {opposite}", "{theta_after}")
WRONG = Fact("wrong points", "{errors}")
HOPELESS = " Winnow need not converge, even on data that a line separates; try another factor or the other threshold."
ENDINGS = {
    "converged": "Round {round} passed without a mistake: the weights will never change again.",
    "cycle": "{mistakes} {mistakes:mistake|mistakes}, and these are {ends} again: it would go on in this circle for ever."
    + HOPELESS,
    "diverged": "{mistakes} {mistakes:mistake|mistakes}, and some weight runs away without end." + HOPELESS,
    "rounds": "{mistakes} {mistakes:mistake|mistakes} in the last round that was allowed." + HOPELESS,
}


def wording(p: Params) -> Mapping[str, str]:
    return {"test": "    right: y = +1 just where w·x ≥ θ"} if p.equality == "positive" else {}


def chips(p: Params) -> tuple[str, ...]:
    equal = ("w·x = θ is positive",) if p.equality == "positive" else ()
    return ("θ = d" if p.threshold == "d" else "θ learned", f"factor {short(p.factor)}", *equal)


def start(given: Setting, s: State) -> Note:
    values = given.exact(s.powers)
    return note(
        "Every column starts with the weight 1; the threshold is θ = {theta}.",
        theta=Operand(values[-1], "θ", "w"),
        w=Operand(values[:-1], "w", "w"),
    )


def round(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def take(given: Setting, s: State) -> Note:
    return note("Look at {point}, which is {label}. On: {columns}.", columns=_on(given, s), **_example(given, s))


def test(given: Setting, s: State) -> Note:
    lead = "{point} is {label} and lies on its side of θ. Nothing changes."
    return note(lead, SCORE, **_sum(given, s.powers, s.current), **_example(given, s))


def double(given: Setting, s: State) -> Note:
    """The example s.current was not on its side by the powers s.before."""
    up, by = given.sign[s.current] > 0, short(given.p.factor)
    before, after = given.exact(s.before), given.exact(s.powers)
    what = ("Double" if up else "Halve") if given.factor == 2 else f"{'Multiply' if up else 'Divide'} by {by}"
    side = ("below" if given.fires else "not above") if up else "not below"
    lead = f"Mistake: {{point}} is {{label}}, but w · x is {side} θ. {what}: {{columns}}."
    if not given.problem.X[s.current].any():
        lead = "Mistake: {point} is {label}, but no column is on, so no weight can change."
        lead += "" if given.learned else " While θ is fixed this example will be wrong for ever."
    return note(
        lead,
        *((SCORE, CHANGE, THETA, WRONG) if given.learned else (SCORE, CHANGE, WRONG)),
        columns=_on(given, s),
        times=f"{'×' if up else '÷'} {by}",
        opposite=f"{'÷' if up else '×'} {by}",
        before=Operand(_vector(before), "w", "before"),
        after=Operand(_vector(after), "w", "w"),
        theta_before=Operand(readable(before[-1]), "θ", "before"),
        theta_after=Operand(readable(after[-1]), "θ", "w"),
        errors=s.errors,
        **_sum(given, s.before, s.current),
        **_example(given, s),
    )


halve = double


def until(given: Setting, s: State, mistakes: int, ending: str, again: int) -> Note:
    values = given.exact(s.powers)
    return note(
        ENDINGS[ending] if ending else round_over(mistakes, s.errors),
        Fact("w", "{w}"),
        Fact("θ", "{theta}"),
        round=s.round,
        mistakes=mistakes,
        errors=s.errors,
        again=again,
        ends=weights_of(again),
        w=Operand(_vector(values), "w", "w"),
        theta=Operand(readable(values[-1]), "θ", "w"),
    )


def _sum(given: Setting, powers: Int, i: int) -> dict[str, Operand]:
    """The score term by term; many equal terms are only counted."""
    values = given.exact(powers)
    active = [v for v, on in zip(values[:-1], given.problem.X[i], strict=True) if on > 0]
    score = add_up(active, Fraction(0))
    terms = " + ".join(value_text(readable(v)) for v in active)
    return {
        "sum": Operand(terms if 0 < len(active) <= TERMS else f"{len(active)} weights", "Σ w where x = 1", "w"),
        "score": Operand(readable(score), "w · x"),
        "sign": Operand(">" if score > values[-1] else ("<" if score < values[-1] else "=")),
        "theta": Operand(readable(values[-1]), "θ", "w"),
    }


def readable(value: Fraction) -> Fraction | float:
    """A fraction as it is while a person would still write it, else a number."""
    return value if max(value.numerator, value.denominator) < LONG else float(value)


def _vector(values: tuple[Fraction, ...]) -> tuple[Fraction | float, ...]:
    return tuple(readable(v) for v in values[:-1])


def _on(given: Setting, s: State) -> str:
    problem = given.problem
    names = [f.title for f, on in zip(problem.features, problem.X[s.current], strict=True) if on > 0]
    return ", ".join(names[:TERMS]) + (" …" if len(names) > TERMS else "") if names else "nothing"


def _example(given: Setting, s: State) -> dict[str, Operand]:
    label = given.problem.class_text(int(given.problem.codes[s.current]))
    return {"point": Operand(given.problem.names[s.current], about="current"), "label": Operand(label)}


def explain(given: Setting, s: State, x: Float) -> Explanation:
    gap = given.gaps(x[None], s.powers)
    w, row = np.append(s.w, s.theta), given.extended(x[None])[0]
    return explain_score(given.problem, w, row, given.names, int(given.called(gap)[0]), float(gap[0]))
