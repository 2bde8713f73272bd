"""What a shattering test says."""

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
from engine.core.notation import MINUS, agreeing_digits, fixed, product_digits, row_title
from engine.experiments.shattering import Params, Setting, State
from engine.experiments.shattering.hypotheses import ON_PLANE, Answer, dimension, most
from engine.pictures.boolean import conjunction_text

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
    "lines": "line", "boxes": "box", "discs": "disc", "intervals": "interval",
    "half-spaces": "half-space",
    "conjunctions": "conjunction",
}  # fmt: skip
SEEK = {
    "lines": "  find w, b: yᵢ (w · xᵢ + b) ≥ 1",
    "half-spaces": "  find w, b: yᵢ (w · xᵢ + b) ≥ 1",
    "discs": "  find c, r: |xᵢ − c| ≤ r just at +",
    "boxes": "  take the smallest box round all +",
    "intervals": "  take the interval from + to +",
    "conjunctions": "  take all literals true at every +",
}
MADE = Fact("labellings made", "{made} of {looked}")
CROSSED = Fact("crossed out", "{crossed}")
LARGEST = Fact("most of these points shattered", "{largest}")
MOST = Fact("most labellings of as many points", "{most} of {all}")
VC = Fact("VC dimension of {kind}", "{vc}")
SCORE = Formula("w · x + b =", "{w} · {x} + {b}", "{score}")


def chips(p: Params) -> tuple[str, ...]:
    points = (f"{p.points} {plural(p.points, 'point')}",) if p.points else ()
    return (*points, p.hypotheses) if p.hypotheses != "auto" else points


def wording(p: Params) -> Mapping[str, str]:
    return {"seek": SEEK[p.hypotheses]} if p.hypotheses != "auto" else {}


def signs(plus: Bool) -> str:
    """+−−+"""
    return "".join("+" if yes else MINUS for yes in plus)


def names(given: Setting, rows: tuple[int, ...]) -> str:
    texts = [row_title(given.problem.names[i]) for i in rows]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def told(given: Setting, s: State) -> dict[str, Operand]:
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
    """What no points at all can exceed."""
    known = (MOST, most(given.kind, given.n)), (VC, dimension(given.kind, given.points.shape[1]))
    return [fact for fact, value in known if value is not None]


def start(given: Setting, s: State) -> Note:
    lead = (
        "{n} {n:point has|points have} {all} {all:labelling|labellings}. For each of them look for"
        " a {one} that holds at every + and at no −."
    )
    left_out = given.left_out
    return note(lead + left_out.sentence, *limits(given), **left_out.operands, **told(given, s))


def take(given: Setting, s: State) -> Note:
    return note("Labelling {number} of {all} is {y}.", MADE, CROSSED, **told(given, s))


def seek(given: Setting, s: State) -> Note:
    lead = {
        "lines": (
            "Is there a line with all + on one side and all − on the other? A linear programme"
            " looks for w and b."
        ),
        "half-spaces": (
            "Is there a plane with all + on one side and all − on the other? A linear programme"
            " looks for w and b."
        ),
        "discs": (
            "Is there a disc with all + inside and all − outside? With x · x as one more column"
            " that is a linear programme."
        ),
        "boxes": "If any box holds just the +, the smallest box round all + does.",
        "intervals": (
            "If any interval holds just the +, the smallest one that reaches from + to + does."
        ),
        "conjunctions": (
            "If any conjunction holds just at the +, the one of all literals that are true at every"
            " + does."
        ),
    }[given.kind]
    return note(lead, MADE, CROSSED, **told(given, s))


def question(given: Setting, s: State, made: bool) -> Choice:
    options = (
        Option(
            f"a {ONE[given.kind]} makes it", float(made), "h" if drawn(given, s) else "", value=True
        ),
        Option(f"no {ONE[given.kind]} makes it", float(not made), value=False),
    )
    which = 0 if made else 1
    asked = f"Does a {ONE[given.kind]} make {signs(given.labels(s.current))}?"
    return Choice(asked, options, (which,), which, digits=0)


def found(given: Setting, s: State) -> tuple[Note, Choice]:
    answer = s.answers[s.current]
    plus = given.labels(s.current)
    P = given.points
    parts: list[Formula | Fact] = [MADE, CROSSED]
    known = told(given, s)
    shape = answer.shape
    lead = "A {one} makes {y}."
    if given.kind in ("lines", "half-spaces"):
        score = P @ shape[:-1] + shape[-1]
        i = int(np.abs(score).argmin())
        w = shape[:-1]
        b = float(shape[-1])
        digits = product_digits((w, P[i], float(score[i]) - b), rough=1e-3)
        lead += " {point}, one of those nearest to it, is {side}."
        parts = [SCORE, *parts]
        known |= {
            "w": Operand(w, "w", "h" if drawn(given, s) else "", digits),
            "b": Operand(b, "b", digits=digits),
            "x": Operand(P[i], "x", given.problem.row_tags[i], digits),
            "score": Operand(float(score[i])),
            "point": Operand(row_title(given.problem.names[i]), about=given.problem.row_tags[i]),
            "side": Operand("+" if plus[i] else MINUS),
        }
    elif given.kind == "discs" and len(shape):
        parts = [Fact("centre c", "{c}"), Fact("radius r", "{r}"), *parts]
        known |= {"c": Operand(shape[:2], about="h"), "r": Operand(float(shape[2]), about="h")}
    elif given.kind == "conjunctions":
        lead, known["h"] = (
            "{h} holds at every + and at no −: it makes {y}.",
            Operand(rule(given, answer)),
        )
    elif len(shape):
        k = 1 if given.kind == "intervals" else 2
        low = P[plus, :k].min(axis=0)
        high = P[plus, :k].max(axis=0)
        lead = "The smallest {one} round all + holds no −: it makes {y}."
        known |= {
            "low": Operand(low if k > 1 else low[0], about="h"),
            "high": Operand(high if k > 1 else high[0]),
        }
        parts = [Fact("it reaches", "from {low} to {high}"), *parts]
    if not len(shape) and given.kind != "conjunctions":
        lead = "There is no +: a {one} beside all points makes {y}."
    return note(lead, *parts, **known), question(given, s, True)


