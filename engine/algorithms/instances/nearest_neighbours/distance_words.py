"""A distance with its numbers put in, written so that what is shown adds up. AIMA 18.8.1."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import isfinite
from typing import Any

from engine.algorithms.instances.nearest_neighbours import Setting, State
from engine.authoring import Fact, Float, Formula, Operand, np, number
from engine.base.notation import agreeing_digits, cut, fixed, read_number, value_text
from engine.base.sums import add_up

DIFFERS = Fact("differs in", "{columns}")
EMPTY = Fact("d", "0: both rows are empty")
NO_DIRECTION = Fact("d", "a row of zeros has no direction: 90 to every other")
DEGREES = Fact("d, in degrees", "{d}")
_COLUMNS = 6  # that differ, by name
_COORDINATES = "₁₂₃"  # up to so many columns the formula shows every coordinate
_OWN = 1.01  # what the rounding of the computing itself may add
_ENDLESS = 1e15  # coordinates from here on are written as powers of ten, however near to each other


def tag_if_drawn(given: Setting, tag: str) -> str:
    """The tag where there is a plane, else ""."""
    return tag if given.problem.plane else ""


@lru_cache(maxsize=256)
def distance_formula(
    p: float, hamming: bool, turned: bool, columns: int, stretched: bool = False
) -> Formula:
    """How the metric computes d from the operands x and q, or from their coordinates x0, q0, x1, …
    (AIMA 18.8.1).

    columns: how many are spelt out; 0 for whole vectors; stretched: columns that differ count by
    their factors
    """
    if hamming:
        body = "sum of the factors of columns that differ" if stretched else "columns that differ"
        return Formula("d =", body, "{d}")
    if turned:
        return Formula("d =", "√(({x} − {q})ᵀ S⁻¹ ({x} − {q}))", "{d}")
    pairs = [f"{{x{j}}} − {{q{j}}}" for j in range(columns)] or ["{x} − {q}"]
    total = "" if columns else "Σ "
    if p == 2:
        return Formula(
            "d =", f"√({total}" + " + ".join(f"({pair})²" for pair in pairs) + ")", "{d}"
        )
    sizes = [f"|{pair}|" for pair in pairs]
    if np.isinf(p):
        return Formula("d =", "max(" + ", ".join(sizes) + ")", "{d}")
    if p == 1:
        return Formula("d =", total + " + ".join(sizes), "{d}")
    return Formula(
        "d =", f"({total}" + " + ".join(f"{size}^{{p}}" for size in sizes) + ")^(1/{p})", "{d}"
    )


Measured = tuple[list[Formula | Fact], dict[str, Operand]]


def measured(given: Setting, s: State, digits: int) -> Measured:
    """(formula and facts, operands) of the distance between the example looked at and the query."""
    if given.space.hamming:
        parts, operands = by_columns(given, s)
    elif given.space.words is not None:
        parts, operands = by_kinds(given, s)
    elif given.space.angle:
        parts, operands = by_angle(given, s)
    elif given.space.kernel is not None:
        parts, operands = by_kernel(given, s, digits)
    else:
        parts, operands = by_coordinates(given, s, digits)
    operands["point"] = Operand(given.problem.names[s.looked], about="looked")
    operands["d"] = Operand(s.distance, "d", "looked", digits)
    return parts, operands


def by_columns(given: Setting, s: State) -> Measured:
    """(formula and facts, operands) of the Hamming distance: the columns in which both differ."""
    problem = given.problem
    row = problem.X[s.looked]
    apart = [cut(problem.features[j].name) for j in given.space.kept if row[j] != s.query[j]]
    names = ", ".join(apart[:_COLUMNS]) or "no column"
    if len(apart) > _COLUMNS:
        names += f" and {len(apart) - _COLUMNS} more"
    stretched = any(factor != 1 for factor in given.p.stretch)
    formula = distance_formula(given.space.p, True, False, 0, stretched)
    return [formula, DIFFERS], {"columns": Operand(names)}


def by_kinds(given: Setting, s: State) -> Measured:
    """(formula and facts, operands) of the mixed distance: shares of ranges, and words that
    differ.
    """
    space = given.space
    assert space.words is not None
    x, q = given.Z[s.seen - 1], given.place(s.query)
    numbers = np.flatnonzero(~space.words)
    gaps = np.array([gap.item() for gap in space.gaps(x[None], q[None])])
    apart = [
        cut(given.problem.features[j].name)
        for j, gap, word in zip(space.kept, gaps, space.words, strict=True)
        if word and gap
    ]
    names = ", ".join(apart[:_COLUMNS]) or "no column of words"
    names += f" and {len(apart) - _COLUMNS} more" if len(apart) > _COLUMNS else ""
    operands = {
        "columns": Operand(names),
        "words": Operand(float(gaps[space.words].sum()), "words that differ"),
    }
    terms = ["Σ |x − q| / range"] if len(numbers) > len(_COORDINATES) else []
    if terms:
        terms = ["{numbers}"]
        operands["numbers"] = Operand(float(gaps[numbers].sum()), "Σ |x − q| / range", digits=4)
    else:
        for i, j in enumerate(numbers):
            terms.append(f"|{{x{i}}} − {{q{i}}}| / {{r{i}}}")
            operands[f"x{i}"] = Operand(float(x[j]), "a" + _COORDINATES[i], "looked")
            operands[f"q{i}"] = Operand(
                float(q[j]), "q" + _COORDINATES[i], tag_if_drawn(given, "query")
            )
            operands[f"r{i}"] = Operand(1 / float(space.scale[j]), "range")
    return [Formula("d =", " + ".join([*terms, "{words}"]), "{d}"), DIFFERS], operands


def by_angle(given: Setting, s: State) -> Measured:
    """(formula and facts, operands) of the Jaccard distance, or of the cosine of the angle."""
    x, q = given.Z[s.seen - 1], given.place(s.query)
    if given.space.angle == "jaccard":
        both, either = float(np.minimum(x, q).sum()), float(np.maximum(x, q).sum())
        operands = {"both": Operand(both, "|x ∩ q|"), "either": Operand(either, "|x ∪ q|")}
        known: list[Formula | Fact] = [EMPTY]
        if either:
            known = [Formula("d =", "1 − {both} / {either}", "{d}")]
        return known, operands
    lengths = [float(np.sqrt(z @ z)) for z in (x, q)]
    if not all(lengths):
        return [NO_DIRECTION], {}
    dot = float(x @ q)
    operands = {
        "dot": Operand(dot, "x·q", digits=4),
        "one": Operand(lengths[0], "|x|", "looked", 4),
        "two": Operand(lengths[1], "|q|", tag_if_drawn(given, "query"), 4),
        "cos": Operand(dot / (lengths[0] * lengths[1]), "cos d", digits=4),
    }
    return [Formula("cos d =", "{dot} / ({one} · {two})", "{cos}"), DEGREES], operands


def by_kernel(given: Setting, s: State, digits: int) -> Measured:
    """(formula and facts, operands) of the distance √(K(x, x) − 2 K(x, q) + K(q, q))."""
    kernel = given.space.kernel
    assert kernel is not None
    x = given.Z[s.seen - 1]
    q = given.place(s.query)
    K = [float(kernel.values(a, b)) for a, b in ((x, x), (x, q), (q, q))]

    def computed(xx: float, xq: float, qq: float) -> float:
        return float(max(xx - 2 * xq + qq, 0.0) ** 0.5)

    each = agreeing_digits(K, computed, s.distance, digits, least=digits)
    tags = ("looked", "looked", tag_if_drawn(given, "query"))
    operands = {}
    for name, value, tag in zip(("xx", "xq", "qq"), K, tags, strict=True):
        shown = f"({value_text(value, each)})" if value < 0 else value
        operands[name] = Operand(shown, f"K({name[0]}, {name[1]})", tag, each)
    return [Formula("d =", "√({xx} − 2 · {xq} + {qq})", "{d}")], operands


def by_coordinates(given: Setting, s: State, digits: int) -> Measured:
    """(formula and facts, operands) of the norm of the differences, written out where there are few
    columns.
    """
    space = given.space
    turned = space.rotation is not None
    if turned:
        x = given.problem.X[s.looked][space.kept]
        q = s.query[space.kept]
    else:
        x = given.Z[s.seen - 1]
        q = given.place(s.query)
    query = tag_if_drawn(given, "query")
    step = last_digit(s.distance, digits)
    vectors = even_vectors(x, q, step)
    operands = {
        "x": Operand(vectors[0], "a", "looked"),
        "q": Operand(vectors[1], "q", query),
        "p": Operand(space.p, "p"),
    }
    columns = 0 if turned or len(x) > len(_COORDINATES) else len(x)
    xs = x[:columns].tolist()
    qs = q[:columns].tolist()
    usual = [even_coordinates(a, b, digits, step)[0] for a, b in zip(xs, qs, strict=True)]
    each = digits
    # else written as their difference needs it
    if usual and not any(isinstance(shown, str) for shown in usual):
        norm = partial(_distance, space.p)
        each = agreeing_digits([*xs, *qs], norm, s.distance, digits, least=digits)
    written = number(s.distance, digits)

    def right(distance: float) -> bool:
        return number(distance, digits) == written

    pairs = adding_pairs(xs, qs, each, step, right, space.p)
    for i, (coordinate, (shown, against)) in enumerate(zip(qs, pairs, strict=True)):
        against = f"({value_text(against, each)})" if coordinate < 0 else against
        operands[f"x{i}"] = Operand(shown, "a" + _COORDINATES[i], "looked", each)
        operands[f"q{i}"] = Operand(against, "q" + _COORDINATES[i], query, each)
    return [distance_formula(space.p, False, turned, columns)], operands


def adding_pairs(
    xs: Sequence[float],
    qs: Sequence[float],
    digits: int,
    step: float,
    right: Callable[[float], bool],
    p: float,
) -> list[tuple[float | str, float | str]]:
    """The pairs of coordinates for a formula, with enough decimals that their distance comes to
    `right` as shown.
    """
    pairs: list[tuple[float | str, float | str]] = []
    for finer in (step, step / 10, step / 100, step / 1000):
        pairs = [even_coordinates(a, b, digits, finer) for a, b in zip(xs, qs, strict=True)]
        places = [
            read_number(v if isinstance(v, str) else number(v, digits))
            for pair in zip(*pairs, strict=True)
            for v in pair
        ]
        if not pairs or right(_distance(p, *places)):
            break
    return pairs


def _distance(p: float, *places: float) -> float:
    """Minkowski's, of (x0, x1, …, q0, q1, …)."""
    half = len(places) // 2
    sizes = [abs(a - b) for a, b in zip(places[:half], places[half:], strict=True)]
    return max(sizes) if np.isinf(p) else float(add_up(size**p for size in sizes) ** (1 / p))


