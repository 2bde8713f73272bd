"""The words of a search for neighbours: distances with their numbers put in, what is closer, what drops out."""

from functools import lru_cache, partial
from math import isfinite
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import agreeing_digits, cut, fixed, number, read_number, telling_digits, value_text
from engine.core.problem import Problem
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note
from engine.core.sums import add_up
from engine.numerics.search import Search
from engine.numerics.stored import Stored

DIFFERS = Fact("differs in", "{columns}")
LOWER_ROW = "equal distances: the lower row number"
_COORDINATES = (("x0", "a₁"), ("x1", "a₂"), ("x2", "a₃"))  # up to so many columns the formula shows every coordinate
_ASKED = (("q0", "q₁"), ("q1", "q₂"), ("q2", "q₃"))
NORMALISED = Fact("normalised", "each column: (x − mean) / standard deviation")
STRETCHED = Fact("stretched", "each column times its factor")
CLAMPED = Fact("k", "{k}, but only {n} are stored: all of them vote")
ASKED = Fact("“?”", "{all}")
_OWN = 1.01  # what the rounding of the reckoning itself may add
_ENDLESS = 1e15  # coordinates from here on are written as powers of ten, however near to each other
_SPELT, _TOLD = 6, 40  # columns of words that a question names, and that are listed below it


@lru_cache(maxsize=256)
def distance_formula(p: float, hamming: bool, turned: bool, columns: int, stretched: bool = False) -> Formula:
    """How the metric computes d from the operands x and q, or from their coordinates x0, q0, x1, … (AIMA 18.8.1).

    columns: how many are spelt out; 0 for whole vectors; stretched: columns that differ count by their factors
    """
    if hamming:
        body = "sum of the factors of columns that differ" if stretched else "columns that differ"
        return Formula("d =", body, "{d}")
    if turned:
        return Formula("d =", "√(({x} − {q})ᵀ S⁻¹ ({x} − {q}))", "{d}")
    pairs = [f"{{x{j}}} − {{q{j}}}" for j in range(columns)] or ["{x} − {q}"]
    total = "" if columns else "Σ "
    if p == 2:
        return Formula("d =", f"√({total}" + " + ".join(f"({pair})²" for pair in pairs) + ")", "{d}")
    sizes = [f"|{pair}|" for pair in pairs]
    if np.isinf(p):
        return Formula("d =", "max(" + ", ".join(sizes) + ")", "{d}")
    if p == 1:
        return Formula("d =", total + " + ".join(sizes), "{d}")
    return Formula("d =", f"({total}" + " + ".join(f"{size}^{{p}}" for size in sizes) + ")^(1/{p})", "{d}")


def measured(
    problem: Problem, memory: Stored, s: Search, digits: int
) -> tuple[list[Formula | Fact], dict[str, Operand]]:
    """(formula and facts, operands) of the distance between the example looked at and the query."""
    space = memory.space
    operands = {
        "point": Operand(problem.names[s.looked], about="looked"),
        "d": Operand(s.distance, "d", "looked", digits),
    }
    if space.hamming:
        apart = [cut(problem.features[j].name) for j in space.kept if problem.X[s.looked, j] != s.query[j]]
        more = f" and {len(apart) - 6} more" if len(apart) > 6 else ""
        operands["columns"] = Operand(", ".join(apart[:6]) + more if apart else "no column")
        return [distance_formula(space.p, True, False, 0, memory.stretched), DIFFERS], operands
    turned = space.rotation is not None
    if turned:
        x, q = problem.X[s.looked][space.kept], s.query[space.kept]
    else:
        x, q = memory.Z[s.seen - 1], memory.place(s.query)
    query, step = drawn(problem, "query"), last_digit(s.distance, digits)
    vectors = even_vectors(x, q, step)
    operands |= {"x": Operand(vectors[0], "a", "looked"), "q": Operand(vectors[1], "q", query)}
    operands["p"] = Operand(space.p, "p")
    columns = 0 if turned or len(x) > len(_COORDINATES) else len(x)
    xs, qs = x[:columns].tolist(), q[:columns].tolist()
    usual = [even_coordinates(value, asked, digits, step)[0] for value, asked in zip(xs, qs, strict=True)]
    each = digits
    if usual and not any(isinstance(shown, str) for shown in usual):  # else written as their difference needs it
        each = agreeing_digits([*xs, *qs], partial(_distance, space.p), s.distance, digits, least=digits)
    for (name, a), (of_query, b), value, asked in zip(
        _COORDINATES, _ASKED, x[:columns].tolist(), q.tolist(), strict=False
    ):
        shown, against = even_coordinates(value, asked, each, step)
        against = f"({value_text(against, each)})" if asked < 0 else against
        operands[name] = Operand(shown, a, "looked", each)
        operands[of_query] = Operand(against, b, query, each)
    return [distance_formula(space.p, False, turned, columns)], operands


