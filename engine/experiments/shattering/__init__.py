"""Shattering: of all labellings of a few points, those that a hypothesis of a class makes.

ML 7.4.1, 7.4.2.
"""

from typing import Annotated, Literal

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Label,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    prepare,
    replace,
    when,
)
from engine.experiments.parts.left_out import LeftOut, without
from engine.experiments.shattering.hypotheses import (
    ON_PLANE,
    Answer,
    Kind,
    labels,
    placed,
    seek,
    shattered,
    turned,
)

PSEUDOCODE = """
start  round:  list all labellings of n points
take   detail: for each labelling y of 2ⁿ:
seek   detail:   look for h with h(xᵢ) = yᵢ
found:           if there is one: draw it
cross:           else: cross it out
sets   round:  name the smallest set that fails
done   round:  shattered if none is crossed
"""
USUAL = 5  # points, where the table has more
MOST = 8


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal["auto", "lines", "boxes", "discs", "intervals", "half-spaces", "conjunctions"],
        Label("Hypotheses H"),
        Help(
            "half-spaces and conjunctions: of all columns; auto: lines where there is a plane, else"
            " conjunctions"
        ),
    ] = "auto"
    points: Annotated[
        int | None,
        Range(1, MOST),
        Label("Points n"),
        Empty("auto"),
        Help("the first rows; empty: all, at most five"),
    ] = None


class State(Record):
    """current: number of the labelling looked at, −1 none; x₁ is its highest bit, + is 1. answers:
    of all looked at, in their order; counts: of sets of 1, 2, … points those that are shattered;
    fails: the points of the smallest that is not.
    """

    answers: Prefix[Answer]
    current: int = -1
    counts: tuple[int, ...] = ()
    fails: tuple[int, ...] = ()

    @property
    def looked(self) -> int:
        return len(self.answers)

    @property
    def numbers(self) -> list[int]:
        """The labellings that are made."""
        return [k for k, answer in enumerate(self.answers) if answer.made]

    @property
    def made(self) -> int:
        return len(self.numbers)

    @property
    def answer(self) -> Answer | None:
        """To the current labelling, once there is one."""
        return self.answers[self.current] if 0 <= self.current < self.looked else None


class Setting(Given[Params]):
    """kind: of the hypotheses; n: how many points; points (n, d): on the plane, or rows
    of 0 and 1.
    """

    @cached_property
    def kind(self) -> Kind:
        if self.p.hypotheses != "auto":
            return self.p.hypotheses
        return "lines" if self.problem.plane else "conjunctions"

    @cached_property
    def n(self) -> int:
        return min(self.problem.n, self.p.points or USUAL)

    @cached_property
    def points(self) -> Float:
        return placed(self.kind, self.problem, self.n)

    @cached_property
    def left_out(self) -> LeftOut:
        """Rows beyond the first n; of hypotheses on the plane the columns that are not on its axes,
        of intervals all but the first.
        """
        problem = self.problem
        used = range(self.problem.d)
        axes = problem.plane[:1] if self.kind == "intervals" else problem.plane
        columns = axes if self.kind in ON_PLANE else used
        return LeftOut(without(problem, columns), problem.n - self.n, problem.n)

    def labels(self, number: int) -> Bool:
        """(n,) True where this labelling has a +."""
        return labels(number, self.n)

    def seek(self, s: State) -> Answer:
        """To the current labelling; a line that made the opposite one has its other side."""
        opposite = (1 << self.n) - 1 - s.current
        if self.kind in ("lines", "half-spaces") and opposite < s.looked:
            return turned(s.answers[opposite])
        return seek(self.kind, self.points, self.labels(s.current))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(Prefix([], 0))
    given.points  # noqa: B018  # raises what is in the way before anything is shown
    yield from at("start", s)
    for number in range(1 << given.n):
        s = replace(s, current=number)
        yield from at("take", s)
        yield None
        yield from at("seek", s)
        answer = given.seek(s)
        s = replace(s, answers=s.answers.plus(answer))
        if answer.made:
            yield from at("found", s, "found")
        else:
            yield from at("cross", s, "crossed")
    counts, fails = shattered(s.numbers, given.n)
    s = replace(s, current=-1, counts=counts, fails=fails)
    yield from at("sets", s)
    yield from at("done", s, *when(shattered=not fails))


def four_points() -> Dataset:
    """Four points whose diagonals cross at (0.20, 0.15). Lab data."""
    x1, x2 = [-1.3, 0.8, 1.7, -0.7], [0.9, 1.15, -0.6, -1.35]
    return Dataset.from_columns({"x1": x1, "x2": x2})


def example() -> Problem:
    return prepare(four_points())


ALGORITHM = Algorithm.of(
    __name__,
    title="Shattering",
    task=Task.THEORY,
    source=(
        "ML 7.4.1",
        "ML 7.4.2",
        "ML Fig 7.3",
        "ML Fig 7.4",
        "ML Ex 7.5",
        "AIMA Ex 18.20",
        "AIMA Ex 18.25",
    ),
    needs=Needs(labels=False),
    curves=(
        Curve("made", "labellings made", digits=0, about=("made",)),
        Curve("looked", "all so far", bound=True, digits=0, about=("labellings",)),
    ),
    events=("found", "crossed", "shattered"),
)
