"""What polynomial fits say: the curve as a formula, what a degree gains, which degrees are
consistent.
"""

from engine.algorithms.regression.parts.least_squares import root_mean_square
from engine.algorithms.regression.polynomial_fit import Params, Setting, State, values
from engine.algorithms.regression.polynomial_fit.curves import Fit, bounded
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    note,
    np,
    number,
)
from engine.base.notation import fixed, subscript
from engine.numerics.closeness import more, settled
from engine.protocol.unknown import missing_note
from engine.scene.scene import Bars

SUMMARY = (
    "Fits polynomials of degree 0, 1, 2, … Without a penalty the training error can only fall; the"
    " error on held-out rows falls and rises again. Among the degrees that meet every point,"
    " Ockham's razor takes the simplest."
)
ERRATA = (
    (
        "AIMA 18.4.2 takes the mean of the squared errors, 18.6.1 their sum: the same λ means"
        " different things. Here it is the mean, and N is shown."
    ),
)
MOST_TERMS = 5
RMSE = Fact("RMSE of the training rows", "{rmse}")
SUM = Fact("Σ (y − h)²", "{loss}")
BEFORE = Fact("one degree lower", "{before}")
COST = Fact("penalty", "{penalty} of the mean loss, N = {n}; c₀ is free")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def chips(p: Params) -> tuple[str, ...]:
    sine = ("sin x",) if p.basis == "with sine" else ()
    penalised = (f"λ {number(p.penalty, 4)}, c₀ free",) if p.penalty else ()
    return (f"c₀ … c{subscript(p.degree)}", *sine, *penalised)


def grow(given: Setting, s: State) -> Note:
    k = len(s.tried)
    column = given.problem.features[given.column].title if given.problem.d > 1 else ""
    lead = "Degree {k}: {count} {count:coefficient|coefficients} for {places} different x."
    if column:
        lead += " Only {column} is used."
    return note(lead, k=k, count=k + 1 + given.sine, places=given.places, column=column)


def fit(given: Setting, s: State) -> Note:
    curve = s.tried[-1].fit
    loss = s.tried[-1].loss
    penalty = given.p.penalty
    previous = None
    lead = "The best curve of degree {k}."
    facts = [RMSE, SUM]
    if len(s.tried) > 1:
        previous = s.tried[-2].loss
        change = "stays"
        if more(loss, previous):
            change = "rises"
        elif more(previous, loss):
            change = "falls"
        lead += f" The training error {change}."
        facts.append(BEFORE)
    if not curve.unique and len(curve.powers) > given.places:
        lead += (
            " More coefficients than different x: many curves are as good, the calmest is taken."
        )
    elif not curve.unique:
        lead += (
            " The columns nearly depend on each other: many curves are almost as good, the calmest"
            " is taken."
        )
    if penalty:
        facts.append(COST)
    formula, coefficients = curve_formula(curve)
    return note(
        lead,
        formula,
        *facts,
        k=curve.degree,
        rmse=Operand(root_mean_square(loss, given.n), about="errors", digits=3),
        loss=Operand(loss, digits=3),
        before=Operand(previous, digits=3),
        penalty=Operand(penalty, digits=-1),
        n=given.n,
        **coefficients,
    )


def test(given: Setting, s: State) -> Note:
    curve = s.tried[-1].fit
    missed = s.tried[-1].missed
    lead = "Degree {k} misses {missed} of {n} {n:point|points}: it is not consistent."
    if not missed:
        lead = "Degree {k} is consistent: it meets {n:|all }{n} {n:point|points}, up to rounding."
    size = Operand(float(np.abs(given.errors(curve)).max()), about="errors", digits=3)
    fact = Fact("largest |y − h(x)|", "{farthest}")
    return note(lead, fact, k=curve.degree, n=given.n, missed=missed, farthest=size)


