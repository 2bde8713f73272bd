"""What locality-sensitive hashing says: what a table reads, which examples share a bucket, whether
that is enough, which were missed.
"""

from math import prod
from typing import Any

from engine.algorithms.instances.lsh import Params, Setting, State
from engine.algorithms.instances.lsh.hashes import WIDE, Hash
from engine.algorithms.instances.parts import best
from engine.algorithms.instances.parts.best import look, names_of
from engine.authoring import (
    Choice,
    Fact,
    Formula,
    Int,
    Mapping,
    Note,
    Operand,
    Option,
    Sequence,
    note,
    np,
    number,
)
from engine.base.notation import agreeing_digits, counted, subscript

__all__ = [
    "ERRATA",
    "SUMMARY",
    "answer",
    "bucket",
    "chips",
    "draw",
    "enough",
    "fill",
    "keep",
    "look",
    "query",
    "radius",
    "wording",
]

SUMMARY = (
    "Puts every example into one bucket of each of several random tables, so that near ones often"
    " share a bucket. A query measures only those in its own buckets: quick in many columns, but a"
    " near one that shares no bucket is missed."
)
ERRATA = (
    (
        "MMDS 12.4.6 goes on to larger distances until enough neighbours are found. To have found k"
        " is not to have found the k nearest: one that shares no bucket is missed, though it is"
        " nearer."
    ),
)
AT = Fact("chance to be found at", "{far} from “?”: {chance}")
STOP = "as many as are wanted: it stops"
_NAMED = 6  # bits or strips that a sentence names
_FACTORS = 4  # radii whose factors a formula writes out


def wording(p: Params) -> Mapping[str, str]:
    return {} if p.hash == "auto" else {"draw": f"  each table: m random {p.hash}"}


def chips(p: Params) -> tuple[str, ...]:
    kinds = {"bits": counted(p.bits, "bit"), "lines": counted(p.bits, "line")}
    reads = kinds.get(p.hash, f"m = {p.bits}")
    factor = (f"c = {number(p.factor)}",) if p.factor != 1 else ()
    return (f"k = {p.k}", f"ℓ = {p.tables}", reads, *factor)


def reads(given: Setting, table: Hash) -> str:
    """The bits that a table reads, or the directions of its lines, as text."""
    if given.bitwise:
        features = given.problem.features
        return first_of([features[j].title for j in table.columns], ", ")
    if given.problem.d != 2:
        return f"{len(table.lines)} random {'line' if len(table.lines) == 1 else 'lines'}"
    angles = np.degrees(np.arctan2(table.lines[:, 1], table.lines[:, 0])) % 180
    return first_of([f"{angle:.0f}°" for angle in angles], ", ")


def key_of(table: Hash, s: State) -> str:
    """The bucket of the query as text: its bits, or the numbers of its strips."""
    code = table.code(s.query[None])[0]
    return first_of([number(v) for v in code], " ")


def first_of(texts: Sequence[str], between: str) -> str:
    """The texts joined by `between`; of many the first ones and "…"."""
    shown = between.join(texts[:_NAMED])
    return shown + " …" if len(texts) > _NAMED else shown


def query(given: Setting, s: State) -> Note:
    lead = "Which {k} {k:example is|examples are} nearest to {q}?"
    if given.k == 1:
        lead = "Which example is nearest to {q}?"
    return note(lead, q=Operand(s.query, "q", "query"), k=given.k)


def radius(given: Setting, s: State) -> Note:
    lead = "Radius {r}: tables for what is so near. Strips will be {width} wide."
    if given.bitwise:
        lead = (
            "Radius {r}: tables for what differs in so many bits. Each will read {m} of {d}"
            " {d:bit|bits}."
        )
    return note(lead, r=Operand(s.r, "r"), width=WIDE * s.r, m=given.many(s.r), d=given.problem.d)


def draw(given: Setting, s: State) -> Note:
    t = len(s.tables)
    table = s.tables[-1]
    lead = "Table {t}: strips across {lines} random {lines:line|lines}, at {read}."
    if given.bitwise:
        lead = "Table {t} reads {read}: examples that agree in this share a bucket."
    elif given.problem.d != 2:
        lead = "Table {t}: strips across {lines} random {lines:line|lines}."
    about = f"table {t}"
    return note(
        lead,
        t=Operand(t, about=about),
        lines=len(table.lines),
        read=Operand(reads(given, table), about=about),
    )


