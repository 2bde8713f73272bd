"""Words shared by learners that go from example to example and change only after a mistake."""

from typing import Protocol

from engine.base.arrays import Float
from engine.base.notation import change_digits, number, plural, product_digits
from engine.protocol.step import Fact, Formula, Note, Operand, note
from engine.table.problem import Problem

SCORE = Formula("w · x =", "{w} · {x}", "{score}")
BY_SIGN = Formula("w ←", "{w} + {eta} · {sign} · {x}", "{after}")  # MMDS: y = ±1
# AIMA Eq 18.7: y and h are 0 or 1
BY_ANSWER = Formula("w ←", "{w} + {eta} · ({y} − {h}) · {x}", "{after}")
SIGNS = (
    Fact("y (w · x) before", "{margin} ≤ 0, wrong"),
    Fact("y (w · x) after", "{margin_after} {verdict}"),
)
ANSWERS = (
    Fact("w · x before", "{score} {side} 0, h = {h}: wrong"),
    Fact("w · x after", "{score_after} {side_after} 0, h = {h_after}: {verdict}"),
)
RIGHT_SIGN = Fact("y (w · x)", "{margin} > 0, right")
RIGHT_ANSWER = (
    Fact("answer", "{score} ≥ 0, h = {h} = y: right"),
    Fact("answer", "{score} < 0, h = {h} = y: right"),
)
ROUGH = 0.2  # share by which w · x of shown numbers may miss the score: vectors fit into one row
WRONG = Fact("wrong points", "{errors} → {errors_after}")


def round_over(mistakes: int, errors: int) -> str:
    """The lead for the end of a round, with the operands round, mistakes and errors."""
    counts = (
        f"{{mistakes}} {plural(mistakes, 'mistake')}, {{errors}} {plural(errors, 'point')} wrong"
        " now."
    )
    return "Round {round} is over: " + counts


def look_note(problem: Problem, i: int, x: Float) -> Note:
    """The note when example i is looked at; x: its row as the model sees it."""
    return note(
        "Look at {point}, which is {label}.", x=Operand(x, "x", "current"), **_example(problem, i)
    )


def right_note(problem: Problem, i: int, w: Float, x: Float, score: float, fires: bool) -> Note:
    """The note when example i is classified correctly.

    fires: a score of 0 is on the positive side (AIMA), so that it can be correct
    """
    sign = int(problem.sign[i])
    score = float(score)
    lies = " and lies on its side" if score else f"{_at_zero(w, ' and')}, which counts as {{label}}"
    digits = product_digits((w, x, score))
    return note(
        "{point} is {label}" + lies + ". Nothing changes.",
        SCORE,
        RIGHT_ANSWER[score < 0] if fires else RIGHT_SIGN,
        w=Operand(w, "w", "w", digits),
        x=Operand(x, "x", "current", digits),
        score=Operand(score, "w · x"),
        margin=sign * score,
        h=int(score >= 0),
        **_example(problem, i),
    )


def _at_zero(w: Float, word: str) -> str:
    """The words for an example with w · x = 0."""
    return f"{word} lies on the line" if w.any() else "; w = 0 is no line yet"


def weights_of(number: int) -> str:
    """The phrase for the weights after a round; 0: the start weights."""
    return f"the weights of round {number}" if number else "the start weights"


def end_note(s: "Rounds", mistakes: int, cycle: int | None, done: bool, rule: bool) -> Note:
    """The note for the end of a round.

    cycle: the earlier round that ended with the same weights, or None
    done: whether the run ends
    rule: whether it ends by the stopping rule
    """
    if mistakes == 0:
        return note(
            "Round {round} passed without a mistake: w will never change again.",
            round=s.round,
            w=s.w,
        )
    lead = round_over(mistakes, s.errors)
    if cycle is not None:
        lead += f" These are {weights_of(cycle)} again: "
        lead += (
            "more rounds would only repeat this circle."
            if done
            else "it will go on in this circle for ever."
        )
    if rule:
        lead += " The stopping rule holds."
    elif done:
        open_ = (
            " The run ends, and whether a line separates the classes stays open. To go on, set"
            " Rounds."
        )
        lead += open_ if cycle is None else " No such line separates the classes."
    return note(lead, round=s.round, mistakes=mistakes, errors=s.errors, cycle=cycle, w=s.w)


class Rounds(Protocol):
    """The fields of a state that the notes of a round's end need."""

    @property
    def w(self) -> Float: ...
    @property
    def round(self) -> int: ...
    @property
    def errors(self) -> int: ...


class Updated(Protocol):
    """The fields of a state that the note of an update needs: w, w before it, the example."""

    @property
    def w(self) -> Float: ...
    @property
    def before(self) -> Float: ...
    @property
    def current(self) -> int: ...


def mistake_note(
    problem: Problem,
    s: Updated,
    x: Float,
    scores: tuple[float, float],
    eta: float,
    errors: tuple[int, int] | None,
    fires: bool,
) -> Note:
    """The note of a mistake and its update.

    scores: before and after, unrounded
    errors: wrong examples before and after, None where they are not counted
    fires: a score of 0 is on the positive side, y and the answer h are 0 or 1 (AIMA); else y = ±1
        and 0 is wrong (MMDS)
    """
    i, w, before = s.current, s.w, s.before
    sign = int(problem.sign[i])
    score, new = scores
    after = sign * new + 0.0
    right = (new >= 0) == (sign > 0) if fires else after > 0
    lies = " but lies {where}" if score else _at_zero(before, " but")
    turn = (
        f". Turn w {'towards' if sign > 0 else 'away from'} it."
        if x.any()
        else ". But x = 0 moves no weight."
    )
    digits = product_digits(
        (before, x, score), (w, x, new), least=change_digits(before, w), rough=ROUGH
    )
    shown = (
        {
            "y": Operand((sign + 1) // 2, "y"),
            "h": Operand(int(score >= 0), "h"),
            "h_after": int(new >= 0),
            "score": score,
            "side": "≥" if score >= 0 else "<",
            "score_after": new,
            "side_after": "≥" if new >= 0 else "<",
            "verdict": "right" if right else "wrong",
        }
        if fires
        else {
            "sign": Operand(f"({number(sign, signed=True)})", "y"),
            "margin": sign * float(score),
            "margin_after": after,
            "verdict": "> 0, right" if right else "≤ 0, wrong",
        }
    )
    return note(
        "Mistake: {point} is {label}" + lies + turn,
        BY_ANSWER if fires else BY_SIGN,
        *(ANSWERS if fires else SIGNS),
        *[WRONG] * (errors is not None),
        where=f"on the {problem.class_text(int(score < 0))} side" if score else "on the line",
        w=Operand(before, "w", "before", digits),
        eta=Operand(eta, "η", digits=-1),
        x=Operand(x, "x", "change", digits),
        after=Operand(w, "w", "w", digits),
        **dict(zip(("errors", "errors_after"), errors or (), strict=False)),
        **shown,
        **_example(problem, i),
    )


def _example(problem: Problem, i: int) -> dict[str, Operand]:
    label = problem.class_text(int(problem.codes[i]))
    return {"point": Operand(problem.names[i], about="current"), "label": Operand(label)}
