"""Words of the moving query: distance, weight, the sum with its numbers, and what is done where the
texts are silent.
"""

from fractions import Fraction
from typing import Any

from engine.algorithms.regression.parts.smoothing_fits import FITS, POWERS, Rule, kernel_value
from engine.algorithms.regression.parts.sweep import AnySmoothing, AnySweep, State
from engine.algorithms.regression.parts.sweep_picture import (
    neighbours,
    query_layers,
    sweep_distances,
    swept_slope,
    weight_tag,
    window,
)
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
    replace,
)
from engine.base.notation import counted, subscript
from engine.numerics.closeness import OF_TERMS, equal, tidy
from engine.protocol.step import verbatim
from engine.protocol.unknown import missing_note
from engine.scene.regression import upright
from engine.scene.scene import Bars, Layer

TERMS = 7  # of a sum or a list that are written out
RMSE = Fact("RMSE on the examples", "{rmse}")
LOO = Fact("RMSE, each example left out", "{loo}")
WEIGHT = {
    "1/d": Formula("w ←", "1 / {d}", "{w}"),
    "1/d²": Formula("w ←", "1 / {d}²", "{w}"),
    "gaussian": Formula("w ←", "e^(−{d}² / {width}²)", "{w}"),
    "quadratic": Formula("w ←", "max(0, 1 − (2 · {d} / {width})²)", "{w}"),
}
SLOPE = Fact("b, its slope", "{b}")
LEVEL = Fact("a, its level at x = 0", "{a}")
FALLBACK = {
    "exact": " An example lies exactly here: its own value is taken.",
    "nearest": " No example lies inside the window: the nearest example answers alone.",
    "held": " Beyond the ends the last value stays.",
    "line": " Too few different examples count here to settle a quadratic: a line is taken.",
    "mean": (
        " Too few different examples count here to settle a line: their weighted mean is taken."
    ),
}
SEVERAL = {
    "exact": " Several examples lie exactly here: the mean of their values is taken.",
    "held": " Beyond the ends the last value stays, the mean of the examples there.",
}


def start(given: AnySweep, s: State) -> Note:
    return note("The memory is empty. Nothing will be fitted before a query comes.")


def store(given: AnySweep, s: State) -> Note:
    lead = (
        "{n:|All }{n} {n:example is stored as it is|examples are stored as they are}: that is the"
        " whole training. The pale curve is what the queries will find."
    )
    return note(lead, RMSE, n=len(given.model.y), rmse=Operand(given.rmse, "RMSE", "curve"))


def end(given: AnySweep, s: State) -> Note:
    lead = "The query has passed all places: its answers are the curve."
    rmse = Operand(given.rmse, "RMSE", "curve")
    if not np.isfinite(given.loo):
        return note(lead, RMSE, rmse=rmse)
    return note(lead, RMSE, LOO, rmse=rmse, loo=given.loo)


def place(given: AnySweep, s: State) -> Operand:
    """The query's coordinate q as an operand, along the column over which it moves."""
    return Operand(float(s.query[given.model.column]), "q", "query")


def query(given: AnySweep, s: State) -> Note:
    name = given.problem.features[given.model.column].title
    rest = " The other columns are held at their middle." if given.problem.d > 1 else ""
    return note("What is the value at {name} = {q}?" + rest, name=name, q=place(given, s))


def near(given: AnySmoothing, s: State) -> tuple[Note, Choice | None]:
    names = ", ".join(given.problem.names[i] for i in s.neighbours[:TERMS])
    if len(s.neighbours) > TERMS:
        names += ", …"
    lead = "Nearest to {q}: {names}."
    if s.tie:
        lead += " {other} is as near as the last of them: the lower row counts."
    words = note(
        lead,
        q=place(given, s),
        names=Operand(names, about="neighbours"),
        other=_outside(given, s),
    )
    return words, _last(given, s)


