"""Entropy: how mixed the classes are, and what a split that is moved by hand tells of them.

AIMA 18.3.4, MIT 2.4.13-2.4.20.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    EngineError,
    Fits,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Part,
    Prefix,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import Setting as Given
from engine.core.notation import listed, quoted
from engine.core.spelling import place_of
from engine.experiments.entropy.splits import Split, by_hand, splits_of
from engine.experiments.parts.left_out import LeftOut, without
from engine.numerics.impurity import entropy, entropy_mass, gini
from engine.numerics.closeness import OF_TERMS, more, settled

PSEUDOCODE = """
whole round:  H = −Σ P(v) log₂ P(v), all rows
split detail: for each split of column A:
rest detail:    rest = Σ n[k]/n · H(branch k)
gain:           gain = H − rest
best round:   the split that gains most
"""
WORK = 64  # splits between two looks whether to go on
COLUMN = "its name; empty: the one across on the plane, or without a plane each in turn"
COUNTS = (
    "instead of the table: how many of each class, branch after branch: 7 1 / 2 9; of one branch"
    " alone its entropy"
)


def column_named(p: Any, problem: Problem) -> int:
    """The number of the column that `p.column` names; raises EngineError where there is none."""
    names = [feature.name for feature in problem.features]
    place = place_of(p.column.strip(), names)
    if place is None and p.column.strip() and not p.counts:
        raise EngineError(
            f"There is no column {quoted(p.column)}; the columns are {listed(names)}."
        )
    return -1 if place is None else place


class Params(Record, eq=True):
    column: Annotated[str, Label("Column"), Help(COLUMN), Fits(column_named)] = ""
    threshold: Annotated[
        float | None, Label("Threshold"), Empty("all"), Help("of a column of numbers")
    ] = None
    counts: Annotated[tuple[float | str, ...], Label("Counts"), Help(COUNTS)] = ()


class Fall(NamedTuple):
    """By how much a split lowers what is mixed: entropy in bits, Gini's impurity, the share of the
    smaller classes.
    """

    gain: float
    gini: float
    error: float


class State(Record):
    """tried: what each split so far comes to; current: number of the one that is looked at, or −1;
    best: of the one that gains most so far, or −1.
    """

    tried: Prefix[Fall]
    current: int = -1
    best: int = -1


class Setting(Given[Params]):
    """columns: which are split, () with counts by hand; splits: one after the other; classes: their
    names.
    """

    @cached_property
    def columns(self) -> Sequence[int]:
        if self.p.counts:
            return ()
        if not self.p.column.strip():
            return self.problem.plane[:1] or range(self.problem.d)
        return (column_named(self.p, self.problem),)

    @cached_property
    def splits(self) -> Sequence[Split]:
        if self.p.counts:
            return by_hand(self.p.counts)
        single = len(self.columns) == 1
        found = [
            split
            for j in self.columns
            for split in splits_of(self.problem, j, self.p.threshold, single)
        ]
        return [split for split in found if split.counts.any()]

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that are not split; where one is, the rows without a class or a
        value in it.
        """
        if self.p.counts:
            return LeftOut()
        problem = self.problem
        gone = problem.n - int(self.whole(0).sum()) if len(self.columns) == 1 else 0
        return LeftOut(without(problem, self.columns), gone, problem.n)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        k = self.splits[0].counts.shape[1]
        return tuple(
            f"class {c + 1}" if self.p.counts else self.problem.class_text(c) for c in range(k)
        )

    def whole(self, k: int) -> Float:
        """(k,) rows of each class that split k parts: those whose value is known."""
        return np.asarray(self.splits[max(k, 0)].counts.sum(axis=0))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    if not given.splits:
        raise EngineError(
            "No row has both its class and a value in a column that is split: choose another"
            " column."
        )
    s = State(Prefix([], 0))
    yield from at("whole", s)
    for number in range(len(given.splits)):
        s = replace(s, current=number)
        yield from at("split", s)
        yield from [None] * (number % WORK == 0)
        s = yield from weighed(given, at, s, fall(given.splits[number].counts))
    yield from at("best", replace(s, current=s.best), "best")


def weighed(given: Setting, at: At, s: State, told: Fall) -> Part[State, State]:
    yield from at("rest", s)
    better = s.best < 0 or more(told.gain, s.tried[s.best].gain, 1.0, OF_TERMS)
    s = replace(s, tried=s.tried.plus(told), best=s.current if better else s.best)
    yield from at("gain", s, *when(nothing=told.gain == 0))
    return s


def fall(counts: Float) -> Fall:
    """What counts (b, k) of the branches say less than the whole does."""
    whole = counts.sum(axis=0)
    n = float(counts.sum())
    bits = float(entropy_mass(whole) - entropy_mass(counts).sum()) / n
    mixed = float(gini(whole) - (counts.sum(axis=1) * gini(counts)).sum() / n)
    right = float(counts.max(axis=1).sum() - whole.max()) / n
    return Fall(*(settled(float(part), 1.0) for part in (bits, mixed, right)))


def plain_mean(counts: Float) -> float:
    """The mean of the branches' entropies, all alike: MIT 2.4.19 shows why it misleads."""
    return float(entropy(counts[counts.sum(axis=1) > 0]).mean())


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return s.tried[s.current]._asdict() if 0 <= s.current < len(s.tried) else {}


def example() -> Problem:
    """Nine of one class and ten of the other, which (7, 1) and (2, 9) or (5, 4) and (4, 6) part
    (MIT 2.4.13).
    """
    y = ["+"] * 9 + ["−"] * 10
    x = [1.0, 1, 2, 2, 3, 3, 4, 7, 8, 3, 5, 6, 6, 6, 7, 8, 8, 9, 9]
    good = ["low"] * 7 + ["high"] * 2 + ["low"] + ["high"] * 9
    poor = ["left"] * 5 + ["right"] * 4 + ["left"] * 4 + ["right"] * 6
    return prepare(Dataset.from_columns({"x": x, "good": good, "poor": poor, "y": y}, "y"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Entropy",
    task=Task.THEORY,
    source=("AIMA 18.3.4", "MIT 2.4.13-2.4.14", "MIT 2.4.16", "MIT 2.4.19-2.4.20"),
    needs=Needs(missing=True),
    curves=(
        Curve("gain", "gain in bits", digits=3),
        Curve("gini", "what Gini's impurity falls by (extension)", digits=3),
        Curve("error", "what the error falls by", digits=3),
    ),
    events=("best", "nothing"),
)
