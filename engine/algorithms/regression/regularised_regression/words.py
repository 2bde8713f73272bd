"""What penalised regression says: one weight's best value, what becomes zero, which λ is meant."""

from engine.algorithms.regression.parts.fits import explain_value
from engine.algorithms.regression.regularised_regression import Params, Setting, State
from engine.algorithms.regression.regularised_regression.shrinkage import complexity
from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np, short
from engine.base.notation import subscript

SUMMARY = (
    "Least squares plus a price for large weights. With q = 1 the price is a diamond whose corners"
    " make weights exactly zero; with q = 2 it is a circle: without corners it makes them smaller"
    " together."
)
ERRATA = (
    (
        "AIMA 18.6.2 gives no method for q = 1 and does not say whether w₀ is penalised. Here every"
        " weight in turn takes its best value, and w₀ is free."
    ),
    (
        "AIMA takes the sum of the squared errors in 18.6.1 and their mean in 18.4.2: the same λ"
        " means different things. Choose which, and look at N."
    ),
)
UNEVEN = 10.0  # times wider: then the penalty depends on the units
RIDGE = Formula("w ←", "(XᵀX + {total} · I)⁻¹ Xᵀ y", "{w}")
LAMBDA = Fact("λ beside the sum of squares", "{total}")
ROWS = Fact("N", "{n}")
FREE = Fact("w₀", "not penalised")
ZERO_FROM = Fact("all weights 0 from λ", "{most}")
COMPLEXITY = Fact("complexity", "{complexity}")
LOSS = Fact("Σ (y − h)²", "{loss}")


