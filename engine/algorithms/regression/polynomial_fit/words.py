"""What polynomial fits say: the curve as a formula, what a degree gains, which degrees are consistent."""

from engine.algorithms.regression.polynomial_fit import Params, Setting, State, values
from engine.algorithms.regression.polynomial_fit.curves import Fit
from engine.authoring import Choice, Explanation, Fact, Float, Formula, Note, Operand, Option, note, np, number, plural
from engine.core.notation import fixed, subscript
from engine.core.scene import Bars
from engine.core.unknown import nothing_said
from engine.algorithms.regression.parts.least_squares import root_mean_square

SUMMARY = (
    "Fits polynomials of degree 0, 1, 2, … Without a penalty the training error can only fall; the error on held-out rows falls "
    "and rises again. Among the degrees that meet every point, Ockham's razor takes the simplest."
)
ERRATA = (
    "AIMA 18.4.2 takes the mean of the squared errors, 18.6.1 their sum: the same λ means different things. Here it "
    "is the mean, and N is shown.",
)
MOST_TERMS = 5
RMSE = Fact("RMSE of the training rows", "{rmse}")
SUM = Fact("Σ (y − h)²", "{loss}")
BEFORE = Fact("one degree lower", "{before}")
COST = Fact("penalty", "{penalty} of the mean loss, N = {n}; c₀ is free")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def chips(p: Params) -> tuple[str, ...]:
    penalised = (f"λ {number(p.penalty, 4)}, c₀ free",) if p.penalty else ()
    return (f"c₀ … c{subscript(p.degree)}", *(("sin x",) if p.basis == "with sine" else ()), *penalised)


def grow(given: Setting, s: State) -> Note:
    k = len(s.tried)
    count = k + 1 + given.sine
    column = given.problem.features[given.column].title if given.problem.d > 1 else ""
    lead = f"Degree {{k}}: {{count}} {plural(count, 'coefficient')} for {{places}} different x."
    if column:
        lead += " Only {column} is used."
    return note(lead, k=k, count=count, places=given.places, column=column)


def fit(given: Setting, s: State) -> Note:
    curve, loss, penalty = s.tried[-1].fit, s.tried[-1].loss, given.p.penalty
    former = s.tried[-2].loss if len(s.tried) > 1 else None
    lead = "The best curve of degree {k}."
    if former is not None:
        rises, falls = loss > former * (1 + 1e-9), loss < former * (1 - 1e-9)
        lead += f" The training error {'rises' if rises else 'falls' if falls else 'stays'}."
    if not curve.unique:
        lead += (
            " More coefficients than different x: many curves are as good, the calmest is taken."
            if len(curve.powers) > given.places
            else " The columns nearly depend on each other: many curves are almost as good, the calmest is taken."
        )
    formula, coefficients = curve_formula(curve)
    return note(
        lead,
        formula,
        RMSE,
        SUM,
        *((BEFORE,) if former is not None else ()),
        *((COST,) if penalty else ()),
        k=curve.degree,
        rmse=Operand(root_mean_square(loss, given.n), about="errors", digits=3),
        loss=Operand(loss, digits=3),
        before=Operand(former, digits=3),
        penalty=Operand(penalty, digits=-1),
        n=given.n,
        **coefficients,
    )


def test(given: Setting, s: State) -> Note:
    """farthest: the largest |y − h(x)|."""
    curve, missed = s.tried[-1].fit, s.tried[-1].missed
    lead = "Degree {k} misses {missed} of {n} {n:point|points}: it is not consistent."
    if not missed:
        lead = "Degree {k} is consistent: it meets {n:|all }{n} {n:point|points}, up to rounding."
    size = Operand(float(np.abs(given.errors(curve)).max()), about="errors", digits=3)
    fact = Fact("largest |y − h(x)|", "{farthest}")
    return note(lead, fact, k=curve.degree, n=given.n, missed=missed, farthest=size)


