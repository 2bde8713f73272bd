"""What soft-margin descent says: conditions, penalties, the slope.

MMDS 12.3.4, Figs 12.18-12.20.
"""

from typing import Any

from engine.algorithms.linear.hinge_descent import Params, Setting, State
from engine.algorithms.linear.parts.descent import TAKEN, UNEVEN, USED_UP
from engine.algorithms.linear.parts.words import explain as explain
from engine.algorithms.linear.parts.words import moved
from engine.authoring import Bool, Fact, Formula, Int, Note, Operand, Problem, note, np, short

SUMMARY = (
    "Looks for a line with a wide empty street on both sides. Points inside the street or on the"
    " wrong side pay a penalty; C says how dear it is, and gradient descent finds the balance."
)
ERRATA = (
    (
        "MMDS Eq 12.4 leaves b out of the first sum, Eq 12.6 and Ex 12.9 let it in. These are two"
        " problems with two answers; the second depends on where the origin is. The switch"
        " “Penalise b” chooses."
    ),
    (
        "Ex 12.9 blames C = 0.1 for the points inside the margin and expects a level line. The"
        " slant comes from the penalty on b: with b free the best line of the six points is level."
    ),
    "Ex 12.9 prints 0 − (1/5)(−0.2) = −0.04; it is +0.04, as the table has it.",
    (
        "The prose calls the conditions of lines (2), (3), (5) of Fig 12.20 oxxxxx, and the table"
        " prints seven signs for six points; they are oxoxxx, and xxxxxx in lines (4) and (6)."
    ),
    (
        "Fig 12.20 rounds every line to three decimals before the next, so its last digits differ"
        " from these by up to 0.001."
    ),
    (
        "The first sum of Eq 12.4 is once printed up to n, the number of examples; it runs over the"
        " d columns."
    ),
    (
        "MMDS 12.3.6: averaging what parts reach in several steps of their own leads to another"
        " place than common steps do. Adding up the parts of one slope (sum-of-parts) is exactly"
        " the batch step."
    ),
)
SHORT = 16  # examples up to which the o/x string is written out
VALUE = Formula("f =", "½ · {square} + {C} · {penalty}", "{f}")
SLOPE = Formula("slope =", "{shrunk} − {C} · {sum}", "{slope}")
ONE_SLOPE = Formula("slope =", "{shrunk} − {n} · {C} · {sum}", "{slope}")
FEW_SLOPE = Formula("slope =", "{shrunk} − {share} · {C} · {sum}", "{slope}")
MARGIN = Formula("z = y (w · x + b) =", "{y} · {score}", "{z}")
PART = Formula("−C Σ y x =", "−{C} · {sum}", "{push}")
UPDATE = Formula("(w, b) ←", "{before} − {eta} · {slope}", "{after}")
CONDITIONS = Fact("y (w·x + b) ≥ 1", "{string}")
COUNT = Fact("bad points", "{bad} of {n}")
CHANGE = Fact("f", "{f}")
ENDINGS = {
    "round": "Every example has had its step.",
    "": f"{TAKEN}.",
    "falling": f"{TAKEN}, and the last one still lowered f: more steps can lead further down.",
    "overshoot": (
        f"{TAKEN}, and the last one still overshot: f rose. A smaller or a falling η does better."
    ),
    "converged": (
        "The last step did not move the line any more: the pulls and the shrinking of w are in"
        " balance."
    ),
    "tiny steps": UNEVEN,
    "diverged": (
        "The steps lead away: f has grown beyond all bounds. Take a smaller η, or standardise the"
        " columns."
    ),
}


def chips(p: Params) -> tuple[str, ...]:
    return (f"C {short(p.C)}", "b penalised" if p.penalise_b else "b free", mode_name(p))


def mode_name(p: Params) -> str:
    """The mode, with the size of a mini-batch."""
    few = p.mode == "stochastic" and p.size > 1
    return f"mini-batches of {p.size}" if few else p.mode


def conditions(problem: Problem, bad: Bool) -> str:
    """The conditions in table order as in Fig 12.20: o where y (w·x + b) ≥ 1 holds, x where it does
    not.
    """
    rows = problem.labelled
    if (many := np.count_nonzero(rows)) > SHORT:
        return f"{np.count_nonzero(bad)} of {many} fail"
    return "".join(np.where(bad[rows], "x", "o").tolist())


def _operands(given: Setting, s: State) -> dict[str, Any]:
    """What the lines tell of a state; of one example, if there is one, its part of the
    slope alone.
    """
    row = max(s.current, 0)
    n = len(given.rows)
    one = s.current >= 0
    score = float(given.X[row] @ s.weights)
    pull = given.sign[row] * s.bad[row] * given.X[row] if one else given.pulling(s.bad)
    square, penalty = (
        float(given.shrunk(s.weights) @ s.weights),
        float(given.penalties(s.weights, s.bad).sum()),
    )
    return {
        "string": Operand(conditions(given.problem, s.bad), about="penalty"),
        "bad": int(s.bad.sum()),
        "n": Operand(n, "n"),
        "f": Operand(s.f, "f", digits=3),
        "C": Operand(given.p.C, "C", digits=-1),
        "square": Operand(square, "|(w, b)|²" if given.p.penalise_b else "|w|²", digits=3),
        "penalty": Operand(penalty, "Σ max(0, 1 − z)", "penalty", digits=3),
        "shrunk": Operand(
            given.shrunk(s.weights), "(w, b)" if given.p.penalise_b else "(w, 0)", "w", digits=3
        ),
        "sum": Operand(
            pull, *(("[bad] y x", "current") if one else ("Σ[bad] y x", "penalty")), digits=3
        ),
        "slope": Operand(s.slope, "slope", digits=3),
        "y": Operand(given.sign[row], "y"),
        "score": Operand(score, "(w · x + b)", "w"),
        "z": float(given.sign[row] * score),
        "w": Operand(s.w, "w", "w"),
        "b": Operand(s.b, "b", "w"),
        "parts": len(s.drafts),
        **moved(given, s, given.rate(s.round - 1), "(w, b)", 3),
    }


