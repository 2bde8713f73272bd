"""Decision lists: a chain of small tests, each matching examples of one class alone. AIMA 18.5.1, Fig 18.11."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Level, Pace, Step, late_note
from engine.data.prepare import prepare
from engine.numerics.boolean import (
    NO_ROWS,
    Classes,
    Literals,
    Uniform,
    best_uniform,
    covers,
    labels,
    to_values,
    wrong_rows,
)
from engine.pictures import boolean as pictures
from engine.pictures import decision_list as words
from engine.pictures.boolean import step

PSEUDOCODE = """
start: list ← empty
while: while examples are left:
find:   t ← test of at most k literals
fail:     matching one class; none: fail
add:   put t → that class into the list
drop:   take the examples t matches away
done: return list, else → No
"""


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 4), Label("Literals k"), Help("a test asks for at most this many values")] = 2
    prefer: Annotated[
        Literal["smallest", "widest"],
        Label("Which test"),
        Help("smallest: fewest literals, then most examples; widest: most examples, then fewest literals"),
    ] = "smallest"


@dataclass(frozen=True, slots=True)
class State:
    """tests: the list, each with its class and how many examples it matched; left: rows no test matches; gone: rows that
    left at this step; found: the test of this step; errors: wrong rows; failed: no test was found."""

    tests: tuple[Uniform, ...]
    left: Int
    gone: Int
    found: Uniform | None
    errors: int
    failed: bool

    @property
    def metrics(self) -> dict[str, float]:
        return {"errors": self.errors, "left": len(self.left), "tests": len(self.tests)}


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    X = to_values(problem.features, problem.X)
    table = Literals(problem.features, X, problem.codes)
    s = judged(problem, State((), frozen(np.flatnonzero(problem.labelled)), NO_ROWS, None, 0, False))
    yield step("start", s, words.start_note(problem, s), Level.ROUND)
    while len(s.left):
        s = replace(s, gone=NO_ROWS, found=None)
        if pace.detail:
            yield step("while", s, words.while_note(problem, s), Level.DETAIL)
        found = yield from best_uniform(table, rows_mask(problem, s.left), p.k, p.prefer == "widest")
        if not found:
            s = replace(s, failed=True)
            yield step("fail", s, late_note(words.fail_note, problem, s, p.k), Level.ROUND, ("fail",))
            break
        s = replace(s, found=found[0])
        if pace.step:
            choice = words.find_choice(problem, found, p.prefer)
            yield step("find", s, words.find_note(problem, s, found, p.prefer, p.k), choice=choice)
        s = judged(problem, replace(s, tests=(*s.tests, found[0])))
        if pace.detail:
            yield step("add", s, words.add_note(problem, s, found[0]), Level.DETAIL)
        matched = covers(found[0].test, X[s.left])
        s = replace(s, left=frozen(s.left[~matched]), gone=frozen(s.left[matched]))
        yield step("drop", s, words.drop_note(problem, s, found[0]), Level.ROUND)
    s = replace(s, gone=NO_ROWS, found=None)
    yield step("done", s, words.done_note(problem, s), Level.ROUND)


def rows_mask(problem: Problem, rows: Int) -> Bool:
    mask = np.zeros(problem.n, dtype=bool)
    mask[rows] = True
    return mask


def judged(problem: Problem, s: State) -> State:
    """The state with the number of wrong rows."""
    return replace(s, errors=wrong_rows(problem, model(s)))


# -- the model at any step ---------------------------------------------------------------------------------------------


def model(s: State) -> Classes:
    """The class of the first test that holds, the second class where none does."""

    def classes(values: Float) -> Int:
        codes, open_ = np.ones(len(values), np.intp), np.ones(len(values), dtype=bool)
        for u in s.tests:
            held = open_ & covers(u.test, values)
            codes[held] = u.code
            open_ &= ~held
        return codes

    return classes


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The class by the list; −1 where a value is missing."""
    return labels(problem.features, X, model(s))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    label = int(predict(problem, p, s, x[None])[0])
    if label < 0:
        return Explanation(label, pictures.MISSING)
    values = to_values(problem.features, x[None])
    at = next((k for k, u in enumerate(s.tests) if covers(u.test, values)[0]), None)
    return Explanation(label, words.explain_note(problem, s, at), path=words.path(s, at))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    return pictures.scene(problem, model(step.state), words.figures(problem, step.state, model(step.state)))


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {p.k}", f"{p.prefer} test")


def example() -> Problem:
    """A few meals, of which two are alike and judged differently."""
    rows = {
        "Patrons": ["Some", "Full", "Some", "Full", "None", "Full", "Full", "Full"],
        "Fri": ["No", "No", "Yes", "Yes", "No", "Yes", "No", "No"],
        "Hungry": ["Yes", "No", "No", "Yes", "No", "No", "Yes", "Yes"],
        "Wait": ["Yes", "No", "Yes", "Yes", "No", "Yes", "Yes", "No"],
    }
    return prepare(Dataset.from_columns(rows, "Wait"))


ALGORITHM = former(
    key="decision_list",
    title="Decision list",
    family="rules",
    task=Task.RULES,
    source=("AIMA 18.5.1", "AIMA Fig 18.10", "AIMA Fig 18.11"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, discrete=True, max_columns=100),
    example=example,
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("left", "examples left", digits=0),
        Curve("tests", "tests", digits=0),
    ),
    events=("fail",),
    errata=(
        "AIMA 18.5.1 leaves the choice of the test free. Here both of its strategies; ties take the wider test, then the "
        "order of the columns.",
        "AIMA Fig 18.10 is an example of a list. It does not fit all twelve restaurant rows, and the text does not say so.",
    ),
    chips=chips,
    summary="Finds a small test that matches examples of one class alone, writes it down with that class, puts those "
    "examples away and goes on with the rest. A new example gets the class of the first test that holds.",
)
