"""What linear regression says: the sums, Eq 18.3 with its numbers, the loss under its two names."""

from fractions import Fraction
from typing import Any, NamedTuple

from engine.algorithms.regression.linear_regression import Params, Setting, State
from engine.algorithms.regression.parts.fits import explain, point
from engine.algorithms.regression.parts.least_squares import linear_values, root_mean_square, sum_of_squares
from engine.authoring import Fact, Float, Formula, Note, Operand, note, np
from engine.core.notation import subscript

__all__ = ["explain"]
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
SHORT = 30  # examples whose sums are added as fractions


def chips(p: Params) -> tuple[str, ...]:
    return (*(("through the origin",) if p.through_origin else ()), f"{p.distance} distances")


def start(given: Setting, s: State) -> Note:
    lead = "The {n} {n:example is|examples are} only added up: the best line needs nothing but these sums."
    return note(lead + (" w₀ stays 0." if given.p.through_origin else ""), n=given.n)


def each(given: Setting, s: State) -> Note:
    return note("Take {point}.", point=point(given, s))


def add(given: Setting, s: State) -> Note:
    k, X, y = s.count, given.X, given.y
    if X.shape[1] > 1:
        lead = "Add the products of {point} to A and b: {n} {n:example|examples} so far."
        return note(lead, point=point(given, s), n=k)
    old, new = column_sums(X[: k - 1, 0], y[: k - 1]), column_sums(X[:k, 0], y[:k])
    return note(
        "Add the products of {point}.",
        SQUARE,
        PRODUCT,
        *(Fact(symbol, f"{{{name}}}") for name, symbol in SYMBOLS.items() if name != "yy"),
        point=point(given, s),
        old_xx=Operand(readable(old.xx), "Σx²"),
        old_xy=Operand(readable(old.xy), "Σxy"),
        xi=Operand(X[k - 1, 0], "x", "current"),
        yi=Operand(y[k - 1], "y", "current"),
        **_operands(new),
    )


def solve(given: Setting, s: State) -> Note:
    w, vertical = s.w, given.p.distance == "vertical"
    if given.problem.d == 1 and s.unique:
        return (_line_note if vertical else _axis_note)(given, w)
    lead = "Solved: w = {w}."
    if not s.unique and vertical:
        lead = "The examples do not settle w: other weights reach the same loss, because all x are equal or columns "
        lead += "repeat each other. The smallest weights are taken: w = {w}."
    elif not s.unique:
        lead = "Every line through the middle of the points is as near to them. The level one is taken: w = {w}."
    names = [Fact("w" + subscript(k), f"{{w{k}}}") for k in range(min(len(w), 4))]
    each_weight = {f"w{k}": Operand(float(v), about="w") for k, v in enumerate(w)}
    return note(lead, *names, w=Operand(w, "w", "w"), **each_weight)


def _line_note(given: Setting, w: Float) -> Note:
    """Eq 18.3 with the numbers put in, exact where the sums are; through the origin Σxy / Σx²."""
    n, x, y, xx, xy, _ = sums = column_sums(given.X[:, 0], given.y)
    w0, w1 = w.tolist()
    lead, formulas = "The best line is y = {w1} · x + {w0}.", [SLOPE, LEVEL, *([AS_SUMS] * (given.n <= SHORT))]
    if given.p.through_origin:
        lead, formulas = "The best line through the origin is y = {w1} · x.", [ORIGIN]
        w1 = xy / xx if isinstance(xx, Fraction) else w1
    elif isinstance(xx, Fraction):
        w1 = (n * xy - x * y) / (n * xx - x**2)
        w0 = (y - w1 * x) / n
    doubled = {f"{k}2": Operand(readable(2 * getattr(sums, k))) for k in ("x", "y", "xy")}
    weights = {"w0": Operand(readable(w0), "w₀", "w"), "w1": Operand(readable(w1), "w₁", "w", digits=_digits(w1))}
    return note(lead, *formulas, **weights, **_operands(sums), **doubled)


