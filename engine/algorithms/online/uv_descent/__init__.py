"""UV-decomposition: M ≈ U V from its known entries, one of them at a time. MMDS Ex 12.10."""

from typing import Annotated, Literal

from engine.algorithms.online.uv_descent.entries import (
    Entries,
    Numbers,
    dot,
    finite_or_nan,
    with_column,
    with_row,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    MostRounds,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    leap,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start round:  U, V ← numbers near √(|m| / r)
round detail: repeat
look detail:    for each known m, row u, column v
error detail:     e ← m − u · v
move:             u ← u + η e v;  v ← v + η e u
until round:  until the RMSE settles
"""
RATE = "empty: from the largest entry, so that no step moves too far; for the printed step .05"
STEP = (
    "printed: every number moves by the share η of what would make the entry fit if it moved alone"
)
# in parts of |m|: a change of the RMSE that is none, where every step makes its entry fit
SETTLED = 3e-4
PRINTED = 0.05  # the rate of the printed step, where none was set
SHARE = 0.2  # the rate times the largest entry, where none was set
LOST = 1e6  # times the size that numbers of U and V start with: they run away
LEAST = 1e-10  # share of an error below which rounding hides what a round changes


class Params(Record, eq=True):
    rank: Annotated[int, Range(1, 8), Label("Rank r"), Help("columns of U and rows of V")] = 2
    rate: Annotated[
        float | None, Range(1e-15, 1, log=True), Label("Learning rate η"), Empty("auto"), Help(RATE)
    ] = None
    step: Annotated[Literal["gradient", "printed"], Label("Step"), Help(STEP)] = "gradient"
    order: Annotated[Literal["in turn", "random"], Label("Order of the entries")] = "in turn"
    held: Annotated[float, Range(0, 0.5), Label("Held out"), Help("share of the known entries")] = (
        0.1
    )
    rounds: MostRounds = 100


class State(Record):
    """The model is U V; `current` is what this step shows.

    U: (n, r)
    V: (r, d)
    held: places of the held-out entries, row · d + column
    rmse: √(mean e²) of the other known entries
    test: √(mean e²) of the held-out entries, NaN without any
    round: counted from 1
    current: place of the entry looked at, or −1
    """

    U: Float
    V: Float
    held: Int
    rmse: float
    test: float
    round: int = 0
    current: int = -1

    @property
    def place(self) -> tuple[int, int]:
        """(row, column) of the current entry."""
        d: int = self.V.shape[1]
        return divmod(self.current, d)

    @property
    def u(self) -> Float:
        """(r,) the row of U for the current entry."""
        row: Float = self.U[self.place[0]]
        return row

    @property
    def v(self) -> Float:
        """(r,) the column of V for the current entry."""
        column: Float = self.V[:, self.place[1]]
        return column


class Setting(Entries):
    """The known entries m of the table M (n, d), the rate η, and the end of the rounds."""

    @cached_property
    def rate(self) -> float:
        """η as set; else so that a step by the gradient takes off less than half of the error of an
        entry: it takes off the share η (|u|² + |v|²), which is 2 η m and somewhat more where u and
        v are alike and make m.
        """
        if self.p.rate is not None:
            return float(self.p.rate)
        largest = float(np.abs(self.entries[self.known]).max(initial=0.0))
        if self.p.step == "printed" or not largest:
            return PRINTED
        return float(f"{SHARE / largest:.0e}")

    @cached_property
    def bound(self) -> float:
        """The size above which numbers of U and V count as diverged; they are normally the root of
        the entries' size.
        """
        return LOST * float(np.sqrt(self.size))

    def ran_away(self, *numbers: Float) -> bool:
        """Whether some number exceeds the bound or is NaN."""
        return any(not np.abs(part).max() < self.bound for part in numbers)

    def share(self, s: State) -> float:
        """The share of an entry's error that one step removes: about η (|u|² + |v|²), or 2 r η for
        the printed rule.
        """
        if self.p.step == "printed":
            return float(2 * self.p.rank * self.rate)
        lengths = np.square(s.U).sum() / len(s.U) + np.square(s.V).sum() / s.V.shape[1]
        return self.rate * float(lengths)

    def settled(self, s: State, before: float) -> bool:
        """Whether a round changed the RMSE by nothing, measured by how far its steps go: short
        steps change little.
        """
        share = min(self.share(s), 1.0)
        if share < LEAST:
            return bool(s.rmse == 0)
        return bool(abs(before - s.rmse) <= SETTLED * share * self.size)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = first(given, rng)
    yield from at("start", s)
    yield from rounds(given, s, at, rng)


def first(given: Setting, rng: Rng) -> State:
    """The initial state: entries held out, U and V near √(|m| / r). Raises EngineError where all
    entries are 0 or missing.
    """
    held = given.draw_held_out(rng)
    if not given.size:
        raise EngineError("Every entry is 0 or missing: there is nothing to decompose.")
    n, d = given.problem.X.shape
    r = given.p.rank
    middle = np.sqrt(given.size / r)  # √(|m| / r), where |m| is √(mean m²) of the known entries
    U = middle * (1 + 0.3 * rng.standard_normal((n, r)))
    V = given.sign * middle * (1 + 0.3 * rng.standard_normal((r, d)))
    s = State(frozen(U), frozen(V), held, rmse=np.nan, test=np.nan)
    return given.measured(s)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.check(s)
    first(given, rng)
    if given.p.order == "random":
        for _ in range(s.round):
            rng.permutation(given.learnt(s))  # the orders of the rounds so far
    yield from rounds(given, given.measured(s), at, rng)


def rounds(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """The steps of round after round, until the RMSE settles or numbers diverge."""
    learnt = given.learnt(s)
    done = False
    while not done:
        s = replace(s, current=-1, round=s.round + 1)
        yield from at("round", s)
        before = s.rmse
        order = rng.permutation(learnt) if given.p.order == "random" else learnt
        s = yield from visits(given, at, s, order)
        s = given.measured(s)
        ending = ""
        if given.ran_away(s.U, s.V):
            ending = "diverged"
        elif given.settled(s, before):  # |before − RMSE| ≤ 0.0003 |m| · share that steps take off
            ending = "settled"
        done = ending != "" or s.round == given.p.rounds
        events = when(round=True, settled=ending == "settled", diverged=ending == "diverged")
        yield from at("until", s, *events, before=before, ending=ending)


@leap
def visits(given: Setting, at: At, s: State, order: Int) -> Part[State, State]:
    """The state after a step for each of these entries in turn; ends early where numbers diverge.
    MMDS Ex 12.10.
    """
    for place in order.tolist():
        s = replace(s, current=place)
        yield from at("look", s)
        u = s.u.tolist()
        v = s.v.tolist()
        e = float(given.entries[place]) - dot(u, v)  # m − u · v
        yield from at("error", s, e=e)
        u, v = moved(given, u, v, e)
        i, j = s.place
        after = replace(s, U=with_row(s.U, i, u), V=with_column(s.V, j, v))
        yield from at("move", after, e=e, u=s.u, v=s.v)
        s = after
        if given.ran_away(s.u, s.v):
            break
    return s


def moved(given: Setting, u: Numbers, v: Numbers, e: float) -> tuple[Numbers, Numbers]:
    """u ← u + η e v and v ← v + η e u, each from what the other was before the step.

    As printed each number moves by the share η of what would make the entry fit if it moved alone:
    e / its partner, nothing where the partner is 0.
    """
    eta = given.rate
    pairs = list(zip(u, v, strict=True))
    if given.p.step == "printed":
        return (
            [a + eta * (e / b) if b else a for a, b in pairs],
            [b + eta * (e / a) if a else b for a, b in pairs],
        )
    return (
        [a + eta * e * b for a, b in pairs],
        [b + eta * e * a for a, b in pairs],
    )


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"rmse": finite_or_nan(s.rmse), "test": finite_or_nan(s.test)}


def example() -> Problem:  # a table of four numbers, one of them missing
    return prepare(Dataset.from_columns({"a": [9.0, 12.0], "b": [7.0, None]}))


ALGORITHM = Algorithm.of(
    __name__,
    title="UV-decomposition by descent",
    task=Task.STRUCTURE,
    source=("MMDS Ex 12.10",),
    needs=Needs(labels=False, numeric=True, missing=True, max_rows=5_000, max_columns=500),
    curves=(
        Curve("rmse", "RMSE of the known entries"),
        Curve("test", "RMSE of the held-out entries"),
    ),
    events=("round", "settled", "diverged"),
)