def last_digit(d: float, digits: int) -> float:
    """How far off a difference of coordinates may be on paper when their distance is shown with so
    many digits: 0.01 beside '2.24' and '3', 1 beside '12345', but never half of it.
    """
    if not (np.isfinite(d) and d > 0):
        return 0.01
    text = number(d, digits)
    tens = int(np.floor(np.log10(d))) if "·" in text else 0
    return _OWN * min(d / 2, 1.0 if d != int(d) and "." not in text else 10.0 ** (tens - digits))


def even_coordinates(
    a: float, b: float, digits: int, step: float
) -> tuple[float | str, float | str]:
    """Two coordinates to be shown with so many digits; as text where their difference would be off
    by more than `step`: 1700000010 − 1700000020 rather than 1.70·10⁹ − 1.70·10⁹, very large ones as
    longer powers of ten.
    """
    if (
        not (isfinite(a) and isfinite(b))
        or off(number(a, digits), number(b, digits), a - b) <= step
    ):
        return a, b
    write, most = (fixed, 15) if max(abs(a), abs(b)) < _ENDLESS else (number, 17)
    pairs = ((write(a, n), write(b, n)) for n in range(most))
    return next(
        (pair for pair in pairs if off(*pair, a - b) <= step), (write(a, most), write(b, most))
    )


def off(a: str, b: str, difference: float) -> float:
    """How far the difference of two numbers, as shown, is from the true `difference`."""
    return abs(read_number(a) - read_number(b) - difference)


def even_vectors(x: Float, q: Float, step: float) -> tuple[Any, Any]:
    """Two places for a formula; text in place of a number that needs more than two decimals."""
    pairs = [even_coordinates(a, b, 2, step) for a, b in zip(x.tolist(), q.tolist(), strict=True)]
    if not any(isinstance(a, str) for a, _ in pairs):
        return x, q
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
