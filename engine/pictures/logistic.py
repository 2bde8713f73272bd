"""Words and pictures of logistic regression: the pull of each example, the soft threshold. AIMA 18.6.4, Fig 18.17."""

from typing import Protocol

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float
from engine.core.notation import fixed
from engine.core.problem import Problem
from engine.core.scene import Plot, Points, Polyline, Role, Segments
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.activations import logistic
from engine.numerics.logistic import probit as normal_threshold
from engine.pictures.linear import explain_score

REACH = 8.0  # of z, left and right
FAR = 0.9  # an example this wrong is far out on the wrong side
SMALLEST = 0.1  # share of the mean size below which a point does not shrink

SCORE = Formula("z =", "{w} · {x}", "{z}")
GUESS = Formula("h =", "1 / (1 + e⁻ᶻ)", "{h}")
BATCH = Formula("w ←", "{w} + {eta} · {pull}", "{after}")
SINGLE = {
    "squared": Formula("w ←", "{w} + {eta} · ({y} − {h}) · {h} · (1 − {h}) · {x}", "{after}"),
    "log": Formula("w ←", "{w} + {eta} · ({y} − {h}) · {x}", "{after}"),
}
SUMS = {"squared": "Σ (y − h) h (1 − h) x", "log": "Σ (y − h) x"}
LOSS = Fact("loss", "{loss} → {loss_after}")
RIGHT = Fact("right", "{right} of {n}")


