"""Tables of a Bayesian network by EM, where some values are not seen.

ML 6.11.5, 6.12: EM is the alternative to gradient ascent that the text names.
"""

from typing import Annotated, Literal

from engine.algorithms.bayes.parts import Parents, Tables, arcs
from engine.algorithms.bayes.parts.answers import classes
from engine.algorithms.bayes.parts.learning import Learning, hidden_named, parents_named
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Fits,
    Float,
    Help,
    Int,
    Label,
    MostRounds,
    Needs,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.work import settle
from engine.numerics.closeness import more

PSEUDOCODE = """
start  round:  every w ← drawn by chance
round  detail: repeat
row    detail:   for each row d: P(y, u | d)
expect:          N ← Σ P(y, u | d), by table
set:             w ← N / sum of its row
until  round:  until ln P(D) rises no more
"""
GAIN = 1e-6  # nats for each example: a rise that is none


class Params(Record, eq=True):
    parents: Annotated[
        str,
        Label("Parents"),
        Help("such as: Thunder: Lightning; Fire: Storm, Campfire. Empty: K2 finds them"),
        Fits(parents_named),
    ] = ""
    hidden: Annotated[
        tuple[float | str, ...],
        Label("Hidden"),
        Help("columns whose values are never seen"),
        Fits(hidden_named),
    ] = ()
    start: Annotated[Literal["drawn", "even"], Label("Start tables")] = "drawn"
    rounds: MostRounds = 500


class State(Record):
    """The model is `tables`, w; the fields after `log_likelihood` are what this step shows.

    tables: of each variable (rows of its parents' values, values) its chances w
    parents: of each variable
    edges: (m, 2) the arcs, from parent to child
    counts: of each table N = Σ P(y, u | d) by its entries, in this round
    log_likelihood: ln P(D) of the tables at the beginning of the round
    current: the variable looked at, or −1
    row: the example looked at, or −1
    round: number of the round
    """

    tables: Tables
    parents: Parents
    edges: Int
    counts: Tables
    log_likelihood: float
    current: int = -1
    row: int = -1
    round: int = 0


class Setting(Learning[Params]):
    """The network: its initial tables, and what its rows expect of every table."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    given.check()
    yield from settle(given, "ways", given.fill)
    tables = tuple(given.first(x, rng) for x in range(len(given.variables)))
    counts, likelihood = given.expected(tables)  # N = Σ P(y, u | d) of every entry, and ln P(D)
    s = State(tables, given.parents, arcs(given.parents), counts, likelihood)
    yield from at("start", s)
    yield from rounds(given, s, at)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if s.parents != given.parents or [t.shape for t in s.tables] != given.shapes:
        raise EngineError("The tables are of another network: start again.")
    counts, likelihood = given.expected(s.tables)
    yield from rounds(given, replace(s, counts=counts, log_likelihood=likelihood), at)


def rounds(given: Setting, s: State, at: At) -> Steps[State]:
    """The steps of round after round, until ln P(D) no longer rises or the number of rounds is
    reached.
    """
    done = False
    while not done:
        before = s
        s = replace(s, round=s.round + 1, current=-1, row=-1)
        yield from at("round", s)
        yield from rows(given, at, s)
        for x in range(len(s.tables)):
            s = replace(s, current=x)
            yield from at("expect", s)
            w = share_of(s.counts[x], s.tables[x])
            s = given.changed(s, x, w)
            yield from at("set", s, before=before.tables[x])
        yield None
        counts, likelihood = given.expected(s.tables)  # for the next round, and ln P(D) now
        s = replace(s, counts=counts, log_likelihood=likelihood, current=-1)
        rise = likelihood - before.log_likelihood
        over = not more(rise, GAIN * given.problem.n, abs(likelihood))
        done = over or s.round == given.p.rounds
        events = when(round=True, settled=over)
        yield from at("until", s, *events, before=before.log_likelihood, over=over)


def rows(given: Setting, at: At, s: State) -> Steps[State]:
    """What each row d says: P(y, u | d), for the values y of a variable and u of its parents.

    `expected` has found it for all rows at once, and s.counts holds the sums. The row of which
    least is seen is a step, the others are details.
    """
    shown = range(given.problem.n) if at.records("row") else (given.least_seen,)
    for d in shown:
        moment = at.step if d == given.least_seen else at
        yield from moment("row", replace(s, row=d, current=given.query_node(d)))


def share_of(N: Float, w: Float) -> Float:
    """(rows, values) each count N divided by the sum of its row; a row that no example can be in
    keeps its chances w.
    """
    whole = N.sum(axis=1, keepdims=True)
    return frozen(np.divide(N, whole, out=w.copy(), where=whole > 0))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the most probable class given the known values of each row X (m, d); −1 where none is
    known, or the target is no class.
    """
    found: Int = classes(given, s, X)
    return found


def example() -> Problem:
    """Four rows of two variables; one value is missing."""
    storm = ["y", "y", "n", "n"]
    return prepare(Dataset.from_columns({"Storm": storm, "Lightning": ["y", "y", "n", None]}))


ALGORITHM = Algorithm.of(
    __name__,
    title="Bayesian network, EM",
    task=Task.STRUCTURE,
    source=("ML 6.11.5", "ML 6.12"),
    needs=Needs(labels=False, discrete=True, missing=True, max_rows=20_000, max_columns=60),
    curves=(Curve("log_likelihood", "ln P(D)", about=("names",)),),
    events=("round", "settled"),
)
