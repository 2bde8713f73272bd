"""Words of the closed form: the sums, Eq 18.3 with its numbers, the loss under its two names. AIMA 18.6.1, MMDS Ex 12.2."""

from fractions import Fraction
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import number, subscript
from engine.core.problem import Problem
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.least_squares import (
    Sums,
    column_sums,
    linear_values,
    perpendicular,
    readable,
    root_mean_square,
    sum_of_squares,
)

SUMS = ("n", "x", "y", "xx", "xy")
SYMBOLS = {"n": "N", "x": "Σx", "y": "Σy", "xx": "Σx²", "xy": "Σxy", "yy": "Σy²"}
SLOPE = Formula("w₁ =", "({n} · {xy} − {x} · {y}) / ({n} · {xx} − ({x})²)", "{w1}")
LEVEL = Formula("w₀ =", "({y} − {w1} · {x}) / {n}", "{w0}")
ORIGIN = Formula("w₁ =", "{xy} / {xx}", "{w1}")
ANGLE = Formula("tan 2θ =", "2 · {sxy} / ({sxx} − {syy})", "{tan}")
AS_SUMS = Formula("Loss =", "{xx} w₁² + {n} w₀² + {x2} w₀w₁ − {xy2} w₁ − {y2} w₀ + {yy}")
SUM = Fact("sum of squares", "{loss}")
RMSE = Fact("RMSE = √(sum / N)", "{rmse}")
OTHER = Fact("{other}", "{other_loss}")


def start_note(problem: Problem, n: int, origin: bool) -> Note:
    lead = "The {n} {n:example is|examples are} only added up: the best line needs nothing but these sums."
    if origin:
        lead += " w₀ stays 0."
    return note(lead, n=n)


def add_note(problem: Problem, row: int, X: Float, y: Float, x: Float, value: float, added: bool) -> Note:
    """One more example: X, y are those before it."""
    point = Operand(problem.names[row], about="current")
    if not added:
        return note("Take {point}.", point=point)
    if len(x) > 1:
        return note(
            "Add the products of {point} to A and b: {n} {n:example|examples} so far.", point=point, n=len(y) + 1
        )
    old, new = column_sums(X[:, 0], y), column_sums(np.append(X[:, 0], x[0]), np.append(y, value))
    facts = [Fact(SYMBOLS[name], f"{{{name}}}") for name in SUMS]
    lines = (
        Formula("Σx² ←", "{old_xx} + {xi}²", "{xx}"),
        Formula("Σxy ←", "{old_xy} + {xi} · {yi}", "{xy}"),
    )
    return note(
        "Add the products of {point}.",
        *lines,
        *facts,
        point=point,
        old_xx=Operand(readable(old.xx), "Σx²"),
        old_xy=Operand(readable(old.xy), "Σxy"),
        xi=Operand(_braced(float(x[0])), "x", "current"),
        yi=Operand(_braced(value), "y", "current"),
        **_operands(new),
    )


def _operands(sums: Sums) -> dict[str, Operand]:
    return {name: Operand(readable(getattr(sums, name)), symbol) for name, symbol in SYMBOLS.items()}


def solve_note(X: Float, y: Float, w: Float, unique: bool, origin: bool, distance: str) -> Note:
    if X.shape[1] == 1 and unique:
        return _axis_note(X[:, 0], y, w, origin) if distance == "perpendicular" else _line_note(X[:, 0], y, w, origin)
    lead = "Solved: w = {w}."
    if not unique:
        lead = (
            "The examples do not settle w: other weights reach the same loss, because all x are equal or columns repeat "
            "each other. The smallest weights are taken: w = {w}."
            if distance == "vertical"
            else "Every line through the middle of the points is as near to them. The level one is taken: w = {w}."
        )
    names = [Fact("w" + subscript(k), f"{{w{k}}}") for k in range(min(len(w), 4))]
    return note(
        lead, *names, w=Operand(w, "w", "w"), **{f"w{k}": Operand(float(v), about="w") for k, v in enumerate(w)}
    )


def _line_note(x: Float, y: Float, w: Float, origin: bool) -> Note:
    """Eq 18.3 with the numbers put in; through the origin Σxy / Σx²."""
    sums = column_sums(x, y)
    w0, w1 = _exact(sums, origin) or (float(w[0]), float(w[1]))
    formulas = (ORIGIN,) if origin else (SLOPE, LEVEL)
    lead = "The best line through the origin is y = {w1} · x." if origin else "The best line is y = {w1} · x + {w0}."
    operands = _operands(sums)
    doubled = {f"{k}2": Operand(readable(2 * getattr(sums, k))) for k in ("x", "y", "xy")}
    short = len(x) <= 30 and not origin
    return note(
        lead,
        *formulas,
        *((AS_SUMS,) if short else ()),
        w0=Operand(readable(w0), "w₀", "w"),
        w1=Operand(readable(w1), "w₁", "w", digits=_digits(w1)),
        **operands,
        **doubled,
    )


def _exact(sums: Sums, origin: bool) -> tuple[Fraction, Fraction] | None:
    if not isinstance(sums.xx, Fraction):
        return None
    slope = sums.xy / sums.xx if origin else (sums.n * sums.xy - sums.x * sums.y) / sums.spread
    level = Fraction(0) if origin else (sums.y - slope * sums.x) / sums.n
    return Fraction(level), Fraction(slope)


def _digits(value: Any) -> int:
    """Enough decimals for three figures of a slope."""
    size = abs(float(value))
    return 2 if size == 0 or size >= 1 else min(8, 2 + int(np.ceil(-np.log10(size))))


def _axis_note(x: Float, y: Float, w: Float, origin: bool) -> Note:
    """The angle of the principal axis from the centred sums."""
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


def loss_note(X: Float, y: Float, w: Float, other: Float | None, distance: str) -> Note:
    """The sum that is least, its RMSE, and what the other kind of line reaches by the same measure."""

    def measure(weights: Float) -> Float:
        errors = y - linear_values(weights, X)
        return errors if distance == "vertical" else perpendicular(weights, errors)

    loss = sum_of_squares(measure(w))
    facts = [SUM, RMSE] if distance == "vertical" else [SUM]
    rival = "principal axis" if distance == "vertical" else "least squares"
    if other is not None:
        facts.append(Fact(f"sum of squares, {rival}", "{other_loss}"))
    errors = measure(w)
    few = len(errors) <= 6
    body = " + ".join(f"{{e{i}}}²" for i in range(len(errors)))
    lead = "Every {distance} distance is the side of a square; no other line makes the squares smaller in all."
    if X.shape[1] > 1:
        lead = (
            "No other weights make the squares of the {distance} distances smaller in all. The plane shows a section: the "
            "other columns are held at their middle."
        )
    return note(
        lead,
        *((Formula("Loss =", body, "{loss}"),) if few else ()),
        *facts,
        distance=distance,
        loss=Operand(loss, "Σ (y − h)²", "squares"),
        rmse=Operand(root_mean_square(loss, len(y)), digits=3),
        other_loss=sum_of_squares(measure(other)) if other is not None else None,
        **{f"e{i}": Operand(_braced(float(e)), f"e{subscript(i + 1)}", "errors") for i, e in enumerate(errors[:6])},
    )


def _braced(value: float) -> str:
    return f"({number(value)})" if value < 0 else number(value)