def _axis_note(given: Setting, w: Float) -> Note:
    """The angle of the principal axis from the centred sums."""
    origin, x, y = given.p.through_origin, given.X[:, 0], given.y
    a, b = (x, y) if origin else (x - x.mean(), y - y.mean())
    sxx, sxy, syy = float(a @ a), float(a @ b), float(b @ b)
    return note(
        f"The line through the {'origin' if origin else 'middle of the points'} along which the points spread most: "
        "y = {w1} · x + {w0}. It makes the perpendicular distances least, and turns when x or y is measured in another "
        "unit.",
        ANGLE,
        w0=Operand(float(w[0]), "w₀", "w"),
        w1=Operand(float(w[1]), "w₁", "w", digits=_digits(w[1])),
        sxx=Operand(sxx, "Sxx"),
        sxy=Operand(sxy, "Sxy"),
        syy=Operand(syy, "Syy"),
        tan=2 * sxy / (sxx - syy) if abs(sxx - syy) > 1e-12 * (sxx + syy) else float("inf"),
    )


def loss(given: Setting, s: State) -> Note:
    """The sum that is least, its RMSE, and what the other kind of line reaches by the same measure."""
    vertical, other, errors = given.p.distance == "vertical", given.other, distances(given, s.w)
    total = sum_of_squares(errors)
    body = " + ".join(f"{{e{i}}}²" for i in range(given.n))
    rival = Fact(f"sum of squares, {'principal axis' if vertical else 'least squares'}", "{other_loss}")
    lead = "Every {distance} distance is the side of a square; no other line makes the squares smaller in all."
    if given.problem.d > 1:
        lead = (
            "No other weights make the squares of the {distance} distances smaller in all. The plane shows a section: "
        )
        lead += "the other columns are held at their middle."
    return note(
        lead,
        *([Formula("Loss =", body, "{loss}")] * (given.n <= 6)),
        *[SUM, *([RMSE] * vertical), *([rival] * (other is not None))],
        distance=given.p.distance,
        loss=Operand(total, "Σ (y − h)²", "squares"),
        rmse=Operand(root_mean_square(total, given.n), digits=3),
        other_loss=sum_of_squares(distances(given, other)) if other is not None else None,
        **{f"e{i}": Operand(e, f"e{subscript(i + 1)}", "errors") for i, e in enumerate(errors[:6])},
    )


def distances(given: Setting, w: Float) -> Float:
    """(n,) from the line, of the kind that is made least."""
    errors = given.y - linear_values(w, given.X)
    return errors if given.p.distance == "vertical" else perpendicular(w, errors)


def perpendicular(w: Float, errors: Float) -> Float:
    """Distances from the line that belong to vertical errors y − h."""
    return errors / np.sqrt(1 + w[1:] @ w[1:])


# -- numbers for paper -------------------------------------------------------------------------------------------------


class Sums(NamedTuple):
    """What Eq 18.3 needs: N, Σx, Σy, Σx², Σxy, Σy². Numbers, exact fractions where the data allow it."""

    n: int
    x: Any
    y: Any
    xx: Any
    xy: Any
    yy: Any


def column_sums(x: Any, y: Any) -> Sums:
    """The sums of one column and its values; a few short decimals are added as fractions."""
    if 0 < len(x) <= SHORT and short_decimals(x) and short_decimals(y):
        x, y = (
            np.array([Fraction(round(100 * v), 100) for v in column], object) for column in (x.tolist(), y.tolist())
        )
    return Sums(len(x), x.sum(), y.sum(), x @ x, x @ y, y @ y)


def short_decimals(values: Float) -> bool:
    """Numbers up to 1000 with two decimals."""
    whole = np.round(values * 100)
    return bool((np.abs(values * 100 - whole) <= 1e-12 * np.abs(whole)).all() and np.abs(values).max() <= 1000)


def readable(value: Any) -> Fraction | float:
    """A fraction as it is while its denominator is small, else a number."""
    return value if isinstance(value, Fraction) and value.denominator < 1000 else float(value)


def _operands(sums: Sums) -> dict[str, Operand]:
    return {name: Operand(readable(value), SYMBOLS[name]) for name, value in sums._asdict().items()}


def _digits(value: Any) -> int:
    """Enough decimals for three figures of a slope."""
    size = abs(float(value))
    return 2 if size == 0 or size >= 1 else min(8, 2 + int(np.ceil(-np.log10(size))))
