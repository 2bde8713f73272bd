"""What table lookup says: seen before, seen with another label, never seen.

MIT 2.1.15-2.1.24.
"""

from typing import Any

from engine.algorithms.instances.table_lookup import Params, Setting, State, labels, majorities
from engine.algorithms.instances.table_lookup.compared import Compared
from engine.algorithms.instances.table_lookup.picture import differing
from engine.authoring import (
    Bars,
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Mapping,
    Note,
    Operand,
    Option,
    Role,
    Sequence,
    note,
    np,
    number,
    replace,
    short,
)
from engine.base.tags import class_tags
from engine.table.baseline import commonest_words

SUMMARY = (
    "Writes every example down and answers only what it finds there: the label of the row that is"
    " equal in every column. Of anything else it says “never seen”, so it helps only where examples"
    " repeat exactly."
)
ERRATA = (
    (
        "MIT 2.1.15 shows memory as the barest kind of learning; MIT 2.1.3 does not call a system"
        " that only writes down what happens a learning one."
    ),
)
SHARE = Formula("P({common}) =", "{count} / {times}", "{share}")
WORTH = Fact(
    "never seen when they came",
    "{unseen} of {stored}; the commonest label so far was wrong at {cost}",
)
DIFFERS = Fact("most alike", "{alike}, but for {columns}")
NOISE = Fact(
    "noise or not", "whether such a difference matters cannot be told from the table alone"
)
_NAMED = 3  # columns that differ, by name
_TALLIED = 6  # labels whose repeats are counted in a sentence
_MOST_VALUES = 12  # values of the query that are shown


def chips(p: Params) -> tuple[str, ...]:
    chips = ["default: commonest label" if p.default == "commonest" else "no default"]
    if p.rounding > 0:
        chips.append(f"rounded to {short(p.rounding)}")
    if p.columns:
        chips.append(f"compared: {len(p.columns)}")
    if not p.majority:
        chips.append("first label stays")
    return tuple(chips)


def wording(p: Params) -> Mapping[str, str]:
    kept = "its majority" if p.majority else "its first label"
    open_ = "the commonest" if p.default == "commonest" else "“never seen”"
    first = {} if p.majority else {"again": "    seen: keep the label it has"}
    return {"answer": f"{kept}, or {open_}", **first}


def start(given: Setting, s: State) -> Note:
    return note("The table is empty. Each example is looked up when it comes, then written down.")


def take(given: Setting, s: State) -> Note:
    lead = "{x} comes. Is there a row in the table that is equal to it?"
    return note(lead, x=Operand(given.problem.names[s.row], about="current"))


def new(given: Setting, s: State) -> tuple[Note, Choice]:
    lead = "{x} was never seen: it is written down, with the label {label}."
    usual = int(s.memory.usual[s.stored - 1])
    if usual >= 0:
        hit = usual == given.problem.codes[s.row]
        verdict = "right" if hit else "wrong"
        most = commonest_words(np.bincount(s.memory.codes[: s.stored - 1]), "label", "labels")
        lead += f" {most.capitalize()} so far, {{usual}}, would have been {verdict}."
    numbers = coming(given, s) | worth(s) | {"usual": given.problem.class_text(usual)}
    return note(lead, WORTH, **numbers), seen_choice(given, s, False)