def choose(given: Setting, s: State) -> tuple[Note, Choice | None]:
    last = len(s.tried) - 1
    rmse = Operand(root_mean_square(s.tried[s.degree].loss, given.n), digits=3)
    if not s.consistent:
        lead = (
            "No degree up to {last} meets every point. Which one is best, only rows that were held"
            " out can tell."
        )
        return note(lead, RMSE, last=last, rmse=rmse), None
    sine = " with the sine" if given.p.basis == "with sine" else ""
    lead = f"Degree {{simplest}}{sine} alone meets every point."
    if len(s.consistent) > 1:
        lead = (
            "Degrees {degrees} meet every point. Ockham's razor prefers the simplest: degree"
            " {simplest}."
        )
    if s.degree != s.chosen:
        lead += " The curve in force is still that of degree {degree}."
    words = note(
        lead,
        RMSE,
        degrees=", ".join(map(str, s.consistent)),
        simplest=s.chosen,
        degree=s.degree,
        last=last,
        rmse=rmse,
    )
    return words, simplest_of(s)


def simplest_of(s: State) -> Choice:
    """The choice among the degrees by missed points; the simplest consistent one wins."""
    options = tuple(
        Option(f"degree {k}", float(tried.missed), f"degree {k}", value=k)
        for k, tried in enumerate(s.tried)
    )
    winners = tuple(s.consistent)
    rule = "of the consistent ones the simplest, Ockham's razor" if len(winners) > 1 else ""
    prompt = "Which is the simplest consistent degree?"
    return Choice(prompt, options, winners, s.chosen, rule, "points missed", True, 0)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The value at x (d,), term by term."""
    at = float(x[given.column])
    c = s.coefficients
    if np.isnan(at):
        return Explanation(-1, missing_note(given.problem, x))
    if not len(c):
        return Explanation(-1, note("No curve is fitted yet, so every place has the value 0."))
    value = float(values(s, np.array([at]))[0])
    powers = len(c) - given.sine
    with np.errstate(over="ignore", invalid="ignore"):
        factors = at ** np.arange(powers, dtype=np.float64)
        if given.sine:
            factors = np.append(factors, np.sin(at))
        parts = bounded(c * factors)
    names = term_names(powers - 1, given.sine)
    target = given.problem.target
    formula = []
    bars = None
    if len(c) <= MOST_TERMS:
        products = [f"{{c{k}}} · {{f{k}}}" for k in range(1, len(c))]
        formula.append(Formula("h(x) =", " + ".join(["{c0}", *products]), "{value}"))
    else:
        bars = Bars("Part of each term", names, parts)
    words = note(
        "This place is called {name}: {target} is predicted as {value} at x = {x}.",
        *formula,
        name=fixed(value),
        target=target.title if target is not None else "the value",
        value=Operand(value, "h(x)", "curve"),
        x=at,
        **{f"c{k}": _term(c[k], "c" + subscript(k), "coefficients") for k in range(len(c))},
        **{f"f{k}": _term(factors[k], name) for k, name in enumerate(names)},
    )
    return Explanation(-1, words, bars)


def term_names(degree: int, sine: bool) -> tuple[str, ...]:
    """The names of the terms: 1, x, x², x³ … and sin x."""
    higher = ["x" + str(k).translate(_SUPERSCRIPTS) for k in range(2, degree + 1)]
    powers = ["1", "x", *higher][: degree + 1]
    return (*powers, "sin x") if sine else tuple(powers)


def curve_formula(curve: Fit) -> tuple[Formula, dict[str, Operand]]:
    """(formula h(x) = c₀ + c₁ x + …, operands); of many terms the first and the last."""
    terms = list(enumerate(term_names(curve.degree, curve.sine)))
    shown = terms if len(terms) <= MOST_TERMS else [*terms[:3], *terms[-1:]]
    parts = [f"{{c{k}}}" if k == 0 else f"{{c{k}}} · {name}" for k, name in shown]
    if len(terms) > MOST_TERMS:
        parts.insert(3, "…")
    symbols = {k: "s" if name == "sin x" else "c" + subscript(k) for k, name in shown}
    numbers = {f"c{k}": _term(curve.powers[k], symbols[k], "coefficients") for k, _ in shown}
    return Formula("h(x) =", " + ".join(parts)), numbers


def _term(value: float, symbol: str, about: str = "") -> Operand:
    """A factor of the formula; small ones keep their digits."""
    digits = 2 if abs(value) >= 0.095 else 4
    return Operand(settled(float(value), 1.0), symbol, about, digits)
