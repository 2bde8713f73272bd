"""What soft-margin descent says: conditions, penalties, the slope. MMDS 12.3.4, Figs 12.18-12.20."""

from typing import Any

from engine.algorithms.linear.hinge_descent import Params, State, predict
from engine.algorithms.linear.hinge_descent.loss import Setting
from engine.authoring import Bool, Explanation, Fact, Float, Formula, Int, Note, Operand, Problem, note, np, short
from engine.pictures.linear import explain_score

SUMMARY = (
    "Looks for a line with a wide empty street on both sides. Points inside the street or on the wrong side pay a "
    "penalty; C says how dear it is, and gradient descent finds the balance."
)
ERRATA = (
    "MMDS Eq 12.4 leaves b out of the first sum, Eq 12.6 and Ex 12.9 let it in. These are two problems with two answers; "
    "the second depends on where the origin is. The switch “Penalise b” chooses.",
    "Ex 12.9 blames C = 0.1 for the points inside the margin and expects a level line. The slant comes from the penalty "
    "on b: with b free the best line of the six points is level.",
    "Ex 12.9 prints 0 − (1/5)(−0.2) = −0.04; it is +0.04, as the table has it.",
    "The prose calls the conditions of lines (2), (3), (5) of Fig 12.20 oxxxxx, and the table prints seven signs for six "
    "points; they are oxoxxx, and xxxxxx in lines (4) and (6).",
    "Fig 12.20 rounds every line to three decimals before the next, so its last digits differ from these by up to 0.001.",
    "The first sum of Eq 12.4 is once printed up to n, the number of examples; it runs over the d columns.",
    "MMDS 12.3.6: averaging what parts reach in several steps of their own leads to another place than common steps do. "
    "Adding up the parts of one slope (sum-of-parts) is exactly the batch step.",
)
SHORT = 16  # examples up to which the o/x string is written out
VALUE = Formula("f =", "½ · {square} + {C} · {penalty}", "{f}")
SLOPE = Formula("slope =", "{shrunk} − {C} · {sum}", "{slope}")
ONE_SLOPE = Formula("slope =", "{shrunk} − {n} · {C} · {sum}", "{slope}")
PART = Formula("−C Σ y x =", "−{C} · {sum}", "{push}")
UPDATE = Formula("(w, b) ←", "{before} − {eta} · {slope}", "{after}")
CONDITIONS = Fact("y (w·x + b) ≥ 1", "{string}")
COUNT = Fact("bad points", "{bad} of {n}")
CHANGE = Fact("f", "{f}")
ENDINGS = {
    "round": "Every example has had its step.",
    "": "{updates:|All }{updates} {updates:step is|steps are} taken.",
    "overshoot": "{updates:|All }{updates} {updates:step is|steps are} taken, and the last one still overshot: f rose. A smaller or a falling η does better.",
    "converged": "The last step did not move the line any more: the pulls and the shrinking of w are in balance.",
    "diverged": "The steps lead away for good: every one is longer than the last. Take a smaller η, or standardise the columns.",
}


def chips(p: Params) -> tuple[str, ...]:
    return (f"C {short(p.C)}", "b penalised" if p.penalise_b else "b free", p.mode)


def conditions(problem: Problem, bad: Bool) -> str:
    """Fig 12.20's string, in table order: o where y (w·x + b) ≥ 1 holds, x where it does not."""
    rows = problem.labelled
    if rows.sum() > SHORT:
        return f"{int(bad.sum())} of {int(rows.sum())} fail"
    return "".join(np.where(bad[rows], "x", "o").tolist())


def _facts(given: Setting, s: State) -> dict[str, Any]:
    return {
        "string": Operand(conditions(given.problem, s.bad), about="penalty"),
        "bad": int(s.bad.sum()),
        "n": int(given.problem.labelled.sum()),
        "f": Operand(s.f, "f", digits=3),
        "C": Operand(given.f.C, "C", digits=-1),
    }


def _value(given: Setting, s: State) -> dict[str, Any]:
    return {
        "square": Operand(float(given.f.shrunk(s.weights) @ s.weights), "|w|²", digits=3),
        "penalty": Operand(float(given.f.penalties(s.weights, s.bad).sum()), "Σ max(0, 1 − z)", "penalty", digits=3),
        **_facts(given, s),
    }


def start(given: Setting, s: State) -> Note:
    lead = "Start with w = {w}, b = {b}. Short of their own margin: {bad} of {n} {n:point|points}."
    return note(lead, VALUE, CONDITIONS, w=Operand(s.w, "w", "w"), b=Operand(s.b, "b", "w"), **_value(given, s))


def bad(given: Setting, s: State) -> Note:
    if s.current >= 0:
        return one_bad_note(given, s)
    lead = "Short of the margin of their own class: {bad} of {n} {n:point|points}. Each pays 1 − z."
    if not s.bad.any():
        lead = "Every point reaches the margin of its own class: nobody pays, and only the size of w counts."
    return note(lead, VALUE, CONDITIONS, **_value(given, s))


