"""One job as cards: the rows of each mapper, the pairs that leave the wrong ones, and at the
reducer of each weight the same numbers, added up. MMDS 12.2.8.
"""

from engine.algorithms.linear.mapreduce_perceptron import Setting, State
from engine.algorithms.linear.mapreduce_perceptron.jobs import Pairs
from engine.algorithms.linear.mapreduce_perceptron.words import so_far
from engine.algorithms.linear.parts.picture import weight_tags
from engine.authoring import Int, Record, Sequence, np
from engine.base.notation import counted, fixed
from engine.base.tags import joined
from engine.scene.scene import Card, CardRow, Cards, Role

TINT = 2  # the first colour of a chunk: the two before are the classes'
MANY = 4  # mappers, or reducers, with a card of their own; the last is for all others
ALL_ROWS = 8  # rows of a mapper that are all shown; of more those that disagree
MOST_ROWS = 8
SINGLE = 16  # pairs that are shown one by one; more are counted by mapper and weight
COLUMNS = 3  # columns of the table that the rows of mappers show
GATHERED = ("shuffle", "reduce", "update", "until")  # lines at which reducers have their pairs

Arrow = tuple[int, int, int, int, Role]


class Parcel(Record):
    """What lies on one line of a card of pairs, and of a reducer: one pair, or all that a mapper
    sends to a weight.

    row: the example that it is from, −1 for several; value: their sum
    """

    mapper: int
    key: int
    row: int
    count: int
    value: float


def job_cards(given: Setting, s: State, line: str) -> Cards:
    """The mappers, what they send and the reducers, with an arrow from line to line."""
    parcels = parcels_of(given, so_far(given, s))
    senders = min(len(given.chunks), MANY)
    receivers = min(len(given.names), MANY)
    sent = [[p for p in parcels if p.mapper == c] for c in range(senders)]
    got = [[p for p in parcels if p.key == k] for k in range(receivers)]
    names = [rows_shown(given, s, c) for c in range(senders)]
    mappers = [mapper_card(given, s, line, c, names[c]) for c in range(senders)]
    pairs = [pair_card(given, c, sent[c], c <= s.chunk) for c in range(senders)]
    gathered = line in GATHERED
    reducers = [
        reducer_card(given, s, line, k, got[k] if gathered else []) for k in range(receivers)
    ]
    arrows: list[Arrow] = []
    for c, own in enumerate(sent):
        for nth, parcel in enumerate(own):
            now = (line == "map" and c == s.chunk) or (line == "emit" and parcel.row == s.current)
            role = Role.ACTIVE if now else Role.PLAIN
            at = names[c].index(parcel.row) if parcel.row in names[c] else -1
            arrows.append((c, at, senders + c, nth, role))
            if gathered:
                now = line == "shuffle" or (line == "reduce" and parcel.key == s.key)
                role = Role.ACTIVE if now else Role.PLAIN
                place = got[parcel.key].index(parcel)
                arrows.append((senders + c, nth, 2 * senders + parcel.key, place, role))
    return Cards(
        f"Job: {heading(given, s, line, len(parcels))}",
        (*mappers, *pairs, *reducers),
        tuple(arrows),
        headings=(map_heading(given, s), "pairs", "reduce: add up"),
        tag="pairs",
    )


def heading(given: Setting, s: State, line: str, sent: int) -> str:
    """What this step of the job comes to. sent: pairs of all mappers so far, as they are shown"""
    mapper = f"mapper {s.chunk + 1}"
    if line in ("test", "emit"):
        name = given.problem.names[s.current]
        return f"{mapper}, {name} {'disagrees' if line == 'emit' else 'agrees'}"
    if line == "map":
        own = len(given.pairs(s.before, s.chunk))
        return f"{mapper} sends {counted(own, 'pair') if own else 'no pair'}"
    if line == "reduce":
        return f"the reducer of {given.keys[s.key]} adds up"
    if line == "until":
        return f"number {s.round} is over, {s.errors} wrong now"
    words = {
        "start": f"w = 0, {counted(len(given.chunks), 'chunk')} of rows",
        "round": "each mapper gets w",
    }
    if line == "shuffle":
        return "pairs are brought together by weight" if sent else "no pair to bring together"
    return words.get(line, "every weight gets its Δ")


