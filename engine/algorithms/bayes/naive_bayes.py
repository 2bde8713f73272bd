"""Naive Bayes: count how usual each value is in each class, multiply, take the larger product. MIT 2.5, ML 6."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import Share
from engine.core.params import Help, Label
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Level, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.boolean import Classes, domain, labels, squares, to_values, wrong_rows
from engine.numerics.rates import Rates, count_rates
from engine.pictures import boolean as pictures
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
    query: Annotated[
        tuple[float, ...],
        Label("Query"),
        Help("one number for each column: 0 or 1, or the place of its word in the list from 0; empty: the first row"),
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
    def metrics(self) -> dict[str, float]:
        return {"errors": self.errors}

    @property
    def prior(self) -> tuple[Share, Share]:
        """Share of each class among the examples."""
        totals = self.rates.totals
        return Share((totals[0], sum(totals))), Share((totals[1], sum(totals)))


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    sizes = tuple(len(domain(feature)) for feature in problem.features)
    rates = count_rates(to_values(problem.features, problem.X), problem.codes, sizes, p.laplace)
    s = judged(problem, p, State(rates, 0, asked(problem, p), 0, -1, 0))
    yield step("split", s, words.split_note(problem, rates), Level.ROUND)
    for j in range(problem.d) if pace.step else ():
        s = replace(s, column=j)
        if pace.detail:
            yield step("count", s, words.look_note(problem, s), Level.DETAIL)
            yield step("positive", s, words.class_note(problem, s, 0), Level.DETAIL)
        s = judged(problem, p, replace(s, known=j + 1))
        yield step("negative", s, words.count_note(problem, s))
    s = judged(problem, p, replace(s, known=problem.d, column=-1))
    yield step("query", s, words.query_note(problem, s, p.prior), Level.ROUND)
    for j in range(problem.d) if pace.step else ():
        before = words.products(s, p.prior)
        s = replace(s, used=j + 1, column=j)
        yield step("factor", s, words.factor_note(problem, s, before, p.prior, p.logs))
    s = replace(s, used=problem.d, column=-1)
    choice = words.answer_choice(problem, s, p.prior)
    events = ("tie",) if len(choice.winners) > 1 else ()
    yield step("answer", s, words.answer_note(problem, s, p.prior, p.logs), Level.ROUND, events, choice)


def asked(problem: Problem, p: Params) -> Float:
    """The values of the query: as typed, the probe, or the first row."""
    if not p.query:
        place = problem.X[0] if problem.query is None else problem.query
        return frozen(to_values(problem.features, place[None])[0])
    if len(p.query) != problem.d:
        raise EngineError(f"Query needs one number for each of the {problem.d} columns; it has {len(p.query)}.")
    for feature, value in zip(problem.features, p.query, strict=True):
        if value not in domain(feature):
            last = int(domain(feature)[-1])
            raise EngineError(f"Query: “{feature.name}” must be a whole number from 0 to {last}.")
    return frozen(np.asarray(p.query, np.float64))


def judged(problem: Problem, p: Params, s: State) -> State:
    """The state with the number of wrong rows."""
    return replace(s, errors=wrong_rows(problem, model(p, s)))


# -- the model at any step ---------------------------------------------------------------------------------------------


def model(p: Params, s: State) -> Classes:
    """The class by the columns counted so far; a tie, and so everything before the first column, is the second class."""
    return lambda values: s.rates.codes(values, s.known, p.prior)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The class with the larger product; −1 where a value is missing."""
    return labels(problem.features, X, model(p, s))


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return squares(problem, grid, lambda X: predict(problem, p, s, X))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    values = to_values(problem.features, x[None])[0]
    label = int(predict(problem, p, s, x[None])[0])
    if label < 0:
        return Explanation(label, pictures.MISSING)
    place = replace(s, query=frozen(values), used=s.known, column=-1)
    bars = words.vote_bars(problem, place) if s.known else None
    return Explanation(label, words.explain_note(problem, place, p.prior), bars)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    figures = words.figures(problem, step.state, model(p, step.state), p.prior)
    return pictures.scene(problem, model(p, step.state), figures)


def chips(p: Params) -> tuple[str, ...]:
    said = (("Laplace", p.laplace), ("logarithms", p.logs), ("with prior", p.prior))
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
