"""Naive Bayes: count how usual each value is in each class, multiply, take the larger product. MIT 2.5, ML 6."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset, Feature
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import Share, label_text, quoted
from engine.core.params import Help, Label
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.spelling import listed, place_of
from engine.core.step import Level, Pace, Step, late_choice, late_note
from engine.core.sums import add_up
from engine.data.prepare import prepare
from engine.numerics.boolean import Classes, domain, labels, squares, to_values
from engine.numerics.rates import Rates, Tally, count_rates
from engine.pictures import boolean as pictures
from engine.pictures import naive_bayes_figures as bars
from engine.pictures import naive_bayes_words as words
from engine.pictures.boolean import step

PSEUDOCODE = """
split: P ← positives, N ← negatives
count: for each column j and value v:
positive:   R[j](v, +) ← share of v in P
negative:   R[j](v, −) ← share of v in N
query: at an example x: S(+), S(−) ← 1
factor:   for each j: S ← S · R[j](x[j])
answer: return + if S(+) > S(−), else −
"""


@dataclass(frozen=True)
class Params:
    laplace: Annotated[
        bool,
        Label("Laplace"),
        Help("Laplace correction: adds 1 to each count and the number of values to its whole; no share is 0 or 1"),
    ] = False
    logs: Annotated[
        bool, Label("Logarithms"), Help("adds logarithms instead of multiplying: the same comparison, no underflow")
    ] = False
    prior: Annotated[bool, Label("Class prior"), Help("S starts with the class's share of the examples")] = False
    arithmetic: Annotated[
        Literal["fractions", "floats"],
        Label("Arithmetic"),
        Help("fractions: exact, however long; floats: as computers reckon, where long products underflow to 0"),
    ] = "fractions"
    query: Annotated[
        tuple[float | str, ...],
        Label("Query"),
        Help("for each column one of its words, or its place in their list from 0; empty: the first row"),
    ] = ()


@dataclass(frozen=True, slots=True)
class State:
    """rates: all counts; known: columns counted so far; query (d,) values asked for; used: factors multiplied so far;
    column: looked at now or −1; errors: wrong training rows with what is known."""

    rates: Rates
    known: int
    query: Float
    used: int
    column: int
    errors: int

    @property
    def R(self) -> tuple[tuple[tuple[Share, Share], ...], ...]:
        """R[j][v]: the share of value v in the first and in the second class, of the columns counted so far."""
        sizes = self.rates.sizes[: self.known]
        return tuple(
            tuple((self.rates.share(j, v, 0), self.rates.share(j, v, 1)) for v in range(size))
            for j, size in enumerate(sizes)
        )

    @property
    def weights(self) -> Float:
        """(known,) the vote of x = 1 in each column of two values, NaN in others: the counts make a linear rule."""
        return self.rates.odds[0][: self.known]

    @property
    def bias(self) -> float:
        """What the values 0 of these columns add, so that w · x + bias > 0 where the first product is the larger one."""
        with np.errstate(invalid="ignore"):
            return float(self.rates.odds[1][: self.known].sum())

    @property
    def metrics(self) -> dict[str, float]:
        return {"errors": self.errors}

    @property
    def prior(self) -> tuple[Share, Share]:
        """Share of each class among the examples."""
        totals = self.rates.totals
        return Share((totals[0], add_up(totals))), Share((totals[1], add_up(totals)))


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    sizes = tuple(len(domain(feature)) for feature in problem.features)
    values = to_values(problem.features, problem.X)
    ones = tuple(int(pictures.two_valued(problem, j)) for j in range(problem.d))
    rates = count_rates(values, problem.codes, sizes, p.laplace, ones)
    tally = Tally(rates, values, p.prior, floats(p) or "exact")
    s = judged(problem, State(rates, 0, asked(problem, p), 0, -1, 0), tally.codes())
    yield step("split", s, words.split_note(problem, rates), Level.ROUND)
    for j in range(problem.d) if pace.step else ():
        s = replace(s, column=j)
        if pace.detail:
            yield step("count", s, words.look_note(problem, s), Level.DETAIL)
            yield step("positive", s, late_note(words.class_note, problem, s, 0), Level.DETAIL)
        s = judged(problem, replace(s, known=j + 1), tally.after(j + 1).codes())
        yield step("negative", s, late_note(words.count_note, problem, s))
    s = replace(s, known=problem.d, column=-1)
    s = s if pace.step else judged(problem, s, model(p, s)(values))
    yield step("query", s, late_note(words.query_note, problem, s, p), Level.ROUND)
    for j in range(problem.d) if pace.step else ():
        s = replace(s, used=j + 1, column=j)
        yield step("factor", s, late_note(words.factor_note, problem, s, p))
    s = replace(s, used=problem.d, column=-1)
    first, second = words.compared(s, p)
    told, choice = late_note(words.answer_note, problem, s, p), late_choice(words.answer_choice, problem, s, p)
    yield step("answer", s, told, Level.ROUND, ("tie",) if first == second else (), choice)


def floats(p: Params) -> str:
    """What of the products floats hold; '' where fractions do."""
    return "" if p.arithmetic == "fractions" else "logs" if p.logs else "products"


def asked(problem: Problem, p: Params) -> Float:
    """The values of the query: as typed, the probe, or the first row."""
    if not p.query:
        place = problem.X[0] if problem.query is None else problem.query
        return frozen(to_values(problem.features, place[None])[0])
    if len(p.query) != problem.d:
        raise EngineError(
            f"Query needs one number for each of the {problem.d} columns, or its word; it has {len(p.query)}."
        )
    return frozen(
        [value_asked(feature, word) for feature, word in zip(problem.features, p.query, strict=True)], np.float64
    )


def value_asked(feature: Feature, word: float | str) -> float:
    """The stored value of a word of the column, or of its place among them where the words are no numbers."""
    options = feature.categories or domain(feature)
    place = place_of(word, options)
    counted = not any(
        isinstance(option, (int, float)) and not isinstance(option, bool) for option in feature.categories
    )
    if place is None and counted and word in range(len(options)):
        place = int(word)
    if place is None:
        raise EngineError(
            f"Query: {quoted(feature.name)} must be one of {listed(options)}"
            + (f", or its place among them, 0 to {len(options) - 1}" if feature.categories and counted else "")
            + f"; it is “{label_text(word)}”."
        )
    return domain(feature)[place]


def judged(problem: Problem, s: State, codes: Int) -> State:
    """The state with the number of rows that get another class than their own, or none."""
    return replace(s, errors=int(((codes != problem.codes) & problem.labelled).sum()))


# -- the model at any step ---------------------------------------------------------------------------------------------


def model(p: Params, s: State) -> Classes:
    """The class by the columns counted so far; a tie, and so everything before the first column, is the second class."""
    return lambda values: s.rates.codes(values, s.known, p.prior, floats(p))


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The class with the larger product; −1 where a value is missing."""
    return labels(problem.features, X, model(p, s))


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """(m,) ln S(+) − ln S(−), infinite where one product is 0; a tie is 0, the second class."""
    return s.rates.log_odds(to_values(problem.features, X), s.known, p.prior)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return squares(problem, grid, lambda X: predict(problem, p, s, X))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    values = to_values(problem.features, x[None])[0]
    label = int(predict(problem, p, s, x[None])[0])
    if label < 0:
        return Explanation(label, pictures.MISSING)
    place = replace(s, query=frozen(values), used=s.known, column=-1)
    votes = bars.vote_bars(problem, place) if s.known else None
    return Explanation(label, words.explain_note(problem, place, p), votes)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    figures = bars.figures(problem, step.state, model(p, step.state), p)
    return pictures.scene(problem, model(p, step.state), figures)