def rule(given: Setting, answer: Answer) -> str:
    """A conjunction; without a shape the one that never holds."""
    if not len(answer.shape):
        return "False"
    return conjunction_text(
        given.problem, tuple((j, v) for j, v in enumerate(answer.shape.tolist()) if v == v)
    )


def cross(given: Setting, s: State) -> tuple[Note, Choice]:
    answer = s.answers[s.current]
    plus = given.labels(s.current)
    known = told(given, s)
    if answer.within >= 0:
        i = answer.within
        lead = "No {one} makes {y}: {point} is −, and every {one} round all + holds it."
        if given.kind == "conjunctions":
            lead = (
                "No {one} makes {y}: {point} is −, and {h}, which asks for all that it can, holds"
                " there too."
            )
            known["h"] = Operand(rule(given, answer))
        known["point"] = Operand(
            row_title(given.problem.names[i]), about="meeting" if given.kind in ON_PLANE else ""
        )
        return note(lead, MADE, CROSSED, **known), question(given, s, False)
    parts: list[Formula | Fact] = []
    for sign, side in (("+", plus), (MINUS, ~plus)):
        rows = [i for i in np.flatnonzero(side).tolist() if answer.share[i] > 0]
        values = [float(answer.share[i]) for i in rows]
        place = answer.share[side] @ given.points[side]
        digits = max(
            agreeing_digits(
                [*values, *axis], lambda *v: float(np.dot(v[: len(v) // 2], v[len(v) // 2 :])), at
            )
            for axis, at in zip(given.points[rows].T.tolist(), place.tolist(), strict=True)
        )
        parts.append(
            Formula(
                f"place of {sign} =",
                " + ".join(f"{{a{i}}} · {{x{i}}}" for i in rows),
                f"{{of{sign}}}",
            )
        )
        known[f"of{sign}"] = Operand(place, about="meeting" if given.kind in ON_PLANE else "")
        for i, value in zip(rows, values, strict=True):
            known[f"a{i}"] = Operand(value, f"{fixed(value)}", digits=digits)
            known[f"x{i}"] = Operand(
                given.points[i],
                row_title(given.problem.names[i]),
                given.problem.row_tags[i],
                digits,
            )
    lead = (
        "No {one} makes {y}: one place lies between the + and also between the −. It would have to"
        " be on both sides."
    )
    if given.kind == "discs":
        lead = (
            "No {one} makes {y}: one place lies between the + and also between the −, and the + are"
            " no nearer to it. A disc with all + would hold one of these −."
        )
    return note(lead, *parts, MADE, CROSSED, **known), question(given, s, False)


def sets(given: Setting, s: State) -> Note:
    lead = "Every set of these points is shattered too."
    if s.fails:
        lead = (
            "The first set that fails is {fails}: {kind} make {part} of its {whole}"
            " {whole:labelling|labellings}. "
        )
        lead += "Every smaller set is shattered." if len(s.fails) > 1 else ""
    mask = [given.n - 1 - i for i in s.fails]
    part = len({tuple(number >> bit & 1 for bit in mask) for number in s.numbers})
    fails = Operand(names(given, s.fails) if s.fails else "", about="fails")
    whole = 1 << len(s.fails)
    return note(
        lead,
        MADE,
        LARGEST,
        fails=fails,
        part=part,
        whole=whole,
        largest=largest(s),
        **told(given, s),
    )


def largest(s: State) -> Operand:
    """The most of these points that are shattered."""
    most_ = max((k for k, count in enumerate(s.counts, 1) if count), default=0)
    return Operand(most_, about=f"sets of {most_}" if most_ else "")


def done(given: Setting, s: State) -> Note:
    lead = (
        "{all:The|All} {all} {all:labelling is|labellings are} made: {kind} shatter {n:this"
        " point|these points}, and their VC dimension is at least {n}."
    )
    if s.fails:
        lead = (
            "{made} of {all} {all:labelling|labellings} {made:is|are} made: {kind} do not shatter"
            " {n:this point|these points}."
        )
        best = most(given.kind, given.n)
        vc = dimension(given.kind, given.points.shape[1])
        better = " Others may do better: that one set fails proves nothing of all sets of {n}."
        lead += (
            " No others do better."
            if s.made == best
            else " They shatter no {n} at all."
            if vc and given.n > vc
            else better
        )
    return note(lead, CROSSED, LARGEST, *limits(given), largest=largest(s), **told(given, s))
