"""What the distances say: how each measures the nearest, and where another example becomes the
nearest.
"""

from collections import Counter

from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, note, np
from engine.base.notation import telling_digits
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
    """The name of the way to measure with this index."""
    return list(given.ways)[way]


def query(given: Setting, s: State) -> Note:
    lead = (
        "Which of {n} {n:example|examples} is nearest to {q}? That depends on how it is measured:"
        " {ways} {ways:way|ways}."
    )
    left_out = given.left_out
    facts = []
    if left_out.rows:
        facts.append(Fact("left out, a value is missing", "{rows_out} {rows_out:row|rows}"))
    if isinstance(given.mahalanobis, str):
        facts.append(Fact("no Mahalanobis distance here", "{why}"))
    return note(
        lead + left_out.sentence,
        *facts,
        n=len(given.rows),
        q=Operand(tuple(given.q.tolist()), "q", "query"),
        ways=Operand(len(given.ways), about="unit"),
        why=str(given.mahalanobis),
        **left_out.operands,
    )


def measure(given: Setting, s: State) -> Note:
    return note("Measure by {way}.", way=Operand(name(given, s.current), about="unit"))


def nearest(given: Setting, s: State) -> tuple[Note, Choice]:
    names = given.problem.names
    rows = s.nearest[-1]
    before = s.nearest[-2][0] if len(s.nearest) > 1 else rows[0]
    lead = "By {way} {x} is nearest: d = {d}."
    if len(rows) > 1:
        lead = "By {way} {m} {m:example is|examples are} equally near: d = {d}. {x} stands first."
    elif rows[0] != before:
        lead = "By {way} {x} is nearest, no longer {before}: d = {d}."
    formula, terms = by_hand(given, s)
    said = note(
        lead,
        formula,
        way=Operand(name(given, s.current), about="unit"),
        x=Operand(names[rows[0]], about="nearest"),
        d=Operand(s.distance, "d", "nearest"),
        m=len(rows),
        before=names[before],
        **terms,
    )
    return said, candidates(given, s)


def candidates(given: Setting, s: State) -> Choice:
    """The choice among the nearest examples by the current distance, ties first."""
    d = given.distances[s.current]
    equal = len(s.nearest[-1])
    order = np.argsort(d, kind="stable")[: max(SHOWN, equal)].tolist()
    digits = telling_digits(*d[order[:2]].tolist()) if len(order) > 1 else 2
    options = []
    for k, i in enumerate(order):
        row = int(given.rows[i])
        tag = "nearest" if k == 0 else ""
        options.append(Option(given.problem.names[row], float(d[i]), tag, value=row))
    return Choice(
        f"Which example is nearest by {name(given, s.current)}?",
        tuple(options),
        tuple(range(equal)),
        0,
        TIE if equal > 1 else "",
        "d",
        True,
        digits,
    )


def by_hand(given: Setting, s: State) -> tuple[Formula, dict[str, Operand]]:
    """(the formula of the nearest example's distance, its operands), from its differences to q
    along the axes of the current space.
    """
    space = list(given.ways.values())[s.current]
    x = given.problem.xy[s.nearest[-1][0]]
    z, z_q = space.embed(np.stack([x, given.q]))
    a, b = np.append(np.abs(z - z_q), 0.0)[:2].tolist()  # 0 where an axis is left out
    bodies = {1.0: "{a} + {b}", 2.0: "√({a}² + {b}²)", np.inf: "max({a}, {b})"}
    formula = Formula("d =", bodies.get(space.p, "({a}^{p} + {b}^{p})^(1 / {p})"), "{d}")
    return formula, {
        "a": Operand(a, "|Δ₁|", "nearest", 3),
        "b": Operand(b, "|Δ₂|", "nearest", 3),
        "p": Operand(space.p, "p", digits=-1),
    }


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
    facts = []
    operands: dict[str, object] = {}
    for k, (row, count) in enumerate(many):
        operands[f"r{k}"] = names[row]
        operands[f"m{k}"] = Operand(count, about="matrix")
        if k < SHOWN:
            facts.append(Fact(f"{{r{k}}}", f"{{m{k}}} of {{ways}}"))
    return note(
        lead,
        *facts,
        ways=Operand(len(s.nearest), about="unit"),
        others=len(many),
        x=Operand(names[many[0][0]], about="nearest"),
        **operands,
    )
