"""What linear regression says: the sums, Eq 18.3 with its numbers, the loss under its two names."""

from fractions import Fraction
from typing import Any

from engine.algorithms.regression.linear_regression import Params, Setting, State
from engine.algorithms.regression.parts.fits import explain_value
from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, dataclass, note, np, number
from engine.core.notation import subscript
from engine.core.sums import add_up
from engine.algorithms.regression.parts.least_squares import linear_values, root_mean_square, sum_of_squares

SUMMARY = (
    "Adds up products of x and y, and solves for the line of least squared errors at one stroke. "
    "Measured perpendicularly instead, the best line is the principal axis."
)
ERRATA = (
    "MMDS Ex 12.2 calls 3.2 and 4 the RMSE of the two lines. They are the sums of squares; the RMSE is √0.8 ≈ 0.894 "
    "and 1.",
    "MMDS Ex 12.2: the principal axis is said to minimise the squared lengths of the projections onto it. It "
    "maximises them, and minimises the perpendicular distances.",
    "AIMA 18.6.2 is silent when XᵀX has no inverse (all x equal, columns that repeat each other). Here the smallest "
    "weights that reach the least loss are taken, and the step says so.",
)
SYMBOLS = {"n": "N", "x": "Σx", "y": "Σy", "xx": "Σx²", "xy": "Σxy", "yy": "Σy²"}
SQUARE = Formula("Σx² ←", "{old_xx} + {xi}²", "{xx}")
PRODUCT = Formula("Σxy ←", "{old_xy} + {xi} · {yi}", "{xy}")
SLOPE = Formula("w₁ =", "({n} · {xy} − {x} · {y}) / ({n} · {xx} − ({x})²)", "{w1}")
LEVEL = Formula("w₀ =", "({y} − {w1} · {x}) / {n}", "{w0}")
ORIGIN = Formula("w₁ =", "{xy} / {xx}", "{w1}")
ANGLE = Formula("tan 2θ =", "2 · {sxy} / ({sxx} − {syy})", "{tan}")
AS_SUMS = Formula("Loss =", "{xx} w₁² + {n} w₀² + {x2} w₀w₁ − {xy2} w₁ − {y2} w₀ + {yy}")
SUM = Fact("sum of squares", "{loss}")
RMSE = Fact("RMSE = √(sum / N)", "{rmse}")


def chips(p: Params) -> tuple[str, ...]:
    return (*(("through the origin",) if p.through_origin else ()), f"{p.distance} distances")


def explain(given: Setting, s: State, x: Float) -> Explanation:
    return explain_value(given.problem, s.w, x)


def start(given: Setting, s: State) -> Note:
    lead = "The {n} {n:example is|examples are} only added up: the best line needs nothing but these sums."
    return note(lead + (" w₀ stays 0." if given.p.through_origin else ""), n=given.n)


def each(given: Setting, s: State) -> Note:
    return note("Take {point}.", point=_point(given, s))


def add(given: Setting, s: State) -> Note:
    k, X, y = s.count, given.X, given.y
    if X.shape[1] > 1:
        lead = "Add the products of {point} to A and b: {n} {n:example|examples} so far."
        return note(lead, point=_point(given, s), n=k)
    old, new = column_sums(X[: k - 1, 0], y[: k - 1]), column_sums(X[:k, 0], y[:k])
    return note(
        "Add the products of {point}.",
        SQUARE,
        PRODUCT,
        *(Fact(symbol, f"{{{name}}}") for name, symbol in SYMBOLS.items() if name != "yy"),
        point=_point(given, s),
        old_xx=Operand(readable(old.xx), "Σx²"),
        old_xy=Operand(readable(old.xy), "Σxy"),
        xi=Operand(_braced(X[k - 1, 0]), "x", "current"),
        yi=Operand(_braced(y[k - 1]), "y", "current"),
        **_operands(new),
    )


def solve(given: Setting, s: State) -> Note:
    X, w, distance = given.X, s.w, given.p.distance
    if X.shape[1] == 1 and s.unique:
        return _axis_note(given, w) if distance == "perpendicular" else _line_note(given, w)
    lead = "Solved: w = {w}."
    if not s.unique:
        lead = (
            "The examples do not settle w: other weights reach the same loss, because all x are equal or columns repeat "
            "each other. The smallest weights are taken: w = {w}."
            if distance == "vertical"
            else "Every line through the middle of the points is as near to them. The level one is taken: w = {w}."
        )
    names = [Fact("w" + subscript(k), f"{{w{k}}}") for k in range(min(len(w), 4))]
    each_weight = {f"w{k}": Operand(float(v), about="w") for k, v in enumerate(w)}
    return note(lead, *names, w=Operand(w, "w", "w"), **each_weight)


def _line_note(given: Setting, w: Float) -> Note:
    """Eq 18.3 with the numbers put in; through the origin Σxy / Σx²."""
    origin, sums = given.p.through_origin, column_sums(given.X[:, 0], given.y)
    w0, w1 = _exact(sums, origin) or (float(w[0]), float(w[1]))
    formulas = (ORIGIN,) if origin else (SLOPE, LEVEL, *((AS_SUMS,) if given.n <= 30 else ()))
    lead = "The best line through the origin is y = {w1} · x." if origin else "The best line is y = {w1} · x + {w0}."
    doubled = {f"{k}2": Operand(readable(2 * getattr(sums, k))) for k in ("x", "y", "xy")}
    weights = {"w0": Operand(readable(w0), "w₀", "w"), "w1": Operand(readable(w1), "w₁", "w", digits=_digits(w1))}
    return note(lead, *formulas, **weights, **_operands(sums), **doubled)


