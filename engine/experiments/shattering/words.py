"""What a shattering test says."""

from math import isnan

from engine.authoring import (
    Bool,
    Choice,
    Fact,
    Formula,
    Mapping,
    Note,
    Operand,
    Option,
    note,
    np,
    plural,
)
from engine.base.notation import MINUS, agreeing_digits, fixed, product_digits, row_title
from engine.experiments.shattering import Params, Setting, State
from engine.experiments.shattering.hypotheses import ON_PLANE, Answer, dimension, most
from engine.scene.boolean import conjunction_text

SUMMARY = (
    "Gives a few points every labelling there is and looks for a hypothesis that makes it. A class"
    " that makes them all shatters the points; the most points that it shatters somewhere are its"
    " VC dimension."
)
ERRATA = (
    (
        "ML 7.4.2 calls intervals open and proves it of closed ones. Neither makes + − +, so the"
        " dimension is 2 for both."
    ),
    (
        "ML 7.4.2: conjunctions of n literals have the VC dimension n. With one column it is 2 when"
        " f ∧ ¬f, which never holds, counts as one, as it does here."
    ),
)
ONE = {
    "lines": "line",
    "boxes": "box",
    "discs": "disc",
    "triangles": "triangle",
    "intervals": "interval",
    "half-spaces": "half-space",
    "conjunctions": "conjunction",
}
SEEK = {
    "lines": "  find w, b: yᵢ (w · xᵢ + b) ≥ 1",
    "half-spaces": "  find w, b: yᵢ (w · xᵢ + b) ≥ 1",
    "discs": "  find c, r: |xᵢ − c| ≤ r just at +",
    "triangles": "  find three sides round all +",
    "boxes": "  take the smallest box round all +",
    "intervals": "  take the interval from + to +",
    "conjunctions": "  take all literals true at every +",
}
LOOKS = {
    "lines": (
        "Is there a line with all + on one side and all − on the other? A linear programme looks"
        " for w and b."
    ),
    "half-spaces": (
        "Is there a plane with all + on one side and all − on the other? A linear programme looks"
        " for w and b."
    ),
    "discs": (
        "Is there a disc with all + inside and all − outside? With x · x as one more column that is"
        " a linear programme."
    ),
    "triangles": (
        "Are there three sides with all + inside and each − outside of one of them? Only their"
        " directions matter: each side may touch the +."
    ),
    "boxes": "If any box holds just the +, the smallest box round all + does.",
    "intervals": (
        "If any interval holds just the +, the smallest one that reaches from + to + does."
    ),
    "conjunctions": (
        "If any conjunction holds just at the +, the one of all literals that are true at every +"
        " does."
    ),
}
MADE = Fact("labellings made", "{made} of {looked}")
CROSSED = Fact("crossed out", "{crossed}")
LARGEST = Fact("most of these points shattered", "{largest}")
MOST = Fact("most labellings of as many points", "{most} of {all}")
VC = Fact("VC dimension of {kind}", "{vc}")
SCORE = Formula("w · x + b =", "{w} · {x} + {b}", "{score}")


def chips(p: Params) -> tuple[str, ...]:
    found = []
    if p.points:
        found.append(f"{p.points} {plural(p.points, 'point')}")
    if p.hypotheses != "auto":
        found.append(p.hypotheses)
    return tuple(found)


def wording(p: Params) -> Mapping[str, str]:
    return {"seek": SEEK[p.hypotheses]} if p.hypotheses != "auto" else {}


def signs(plus: Bool) -> str:
    """The labelling `plus` (n,) as text: "+−−+"."""
    return "".join("+" if yes else MINUS for yes in plus)


