"""Words and pictures of one perceptron for each class: k lines, and scores side by side. MMDS 12.2.5."""

from typing import Protocol

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float, Int
from engine.core.notation import fixed, number
from engine.core.problem import Problem
from engine.core.scene import Arrows, Bars, Field, Layer, Line, Matrix, Role, Segments
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.class_scores import Scored, borders
from engine.numerics.linear import plane_line
from engine.pictures.mistakes import round_over, weights_of

SCORE = Formula("w · x − θ =", "{w} · {x} − {theta}", "{score}")
UPDATE = Formula("w ←", "{w} + {eta} · {sign} · {x}", "{after}")
THRESHOLD = Formula("θ ←", "{theta} − {eta} · {sign}", "{theta_after}")
WRONG = Fact("wrong points", "{errors}")
ARROW = 0.12  # length of the arrow on a line, of the reach of the data
FEW, FAR = 12, 1e4  # classes whose borders are reckoned; how far these go, in sizes of the data
WRITTEN = 4  # terms up to which an explanation writes a score out


class Learning(Protocol):
    """What words and pictures need of a state."""

    @property
    def V(self) -> Float: ...
    @property
    def before(self) -> Float: ...
    @property
    def current(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def slips(self) -> Int: ...


def class_tag(i: int) -> str:
    """The tag of class i's line and weights."""
    return f"w{i}"


def lit(problem: Problem, v: Float, i: int) -> str:
    """The tag of class i's line; where its weights v draw none, that of the bars of the scores."""
    return class_tag(i) if problem.plane and plane_line(problem, v, -float(v[-1]))[0].any() else "score"


# -- words -------------------------------------------------------------------------------------------------------------


def look_note(problem: Problem, i: int) -> Note:
    return note("Look at {point}: +1 for {label}, −1 for every other class.", **_example(problem, i))


def right_note(problem: Problem, i: int, scores: Float, V: Float) -> Note:
    """scores (k,) of the example by the weights V."""
    label = int(problem.codes[i])
    others = np.delete(scores, label)
    return note(
        "All perceptrons are right about {point}: only {label} puts it above its threshold.",
        Fact("its score", "{own}"),
        Fact("largest other score", "{other}"),
        own=Operand(float(scores[label]), about=lit(problem, V[label], label)),
        other=float(others.max(initial=-np.inf)) if len(others) else 0.0,
        **_example(problem, i),
    )


def wrong_note(problem: Problem, i: int, c: int, score: float, v: Float) -> Note:
    """The perceptron of class c, with the weights v, will have to change."""
    lead = "{point} is {label}, but the score for {asked} is {score}: on the wrong side, or on the line."
    asked = Operand(problem.class_text(c), about=lit(problem, v, c))
    return note(lead, asked=asked, score=score, **_example(problem, i))


def mistake_note(problem: Problem, s: Learning, score: float, eta: float, learned: bool) -> Note:
    """The perceptron of class s.active was wrong about the example s.current, which had this score."""
    i, c = s.current, s.active
    sign = 1 if problem.codes[i] == c else -1
    x = problem.X[i]
    w, theta = s.before[c, :-1], float(s.before[c, -1])
    lead = "Mistake: {point} is {label}, so the score for {asked} should be above 0. Turn w towards it."
    if sign < 0:
        lead = "Mistake: {point} is {label}, so the score for {asked} should be below 0. Turn w away from it."
    return note(
        lead,
        SCORE,
        *((UPDATE, THRESHOLD) if learned else (UPDATE,)),
        WRONG,
        asked=Operand(problem.class_text(c), about=lit(problem, s.V[c], c)),
        w=Operand(w, "w", "before"),
        x=Operand(x, "x", "current"),
        theta=Operand(theta, "θ"),
        score=score,
        eta=Operand(eta, "η", digits=-1),
        sign=Operand(f"({number(sign, signed=True)})", "y"),
        after=Operand(s.V[c, :-1], "w", lit(problem, s.V[c], c)),
        theta_after=Operand(float(s.V[c, -1]), "θ"),
        errors=s.errors,
        **_example(problem, i),
    )


def round_note(problem: Problem, s: Learning, cycle: int | None, done: bool) -> Note:
    mistakes = int(s.slips.sum())
    busy = [problem.class_text(int(c)) for c in np.flatnonzero(s.slips)]
    if not mistakes:
        lead = "Round {round} passed without a mistake of any perceptron: nothing will change again."
    else:
        lead = round_over(mistakes, s.errors) + " Not settled: {busy}."
    if cycle is not None:
        lead += f" These are {weights_of(cycle)} again: it will go on in this circle for ever."
    elif mistakes and done:
        lead += " These were all the rounds. No line may separate such a class from the rest."
    return note(lead, round=s.round, mistakes=mistakes, errors=s.errors, busy=", ".join(busy) or "none", cycle=cycle)


def _example(problem: Problem, i: int) -> dict[str, Operand]:
    label = problem.class_text(int(problem.codes[i]))
    return {"point": Operand(problem.names[i], about="current"), "label": Operand(label)}


def explain_winner(problem: Problem, V: Float, x: Float, scored: Scored, label: int, normalised: bool) -> Explanation:
    """The k scores side by side, scored (k,) and (k,) their rounding; V as it is compared."""
    scores, near = scored
    tied = int((scores[label] - scores <= near + near[label]).sum()) if label >= 0 else 1
    kind = "distance from its line" if normalised else "w · x − θ"
    if label < 0:
        lead = "None of the classes: no score is above 0."
    else:
        lead = "This is called {name}: the largest " + kind + ", and above 0."
        lead += " It shares that score; the first class in order is taken." if tied > 1 else ""
    best = label if label >= 0 else int(scores.argmax())
    formulas = (SCORE,) if problem.d <= WRITTEN else ()
    words = note(
        lead,
        *formulas,
        name=problem.class_text(label),
        w=Operand(V[best, :-1], "w", class_tag(best)),
        x=Operand(x, "x"),
        theta=Operand(f"({fixed(V[best, -1])})" if V[best, -1] < 0 else fixed(V[best, -1]), "θ"),
        score=float(scores[best]),
    )
    return Explanation(label, words, score_bars(problem, scores, label, kind))


# -- pictures ----------------------------------------------------------------------------------------------------------


def score_bars(problem: Problem, scores: Float, label: int, kind: str = "w · x − θ") -> Bars:
    names = tuple(problem.class_text(c) for c in range(len(scores)))
    roles = tuple(Role.ACTIVE if c == label else Role.PLAIN for c in range(len(scores)))
    return Bars(f"Scores: of each class, {kind}", names, scores, roles, group=np.arange(len(scores)), tag="score")


def class_lines(problem: Problem, s: Learning) -> list[Layer]:
    """The line of every class in its colour, with an arrow to the side that it claims; the former one of the class that
    was just changed."""
    layers: list[Layer] = []
    if s.active >= 0:
        old = s.before[s.active]
        layers.append(Line(*plane_line(problem, old, -float(old[-1])), Role.GHOST, tag="before"))
    for c, v in enumerate(s.V):
        w, b = plane_line(problem, v, -float(v[-1]))
        size = float(np.hypot(*w))
        if not size:
            continue
        role = Role.ACTIVE if c == s.active else Role.ACCEPTED
        layers.append(Line(w, b, role, tag=class_tag(c), group=c))
        middle = problem.xy.mean(0)
        foot = middle - (w / size) * ((float(w @ middle) + b) / size)
        reach = ARROW * (float(np.ptp(problem.xy, axis=0).max()) or 1.0)
        tip = foot + reach * w / size
        layers.append(Arrows(foot[None], tip[None], Role.PLAIN, (problem.class_text(c),), tag=class_tag(c)))
    return layers


def class_borders(problem: Problem, V: Float) -> list[Layer]:
    """The field of the classes with its borders drawn exactly, while they are few; V as it is compared."""
    if len(V) > FEW or not np.isfinite(V).all():
        return [Field("class", boundary=True)]
    lines = [plane_line(problem, v, -float(v[-1])) for v in V]
    here = problem.xy[np.isfinite(problem.xy).all(axis=1)]
    reach = FAR * (float(np.abs(here).max(initial=0.0)) + 1.0)
    ends = borders(np.array([w for w, _ in lines]), np.array([b for _, b in lines]), reach)
    return [Field("class"), Segments(ends, Role.BOUNDARY, tag="classes")] if len(ends) else [Field("class")]


def weight_matrix(problem: Problem, s: Learning) -> Matrix:
    """One row of weights for each class, θ last; the row just changed in amber."""
    columns = (*(feature.title for feature in problem.features), "θ")
    rows = tuple(problem.class_text(c) for c in range(len(s.V)))
    active = tuple((s.active, j) for j in range(len(columns)) if s.V[s.active, j] != s.before[s.active, j])
    return Matrix("Weights", rows, columns, s.V, active if s.active >= 0 else (), shade=False)