def chips(p: Params) -> tuple[str, ...]:
    said = (
        ("Laplace", p.laplace),
        ("logarithms", p.logs),
        ("with prior", p.prior),
        ("floats", p.arithmetic == "floats"),
    )
    return tuple(text for text, holds in said if holds) or ("raw counts",)


def example() -> Problem:
    """The ten rows of MIT 2.5.3."""
    bits = ["0110", "0011", "1010", "0011", "0000", "1001", "1101", "1000", "1101", "1011"]
    columns = {f"f{j + 1}": [float(row[j]) for row in bits] for j in range(4)}
    return prepare(Dataset.from_columns({**columns, "y": [1] * 5 + [0] * 5}, "y"))


ALGORITHM = former(
    key="naive_bayes",
    title="Naive Bayes",
    family="bayes",
    task=Task.CLASSIFY,
    source=("MIT 2.5.1-2.5.25", "MIT 2.5.30-2.5.39", "ML 6"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    scores=scores,
    explain=explain,
    fields={"class": class_surface},
    needs=Needs(min_classes=2, max_classes=2, discrete=True),
    example=example,
    curves=(Curve("errors", "wrong examples", of_n=True, digits=0),),
    events=("tie",),
    errata=(
        "MIT 2.5.17 says that value 1 was never seen among the positives. Its example is value 0, never seen among the "
        "negatives.",
        "MIT 2.5.21 prints the products without brackets. The factors are (α x + (1 − α)(1 − x)).",
        "MIT 2.5.22: the votes need a bias beside them, Σ ln((1 − α)/(1 − β)); their sum alone is not the comparison.",
        "MIT 2.5.27 says it loses to trees on the voting data because trees combine columns. One column alone does better "
        "than the full tree there.",
    ),
    chips=chips,
    summary="Counts in one pass how usual each value is in each class. A new example gets the class whose shares "
    "have the larger product, as if the columns did not depend on each other.",
)