def _axis_note(given: Setting, w: Float) -> Note:
    """The angle of the principal axis from the centred sums."""
    origin, x, y = given.p.through_origin, given.X[:, 0], given.y
    a, b = (x, y) if origin else (x - x.mean(), y - y.mean())
    sxx, sxy, syy = float(a @ a), float(a @ b), float(b @ b)
    tan = 2 * sxy / (sxx - syy) if abs(sxx - syy) > 1e-12 * (sxx + syy) else float("inf")
    about = "origin" if origin else "middle of the points"
    return note(
        f"The line through the {about} along which the points spread most: y = {{w1}} · x + {{w0}}. It makes the "
        "perpendicular distances least, and turns when x or y is measured in another unit.",
        ANGLE,
        w0=Operand(float(w[0]), "w₀", "w"),
        w1=Operand(float(w[1]), "w₁", "w", digits=_digits(w[1])),
        sxx=Operand(sxx, "Sxx"),
        sxy=Operand(sxy, "Sxy"),
        syy=Operand(syy, "Syy"),
        tan=tan,
    )


def loss(given: Setting, s: State) -> Note:
    """The sum that is least, its RMSE, and what the other kind of line reaches by the same measure."""
    vertical, other = given.p.distance == "vertical", given.other

    def measure(w: Float) -> Float:
        errors = given.y - linear_values(w, given.X)
        return errors if vertical else perpendicular(w, errors)

    errors = measure(s.w)
    total = sum_of_squares(errors)
    body = " + ".join(f"{{e{i}}}²" for i in range(given.n))
    rival = Fact(f"sum of squares, {'principal axis' if vertical else 'least squares'}", "{other_loss}")
    lead = "Every {distance} distance is the side of a square; no other line makes the squares smaller in all."
    if given.problem.d > 1:
        lead = (
            "No other weights make the squares of the {distance} distances smaller in all. The plane shows a section: the "
            "other columns are held at their middle."
        )
    return note(
        lead,
        *((Formula("Loss =", body, "{loss}"),) if given.n <= 6 else ()),
        SUM,
        *((RMSE,) if vertical else ()),
        *((rival,) if other is not None else ()),
        distance=given.p.distance,
        loss=Operand(total, "Σ (y − h)²", "squares"),
        rmse=Operand(root_mean_square(total, given.n), digits=3),
        other_loss=sum_of_squares(measure(other)) if other is not None else None,
        **{f"e{i}": Operand(_braced(e), f"e{subscript(i + 1)}", "errors") for i, e in enumerate(errors[:6])},
    )


def perpendicular(w: Float, errors: Float) -> Float:
    """Distances from the line that belong to vertical errors y − h."""
    return errors / np.sqrt(1 + w[1:] @ w[1:])


# -- numbers for paper -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sums:
    """What Eq 18.3 needs: N, Σx, Σy, Σx², Σxy, Σy². Numbers, exact where the data allow it."""

    n: int
    x: Fraction | float
    y: Fraction | float
    xx: Fraction | float
    xy: Fraction | float
    yy: Fraction | float


def column_sums(x: Float, y: Float) -> Sums:
    """The sums of one column and its values; up to thirty short decimals are added as fractions."""
    a, b = (fractions(x), fractions(y)) if len(x) <= 30 else (None, None)
    if a is not None and b is not None:
        zero = Fraction(0)
        xx, xy = add_up((v * v for v in a), zero), add_up((u * v for u, v in zip(a, b, strict=True)), zero)
        return Sums(len(a), add_up(a, zero), add_up(b, zero), xx, xy, add_up((v * v for v in b), zero))
    return Sums(len(x), float(x.sum()), float(y.sum()), float(x @ x), float(x @ y), float(y @ y))


def fractions(values: Float, digits: int = 2, most: float = 1000) -> list[Fraction] | None:
    """The values as exact fractions when they are short decimals and not large, else None."""
    scaled = np.asarray(values) * 10**digits
    whole = np.round(scaled)
    if not len(scaled) or (np.abs(scaled - whole) > 1e-12 * np.abs(whole)).any() or np.abs(values).max() > most:
        return None
    return [Fraction(round(v), 10**digits) for v in scaled.tolist()]


def readable(value: Fraction | float) -> Fraction | float:
    """A fraction as it is while its denominator is small, else a number."""
    return value if isinstance(value, Fraction) and value.denominator < 1000 else float(value)


def _exact(sums: Sums, origin: bool) -> tuple[Fraction, Fraction] | None:
    """(w₀, w₁) of exact sums."""
    if not isinstance(sums.xx, Fraction):
        return None
    slope = sums.xy / sums.xx if origin else (sums.n * sums.xy - sums.x * sums.y) / (sums.n * sums.xx - sums.x**2)
    level = Fraction(0) if origin else (sums.y - slope * sums.x) / sums.n
    return Fraction(level), Fraction(slope)


def _operands(sums: Sums) -> dict[str, Operand]:
    return {name: Operand(readable(getattr(sums, name)), symbol) for name, symbol in SYMBOLS.items()}


def _digits(value: Any) -> int:
    """Enough decimals for three figures of a slope."""
    size = abs(float(value))
    return 2 if size == 0 or size >= 1 else min(8, 2 + int(np.ceil(-np.log10(size))))


def _braced(value: float) -> str:
    return f"({number(float(value))})" if value < 0 else number(float(value))


def _point(given: Setting, s: State) -> Operand:
    return Operand(given.problem.names[s.current], about="current")
