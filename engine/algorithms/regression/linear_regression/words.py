"""What linear regression says: the sums, Eq 18.3 with its numbers, the loss under its two names."""

from fractions import Fraction
from typing import Any

from engine.algorithms.regression.linear_regression import LINES, Params, Setting, State
from engine.algorithms.regression.parts.fits import explain as explain
from engine.algorithms.regression.parts.fits import point
from engine.algorithms.regression.parts.least_squares import root_mean_square, sum_of_squares
from engine.authoring import Fact, Float, Formula, Note, Operand, note, np
from engine.base.notation import counted, figure_digits, listed, plural, subscript
from engine.numerics.closeness import OF_TERMS, equal
from engine.protocol.step import verbatim

SUMMARY = (
    "Adds up products of x and y, and solves for the line of least squared errors at one stroke. "
    "Measured perpendicularly instead, the best line is the principal axis."
)
ERRATA = (
    (
        "MMDS Ex 12.2 calls 3.2 and 4 the RMSE of the two lines. They are the sums of squares; the"
        " RMSE is √0.8 ≈ 0.894 and 1."
    ),
    (
        "MMDS Ex 12.2: the principal axis is said to minimise the squared lengths of the"
        " projections onto it. It maximises them, and minimises the perpendicular distances."
    ),
    (
        "AIMA 18.6.2 is silent when XᵀX has no inverse (all x equal, columns that repeat each"
        " other). Here the smallest weights that reach the least loss are taken, and the step"
        " says so."
    ),
)
SUMS = {"n": "N", "x": "Σx", "y": "Σy", "xx": "Σx²", "xy": "Σxy"}
CENTRED = {"sxx": "Sxx", "sxy": "Sxy", "syy": "Syy"}
SYMBOLS = SUMS | CENTRED | {"yy": "Σy²", "old_xx": "Σx²", "old_xy": "Σxy", "w0": "w₀", "w1": "w₁"}
SQUARE = Formula("Σx² ←", "{old_xx} + {xi}²", "{xx}")
PRODUCT = Formula("Σxy ←", "{old_xy} + {xi} · {yi}", "{xy}")
TOTALS = tuple(Fact(symbol, f"{{{name}}}") for name, symbol in SUMS.items())
SLOPE = Formula("w₁ =", "({n} · {xy} − {x} · {y}) / ({n} · {xx} − ({x})²)", "{w1}")
LEVEL = Formula("w₀ =", "({y} − {w1} · {x}) / {n}", "{w0}")
ORIGIN = Formula("w₁ =", "{xy} / {xx}", "{w1}")
ANGLE = Formula("tan 2θ =", "2 · {sxy} / ({sxx} − {syy})", "{tan}")
AS_SUMS = Formula("Loss =", "{xx} w₁² + {n} w₀² + {x2} w₀w₁ − {xy2} w₁ − {y2} w₀ + {yy}")
LINE = Fact("the line", "y = {w1} · x + {w0}")
THROUGH = Fact("the line", "y = {w1} · x")
THROUGH_ORIGIN = Fact("through the origin", "y = {central} · x")
SUM = Fact("sum of squares", "{loss}")
RMSE = Fact("RMSE = √(sum / N)", "{rmse}")
SHORT = 30  # examples whose sums are added as fractions


def chips(p: Params) -> tuple[str, ...]:
    origin = ("through the origin",) if p.through_origin else ()
    return (*origin, f"{p.distance} distances")


def start(given: Setting, s: State) -> Note:
    lead = (
        "The {n} {n:example is|examples are} only added up: the best line needs nothing but these"
        " sums."
    )
    if given.p.through_origin:
        lead += " w₀ stays 0."
    return note(lead, n=given.n)


def each(given: Setting, s: State) -> Note:
    return note("Take {point}.", point=point(given, s))