def map_heading(given: Setting, s: State) -> str:
    """What every mapper gets: w, where it is short."""
    if len(s.before) > COLUMNS:
        return "map"
    return f"map: w = ({', '.join(fixed(float(v)) for v in s.before)})"


def parcels_of(given: Setting, pairs: Pairs) -> list[Parcel]:
    """The pairs one by one, or where they are many what each mapper sends to each weight."""
    mapper = np.minimum(given.senders(pairs), MANY - 1)
    key = np.minimum(pairs.keys, MANY - 1)
    crowded = len(given.chunks) > MANY or len(given.names) > MANY
    if len(pairs) <= SINGLE and not crowded:
        return [
            Parcel(int(c), int(k), int(row), 1, float(v))
            for c, k, row, v in zip(mapper, key, pairs.rows, pairs.values, strict=True)
        ]
    found = []
    for c, k in np.unique(np.column_stack([mapper, key]), axis=0).tolist():
        here = (mapper == c) & (key == k)
        found.append(Parcel(c, k, -1, int(here.sum()), float(pairs.values[here].sum())))
    return found


def rows_shown(given: Setting, s: State, chunk: int) -> list[int]:
    """The examples of a mapper that its card shows: all of few, else those that disagree."""
    if chunk == MANY - 1 < len(given.chunks) - 1:
        return []
    rows = given.chunks[chunk]
    if len(rows) > ALL_ROWS:
        rows = known_wrong(given, s, chunk)[:MOST_ROWS]
    shown: list[int] = rows.tolist()
    return shown


def known_wrong(given: Setting, s: State, chunk: int) -> Int:
    """The examples that a mapper has found wrong so far."""
    if given.local or chunk > s.chunk:
        return np.zeros(0, np.intp)
    wrong = given.disagree(s.before, given.chunks[chunk])
    seen = chunk == s.chunk and s.current >= 0
    return wrong[wrong <= s.current] if seen else wrong


def mapper_card(given: Setting, s: State, line: str, chunk: int, rows: Sequence[int]) -> Card:
    """A mapper with its rows, y (w · x) of each, and whether they agree."""
    problem = given.problem
    others = len(given.chunks) - MANY
    if chunk == MANY - 1 and others > 0:
        return Card(0, counted(others + 1, "more mapper"), note="", group=TINT + chunk)
    own = given.chunks[chunk]
    wrong = known_wrong(given, s, chunk)
    columns = problem.titles if problem.d <= COLUMNS else ()
    lines = [row_line(given, s, i, chunk, len(columns)) for i in rows]
    rest = len(own) - len(rows)
    if given.local:
        lines = own_weights(given, s, chunk)
    elif rest > 0:
        text = counted(rest, "row") + " more" * (chunk <= s.chunk)
        lines.append(CardRow((text,), many=rest))
    done = chunk <= s.chunk and not given.local
    return Card(
        0,
        f"mapper {chunk + 1}",
        tuple(lines),
        f"{len(wrong)} of {len(own)} wrong" if done else counted(len(own), "row"),
        ("", *columns, "y (w · x)") if rows else (),
        tuple(range(1, len(columns) + 2)),
        Role.ACTIVE if chunk == s.chunk and line in ("test", "emit", "map") else Role.PLAIN,
        TINT + chunk,
        "agree",
        f"chunk {chunk}",
    )


def own_weights(given: Setting, s: State, chunk: int) -> list[CardRow]:
    """The weights of a mapper after a whole round of its own, once it has made it."""
    if chunk > s.chunk:
        return []
    own = given.own_round(s.before, chunk)[:MANY]
    return [
        CardRow((f"own {name}",), fixed(float(value)))
        for name, value in zip(given.keys, own, strict=False)
    ]