def start(given: Setting, s: State) -> Note:
    lead = "Start with w = {w}, b = {b}. Short of their own margin: {bad} of {n} {n:point|points}."
    facts, taken = given.taken_rate()
    return note(lead, VALUE, CONDITIONS, *facts, **_operands(given, s), **taken)


def few_operands(given: Setting, s: State, rows: Int) -> dict[str, Operand | int]:
    """The operands of a mini-batch: its size, its bad rows, their sum, and the share n/m."""
    n = len(given.rows)
    bad = s.bad[rows]
    return {
        "m": len(rows),
        "own": int(bad.sum()),
        "share": Operand(n / len(rows), f"{n}/{len(rows)}"),
        "sum": Operand(given.pulling(bad, rows), "Σ[bad] y x", "penalty", digits=3),
    }


def bad(given: Setting, s: State, few: Int | None = None) -> Note:
    if few is not None:
        lead = (
            "The next {m} {m:example|examples} of the round: {own} of them short of"
            " {own:its|their} margin."
        )
        return note(lead, CONDITIONS, **(_operands(given, s) | few_operands(given, s, few)))
    if s.current >= 0:
        reaches = (
            "does not reach its margin: it pulls."
            if s.bad[s.current]
            else "reaches its margin: it does not pull."
        )
        return note("{point} " + reaches, MARGIN, **_operands(given, s))
    lead = "Short of the margin of their own class: {bad} of {n} {n:point|points}. Each pays 1 − z."
    if not s.bad.any():
        lead = (
            "Every point reaches the margin of its own class: no loss, and only the size of w"
            " counts."
        )
    facts, taken = given.taken_rate()
    return note(lead, VALUE, CONDITIONS, *facts, **_operands(given, s), **taken)


def slope(given: Setting, s: State, part: int = 0, few: Int | None = None) -> Note:
    """The note of the gradient. part: the part whose examples are added, where the table is
    divided; few: the rows of a mini-batch
    """
    if few is not None:
        lead = "{m} {m:example|examples} {m:stands|stand} for all {n}: their sum counts n/m times."
        return note(lead, FEW_SLOPE, **(_operands(given, s) | few_operands(given, s, few)))
    if s.current >= 0:
        lead = (
            "{point} stands for {n:|all }{n} {n:example|examples}: its part of the slope counts {n}"
            " {n:time|times}."
        )
        return note(lead, ONE_SLOPE, **_operands(given, s))
    if given.shared:
        return part_note(given, s, part)
    lead = (
        "The slope of f. Against it, its first part makes w shorter, and the part of each bad point"
        " makes that point’s penalty smaller."
    )
    return note(lead, SLOPE, COUNT, **_operands(given, s))


def part_note(given: Setting, s: State, part: int) -> Note:
    rows = given.shares[part]
    operands = {
        "part": part + 1,
        "rows": len(rows),
        "own": int(s.bad[rows].sum()),
        "steps": given.p.local,
    }
    if s.drafts:
        lead = (
            "Part {part} goes {steps} {steps:step|steps} with its {rows} {rows:example|examples}"
            " alone and comes to {draft}."
        )
        draft = Operand(s.drafts[-1], "(w, b)", "draft", digits=3)
        change = s.drafts[-1] - s.weights
        return note(
            lead,
            Fact("its change", "{change}"),
            **operands,
            draft=draft,
            change=Operand(change, digits=3),
        )
    lead = (
        "Part {part} has {rows} {rows:example|examples}, {own} of them bad. Its sum is added to"
        " what the others found."
    )
    operands["sum"] = Operand(given.pulling(s.bad[rows], rows), "Σ[bad] y x", "penalty", digits=3)
    operands["push"] = Operand(given.push(s.bad[rows], rows), digits=3)
    return note(lead, PART, Fact("slope so far", "{slope}"), **(_operands(given, s) | operands))


def update(given: Setting, s: State, rose: bool, few: Int | None = None) -> Note:
    lead = "One step down: f is {f} now. Short of their margin: {bad} of {n} {n:point|points}."
    if rose:
        lead = "The step was too long: f rose to {f}. A smaller η does better."
        if s.current >= 0:
            lead = (
                "One step for {point} alone, and f of all examples rose to {f}: one example only"
                " guesses the slope."
            )
        if few is not None:
            lead = (
                "One step for {m} {m:example|examples} alone, and f of all rose to {f}: a few only"
                " guess the slope."
            )
            return note(lead, UPDATE, CONDITIONS, **_operands(given, s), m=len(few))
    if s.drafts:
        lead = "The mean of the {parts} {parts:part|parts} is the new line: f is {f} now."
    return note(lead, UPDATE, CONDITIONS, **_operands(given, s))


def until(given: Setting, s: State, ending: str) -> Note:
    more, facts = given.way_out(s.updates * given.p.size) if ending in USED_UP else ("", {})
    return note(ENDINGS[ending] + more, CHANGE, COUNT, CONDITIONS, **facts, **_operands(given, s))
