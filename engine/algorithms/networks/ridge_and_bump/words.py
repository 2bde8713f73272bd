"""The words of ridge and bump, with the numbers at the centre of the bump.

AIMA 18.7.3, Fig 18.23.
"""

from engine.algorithms.networks.parts.figures import MOST_TERMS, symbols, unit_tag, unit_tags
from engine.algorithms.networks.parts.words import output_sum
from engine.algorithms.networks.ridge_and_bump import Params, Setting, State
from engine.algorithms.networks.ridge_and_bump.recipe import REACH
from engine.authoring import Explanation, Fact, Float, Formula, Mapping, Note, Operand, note, short
from engine.numerics.activations import logistic

SUMMARY = (
    "Nothing is learnt here: the weights are set by hand. Two opposite sigmoids add up to a ridge,"
    " two crossed ridges to a bump, and bumps to any shape."
)
ERRATA = (
    (
        "AIMA Fig 18.23 prints no weights. The lab's recipe for −4 to 4: f = g(5(x₁ + 2)) + g(5(−x₁"
        " + 2)), a ridge is g(10(f − 1.5)); with the same pair in x₂ added to f a bump is g(10(f −"
        " 3.5))."
    ),
)
ANY = (
    "The output adds up {bumps} {bumps:bump|bumps}. Enough of them come near any shape: AIMA 18.7.3"
    " says that one hidden layer does for every continuous function, two for any."
)


RIDGE = "The output is one ridge: two opposite sigmoids, cut at {at}."


def wording(p: Params) -> Mapping[str, str]:
    alone = {"sum": "out ← r, the ridge alone"} if p.bumps == "a ridge alone" else {}
    return alone | {
        "ridge": f"  cut: g(s·(f − {short(p.ridge_at)}))",
        "bump": f"  cut: z ← g(s·(f − {short(p.bump_at)}))",
    }


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {short(p.steepness)}, s = {short(p.cut)}", "picture from −4 to 4")


def slope(given: Setting, s: State) -> Note:
    lead = (
        "{what} {bump}: a sigmoid rises from 0 to 1 where {name} crosses its line, b before the"
        " centre."
    )
    return _said(
        given,
        s,
        lead,
        "g({k}·{b})",
        what=_what(given).capitalize(),
        bump=Operand(s.bump + 1),
        name=given.names[0],
        k=Operand(given.p.steepness, "k", digits=-1),
        b=Operand(given.p.width, "b", digits=-1),
    )


def pair(given: Setting, s: State) -> Note:
    lead = (
        "The opposite sigmoid falls beyond it. Their sum f is about 2 between both lines and about"
        " 1 elsewhere."
    )
    fact = Fact("f in the middle and far away", "{out}, {far}")
    return _sum(given, s, lead, fact, far=_height(given, s, 0))


def ridge(given: Setting, s: State) -> Note:
    lead = "The sum is cut at {at}: a ridge, 1 on it and 0 beside it."
    return _cut(given, s, lead, given.p.ridge_at)


def cross(given: Setting, s: State) -> Note:
    lead = (
        "A pair across {name} is added: f is about 4 where both ridges cross, 3 on one of them, 2"
        " elsewhere."
    )
    return _sum(
        given,
        s,
        lead,
        Fact("f in the middle, on one ridge, elsewhere", "{out}, {one}, {none}"),
        name=given.names[1],
        one=_height(given, s, 0),
        none=_height(given, s, 0, 1),
    )


def bump(given: Setting, s: State) -> Note:
    if len(given.axes) == 1:
        return _cut(given, s, "With one column the ridge is the bump.", given.p.ridge_at)
    lead = "The sum is cut at {at}: a bump, 1 where both ridges cross."
    return _cut(given, s, lead, given.p.bump_at)


def sum(given: Setting, s: State) -> Note:
    fact = Fact("hidden units", "{hidden} and {bumps}")
    bumps = Operand(len(given.centres))
    hidden = Operand(s.weights[0].shape[1])
    lead = RIDGE if _what(given) == "ridge" else ANY
    return _sum(
        given, s, lead, fact, bumps=bumps, hidden=hidden, at=Operand(given.p.ridge_at, digits=-1)
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the output as a sum, compared with the level."""
    label = int(given.predict(s, x[None])[0])
    level = Operand(s.level, digits=-1)
    formula, used = output_sum(given.units(s), s.weights, given.answers(s, x))
    side = "at least" if label == 0 else "below"
    lead = f"This is called {{label}}: the output is {{a}}, {side} {{level}}."
    name = given.problem.class_text(label)
    return Explanation(label, note(lead, formula, **used, level=level, label=name))


def _sum(given: Setting, s: State, lead: str, fact: Fact, **operands: Operand | str) -> Note:
    """What the output adds up; of many units only the sum."""
    parts = given.answers(s, given.centre(s))[-2]
    layer = len(s.weights) - 1
    names = symbols(s.weights)[-2]
    tags = unit_tags(layer, len(parts))
    if len(parts) > MOST_TERMS:
        used = {"all": Operand(float(parts.sum()), "Σ z", unit_tag(layer + 1, 0), 4)}
    else:
        used = {
            f"a{j}": Operand(float(a), names[j], tags[j], 4) for j, a in enumerate(parts.tolist())
        }
    body = " + ".join(f"{{{name}}}" for name in used)
    return _said(given, s, lead, body, fact, **used, **operands)


def _cut(given: Setting, s: State, lead: str, at: float) -> Note:
    """What the output makes of the sum before it."""
    f = float(given.answers(s, given.centre(s))[-2].sum())
    return _said(
        given,
        s,
        lead,
        "g({steep}·({f} − {at}))",
        steep=Operand(given.p.cut, "s", digits=-1),
        f=Operand(f, "f", digits=4),
        at=Operand(at, digits=-1),
    )


def _what(given: Setting) -> str:
    """What the output is one of."""
    return "ridge" if given.p.bumps == "a ridge alone" else "bump"


def _said(
    given: Setting, s: State, lead: str, body: str, *facts: Fact, **operands: Operand | str
) -> Note:
    """The output at the centre as {out} = body, and what else is to be said of it."""
    whole = s.bump < 0 and len(given.centres) > 1
    where = Fact("computed", "at the centre of the " + ("first" if whole else _what(given)))
    formula = Formula(f"{s.name} =", body, "{out}", logistic)
    wrong = Fact("wrong points", "{errors}")
    return note(
        lead, formula, where, *facts, wrong, **operands, out=_height(given, s), errors=s.errors
    )


def _height(given: Setting, s: State, *away: int) -> Operand:
    """The output at the centre, or as far from it along some of the axes as the picture reaches."""
    x = given.centre(s).copy()
    for k in away:
        axis = given.axes[k]
        x[axis] += 2 * REACH * given.unit[axis]
    return Operand(float(given.height(s, x[None])[0]), s.name, unit_tag(len(s.weights), 0), 4)
