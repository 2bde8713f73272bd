"""Greedy DNF: rules without negation, each grown by the best ratio of positives to negatives. MIT 2.2.31-2.2.43, 2.3.15-2.3.25."""

from collections.abc import Generator as Generator_
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
from engine.numerics.boolean import NO_ROWS, Classes, any_covers, covers, labels, ones, to_values
from engine.numerics.covering import best, counts, rows_of, scores, share_floor
from engine.pictures import boolean as pictures
from engine.pictures import covering as words
from engine.pictures.boolean import step

PSEUDOCODE = """
start: h ← False; P ← positives
outer: while |P| > ε · positives:
rule:   r ← True; N ← all negatives
score:   while |N| > ε · negatives:
stuck:     no column shrinks N: leave
add:     r ← r ∧ column of largest v
drop:     take the rows with 0 from N
fail:   r covers none of P: fail
keep:   h ← h ∨ r
cover:   take what r covers from P
done: return h
"""

Floor = Literal["0.001", "0.000001", "zero wins"]


@dataclass(frozen=True)
class Params:
    epsilon: Annotated[
        float,
        Range(0, 1),
        Label("Noise ε"),
        Help("share of the positives that may stay uncovered, and of the negatives that each rule may cover"),
    ] = 0.0
    floor: Annotated[
        Floor,
        Label("Floor of n⁻"),
        Help("the slide says 0.001, the lecturer a millionth; zero wins: no negatives always beats some"),
    ] = "0.001"
    stuck: Annotated[
        Literal["literal", "keep", "drop"],
        Label("Stuck rule"),
        Help(
            "literal: columns with n⁺ = 0 may join; keep: the unfinished rule stays; drop: it goes and the search stops"
        ),
    ] = "literal"


@dataclass(frozen=True, slots=True)
class State:
    """rules: h, finished; rule: the one being built, or None; P: positives not covered yet; N: negatives that the rule
    still covers; scores (d,): v of the candidates, else None; gone: rows that left P or N at this step; chosen: column
    or −1; errors: wrong rows under h; failed: the search gave up."""

    rules: tuple[tuple[int, ...], ...]
    rule: tuple[int, ...] | None
    P: Int
    N: Int
    scores: tuple[Fraction | None, ...]
    gone: Int
    chosen: int
    errors: int
    failed: bool

    @property
    def metrics(self) -> dict[str, float]:
        return {"errors": self.errors, "uncovered": len(self.P), "literals": sum(map(len, self.rules))}


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    X = to_values(problem.features, problem.X)
    positives, negatives = rows_of(problem.codes, 0), rows_of(problem.codes, 1)
    s = State((), None, positives, negatives, (), NO_ROWS, -1, len(positives), False)
    struck = np.zeros(problem.n, bool)  # negatives that h covers
    yield step("start", s, words.start_note(problem, s), Level.ROUND)
    while len(s.P) > share_floor(p.epsilon, len(positives)):
        s = replace(s, rule=(), N=negatives, scores=(), gone=NO_ROWS, chosen=-1)
        if pace.detail:
            yield step("outer", replace(s, rule=None), words.outer_note(problem, s), Level.DETAIL)
        if pace.step:
            yield step("rule", s, words.rule_note(problem, s))
        s, dropped = yield from one_rule(problem, p, X, s, pace)
        rule = s.rule or ()
        covered = X[s.P][:, rule].all(1)
        if dropped or not covered.any():
            s = replace(s, failed=True, chosen=-1)
            yield step("fail", s, words.fail_note(problem, s, dropped), Level.ROUND, ("fail",))
            break
        struck[s.N] = True
        errors = int((~covered).sum() + struck.sum())
        s = replace(s, rules=(*s.rules, rule), errors=errors, scores=(), gone=NO_ROWS, chosen=-1)
        if pace.detail:
            yield step("keep", s, words.keep_note(problem, s), Level.DETAIL)
        s = replace(s, P=frozen(s.P[~covered]), gone=frozen(s.P[covered]))
        yield step("cover", s, words.cover_note(problem, s), Level.ROUND, ("rule",))
    s = replace(s, rule=None, scores=(), gone=NO_ROWS, chosen=-1)
    yield step("done", s, words.done_note(problem, s, s.failed), Level.ROUND)


