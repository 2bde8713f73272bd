"""Why a network that has learnt says what it says. AIMA 18.7.1."""

from typing import Any

from engine.algorithms.networks.parts import Arrays, Units
from engine.algorithms.networks.parts.figures import symbols, unit_tag, weighted_sum
from engine.algorithms.networks.parts.network_setting import NetworkSetting
from engine.algorithms.networks.parts.pictures import output_bars
from engine.authoring import Explanation, Float, Formula, Note, Operand, note, short
from engine.numerics.activations import Activation

FLAT = (
    " {flat} of the {answers} {answers:answer|answers} of its units to the examples {flat:is so"
    " near its end|are so near their ends} that g′ is almost 0: such units hardly learn. To let"
    " them learn, standardise the columns in the data panel."
)
TOO_LARGE = (
    "a weight left all bounds, because the rate α = {rate} is too large for these numbers. The"
    " weights from before are kept. Take a smaller rate, or standardise the columns in the data"
    " panel."
)
DIVERGED = "Diverged: " + TOO_LARGE
DIVERGED_AT = "Diverged: {where} " + TOO_LARGE


def explain(given: NetworkSetting[Any], s: Any, x: Float) -> Explanation:
    """The answer at x (d,), with the deciding output as a sum over the units before it."""
    problem = given.problem
    weights = given.units.deciding(s.weights)
    a = given.forward(weights, x)
    label = -1 if problem.regress else int(given.predict(s, x[None])[0])
    formula, used = output_sum(given.units, weights, a, int(a[-1].argmax()))
    if problem.regress:
        lead = "The network says {a}."
    elif len(a[-1]) > 1:
        lead = "This is called {label}: its output {a} is the largest."
    elif label == 0:
        lead = "This is called {label}: the output is {a}, at least ½."
    else:
        lead = "This is called {label}: the output is {a}, less than ½."
    called = Operand(problem.class_text(label) if problem.classes else "")
    return Explanation(
        label,
        note(lead, formula, **used, label=called),
        output_bars(problem, given.units, weights, a),
    )


def output_sum(
    units: Units, weights: Arrays, a: Arrays, j: int = 0
) -> tuple[Formula, dict[str, Operand]]:
    """(formula, operands) of the activation {a} of output unit j."""
    names = symbols(weights)
    layer = len(weights)
    body, used = weighted_sum(weights[-1][:, j], a[-2], names[-2], (layer - 1, j), "")
    formula = answer_formula(names[-1][j], units.output, body, "{a}")
    return formula, used | {"a": answer(a[-1][j], names[-1][j], layer, j)}


def answer_formula(name: str, unit: Activation, body: str, result: str) -> Formula:
    """The formula name = g(body), or name = body for a linear unit."""
    inner = body if unit.name == "identity" else f"g({body})"
    return Formula(f"{name} =", inner, result, unit.g)


def hidden_chip(p: Any) -> str:
    """The hidden layers as a short text: "4 hidden units", "8, 2 hidden units"."""
    counts = ", ".join(map(short, p.hidden)) or "no"
    units = "unit" if tuple(p.hidden) == (1,) else "units"
    return f"{counts} hidden {units}"


def diverged(given: NetworkSetting[Any], where: str = "") -> Note:
    """The note of a step that made a weight overflow; the state shown is the one before. where: the
    example, "" for all
    """
    return note(
        DIVERGED_AT if where else DIVERGED,
        where=where,
        rate=Operand(given.p.rate, "α", digits=-1),
    )


def flat_units(given: NetworkSetting[Any], s: Any) -> tuple[str, dict[str, int]]:
    """A sentence and its operands where most answers of the network's sigmoid units to the examples
    are at their ends, as with columns that are far from size 1; else no words.
    """
    flat, answers = given.flat_answers(s.weights)
    if 2 * flat <= answers:
        return "", {}
    return FLAT, {"flat": flat, "answers": answers}


def answer(value: float, name: str, layer: int, unit: int) -> Operand:
    """The activation of a unit as an operand, named as in the figure."""
    return Operand(float(value), name, unit_tag(layer, unit), 3)
