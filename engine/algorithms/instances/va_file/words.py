"""What a VA file says: how near and how far a cell may be, which are held, what is looked up.

MMDS 12.4.5.
"""

from math import sqrt
from typing import Any

from engine.algorithms.instances.parts.best import keep, look, names_of
from engine.algorithms.instances.va_file import Params, Setting, State
from engine.algorithms.instances.va_file.cells import gaps
from engine.authoring import Choice, Fact, Float, Formula, Mapping, Note, Operand, Option, note, np
from engine.base.notation import agreeing_digits, counted, telling_digits
from engine.base.sums import add_up
from engine.numerics.closeness import equal

__all__ = [
    "ERRATA",
    "SUMMARY",
    "answer",
    "bound",
    "chips",
    "cut",
    "drop",
    "file",
    "hold",
    "keep",
    "look",
    "query",
    "second",
    "wording",
]

SUMMARY = (
    "Keeps a summary of every example, the few high-order bits of its numbers. A query reads the"
    " summary first: the bits bound how near and how far an example is. Only those that may be"
    " among the k nearest are looked up."
)
ERRATA = (
    (
        "MMDS 12.4.5 does not say how the summary tells who may be near. “In the same cell as the"
        " query” is wrong: the nearest may lie just beyond an edge. Here the k-th smallest upper"
        " bound decides, which misses nothing; Candidates by “same cell” shows the error."
    ),
    (
        "MMDS 12.4.5 lets a quarter of the bits give a short list. What counts is how many bits are"
        " kept, not their share: with one bit of four half the examples may stay."
    ),
)
SPELT = 3  # columns up to which a bound is spelt out
SHOWN = 6  # columns whose bits are shown
WHOLE = 64  # bits of a number
KTH = Fact("k-th smallest upper bound", "{kth}")
EDGE = "equal: it is held, it may hold an example as near"


def wording(p: Params) -> Mapping[str, str]:
    if p.test != "same cell":
        return {}
    return {
        "hold": "  the cell of q: hold its examples",
        "drop": "  another cell: left out, an error",
    }


def chips(p: Params) -> tuple[str, ...]:
    test = ("same cell: wrong",) if p.test == "same cell" else ()
    return (f"k = {p.k}", f"{counted(p.bits, 'bit')} a number", *test)


def cell_name(s: State, c: int) -> str:
    """The bits of cell c as text, column by column."""
    bits = max(1, (s.file.edges.shape[1] - 1).bit_length() - 1)
    shown = " ".join(f"{int(code):0{bits}b}" for code in s.file.codes[c][:SHOWN])
    return shown + (" …" if s.file.codes.shape[1] > SHOWN else "")


def cut(given: Setting, s: State) -> Note:
    lead = (
        "What a column spans is cut into {parts} equal {parts:part|parts}: {bits} {bits:bit"
        " says|bits say} in which a number lies."
    )
    return note(lead, parts=Operand(2**given.p.bits, about="grid"), bits=given.p.bits)


def file(given: Setting, s: State) -> Note:
    lead = (
        "The file keeps {few} {few:bit|bits} of an example instead of {all}. {n:|All }{n}"
        " {n:example lies|examples lie} in {cells} {cells:cell|cells}."
    )
    d = given.problem.d
    return note(
        lead,
        few=d * given.p.bits,
        all=d * WHOLE,
        n=given.problem.n,
        cells=Operand(s.file.size, about="file"),
    )


def query(given: Setting, s: State) -> Note:
    lead = "Which {k} {k:example is|examples are} nearest to {q}?"
    if given.k == 1:
        lead = "Which example is nearest to {q}?"
    lead += " Stage 1 reads the file alone."
    return note(lead, q=Operand(s.query, "q", "query"), k=given.k)


def bound(given: Setting, s: State, before: float) -> Note:
    c = s.cell
    low = float(s.bounds.low[c])
    high = float(s.bounds.high[c])
    known = bool(np.isfinite(s.kth))
    lead = "An example in cell {cell} is at least {low} and at most {high} away."
    if not known:
        lead += " Fewer than {k} {k:example has|examples have} an upper bound so far."
    elif s.kth < before:
        lead += (
            " The {k:least|k-th smallest} upper bound is now {kth}: whatever is farther is none of"
            " the nearest."
        )
    numbers: dict[str, Any] = {
        "cell": Operand(cell_name(s, c), about="cell"),
        "k": given.k,
        "kth": Operand(s.kth, "kth", "kth" if known else ""),
        "low": Operand(low, "low", "low"),
        "high": Operand(high, "high", "high"),
    }
    formulas: list[Formula] = []
    if given.problem.d <= SPELT:
        lows, highs = s.file.corners()
        near, far = gaps(lows[c], highs[c], s.query)
        for name, side, sides, total in (("low", "gap", near, low), ("high", "reach", far, high)):
            formula, operands = rooted(name, side, sides, total)
            formulas.append(formula)
            numbers |= operands
    facts = (KTH,) if known else ()
    return note(lead, *formulas, *facts, **numbers)


