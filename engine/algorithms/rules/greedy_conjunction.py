"""Greedy conjunction: of the columns that hold 1 on every positive, take the one that removes most negatives. MIT 2.2.18-2.2.30."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Field, Scene, data_points
from engine.core.step import Choice, Level, Note, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.boolean import covers, ones, to_values
from engine.numerics.covering import always_one, best, share_floor, zeros
from engine.pictures import covering as words
from engine.pictures.karnaugh import inputs

PSEUDOCODE = """
start: h ← True; N ← negatives
until: while |N| > ε · negatives:
usable:   U ← columns with 1 on all of P
count:   n[j] ← rows of N with x[j] = 0
fail:   all n[j] = 0: fail
add:   h ← h ∧ column of largest n
drop:   take the rows with 0 there from N
done: return h
"""


@dataclass(frozen=True)
class Params:
    epsilon: Annotated[
        float, Range(0, 1), Label("Noise ε"), Help("stop when at most this share of the negatives is left")
    ] = 0.0
    stuck: Annotated[
        Literal["keep", "drop"], Label("When stuck"), Help("keep: h as far as it came; drop: no example is positive")
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


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    X, negatives = to_values(problem.features, problem.X), rows_of(problem, 1)
    s = State(((),), rows_of(problem, 0), negatives, (), words.none(), -1, 0, False)
    s = judged(problem, s)
    yield step("start", s, words.start_note(problem, s), Level.ROUND)
    usable, allowed = always_one(X, s.P), share_floor(p.epsilon, len(negatives))
    while len(s.N) > allowed and not s.failed:
        s = replace(s, gone=words.none(), scores=(), chosen=-1)
        if pace.detail:
            yield step("until", s, words.left_note(problem, s, allowed), Level.DETAIL)
            yield step("usable", s, words.usable_note(problem, s, usable), Level.DETAIL)
        removed = zeros(X, s.N)
        s = replace(s, scores=tuple(Fraction(int(removed[j])) if j in usable else None for j in range(problem.d)))
        winners = best(s.scores)
        if not winners or not s.scores[winners[0]]:
            s = judged(problem, replace(s, failed=True, rules=s.rules if p.stuck == "keep" else ()))
            yield step("fail", s, words.no_column_note(problem, s, usable), Level.ROUND, ("fail",))
            break
        s = replace(s, chosen=winners[0])
        choice = words.count_choice(problem, s, usable, winners)
        if pace.step:
            yield step("count", s, words.count_note(problem, s, s.chosen, len(winners)), choice=choice)
        s = judged(problem, replace(s, rules=((*s.rules[0], s.chosen),)))
        if pace.detail:
            yield step("add", s, words.add_note(problem, s, s.chosen), Level.DETAIL)
        stays = X[s.N, s.chosen] == 1
        s = replace(s, N=frozen(s.N[stays]), gone=frozen(s.N[~stays]))
        yield step("drop", s, words.drop_note(problem, s, s.chosen), Level.ROUND)
    s = replace(s, gone=words.none(), scores=(), chosen=-1)
    yield step("done", s, words.done_note(problem, s, s.failed), Level.ROUND)


def rows_of(problem: Problem, code: int) -> Int:
    return frozen(np.flatnonzero(problem.codes == code))


def judged(problem: Problem, s: State) -> State:
    """The state with the number of wrong rows."""
    wrong = (classes(s, to_values(problem.features, problem.X)) != problem.codes) & problem.labelled
    return replace(s, errors=int(wrong.sum()))


def step(
    line: str,
    s: State,
    told: Note,
    level: Level = Level.STEP,
    events: tuple[str, ...] = (),
    choice: Choice | None = None,
) -> Step[State]:
    metrics = {"errors": s.errors, "left": len(s.N), "literals": sum(map(len, s.rules))}
    return Step(line, s, told, level, metrics, events, choice)


# -- the model at any step ---------------------------------------------------------------------------------------------


def classes(s: State, values: Float) -> Int:
    if s.rule is None:
        return np.ones(len(values), np.intp)
    return np.where(covers(ones(s.rule), values), 0, 1)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The first class where every column of h holds 1, the second elsewhere; −1 where a value is missing."""
    return np.where(np.isnan(X).any(1), -1, classes(s, to_values(problem.features, X)))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    label = int(predict(problem, p, s, x[None])[0])
    if label < 0:
        return Explanation(label, note("A value of this row is missing."))
    return Explanation(label, words.explain_note(problem, s, s.rules[:1], 0 if label == 0 else None, label))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    cells = classes(s, inputs(problem.d)) if problem.d <= 4 else words.none()
    figures = words.figures(problem, s, cells, "Rows removed n", s.chosen)
    if not problem.plane:
        return Scene((), figures)
    return Scene((Field("class"), data_points(problem, predict(problem, p, s, problem.X))), figures)


def chips(p: Params) -> tuple[str, ...]:
    return (f"ε = {short(p.epsilon)}", *(("drop when stuck",) if p.stuck == "drop" else ()))


def example() -> Problem:
    """The harder set of MIT 2.2.28, on which the search gets stuck."""
    bits = ["0110", "1011", "1110", "0011", "1001", "0111"]
    columns = {f"f{j + 1}": [bool(int(row[j])) for row in bits] for j in range(4)}
    return prepare(Dataset.from_columns({**columns, "y": [0, 1, 1, 1, 0, 1]}, "y"))


ALGORITHM = Algorithm(
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
        "fail when the largest n is 0.",
    ),
    chips=chips,
    summary="For yes/no columns. Only columns that are on in every positive example may join; each time the one that "
    "removes most negatives is added, until none is left or no column helps.",
)
