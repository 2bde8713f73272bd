"""Tables of a Bayesian network by gradient ascent on ln P(D), where some values are not seen.

ML 6.11.5, Eq 6.25.
"""

from typing import Annotated, Literal

from engine.algorithms.bayes.parts import Parents, Tables, arcs
from engine.algorithms.bayes.parts.answers import classes
from engine.algorithms.bayes.parts.learning import (
    Learning,
    hidden_named,
    nearest,
    parents_named,
)
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
    Int,
    Label,
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
    np,
    prepare,
    replace,
    when,
)
from engine.base.work import settle

PSEUDOCODE = """
start round:  every w ← drawn by chance
round detail: repeat
row detail:     for each row d: P(y, u | d)
gradient:       g ← Σ P(y, u | d) / w, by table
move:           w ← w + η g
normalise:      rows of w add up to 1 again
until round:  until ln P(D) rises no more
"""


USUAL = 0.05  # the rate, divided by the examples, that is taken where none is given
# nats for each example: a rise that is none, at a rate of USUAL for each example or more
SETTLED = 2e-6
MOVED = 0.01  # a chance that changes by more in a round has not come to rest
AWAY = 1e6  # nats for each example: ln P(D) has run away


class Params(Record, eq=True):
    rate: Annotated[
        float | None,
        Range(1e-7, 1, log=True),
        Label("Learning rate η"),
        Empty("auto"),
        Help("empty: 0.05 divided by the rows, more for few rows"),
    ] = None
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
    renormalise: Annotated[
        Literal["nearest", "divide", "not at all"],
        Label("Renormalise"),
        Help("nearest: the same off every entry of a row; divide: by the sum of the row"),
    ] = "nearest"
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
    """The network: its initial tables, its likelihood of the rows, the step of the tables, the end
    of a run.
    """

    @cached_property
    def rate(self) -> float:
        """The learning rate η: as set, else one significant digit that is small enough for the
        smallest chances these rows give.
        """
        if self.p.rate:
            return float(self.p.rate)
        n = self.problem.n
        return float(f"{max(USUAL / n, 1 / n**2):.0e}")

    def renormalised(self, w: Float) -> Float:
        """(rows, values) the chances w with rows that add up to 1: each divided by its sum, or all
        entries of a row reduced by the same amount.

        Unchanged where the parameters do not ask for it.
        """
        if self.p.renormalise == "not at all":
            return w
        if self.p.renormalise == "divide":
            return frozen(w / w.sum(axis=1, keepdims=True))
        return nearest(w)  # max(w − t, 10⁻⁶), with the t of each row for which it adds up to 1

    def settled(self, rise: float, before: Tables, after: Tables) -> bool:
        """Whether ln P(D), which rose by so much in a round, and the tables are at rest: no entry
        moved by more than MOVED, and the rise is at most SETTLED for each example.

        Short steps rise by little, so that limit shrinks with the rate; rows that do not add up to
        1 can always grow.
        """
        if self.p.renormalise == "not at all" or not rise >= 0:
            return False
        pairs = zip(before, after, strict=True)
        at_rest = all(float(np.abs(w - v).max()) <= MOVED for v, w in pairs)
        n = self.problem.n
        return at_rest and rise <= SETTLED * n * min(1.0, self.rate * n / USUAL)

    def ran_away(self, log_likelihood: float) -> bool:
        """Whether ln P(D) has diverged or is NaN, which can happen when rows do not add up to 1."""
        return bool(np.isnan(log_likelihood) or log_likelihood >= AWAY * self.problem.n)


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
    tables = tuple(frozen(given.renormalised(table)) for table in s.tables)  # as of this setting
    counts, likelihood = given.expected(tables)
    s = replace(s, tables=tables, counts=counts, log_likelihood=likelihood)
    yield from rounds(given, s, at)


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
            s = yield from climb(given, at, s, x)
        yield None
        counts, likelihood = given.expected(s.tables)  # for the next round, and ln P(D) now
        s = replace(s, counts=counts, log_likelihood=likelihood, current=-1)
        rise = likelihood - before.log_likelihood
        ending = ""
        if rise < 0:
            ending = "fell"
        elif given.settled(rise, before.tables, s.tables):
            ending = "settled"
        away = given.ran_away(likelihood)
        done = ending == "settled" or away or s.round == given.p.rounds
        events = when(round=True, fell=ending == "fell", settled=ending == "settled")
        yield from at("until", s, *events, before=before.log_likelihood, ending=ending)


def rows(given: Setting, at: At, s: State) -> Steps[State]:
    """What each row d says: P(y, u | d), for the values y of a variable and u of its parents.

    P(y, u | d) = Σ Π w over the ways to fill d with y and u / Σ Π w over all ways to fill d, see
    `of_row`; `expected` has found it for all rows at once, and s.counts holds the sums. The row of
    which least is seen is a step, the others are details.
    """
    shown = range(given.problem.n) if at.records("row") else (given.least_seen,)
    for d in shown:
        moment = at.step if d == given.least_seen else at
        yield from moment("row", replace(s, row=d, current=given.query_node(d)))


def climb(given: Setting, at: At, s: State, x: int) -> Part[State, State]:
    """The state after one gradient step on the table of variable x, whose rows are then scaled to
    add up to 1.
    """
    s = replace(s, current=x)
    w = s.tables[x]
    N = s.counts[x]  # Σ P(y, u | d)
    g = frozen(np.divide(N, w, out=np.zeros_like(w), where=w > 0))  # N / w
    yield from at("gradient", s, g=g)
    moved = frozen(w + given.rate * g)  # w + η g
    s = given.changed(s, x, moved)
    yield from at("move", s, g=g, before=w)
    s = given.changed(s, x, given.renormalised(moved))
    yield from at("normalise", s, moved=moved)
    return s


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the most probable class given the known values of each row X (m, d); −1 where none is
    known, or the target is no class.
    """
    found: Int = classes(given, s, X)
    return found


def example() -> Problem:
    """Two rows of two variables, one of which is never observed."""
    return prepare(Dataset.from_columns({"Storm": ["y", "n"], "Lightning": [None, None]}))


ALGORITHM = Algorithm.of(
    __name__,
    title="Bayesian network, gradient ascent",
    task=Task.STRUCTURE,
    source=("ML 6.11.5", "ML Eq 6.25"),
    needs=Needs(labels=False, discrete=True, missing=True, max_rows=20_000, max_columns=60),
    curves=(Curve("log_likelihood", "ln P(D)", about=("names",)),),
    events=("round", "settled", "fell"),
)