def add(given: Setting, s: State) -> Note:
    k = s.count
    X = given.X
    y = given.y
    if X.shape[1] > 1:
        lead = "Add the products of {point} to A and b: {n} {n:example|examples} so far."
        return note(lead, point=point(given, s), n=k)
    old = column_sums(X[: k - 1, 0], y[: k - 1])
    new = column_sums(X[:k, 0], y[:k])
    return note(
        "Add the products of {point}.",
        SQUARE,
        PRODUCT,
        *TOTALS,
        point=point(given, s),
        xi=Operand(X[k - 1, 0], "x", "current"),
        yi=Operand(y[k - 1], "y", "current"),
        **_operands({"old_xx": old["xx"], "old_xy": old["xy"]} | new),
    )


def solve(given: Setting, s: State) -> Note:
    w = s.w
    vertical = given.p.distance == "vertical"
    if given.problem.d == 1 and s.unique:
        return _line_note(given, w) if vertical else _axis_note(given, w)
    lead = "Solved: w = {w}."
    if not s.unique and vertical:
        lead = (
            "The examples do not settle w: other weights reach the same loss, because"
            f" {unsettled(given)}. The smallest weights are taken: w = {{w}}."
        )
    elif not s.unique:
        lead = (
            "Every line through the middle of the points is as near to them. The level one is"
            " taken: w = {w}."
        )
    names = [Fact("w" + subscript(k), f"{{w{k}}}") for k in range(min(len(w), 4))]
    each_weight = {f"w{k}": Operand(float(v), about="w") for k, v in enumerate(w)}
    return note(lead, *names, w=Operand(w, "w", "w"), **each_weight)


def unsettled(given: Setting) -> str:
    """A sentence on why other weights fit equally well, "" where they are unique."""
    X = given.X
    origin = given.p.through_origin
    many = len(np.unique(X, axis=0))
    weights = X.shape[1] + (not origin)
    if many == 1 and not origin:
        return "all x are equal"
    if many < weights:
        return (
            f"{counted(many, 'different example')} {plural(many, 'is', 'are')} too few for"
            f" {counted(weights, 'weight')}"
        )
    flat = ~X.any(axis=0) if origin else np.ptp(X, axis=0) == 0
    names = [verbatim(given.problem.features[j].title) for j in np.flatnonzero(flat)]
    if not names:
        return "a column follows from the others"
    value = "0" if origin else "the same"
    return f"{listed(names)} {plural(len(names), 'is', 'are')} {value} in every row"


def _line_note(given: Setting, w: Float) -> Note:
    """Eq 18.3 with the numbers put in, exact where the sums are; through the origin Σxy / Σx²."""
    sums = column_sums(given.X[:, 0], given.y)
    n, x, y, xx, xy, _ = sums.values()
    w0, w1 = w.tolist()
    lead = "The best line is y = {w1} · x + {w0}."
    formulas = [SLOPE, LEVEL]
    if given.n <= SHORT:
        formulas.append(AS_SUMS)
    if given.p.through_origin:
        lead = "The best line through the origin is y = {w1} · x."
        formulas = [ORIGIN]
        w1 = xy / xx if isinstance(xx, Fraction) else w1
    elif isinstance(xx, Fraction):
        w1 = (n * xy - x * y) / (n * xx - x**2)
        w0 = (y - w1 * x) / n
    return note(
        lead,
        *formulas,
        **_weights(w0, w1),
        **_operands(sums | {"x2": 2 * x, "y2": 2 * y, "xy2": 2 * xy}),
    )


def _axis_note(given: Setting, w: Float) -> Note:
    """The angle of the principal axis from the centred sums."""
    origin = given.p.through_origin
    a = given.X[:, 0]
    b = given.y
    if not origin:
        a = a - a.mean()
        b = b - b.mean()
    sxx = float(a @ a)
    sxy = float(a @ b)
    syy = float(b @ b)
    round_cloud = equal(sxx, syy, sxx + syy, OF_TERMS)
    return note(
        f"The line through the {'origin' if origin else 'middle of the points'} along which the"
        " points spread most: y = {w1} · x + {w0}. It makes the perpendicular distances least,"
        " and turns when x or y is measured in another unit.",
        ANGLE,
        tan=float("inf") if round_cloud else 2 * sxy / (sxx - syy),
        **_weights(*w.tolist()),
        **_operands({"sxx": sxx, "sxy": sxy, "syy": syy}),
    )


