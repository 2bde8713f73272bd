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
from engine.base.notation import listed, quoted
from engine.base.spelling import place_of
from engine.experiments.entropy.splits import Split, by_hand, splits_of
from engine.experiments.parts.left_out import LeftOut, without
from engine.numerics.closeness import OF_TERMS, more, settled
from engine.numerics.impurity import entropy, gini

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
    """By how much a split lowers three measures of impurity.

    gain: entropy, in bits
    gini: Gini's impurity (extension)
    error: the share of the rows outside the largest class
    """

    gain: float
    gini: float
    error: float


class State(Record):
    """What is known of the splits; `current` is what a moment looks at.

    tried: what each split so far comes to
    current: number of the one that is looked at, or −1
    best: number of the one that gains most so far, or −1
    """

    tried: Prefix[Fall]
    current: int = -1
    best: int = -1


class Setting(Given[Params]):
    """The candidate splits, in the order in which they are tried."""

    @cached_property
    def columns(self) -> Sequence[int]:
        """The indices of the columns that are split; () where counts are given by hand.

        Raises EngineError where no column has the name that was set.
        """
        if self.p.counts:
            return ()
        if not self.p.column.strip():
            return self.problem.plane[:1] or range(self.problem.d)
        return (column_named(self.p, self.problem),)

    @cached_property
    def splits(self) -> Sequence[Split]:
        """The splits of every column: of numbers x ≤ t, t half-way between any neighbouring values
        or the given one; of words a branch for each, and where one column alone is split each
        against the others. Columns without a row of class and value have none.

        Raises EngineError for counts that cannot be read.
        """
        if self.p.counts:
            return by_hand(self.p.counts)
        single = len(self.columns) == 1
        found = list[Split]()
        for j in self.columns:
            found += splits_of(self.problem, j, self.p.threshold, single)
        return [split for split in found if split.counts.any()]

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that are not split; where a single column is split, also the rows without a
        class or a value in it.
        """
        if self.p.counts:
            return LeftOut()
        problem = self.problem
        left_out = problem.n - int(self.whole(0).sum()) if len(self.columns) == 1 else 0
        return LeftOut(without(problem, self.columns), left_out, problem.n)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """(k,) the names of the classes."""
        k = self.splits[0].counts.shape[1]
        if self.p.counts:
            return tuple(f"class {c + 1}" for c in range(k))
        return tuple(self.problem.class_text(c) for c in range(k))

    def whole(self, number: int) -> Float:
        """(k,) rows of each class that a split parts: those whose value is known."""
        return np.asarray(self.splits[max(number, 0)].counts.sum(axis=0))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    if not given.splits:
        raise EngineError(
            "No row has both its class and a value in a column that is split: choose another"
            " column."
        )
    s = State(Prefix([], 0))
    yield from at("whole", s)
    for number, split in enumerate(given.splits):
        s = replace(s, current=number)
        yield from at("split", s)
        if number % WORK == 0:
            yield None
        yield from at("rest", s)
        found = fall(split.counts)
        better = s.best < 0 or more(found.gain, s.tried[s.best].gain, 1.0, OF_TERMS)
        s = replace(s, tried=s.tried.plus(found), best=number if better else s.best)
        yield from at("gain", s, *when(nothing=found.gain == 0))
    yield from at("best", replace(s, current=s.best), "best")


def fall(counts: Float) -> Fall:
    """How much less entropy, Gini impurity and error the branches have than the whole. counts: (b,
    k) rows of each class in each branch
    """
    whole = counts.sum(axis=0)  # (k,)
    n = whole.sum()
    share = counts.sum(axis=1) / n  # (b,) n[k]/n
    H = entropy(whole)  # −Σ P(v) log₂ P(v) over the classes v
    rest = share @ entropy(counts)  # Σ n[k]/n · H(branch k)
    gain = H - rest
    purer = gini(whole) - share @ gini(counts)
    right = (counts.max(axis=1).sum() - whole.max()) / n
    return Fall(exact(gain), exact(purer), exact(right))


def exact(difference: float) -> float:
    """The difference, 0 where it is within rounding of 0."""
    return float(settled(float(difference), 1.0))


def plain_mean(counts: Float) -> float:
    """The unweighted mean of the branches' entropies, in bits; MIT 2.4.19 shows why it misleads.
    counts: (b, k)
    """
    return float(entropy(counts[counts.sum(axis=1) > 0]).mean())


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """The gain of the current split by each measure; {} where none is current."""
    if not 0 <= s.current < len(s.tried):
        return {}
    return s.tried[s.current]._asdict()


def example() -> Problem:
    """Nine rows of one class and ten of the other, with one split into (7, 1) and (2, 9) and one
    into (5, 4) and (4, 6). MIT 2.4.13.
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
