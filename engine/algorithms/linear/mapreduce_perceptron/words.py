"""What the jobs of map and reduce say: who disagrees, which pairs fly, what each reducer adds."""

from typing import Any

from engine.algorithms.linear.mapreduce_perceptron import Params, Setting, State
from engine.algorithms.linear.mapreduce_perceptron.jobs import Pairs
from engine.algorithms.linear.parts.words import example
from engine.algorithms.linear.parts.words import explain as explain
from engine.authoring import Fact, Float, Formula, Int, Mapping, Note, Operand, note, np, short
from engine.base.notation import MINUS, counted, value_text
from engine.scene.mistakes import right_note, weights_of

SUMMARY = (
    "The perceptron for tables that no single computer holds. Mappers look at a chunk each and send"
    " what every mistake would change, reducers add up. How the table is cut makes no difference to"
    " the sum."
)
ERRATA = (
    (
        "MMDS 12.2.8 sends pairs where the signs disagree. Taken literally, w · x = 0 disagrees"
        " with neither class, and from w = 0 nothing is ever sent. It has to count as a"
        " disagreement, as in 12.2.1; the switch shows the trap."
    ),
    (
        "MMDS 12.6 moves by the average of the misclassified points, 12.2.8 by their sum, 12.2.1 by"
        " one after the other: three different ways. From w = 0 the first job of sum and average"
        " leads to the same line."
    ),
    (
        "MMDS 12.3.6 averages the changes of mappers that go several steps on their own. It needs"
        " fewer jobs, but leads to another place, which depends on how the table is cut; summing up"
        " is exactly the batch step."
    ),
)
SHORT = 6  # pairs of an example that are written out
INCREMENT = Formula("η y x =", "{eta} · {sign} · {x}", "{increment}")
SENT = Fact("sends", "{listed}")
SIDE = Fact("y (w · x)", "{margin} {verdict}")
REDUCE = Formula("Δᵢ =", "{total}", "{delta}")
MEAN = Formula("Δᵢ =", "{total} / {parts}", "{delta}")
UPDATE = Formula("w ←", "{before} + {deltas}", "{after}")
WRONG = Fact("wrong points", "{errors} → {errors_after}")
ALL = Fact("pairs so far", "{sent}")
JOBS = {
    "sum": "sum",
    "average": "mean of what disagrees",
    "average of changes": "mean of the mappers' changes",
}
STUCK = (
    "No pair was sent, so w stays as it is for ever, though {errors} {errors:point is|points are}"
    " not on the right side: "
)
AGREES = STUCK + "w · x = 0 was taken for agreement."
EMPTY = (
    STUCK + "{errors:its x is 0, so that it has|their x is 0, so that they have} nothing to send."
)
BACK = STUCK + "each mapper came back to the w that it began with."
SMALL = STUCK + "their η y x is too small for a number. Choose a larger η, or scale the columns."


def chips(p: Params) -> tuple[str, ...]:
    line = "line through the origin" if p.threshold == "zero" else "threshold learned"
    return (counted(p.chunks, "chunk"), JOBS[p.combine], line, f"η {short(p.rate)}")


def wording(p: Params) -> Mapping[str, str]:
    if p.combine == "average of changes":
        return {
            "test": "  for each (x, y) of its chunk:",
            "emit": "    if wrong: own w ← w + η y x",
            "map": "  send (i, its change of wᵢ ≠ 0)",
            "reduce": "  each i: Δᵢ ← Σ values / mappers",
        }
    lines = {}
    if p.zero == "agrees":
        lines["emit"] = "    if y (w · x) < 0: (i, η y xᵢ)"
    if p.combine == "average":
        lines["reduce"] = "  each i: Δᵢ ← Σ / disagreeing"
    return lines


def so_far(given: Setting, s: State) -> Pairs:
    """The pairs emitted so far in the job of a state, in order."""
    done = min(s.chunk + 1, len(given.chunks))
    pairs = Pairs.together([given.pairs(s.before, chunk) for chunk in range(done)])
    if s.current < 0:
        return pairs
    kept = pairs.rows <= s.current
    return Pairs(pairs.rows[kept], pairs.keys[kept], pairs.values[kept])


def start(given: Setting, s: State) -> Note:
    lead = (
        "Start with w = {w}. The table is cut into {chunks} {chunks:chunk|chunks}, tinted, one for"
        " each mapper."
    )
    return note(lead, w=Operand(s.w, about="w"), chunks=len(given.chunks))


def round(given: Setting, s: State) -> Note:
    lead = "Job {round}: {chunks:|each of }{chunks} {chunks:mapper gets|mappers gets} w = {w}."
    return note(lead, round=s.round, chunks=len(given.chunks), w=Operand(s.w, about="w"))


def test(given: Setting, s: State, score: float) -> Note:
    if score:
        return right_note(given.problem, s.current, s.before, given.X[s.current], score, False)
    return note(
        "{point} is {label}, and w · x = 0 is taken for agreement: nothing is sent.",
        **example(given, s),
    )


def emit(given: Setting, s: State, score: float) -> Note:
    i = s.current
    y = float(given.sign[i])
    increment = given.increments(np.array([i]))[0]
    keys = np.flatnonzero(increment)
    lead = "{point} is {label}, the line disagrees: mapper {mapper} sends {own} {own:pair|pairs}."
    if not len(keys):
        lead = "{point} is {label}, the line disagrees, but x = 0 has nothing to send."
    return note(
        lead,
        *((INCREMENT, SENT) if len(keys) else ()),
        SIDE,
        mapper=s.chunk + 1,
        own=len(keys),
        listed=Operand(listed(given, keys, increment), about="pairs"),
        margin=y * score + 0.0,
        verdict="≤ 0, wrong",
        eta=Operand(given.p.rate, "η", digits=-1),
        sign=Operand("(+1)" if y > 0 else "(−1)", "y"),
        x=Operand(given.X[i], "x", "current"),
        increment=Operand(increment, about="pairs"),
        **example(given, s),
    )