def loss(given: Setting, s: State) -> Note:
    """The note of the minimal sum, its RMSE, and the other kind of line by the same distance."""
    distance = given.p.distance
    errors = given.distances(s.w, distance)
    total = sum_of_squares(errors)
    there = " through the origin" if given.p.through_origin else ""
    lead = (
        f"Every {{distance}} distance is the side of a square; no other line{there} makes the"
        " squares smaller in all."
    )
    if given.problem.d > 1:
        there = ", with w₀ = 0," if given.p.through_origin else ""
        lead = (
            f"No other weights{there} make the squares of the {{distance}} distances smaller in"
            " all. The plane shows a section: the other columns are held at their middle."
        )
    facts: list[Formula | Fact] = []
    if given.n <= 6:
        body = " + ".join(f"{{e{i}}}²" for i in range(given.n))
        facts.append(Formula("Loss =", body, "{loss}"))
    facts.append(SUM)
    if given.problem.d == 1:
        facts.insert(0, THROUGH if given.p.through_origin else LINE)
    if distance == "vertical":
        facts.append(RMSE)
    other_loss = None
    if given.other is not None:
        facts.append(Fact(f"sum of squares, {LINES[given.rival]}", "{other_loss}"))
        other_loss = sum_of_squares(given.distances(given.other, distance))
    central = central_loss = None
    if given.central is not None:
        facts += [THROUGH_ORIGIN, Fact("its sum of squares", "{central_loss}")]
        central = float(given.central[1])
        central_loss = sum_of_squares(given.distances(given.central, distance))
    return note(
        lead,
        *facts,
        distance=distance,
        loss=Operand(total, "Σ (y − h)²", "squares"),
        rmse=Operand(root_mean_square(total, given.n), digits=3),
        other_loss=other_loss,
        central=None if central is None else Operand(central, "w₁", "central", 3),
        central_loss=central_loss,
        **(_weights(*s.w.tolist()) if given.problem.d == 1 else {}),
        **{f"e{i}": Operand(e, f"e{subscript(i + 1)}", "errors") for i, e in enumerate(errors[:6])},
    )


def column_sums(x: Any, y: Any) -> dict[str, Any]:
    """The operands N, Σx, Σy, Σx², Σxy, Σy² of Eq 18.3; exact fractions for few numbers up to 1000
    with two decimals.
    """
    both = np.array([x, y])
    cents = np.round(100 * both)
    short = 0 < len(x) <= SHORT and np.abs(both).max() <= 1000
    if short and equal(100 * both, cents, share=OF_TERMS).all():
        x, y = np.array([[Fraction(int(v), 100) for v in row] for row in cents], object)
    return {"n": len(x), "x": x.sum(), "y": y.sum(), "xx": x @ x, "xy": x @ y, "yy": y @ y}


def _operands(values: dict[str, Any], about: str = "", digits: int = 2) -> dict[str, Operand]:
    """A fraction stays as it is while its denominator is small, else it is a number."""
    operands = {}
    for name, value in values.items():
        short = isinstance(value, Fraction) and value.denominator < 1000
        shown = value if short else float(value)
        operands[name] = Operand(shown, SYMBOLS.get(name, ""), about, digits)
    return operands


def _weights(w0: Any, w1: Any) -> dict[str, Operand]:
    """A slope has three figures at least."""
    return _operands({"w0": w0}, "w") | _operands({"w1": w1}, "w", figure_digits(abs(float(w1))))
