"""The perceptron as jobs of map and reduce: all mistakes of a round are added up at once.

MMDS 12.2.8, 12.3.6, 12.6.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.linear.mapreduce_perceptron.jobs import Jobs, Pairs
from engine.algorithms.linear.parts import TWO_CLASSES, WRONG
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Sequence,
    Steps,
    Task,
    When,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.mistakes import RoundEnds, cleared

PSEUDOCODE = """
start   round:  w ← 0
round   detail: repeat: each mapper gets w
test    detail:   for each (x, y) of its chunk:
emit    detail:     if y (w · x) ≤ 0: (i, η y xᵢ)
map:              send its pairs with xᵢ ≠ 0
shuffle:          bring the pairs of each i together
reduce  detail:   each i: Δᵢ ← Σ of its values
update:           w ← w + Δ
until   round:  until w does not change
"""
COMBINE = (
    "sum: MMDS 12.2.8. average: of what disagrees, 12.6. average of changes: mappers go their own"
    " round, 12.3.6."
)
ZERO = "disagrees: as in 12.2.1. agrees: 12.2.8 taken literally; from w = 0 no pair is ever sent"
BY_EXAMPLE = When("combine", ("sum", "average"))
NONE = frozen(np.zeros(0))  # no Δ is known yet


class Params(Record, eq=True):
    chunks: Annotated[int, Range(1, 64), Label("Chunks"), Help("mappers that share the table")] = 3
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    threshold: Annotated[Literal["zero", "learned"], Label("Threshold")] = "zero"
    combine: Annotated[
        Literal["sum", "average", "average of changes"], Label("Combine"), Help(COMBINE)
    ] = "sum"
    zero: Annotated[
        Literal["disagrees", "agrees"], Label("On the boundary"), Help(ZERO), BY_EXAMPLE
    ] = "disagrees"
    rounds: Annotated[
        int, Range(1, 100_000, log=True), Label("Jobs"), Help("at most this many")
    ] = 100


class State(Record):
    """The model is `w`; the fields after `sent` are what this step shows.

    w: (d,), or (d + 1,) with the threshold (feature −1) last
    errors: rows that w gets wrong
    round: jobs so far
    sent: pairs so far
    pairs: of this job
    before: the w that the mappers of this job have
    chunk: the mapper at work, or how many are done; −1 before the first
    current: the row looked at, or −1
    key: the weight whose reducer is at work, or −1
    deltas: (k,) Δ of the keys that are reduced
    """

    w: Float
    errors: int
    before: Float
    deltas: Float
    round: int = 0
    sent: int = 0
    pairs: int = 0
    chunk: int = -1
    current: int = -1
    key: int = -1


class Setting(Jobs[Params]):
    """The rows in chunks, one for each mapper, and the rule of the jobs."""

    @property
    def column(self) -> float | None:
        """The constant feature of the threshold, −1; None without a threshold."""
        return None if self.p.threshold == "zero" else -1.0

    @property
    def step(self) -> float:
        """The largest change of a weight by one example, for a feature of 1."""
        return float(self.p.rate)

    @property
    def steady(self) -> Sequence[float] | None:
        """The start weights where every update is ± η times a row; else None."""
        return (0.0,) if self.p.combine == "sum" else None

    @property
    def local(self) -> bool:
        """Whether each mapper makes a whole round on its own chunk. MMDS 12.3.6."""
        return bool(self.p.combine == "average of changes")

    def wrong(self, y: Any, score: Any) -> Any:
        """Whether y (w · x) ≤ 0; where p.zero is "agrees" only < 0. Elementwise for arrays."""
        literal = self.p.zero == "agrees" and not self.local
        return y * score < 0 if literal else y * score <= 0

    def disagree(self, w: Float, rows: Int) -> Int:
        """The rows among these that w gets wrong."""
        score = self.score(w, self.X[rows])  # w · x
        wrong: Int = rows[self.wrong(self.sign[rows], score)]
        return wrong

    def increments(self, rows: Int) -> Float:
        """(m, d) η y x of these rows."""
        return np.asarray(self.p.rate * self.sign[rows, None] * self.X[rows])

    def pairs(self, w: Float, chunk: int) -> Pairs:
        """The pairs that a mapper emits: (i, η y xᵢ) for each xᵢ ≠ 0 of each wrong example.

        A local mapper emits (i, change of wᵢ) after a whole round on its chunk.
        """
        if self.local:
            own = self.own_round(w, chunk)  # after each mistake in its chunk w ← w + η y x
            change = cleared(own - w, self.reach)
            keys = np.flatnonzero(change)
            return Pairs(np.full(len(keys), -1 - chunk), keys, change[keys])
        rows = self.disagree(w, self.chunks[chunk])
        values = self.increments(rows)  # η y x
        which, keys = np.nonzero(values)
        return Pairs(rows[which], keys, values[which, keys])

    def deltas(self, pairs: Pairs, w: Float) -> Float:
        """(d,) what each reducer adds to its weight: Δᵢ ← Σ of the values of i, or their mean."""
        sums = np.bincount(pairs.keys, pairs.values, self.X.shape[1])
        return np.asarray(sums / self.parts(w))

    def parts(self, w: Float) -> int:
        """The divisor of a reducer's sum: 1, the number of wrong examples (MMDS 12.6), or that of
        mappers (MMDS 12.3.6).
        """
        if self.local:
            return len(self.chunks)
        if self.p.combine == "average":
            return max(1, len(self.disagree(w, self.rows)))
        return 1


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.start(())
    s = State(w, given.errors(w), before=w, deltas=NONE)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if len(s.w) != given.X.shape[1]:
        raise EngineError(
            "These weights belong to other columns, or to another kind of threshold: start again."
        )
    ends = RoundEnds(given.reach, s.w, s.round)
    done = False
    while not done:
        s = replace(s, before=s.w, deltas=NONE, round=s.round + 1)
        s = replace(s, pairs=0, chunk=-1, current=-1, key=-1)
        yield from at("round", s)
        s = yield from one_job(given, at, s)
        unchanged = bool((s.w == s.before).all())
        # an earlier job that ended with the same w: from there the jobs repeat
        cycle = None if unchanged else ends.earlier(s.w, s.round)
        done = unchanged or cycle is not None or s.round >= given.p.rounds
        events = when(
            round=True,
            converged=unchanged and s.errors == 0,
            stuck=unchanged and s.errors > 0,
            cycle=cycle is not None,
        )
        yield from at("until", s, *events, cycle=cycle, done=done)


def one_job(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after one job of map and reduce. MMDS 12.2.8."""
    sent = []
    for chunk in range(len(given.chunks)):
        yield from look_at_examples(given, at, replace(s, chunk=chunk))
        pairs = given.pairs(s.before, chunk)
        sent.append(pairs)
        s = replace(s, chunk=chunk, pairs=s.pairs + len(pairs), sent=s.sent + len(pairs))
        yield from at("map", s, sent=len(pairs))
        yield None
    s = replace(s, chunk=len(given.chunks))
    yield from at("shuffle", s)
    deltas = frozen(given.deltas(Pairs.together(sent), s.before))
    if at.records("reduce"):
        for key in range(len(deltas)):
            yield from at("reduce", replace(s, key=key, deltas=deltas[: key + 1]))
    w = frozen(cleared(s.w + deltas, given.reach))
    after = replace(s, w=w, errors=given.errors(w), deltas=deltas)
    yield from at("update", after, errors=s.errors)
    return after