def names(given: Setting, rows: tuple[int, ...]) -> str:
    """The names of these points as text: "x₁, x₂ and x₃"."""
    texts = [row_title(given.problem.names[i]) for i in rows]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that all lines share, by name."""
    known = {
        "n": Operand(given.n),
        "all": Operand(1 << given.n),
        "kind": Operand(given.kind),
        "one": Operand(ONE[given.kind], about="h" if drawn(given, s) else ""),
        "made": Operand(s.made, about="made" if s.made else ""),
        "looked": Operand(s.looked),
        "crossed": Operand(s.looked - s.made, about="crossed" if s.looked > s.made else ""),
        "most": Operand(most(given.kind, given.n)),
        "vc": Operand(dimension(given.kind, given.points.shape[1])),
    }
    if s.current >= 0:
        known["y"] = Operand(signs(given.labels(s.current)), "y", f"y {s.current}")
        known["number"] = Operand(s.current + 1)
    return known


def drawn(given: Setting, s: State) -> bool:
    """Whether what makes the labelling is on the plane."""
    return (
        given.kind in ON_PLANE
        and s.answer is not None
        and s.answer.made
        and len(s.answer.shape) > 0
    )


def limits(given: Setting) -> list[Fact]:
    """The facts that hold for any points: the most labellings and the VC dimension, where they are
    known.
    """
    found = []
    if most(given.kind, given.n) is not None:
        found.append(MOST)
    if dimension(given.kind, given.points.shape[1]) is not None:
        found.append(VC)
    return found


def start(given: Setting, s: State) -> Note:
    lead = (
        "{n} {n:point has|points have} {all} {all:labelling|labellings}. For each of them look for"
        " a {one} that holds at every + and at no −."
    )
    left_out = given.left_out
    return note(lead + left_out.sentence, *limits(given), **left_out.operands, **operands(given, s))


def take(given: Setting, s: State) -> Note:
    return note("Labelling {number} of {all} is {y}.", MADE, CROSSED, **operands(given, s))


def seek(given: Setting, s: State) -> Note:
    return note(LOOKS[given.kind], MADE, CROSSED, **operands(given, s))


def question(given: Setting, s: State, made: bool) -> Choice:
    """Whether there is a hypothesis."""
    one = ONE[given.kind]
    tag = "h" if drawn(given, s) else ""
    options = (
        Option(f"a {one} makes it", float(made), tag, value=True),
        Option(f"no {one} makes it", float(not made), value=False),
    )
    which = 0 if made else 1
    prompt = f"Does a {one} make {signs(given.labels(s.current))}?"
    return Choice(prompt, options, (which,), which, digits=0)


def found(given: Setting, s: State) -> tuple[Note, Choice]:
    answer = s.answers[s.current]
    known = operands(given, s)
    lead = "A {one} makes {y}."
    parts: list[Formula | Fact] = []
    if given.kind in ("lines", "half-spaces"):
        lead += " {point}, one of those nearest to it, is {side}."
        parts.append(SCORE)
        known |= nearest(given, s, answer)
    elif given.kind == "conjunctions":
        lead = "{h} holds at every + and at no −: it makes {y}."
        known["h"] = Operand(rule(given, answer))
    elif not len(answer.shape):
        lead = "There is no +: a {one} beside all points makes {y}."
    elif given.kind == "discs":
        parts += [Fact("centre c", "{c}"), Fact("radius r", "{r}")]
        known["c"] = Operand(answer.shape[:2], about="h")
        known["r"] = Operand(float(answer.shape[2]), about="h")
    elif given.kind == "triangles":
        parts.append(Fact("corners", "{first}, {second}, {third}"))
        corners = answer.shape.reshape(3, 2)
        for name, corner in zip(("first", "second", "third"), corners, strict=True):
            known[name] = Operand(corner, about="h")
    else:
        lead = "The smallest {one} round all + holds no −: it makes {y}."
        parts.append(Fact("it reaches", "from {low} to {high}"))
        known |= reach(given, s)
    return note(lead, *parts, MADE, CROSSED, **known), question(given, s, True)


def nearest(given: Setting, s: State, answer: Answer) -> dict[str, Operand]:
    """The operands of w · x + b at the point nearest to a line or half-space."""
    problem = given.problem
    w = answer.shape[:-1]
    b = float(answer.shape[-1])
    score = given.points @ w + b
    i = int(np.abs(score).argmin())
    x = given.points[i]
    digits = product_digits((w, x, float(score[i]) - b), rough=1e-3)
    plus = given.labels(s.current)[i]
    return {
        "w": Operand(w, "w", "h" if drawn(given, s) else "", digits),
        "b": Operand(b, "b", digits=digits),
        "x": Operand(x, "x", problem.row_tags[i], digits),
        "score": Operand(float(score[i])),
        "point": Operand(row_title(problem.names[i]), about=problem.row_tags[i]),
        "side": Operand("+" if plus else MINUS),
    }


def reach(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of the extent of the + points: corners of a box, ends of an interval."""
    plus = given.points[given.labels(s.current)]
    low = plus.min(axis=0)
    high = plus.max(axis=0)
    if given.kind == "intervals":
        return {"low": Operand(low[0], about="h"), "high": Operand(high[0])}
    return {"low": Operand(low[:2], about="h"), "high": Operand(high[:2])}


def rule(given: Setting, answer: Answer) -> str:
    """A conjunction as text; "False" for the one that never holds."""
    if not len(answer.shape):
        return "False"
    literals = tuple((j, v) for j, v in enumerate(answer.shape.tolist()) if not isnan(v))
    return conjunction_text(given.problem, literals)