def _outside(given: AnySweep, s: State) -> str | None:
    """The name of the example left out that is as near as the last neighbour."""
    return given.problem.names[s.outside] if s.tie else None


def _last(given: AnySmoothing, s: State) -> Choice | None:
    """Who is the last neighbour? Of the k-th nearest and all that are farther or as near."""
    model = given.model
    if not 0 < model.k < len(model.y):
        return None
    d = tidy(np.asarray(model.index.space.distance(s.query, model.X)))
    order = np.lexsort((np.arange(len(d)), d))[model.k - 1 :][:6]
    winners = tuple(np.flatnonzero(d[order] == d[order[0]]).tolist())
    rows = model.rows[order].tolist()
    options = tuple(
        Option(given.problem.names[row], away, "neighbours", value=row)
        for row, away in zip(rows, d[order].tolist(), strict=True)
    )
    rule = "equal distances: the lower row number" if len(winners) > 1 else ""
    count = f"the {model.k} nearest" if model.k > 1 else "the nearest"
    return Choice(f"Who is the last of {count}?", options, winners, 0, rule, "distance", True)


def weigh(given: AnySmoothing, s: State) -> Note:
    """The note of a neighbour's weight, with the formula of K where it applies."""
    d, w = looked_at(given, s)
    rule = given.rule
    point = Operand(given.problem.names[s.looked], about="current")
    away = Operand(_short(d), "d", "current")
    tag = weight_tag(given)
    if s.exact or kernel_value(np.array([d]), rule)[0] != w:
        weight = Operand(w, "w", tag, 3)
        return note("{point} is {d} away." + aside(s), point=point, d=away, w=weight)
    width = Operand(
        rule.width,
        "k" if rule.kernel == "quadratic" else "σ",
        tag if tag == "kernel" else "",
        -1,
    )
    formula = [] if rule.kernel == "equal" else [WEIGHT[rule.kernel]]
    weight = Operand(exact_weight(d, rule), "w", tag, 3)
    return note("{point} is {d} away.", *formula, point=point, d=away, w=weight, width=width)


def looked_at(given: AnySweep, s: State) -> tuple[float, float]:
    """(distance, weight) of the current neighbour."""
    j = int(np.flatnonzero(s.neighbours == s.looked)[0])
    return float(sweep_distances(given, s)[j]), float(s.weights[j])


def exact_weight(d: float, rule: Rule) -> Fraction | float:
    """K(d) as a fraction where it is a short one (1/1.5² = 4/9), else as a float."""
    short = Fraction(d).limit_denominator(1000)
    power = POWERS.get(rule.kernel)
    if power is not None and float(short) == d and short:
        w = Fraction(1 / short**power)
        if w.denominator <= 1000 and w.numerator <= 1000:
            return w
    return float(kernel_value(np.array([d]), rule)[0])


def _short(d: float) -> Any:
    """A distance between numbers typed by hand stays short."""
    return number(d) if equal(d, round(d, 2), 1.0, OF_TERMS) else d


def fit(given: AnySweep, s: State) -> Note:
    """The note of the weighted least-squares line at the query. ML 8.3.1."""
    if not len(s.slope):
        return note("No line can be fitted at {q}." + aside(s), q=place(given, s))
    if len(s.slope) > given.problem.d:
        return bent(given, s)
    if len(s.slope) > 1:
        return note("The plane of least Σ w (y − h)² has the slopes {b}.", b=Operand(s.slope, "b"))
    q = float(s.query[0])
    b = float(s.slope[0])
    lead = (
        "For this query alone the line of least Σ w (y − a − b x)² is solved in closed form; it is"
        " thrown away afterwards."
    )
    lead += aside(s)
    return note(lead, SLOPE, LEVEL, a=Operand(s.value - b * q, "a"), b=Operand(b, "b"))


