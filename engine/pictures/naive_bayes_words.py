"""Words, shares and bars of naive Bayes, in fractions as they are counted. MIT 2.5.3-2.5.25."""

from fractions import Fraction
from math import floor, log, log10
from typing import Any, Protocol

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import number, telling_digits, value_text
from engine.core.problem import Problem
from engine.core.records import replace
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.numerics.rates import Rates
from engine.pictures.boolean import has_map, two_valued

Exact = Fraction | float
Pair = tuple[Fraction, Fraction] | tuple[float, float]  # of both classes
LONG = 1_000_000  # of numerator and denominator
SMALL = 1e-300  # a number below it is written by its exact fraction: floats end there
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

TIMES = (
    Formula("S({plus}) ←", "{s0} · {r0}", "{t0}"),
    Formula("S({minus}) ←", "{s1} · {r1}", "{t1}"),
)
SUMS = (
    Formula("ln S({plus}) ←", "{l0} + ln {r0}", "{m0}"),
    Formula("ln S({minus}) ←", "{l1} + ln {r1}", "{m1}"),
)
PRIOR = (Fact("P({plus})", "{p0}"), Fact("P({minus})", "{p1}"))
COMPARE = Formula("", "{t0} {sign} {t1}")
COMPARE_LOGS = Formula("", "{m0} {sign} {m1}")
WEIGHTS = Fact("weights w of x = 1", "{w}")
BIAS = Fact("bias b", "{b}")
SCORE = Fact("w · x + b", "{wx} + {b} = {rule}")
WRONG = Fact("wrong examples", "{errors}")
TIE = "S must be strictly larger for the first class: a tie gives the second one"


class Chosen(Protocol):
    """The parameters that decide how products are reckoned and told."""

    @property
    def prior(self) -> bool: ...
    @property
    def logs(self) -> bool: ...
    @property
    def arithmetic(self) -> str: ...


