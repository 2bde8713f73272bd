"""The buckets of each hash table as cards: who lies in them, which is the query's."""

from engine.algorithms.instances.lsh import Setting, State
from engine.algorithms.instances.lsh.hashes import Hash
from engine.algorithms.instances.lsh.words import first_of, reads
from engine.authoring import Int, np, number, replace
from engine.base.notation import counted
from engine.scene.scene import NO_GROUP, Card, CardRow, Cards, Role

TABLES = 4  # that are shown: the present one and those before it
BUCKETS = 4  # of a table that have a card of their own
EXAMPLES = 5  # of a bucket that have a line of their own


def bucket_cards(given: Setting, s: State, new: Int, line: str) -> Cards:
    """A lane for each table with its buckets; that of the query is first, dashed until it is open.

    new: the examples that the bucket just opened has added; line: of the step. At "fill" the
    fullest bucket is amber and that of the query no other than the rest; a bucket that is opened is
    amber, later the example in it that is measured.
    """
    fills = line == "fill"
    last = max(TABLES, s.opened)
    shown = range(max(0, last - TABLES), min(last, len(s.tables)))
    made = (
        filled_cards(given, s, t, lane) if fills else cards_of(given, s, t, lane, new, line)
        for lane, t in enumerate(shown)
    )
    cards = [
        replace(card, tag=f"table {t + 1}")
        for t, own in zip(shown, made, strict=True)
        for card in own
    ]
    total = sum(len(table.codes) for table in s.tables)
    return Cards(
        f"Buckets: {total} in all" if fills else "Buckets: the examples of each table",
        tuple(cards),
        headings=tuple(f"table {t + 1}: {reads(given, s.tables[t])}" for t in shown),
        tag="table",
    )


def cards_of(given: Setting, s: State, t: int, lane: int, new: Int, line: str) -> list[Card]:
    """The cards of table t: the query's bucket, then the largest others."""
    table = s.tables[t]
    own = own_bucket(table, s)
    sizes = np.bincount(table.bucket, minlength=len(table.codes))
    order = [b for b in np.argsort(-sizes, kind="stable").tolist() if b != own]
    opened = t < s.opened
    now = t == s.opened - 1
    role = Role.PLAIN if opened else Role.HELD_OUT
    if now and line == "bucket":
        role = Role.ACTIVE
    key = first_of([number(v) for v in table.code(s.query[None])[0]], " ")
    inside = np.flatnonzero(table.bucket == own)
    first = Card(lane, key, lines(given, s, inside, new if now else None), "of “?”", role=role)
    cards = [first, *(bucket(given, s, table, b, lane) for b in order[: BUCKETS - 1])]
    rest = len(order) - BUCKETS + 1
    if rest > 0:
        cards.append(Card(lane, counted(rest, "more bucket")))
    return cards


def fullest(s: State) -> tuple[int, int]:
    """(table, bucket) of the bucket with most examples, the first of equals."""
    sizes = [np.bincount(table.bucket) for table in s.tables]
    t = int(np.argmax([size.max() for size in sizes]))
    return t, int(sizes[t].argmax())


def filled_cards(given: Setting, s: State, t: int, lane: int) -> list[Card]:
    """The cards of table t, the largest buckets first, each with its number of examples."""
    table = s.tables[t]
    sizes = np.bincount(table.bucket, minlength=len(table.codes))
    order = np.argsort(-sizes, kind="stable").tolist()
    cards = []
    for b in order[:BUCKETS]:
        role = Role.ACTIVE if (t, b) == fullest(s) else Role.PLAIN
        note = counted(int(sizes[b]), "example")
        cards.append(replace(bucket(given, s, table, b, lane), note=note, role=role))
    if len(order) > BUCKETS:
        cards.append(Card(lane, counted(len(order) - BUCKETS, "more bucket")))
    return cards


def own_bucket(table: Hash, s: State) -> int:
    """The number of the query's bucket, −1 where no example shares it."""
    same = np.flatnonzero((table.codes == table.code(s.query[None])).all(axis=1))
    return int(same[0]) if len(same) else -1


def bucket(given: Setting, s: State, table: Hash, b: int, lane: int) -> Card:
    """The card of another bucket, whose examples are not looked at."""
    key = first_of([number(v) for v in table.codes[b]], " ")
    return Card(lane, key, lines(given, s, np.flatnonzero(table.bucket == b), None))


def lines(given: Setting, s: State, rows: Int, new: Int | None) -> tuple[CardRow, ...]:
    """The lines of some examples: those that are new stand out, those of other buckets are pale."""
    problem = given.problem
    found = []
    shown = rows[:EXAMPLES]
    if s.looked in rows[EXAMPLES:]:  # the one that is measured has a line in any case
        shown = np.append(shown[:-1], s.looked)
    for i in shown.tolist():
        role = Role.INACTIVE
        if new is not None:
            role = Role.REJECTED if i in new else Role.PLAIN
        value = ""
        if new is not None and i == s.looked:
            role, value = Role.ACTIVE, number(s.distance)
        group = int(problem.codes[i]) if problem.classes else NO_GROUP
        name, tag = (problem.names[i],), problem.row_tags[i]
        found.append(CardRow(name, value, group=group, role=role, tag=tag))
    if len(rows) > EXAMPLES:
        rest = len(rows) - EXAMPLES
        found.append(CardRow((f"{rest} more",), role=Role.INACTIVE, many=rest))
    return tuple(found) or (CardRow(("no example",), role=Role.INACTIVE),)
