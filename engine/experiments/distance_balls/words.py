"""What the distances say: how each measures the nearest, and where another example becomes the
nearest.
"""

from collections import Counter

from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, note, np
from engine.core.notation import telling_digits
from engine.experiments.distance_balls import Params, Setting, State

SUMMARY = (
    "Measures from one place to every example in many ways: Minkowski’s with growing p, columns"
    " divided by their spread, Mahalanobis, stretched axes. All places at the same distance make a"
    " ball; its shape decides who is nearest."
)
SHOWN = 5  # examples in the choice, or as many as are nearest
TIE = "the first in the table"


def chips(p: Params) -> tuple[str, ...]:
    return ("the two columns of the plane",)


def name(given: Setting, way: int) -> str:
    return list(given.ways)[way]


def query(given: Setting, s: State) -> Note:
    lead = (
        "Which of {n} {n:example|examples} is nearest to {q}? That depends on how it is measured:"
        " {ways} {ways:way|ways}."
    )
    left_out = given.left_out
    lead += left_out.sentence
    facts = [Fact("left out, a value is missing", "{rows_out} {rows_out:row|rows}")] * (
        left_out.rows > 0
    )
    facts += [Fact("no Mahalanobis distance here", "{why}")] * isinstance(given.mahalanobis, str)
    at, ways = (
        Operand(tuple(given.q.tolist()), "q", "query"),
        Operand(len(given.ways), about="unit"),
    )
    return note(
        lead,
        *facts,
        n=len(given.rows),
        q=at,
        ways=ways,
        why=str(given.mahalanobis),
        **left_out.operands,
    )


def measure(given: Setting, s: State) -> Note:
    return note("Measure by {way}.", way=Operand(name(given, s.current), about="unit"))


def nearest(given: Setting, s: State) -> tuple[Note, Choice]:
    d = given.distances[s.current]
    rows = s.nearest[-1]
    names = given.problem.names
    lead = "By {way} {x} is nearest: d = {d}."
    if len(rows) > 1:
        lead = "By {way} {m} {m:example is|examples are} equally near: d = {d}. {x} stands first."
    elif len(s.nearest) > 1 and rows[0] != s.nearest[-2][0]:
        lead = "By {way} {x} is nearest, no longer {before}: d = {d}."
    before = names[s.nearest[-2][0]] if len(s.nearest) > 1 else ""
    order = np.argsort(d, kind="stable")[: max(SHOWN, len(rows))]
    digits = telling_digits(*d[order[:2]].tolist()) if len(order) > 1 else 2
    options = tuple(
        Option(
            names[given.rows[i]], float(d[i]), "nearest" if k == 0 else "", value=int(given.rows[i])
        )
        for k, i in enumerate(order)
    )
    prompt = f"Which example is nearest by {name(given, s.current)}?"
    choice = Choice(
        prompt, options, tuple(range(len(rows))), 0, TIE if len(rows) > 1 else "", "d", True, digits
    )
    formula, terms = by_hand(given, s)
    told = note(
        lead,
        formula,
        way=Operand(name(given, s.current), about="unit"),
        x=Operand(names[rows[0]], about="nearest"),
        d=Operand(float(d.min()), "d", "nearest"),
        m=len(rows),
        before=before,
        **terms,
    )
    return told, choice


def by_hand(given: Setting, s: State) -> tuple[Formula, dict[str, Operand]]:
    """From what separates the nearest from q on each axis, in the space of the way."""
    space = list(given.ways.values())[s.current]
    ends = space.embed(np.stack([given.problem.xy[s.nearest[-1][0]], given.q]))
    a, b = np.append(np.abs(ends[0] - ends[1]), 0.0)[:2].tolist()
    bodies = {1.0: "{a} + {b}", 2.0: "√({a}² + {b}²)", np.inf: "max({a}, {b})"}
    formula = Formula("d =", bodies.get(space.p, "({a}^{p} + {b}^{p})^(1 / {p})"), "{d}")
    gaps = {
        name: Operand(gap, symbol, "nearest", 3)
        for name, gap, symbol in (("a", a, "|Δ₁|"), ("b", b, "|Δ₂|"))
    }
    return formula, gaps | {"p": Operand(space.p, "p", digits=-1)}


def told(given: Setting, s: State) -> Note:
    many = Counter(rows[0] for rows in s.nearest).most_common()
    lead = (
        "By {ways} {ways:way|ways} {others} {others:example was|examples were} the nearest: the"
        " distance is part of the method."
    )
    if len(many) == 1:
        lead = (
            "By {ways:the|all} {ways} {ways:way|ways} {x} is the nearest: move the query between"
            " two examples."
        )
    names = given.problem.names
    facts = [Fact(f"{{r{k}}}", f"{{m{k}}} of {{ways}}") for k in range(min(len(many), SHOWN))]
    operands: dict[str, object] = {f"r{k}": names[row] for k, (row, _) in enumerate(many)}
    operands |= {f"m{k}": Operand(count, about="matrix") for k, (_, count) in enumerate(many)}
    return note(
        lead,
        *facts,
        ways=Operand(len(s.nearest), about="unit"),
        others=len(many),
        x=Operand(names[many[0][0]], about="nearest"),
        **operands,
    )