def cross(given: Setting, s: State) -> tuple[Note, Choice]:
    answer = s.answers[s.current]
    known = operands(given, s)
    parts: list[Formula | Fact] = []
    if answer.within >= 0:
        lead = "No {one} makes {y}: {point} is −, and every {one} round all + holds it."
        point = row_title(given.problem.names[answer.within])
        known["point"] = Operand(point, about=meeting(given))
        if given.kind == "conjunctions":
            lead = (
                "No {one} makes {y}: {point} is −, and {h}, which asks for all that it can, holds"
                " there too."
            )
            known["h"] = Operand(rule(given, answer))
    elif given.kind == "triangles":
        lead = "No {one} makes {y}: no three sides round all + leave every − outside."
    else:
        lead = (
            "No {one} makes {y}: one place lies between the + and also between the −. It would have"
            " to be on both sides."
        )
        if given.kind == "discs":
            lead = (
                "No {one} makes {y}: one place lies between the + and also between the −, and the +"
                " are no nearer to it. A disc with all + would hold one of these −."
            )
        plus = given.labels(s.current)
        for sign, side in (("+", plus), (MINUS, ~plus)):
            formula, numbers = place(given, answer, sign, side)
            parts.append(formula)
            known |= numbers
    return note(lead, *parts, MADE, CROSSED, **known), question(given, s, False)


def meeting(given: Setting) -> str:
    """The tag of the place where the hulls of both sides meet, "" where there is no plane."""
    return "meeting" if given.kind in ON_PLANE else ""


def place(
    given: Setting, answer: Answer, sign: str, side: Bool
) -> tuple[Formula, dict[str, Operand]]:
    """(formula, operands) of the place where both sides meet, as a weighted mean of the points of
    one side (n,).
    """
    rows = [i for i in np.flatnonzero(side).tolist() if answer.share[i] > 0]
    share = [float(answer.share[i]) for i in rows]
    where = answer.share[side] @ given.points[side]

    def mean(*values: float) -> float:
        return float(np.dot(values[: len(rows)], values[len(rows) :]))

    axes = zip(given.points[rows].T.tolist(), where.tolist(), strict=True)
    digits = max(agreeing_digits([*share, *axis], mean, at) for axis, at in axes)
    numbers = {f"of{sign}": Operand(where, about=meeting(given))}
    for i, part in zip(rows, share, strict=True):
        title = row_title(given.problem.names[i])
        numbers[f"a{i}"] = Operand(part, f"{fixed(part)}", digits=digits)
        numbers[f"x{i}"] = Operand(given.points[i], title, given.problem.row_tags[i], digits)
    body = " + ".join(f"{{a{i}}} · {{x{i}}}" for i in rows)
    return Formula(f"place of {sign} =", body, f"{{of{sign}}}"), numbers


def sets(given: Setting, s: State) -> Note:
    lead = "Every set of these points is shattered too."
    if s.fails:
        lead = (
            "The first set that fails is {fails}: {kind} make {part} of its {whole}"
            " {whole:labelling|labellings}. "
        )
    if len(s.fails) > 1:
        lead += "Every smaller set is shattered."
    bits = [given.n - 1 - i for i in s.fails]
    parts = {tuple(number >> bit & 1 for bit in bits) for number in s.numbers}
    return note(
        lead,
        MADE,
        LARGEST,
        fails=Operand(names(given, s.fails), about="fails"),
        part=len(parts),
        whole=1 << len(s.fails),
        largest=largest(s),
        **operands(given, s),
    )


def largest(s: State) -> Operand:
    """The size of the largest shattered set among these points, as an operand."""
    size = max((k for k, count in enumerate(s.counts, 1) if count), default=0)
    return Operand(size, about=f"sets of {size}" if size else "")


def done(given: Setting, s: State) -> Note:
    lead = (
        "{all:The|All} {all} {all:labelling is|labellings are} made: {kind} shatter {n:this"
        " point|these points}"
    )
    vc = dimension(given.kind, given.points.shape[1])
    if vc is None:
        lead += ", and their VC dimension is at least {n}."
    else:
        lead += ", and no {more}: their VC dimension is {vc}." if vc == given.n else "."
    if s.fails:
        lead = (
            "{made} of {all} {all:labelling|labellings} {made:is|are} made: {kind} do not shatter"
            " {n:this point|these points}."
        )
        if s.made == most(given.kind, given.n):
            lead += " No others do better."
        elif vc and given.n > vc:
            lead += " They shatter no {n} at all."
        else:
            lead += " Others may do better: that one set fails proves nothing of all sets of {n}."
    return note(
        lead,
        CROSSED,
        LARGEST,
        *limits(given),
        largest=largest(s),
        more=given.n + 1,
        **operands(given, s),
    )
