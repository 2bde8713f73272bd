"""Mistake bounds: the optimal one by the tree of the game, between VC dimension and log₂ |C|.

ML 7.5.3, Ex 7.7.
"""

from itertools import combinations
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
    Steps,
    Task,
    When,
    Work,
    cached_property,
    prepare,
    replace,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.work import finished, settle
from engine.experiments.mistake_bounds.game import Concepts, concepts, not_played, of_the_table
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
    """The game so far, and the bounds that are known; sets of concepts as in `Concepts`.

    V: the concepts that fit
    path: (input, label that is true) so far
    vc: VC(C), −1 not yet known
    opt: Opt(C), −1 not yet known
    halving: M_Halving(C), −1 not yet known
    x: the input to predict now, or −1
    said: the label that is predicted now, or −1
    """

    V: int
    path: Prefix[tuple[int, int]]
    vc: int = -1
    opt: int = -1
    halving: int = -1
    x: int = -1
    said: int = -1

    @property
    def mistakes(self) -> int:
        """M, the number of mistakes so far; the teacher denies every answer."""
        return len(self.path)

    @property
    def left(self) -> int:
        """|V|, the number of concepts that are still consistent."""
        return self.V.bit_count()


class Setting(Given[Params]):
    """A class C of concepts, and the fewest mistakes that guarantee learning one of them."""

    @cached_property
    def C(self) -> Concepts:
        """The class C of concepts. Raises EngineError where it is empty or too large."""
        return concepts(self.p.concepts, self.problem, self.p.columns, self.p.points)

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns and rows of the table that the game does not use."""
        return not_played(self.p.concepts, self.problem, self.p.columns, self.C)

    @cached_property
    def of_the_table(self) -> int:
        """The number of the tree that says what the labels of the table say, −1 for none."""
        return of_the_table(self.C, self.problem, self.p.columns)

    def games(self) -> Work[dict[int, int]]:
        """{V: Opt(V)} for every set V of concepts that the game can reach, as bit masks."""
        opt: dict[int, int] = {}
        yield from optimal(self.C, self.C.all, opt)
        return opt

    @cached_property
    def best(self) -> dict[int, int]:
        """The result of `games`, computed on first use."""
        return finished(self.games())

    def questions_left(self, V: int) -> list[tuple[int, int, int, int]]:
        """(x, V₀, V₁, 1 + min(Opt V₀, Opt V₁)) for every input x that splits V into the concepts
        that say − and +.
        """
        return [
            (x, no, yes, 1 + min(self.best[no], self.best[yes])) for x, no, yes in self.C.splits(V)
        ]

    def worst(self, V: int) -> tuple[int, int, int]:
        """(x, V₀, V₁) of the input that costs most; the first of those that are as bad."""
        ways = self.questions_left(V)
        values = [value for *_, value in ways]
        x, no, yes, _ = ways[values.index(max(values))]
        return x, no, yes


def dimension(C: Concepts) -> int:
    """VC(C): the largest number of inputs for which the concepts of C make every labelling."""
    sizes = [
        k
        for k in range(len(C.inputs) + 1)
        if any(C.shatters(chosen) for chosen in combinations(range(len(C.inputs)), k))
    ]
    return max(sizes)


def optimal(C: Concepts, V: int, known: dict[int, int]) -> Work[int]:
    """Opt(V) = max 1 + min(Opt V₀, Opt V₁) over the inputs that split V; 0 where none does.

    known: Opt of the sets visited so far, to which this adds
    """
    if V not in known:
        opt = 0
        for _, no, yes in C.splits(V):
            opt_no = yield from optimal(C, no, known)
            opt_yes = yield from optimal(C, yes, known)
            opt = max(opt, 1 + min(opt_no, opt_yes))
        known[V] = opt
        yield
    return known[V]


def most_by_majority(C: Concepts, V: int, known: dict[int, int]) -> Work[int]:
    """M_Halving(V): the most mistakes of the majority, over all orders of inputs and all concepts.

    A tie is −. known: those of the sets so far, which grows.
    """
    if V not in known:
        most = 0
        for _, no, yes in C.splits(V):
            plus = yes.bit_count() > no.bit_count()  # what the majority says
            after_no = yield from most_by_majority(C, no, known)
            after_yes = yield from most_by_majority(C, yes, known)
            if plus:
                after_no += 1
            else:
                after_yes += 1
            most = max(most, after_no, after_yes)
        known[V] = most
        yield
    return known[V]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    C = given.C
    s = State(C.all, Prefix([], 0))
    yield from at("start", s)
    s = replace(s, vc=dimension(C))
    yield from at("vc", s)
    yield from settle(given, "best", given.games)
    opt = given.best
    s = replace(s, opt=opt[s.V])
    yield from at("opt", s)
    while opt[s.V] > 0:
        x, no, yes = given.worst(s.V)
        s = replace(s, x=x, said=-1)
        yield from at("ask", s)
        said = int(opt[yes] > opt[no])  # the side of the larger Opt; a tie is −
        s = replace(s, said=said)
        yield from at("say", s)
        truth = 1 - said
        s = replace(s, V=yes if truth else no, path=s.path.plus((x, truth)))
        yield from at("deny", s, "mistake")
    halving = yield from most_by_majority(C, C.all, {})
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
