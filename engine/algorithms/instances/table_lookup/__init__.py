"""Table lookup: remember every example, answer only what is in the memory.

MIT 2.1.15-2.1.24, AIMA 18.8.
"""

from typing import Annotated, Literal

from engine.algorithms.instances.table_lookup.memory import (
    Lookup,
    Memory,
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
    """memory: the table of all examples, of which the first `stored` are written down; query (d,);
    row: looked up now, or −1; entry: row of the table looked at, or −1; label: the answer, −1 none;
    asked: the query was looked up.

    table (m, classes): how often each entry came with each label; unseen: examples that were new
    when they came; cost: those of them at which the commonest label so far was wrong; wrong: the
    same of examples that were known
    """

    memory: Memory
    stored: int
    query: Float
    row: int = -1
    entry: int = -1
    label: int = -1
    asked: bool = False

    table = property(lambda s: s.memory.counts(s.stored))
    unseen = property(lambda s: s.memory.size(s.stored))
    cost = property(lambda s: s.memory.verdicts(s.stored)[3])
    wrong = property(lambda s: s.memory.verdicts(s.stored)[1])


class Setting(Lookup[Params]):
    """query (d,); compared: columns and rules; key(X), found(X, stored): what rows are looked up
    by, which entry is theirs.
    """


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from given.prepared()
    s = State(given.memory, 0, given.query)
    yield from at("start", s)
    s = yield from filled(given, at, s)
    yield from at("query", s)
    entry = int(given.found(s.query[None], s.stored)[0])
    for e in range(s.unseen if entry < 0 else entry + 1) if at.tells("compare") else ():
        yield from at("compare", replace(s, entry=e))
    s = replace(s, entry=entry, label=int(given.labels(s.query[None], s.stored)[0]), asked=True)
    open_ = ["never seen"] * (entry < 0) + ["tie"] * (entry >= 0 > s.label)
    yield from at("answer", s, *open_)


def whole_memory(given: Setting, s: State) -> State:
    return replace(s, stored=len(given.memory.rows))


@leap_to(whole_memory)
def filled(given: Setting, at: At, s: State) -> Part[State, State]:
    """Every example is asked before it is written down: so it shows what the memory was worth when
    it came.
    """
    m = given.memory
    for i, (row, entry) in enumerate(zip(m.rows.tolist(), m.entry.tolist(), strict=True)):
        s = replace(s, row=row, entry=-1 if m.new[i] else entry, label=int(m.before[i]))
        yield from at("take", s)
        s = replace(s, stored=i + 1, entry=entry)
        if m.new[i]:
            yield from at("new", s, "never seen")
        else:
            yield from at("again", s, *when(conflict=bool(m.codes[i] != s.label)))
    return replace(s, row=-1, entry=-1, label=-1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """Class indices, −1 for what was never seen without a default, for a tie, and where a number is
    missing.
    """
    return np.where(np.isnan(X).any(axis=1), -1, given.labels(X, s.stored))


def example() -> Problem:
    """Eight days of MIT 2.1, some of them alike; the query was never seen."""
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