def row_line(given: Setting, s: State, i: int, chunk: int, columns: int) -> CardRow:
    """A row of a mapper: its numbers, y (w · x), and a cross where it disagrees."""
    problem = given.problem
    seen = chunk < s.chunk or (chunk == s.chunk and (s.current < 0 or i <= s.current))
    score = float(given.sign[i] * given.score(s.before, given.X[i]))
    wrong = bool(given.wrong(given.sign[i], given.score(s.before, given.X[i])))
    numbers = [fixed(float(v)) for v in problem.X[i, :columns]]
    mark = ""
    role = Role.PLAIN
    if seen and not given.local:
        mark = "×" if wrong else "✓"
        role = Role.REJECTED if wrong else Role.INACTIVE
    if i == s.current:
        role = Role.ACTIVE
    cells = (problem.names[i], *numbers, fixed(score, 1) if seen else "")
    tag = problem.row_tags[i]
    return CardRow(cells, group=int(problem.codes[i]), mark=mark, role=role, tag=tag)


def pair_card(given: Setting, chunk: int, parcels: Sequence[Parcel], done: bool) -> Card:
    """The pairs of a mapper: (i, η y xᵢ), or how many go to each weight."""
    lines = []
    for parcel in parcels:
        name = "others" if parcel.key == MANY - 1 < len(given.keys) - 1 else given.keys[parcel.key]
        if parcel.count == 1 and parcel.row >= -len(given.chunks):
            text = f"({name}, {fixed(parcel.value)})"
        else:
            text = f"{name}: {counted(parcel.count, 'pair')}"
        tag = given.problem.row_tags[parcel.row] if parcel.row >= 0 else "pairs"
        lines.append(CardRow((text,), tag=joined("pairs", tag)))
    total = int(np.sum([parcel.count for parcel in parcels]))
    title = counted(total, "pair") if total else "no pair" if done else "…"
    return Card(1, title, tuple(lines), group=TINT + chunk, tag="pairs")


def reducer_card(given: Setting, s: State, line: str, key: int, parcels: Sequence[Parcel]) -> Card:
    """The reducer of a weight: what came in, their sum Δ, and the weight before and after."""
    others = len(given.names) - MANY
    total = int(np.sum([parcel.count for parcel in parcels]))
    note = counted(total, "pair") if total else ""
    if key == MANY - 1 and others > 0:
        title = counted(others + 1, "more reducer")
        return Card(2, title, tuple(parcel_line(given, p) for p in parcels), note)
    name = given.keys[key]
    lines = [parcel_line(given, parcel) for parcel in parcels]
    if key < len(s.deltas):
        delta = fixed(float(s.deltas[key]))
        role = Role.ACTIVE if line == "reduce" and key == s.key else Role.BOUNDARY
        lines.append(CardRow((f"Δ{name.removeprefix('w')}",), delta, role=role))
    before = fixed(float(s.before[key]))
    if line == "update" and len(s.deltas):
        after = f"{before} → {fixed(float(s.w[key]))}"
        lines.append(CardRow((name,), after, role=Role.ACTIVE, tag="w"))
    else:
        now = fixed(float(s.w[key])) if line == "until" else before
        role = Role.BOUNDARY if lines and key >= len(s.deltas) else Role.PLAIN
        lines.append(CardRow((name,), now, role=role, tag="w"))
    active = line == "reduce" and key == s.key
    tag = joined("w", weight_tags(given)[key])
    role = Role.ACTIVE if active else Role.PLAIN
    return Card(2, f"reducer {name}", tuple(lines), note, role=role, tag=tag)


def parcel_line(given: Setting, parcel: Parcel) -> CardRow:
    """What came in from one mapper, or one example, in the mapper's name."""
    if parcel.row >= 0:
        name = given.problem.names[parcel.row]
        tag = given.problem.row_tags[parcel.row]
    else:
        several = parcel.mapper == MANY - 1 < len(given.chunks) - 1
        name = "others" if several else f"mapper {parcel.mapper + 1}"
        if parcel.count > 1:
            name += f": {parcel.count}"
        tag = f"chunk {parcel.mapper}"
    return CardRow((name,), fixed(parcel.value), tint=TINT + parcel.mapper, tag=tag)
