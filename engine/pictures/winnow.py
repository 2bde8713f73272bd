"""Words, bars and the printed table of Winnow, in fractions. MMDS 12.2.3, Figs 12.7 and 12.9."""

from fractions import Fraction
from typing import Protocol

import numpy as np

from engine.core.arrays import Float, Int, Prefix
from engine.core.notation import MINUS, short, value_text
from engine.core.problem import Problem
from engine.core.scene import Bars, Figure, Role, Table, data_table
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.core.sums import add_up
from engine.numerics.winnow import Scale
from engine.pictures.mistakes import round_over, weights_of
from engine.pictures.text_columns import text_column

Visit = tuple[int, Fraction, Fraction, bool, tuple[Fraction, ...]]  # row, w·x, θ then, right, (w, θ) after a mistake
LISTED = 120  # visits in the table
FEW = 8  # columns up to which the table shows every weight
LONG = 100_000  # of numerator and denominator
TERMS = 12  # weights that a sum writes out

SCORE = Formula("w · x =", "{sum}", "{score} {sign} θ = {theta}")
CHANGE = Formula("w ←", "{before} {times} where x = 1", "{after}")
THETA = Formula("θ ←", "{theta_before} {opposite}", "{theta_after}")
WRONG = Fact("wrong points", "{errors}")


