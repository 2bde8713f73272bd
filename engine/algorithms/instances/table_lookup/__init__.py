"""Table lookup: remember every example, answer only what is in the memory.

MIT 2.1.15-2.1.24, AIMA 18.8.
"""

from typing import Annotated, Literal

from engine.algorithms.instances.table_lookup.lookup_table import (
    Lookup,
    LookupTable,
    columns_named,
    query_fits,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Fits,
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
    frozen,
    leap_to,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start   round:  table ← empty
take    detail: for each (x, y): look x up
new:              never seen: write x, y down
again:            seen: count y in its row
query   round:  look the query q up:
compare detail:   is this row of the table q?
answer  round:  its majority, or “never seen”
"""
MAJORITY = (
    "what repeats say that disagree: on, the majority of them; off, the first that was written down"
)
DEFAULT = "the answer for what was never seen: none, or the label that most examples have"
COLUMNS = (
    "that must be equal, as “precip, clothes”, or a rule, as “clothes = formal or temp > 90”;"
    " empty: all"
)
ROUNDING = (
    "numbers count as equal that round to the same multiple of this, noise or not; 0: only equal"
    " ones"
)
QUERY = "a value for each column, words as they are; empty: the probe, or the first row"


class Params(Record, eq=True):
    majority: Annotated[bool, Label("Majority of repeats"), Help(MAJORITY)] = True
    default: Annotated[Literal["none", "commonest"], Label("Default"), Help(DEFAULT)] = "none"
    columns: Annotated[
        tuple[float | str, ...], Label("Columns compared"), Help(COLUMNS), Fits(columns_named)
    ] = ()
    rounding: Annotated[float, Range(0, 1e6), Label("Rounding"), Help(ROUNDING)] = 0.0
    query: Annotated[tuple[float | str, ...], Label("Query"), Help(QUERY), Fits(query_fits)] = ()


class State(Record):
    """The model is the first part of `memory`; the fields after `stored` are what this step shows.

    memory: all examples, in their order
    stored: how many of these are written down, the first ones
    query: (d,) q
    row: the example looked up now, or −1
    entry: the row of the table looked at, or −1
    label: what the table says of it, −1 nothing
    asked: whether the query was looked up
    """

    memory: LookupTable
    stored: int
    query: Float
    row: int = -1
    entry: int = -1
    label: int = -1
    asked: bool = False

    @property
    def table(self) -> Int:
        """(m, classes) how often each row of the table came with each label."""
        m = self.memory
        counts = np.zeros((self.unseen, m.classes), np.intp)
        for_each = (m.entry[: self.stored], m.codes[: self.stored])
        np.add.at(counts, for_each, 1)  # every (x, y) counts y in the row of x
        return frozen(counts)

    @property
    def unseen(self) -> int:
        """m, the number of examples that were new when they came; each made a row of the table."""
        return self.memory.size(self.stored)

    @property
    def cost(self) -> int:
        """The number of new examples for which the majority label so far would have been wrong."""
        return self.memory.verdicts(self.stored)[3]

    @property
    def wrong(self) -> int:
        """The number of known examples to which the table gave another label."""
        return self.memory.verdicts(self.stored)[1]


class Setting(Lookup[Params]):
    """The query, and the columns and rules by which rows are looked up."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from given.prepared()
    s = State(given.memory, 0, given.query)
    yield from at("start", s)
    s = yield from filled(given, at, s)
    yield from at("query", s)
    q = s.query[None]
    entry = given.index[0].get(given.key(q)[0], -1)  # the row that is q, −1: never seen
    if at.records("compare"):
        tried = s.unseen if entry < 0 else entry + 1
        for e in range(tried):
            yield from at("compare", replace(s, entry=e))
    label = int(labels(given, s, q)[0])
    s = replace(s, entry=entry, label=label, asked=True)
    never_seen = entry < 0
    tie = not never_seen and label < 0
    yield from at("answer", s, *when(never_seen=never_seen, tie=tie))


def whole_memory(given: Setting, s: State) -> State:
    """The state in which every example is stored."""
    return replace(s, stored=len(given.memory.rows))


@leap_to(whole_memory)
def filled(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state with every (x, y) stored; each is looked up first, so that the table's answer can
    be compared with y.
    """
    m = given.memory
    table: dict[bytes, int] = {}  # the number of each row of the table, by what is compared
    for i, x in enumerate(given.keys()):
        new = x not in table  # no row is equal to x
        said = int(m.before[i])  # the answer to x of the table so far, as in `majorities`
        s = replace(s, row=int(m.rows[i]), entry=table.get(x, -1), label=said)
        yield from at("take", s)
        if new:
            table[x] = len(table)  # a row of its own
        s = replace(s, stored=i + 1, entry=table[x])  # y counts in the row of x, see State.table
        if new:
            yield from at("new", s, "never seen")
        else:
            yield from at("again", s, *when(conflict=bool(m.codes[i] != said)))
    return replace(s, row=-1, entry=-1, label=-1)


def labels(given: Setting, s: State, X: Float) -> Int:
    """(m,) the answers to rows X (m, d): −1 for a tie, and for what was never seen unless a default
    answers.
    """
    return answers(given, s, given.found(X, s.stored))


def answers(given: Setting, s: State, entry: Int) -> Int:
    """(m,) the answers to rows of the table, −1: to what was never seen."""
    default = -1
    if given.p.default == "commonest":
        default = s.memory.commonest(s.stored)
    return np.append(majorities(s), default)[entry]  # entry −1 takes the last, the default


def majorities(s: State) -> Int:
    """(m,) the label that each row of the table came with most often, −1 where labels tie; without
    majority the first label that was written down.
    """
    if not s.memory.majority:
        return s.memory.first_labels(s.stored)
    counts = s.table  # (m, classes)
    most = counts.max(axis=1, keepdims=True, initial=0)
    alone = (counts == most).sum(axis=1) == 1
    return np.where(alone, counts.argmax(axis=1), -1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class codes; −1 for a tie, a missing number, and a row never seen where there is no
    default.
    """
    return np.where(np.isnan(X).any(axis=1), -1, labels(given, s, X))


def example() -> Problem:
    """Eight days of MIT 2.1, some of them alike, and a query that is none of them."""
    rows = [
        "80 none casual walk",
        "19 snow casual drive",
        "65 none casual walk",
        "80 none casual walk",
        "80 none casual drive",
        "19 snow casual drive",
        "80 none casual walk",
        "21 none formal drive",
    ]
    temp, precip, clothes, y = zip(*(row.split() for row in rows), strict=True)
    days = {
        "temp": [float(t) for t in temp],
        "precip": list(precip),
        "clothes": list(clothes),
        "y": list(y),
    }
    return replace(prepare(Dataset.from_columns(days, "y")), query=frozen([20.0, 0.0, 0.0]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Table lookup",
    task=Task.CLASSIFY,
    source=(
        "MIT 2.1.15-2.1.17",
        "MIT 2.1.18-2.1.20",
        "MIT 2.1.21-2.1.22",
        "MIT 2.1.24",
        "AIMA 18.8",
    ),
    curves=(
        Curve("unseen", "never seen when they came", of_n=True, digits=0),
        Curve("cost", "a default would be wrong", of_n=True, digits=0),
        Curve("wrong", "known, with another label", of_n=True, digits=0),
    ),
    events=("never seen", "conflict", "tie"),
)
