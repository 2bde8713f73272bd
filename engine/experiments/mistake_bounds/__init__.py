"""Mistake bounds: the optimal one by the tree of the game, between the VC dimension and log₂ of the
class. ML 7.5.3, Ex 7.7.
"""

from typing import Annotated, Literal

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
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
    When,
    Work,
    cached_property,
    prepare,
    replace,
)
from engine.core.work import finished, settle
from engine.experiments.mistake_bounds.game import Concepts, concepts, not_played
from engine.experiments.parts.left_out import LeftOut

PSEUDOCODE = """
start  round:  V ← C
vc     round:  VC(C): most inputs that C shatters
opt    round:  Opt V = max 1 + min(Opt V₀, Opt V₁)
ask:           while Opt V > 0: ask that x
say    detail:   say the side of the larger Opt
deny:            it is the other: M += 1
halving round: M_Halving: the same by majority
done   round:  VC ≤ Opt ≤ M_Halving ≤ log₂|C|
"""


class Params(Record, eq=True):
    concepts: Annotated[
        Literal["conjunctions", "functions", "trees", "intervals", "singletons", "columns"],
        Label("Concepts C"),
        Help("trees: regular ones of depth two; columns: each column of the table for itself"),
    ] = "conjunctions"
    columns: Annotated[
        int,
        Range(1, 3),
        Label("Columns n"),
        Help("the first ones"),
        When("concepts", ("conjunctions", "functions", "trees")),
    ] = 2
    points: Annotated[
        int,
        Range(1, 8),
        Label("Values"),
        Help("of the first column of numbers"),
        When("concepts", ("intervals", "singletons")),
    ] = 5


class State(Record):
    """V: the concepts that fit, bit k for concept k; path: (input, label that is true) so far; x,
    said: asked and predicted now, −1 none; vc, opt, halving: the bounds, −1 not yet known.
    """

    V: int
    path: Prefix[tuple[int, int]]
    x: int = -1
    said: int = -1
    vc: int = -1
    opt: int = -1
    halving: int = -1

    @property
    def mistakes(self) -> int:
        return len(self.path)

    @property
    def left(self) -> int:
        return self.V.bit_count()


class Setting(Given[Params]):
    """C: the class; best: Opt of every set of concepts that the game can come to."""

    @cached_property
    def C(self) -> Concepts:
        return concepts(self.p.concepts, self.problem, self.p.columns, self.p.points)

    @cached_property
    def left_out(self) -> LeftOut:
        """Of the table, by the game."""
        return not_played(self.p.concepts, self.problem, self.p.columns, self.C)

    def games(self) -> Work[dict[int, int]]:
        known: dict[int, int] = {}
        yield from self.C.optimal(known, self.C.all)
        return known

    @cached_property
    def best(self) -> dict[int, int]:
        return finished(self.games())

    def asked(self, V: int) -> list[tuple[int, int, int, int]]:
        """(x, V₀, V₁, 1 + min(Opt V₀, Opt V₁)) for every input that splits V."""
        return [
            (x, no, yes, 1 + min(self.best[no], self.best[yes])) for x, no, yes in self.C.splits(V)
        ]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(given.C.all, Prefix([], 0))
    yield from at("start", s)
    s = replace(s, vc=given.C.dimension())
    yield from at("vc", s)
    yield from settle(given, "best", given.games)
    s = replace(s, opt=given.best[s.V])
    yield from at("opt", s)
    while given.best[s.V]:
        # the first of those that are as good
        x, no, yes, _ = max(given.asked(s.V), key=lambda way: way[3])
        s = replace(s, x=x, said=-1)
        yield from at("ask", s)
        s = replace(s, said=int(given.best[yes] > given.best[no]))  # a tie is −
        yield from at("say", s)
        s = replace(s, V=no if s.said else yes, path=s.path.plus((x, 1 - s.said)))
        yield from at("deny", s, "mistake")
    halving = yield from given.C.halving({}, given.C.all)
    s = replace(s, x=-1, said=-1, halving=halving)
    yield from at("halving", s)
    yield from at("done", s)


def example() -> Problem:
    """Two columns of 0 and 1."""
    return prepare(
        Dataset.from_columns({"f1": [False, False, True, True], "f2": [False, True, False, True]})
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Mistake bounds",
    task=Task.THEORY,
    source=("ML 7.5", "ML 7.5.2", "ML 7.5.3", "ML 7.5.4", "ML Ex 7.7", "ML Ex 7.7(c)"),
    needs=Needs(labels=False),
    curves=(
        Curve("mistakes", "mistakes", digits=0, about=("path",)),
        Curve("left", "concepts left", log=True, digits=0, about=("V",)),
    ),
    events=("mistake",),
)