def bent(given: AnySweep, s: State) -> Note:
    """The note of the weighted quadratic at the query; of one column with its formula. ML 8.3."""
    lead = (
        "For this query alone the quadratic of least Σ w (y − h(x))² is solved in closed form; it"
        " is thrown away afterwards."
    )
    if given.problem.d > 1:
        return note(lead, Fact("slopes and bends", "{b}"), b=Operand(s.slope, "b"))
    slope, bend = s.slope.tolist()
    x = f"(x − {number(float(s.query[0]))})"
    return note(
        lead,
        Formula("h(x) =", f"{{a}} + {{b}} · {x} + {{c}} · {x}²"),
        a=Operand(s.value, "h(q)", "line"),
        b=Operand(slope, "b₁", "line", 3),
        c=Operand(bend, "b₂", "line", 3),
    )


def aside(s: State) -> str:
    """A sentence on a special case that the plain rule does not cover, "" for none."""
    if len(s.neighbours) != 1 and s.fallback in SEVERAL:
        return SEVERAL[s.fallback]
    return FALLBACK.get(s.fallback, "")


def answer(given: AnySweep, s: State) -> Note:
    """The note of the estimate with its numbers, and at an example the leave-one-out estimate."""
    rule = given.model.rule
    kind = rule.estimate if rule is not None else "mean"
    parts, operands = _mean_formula(given, s) if kind == "mean" else _other_formula(given, s, kind)
    facts, others = _left_out(given, s)
    lead = "At {q} the value is {value}" + origin(given, s) + "." + aside(s)
    if s.tie:
        lead += " {other} is as near as the last neighbour; the lower row counts."
    names = {
        f"end{j}": Operand(name, about="neighbours") for j, name in enumerate(ends(given, s)[:2])
    }
    return note(
        lead,
        *(parts + facts),
        q=place(given, s),
        value=Operand(s.value, "h(q)", "value"),
        other=_outside(given, s),
        used=Operand(len(s.neighbours), about="neighbours"),
        **(names | operands | others),
    )


def ends(given: AnySweep, s: State) -> list[str]:
    """The names of the neighbours; for joined points examples at one place share a name."""
    if given.model.rule is not None:
        return [given.problem.names[i] for i in s.neighbours[:2]]
    x = given.problem.X[s.neighbours, given.model.column]
    found = []
    for at in dict.fromkeys(x.tolist()):
        names = [given.problem.names[i] for i in s.neighbours[x == at]]
        found.append(together(names))
    return found


def together(names: list[str]) -> str:
    """The name for examples at one place, which count by their mean."""
    if len(names) == 1:
        return names[0]
    if len(names) > TERMS:
        return f"the mean of {counted(len(names), 'example')}"
    return f"the mean of ({', '.join(names)})"


def origin(given: AnySweep, s: State) -> str:
    """A phrase on how the estimate comes about; "" in a special case, which `aside` explains."""
    rule = given.model.rule
    if s.fallback:
        return ""
    if rule is None:
        return origin_on_a_line(s)
    if len(s.neighbours) == 1:
        return ", that of {end0}"
    if rule.estimate in FITS:
        return f", read off the {rule.estimate} fitted to {{used}} {{used:example|examples}}"
    words = ", the mean of {used} {used:example|examples}"
    if given.model.k:
        words = f", the {rule.estimate} of the {{used}} nearest"
    if rule.kernel != "equal":
        words += ", the nearer the heavier"
    return words


def origin_on_a_line(s: State) -> str:
    """The phrase of `origin` for joined points."""
    if not len(s.neighbours):
        return ", on a line between two places that hold too many examples to list"
    if (s.weights >= 0).all():
        return ", on the line between {end0} and {end1}"
    return ", where the line through {end0} and {end1} goes on"