def rooted(name: str, side: str, sides: Float, total: float) -> tuple[Formula, dict[str, Any]]:
    """(formula √(Σ side²), operands) with enough decimals that it comes out as shown. name: of the
    result; side: of each column's gap
    """
    values = sides.tolist()

    def computed(*shown: float) -> float:
        return sqrt(add_up(x * x for x in shown))

    digits = agreeing_digits(values, computed, total)
    body = "√(" + " + ".join(f"{{{name}{j}}}²" for j in range(len(values))) + ")"
    operands = {
        f"{name}{j}": Operand(v, f"{side}{'₁₂₃'[j]}", name, digits) for j, v in enumerate(values)
    }
    return Formula(f"{name} =", body, f"{{{name}}}"), operands


def hold(given: Setting, s: State) -> tuple[Note, Choice]:
    lead = (
        "Cell {cell} may hold a near one: {low} ≤ {kth}. Its {count} {count:example is|examples"
        " are} held."
    )
    if given.p.test == "same cell":
        lead = "“?” lies in cell {cell}: its {count} {count:example is|examples are} held."
    return judge_note(given, s, lead), judge_choice(given, s, 0)


def drop(given: Setting, s: State) -> tuple[Note, Choice]:
    lead = (
        "Cell {cell} is too far: {low} > {kth}. Its {count} {count:example is|examples are} none of"
        " the nearest."
    )
    if given.p.test == "same cell":
        lead = (
            "“?” does not lie in cell {cell}: its {count} {count:example is|examples are} left out"
        )
        near = s.bounds.low[s.cell] <= s.kth
        lead += ", though one may be near: {low} ≤ {kth}." if near else "."
    return judge_note(given, s, lead), judge_choice(given, s, 1)


def judge_note(given: Setting, s: State, lead: str) -> Note:
    """A note with this lead about a cell's lower bound, compared with the k-th smallest upper
    bound.
    """
    low = float(s.bounds.low[s.cell])
    digits = max(2, telling_digits(low, s.kth))
    return note(
        lead,
        cell=Operand(cell_name(s, s.cell), about="cell"),
        low=Operand(low, "low", "low", digits),
        kth=Operand(s.kth, "kth", "kth", digits),
        count=Operand(int(s.file.count[s.cell]), about="cell"),
    )


def judge_choice(given: Setting, s: State, chosen: int) -> Choice:
    """The choice by the smaller number: keep the cell (its lower bound) or exclude it (the k-th
    smallest upper bound).
    """
    if given.p.test == "same cell":
        own = float(s.bounds.own[s.cell])
        options = (
            Option("hold it: “?” lies in it", own, "cell", value=True),
            Option("leave it out", 1 - own, "cell", value=False),
        )
        return Choice("Is it held?", options, (chosen,), chosen, unit="holds", digits=0)
    low = float(s.bounds.low[s.cell])
    options = (
        Option("hold it: lower bound", low, "low", value=True),
        Option("leave it out: k-th upper bound", s.kth, "kth", value=False),
    )
    tie = equal(low, s.kth)
    return Choice(
        "Can it hold one of the nearest?",
        options,
        winners=(0, 1) if tie else (chosen,),
        chosen=chosen,
        rule=EDGE if tie else "",
        unit="distance",
        smallest=True,
        digits=max(4, telling_digits(low, s.kth)),
    )


def second(given: Setting, s: State) -> Note:
    lead = "Stage 2 looks up the {held} of {n} {n:example|examples} that were held."
    if not s.held:
        lead = "No cell was held: there is nothing to look up."
    return note(lead, held=Operand(s.held, about="held"), n=given.problem.n)


def answer(given: Setting, s: State) -> Note:
    named = names_of(given.problem, s.neighbours)
    lead = "The nearest: {names}." if len(s.neighbours) else "Nothing was found."
    why = "The bounds of cells" if given.p.test == "bounds" else "Other cells than that of “?”"
    lead += (
        f" {why} left out {{out}} of {{n}} {{n:example|examples}}; {{examined}}"
        " {examined:was|were} looked up"
    )
    missed = ". Missed: {missed}, which {many:is|are} nearer but in another cell."
    lead += missed if len(s.missed) else ", and a scan of all finds no other."
    return note(
        lead,
        names=Operand(named, about="best"),
        examined=Operand(s.examined, about="examined"),
        out=given.problem.n - s.examined,
        n=given.problem.n,
        missed=Operand(names_of(given.problem, s.missed), about="missed"),
        many=len(s.missed),
    )
