"""What connecting the dots says."""

from engine.algorithms.regression.connect_the_dots import Params, Setting
from engine.algorithms.regression.parts.sweep import State
from engine.algorithms.regression.parts.sweep_words import (
    answer,
    end,
    explain,
    looked_at,
    query,
    start,
    store,
)
from engine.authoring import Note, Operand, note

__all__ = ["answer", "end", "explain", "query", "start", "store"]
SUMMARY = (
    "Joins neighbouring points by straight lines, so every example is met exactly. "
    "Without noise that is good; with noise the curve follows every error."
)
ERRATA = (
    (
        "MMDS Ex 12.12 gets its extrapolation from the two nearest with weights 1/d. Those weights"
        " are positive and give a value between the labels; to go on straight, one share has to be"
        " negative, as here."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"beyond the ends: {p.outside}",)


def weigh(given: Setting, s: State) -> Note:
    """The note of the share of one of the two places around the query."""
    d, w = looked_at(given, s)
    x = given.problem.X[:, given.model.column]
    copies = int((x[s.neighbours] == x[s.looked]).sum())
    why = ""
    if copies == 1 and not s.fallback:
        why = ", the more the nearer"
    if w < 0:
        why = ", below 0, so that the line goes straight on"
    words = f"{{point}} is {{d}} away: its share of the value is {{w}}{why}."
    if copies > 1:
        words += " The {copies} {copies:example|examples} at this place divide its share."
    return note(
        words,
        point=Operand(given.problem.names[s.looked], about="current"),
        d=Operand(d, "d"),
        w=Operand(w, "w", "current", 3),
        copies=copies,
    )