class Judged(Protocol):
    """What the words tell of a state."""

    @property
    def w(self) -> Float: ...
    @property
    def current(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def loss(self) -> float: ...
    @property
    def updates(self) -> int: ...


# -- words -------------------------------------------------------------------------------------------------------------


def look_note(problem: Problem, i: int) -> Note:
    return note(
        "Look at {point}, which is {label}: y = {y}.",
        point=Operand(problem.names[i], about="current"),
        label=problem.class_text(int(problem.codes[i])),
        y=int(problem.codes[i] == 0),
    )


def guess_note(problem: Problem, s: Judged, X: Float) -> Note:
    """h for one example (1, d + 1), or for all."""
    z = X @ s.w
    h = logistic(z)
    if s.current < 0:
        return note(
            "Guess each probability with the present w. They run from {least} to {most}.",
            GUESS,
            w=Operand(s.w, "w", "w"), h=Operand("one h for each example", "h", "P"),
            least=Operand(float(h.min()), digits=3), most=Operand(float(h.max()), digits=3),
        )  # fmt: skip
    return note(
        "{point} is {positive} with probability {h}.",
        SCORE,
        GUESS,
        point=Operand(problem.names[s.current], about="current"),
        positive=problem.class_text(0),
        w=Operand(s.w, "w", "w"), x=Operand(X[0], "x", "current"), z=float(z[0]),
        h=Operand(float(h[0]), "h", "P", digits=3),
    )  # fmt: skip


def batch_note(problem: Problem, loss: str, s: Judged, after: Judged, pull: Float, eta: float, rose: bool) -> Note:
    lead = "Every example pulls at the line, the large ones more than the small ones; together they move it."
    if rose:
        lead = "The step was too long: the loss rose. A smaller η does better."
    return note(
        lead,
        BATCH,
        LOSS,
        RIGHT,
        w=Operand(s.w, "w", "before"), eta=Operand(eta, "η", digits=-1 if eta == round(eta, 6) else 4),
        pull=Operand(pull, SUMS[loss], "data"), after=Operand(after.w, "w", "w"),
        **_judgement(problem, s, after),
    )  # fmt: skip


def single_note(problem: Problem, loss: str, before: Judged, s: Judged, x: Float, eta: float) -> Note:
    i = s.current
    y, z = int(problem.codes[i] == 0), float(x @ before.w)
    h = float(logistic(np.asarray(z)))
    lead = "{point} is {label}, y = {y}, and h says {h}: move w by what is missing."
    if abs(y - h) > FAR and loss == "squared":
        lead = "{point} is {label}, y = {y}, but h says {h}. So far out h (1 − h) is almost 0, and it hardly pulls."
    return note(
        lead,
        SCORE,
        GUESS,
        SINGLE[loss],
        LOSS,
        RIGHT,
        point=Operand(problem.names[i], about="current"), label=problem.class_text(int(problem.codes[i])),
        y=Operand(y, "y"), h=Operand(h, "h", "P", digits=3), x=Operand(x, "x", "current"), z=z,
        w=Operand(before.w, "w", "before"), eta=Operand(eta, "η", digits=-1 if eta == round(eta, 6) else 4),
        after=Operand(s.w, "w", "w"),
        **_judgement(problem, before, s),
    )  # fmt: skip


def _judgement(problem: Problem, before: Judged, after: Judged) -> dict[str, Operand]:
    n = int(problem.labelled.sum())
    return {
        "loss": Operand(before.loss, "L", digits=3),
        "loss_after": Operand(after.loss, "L", digits=3),
        "right": Operand(n - after.errors),
        "n": Operand(n),
    }


def round_note(problem: Problem, s: Judged) -> Note:
    return note(
        "Every example has been looked at once more.", LOSS_NOW, RIGHT,
        w=s.w, **{k: v for k, v in _judgement(problem, s, s).items() if k != "loss_after"},
    )  # fmt: skip


LOSS_NOW = Fact("loss", "{loss}")
ENDINGS = {
    "": "{updates:|All }{updates} {updates:step is|steps are} taken.",
    "overshoot": "{updates:|All }{updates} {updates:step is|steps are} taken, and the last one still overshot: the loss rose. A smaller η does better.",
    "converged": "The last step did not move w any more: this is the bottom that these steps lead to.",
    "flat": "The last step did not move w any more, but this is no bottom: where a point is wrong, its probability is so near to "
    "0 or 1 that h (1 − h) lets it pull no more. Standardise the columns, or take a smaller η or the log loss.",
    "diverged": "The next step would leave the range of numbers: η is too large for columns of this size. Take a smaller "
    "η or standardise the columns.",
}


def end_note(problem: Problem, s: Judged, ending: str) -> Note:
    judged = {k: v for k, v in _judgement(problem, s, s).items() if k != "loss_after"}
    return note(ENDINGS[ending], LOSS_NOW, RIGHT, updates=s.updates, w=s.w, **judged)


def explain_probability(problem: Problem, w: Float, x: Float) -> Explanation:
    """P term by term; x holds the feature of the bias already."""
    z = float(x @ w)
    h = float(logistic(np.asarray(z)))
    names = (*(f.title for f in problem.features), "bias")
    parts = explain_score(problem, w, x, names, int(z < 0))
    words = note(
        "The probability of {positive} is {h}, so this is called {name}.",
        *parts.note.formulas,
        GUESS,
        **{**parts.note.operands, "h": Operand(h, "h", "P", digits=3), "positive": Operand(problem.class_text(0))},
    )
    return Explanation(parts.label, words, parts.bars)


# -- pictures ----------------------------------------------------------------------------------------------------------


def sizes(pull: Float) -> Float:
    """(n,) relative sizes, the mean 1; the least are still to be seen."""
    mean = float(pull.mean())
    return np.maximum(pull / mean, SMALLEST) if mean > 0 else np.ones_like(pull)


def threshold_plot(problem: Problem, z: Float, current: int) -> Plot:
    """The logistic curve with every example at its z; beside it the hard step and the normal curve. AIMA Fig 18.17."""
    at = np.linspace(-REACH, REACH, 161)
    z = np.clip(z, -REACH, REACH)
    places = np.column_stack([z, logistic(z)])
    layers: list[Polyline | Points | Segments] = [
        Polyline(np.array([[-REACH, 0.0], [0.0, 0.0], [0.0, 1.0], [REACH, 1.0]]), Role.SAME, tag="step"),
        Polyline(np.column_stack([at, normal_threshold(at)]), Role.GHOST, tag="probit"),
        Polyline(np.column_stack([at, logistic(at)]), Role.ACCEPTED, tag="P"),
    ]
    if current >= 0:
        wanted = [places[current, 0], float(problem.codes[current] == 0)]
        layers.append(
            Segments(
                np.array([[places[current], wanted]]),
                Role.ACTIVE,
                (f"y − h = {fixed(wanted[1] - places[current, 1])}",),
            )
        )
    layers.append(Points(places, problem.codes, Role.POINT, np.where(z >= 0, 0, 1), tag="data"))
    if current >= 0:
        layers.append(Points(places[[current]], problem.codes[[current]], Role.ACTIVE, tag="current"))
    return Plot(
        "h(z): the soft threshold",
        "z = w · x",
        "h",
        tuple(layers),
        x_range=(-REACH - 0.5, REACH + 0.5),
        y_range=(-0.08, 1.08),
    )
