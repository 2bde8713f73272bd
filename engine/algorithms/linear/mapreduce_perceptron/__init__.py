"""The perceptron as jobs of map and reduce: all mistakes of a round are added up at once.

MMDS 12.2.8, 12.3.6, 12.6.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.mapreduce_perceptron.jobs import Jobs
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
    Steps,
    Task,
    When,
    frozen,
    np,
    prepare,
    replace,
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
    """w (d,) or (d + 1,), the threshold last; before: what the mappers have; errors: wrong rows
    now; round: jobs so far; chunk: the mapper at work, or how many are done; pairs: sent in this
    job, sent: in all; current: row or −1; key: whose reducer is at work, or −1; deltas: Δ, of keys
    that are reduced.
    """

    w: Float
    before: Float
    errors: int
    deltas: Float
    round: int = 0
    chunk: int = -1
    pairs: int = 0
    sent: int = 0
    current: int = -1
    key: int = -1


class Setting(Jobs[Params]):
    pass


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.start(())
    yield from at("start", s := State(w, w, given.errors(w), frozen(np.zeros(0))))
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if len(s.w) != given.X.shape[1]:
        raise EngineError(
            "These weights belong to other columns, or to another kind of threshold: start again."
        )
    ends = RoundEnds(given.reach, s.w, s.round)
    done = False
    nothing = frozen(np.zeros(0))
    while not done:
        s = replace(
            s, before=s.w, deltas=nothing, round=s.round + 1, chunk=-1, pairs=0, current=-1, key=-1
        )
        yield from at("round", s)
        s = yield from one_job(given, at, s)
        still = bool((s.w == s.before).all())
        cycle = None if still else ends.earlier(s.w, s.round)
        done = still or cycle is not None or s.round >= given.p.rounds
        ending = (
            "converged"
            if still and not s.errors
            else "stuck"
            if still
            else "cycle"
            if cycle is not None
            else ""
        )
        yield from at("until", s, "round", *[ending] * bool(ending), cycle=cycle, done=done)


def one_job(given: Setting, at: At, s: State) -> Part[State, State]:
    job = []
    for chunk, rows in enumerate(given.chunks):
        yield from examples(given, at, replace(s, chunk=chunk), rows)
        job.append(given.pairs(s.before, chunk))
        s = replace(s, chunk=chunk, pairs=s.pairs + len(job[-1]), sent=s.sent + len(job[-1]))
        yield from at("map", s, sent=len(job[-1]))
        yield None
    yield from at("shuffle", s := replace(s, chunk=len(job)))
    deltas = given.sums(job, int(given.disagree(s.before).sum()))
    for key in range(len(deltas)) if at.tells("reduce") else ():
        yield from at("reduce", replace(s, key=key, deltas=frozen(deltas[: key + 1])))
    w = frozen(cleared(s.w + deltas, given.reach))
    errors = s.errors
    s = replace(s, w=w, errors=given.errors(w), deltas=frozen(deltas))
    yield from at("update", s, errors=errors)
    return s


def examples(given: Setting, at: At, s: State, rows: Int) -> Part[State, None]:
    """The mapper looks at each row of its chunk; on its own it goes a whole round, which `map`
    shows.
    """
    for i in rows.tolist() if at.tells("test") and not given.local else ():
        s, score = replace(s, current=i), float(given.score(s.before, given.X[i]))
        if given.disagree(s.before, np.array([i]))[0]:
            own = int(np.count_nonzero(given.X[i]))
            s = replace(s, pairs=s.pairs + own, sent=s.sent + own)
            yield from at("emit", s, "mistake", score=score)
        else:
            yield from at("test", s, score=score)


def example() -> Problem:
    return prepare(
        Dataset.from_arrays(
            [[1, 2], [2, 0], [2, -1], [-1, 1], [-2, 0], [-1, -1]], [1, 1, -1, 1, -1, -1]
        )
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="MapReduce perceptron",
    task=Task.CLASSIFY,
    predict=Setting.predict,
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
