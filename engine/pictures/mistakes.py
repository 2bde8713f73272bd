"""Words shared by learners that go from example to example and change only after a mistake."""

from typing import Protocol

from engine.core.arrays import Float
from engine.core.notation import number, plural
from engine.core.problem import Problem
from engine.core.step import Fact, Formula, Note, Operand, note

SCORE = Formula("w · x =", "{w} · {x}", "{score}")
BEFORE = Fact("y (w · x) before", "{margin} ≤ 0, wrong")
AFTER = Fact("y (w · x) after", "{margin_after} {verdict}")
WRONG = Fact("wrong points", "{errors} → {errors_after}")


def round_over(mistakes: int, errors: int) -> str:
    """The lead of a round's end, with the operands round, mistakes and errors."""
    told = f"{{mistakes}} {plural(mistakes, 'mistake')}, {{errors}} {plural(errors, 'point')} wrong now."
    return "Round {round} is over: " + told


def look_note(problem: Problem, i: int, x: Float) -> Note:
    """Example i is taken; x is its row as the model sees it."""
    return note("Look at {point}, which is {label}.", x=Operand(x, "x", "current"), **_example(problem, i))


def right_note(problem: Problem, i: int, w: Float, x: Float, score: float) -> Note:
    """Example i lies on its side."""
    return note(
        "{point} is {label} and lies on its side. Nothing changes.",
        SCORE,
        w=Operand(w, "w", "w"),
        x=Operand(x, "x", "current"),
        score=Operand(float(score), "w · x"),
        **_example(problem, i),
    )


def weights_of(number: int) -> str:
    """Rounds count from 1; before them there are the start weights."""
    return f"the weights of round {number}" if number else "the start weights"


def end_note(s: "Rounds", mistakes: int, cycle: int | None, done: bool) -> Note:
    """A round is over. cycle: the round that ended with the same weights; done: the stopping rule holds."""
    if mistakes == 0:
        return note("Round {round} passed without a mistake: w will never change again.", round=s.round, w=s.w)
    lead = round_over(mistakes, s.errors)
    if cycle is not None:
        lead += f" These are {weights_of(cycle)} again: it will go on in this circle for ever."
    elif done:
        lead += " The stopping rule holds."
    return note(lead, round=s.round, mistakes=mistakes, errors=s.errors, cycle=cycle, w=s.w)


class Rounds(Protocol):
    """What a state after a round tells."""

    @property
    def w(self) -> Float: ...
    @property
    def round(self) -> int: ...
    @property
    def errors(self) -> int: ...


class Updated(Protocol):
    """What a state after an update tells: w, w before it, the example, how many are wrong now."""

    @property
    def w(self) -> Float: ...
    @property
    def before(self) -> Float: ...
    @property
    def current(self) -> int: ...
    @property
    def errors(self) -> int: ...


def mistake_note(
    problem: Problem,
    s: Updated,
    update: Formula,
    x: Float,
    scores: tuple[float, float],
    eta: float,
    errors: int,
    fires: bool,
) -> Note:
    """The example was wrong by its score, `errors` examples in all. scores: before and after, without rounding; `update`
    may use {w} {eta} {sign} {y} {h} {x} and {after}; fires: a score of 0 is the positive side."""
    i, w, before = s.current, s.w, s.before
    sign, (score, new) = int(problem.sign[i]), scores
    after = sign * new + 0.0
    verdict = "> 0, right" if after > 0 else "= 0, right" if after == 0 and fires and sign > 0 else "≤ 0, wrong"
    where = "on the line" if score == 0 else f"on the {problem.class_text(int(score < 0))} side"
    return note(
        "Mistake: {point} is {label} but lies {where}. "
        + ("Turn w towards it." if sign > 0 else "Turn w away from it."),
        update,
        BEFORE,
        AFTER,
        WRONG,
        where=where,
        w=Operand(before, "w", "before"),
        eta=Operand(eta, "η", digits=-1),
        sign=Operand(f"({number(sign, signed=True)})", "y"),
        y=Operand((sign + 1) // 2, "y"),
        h=Operand(int(score >= 0), "h"),
        x=Operand(x, "x", "change"),
        after=Operand(w, "w", "w"),
        margin=sign * float(score),
        margin_after=after,
        errors=errors,
        errors_after=s.errors,
        verdict=verdict,
        **_example(problem, i),
    )


def _example(problem: Problem, i: int) -> dict[str, Operand]:
    label = problem.class_text(int(problem.codes[i]))
    return {"point": Operand(problem.names[i], about="current"), "label": Operand(label)}