def look_at_examples(given: Setting, at: At, s: State) -> Part[State, None]:
    """Records the test of each (x, y) of the chunk of mapper `s.chunk`; nothing for a local
    mapper.
    """
    if given.local or not at.records("test"):
        return
    for i in given.chunks[s.chunk].tolist():
        s = replace(s, current=i)
        score = float(given.score(s.before, given.X[i]))  # w · x
        if given.wrong(given.sign[i], score):
            own = int(np.count_nonzero(given.X[i]))
            s = replace(s, pairs=s.pairs + own, sent=s.sent + own)
            yield from at("emit", s, "mistake", score=score)
        else:
            yield from at("test", s, score=score)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of each row: the first where w · x > 0, the second where w · x < 0, −1 on the
    line.
    """
    score = given.scored(s, X)  # w · x
    return np.asarray(given.class_codes(score), np.intp)


def example() -> Problem:
    """Six points that a line through the origin separates."""
    return prepare(
        Dataset.from_arrays(
            [[1, 2], [2, 0], [2, -1], [-1, 1], [-2, 0], [-1, -1]], [1, 1, -1, 1, -1, -1]
        )
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="MapReduce perceptron",
    task=Task.CLASSIFY,
    scores=Setting.scored,
    source=("MMDS 12.2.8", "MMDS 12.3.6", "MMDS 12.6"),
    needs=TWO_CLASSES,
    curves=(
        WRONG,
        Curve("pairs", "pairs of this job", digits=0),
        Curve("sent", "pairs so far", digits=0, about=("pairs",)),
    ),
    events=("mistake", "round", "converged", "cycle", "stuck"),
)