def _distance(p: float, *places: float) -> float:
    """Minkowski's, of (x0, x1, …, q0, q1, …)."""
    half = len(places) // 2
    sizes = [abs(a - b) for a, b in zip(places[:half], places[half:], strict=True)]
    return max(sizes) if np.isinf(p) else float(add_up(size**p for size in sizes) ** (1 / p))


def last_digit(d: float, digits: int) -> float:
    """How far off a difference of coordinates may be on paper when their distance is shown with so many digits: 0.01 beside
    '2.24' and '3', 1 beside '12345', but never half of it."""
    if not (np.isfinite(d) and d > 0):
        return 0.01
    text = number(d, digits)
    tens = int(np.floor(np.log10(d))) if "·" in text else 0
    return _OWN * min(d / 2, 1.0 if d != int(d) and "." not in text else 10.0 ** (tens - digits))


def even_coordinates(a: float, b: float, digits: int, step: float) -> tuple[float | str, float | str]:
    """Two coordinates to be shown with so many digits; as text where their difference would be off by more than `step`:
    1700000010 − 1700000020 rather than 1.70·10⁹ − 1.70·10⁹, very large ones as longer powers of ten."""
    if not (isfinite(a) and isfinite(b)) or off(number(a, digits), number(b, digits), a - b) <= step:
        return a, b
    write, most = (fixed, 15) if max(abs(a), abs(b)) < _ENDLESS else (number, 17)
    pairs = ((write(a, n), write(b, n)) for n in range(most))
    return next((pair for pair in pairs if off(*pair, a - b) <= step), (write(a, most), write(b, most)))


def off(a: str, b: str, difference: float) -> float:
    """How far the difference of two numbers as they are written is from the true one."""
    return abs(read_number(a) - read_number(b) - difference)


def even_vectors(x: Float, q: Float, step: float) -> tuple[Any, Any]:
    """Two places for a formula; with text in them where two decimals say too little."""
    pairs = [even_coordinates(a, b, 2, step) for a, b in zip(x.tolist(), q.tolist(), strict=True)]
    if not any(isinstance(a, str) for a, _ in pairs):
        return x, q
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def nearer_choice(problem: Problem, s: Search, rim: int, rim_distance: float, tie: bool = False) -> Choice:
    """Which of the two belongs to the k best: row `rim`, the k-th so far, or the one looked at?"""
    chosen = int(s.dropped >= 0)
    former = Option(problem.names[rim], rim_distance, drawn(problem, "former" if chosen else "rim"))
    options = (former, Option(problem.names[s.looked], s.distance, "looked"))
    winners, rule = ((0, 1), LOWER_ROW) if tie else ((chosen,), "")
    return Choice(
        "Which of the two is nearer to “?”?", options, winners, chosen, rule, "distance", smallest=True,
        digits=4 if tie else max(4, telling_digits(s.distance, rim_distance)),
    )  # fmt: skip


def drawn(problem: Problem, tag: str) -> str:
    """The tag of something that only the plane shows; '' where there is no plane."""
    return tag if problem.plane else ""


# -- notes -------------------------------------------------------------------------------------------------------------