class Weighed(Protocol):
    """What words and tables need of a state."""

    @property
    def powers(self) -> Int: ...
    @property
    def before(self) -> Int: ...
    @property
    def w(self) -> Float: ...
    @property
    def theta(self) -> float: ...
    @property
    def current(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def visits(self) -> Prefix[Visit]: ...


def visit(scale: Scale, x: Float, powers: Int, after: Int, row: int, right: bool) -> Visit:
    """A line of Fig 12.7: the score by the weights `powers`; the weights after it, when it was a mistake."""
    values = scale.exact(powers)
    return row, _score(values, x), values[-1], right, () if right else scale.exact(after)


def _score(values: tuple[Fraction, ...], x: Float) -> Fraction:
    return add_up((v for v, on in zip(values[:-1], x, strict=True) if on > 0), Fraction(0))


def readable(value: Fraction) -> Fraction | float:
    """A fraction as it is while a person would still write it, else a number."""
    return value if max(value.numerator, value.denominator) < LONG else float(value)


# -- words -------------------------------------------------------------------------------------------------------------


def start_note(problem: Problem, scale: Scale, powers: Int) -> Note:
    values = scale.exact(powers)
    return note(
        "Every column starts with the weight 1; the threshold is θ = {theta}.",
        theta=Operand(values[-1], "θ", "w"),
        w=Operand(values[:-1], "w", "w"),
    )


def look_note(problem: Problem, i: int) -> Note:
    return note("Look at {point}, which is {label}. On: {columns}.", columns=_on(problem, i), **_example(problem, i))


def right_note(problem: Problem, scale: Scale, powers: Int, i: int) -> Note:
    return note(
        "{point} is {label} and lies on its side of θ. Nothing changes.",
        SCORE,
        **_sum(problem, scale, powers, i),
        **_example(problem, i),
    )


def mistake_note(problem: Problem, scale: Scale, s: Weighed, learned: bool) -> Note:
    """The example s.current was not on its side by the powers s.before."""
    i, sign = s.current, int(problem.sign[s.current])
    before, after = scale.exact(s.before), scale.exact(s.powers)
    what = _multiply(scale, sign)
    side = ("below" if scale.on_it else "not above") if sign > 0 else "not below"
    lead = f"Mistake: {{point}} is {{label}}, but w · x is {side} θ. {what}: {{columns}}."
    if not problem.X[i].any():
        lead = "Mistake: {point} is {label}, but no column is on, so no weight can change."
        lead += "" if learned else " While θ is fixed this example will be wrong for ever."
    parts = (SCORE, CHANGE, THETA, WRONG) if learned else (SCORE, CHANGE, WRONG)
    return note(
        lead,
        *parts,
        columns=_on(problem, i),
        times=f"{'×' if sign > 0 else '÷'} {short(float(scale.factor))}",
        opposite=f"{'÷' if sign > 0 else '×'} {short(float(scale.factor))}",
        before=Operand(_vector(before), "w", "before"),
        after=Operand(_vector(after), "w", "w"),
        theta_before=Operand(readable(before[-1]), "θ", "before"),
        theta_after=Operand(readable(after[-1]), "θ", "w"),
        errors=s.errors,
        **_sum(problem, scale, s.before, i),
        **_example(problem, i),
    )


def _multiply(scale: Scale, sign: int) -> str:
    if scale.factor == 2:
        return "Double" if sign > 0 else "Halve"
    return f"{'Multiply' if sign > 0 else 'Divide'} by {short(float(scale.factor))}"


def _sum(problem: Problem, scale: Scale, powers: Int, i: int) -> dict[str, Operand]:
    """The score term by term; many equal terms are only counted."""
    values, x = scale.exact(powers), problem.X[i]
    active = [v for v, on in zip(values[:-1], x, strict=True) if on > 0]
    score = _score(values, x)
    terms = (
        " + ".join(value_text(readable(v)) for v in active) if 0 < len(active) <= TERMS else f"{len(active)} weights"
    )
    return {
        "sum": Operand(terms, "Σ w where x = 1", "w"),
        "score": Operand(readable(score), "w · x"),
        "sign": Operand(">" if score > values[-1] else ("<" if score < values[-1] else "=")),
        "theta": Operand(readable(values[-1]), "θ", "w"),
    }


def _on(problem: Problem, i: int) -> str:
    names = [f.title for f, on in zip(problem.features, problem.X[i], strict=True) if on > 0]
    return ", ".join(names[:TERMS]) + (" …" if len(names) > TERMS else "") if names else "nothing"


def _example(problem: Problem, i: int) -> dict[str, Operand]:
    label = problem.class_text(int(problem.codes[i]))
    return {"point": Operand(problem.names[i], about="current"), "label": Operand(label)}


HOPELESS = " Winnow need not converge, even on data that a line separates; try another factor or the other threshold."
ENDINGS = {
    "converged": "Round {round} passed without a mistake: the weights will never change again.",
    "cycle": "{mistakes} {mistakes:mistake|mistakes}, and these are {ends} again: it would go on in this circle for ever."
    + HOPELESS,
    "diverged": "{mistakes} {mistakes:mistake|mistakes}, and some weight runs away without end." + HOPELESS,
    "rounds": "{mistakes} {mistakes:mistake|mistakes} in the last round that was allowed." + HOPELESS,
}


def round_note(problem: Problem, scale: Scale, s: Weighed, mistakes: int, ending: str, again: int) -> Note:
    values = scale.exact(s.powers)
    return note(
        ENDINGS[ending] if ending else round_over(mistakes, s.errors),
        Fact("w", "{w}"),
        Fact("θ", "{theta}"),
        round=s.round,
        mistakes=mistakes,
        errors=s.errors,
        again=again,
        ends=weights_of(again),
        w=Operand(_vector(values), "w", "w"),
        theta=Operand(readable(values[-1]), "θ", "w"),
    )


def _vector(values: tuple[Fraction, ...]) -> tuple[Fraction | float, ...]:
    return tuple(readable(v) for v in values[:-1])


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(problem: Problem, scale: Scale, s: Weighed, learned: bool) -> tuple[Figure, ...]:
    """The weights with what was done to them, the table of the text, the examples with the columns that were on."""
    changed = [f.name for f, a, b in zip(problem.features, s.before, s.powers, strict=False) if a != b]
    current = (s.current,) if s.current >= 0 else ()
    examples = data_table(problem, current=current, roles=dict.fromkeys(changed, Role.ACTIVE), tag="current")
    shown: list[Figure] = [weight_bars(problem, scale, s, learned)]
    if len(s.visits):
        shown.append(visit_table(problem, s, learned))
    return (*shown, examples)


def weight_bars(problem: Problem, scale: Scale, s: Weighed, learned: bool) -> Bars:
    """Doubled and halved columns in amber, with × and ÷ at their names."""
    titles = (*(f.title for f in problem.features), "θ")
    kept = slice(None) if learned else slice(0, problem.d)
    change = (s.powers - s.before)[kept]
    by = short(float(scale.factor))
    marks = {1: f" × {by}", -1: f" ÷ {by}", 0: ""}
    labels = tuple(title + marks[int(c)] for title, c in zip(titles[kept], change, strict=True))
    roles = tuple(Role.ACTIVE if c else Role.PLAIN for c in change)
    values, before = scale.floats(s.powers)[kept], scale.floats(s.before)[kept]
    return Bars(
        "Weights w" + ("" if learned else f", θ = {short(s.theta)}"),
        labels,
        values,
        roles,
        before,
        tag="w",
        beside=True,
    )


def visit_table(problem: Problem, s: Weighed, learned: bool) -> Table:
    """Fig 12.7: every example as it was looked at; the weights are written only where they changed."""
    first = max(0, len(s.visits) - LISTED)
    visits = s.visits[first:]
    rows = np.asarray([v[0] for v in visits])
    right = [v[3] for v in visits]
    columns = [
        text_column("x", [problem.names[i] for i in rows]),
        text_column("y", ["+" if problem.codes[i] == 0 else MINUS for i in rows]),
        text_column("w·x", [value_text(readable(v[1])) for v in visits]),
        *([text_column("θ", [value_text(readable(v[2])) for v in visits])] if learned else []),
        text_column("OK?", ["yes" if ok else "no" for ok in right], Role.BOUNDARY),
    ]
    if problem.d <= FEW:
        titles = [f.title for f in problem.features] + (["θ after"] if learned else [])
        changed = s.powers != s.before
        for j, title in enumerate(titles):
            texts = [value_text(readable(v[4][j])) if v[4] else "" for v in visits]
            columns.append(text_column(title, texts, Role.ACTIVE if changed[j] else Role.PLAIN))
    active = (len(visits) - 1,) if s.current >= 0 else ()
    names = tuple(f"visit {first + k + 1}" for k in range(len(visits)))
    return Table("Visits", tuple(columns), names, problem.codes[rows], ~np.asarray(right), active, tag="w")