class Counted(Protocol):
    """What the words need of a state."""

    @property
    def rates(self) -> Rates: ...
    @property
    def known(self) -> int: ...
    @property
    def query(self) -> Float: ...
    @property
    def used(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def errors(self) -> int: ...


def readable(value: Exact, digits: int = 4) -> Fraction | str:
    """A short fraction as it is, a longer one, or a float, as a number with so many decimals, however small it is."""
    if isinstance(value, float):
        return number(value, digits)
    if max(value.numerator, value.denominator) < LONG:
        return value
    return number(float(value), digits) if value == 0 or float(value) > SMALL else small_text(value, digits)


def small_text(value: Fraction, digits: int) -> str:
    """A positive fraction by a power of ten: '3.1416·10⁻⁶⁰³'."""
    exponent = floor(log10(value.numerator) - log10(value.denominator))
    mantissa, _, carried = f"{float(value * Fraction(10) ** -exponent):.{digits}e}".partition("e")
    return f"{mantissa}·10{str(exponent + int(carried)).translate(_RAISED)}"


def both(t: Pair) -> tuple[Fraction | str, Fraction | str]:
    """Two products for reading, with so many decimals that different ones look different."""
    pairs = ((readable(t[0], digits), readable(t[1], digits)) for digits in range(4, 17))
    shown = next(pairs)
    while t[0] != t[1] and shown[0] == shown[1]:
        following = next(pairs, None)
        if following is None:
            break
        shown = following
    return shown


def logarithm(value: Fraction) -> float:
    """ln of a fraction; of 0 it is −∞, and it does not underflow."""
    return log(value.numerator) - log(value.denominator) if value else float("-inf")


def both_logs(t: tuple[Fraction, Fraction]) -> tuple[str, str]:
    """The logarithms of two products, with so many decimals that different ones look different."""
    return _different(logarithm(t[0]), logarithm(t[1]))


def _different(a: float, b: float) -> tuple[str, str]:
    digits = max(3, telling_digits(a, b))
    return number(a, digits), number(b, digits)


def value_name(problem: Problem, column: int, value: float) -> str:
    feature = problem.features[column]
    text = str(int(value)) if two_valued(problem, column) else feature.text(value)
    return f"{feature.title} = {text}"


def classes(problem: Problem) -> dict[str, str]:
    return {"plus": problem.class_text(0), "minus": problem.class_text(1)}


# -- words -------------------------------------------------------------------------------------------------------------


def split_note(problem: Problem, rates: Rates) -> Note:
    return note(
        "Examples of class {plus}: {p}, of class {minus}: {n}. Nothing is counted yet, so all products are empty: a tie.",
        p=rates.totals[0],
        n=rates.totals[1],
        **classes(problem),
    )


def look_note(problem: Problem, s: Counted) -> Note:
    return note("Next column: {column}.", column=Operand(problem.features[s.column].title, about="rows"))


def class_note(problem: Problem, s: Counted, code: int) -> Note:
    """The shares in one class alone: the table of shares will show them, now there is only the column they come from."""
    j, rates = s.column, s.rates
    facts = [Fact(f"R({verbatim(value_name(problem, j, v))})", f"{{a{v}}}") for v in range(rates.sizes[j])]
    numbers = {f"a{v}": Operand(rates.share(j, v, code), about="rows") for v in range(rates.sizes[j])}
    column = Operand(problem.features[j].title, about="rows")
    return note(
        "{column} among the examples of class {label}.",
        *facts,
        column=column,
        label=problem.class_text(code),
        **numbers,
    )


def count_note(problem: Problem, s: Counted) -> Note:
    """R for every value of the column that was counted last."""
    j, rates = s.column, s.rates
    shares = [(rates.share(j, v, 0), rates.share(j, v, 1)) for v in range(rates.sizes[j])]
    facts = [
        Fact(f"R({verbatim(value_name(problem, j, v))})", f"{{a{v}}} in class {{plus}}, {{b{v}}} in class {{minus}}")
        for v in range(rates.sizes[j])
    ]
    numbers = {f"a{v}": Operand(a, about="column") for v, (a, _) in enumerate(shares)}
    numbers |= {f"b{v}": Operand(b, about="column") for v, (_, b) in enumerate(shares)}
    lead = "{column}: how often does each value occur in class {plus}, and how often in class {minus}?"
    if rates.laplace:
        lead += " Laplace: 1 more in each count, {size} more in its whole, so no share is 0 or 1."
    elif any(0 in (a.part, b.part) for a, b in shares):
        lead += " A share of 0 is a veto: this value alone rules its class out."
    column = Operand(problem.features[j].title, about="column")
    return note(lead, *facts, WRONG, column=column, size=rates.sizes[j], errors=s.errors, **numbers, **classes(problem))


def query_note(problem: Problem, s: Counted, p: Chosen) -> Note:
    values = ", ".join(value_name(problem, j, v) for j, v in enumerate(s.query[:12]))
    lead = "Which class has the example with {values}? "
    lead += "Each class starts with its share of the examples." if p.prior else "Both classes start with S = 1."
    shares = {f"p{code}": s.rates.prior[code] for code in (0, 1)} if p.prior else {}
    asked = Operand(values, about="query" if has_map(problem) else "")
    facts = (*(PRIOR if p.prior else ()), *((WEIGHTS, BIAS) if linear(s) else ()))
    return note(lead, *facts, values=asked, **shares, **rule(s, p), **classes(problem))


def linear(s: Counted) -> bool:
    """All columns have two values, so the comparison is a half-space over them (MIT 2.5.22)."""
    return all(size == 2 for size in s.rates.sizes)


def rule(s: Counted, p: Chosen) -> dict[str, Operand]:
    """The operands of w · x + b; x is 1 where the query has the value that counts as 1."""
    if not linear(s):
        return {}
    weights, bias = s.rates.odds[0], bias_of(s, p)
    ones = s.query == np.asarray(s.rates.ones or (1,) * len(weights))
    score = float(weights[ones].sum()) + bias
    shown = tuple(weights.tolist()) if len(weights) <= 12 else f"{len(weights)} numbers, below"
    return {
        "w": Operand(shown, "w", "weights"), "b": Operand(bias, "b", "weights"),
        "wx": Operand(float(weights[ones].sum()), "w · x"), "rule": Operand(score, "w · x + b"),
    }  # fmt: skip


def bias_of(s: Counted, p: Chosen) -> float:
    with np.errstate(invalid="ignore"):
        bias = float(s.rates.odds[1].sum())
    return bias + logarithm(s.rates.prior[0]) - logarithm(s.rates.prior[1]) if p.prior else bias


def products(s: Counted, prior: bool) -> tuple[Fraction, Fraction]:
    return s.rates.product(s.query, 0, s.used, prior), s.rates.product(s.query, 1, s.used, prior)


def compared(s: Counted, p: Chosen) -> Pair:
    """The two numbers of which the larger one wins: S, in fractions or floats, or in floats ln S where logarithms are added."""
    if p.arithmetic == "fractions":
        return products(s, p.prior)
    return s.rates.scores(s.query, s.used, p.prior, p.logs)


def texts(s: Counted, p: Chosen) -> tuple[tuple[Fraction | str, Fraction | str], tuple[str, str]]:
    """(S, ln S) of both classes for reading."""
    t = compared(s, p)
    if isinstance(t[0], Fraction) and isinstance(t[1], Fraction):
        return both((t[0], t[1])), both_logs((t[0], t[1]))
    if not p.logs:
        return both(t), _different(*(log(v) if v else float("-inf") for v in t))
    powers = (from_log(float(t[0])), from_log(float(t[1])))
    return powers, _different(float(t[0]), float(t[1]))


def from_log(value: float) -> str:
    """e to the power of it, however small."""
    if not np.isfinite(value) or value > log(SMALL):
        return number(float(np.exp(value)), 4)
    exponent = floor(value / log(10))
    return f"{10 ** (value / log(10) - exponent):.4f}·10{str(exponent).translate(_RAISED)}"


def factor_note(problem: Problem, s: Any, p: Chosen) -> Note:
    j, earlier = s.column, replace(s, used=s.column)
    (before, before_logs), (after, after_logs) = one_by_one(earlier, p), one_by_one(s, p)
    numbers: dict[str, Any] = {}
    for c in (0, 1):
        share = s.rates.share(j, int(s.query[j]), c)
        numbers[f"s{c}"], numbers[f"t{c}"] = Operand(before[c], "S"), Operand(after[c], "S")
        numbers[f"r{c}"] = Operand(share, "R(x, class)", "column")
        numbers |= {f"l{c}": Operand(before_logs[c], "ln S"), f"m{c}": Operand(after_logs[c], "ln S")}
    lead = "{value}: multiply by how usual this value is in each class."
    if p.logs:
        lead = "{value}: add the logarithm of how usual this value is in each class."
    lost = [
        c for c in (0, 1) if compared(s, p)[c] == 0 and compared(earlier, p)[c] != 0 and numbers[f"r{c}"].value.part
    ]
    if lost and not p.logs:
        lead += " The product is smaller than floats can be: it underflows to 0 and stays there."
    value = Operand(value_name(problem, j, s.query[j]), about="column")
    return note(lead, *(SUMS if p.logs else TIMES), value=value, **numbers, **classes(problem))


def one_by_one(s: Counted, p: Chosen) -> tuple[list[Fraction | str], list[str]]:
    """(S, ln S) of each class for reading, no longer than it needs to be by itself."""
    t = compared(s, p)
    if p.arithmetic == "floats" and p.logs:
        return [from_log(float(v)) for v in t], [number(float(v), 3) for v in t]
    logs = [logarithm(v) if isinstance(v, Fraction) else log(v) if v else float("-inf") for v in t]
    return [readable(v) for v in t], [number(v, 3) for v in logs]


def answer_note(problem: Problem, s: Counted, p: Chosen) -> Note:
    t = compared(s, p)
    lead = "Class {answer} has the larger product S: that is the answer."
    vetoes = _vetoes(problem, s)
    if t[0] == t[1]:
        lead = "S is exactly the same for both classes. A tie gives the second one: class {answer}."
        if t[0] == 0 and not p.logs and len(vetoes) < 2:
            lead = "{small} underflowed to 0, so S reads the same for both classes. A tie gives the second one: class {answer}."
    small = "Both products" if not vetoes else "One product"
    names = [f"S({problem.class_text(c)})" for c in (0, 1)]
    shown, logs = texts(s, p)
    told = {f"t{c}": Operand(text, names[c]) for c, text in enumerate(shown)}
    told |= {f"m{c}": Operand(text, f"ln {names[c]}") for c, text in enumerate(logs)}
    answer = problem.class_text(0 if t[0] > t[1] else 1)
    sign = ">" if t[0] > t[1] else "=" if t[0] == t[1] else "<"
    told |= {f"never{c}": Operand(text, about="column") for c, text in vetoes.items()}
    facts = [Fact(f"never seen in class {verbatim(problem.class_text(c))}", f"{{never{c}}}") for c in vetoes]
    facts += [SCORE] if linear(s) else []
    told |= rule(s, p)
    return note(
        lead, COMPARE_LOGS if p.logs else COMPARE, *facts, WRONG, answer=answer, sign=sign, errors=s.errors, small=small,
        **told,
    )  # fmt: skip


def _vetoes(problem: Problem, s: Counted) -> dict[int, str]:
    """Which values of the query were never seen in a class, so that its product is 0."""
    names = {}
    for c in (0, 1):
        never = [j for j in range(s.used) if s.rates.share(j, int(s.query[j]), c).part == 0]
        if never:
            names[c] = ", ".join(value_name(problem, j, s.query[j]) for j in never[:4]) + (", …" if never[4:] else "")
    return names


def answer_choice(problem: Problem, s: Counted, p: Chosen) -> Choice:
    t, (shown, _) = compared(s, p), texts(s, p)
    sizes, unit = parts(t, p)
    options = tuple(
        Option(problem.class_text(c), sizes[c], detail=f"S = {value_text(text)}") for c, text in enumerate(shown)
    )
    chosen = 0 if t[0] > t[1] else 1
    tie = t[0] == t[1]
    return Choice("Which class?", options, (0, 1) if tie else (chosen,), chosen, TIE if tie else "", unit)


def parts(t: Pair, p: Chosen) -> tuple[tuple[float, float], str]:
    """The products as sizes to compare, and what these are: parts of the larger one where floats end."""
    top = max(t)
    if p.arithmetic == "floats" and p.logs:
        first, second = np.exp(np.array(t, np.float64) - (float(top) if np.isfinite(float(top)) else 0.0)).tolist()
        return (first, second), "part of the larger S"
    if top == 0 or float(top) > SMALL or isinstance(top, float):
        return (float(t[0]), float(t[1])), "S"
    return (float(t[0] / top), float(t[1] / top)), "part of the larger S"


def explain_note(problem: Problem, s: Counted, p: Chosen) -> Note:
    """The whole product of a place, factor by factor."""
    t, (shown, _) = compared(s, p), texts(s, p)
    written = []
    for c in (0, 1):
        shares = [value_text(s.rates.share(j, int(s.query[j]), c)) for j in range(min(s.used, 8))]
        shares = ([value_text(s.rates.prior[c])] if p.prior else []) + shares + (["…"] if s.used > 8 else [])
        written.append(" · ".join(shares) or "1")
    lead = (
        "S is exactly the same for both classes; a tie gives class {answer}."
        if t[0] == t[1]
        else "Class {answer} has the larger S."
    )
    return note(
        lead,
        Formula("S({plus}) =", "{f0}", "{t0}"),
        Formula("S({minus}) =", "{f1}", "{t1}"),
        answer=problem.class_text(0 if t[0] > t[1] else 1),
        f0=Operand(written[0], "Π R(x, {plus})".replace("{plus}", problem.class_text(0))),
        f1=Operand(written[1], "Π R(x, {minus})".replace("{minus}", problem.class_text(1))),
        t0=shown[0],
        t1=shown[1],
        **classes(problem),
    )
