"""Words, shares and bars of naive Bayes, in fractions as they are counted. MIT 2.5.3-2.5.25."""

from fractions import Fraction
from math import floor, log, log10
from typing import Any, Protocol

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import INFINITY, MINUS, Share, number, telling_digits, value_text
from engine.core.problem import Problem
from engine.core.scene import Bars, Figure, Role, Table, data_table
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.numerics.boolean import Classes
from engine.numerics.rates import Rates
from engine.pictures.boolean import SHOWN_COLUMNS, has_map, map_figures, two_valued
from engine.pictures.text_columns import text_column

LONG = 1_000_000  # of numerator and denominator
SMALL = 1e-300  # a number below it is written by its exact fraction: floats end there
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LISTED = 60  # values in the table of shares

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
WRONG = Fact("wrong examples", "{errors}")
TIE = "S must be strictly larger for the first class: a tie gives the second one"


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


def readable(value: Fraction, digits: int = 4) -> Fraction | str:
    """A short fraction as it is, a longer one as a number with so many decimals, however small it is."""
    if max(value.numerator, value.denominator) < LONG:
        return value
    return number(float(value), digits) if value == 0 or float(value) > SMALL else small_text(value, digits)


def small_text(value: Fraction, digits: int) -> str:
    """A positive fraction by a power of ten: '3.1416·10⁻⁶⁰³'."""
    exponent = floor(log10(value.numerator) - log10(value.denominator))
    mantissa, _, carried = f"{float(value * Fraction(10) ** -exponent):.{digits}e}".partition("e")
    return f"{mantissa}·10{str(exponent + int(carried)).translate(_RAISED)}"


def both(t: tuple[Fraction, Fraction]) -> tuple[Fraction | str, Fraction | str]:
    """Two products for reading, with so many decimals that different ones look different."""
    pairs = ((readable(t[0], digits), readable(t[1], digits)) for digits in range(4, 17))
    shown = next(pairs)
    while t[0] != t[1] and shown[0] == shown[1]:
        following = next(pairs, None)
        if following is None:
            break
        shown = following
    return shown


def log_text(value: Fraction, digits: int = 3) -> str:
    """ln of a fraction; of 0 it is −∞, and it does not underflow."""
    return MINUS + INFINITY if value == 0 else number(_log(value), digits)


def _log(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def both_logs(t: tuple[Fraction, Fraction]) -> tuple[str, str]:
    """The logarithms of two products, with so many decimals that different ones look different."""
    digits = max(3, telling_digits(_log(t[0]), _log(t[1]))) if min(t) > 0 and t[0] != t[1] else 3
    return log_text(t[0], digits), log_text(t[1], digits)


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


def query_note(problem: Problem, s: Counted, prior: bool) -> Note:
    values = ", ".join(value_name(problem, j, v) for j, v in enumerate(s.query[:12]))
    lead = "Which class has the example with {values}? "
    lead += "Each class starts with its share of the examples." if prior else "Both classes start with S = 1."
    shares = {f"p{code}": s.rates.prior[code] for code in (0, 1)} if prior else {}
    asked = Operand(values, about="query" if has_map(problem) else "")
    return note(lead, *(PRIOR if prior else ()), values=asked, **shares, **classes(problem))


def products(s: Counted, prior: bool) -> tuple[Fraction, Fraction]:
    return s.rates.product(s.query, 0, s.used, prior), s.rates.product(s.query, 1, s.used, prior)


def factor_note(problem: Problem, s: Counted, before: tuple[Fraction, Fraction], prior: bool, logs: bool) -> Note:
    after, j = products(s, prior), s.column
    numbers: dict[str, Any] = {}
    for c in (0, 1):
        numbers[f"s{c}"] = Operand(readable(before[c]), "S")
        numbers[f"r{c}"] = Operand(s.rates.share(j, int(s.query[j]), c), "R(x, class)", "column")
        numbers[f"t{c}"] = Operand(readable(after[c]), "S")
        numbers |= {f"l{c}": Operand(log_text(before[c]), "ln S"), f"m{c}": Operand(log_text(after[c]), "ln S")}
    lead = "{value}: multiply by how usual this value is in each class."
    if logs:
        lead = "{value}: add the logarithm of how usual this value is in each class."
    value = Operand(value_name(problem, j, s.query[j]), about="column")
    return note(lead, *(SUMS if logs else TIMES), value=value, **numbers, **classes(problem))


def answer_note(problem: Problem, s: Counted, prior: bool, logs: bool) -> Note:
    t = products(s, prior)
    lead = "Class {answer} has the larger product S: that is the answer."
    if t[0] == t[1]:
        lead = "S is exactly the same for both classes. A tie gives the second one: class {answer}."
    names = [f"S({problem.class_text(c)})" for c in (0, 1)]
    told = {f"t{c}": Operand(text, names[c]) for c, text in enumerate(both(t))}
    told |= {f"m{c}": Operand(text, f"ln {names[c]}") for c, text in enumerate(both_logs(t))}
    answer = problem.class_text(0 if t[0] > t[1] else 1)
    sign = ">" if t[0] > t[1] else "=" if t[0] == t[1] else "<"
    never = _vetoes(problem, s)
    told |= {f"never{c}": Operand(text, about="column") for c, text in never.items()}
    facts = [Fact(f"never seen in class {verbatim(problem.class_text(c))}", f"{{never{c}}}") for c in never]
    return note(
        lead, COMPARE_LOGS if logs else COMPARE, *facts, WRONG, answer=answer, sign=sign, errors=s.errors, **told
    )


def _vetoes(problem: Problem, s: Counted) -> dict[int, str]:
    """Which values of the query were never seen in a class, so that its product is 0."""
    names = {}
    for c in (0, 1):
        never = [j for j in range(s.used) if s.rates.share(j, int(s.query[j]), c).part == 0]
        if never:
            names[c] = ", ".join(value_name(problem, j, s.query[j]) for j in never[:4]) + (", …" if never[4:] else "")
    return names


def answer_choice(problem: Problem, s: Counted, prior: bool) -> Choice:
    t = products(s, prior)
    sizes, unit = parts(t)
    options = tuple(
        Option(problem.class_text(c), sizes[c], detail=f"S = {value_text(text)}") for c, text in enumerate(both(t))
    )
    chosen = 0 if t[0] > t[1] else 1
    tie = t[0] == t[1]
    return Choice("Which class?", options, (0, 1) if tie else (chosen,), chosen, TIE if tie else "", unit)


def parts(t: tuple[Fraction, Fraction]) -> tuple[tuple[float, float], str]:
    """The products as sizes to compare, and what these are: parts of the larger one where floats end."""
    top = max(t)
    if top == 0 or float(top) > SMALL:
        return (float(t[0]), float(t[1])), "S"
    return (float(t[0] / top), float(t[1] / top)), "part of the larger S"


def explain_note(problem: Problem, s: Counted, prior: bool) -> Note:
    """The whole product of a place, factor by factor."""
    t = products(s, prior)
    texts = []
    for c in (0, 1):
        shares = [value_text(s.rates.share(j, int(s.query[j]), c)) for j in range(min(s.used, 8))]
        shares = ([value_text(s.rates.prior[c])] if prior else []) + shares + (["…"] if s.used > 8 else [])
        texts.append(" · ".join(shares) or "1")
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
        f0=Operand(texts[0], "Π R(x, {plus})".replace("{plus}", problem.class_text(0))),
        f1=Operand(texts[1], "Π R(x, {minus})".replace("{minus}", problem.class_text(1))),
        t0=both(t)[0],
        t1=both(t)[1],
        **classes(problem),
    )


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(problem: Problem, s: Counted, classes: Classes, prior: bool) -> tuple[Figure, ...]:
    """While it counts: the shares above the examples. At the query: the shares above the map of all answers, if there is one."""
    roles = {problem.features[s.column].name: Role.ACTIVE} if s.column >= 0 else {}
    examples = data_table(problem, roles=roles, tag="rows")
    if not s.known:
        return (examples,)
    shown: list[Figure] = [share_table(problem, s)]
    if s.known < problem.d or (s.column >= 0 and not s.used):
        return (*shown, examples)
    below = map_figures(problem, (), classes, asked=s.query) or (examples,)
    bars = (score_bars(problem, s, prior), vote_bars(problem, s)) if s.used else ()
    return (*shown, *below, *bars)


