"""Tables of a Bayesian network by gradient ascent on ln P(D), where some values are not seen.

ML 6.11.5, Eq 6.25.
"""

from typing import Annotated, Literal

from engine.algorithms.bayes.bayes_net_gradient.inference import (
    Learning,
    hidden_named,
    nearest,
    parents_named,
)
from engine.algorithms.bayes.parts import Parents, Tables, arcs
from engine.algorithms.bayes.parts.answers import classes
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
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.core.work import settle

PSEUDOCODE = """
start round:  every w ← drawn by chance
round detail: repeat
row detail:     for each row d: P(y, u | d)
gradient:       g ← Σ P(y, u | d) / w, by table
move:           w ← w + η g
normalise:      rows of w add up to 1 again
until round:  until ln P(D) rises no more
"""


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
    """The model is `tables`, w; what comes behind `log_likelihood` is what a moment looks at.

    tables: of each variable (rows of its parents' values, values) its chances w
    parents: of each variable
    edges: (m, 2) the arcs, from parent to child
    counts: of each table Σ P(y, u | d) by its entries, in this round
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
    """The network, every way to fill what is not seen, and how rows of chances are mended."""

    def renormalised(self, w: Float) -> Float:
        """(rows, values) the chances w with rows that add up to 1 again, if that is wanted: each
        divided by its sum, or with the same taken off all its entries.
        """
        if self.p.renormalise == "not at all":
            return w
        if self.p.renormalise == "divide":
            return frozen(w / w.sum(axis=1, keepdims=True))
        return nearest(w)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    given.check()
    yield from settle(given, "ways", given.fill)
    tables = tuple(given.first(x, rng) for x in range(len(given.variables)))
    counts, likelihood = given.expected(tables)  # Σ P(y, u | d) of every entry, and ln P(D)
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
    """One round after the other, until ln P(D) rises no more, or enough are done."""
    done = False
    while not done:
        before = s
        s = replace(s, round=s.round + 1, current=-1, row=-1)
        yield from at("round", s)
        yield from rows(given, at, s)
        for x in range(len(s.tables)):
            s = yield from climb(given, at, s, x)
        yield None
        counts, likelihood = given.expected(s.tables)
        s = replace(s, counts=counts, log_likelihood=likelihood, current=-1)
        rise = likelihood - before.log_likelihood
        ending = ""
        if rise < 0:
            ending = "fell"
        elif given.settled(rise, before.tables, s.tables):
            ending = "settled"
        away = not likelihood < given.most
        done = ending == "settled" or away or s.round == given.p.rounds
        events = when(round=True, fell=ending == "fell", settled=ending == "settled")
        yield from at("until", s, *events, before=before.log_likelihood, ending=ending)


def rows(given: Setting, at: At, s: State) -> Steps[State]:
    """What each row d says: P(y, u | d), for the values y of a variable and u of its parents.

    `given.of_row` has it; the sums of all rows are in `counts`. The row of which least is seen is a
    step, the others are details.
    """
    shown = range(given.problem.n) if at.tells("row") else (given.least_seen,)
    for d in shown:
        moment = at.step if d == given.least_seen else at
        yield from moment("row", replace(s, row=d, current=given.asked(d)))


def climb(given: Setting, at: At, s: State, x: int) -> Part[State, State]:
    """The table of one variable: its gradient, the step, rows that add up to 1."""
    s = replace(s, current=x)
    w = s.tables[x]
    N = s.counts[x]
    g = frozen(np.divide(N, w, out=np.zeros_like(w), where=w > 0))  # Σ P(y, u | d) / w
    yield from at("gradient", s, g=g)
    moved = frozen(w + given.rate * g)
    s = given.changed(s, x, moved)
    yield from at("move", s, g=g, before=w)
    s = given.changed(s, x, given.renormalised(moved))
    yield from at("normalise", s, moved=moved)
    return s


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class that is likeliest given what is known of each row X (m, d); −1 where nothing
    is, or where the target is no class.
    """
    found: Int = classes(given, s, X)
    return found


def example() -> Problem:
    """Two days, and a variable that was not seen."""
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