def fill(given: Setting, s: State) -> Note:
    lead = (
        "Every example lies in one bucket of each table: {many} {many:bucket|buckets} in all,"
        " {full} {full:example|examples} in the fullest."
    )
    full = max(int(np.bincount(table.bucket).max()) for table in s.tables)
    many = sum(len(table.codes) for table in s.tables)
    return note(lead, many=many, full=full)


def bucket(given: Setting, s: State, there: int, new: Int) -> Note:
    table = s.tables[s.opened - 1]
    t = s.opened
    lead = (
        "Table {t}: “?” lies in bucket {key} with {there} {there:example|examples}, {new} {new:new"
        " one|new ones}."
    )
    if not there:
        lead = "Table {t}: “?” lies in bucket {key}, where no example is."
    about = f"table {t}"
    return note(
        lead,
        t=Operand(t, about=about),
        key=Operand(key_of(table, s), about=about),
        there=there,
        new=Operand(len(new), about="new" if len(new) else ""),
    )


def keep(given: Setting, s: State, before: State) -> Note | tuple[Note, Choice]:
    return best.keep(given, s, before, "")


def enough(given: Setting, s: State, near: int) -> tuple[Note, Choice]:
    found = near >= given.k
    last = s.turn + 1 == len(given.radii)
    if found:
        lead = "{near} of the {k} best {near:lies|lie} within {reach}: that is enough."
    else:
        lead = "{near} of the best {near:lies|lie} within {reach}, {k} {k:is|are} wanted: "
        lead += "no radius is left." if last else "the next radius is tried."
    said = note(
        lead,
        near=Operand(near, about="best" if near else ""),
        k=given.k,
        reach=Operand(given.p.factor * s.r, "c · r", "reach"),
    )
    options = (
        Option("stop: found within c · r", float(near), value=True),
        Option("go on: wanted", float(given.k), value=False),
    )
    chosen = 0 if found else 1
    tie = near == given.k
    return said, Choice(
        "Is that enough?",
        options,
        winners=(0, 1) if tie else (chosen,),
        chosen=chosen,
        rule=STOP if tie else "",
        unit="examples",
        digits=0,
    )


def answer(given: Setting, s: State) -> Note:
    if len(s.neighbours):
        lead = (
            "The nearest in a bucket of “?”: {names}. {examined} of {n} {n:example|examples}"
            " {examined:was|were} in one and measured"
        )
    else:
        lead = "In the buckets of “?” is none of {n} {n:example|examples}"
    if len(s.missed):
        lead += ". Missed: {missed}, nearer but in no bucket of “?”."
    else:
        lead += "; a scan of all finds the same."
    said: dict[str, Any] = {
        "names": Operand(names_of(given.problem, s.neighbours), about="best"),
        "examined": Operand(s.examined, about="examined"),
        "n": given.problem.n,
        "missed": Operand(names_of(given.problem, s.missed), about="missed"),
    }
    rows = s.missed if len(s.missed) else s.neighbours
    if not len(rows):
        return note(lead, **said)
    far = float(given.distances(rows[:1])[0])
    factors = [f"(1 − {{share{i}}})^{{tables}}" for i in range(s.turn + 1)]
    if len(factors) > _FACTORS:
        factors = [factors[0], factors[1], "…", factors[-1]]
    chance = Formula("P =", "1 − " + " · ".join(factors), "{chance}")
    return note(lead, AT, chance, **said, **chances(given, s, far))


def chances(given: Setting, s: State, far: float) -> dict[str, Operand]:
    """The operands of the product of (1 − share)^ℓ for an example at distance `far`, with the share
    for each radius tried.
    """
    shares = [given.share(far, r) for r in given.radii[: s.turn + 1]]
    tables = len(s.tables)
    chance = given.chance_in_all(far, s.turn + 1, tables)

    def computed(*shown: float) -> float:
        return 1 - prod((1 - share) ** tables for share in shown)

    digits = agreeing_digits(shares, computed, chance, least=2)
    numbers = {
        "far": Operand(far),
        "tables": Operand(tables, "ℓ"),
        "chance": Operand(chance, "P", "" if s.turn else "chance"),
    }
    for i, share in enumerate(shares):
        name = "share of one table" + subscript(i + 1) * bool(s.turn)
        about = "chance" if i == s.turn else ""
        numbers[f"share{i}"] = Operand(share, name, about, digits)
    return numbers