def chips(p: Params) -> tuple[str, ...]:
    turned = (f"axes turned {short(p.turn)}°",) if p.turn else ()
    return (f"q = {p.q}", f"λ {short(p.strength)} beside the {p.loss}", "w₀ not penalised", *turned)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The value at x (d,), term by term."""
    return explain_value(given.problem, s.w, x @ given.T, column_names(given))


def column_names(given: Setting) -> tuple[str, ...]:
    """The titles of the columns; "… turned" for rotated ones."""
    mixed = 2 if given.p.turn and given.problem.d > 1 else 0
    return tuple(f.title + " turned" * (j < mixed) for j, f in enumerate(given.problem.features))


def start(given: Setting, s: State) -> Note:
    p = given.p
    mean = given.p.loss == "mean"
    sizes = [size for size in given.lengths if size > 0]
    lead = "All weights start at 0; w₀ = {level} is the mean of y and is never penalised."
    if sizes and max(sizes) > UNEVEN * min(sizes):
        lead += (
            " The columns have very different spreads, and the penalty depends on units:"
            " standardise them."
        )
    cost = "(1/N) Σ (y − h)²" if mean else "Σ (y − h)²"
    penalty = "Σ |w|" if p.q == 1 else "Σ w²"
    facts = [ROWS]
    if mean:
        facts.append(LAMBDA)
    if p.q == 1:
        facts.append(ZERO_FROM)
    return note(
        lead,
        Formula("Cost =", f"{cost} + {{strength}} · {penalty}"),
        *facts,
        FREE,
        level=float(np.round(given.y_mean, 12)),
        strength=Operand(p.strength, "λ", "strength" if p.strength > 0 else "", digits=-1),
        n=given.n,
        total=given.total,
        most=Operand(given.most / given.averaged, digits=4),
    )


def round(given: Setting, s: State) -> Note:
    if given.p.q == 1:
        return note("Round {round}: every weight in turn.", round=s.round)
    return note("With q = 2 the best weights have a formula.", round=s.round)


def take(given: Setting, s: State) -> Note:
    if s.current < 0:
        return note("All weights are looked at together.")
    name = Operand("w" + subscript(s.current), about="w")
    return note("Look at {name}, the others held.", name=name)


def update(given: Setting, s: State, pull: float = 0.0) -> Note:
    """The note of an update. pull: for q = 1, xⱼ · (residual without weight j)"""
    if given.p.q == 1:
        return _lasso_note(given, s, pull)
    return _ridge_note(given, s)


def _lasso_note(given: Setting, s: State, pull: float) -> Note:
    """The best value of one weight: its pull, brought nearer to zero by the threshold."""
    k = s.current
    threshold = given.total / 2
    half = "Nλ/2" if given.p.loss == "mean" else "λ/2"
    name = "w" + subscript(k)
    size = given.sizes[k - 1]
    sign = "−" if pull > 0 else "+"
    parts = [Formula(f"{name} ←", f"({{pull}} {sign} {{threshold}}) / {{size}}", "{new}")]
    lead = "The errors pull {name} with {pull}; the penalty takes {half} = {threshold} of it."
    if size <= 0:
        lead = "{name} stays 0: its column is the same in every row."
        parts = []
    elif abs(pull) <= threshold:
        lead = (
            "The errors pull {name} with {pull}. That is not more than {half} = {threshold}: {name}"
            " is exactly 0."
        )
        parts = []
    return note(
        lead,
        *parts,
        Fact(name, "{old} → {new}"),
        name=Operand(name, about="w"),
        pull=Operand(pull, "x · r", "loss"),
        half=half,
        threshold=Operand(threshold, half, "strength" if threshold > 0 else ""),
        size=Operand(size, "(x · x)"),
        old=Operand(float(s.before[k]), about="w"),
        new=Operand(float(s.w[k]), name, "w"),
    )


def _ridge_note(given: Setting, s: State) -> Note:
    """The best values of all weights together."""
    lead = "The penalty adds λ to the diagonal of XᵀX: together the weights become smaller."
    total = given.total
    if total == 0:
        lead = "λ is 0: these are the weights of least squares."
    elif not s.w[1:].any():
        lead = "No column goes along with y: all weights stay 0."
    symbol = "Nλ" if given.p.loss == "mean" else "λ"
    return note(
        lead,
        RIDGE,
        total=Operand(total, symbol, "strength" if total > 0 else ""),
        w=Operand(s.w[1:], "w", "w"),
        w0=float(s.w[0]),
        before=Operand(s.before[1:], "w", "before"),
    )


def until(given: Setting, s: State, settled: bool, over: bool) -> Note:
    """The note of a round's end: whether the weights still move, and where they rest."""
    zeros = ["w" + subscript(k + 1) for k in np.flatnonzero(s.w[1:] == 0).tolist()]
    if settled:
        lead = resting(given, zeros)
    elif over:
        lead = (
            "Stopped after {round} {round:round|rounds}: some weights still move, so they are"
            " not settled."
        )
    else:
        lead = "Round {round} is over; some weights still move."
    size = float(complexity(s.w[1:], given.p.q))
    return note(
        lead,
        COMPLEXITY,
        LOSS,
        round=s.round,
        zeros=", ".join(zeros[:6]) + " …" * (len(zeros) > 6),
        w=Operand(s.w, "w", "w"),
        complexity=Operand(size, about="penalty" if size > 0 else ""),
        loss=Operand(s.loss, about="loss"),
    )


def resting(given: Setting, zeros: list[str]) -> str:
    """A sentence on weights at rest, `zeros` of which are 0; the oval of the loss touches the
    penalty's shape there.
    """
    d = given.problem.d
    q = given.p.q
    none = "Exactly 0: {zeros}." if zeros else "No weight is exactly 0."
    shape = "circle" if q == 2 else "diamond"
    if given.total == 0:
        return f"Settled. λ is 0, so the penalty has no say. {none}"
    if d == 1:
        return f"Settled where the cost is least. {none}"
    if len(zeros) == d:
        return f"Settled: all weights are 0, the {shape} of the penalty is a single point."
    if q == 1 and zeros:
        where = "a corner" if len(zeros) == d - 1 else "an edge"
        return (
            f"Settled. {none} The oval of the loss touches the diamond of the penalty at {where}."
        )
    lead = f"Settled: the oval of the loss touches the {shape} of the penalty. {none}"
    if zeros:
        lead += " That is not the penalty's doing: a circle has no corners."
    return lead