def again(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of a known row: whether the table was right about it."""
    first = int(s.memory.rows[s.memory.first[s.entry]])
    lead = "{x} equals {first}: seen before. The table says {said}, "
    if s.label < 0:
        lead = (
            "{x} equals {first}: seen before, as often with one label as with another. Now its"
            " label is {label}."
        )
    elif s.label == given.problem.codes[s.row]:
        lead += "which is right."
    else:
        lead += "but its label is {label}: the same row, labelled otherwise."
    numbers = coming(given, s) | share(given, s) | worth(s)
    numbers["first"] = Operand(given.problem.names[first], about="memory")
    numbers["said"] = given.problem.class_text(s.label)
    parts = (SHARE,) if given.p.majority else ()
    return note(lead, *parts, WORTH, **numbers), seen_choice(given, s, True)


def coming(given: Setting, s: State) -> dict[str, Any]:
    """The operands of the example that is looked up, and its label."""
    label = given.problem.class_text(int(given.problem.codes[s.row]))
    return {"x": Operand(given.problem.names[s.row], about="current"), "label": label}


def worth(s: State) -> dict[str, Any]:
    """The operands of how many examples were new when they came, and for how many a default would
    be wrong.
    """
    return {
        "stored": Operand(s.stored),
        "unseen": Operand(s.unseen, about="unseen"),
        "cost": Operand(s.cost, about="cost"),
    }


def share(given: Setting, s: State) -> dict[str, Any]:
    """The operands of how many repeats of the row have the label that the table gives."""
    counts = s.table[s.entry]
    label = int(counts.argmax() if given.p.majority else majorities(s)[s.entry])
    count = int(counts[label])
    times = int(counts.sum())
    common = given.problem.class_text(label)
    return {
        "count": Operand(count, f"rows with {common}", "memory"),
        "times": Operand(times, "times", "memory"),
        "share": Operand(count / times),
        "common": common,
    }


def seen_choice(given: Setting, s: State, known: bool) -> Choice:
    """The choice between known and new: whether the example is in the table."""
    options = (
        Option("seen before", float(known), value=True),
        Option("never seen", float(not known), value=False),
    )
    prompt = f"Is {given.problem.names[s.row]} in the table?"
    return Choice(prompt, options, (1 - known,), 1 - known, unit="holds", digits=0)


def query(given: Setting, s: State) -> Note:
    lead = "What is the label of “?”: {q}?"
    shown = [one.text(given.problem.features, s.query) for one in given.compared[:_MOST_VALUES]]
    if len(given.compared) > _MOST_VALUES:
        shown.append("…")
    return note(lead, q=Operand(", ".join(shown), about="query"))


def compare(given: Setting, s: State) -> Note:
    row = int(s.memory.rows[s.memory.first[s.entry]])
    apart = differing(given, given.problem.X[row], s.query)
    lead = "{x} is equal to “?” in every column that counts."
    if apart:
        lead = "{x} is another row: {columns} {count:differs|differ}."
    x = Operand(given.problem.names[row], about="memory")
    return note(lead, x=x, columns=columns_text(given, apart), count=len(apart))


def columns_text(given: Setting, some: Sequence[Compared], x: Float | None = None) -> str:
    """The names of columns and rules as text; with a row x (d,) also their values in it."""
    if x is None:
        texts = [one.title for one in some[:_NAMED]]
    else:
        texts = [one.text(given.problem.features, x) for one in some[:_NAMED]]
    more = f" and {len(some) - _NAMED} more" if len(some) > _NAMED else ""
    return ", ".join(texts) + more


def answer(given: Setting, s: State) -> tuple[Note, Choice]:
    return answer_note(given, s, Operand("“?”", about="query")), answer_choice(given, s)


def answer_note(given: Setting, s: State, name: Operand) -> Note:
    """The note of the answer to the row looked up: `query`, `entry` and `label` of the state."""
    problem = given.problem
    m = s.memory
    numbers: dict[str, Any] = {"name": name, "label": problem.class_text(s.label), **worth(s)}
    if s.entry < 0:
        lead = "{name} was never seen: the table has no answer."
        if s.label >= 0:
            most = commonest_words(np.bincount(m.codes[: s.stored]), "label", "labels")
            lead = (
                f"{{name}} was never seen. The default answers: {{label}}, {most}, at"
                " {usual} of {stored} {stored:example|examples}."
            )
        numbers["usual"] = int((m.codes[: s.stored] == s.label).sum())
        return note(lead, WORTH, DIFFERS, NOISE, **numbers, **alike(given, s))
    counts = s.table[s.entry]
    found = np.flatnonzero(counts)[:_TALLIED]
    tally = ", ".join(f"{problem.class_text(c)} {int(counts[c])}" for c in found)
    numbers["tally"] = Operand(tally, about="memory")
    numbers["first"] = Operand(problem.names[int(m.rows[m.first[s.entry]])], about="memory")
    if s.label < 0:
        lead = "{name} is known, but its repeats tie: {tally}. The table has no answer."
        return note(lead, WORTH, **numbers)
    lead = "{name} is known: {common}. Its repeats say {tally}."
    if counts.sum() == 1:
        lead = "{name} is known: {common}, the label of {first}."
    return note(lead, SHARE, WORTH, **numbers, **share(given, s))


def alike(given: Setting, s: State) -> dict[str, Any]:
    """The row of the table that differs from the query in the fewest columns; of tied ones the one
    whose numbers are nearest, as shares of what their columns span.
    """
    rows = s.memory.rows[s.memory.first[: s.unseen]]
    numeric = np.array([feature.numeric for feature in given.problem.features])
    X = np.vstack([given.problem.X[rows], s.query])
    cells = given.cells(X)
    apart = cells[:-1] != cells[-1]
    span = np.ptp(X, axis=0)
    shares = np.abs(X[:-1] - X[-1]) / np.where(span > 0, span, 1.0)
    away = np.where(numeric, shares, 0.0)[:, given.kept].sum(axis=1)
    best = int(np.lexsort([away, apart.sum(axis=1)])[0])
    columns = [given.compared[k] for k in np.flatnonzero(apart[best])]
    name = Operand(given.problem.names[int(rows[best])], about="memory")
    return {"alike": name, "columns": columns_text(given, columns, X[best])}


def answer_choice(given: Setting, s: State) -> Choice:
    """The choice among the labels: score 1 for the table's answer, 0 for the rest."""
    known = s.entry >= 0
    counts = s.table[s.entry] if known else np.zeros(len(given.problem.classes), np.intp)
    whole = int(counts.sum())
    options = []
    for c, count in enumerate(counts.tolist()):
        text = given.problem.class_text(c)
        detail = f"{number(count)} of {whole}"
        options.append(Option(text, float(c == s.label), "memory", detail, c))
    why = "a tie" if known else "never seen"
    options.append(Option("no answer", float(s.label < 0), "memory", why, -1))
    chosen = s.label if s.label >= 0 else len(counts)
    prompt = "What does the table answer?"
    return Choice(prompt, tuple(options), (chosen,), chosen, unit="answer", digits=0)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The entry of the table for x (d,), as an explanation."""
    if not s.stored:
        return Explanation(-1, note("The table is empty: nothing was ever seen."))
    entry = int(given.found(x[None], s.stored)[0])
    label = int(labels(given, s, x[None])[0])
    at = replace(s, query=x, entry=entry, label=label, row=-1)
    k = len(given.problem.classes)
    counts = s.table[entry].astype(np.float64) if entry >= 0 else np.zeros(k)
    names = tuple(map(given.problem.class_text, range(k)))
    roles = tuple(Role.ACTIVE if c == label else Role.PLAIN for c in range(k))
    bars = Bars("Repeats", names, counts, roles, group=np.arange(k), digits=0, tags=class_tags(k))
    return Explanation(label, answer_note(given, at, Operand("This place")), bars)