def one_rule(
    problem: Problem, p: Params, X: Float, s: State, pace: Pace
) -> Generator_[Step[State], None, tuple[State, bool]]:
    """The inner loop; returns the state with the rule, and whether the rule was discarded."""
    total = int((problem.codes == 1).sum())
    floor, covered = floor_of(p, problem), s.P
    while len(s.N) > share_floor(p.epsilon, total):
        rule = s.rule or ()
        found = counts(X, covered, s.N)
        allowed = [j for j in range(problem.d) if j not in rule and (p.stuck == "literal" or found.plus[j])]
        s = replace(s, scores=scores(found, allowed, floor), gone=NO_ROWS, chosen=-1)
        if all(found.minus[j] == len(s.N) for j in allowed):
            s = replace(s, scores=())
            if pace.step:
                yield step("stuck", s, words.stuck_note(problem, s, p.stuck), events=("stuck",))
            return s, p.stuck == "drop"
        winners = best(s.scores)
        s = replace(s, chosen=winners[0])
        if pace.step:
            choice = words.score_choice(problem, s, found, winners)
            useless = bool(found.minus[s.chosen] == len(s.N))
            told = words.score_note(problem, s, found, winners, floor, useless)
            yield step("score", s, told, choice=choice)
        s = replace(s, rule=(*rule, s.chosen))
        if pace.detail:
            yield step("add", s, words.add_note(problem, s, s.chosen), Level.DETAIL)
        covered, stays = covered[X[covered, s.chosen] == 1], X[s.N, s.chosen] == 1
        s = replace(s, N=frozen(s.N[stays]), gone=frozen(s.N[~stays]))
        if pace.step:
            yield step("drop", s, words.drop_note(problem, s, s.chosen))
    return s, False


def floor_of(p: Params, problem: Problem) -> Fraction:
    """“zero wins” is a floor below 1/positives: then n⁺/floor is larger than every n⁺/n⁻."""
    if p.floor == "zero wins":
        return Fraction(1, int((problem.codes == 0).sum()) + 1)
    return Fraction(p.floor)


# -- the model at any step ---------------------------------------------------------------------------------------------


def model(s: State) -> Classes:
    """The first class where a finished rule holds, the second elsewhere."""
    rules = [ones(rule) for rule in s.rules]
    return lambda values: np.where(any_covers(rules, values), 0, 1)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The class by h; −1 where a value is missing."""
    return labels(problem.features, X, model(s))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    label = int(predict(problem, p, s, x[None])[0])
    if label < 0:
        return Explanation(label, pictures.MISSING)
    values = to_values(problem.features, x[None])
    true = next((k for k, rule in enumerate(s.rules) if covers(ones(rule), values)[0]), None)
    return Explanation(label, words.explain_note(problem, s, s.rules, true, label))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, growing = step.state, step.line not in ("keep", "cover")
    figures = words.figures(problem, s, model(s), "Scores v", s.chosen, growing)
    return pictures.scene(problem, model(s), figures)


def chips(p: Params) -> tuple[str, ...]:
    return (f"ε = {short(p.epsilon)}", f"stuck: {p.stuck}", *(() if p.floor == "0.001" else (f"floor {p.floor}",)))


def example() -> Problem:
    """The harder set of MIT 2.2.28 with two equal rows of different class, so that the search gets stuck and fails."""
    bits = ["0110", "1011", "1110", "0011", "1001", "0111", "1111", "1111", "0000"]
    columns = {f"f{j + 1}": [bool(int(row[j])) for row in bits] for j in range(4)}
    return prepare(Dataset.from_columns({**columns, "y": [0, 1, 1, 1, 0, 1, 1, 0, 1]}, "y"))


ALGORITHM = former(
    key="greedy_dnf",
    title="Greedy rules (DNF)",
    family="rules",
    task=Task.RULES,
    source=("MIT 2.2.31-2.2.43", "MIT 2.3.15-2.3.25"),
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
        Curve("uncovered", "positives not covered", digits=0),
        Curve("literals", "literals", digits=0),
    ),
    events=("rule", "stuck", "fail"),
    errata=(
        "MIT 2.2.38-2.2.39: the formula has the floor 0.001, the lecturer says a million times the numerator. They rank "
        "alike for fewer than 1000 positives only.",
        "MIT 2.2.40 joins r to h before it asks whether r covers anything. Here a useless rule never joins.",
        "MIT 2.2.40 lets columns with n⁺ = 0 join, so a rule can grow until it covers nothing. That is “literal”; “keep” "
        "and “drop” leave such columns out.",
        "MIT 2.3.20 says “fewer than” ε. It must be “at most”: else ε = 1 still builds a rule, and ε = 0 is never reached.",
    ),
    chips=chips,
    summary="For yes/no columns. Builds rules one after the other: each grows by the column with the best ratio of "
    "positives to negatives until it covers no negatives, then the positives that it covers are done.",
)
