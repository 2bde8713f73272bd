"""Words of the moving query: distance, weight, the sum with its numbers, what is done where the texts are silent."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float
from engine.core.notation import number, subscript
from engine.core.problem import Problem
from engine.core.scene import Bars
from engine.core.step import Choice, Fact, Formula, Level, Note, Operand, Option, Step, note, verbatim
from engine.numerics.distances import tidy
from engine.numerics.local_fits import Rule, kernel_value
from engine.numerics.smoothing import Smoother
from engine.numerics.sweep import State, Sweep, asked
from engine.pictures.regression import upright
from engine.pictures.smoothing import neighbours, query_layers, sweep_distances, weight_tag, window

WEIGHED_ONE_BY_ONE, TERMS = 12, 7
WEIGHT = {
    "1/d": Formula("w ←", "1 / {d}", "{w}"),
    "1/d²": Formula("w ←", "1 / {d}²", "{w}"),
    "gaussian": Formula("w ←", "e^(−{d}² / {width}²)", "{w}"),
    "quadratic": Formula("w ←", "max(0, 1 − (2 · {d} / {width})²)", "{w}"),
}
FALLBACK = {
    "exact": " An example lies exactly here: its own value is taken.",
    "nearest": " Nobody lies inside the window: the nearest example answers alone.",
    "held": " Beyond the ends the last value stays.",
    "mean": " Too few different examples count here to settle a line: their weighted mean is taken.",
}
SEVERAL = {
    "exact": " Several examples lie exactly here: the mean of their values is taken.",
    "held": " Beyond the ends the last value stays, the mean of the examples there.",
}
EVENTS = {"exact": ("exact",), "nearest": ("too few",), "mean": ("too few",), "held": (), "": ()}


class Teller:
    """The steps of one sweep with their words."""

    def __init__(self, problem: Problem, sweep: Sweep) -> None:
        self.problem, self.sweep = problem, sweep

    def step(
        self, line: str, s: State, told: Note, level: Level = Level.STEP, events: tuple[str, ...] = (),
        choice: Choice | None = None,
    ) -> Step[State]:  # fmt: skip
        return Step(line, s, told, level, self.sweep.metrics(s), events, choice)

    def start(self) -> Step[State]:
        return self.step("start", State(), start_note(), Level.ROUND)

    def store(self, s: State) -> Step[State]:
        return self.step("store", s, store_note(self.sweep), Level.ROUND)

    def query(self, s: State) -> Step[State]:
        return self.step("query", s, query_note(self.problem, self.sweep, s), Level.DETAIL)

    def near(self, s: State) -> Step[State]:
        told, choice = near_note(self.problem, self.sweep, s), near_choice(self.problem, self.sweep, s)
        return self.step("near", s, told, Level.DETAIL, ("tie",) if s.outside >= 0 else (), choice)

    def weigh(self, s: State) -> Iterator[Step[State]]:
        """The weight of each neighbour, nearest first; with many only the first ones."""
        distances = sweep_distances(self.problem, self.sweep, s)
        for j in range(min(len(s.neighbours), WEIGHED_ONE_BY_ONE)):
            one = replace(s, looked=int(s.neighbours[j]))
            told = weight_note(self.problem, self.sweep, one, j, float(distances[j]))
            yield self.step("weigh", one, told, Level.DETAIL)

    def fit(self, s: State) -> Step[State]:
        return self.step("fit", s, fit_note(self.problem, self.sweep, s), Level.DETAIL)

    def answer(self, s: State) -> Step[State]:
        return self.step("answer", s, answer_note(self.problem, self.sweep, s), events=answer_events(s))

    def end(self) -> Step[State]:
        return self.step("end", State(stored=True, finished=True), end_note(self.sweep), Level.ROUND)


def start_note() -> Note:
    return note("The memory is empty. Nothing will be fitted before a query comes.")


def store_note(sweep: Sweep) -> Note:
    return note(
        "{n:|All }{n} {n:example is stored as it is|examples are stored as they are}: that is the whole training. The pale curve is what the queries will find.",
        Fact("RMSE on the examples", "{rmse}"),
        n=len(sweep.model.y),
        rmse=Operand(float(np.sqrt(np.mean(sweep.errors**2))), "RMSE", "curve"),
    )


def end_note(sweep: Sweep) -> Note:
    facts = [Fact("RMSE on the examples", "{rmse}")]
    if np.isfinite(sweep.loo):
        facts.append(Fact("RMSE, each example left out", "{loo}"))
    return note(
        "The query has passed all places. To leave one example out costs no training: it is only skipped among the stored.",
        *facts,
        rmse=Operand(float(np.sqrt(np.mean(sweep.errors**2))), "RMSE", "curve"),
        loo=Operand(sweep.loo if np.isfinite(sweep.loo) else None),
    )


def place(sweep: Sweep, s: State) -> Operand:
    return Operand(float(s.query[sweep.model.column]), "q", "query")


def query_note(problem: Problem, sweep: Sweep, s: State) -> Note:
    name = problem.features[sweep.model.column].title
    rest = " The other columns are held at their middle." if problem.d > 1 else ""
    return note("What is the value at {name} = {q}?" + rest, name=name, q=place(sweep, s))


def near_note(problem: Problem, sweep: Sweep, s: State) -> Note:
    names = ", ".join(problem.names[i] for i in s.neighbours[:TERMS]) + (", …" if len(s.neighbours) > TERMS else "")
    tie = " {other} is as near as the last of them: the lower row counts." if s.outside >= 0 else ""
    return note(
        "Nearest to {q}: {names}." + tie,
        q=place(sweep, s),
        names=Operand(names, about="neighbours"),
        other=problem.names[s.outside] if s.outside >= 0 else None,
    )


def near_choice(problem: Problem, sweep: Sweep, s: State) -> Choice | None:
    """Who is the last neighbour? Of the k-th nearest and all that are farther or as near."""
    model = sweep.model
    if not isinstance(model, Smoother) or not 0 < model.k < len(model.y):
        return None
    d = tidy(np.asarray(model.index.space.distance(s.query, model.X)))
    order = np.lexsort((np.arange(len(d)), d))[model.k - 1 :][:6]
    winners = tuple(np.flatnonzero(d[order] == d[order[0]]).tolist())
    options = tuple(Option(problem.names[model.rows[i]], float(d[i]), "neighbours") for i in order)
    rule = "equal distances: the lower row number" if len(winners) > 1 else ""
    count = f"the {model.k} nearest" if model.k > 1 else "the nearest"
    return Choice(f"Who is the last of {count}?", options, winners, 0, rule, "distance", True)


def weight_note(problem: Problem, sweep: Sweep, s: State, j: int, d: float) -> Note:
    point = Operand(problem.names[s.looked], about="current")
    if not isinstance(sweep.model, Smoother):
        x = problem.X[s.neighbours, sweep.model.column]
        copies = int((x == x[j]).sum())
        why = ", the more the nearer" if copies == 1 and not s.fallback else ""
        if s.weights[j] < 0:
            why = ", below 0, so that the line goes straight on"
        words = f"{{point}} is {{d}} away: its share of the value is {{w}}{why}."
        words += " The {copies} examples at this place divide its share." if copies > 1 else ""
        share = Operand(float(s.weights[j]), "w", "current", 3)
        return note(words, point=point, d=Operand(d, "d"), w=share, copies=copies)
    rule = sweep.model.rule
    given = (s.fallback == "exact") or kernel_value(np.array([d]), rule)[0] != s.weights[j]
    w = float(s.weights[j]) if given else exact_weight(d, rule)
    tag = weight_tag(problem, sweep)
    return note(
        "{point} is {d} away." + (aside(s) if given else ""),
        *(() if given or rule.kernel == "equal" else (WEIGHT[rule.kernel],)),
        point=point,
        d=Operand(_short(d), "d", "current"),
        w=Operand(w, "w", tag, 3),
        width=Operand(rule.width, "k" if rule.kernel == "quadratic" else "σ", tag if tag == "kernel" else "", -1),
    )


def exact_weight(d: float, rule: Rule) -> Fraction | float:
    """K(d) as a fraction where it is a short one: 1/1.5² = 4/9."""
    short = Fraction(d).limit_denominator(1000)
    if rule.kernel in ("equal", "1/d", "1/d²") and float(short) == d and short:
        w = 1 / short ** {"equal": 0, "1/d": 1, "1/d²": 2}[rule.kernel]
        if w.denominator <= 1000 and w.numerator <= 1000:
            return Fraction(w)
    return float(kernel_value(np.array([d]), rule)[0])


def _short(d: float) -> Any:
    """A distance between numbers typed by hand stays short."""
    return number(d) if abs(d - round(d, 2)) < 1e-12 else d


def fit_note(problem: Problem, sweep: Sweep, s: State) -> Note:
    """The line of least weighted squares, solved at one stroke; it is drawn with the answer. ML 8.3.1."""
    if not len(s.slope):
        return note("No line can be fitted at {q}." + aside(s), q=place(sweep, s))
    if len(s.slope) > 1:
        return note("The plane of least Σ w (y − h)² has the slopes {b}.", b=Operand(s.slope, "b"))
    q, b = float(s.query[0]), float(s.slope[0])
    return note(
        "For this query alone the line of least Σ w (y − a − b x)² is solved in closed form; it is thrown away afterwards.",
        Fact("b, its slope", "{b}"),
        Fact("a, its level at x = 0", "{a}"),
        a=Operand(s.value - b * q, "a"),
        b=Operand(b, "b"),
    )


def aside(s: State) -> str:
    """What was done where the plain rule does not say."""
    alone = len(s.neighbours) == 1 or s.fallback not in SEVERAL
    return FALLBACK.get(s.fallback, "") if alone else SEVERAL[s.fallback]


def answer_note(problem: Problem, sweep: Sweep, s: State) -> Note:
    """The estimate with the numbers put in, and what the others say where an example lies."""
    kind = sweep.model.rule.estimate if isinstance(sweep.model, Smoother) else "mean"
    formulas, operands = _mean_formula(problem, sweep, s) if kind == "mean" else _other_formula(problem, sweep, s, kind)
    facts, others = _left_out(problem, sweep, s)
    tie = " {other} is as near as the last neighbour; the lower row counts." if s.outside >= 0 else ""
    return note(
        "At {q} the value is {value}" + origin(sweep, s) + "." + aside(s) + tie,
        *formulas,
        *facts,
        q=place(sweep, s),
        value=Operand(s.value, "h(q)", "value"),
        other=problem.names[s.outside] if s.outside >= 0 else None,
        used=Operand(len(s.neighbours), about="neighbours"),
        **{f"end{j}": Operand(name, about="neighbours") for j, name in enumerate(ends(problem, sweep, s)[:2])},
        **operands,
        **others,
    )


def ends(problem: Problem, sweep: Sweep, s: State) -> list[str]:
    """The names of the neighbours; examples that joined points take together have one."""
    if isinstance(sweep.model, Smoother):
        return [problem.names[i] for i in s.neighbours[:2]]
    x = problem.X[s.neighbours, sweep.model.column]
    found = []
    for at in dict.fromkeys(x.tolist()):
        names = [problem.names[i] for i in s.neighbours[x == at]]
        several = f"the mean of {len(names)} examples" if len(names) > TERMS else f"the mean of ({', '.join(names)})"
        found.append(names[0] if len(names) == 1 else several)
    return found


def origin(sweep: Sweep, s: State) -> str:
    """Where the value comes from, in a few words; where something else was done `aside` says it."""
    if s.fallback:
        return ""
    if not isinstance(sweep.model, Smoother):
        if not len(s.neighbours):
            return ", on a line between two places that hold too many examples to list"
        return (
            ", on the line between {end0} and {end1}"
            if (s.weights >= 0).all()
            else ", where the line through {end0} and {end1} goes on"
        )
    if len(s.neighbours) == 1:
        return ", that of {end0}"
    rule = sweep.model.rule
    if rule.estimate == "line":
        return ", read off the line fitted to {used} {used:example|examples}"
    whose = (
        f"the {rule.estimate} of the {{used}} nearest"
        if sweep.model.k
        else "the mean of {used} {used:example|examples}"
    )
    return f", {whose}" + (", the nearer the heavier" if rule.kernel != "equal" else "")


def _mean_formula(problem: Problem, sweep: Sweep, s: State) -> tuple[list[Formula | Fact], dict[str, Operand]]:
    """Σ w y / Σ w, term by term while they are few."""
    y = np.asarray(problem.y, np.float64)[s.neighbours]
    sums = {
        "sum_w": Operand(float(s.weights.sum()), "Σ w", weight_tag(problem, sweep)),
        "sum_wy": Operand(float(s.weights @ y), "Σ w y", "neighbours"),
    }
    one = s.fallback in ("nearest", "held") or (s.fallback == "exact" and len(y) == 1)
    if one or not len(y) or not np.isfinite(s.weights).all():
        return [], {}
    found: list[Formula | Fact] = [Formula("h(q) =", "{sum_wy} / {sum_w}", "{value}")]
    if 1 < len(y) <= TERMS:
        found.insert(0, Formula("Σ w y =", " + ".join(f"{{w{j}}} · {{y{j}}}" for j in range(len(y))), "{sum_wy}"))
        rows = zip(exact_weights(problem, sweep, s), y.tolist(), strict=True)
        for j, (w, value) in enumerate(rows):
            sums[f"w{j}"] = Operand(_braced(w), "w" + subscript(j + 1), weight_tag(problem, sweep), 3)
            sums[f"y{j}"] = Operand(
                f"({number(value)})" if value < 0 else number(value), "y" + subscript(j + 1), "neighbours"
            )
    return found, sums


def exact_weights(problem: Problem, sweep: Sweep, s: State) -> list[Fraction | float]:
    if not isinstance(sweep.model, Smoother) or s.fallback:
        return [float(w) for w in s.weights]
    exact = [exact_weight(float(d), sweep.model.rule) for d in sweep_distances(problem, sweep, s)]
    return [e if abs(float(e) - w) <= 1e-9 * w else w for e, w in zip(exact, s.weights.tolist(), strict=True)]


def _braced(w: Fraction | float) -> Any:
    return f"({number(float(w), 3)})" if w < 0 else w


def _other_formula(
    problem: Problem, sweep: Sweep, s: State, kind: str
) -> tuple[list[Formula | Fact], dict[str, Operand]]:
    if kind == "median":
        return [Fact("median of", "{count} {count:value|values}")], {
            "count": Operand(len(s.neighbours), about="neighbours")
        }
    if not len(s.slope):
        return [], {}
    facts: list[Formula | Fact] = [Fact("slope of the line here", "{slope}"), Fact("examples in it", "{count}")]
    slope = s.slope[sweep.model.column] if len(s.slope) > 1 else s.slope[0]
    return facts, {
        "slope": Operand(float(slope), "w₁", "line" if upright(problem) else ""),
        "count": Operand(len(s.neighbours), about="neighbours"),
    }


def _left_out(problem: Problem, sweep: Sweep, s: State) -> tuple[list[Fact], dict[str, Operand]]:
    """At an example: what the others alone say, and how wrong that is. AIMA 18.8.4."""
    model = sweep.model
    at, errors = model.left_out
    here = np.flatnonzero((model.X[at] == s.query).all(axis=1))
    if not len(here) or len(model.y) < 2:
        return [], {}
    i = int(here[0])
    facts = [Fact(f"{verbatim(problem.names[model.rows[at[i]]])} left out", "{without}, error {error}")]
    error = float(errors[i])
    return facts, {"without": Operand(float(model.y[at[i]] - error), "h(q)"), "error": Operand(error)}


def answer_events(s: State) -> tuple[str, ...]:
    return (*EVENTS[s.fallback], *(("tie",) if s.outside >= 0 else ()))


def explain_place(problem: Problem, sweep: Sweep, s: State, x: Float) -> Explanation:
    """Why this value? The same reckoning for any place."""
    if not s.stored:
        return Explanation(-1, note("Nothing is stored yet, so every place has the value 0."))
    found = replace(asked(s, x, sweep.model.ask(x)), answered=True)
    few = range(min(len(found.neighbours), 12))
    names = tuple(problem.names[found.neighbours[j]] for j in few)
    bars = Bars("Weight of each", names, found.weights[: len(few)], unit="weight", digits=3) if names else None
    layers = [*window(problem, sweep, found), *neighbours(problem, found), *query_layers(problem, sweep, found)]
    return Explanation(-1, answer_note(problem, sweep, found), bars, tuple(layers) if problem.plane else ())