def _mean_formula(given: AnySweep, s: State) -> tuple[list[Formula | Fact], dict[str, Operand]]:
    """Σ w y / Σ w, term by term while they are few."""
    y = np.asarray(given.problem.y, np.float64)[s.neighbours]
    tag = weight_tag(given)
    one = s.fallback in ("nearest", "held") or (s.exact and len(y) == 1)
    if one or not len(y) or not np.isfinite(s.weights).all():
        return [], {}
    operands = {
        "sum_w": Operand(float(s.weights.sum()), "Σ w", tag),
        "sum_wy": Operand(float(s.weights @ y), "Σ w y", "neighbours"),
    }
    quotient = Formula("h(q) =", "{sum_wy} / {sum_w}", "{value}")
    if not 1 < len(y) <= TERMS:
        return [quotient], operands
    for j, (w, value) in enumerate(zip(exact_weights(given, s), y.tolist(), strict=True)):
        operands[f"w{j}"] = Operand(w, "w" + subscript(j + 1), tag, 3)
        operands[f"y{j}"] = Operand(value, "y" + subscript(j + 1), "neighbours")
    terms = " + ".join(f"{{w{j}}} · {{y{j}}}" for j in range(len(y)))
    return [Formula("Σ w y =", terms, "{sum_wy}"), quotient], operands


def exact_weights(given: AnySweep, s: State) -> list[Fraction | float]:
    """The weights of the neighbours, as fractions where these are short."""
    if given.model.rule is None or s.fallback:
        return [float(w) for w in s.weights]
    exact = [exact_weight(float(d), given.model.rule) for d in sweep_distances(given, s)]
    return [e if equal(float(e), w) else w for e, w in zip(exact, s.weights.tolist(), strict=True)]


def _other_formula(
    given: AnySweep, s: State, kind: str
) -> tuple[list[Formula | Fact], dict[str, Operand]]:
    """The words for a median or a line in place of those for a sum."""
    count = Operand(len(s.neighbours), about="neighbours")
    if kind == "median":
        return [Fact("median of", "{count} {count:value|values}")], {"count": count}
    if not len(s.slope):
        return [], {}
    facts: list[Formula | Fact] = [
        Fact("slope of the line here" if kind == "line" else "slope here", "{slope}"),
        Fact("examples in it", "{count}"),
    ]
    about = "line" if upright(given.problem) else ""
    slope = Operand(swept_slope(given, s), "w₁", about)
    return facts, {"slope": slope, "count": count}


def _left_out(given: AnySweep, s: State) -> tuple[list[Formula | Fact], dict[str, Operand]]:
    """At an example: what the others alone say, and how wrong that is. AIMA 18.8.4."""
    model = given.model
    at, errors = model.left_out
    here = np.flatnonzero((model.X[at] == s.query).all(axis=1))
    if not len(here) or len(model.y) < 2:
        return [], {}
    row = at[here[0]]
    error = float(errors[here[0]])
    name = verbatim(given.problem.names[model.rows[row]])
    operands = {
        "without": Operand(float(model.y[row] - error), "h(q)"),
        "error": Operand(error),
    }
    return [Fact(f"{name} left out", "{without}, error {error}")], operands


def explain(given: AnySweep, s: State, x: Float) -> Explanation:
    """The estimate at x (d,), computed as for a query."""
    if np.isnan(x[given.model.column]):
        return Explanation(-1, missing_note(given.problem, x))
    if not s.stored:
        return Explanation(-1, note("Nothing is stored yet, so every place has the value 0."))
    found = replace(given.at_query(s, x), answered=True)
    names = tuple(given.problem.names[row] for row in found.nearest)
    bars = None
    if names:
        tags = given.problem.tags_of(found.nearest)
        heights = found.weights[: len(names)]
        bars = Bars("Weight of each", names, heights, unit="weight", digits=3, tags=tags)
    layers: tuple[Layer, ...] = ()
    if given.problem.plane:
        layers = (
            *window(given, found),
            *neighbours(given.problem, found),
            *query_layers(given, found),
        )
    return Explanation(-1, answer(given, found), bars, layers)