def store_note(memory: Stored, k: int) -> Note:
    """Learning is over: everything is known by heart. k: as asked for."""
    found = ((NORMALISED, memory.normalised), (STRETCHED, memory.stretched), (CLAMPED, k > memory.n))
    facts = [fact for fact, holds in found if holds]
    count = "the only example" if memory.n == 1 else "all {n} examples"
    lead = f"Store {count}. That is all the learning there is: the work begins with a question."
    return note(lead, *facts, n=memory.n, k=k)


def query_note(problem: Problem, memory: Stored, q: Float) -> Note:
    """What is asked about the row q (d,): its place, or where columns hold words what each column that counts says."""
    about = drawn(problem, "query")
    if all(feature.numeric for feature in problem.features):
        return note("Which class has “?” at {q}?", q=Operand(q, "q", about))
    said = [f"{problem.features[j].title} = {problem.features[j].text(float(q[j]))}" for j in memory.space.kept]
    many = len(said) > _SPELT
    few = Operand(", ".join(said[:_SPELT]) + (", …" if many else ""), "q", about)
    every = ", ".join(said[:_TOLD]) + (", …" if len(said) > _TOLD else "")
    return note("Which class has “?” with {q}?", *((ASKED,) if many else ()), q=few, all=every)


def keep_note(problem: Problem, memory: Stored, s: Search, k: int, skipped: int) -> Note:
    """The example looked at comes into the list of the best; `skipped` examples since the last were farther."""
    if s.dropped >= 0:
        lead = "{point} is closer: {d} < {kth}." + ("" if k == 1 else " {out} drops out of the {k} best.")
    elif k == 1:
        lead = "{point} is the first example: nothing is nearer yet."
    else:
        lead = "{point} is kept: place {held} of {k} was free."
    before = "The {skipped} examples before it are farther. " if skipped > 1 else "The example before it is farther. "
    digits = telling_digits(s.distance, s.former) if s.dropped >= 0 else 2
    formulas, operands = measured(problem, memory, s, digits)
    gone = drawn(problem, "former") if s.dropped >= 0 else ""
    return note(
        (before if skipped else "") + lead + _called(s.label, k),
        *formulas,
        kth=Operand(s.former, "d", gone, digits),
        out=Operand(problem.names[s.dropped], about=gone),
        label=problem.class_text(int(problem.codes[s.looked])),
        called=problem.class_text(s.label),
        skipped=skipped,
        held=len(s.neighbours),
        k=k,
        **operands,
    )


def _called(label: int, k: int) -> str:
    if k == 1:
        return " Its class is {label}, so “?” becomes {called}."
    return " The vote so far: {called}." if label >= 0 else " They disagree: “?” has no class so far."


def look_note(problem: Problem, memory: Stored, s: Search, tie: bool) -> Note:
    """The example looked at is not closer than the k-th best so far."""
    lead = "{point} is farther: {d} > {kth}. It stays out."
    if tie:
        lead = "{point} is exactly as near as {rim}: {d}. The lower row number stays, so {point} stays out."
    digits = 2 if tie else telling_digits(s.distance, s.radius)
    formulas, operands = measured(problem, memory, s, digits)
    tag = drawn(problem, "rim")
    rim = Operand(problem.names[s.neighbours[-1]], about=tag)
    return note(lead, *formulas, rim=rim, kth=Operand(s.radius, "d", tag, digits), **operands)


def run_note(problem: Problem, memory: Stored, s: Search, first: int, end: int) -> Note:
    """The examples at the positions first … end − 1 of the memory at once; the one looked at is the nearest of them."""
    return note(
        "{first} to {last}: {count} {count:example|examples}, none closer than {kth}. The nearest of them is {point}, at {d}.",
        first=problem.names[memory.rows[first]],
        last=problem.names[memory.rows[end - 1]],
        count=end - first,
        point=Operand(problem.names[s.looked], about="looked"),
        d=Operand(s.distance, "d", "looked"),
        kth=Operand(s.radius, "d", drawn(problem, "rim")),
    )
