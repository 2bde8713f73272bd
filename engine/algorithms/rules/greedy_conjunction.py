"""Greedy conjunction: of the columns that hold 1 on every positive, take the one that removes most negatives. MIT 2.2.18-2.2.30."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Level, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.boolean import NO_ROWS, Classes, covers, labels, ones, to_values, wrong_rows
from engine.numerics.covering import always_one, best, rows_of, share_floor, zeros
from engine.pictures import boolean as pictures
from engine.pictures import covering as words
from engine.pictures.boolean import step

PSEUDOCODE = """
start: h ← True; N ← negatives
until: while |N| > ε · negatives:
usable:   U ← columns with 1 on all of P
count:   n[j] ← rows of N with x[j] = 0
fail:   largest n[j] < floor: fail
add:   h ← h ∧ column of largest n
drop:   take the rows with 0 there from N
done: return h
"""


@dataclass(frozen=True)
class Params:
    epsilon: Annotated[
        float, Range(0, 1), Label("Noise ε"), Help("stop when at most this share of the negatives is left")
    ] = 0.0
    floor: Annotated[
        int,
        Range(1, 100),
        Label("Floor of n"),
        Help("a column joins only if it removes at least so many negatives; 1: any that helps, as in MIT"),
    ] = 1
    stuck: Annotated[
        Literal["literal", "keep", "drop"],
        Label("When stuck"),
        Help(
            "literal: columns below the floor join too, until all usable ones are in h; keep: h as far as it came; "
            "drop: no example is positive"
        ),
    ] = "keep"


@dataclass(frozen=True, slots=True)
class State:
    """rules: (h,), or () once it is dropped; P: positive rows; N: negative rows that h still covers; scores (d,): n[j] of
    the usable columns, else None; gone: rows that left N at this step; chosen: column or −1; errors: wrong rows."""

    rules: tuple[tuple[int, ...], ...]
    P: Int
    N: Int
    scores: tuple[Fraction | None, ...]
    gone: Int
    chosen: int
    errors: int
    failed: bool

    @property
    def rule(self) -> tuple[int, ...] | None:
        """The conjunction so far."""
        return self.rules[0] if self.rules else None

    @property
    def metrics(self) -> dict[str, float]:
        return {"errors": self.errors, "left": len(self.N), "literals": sum(map(len, self.rules))}


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    X, negatives = to_values(problem.features, problem.X), rows_of(problem.codes, 1)
    s = judged(problem, State(((),), rows_of(problem.codes, 0), negatives, (), NO_ROWS, -1, 0, False))
    yield step("start", s, words.start_note(problem, s), Level.ROUND)
    usable, allowed = always_one(X, s.P), share_floor(p.epsilon, len(negatives))
    while len(s.N) > allowed:
        s = replace(s, gone=NO_ROWS, scores=(), chosen=-1)
        if pace.detail:
            yield step("until", s, words.left_note(problem, s, allowed), Level.DETAIL)
            yield step("usable", s, words.usable_note(problem, s, usable), Level.DETAIL)
        removed = zeros(X, s.N)
        s = replace(s, scores=tuple(Fraction(int(removed[j])) if j in usable else None for j in range(problem.d)))
        winners = best([None if j in s.rules[0] else score for j, score in enumerate(s.scores)])
        if not winners or ((s.scores[winners[0]] or 0) < p.floor and p.stuck != "literal"):
            s = judged(problem, replace(s, failed=True, rules=() if p.stuck == "drop" else s.rules))
            told = words.no_column_note(problem, s, usable, p.floor, p.stuck)
            yield step("fail", s, told, Level.ROUND, ("fail",))
            break
        s = replace(s, chosen=winners[0])
        if pace.step:
            choice = words.count_choice(problem, s, usable, winners)
            yield step("count", s, words.count_note(problem, s, s.chosen, len(winners)), choice=choice)
        s = judged(problem, replace(s, rules=((*s.rules[0], s.chosen),)))
        if pace.detail:
            yield step("add", s, words.add_note(problem, s, s.chosen), Level.DETAIL)
        stays = X[s.N, s.chosen] == 1
        s = replace(s, N=frozen(s.N[stays]), gone=frozen(s.N[~stays]))
        yield step("drop", s, words.drop_note(problem, s, s.chosen), Level.ROUND)
    s = replace(s, gone=NO_ROWS, scores=(), chosen=-1)
    yield step("done", s, words.done_note(problem, s, s.failed), Level.ROUND)


def judged(problem: Problem, s: State) -> State:
    """The state with the number of wrong rows."""
    return replace(s, errors=wrong_rows(problem, model(s)))


# -- the model at any step ---------------------------------------------------------------------------------------------


def model(s: State) -> Classes:
    """The first class where every column of h holds 1, the second elsewhere."""
    if s.rule is None:
        return lambda values: np.ones(len(values), np.intp)
    rule = ones(s.rule)
    return lambda values: np.where(covers(rule, values), 0, 1)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The class by h; −1 where a value is missing."""
    return labels(problem.features, X, model(s))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    label = int(predict(problem, p, s, x[None])[0])
    if label < 0:
        return Explanation(label, pictures.MISSING)
    return Explanation(label, words.explain_note(problem, s, s.rules, 0 if label == 0 else None, label))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, growing = step.state, step.line not in ("fail", "done")
    figures = words.figures(problem, s, model(s), "Rows removed n", s.chosen, growing, digits=0)
    return pictures.scene(problem, model(s), figures)


def chips(p: Params) -> tuple[str, ...]:
    floor = (f"floor {p.floor}",) if p.floor > 1 else ()
    return (f"ε = {short(p.epsilon)}", *floor, *((f"stuck: {p.stuck}",) if p.stuck != "keep" else ()))


def example() -> Problem:
    """The harder set of MIT 2.2.28, on which the search gets stuck."""
    bits = ["0110", "1011", "1110", "0011", "1001", "0111"]
    columns = {f"f{j + 1}": [bool(int(row[j])) for row in bits] for j in range(4)}
    return prepare(Dataset.from_columns({**columns, "y": [0, 1, 1, 1, 0, 1]}, "y"))


ALGORITHM = former(
    key="greedy_conjunction",
    title="Greedy conjunction",
    family="rules",
    task=Task.RULES,
    source=("MIT 2.2.11-2.2.30", "MIT 2.3.15"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    example=example,
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("left", "negatives left", digits=0),
        Curve("literals", "literals", digits=0),
    ),
    events=("fail",),
    errata=(
        "MIT 2.2.22 indents the choice, the update and the removal into the loop over the columns. They stand behind it.",
        "MIT 2.2.22 removes the rows by the loop's column j. It must be the chosen column.",
        "MIT 2.2.22 fails only when no column is usable. On the set of 2.2.28 a usable column with n = 0 stays for ever; so "
        "fail when the largest n is 0. “literal” lets such columns join, each once.",
    ),
    chips=chips,
    summary="For yes/no columns. Only columns that are on in every positive example may join; each time the one that "
    "removes most negatives is added, until none is left or no column helps.",
)