def choose(given: Setting, s: State) -> tuple[Note, Choice | None]:
    good = s.consistent
    if not good:
        lead = "No degree up to {last} meets every point. Which one is best, only rows that were held out can tell."
    elif len(good) == 1:
        lead = "Degree {simplest} alone meets every point."
    else:
        lead = "Degrees {degrees} meet every point. Ockham's razor prefers the simplest: degree {simplest}."
    if good and s.degree != s.chosen:
        lead += " The curve in force is still that of degree {degree}."
    words = note(
        lead,
        RMSE,
        degrees=", ".join(map(str, good)),
        simplest=s.chosen,
        degree=s.degree,
        last=len(s.tried) - 1,
        rmse=Operand(root_mean_square(s.tried[s.degree].loss, given.n), digits=3),
    )
    names = [f"degree {k}" for k in range(len(s.tried))]
    options = (Option(name, float(s.tried[k].missed), name, value=k) for k, name in enumerate(names))
    rule = "of the consistent ones the simplest, Ockham's razor" if len(good) > 1 else ""
    prompt = "Which is the simplest consistent degree?"
    asked = Choice(prompt, tuple(options), tuple(good), s.chosen, rule, "points missed", True, 0)
    return words, asked if good else None


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The value at x, term by term."""
    at, c = float(x[given.column]), s.coefficients
    if np.isnan(at):
        return Explanation(-1, nothing_said(given.problem, x))
    if not len(c):
        return Explanation(-1, note("No curve is fitted yet, so every place has the value 0."))
    value, last = float(values(s, np.array([at]))[0]), len(c) - given.sine
    with np.errstate(over="ignore", invalid="ignore"):
        factors = np.append(at ** np.arange(last, dtype=np.float64), np.sin(at) if given.sine else [])
        parts = np.nan_to_num(c * factors, nan=0.0, posinf=1e140, neginf=-1e140)
    names, target = term_names(last - 1, given.sine), given.problem.target
    few = len(c) <= MOST_TERMS
    terms = [f"{{c{k}}}" if name == "1" else f"{{c{k}}} · {{f{k}}}" for k, name in enumerate(names)]
    words = note(
        "This place is called {name}: {target} is predicted as {value} at x = {x}.",
        *((Formula("h(x) =", " + ".join(terms), "{value}"),) if few else ()),
        name=fixed(value),
        target=target.title if target is not None else "the value",
        value=Operand(value, "h(x)", "curve"),
        x=at,
        **{f"c{k}": Operand(_signed(c[k], k > 0), "c" + subscript(k), "coefficients") for k in range(len(c))},
        **{f"f{k}": Operand(_signed(factors[k], True), name) for k, name in enumerate(names)},
    )
    return Explanation(-1, words, None if few else Bars("Part of each term", names, parts))


def term_names(degree: int, sine: bool) -> tuple[str, ...]:
    """1, x, x², x³ … and sin x."""
    powers = ["x" if k == 1 else "x" + str(k).translate(_SUPERSCRIPTS) for k in range(1, degree + 1)]
    return ("1", *powers, *(("sin x",) if sine else ()))


def curve_formula(curve: Fit) -> tuple[Formula, dict[str, Operand]]:
    """h(x) = c₀ + c₁ x + … with its numbers; of many terms the first and the last."""
    terms = list(enumerate(term_names(curve.degree, curve.sine)))
    shown = terms if len(terms) <= MOST_TERMS else [*terms[:3], *terms[-1:]]
    parts = [f"{{c{k}}}" if k == 0 else f"{{c{k}}} · {name}" for k, name in shown]
    if len(terms) > MOST_TERMS:
        parts.insert(3, "…")
    symbols = {k: "s" if name == "sin x" else "c" + subscript(k) for k, name in shown}
    numbers = {f"c{k}": Operand(_signed(curve.powers[k], k > 0), symbols[k], "coefficients") for k, _ in shown}
    return Formula("h(x) =", " + ".join(parts)), numbers


def _signed(value: float, braces: bool) -> str:
    if abs(value) < 1e-12:
        return "0"
    text = number(value, 2) if abs(value) >= 0.095 else number(value, 4)
    return f"({text})" if braces and value < 0 else text