def listed(given: Setting, keys: Int, increment: Float) -> str:
    """The pairs of an example as text; of many only the first ones."""
    pairs = [
        f"({given.keys[key]}, {value_text(float(increment[key]), 2)})"
        for key in keys[:SHORT].tolist()
    ]
    return ", ".join(pairs) + (", …" if len(keys) > SHORT else "")


def map(given: Setting, s: State, sent: int) -> Note:
    rows = given.chunks[s.chunk]
    operands: dict[str, Any] = {
        "mapper": s.chunk + 1,
        "rows": len(rows),
        "sent": Operand(sent, about="pairs"),
        "pairs": s.pairs,
        "all": s.sent,
    }
    facts = Fact("pairs of this job", "{pairs}"), Fact("pairs so far", "{all}")
    if given.local:
        lead = (
            "Mapper {mapper} goes a round of its own over {rows} {rows:example|examples} and sends"
            " {sent} {sent:change|changes}."
        )
        own = given.own_round(s.before, s.chunk)
        operands["own"] = Operand(own, about="draft" if own.any() else "")
        return note(lead, Fact("its own w", "{own}"), *facts, **operands)
    lead = (
        "Mapper {mapper} has looked at {rows} {rows:example|examples}: {wrong}"
        " {wrong:disagrees|disagree}, and {sent} {sent:pair flies|pairs fly}."
    )
    wrong = len(given.disagree(s.before, rows))
    return note(lead, *facts, wrong=wrong, **operands)


def shuffle(given: Setting, s: State) -> Note:
    pairs = so_far(given, s)
    lead = (
        "{pairs} {pairs:pair is|pairs are} brought together by key: {keys} {keys:reducer|reducers}"
        " of {d} {keys:gets|get} some."
    )
    if not len(pairs):
        lead = "No mapper has sent a pair: there is nothing to bring together."
    return note(
        lead,
        pairs=Operand(len(pairs), about="pairs" if len(pairs) else ""),
        keys=len(np.unique(pairs.keys)),
        d=len(given.names),
    )


def weight_text(given: Setting, key: int) -> str:
    """The weight of a key as text, with its column where the name does not say it: "w₂
    (Hungry)".
    """
    plain = given.names[key] in ("θ", f"x{given.keys[key][1:]}")
    return given.keys[key] if plain else f"{given.keys[key]} ({given.names[key]})"


def reduce(given: Setting, s: State) -> Note:
    pairs = so_far(given, s)
    values = pairs.values[pairs.keys == s.key].tolist()
    parts = given.parts(s.before)
    lead = "The reducer of {name} adds up its {n} {n:value|values}."
    if not values:
        lead = "The reducer of {name} gets no pair."
    return note(
        lead,
        MEAN if parts > 1 else REDUCE,
        name=Operand(weight_text(given, s.key), about="w"),
        n=len(values),
        parts=parts,
        total=Operand(total(values, parts), "Σ", "pairs" if values else ""),
        delta=Operand(float(s.deltas[s.key]), "Δᵢ", "w"),
    )


def total(values: list[float], parts: int) -> str:
    """A reducer's sum as text, written out where it is short; in brackets where it is divided by
    `parts`.
    """
    if not 0 < len(values) <= SHORT:
        return value_text(float(np.sum(values)), 2)
    terms = [value_text(value, 2) for value in values]
    later = [f"({term})" if term.startswith(MINUS) else term for term in terms[1:]]
    text = " + ".join([terms[0], *later])
    return f"({text})" if len(terms) > 1 and parts > 1 else text


def update(given: Setting, s: State, errors: int) -> Note:
    lead = "Every weight gets its Δ at once: the line moves by all mistakes of the job together."
    if not s.deltas.any():
        lead = "Every Δ is 0: w stays as it is."
    return note(
        lead,
        UPDATE,
        WRONG,
        before=Operand(s.before, "w", "before" if s.deltas.any() else "w"),
        deltas=Operand(s.deltas, "Δ", "w"),
        after=Operand(s.w, "w", "w"),
        errors=errors,
        errors_after=s.errors,
    )


def why_nothing_was_sent(given: Setting, s: State) -> str:
    """The lead where examples are wrong but no mapper emitted a pair."""
    if not given.X[given.wrong_rows(s.w)].any():
        return EMPTY
    if given.local:
        return BACK
    return AGREES if given.p.zero == "agrees" else SMALL


def until(given: Setting, s: State, cycle: int | None, done: bool) -> Note:
    lead = (
        "Job {round} is over: {pairs} {pairs:pair|pairs}, {errors} {errors:point|points} wrong now."
    )
    if (s.w == s.before).all():
        lead = why_unchanged(given, s)
    elif cycle is not None:
        lead += f" These are {weights_of(cycle)} again: it will go on in this circle for ever."
    elif done:
        lead += " These were all the jobs."
    return note(lead, ALL, round=s.round, pairs=s.pairs, errors=s.errors, sent=s.sent, cycle=cycle)


def why_unchanged(given: Setting, s: State) -> str:
    """The lead where a job did not change w."""
    if not s.errors:
        return "In job {round} no example disagreed: w will never change again."
    if s.pairs:
        return (
            "All pairs of job {round} cancel, so w stays as it is for ever, with {errors}"
            " {errors:point|points} wrong."
        )
    return why_nothing_was_sent(given, s)