def share_table(problem: Problem, s: Counted) -> Table:
    """R for every value counted so far; the values of the query are in play."""
    pairs = [(j, v) for j in range(s.known) for v in range(s.rates.sizes[j] - 1, -1, -1)]
    pairs = pairs[:LISTED] if s.column < s.known // 2 else pairs[-LISTED:]
    asked = s.used > 0
    active = np.asarray([not asked or s.query[j] == v for j, v in pairs])
    current = tuple(k for k, (j, v) in enumerate(pairs) if j == s.column and active[k])
    names = tuple(value_name(problem, j, v) for j, v in pairs)
    shares = [[value_text(s.rates.share(j, v, c)) for j, v in pairs] for c in (0, 1)]
    heads = [f"share in class {problem.class_text(c)}" for c in (0, 1)]
    columns = (text_column("value", names), *(text_column(h, texts) for h, texts in zip(heads, shares, strict=True)))
    return Table("Shares R: of a value in each class", columns, names, None, active, current, tag="column")


def score_bars(problem: Problem, s: Counted, prior: bool) -> Bars:
    t = products(s, prior)
    labels = tuple(f"S({problem.class_text(c)}) = {value_text(text)}" for c, text in enumerate(both(t)))
    roles = (
        (Role.ACTIVE, Role.PLAIN)
        if t[0] > t[1]
        else (Role.GHOST, Role.GHOST)
        if t[0] == t[1]
        else (Role.PLAIN, Role.ACTIVE)
    )
    sizes, unit = parts(t)
    title = "Products" if unit == "S" else "Products: each as part of the larger"
    return Bars(title, labels, np.asarray(sizes), roles, group=np.arange(2), digits=4)


def vote_bars(problem: Problem, s: Counted) -> Bars:
    """ln R(x, first class) − ln R(x, second class) of each column: its sign is the class, its size the importance."""
    votes, names = [], []
    for j in range(min(s.used, SHOWN_COLUMNS)):
        a, b = (s.rates.share(j, int(s.query[j]), c) for c in (0, 1))
        votes.append(vote(a, b))
        names.append(value_name(problem, j, s.query[j]) + ("" if np.isfinite(votes[-1]) else " (veto)"))
    values = np.asarray(votes)
    largest = 1 + float(np.abs(values[np.isfinite(values)]).max(initial=1.0))
    values = np.clip(values, -largest, largest)
    group = np.where(values >= 0, 0, 1)
    roles = tuple(Role.ACTIVE if j == s.column else Role.PLAIN for j in range(len(names)))
    return Bars("Votes", tuple(names), values, roles, group=group, tag="column")


def vote(a: Share, b: Share) -> float:
    if a.part == 0 or b.part == 0:
        return 0.0 if a.part == b.part else float("-inf") if a.part == 0 else float("inf")
    return log(float(a)) - log(float(b))
