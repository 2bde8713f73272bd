"""Words of polynomial fits: the curve as a formula, what a degree gains, which degrees are consistent. AIMA 18.2."""

from collections.abc import Sequence

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float
from engine.core.notation import fixed, number, plural, subscript
from engine.core.problem import Problem
from engine.core.scene import Bars
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.least_squares import root_mean_square
from engine.numerics.polynomials import Fit

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_TERMS = 5
RMSE = Fact("RMSE of the training rows", "{rmse}")
SUM = Fact("Σ (y − h)²", "{loss}")
BEFORE = Fact("one degree lower", "{before}")
COST = Fact("penalty", "{penalty} of the mean loss, N = {n}; c₀ is free")


def power(k: int) -> str:
    """x, x², x³ …"""
    return "x" if k == 1 else "x" + str(k).translate(_SUPERSCRIPTS)


def grow_note(k: int, sine: bool, places: int, column: str) -> Note:
    count = k + 1 + sine
    lead = f"Degree {{k}}: {{count}} {plural(count, 'coefficient')} for {{places}} different x."
    if column:
        lead += " Only {column} is used."
    return note(lead, k=k, count=count, places=places, column=column)


def curve_formula(fit: Fit) -> tuple[Formula, dict[str, Operand]]:
    """h(x) = c₀ + c₁ x + … with its numbers; of many terms the first and the last."""
    terms = [("1", 0), *((power(k), k) for k in range(1, fit.degree + 1))]
    terms += [("sin x", fit.degree + 1)] if fit.sine else []
    shown = terms if len(terms) <= MOST_TERMS else [*terms[:3], *terms[-1:]]
    parts = [f"{{c{k}}}" if name == "1" else f"{{c{k}}} · {name}" for name, k in shown]
    if len(terms) > MOST_TERMS:
        parts.insert(3, "…")
    values = {f"c{k}": Operand(_signed(fit.powers[k], k > 0), _symbol(fit, k), "coefficients") for _, k in shown}
    return Formula("h(x) =", " + ".join(parts)), values


def _symbol(fit: Fit, k: int) -> str:
    return "s" if fit.sine and k == fit.degree + 1 else "c" + subscript(k)


def _signed(value: float, braces: bool) -> str:
    if abs(value) < 1e-12:
        return "0"
    text = number(value, 2) if abs(value) >= 0.095 else number(value, 4)
    return f"({text})" if braces and value < 0 else text


def fit_note(fit: Fit, loss: float, former: float | None, n: int, penalty: float, places: int) -> Note:
    """places: how many different x there are."""
    lead = "The best curve of degree {k}."
    if former is not None:
        rises, falls = loss > former * (1 + 1e-9), loss < former * (1 - 1e-9)
        lead += f" The training error {'rises' if rises else 'falls' if falls else 'stays'}."
    if not fit.unique:
        lead += (
            " More coefficients than different x: many curves are as good, the calmest is taken."
            if len(fit.powers) > places
            else " The columns nearly depend on each other: many curves are almost as good, the calmest is taken."
        )
    formula, values = curve_formula(fit)
    facts = [RMSE, SUM, *((BEFORE,) if former is not None else ()), *((COST,) if penalty else ())]
    return note(
        lead,
        formula,
        *facts,
        k=fit.degree,
        rmse=Operand(root_mean_square(loss, n), about="errors", digits=3),
        loss=Operand(loss, digits=3),
        before=Operand(None if former is None else former, digits=3),
        penalty=Operand(penalty, digits=-1),
        n=n,
        **values,
    )


def meets_note(k: int, missed: int, n: int, farthest: float) -> Note:
    """farthest: the largest |y − h(x)|."""
    lead = "Degree {k} misses {missed} of {n} {n:point|points}: it is not consistent."
    if not missed:
        lead = "Degree {k} is consistent: it meets {n:|all }{n} {n:point|points}, up to rounding."
    size = Operand(farthest, about="errors", digits=3)
    return note(lead, Fact("largest |y − h(x)|", "{farthest}"), k=k, n=n, missed=missed, farthest=size)


def choose_note(good: Sequence[int], degree: int, losses: Sequence[float], n: int) -> Note:
    degrees = ", ".join(map(str, good))
    if not good:
        lead = "No degree up to {last} meets every point. Which one is best, only rows that were held out can tell."
    elif len(good) == 1:
        lead = "Degree {simplest} alone meets every point."
    else:
        lead = "Degrees {degrees} meet every point. Ockham's razor prefers the simplest: degree {simplest}."
    if good and degree != good[0]:
        lead += " The curve in force is still that of degree {degree}."
    return note(
        lead,
        RMSE,
        degrees=degrees,
        simplest=good[0] if good else -1,
        degree=degree,
        last=len(losses) - 1,
        rmse=Operand(root_mean_square(losses[degree], n), digits=3),
    )


def explain_curve(problem: Problem, c: Float, x: float, value: float, sine: bool) -> Explanation:
    """The value at x, term by term; c is empty before the first curve."""
    if not len(c):
        return Explanation(-1, note("No curve is fitted yet, so every place has the value 0."))
    last = len(c) - 1 if sine else len(c)
    with np.errstate(over="ignore", invalid="ignore"):
        factors = np.append(x ** np.arange(last, dtype=np.float64), np.sin(x) if sine else [])
        parts = np.nan_to_num(c * factors, nan=0.0, posinf=1e140, neginf=-1e140)
    names = ["1", *(power(k) for k in range(1, last)), *(["sin x"] if sine else [])]
    target = problem.target.title if problem.target is not None else "the value"
    few = len(c) <= MOST_TERMS
    terms = [f"{{c{k}}}" if name == "1" else f"{{c{k}}} · {{f{k}}}" for k, name in enumerate(names)]
    words = note(
        "This place is called {name}: {target} is predicted as {value} at x = {x}.",
        *((Formula("h(x) =", " + ".join(terms), "{value}"),) if few else ()),
        name=fixed(value),
        target=target,
        value=Operand(value, "h(x)", "curve"),
        x=x,
        **{f"c{k}": Operand(_signed(c[k], k > 0), "c" + subscript(k), "coefficients") for k in range(len(c))},
        **{f"f{k}": Operand(_signed(factors[k], True), name) for k, name in enumerate(names)},
    )
    return Explanation(-1, words, None if few else Bars("Part of each term", tuple(names), parts))
