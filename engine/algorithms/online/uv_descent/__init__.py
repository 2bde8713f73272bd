"""UV-decomposition: M ≈ U V from its known entries, one of them at a time. MMDS Ex 12.10."""

from typing import Annotated, Literal

from engine.algorithms.online.uv_descent.entries import Decomposing
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
    frozen,
    leap,
    np,
    prepare,
    replace,
)
from engine.core.notation import counted

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
    """U (n, r), V (r, d); held: places of the held-out entries, row · d + column, as current is, or
    −1; rmse of the other known entries, test: of the held-out ones, NaN without any.
    """

    U: Float
    V: Float
    held: Int
    rmse: float
    test: float
    current: int = -1
    round: int = 0
    # row and column of the entry looked at
    place = property(lambda s: divmod(s.current, s.V.shape[1]))
    u = property(lambda s: s.U[s.place[0]])
    v = property(lambda s: s.V[:, s.place[1]])


class Setting(Decomposing):
    """The known entries."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", s := first(given, rng))
    yield from rounds(given, s, at, rng)


def first(given: Setting, rng: Rng) -> State:
    """Entries are held out, U and V drawn."""
    p = given.p
    X = given.problem.X
    held = given.held(rng)
    if not given.size:
        raise EngineError("Every entry is 0 or missing: there is nothing to decompose.")
    middle = np.sqrt(given.size / p.rank)
    signs = np.sign(np.nansum(X / given.size)) or 1.0
    U, V = (
        middle * (1 + 0.3 * rng.standard_normal(shape))
        for shape in ((len(X), p.rank), (p.rank, X.shape[1]))
    )
    s: State = given.measured(State(frozen(U), frozen(signs * V), held, np.nan, np.nan))
    return s


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    n, r = s.U.shape
    d = s.V.shape[1]
    if (n, r, d) != (given.problem.n, given.p.rank, given.problem.d) or not np.isin(
        s.held, given.known
    ).all():
        raise EngineError(
            f"Descent cannot go on from {counted(n, 'row')}, {counted(d, 'column')} and rank {r}:"
            " start again."
        )
    first(given, rng)
    for _ in range(s.round if given.p.order == "random" else 0):
        rng.permutation(given.learnt(s))  # the orders of the rounds so far
    yield from rounds(given, given.measured(s), at, rng)


def rounds(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    learnt = given.learnt(s)
    done = False
    while not done:
        s = replace(s, current=-1, round=s.round + 1)
        yield from at("round", s)
        places = rng.permutation(learnt) if given.p.order == "random" else learnt
        before = s.rmse
        s = given.measured((yield from visits(given, at, s, places)))
        lost = given.ran_away(s.U, s.V)
        ending = "diverged" if lost else "settled" if given.settled(s, before) else ""
        done = bool(ending) or s.round == given.p.rounds
        yield from at("until", s, *filter(None, ("round", ending)), before=before, ending=ending)


@leap
def visits(given: Setting, at: At, s: State, places: Int) -> Part[State, State]:
    """One entry after the other, until numbers run away."""
    for place in places.tolist():
        s = replace(s, current=place)
        yield from at("look", s)
        e = float(given.errors(s.U, s.V, np.array([place]))[0])
        yield from at("error", s, e=e)
        U = s.U.copy()
        V = s.V.copy()
        u = s.u
        v = s.v
        i, j = s.place
        U[i], V[:, j] = given.moved(u.tolist(), v.tolist(), e)
        s = replace(s, U=frozen(U), V=frozen(V))
        yield from at("move", s, e=e, u=u, v=v)
        if given.ran_away(s.u, s.v):
            break
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {
        name: value if np.isfinite(value) else np.nan
        for name, value in (("rmse", s.rmse), ("test", s.test))
    }


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
