"""What the multiclass perceptron says."""

from typing import Any

from engine.algorithms.linear.multiclass_perceptron import Params, Setting, State
from engine.algorithms.linear.parts.words import example
from engine.algorithms.linear.parts.words import round as round
from engine.authoring import (
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    note,
    np,
    number,
    short,
)
from engine.base.notation import fixed
from engine.numerics.class_scores import winners
from engine.numerics.linear import plane_line
from engine.scene.mistakes import round_over, weights_of
from engine.scene.scene import Bars, Role

SUMMARY = (
    "Trains one perceptron for each class against all others. A place belongs to the class with the"
    " largest score; where every perceptron says no it belongs to none."
)
ERRATA = (
    (
        "MMDS 12.2.5 gives all classes the same θ, while 12.2.4 lets each perceptron learn its own."
        " With learned ones the scores w_i·x − θ_i are compared."
    ),
    (
        "The largest score wins although the lengths of the w_i mean nothing; “Distances” divides"
        " by them."
    ),
    (
        "A class that lies between others cannot be cut off by one line: its perceptron never"
        " stops, and all others may be right."
    ),
    (
        "12.2.5 accepts a largest score equal to θ, 12.2 wants it above; here equality is none of"
        " the classes."
    ),
)
SCORE = Formula("w · x − θ =", "{w} · {x} − {theta}", "{score}")
UPDATE = Formula("w ←", "{w} + {eta} · {sign} · {x}", "{after}")
THRESHOLD = Formula("θ ←", "{theta} − {eta} · {sign}", "{theta_after}")
OWN_AND_OTHER = Fact("its score", "{own}"), Fact("largest other score", "{other}")
WRONG = Fact("wrong points", "{errors}")
SHARED = " It shares that score; the first class in order is taken."
WRITTEN = 4  # terms up to which an explanation writes a score out


def chips(p: Params) -> tuple[str, ...]:
    theta = "θ learned" if p.threshold == "learned" else f"θ = {short(p.theta)} for all"
    return (theta, f"η {short(p.rate)}", *(("distances",) if p.normalise else ()))


def class_tag(c: int) -> str:
    """The tag of class c's line and weights."""
    return f"w{c}"


def lit(given: Setting, v: Float, c: int) -> str:
    """The tag of class c's line; that of the score bars where its weights v (d + 1,) give no line
    on the plane.
    """
    on_plane = given.problem.plane and plane_line(given.problem, v, -float(v[-1]))[0].any()
    return class_tag(c) if on_plane else "score"


def _operands(given: Setting, s: State, c: int, score: float = 0.0) -> dict[str, Any]:
    """What the lines tell of the perceptron of class c at the current example: its weights before
    this step, and now.
    """
    sign = int(given.Y[s.current, c])
    about = lit(given, s.V[c], c)
    return {
        "asked": Operand(given.problem.class_text(c), about=about),
        "score": float(score),
        "w": Operand(s.before[c, :-1], "w", "before"),
        "x": Operand(given.problem.X[s.current], "x", "current"),
        "theta": Operand(float(s.before[c, -1]), "θ"),
        "eta": Operand(given.p.rate, "η", digits=-1),
        "sign": Operand(f"({number(sign, signed=True)})", "y"),
        "after": Operand(s.V[c, :-1], "w", about),
        "theta_after": Operand(float(s.V[c, -1]), "θ"),
        "errors": s.errors,
        **example(given, s),
    }


def start(given: Setting, s: State) -> Note:
    return note("Every class starts with w = 0: no score is above 0.")


def take(given: Setting, s: State) -> Note:
    return note("Look at {point}: +1 for {label}, −1 for every other class.", **example(given, s))


def test(given: Setting, s: State, scores: Float) -> Note:
    label = int(given.problem.codes[s.current])
    own = Operand(float(scores[label]), about=lit(given, s.V[label], label))
    other = float(np.delete(scores, label).max(initial=-np.inf)) if len(scores) > 1 else 0.0
    lead = "All perceptrons are right about {point}: only {label} puts it above its threshold."
    return note(lead, *OWN_AND_OTHER, own=own, other=other, **example(given, s))


def mistake(given: Setting, s: State, c: int, score: float) -> Note:
    lead = (
        "{point} is {label}, but the score for {asked} is {score}: on the wrong side, or on the"
        " line."
    )
    return note(lead, **_operands(given, s, c, score))


def update(given: Setting, s: State, score: float) -> Note:
    where, turn = (
        ("above", "towards it") if given.Y[s.current, s.active] > 0 else ("below", "away from it")
    )
    lead = (
        f"Mistake: {{point}} is {{label}}, so the score for {{asked}} should be {where} 0. Turn w"
        f" {turn}."
    )
    changes = (UPDATE, THRESHOLD) if given.p.threshold == "learned" else (UPDATE,)
    return note(lead, SCORE, *changes, WRONG, **_operands(given, s, s.active, score))


def until(given: Setting, s: State, cycle: int | None, done: bool) -> Note:
    mistakes = int(s.slips.sum())
    busy = [given.problem.class_text(int(c)) for c in np.flatnonzero(s.slips)]
    lead = round_over(mistakes, s.errors) + " Not settled: {busy}."
    if not mistakes:
        lead = (
            "Round {round} passed without a mistake of any perceptron: nothing will change again."
        )
    if cycle is not None:
        lead += f" These are {weights_of(cycle)} again: it will go on in this circle for ever."
    elif mistakes and done:
        lead += " These were all the rounds. No line may separate such a class from the rest."
    return note(
        lead,
        round=s.round,
        mistakes=mistakes,
        errors=s.errors,
        busy=", ".join(busy) or "none",
        cycle=cycle,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,), with the scores of all k classes."""
    scores, near = (part[:, 0] for part in given.all_scores(s, x[None]))
    label = int(winners(zip(scores, near, strict=True), ()))
    tied = label >= 0 and int((scores[label] - scores <= near + near[label]).sum()) > 1
    kind = "distance from its line" if given.p.normalise else "w · x − θ"
    lead = "This is called {name}: the largest " + kind + ", and above 0." + SHARED * tied
    best = label if label >= 0 else int(scores.argmax())
    v = given.compared(s.V)[0][best]
    words = note(
        lead if label >= 0 else "None of the classes: no score is above 0.",
        *[SCORE] * (given.problem.d <= WRITTEN),
        name=given.problem.class_text(label),
        w=Operand(v[:-1], "w", class_tag(best)),
        x=Operand(x, "x"),
        theta=Operand(f"({fixed(v[-1])})" if v[-1] < 0 else fixed(v[-1]), "θ"),
        score=float(scores[best]),
    )
    return Explanation(label, words, score_bars(given, scores, label, kind))


def score_bars(given: Setting, scores: Float, label: int, kind: str = "w · x − θ") -> Bars:
    names = tuple(given.problem.class_text(c) for c in range(given.k))
    roles = tuple(Role.ACTIVE if c == label else Role.PLAIN for c in range(given.k))
    group = np.arange(given.k)
    tags = tuple(map(class_tag, range(given.k)))
    return Bars(
        f"Scores: of each class, {kind}", names, scores, roles, None, group, tag="score", tags=tags
    )