def slope(given: Setting, s: State, part: int = 0, rows: Int | None = None) -> Note:
    """part: counts from 1, with its rows, where the table is shared among several."""
    if s.current >= 0:
        return one_slope_note(given, s)
    if rows is not None:
        return (draft_note if s.drafts else part_note)(given, s, rows, part)
    return slope_note(given, s)


def slope_note(given: Setting, s: State) -> Note:
    return note(
        "The slope of f: the first part makes w shorter, each bad point pulls the line its way.",
        SLOPE,
        COUNT,
        shrunk=Operand(given.f.shrunk(s.weights), "w" if given.f.penalise_b else "(w, 0)", "w", digits=3),
        sum=Operand(given.f.pulling(s.bad), "Σ[bad] y x", "penalty", digits=3),
        slope=Operand(s.slope, "slope", digits=3),
        **_facts(given, s),
    )


def part_note(given: Setting, s: State, rows: Int, part: int) -> Note:
    return note(
        "Part {part} has {rows} {rows:example|examples}, {own} of them bad. Its sum is added to what the others found.",
        PART,
        Fact("slope so far", "{slope}"),
        part=part,
        rows=len(rows),
        own=int(s.bad[rows].sum()),
        sum=Operand(given.f.pulling(s.bad[rows], rows), "Σ[bad] y x", "penalty", digits=3),
        push=Operand(given.f.push(s.bad[rows], rows), digits=3),
        slope=Operand(s.slope, digits=3),
        C=Operand(given.f.C, "C", digits=-1),
    )


def draft_note(given: Setting, s: State, rows: Int, part: int) -> Note:
    return note(
        "Part {part} goes {steps} {steps:step|steps} with its {rows} {rows:example|examples} alone and comes to {draft}.",
        Fact("its change", "{change}"),
        part=part,
        steps=given.p.local,
        rows=len(rows),
        draft=Operand(s.drafts[-1], "(w, b)", "draft", digits=3),
        change=Operand(s.drafts[-1] - s.weights, digits=3),
    )


def one_bad_note(given: Setting, s: State) -> Note:
    i = s.current
    lead = (
        "{point} does not reach its margin: it pulls." if s.bad[i] else "{point} reaches its margin: it does not pull."
    )
    return note(
        lead,
        Formula("z = y (w · x + b) =", "{y} · {score}", "{z}"),
        point=Operand(given.problem.names[i], about="current"),
        y=Operand(given.f.y[i], "y"),
        score=Operand(float(given.f.X[i] @ s.weights), "(w · x + b)", "w"),
        z=float(given.f.y[i] * (given.f.X[i] @ s.weights)),
    )


def one_slope_note(given: Setting, s: State) -> Note:
    i, n = s.current, len(given.rows)
    return note(
        "{point} stands for {n:|all }{n} {n:example|examples}: its part of the slope counts {n} {n:time|times}.",
        ONE_SLOPE,
        point=Operand(given.problem.names[i], about="current"),
        n=Operand(n, "n"),
        C=Operand(given.f.C, "C", digits=-1),
        shrunk=Operand(given.f.shrunk(s.weights), "w" if given.f.penalise_b else "(w, 0)", "w", digits=3),
        sum=Operand(given.f.y[i] * s.bad[i] * given.f.X[i], "[bad] y x", "current", digits=3),
        slope=Operand(s.slope, "slope", digits=3),
    )


def update(given: Setting, s: State, rose: bool) -> Note:
    eta = given.rate(s)
    lead = "One step down: f is {f} now. Short of their margin: {bad} of {n} {n:point|points}."
    if rose:
        lead = "The step was too long: f rose to {f}. A smaller η does better."
        if s.current >= 0:
            lead = "One step for {point} alone, and f of all examples rose to {f}: one example only guesses the slope."
    if s.drafts:
        lead = "The mean of the {parts} {parts:part|parts} is the new line: f is {f} now."
    return note(
        lead,
        UPDATE,
        CONDITIONS,
        before=Operand(s.before, "(w, b)", "before", digits=3),
        eta=Operand(eta, "η", digits=-1 if eta == np.round(eta, 6) else 4),
        slope=Operand(s.slope, "slope", digits=3),
        after=Operand(s.weights, "(w, b)", "w", digits=3),
        parts=len(s.drafts),
        point=Operand(given.problem.names[s.current], about="current") if s.current >= 0 else "",
        **_facts(given, s),
    )


def until(given: Setting, s: State, ending: str) -> Note:
    told = {} if ending == "round" else {"updates": s.updates, "w": s.weights}
    return note(ENDINGS[ending], CHANGE, COUNT, CONDITIONS, **told, **_facts(given, s))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    row = given.extended(x[None])[0]
    score = float(given.score(s.weights, row))
    return explain_score(given.problem, s.weights, row, given.names, int(predict(given, s, x[None])[0]), score)
