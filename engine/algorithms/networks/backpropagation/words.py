"""What back-propagation says: forward and backward unit by unit, the step of weights, an epoch's
end. AIMA 18.7.4.
"""

from typing import Any

from engine.algorithms.networks.backpropagation import Params, Setting, State
from engine.algorithms.networks.parts.figures import (
    MOST_TERMS,
    link_tag,
    symbols,
    unit_tag,
    weighted_sum,
)
from engine.algorithms.networks.parts.network_setting import net_text
from engine.algorithms.networks.parts.words import (
    answer,
    answer_formula,
    diverged,
    explain,
    flat_units,
    hidden_chip,
)
from engine.authoring import Fact, Float, Formula, Note, Operand, Sequence, note, np, short

__all__ = ["explain"]

SUMMARY = (
    "Units in layers pass their answers forward. What is wrong at the outputs is passed back over"
    " the same links as blame for every hidden unit, and each weight takes a small step downhill."
    " Hidden units bend the boundary."
)
ERRATA = (
    (
        "AIMA Fig 18.24 draws the random weights inside the repeat loop: every epoch would forget"
        " the one before. Here they are drawn once, before the loop."
    ),
    (
        "The figure's backward loop runs down to layer 1. The inputs have no in and no Δ: it stops"
        " at layer 2."
    ),
    (
        "AIMA 18.7.4 derives ∂Loss/∂w = −aΔ. Of the squared loss it is −2aΔ, and for a hidden"
        " weight Δ holds the sum over all outputs. The rate α takes up the 2, but a gradient check"
        " shows a ratio of exactly 2."
    ),
    "All Δ are computed with the old weights; only then the weights change.",
    "AIMA Fig 18.20(b) has two output units; its caption speaks of one.",
    (
        "AIMA 18.7.4 reports a perfect fit to 100 restaurant rows. Some start weights lead there,"
        " others end nearby."
    ),
)
RANDOM = (
    "The weights of a {net} network start as small random numbers between −{scale} and {scale}."
    " Equal weights would stay equal for ever."
)
MOST_UNITS = 3  # that a note spells out; the figure shows all
LOSS = Fact("loss", "{loss}")
WRONG = Fact("wrong points", "{errors}")
LONGEST = Fact("written out", "the longest step in each layer")
WORST = Fact("worst example", "{point}: {said} instead of {wanted}")


def chips(p: Params) -> tuple[str, ...]:
    return (hidden_chip(p), p.activation, f"α {short(p.rate)}")


def init(given: Setting, s: State) -> Note:
    lead = "The weights of a {net} network start as given." if given.p.start else RANDOM
    flat, counts = flat_units(given, s)
    return note(
        lead + flat,
        net=net_text(given.sizes),
        scale=Operand(given.p.scale, digits=-1),
        **counts,
    )


def epoch(given: Setting, s: State) -> Note:
    return note("Epoch {epoch} begins: every example once.", epoch=s.epoch)


def input(given: Setting, s: State) -> Note:
    return note(
        "Put in {point}. The output should be {y}.",
        point=Operand(given.problem.names[s.current], about="current"),
        y=Operand(_plain(given.wanted(s.current)), "y"),
        x=Operand(given.problem.X[s.current], "x", "current"),
    )


def forward(given: Setting, s: State) -> Note:
    """The note of the activations of the last layer computed."""
    weights = s.weights
    answers = s.activations
    names = symbols(s.weights)
    layer = sum(len(a) > 0 for a in answers) - 1
    g = given.g(layer)
    formulas = list[Formula]()
    operands = dict[str, Operand]()
    for j in range(min(len(answers[layer]), MOST_UNITS)):
        w = weights[layer - 1][:, j]
        name = names[layer][j]
        place = (layer - 1, j)
        body, used = weighted_sum(w, answers[layer - 1], names[layer - 1], place, f"_{j}")
        formulas.append(answer_formula(name, g, body, f"{{a{j}}}"))
        operands |= used
        operands[f"a{j}"] = answer(answers[layer][j], name, layer, j)
    last = layer == len(weights)
    lead = "Forward: the output is {out}." if last else "Forward: the hidden units answer {out}."
    return note(lead, *formulas, **operands, out=Operand(_plain(answers[layer]), "a"))


def output(given: Setting, s: State) -> Note:
    """The note of Δ of the output units."""
    answers = s.activations
    deltas = s.deltas
    y = given.wanted(s.current)
    g = given.units.output
    layer = len(s.weights)
    said = symbols(s.weights)[-1]
    formulas = list[Formula]()
    operands = dict[str, Operand]()
    for j in range(min(len(y), MOST_UNITS)):
        slope = "" if g.name == "identity" else g.slope_text.format(a=f"{{a{j}}}") + "·"
        formulas.append(Formula(f"Δ({said[j]}) =", f"{slope}({{y{j}}} − {{a{j}}})", f"{{d{j}}}"))
        operands[f"a{j}"] = answer(answers[-1][j], said[j], layer, j)
        operands[f"y{j}"] = Operand(float(y[j]), "y")
        operands[f"d{j}"] = _delta(deltas[-1][j], said[j], layer, j)
    lead = "Backward: how wrong the output is, times the slope of g there."
    return note(lead, *formulas, **operands, delta=Operand(deltas[-1], "Δ", digits=4))


def hidden(given: Setting, s: State) -> Note:
    """The note of Δ of the last hidden layer computed, from the layer after it."""
    answers = s.activations
    deltas = s.deltas
    g = given.units.hidden
    layer = sum(len(delta) == 0 for delta in deltas) + 1
    names = symbols(s.weights)
    beyond = deltas[layer]
    w = s.weights[layer]
    formulas = list[Formula]()
    operands = dict[str, Operand]()
    for i in range(min(len(answers[layer]), MOST_UNITS)):
        said = names[layer][i]
        slope = g.slope_text.format(a=f"{{a{i}}}")
        operands[f"a{i}"] = answer(answers[layer][i], said, layer, i)
        operands[f"d{i}"] = _delta(deltas[layer - 1][i], said, layer, i)
        if len(beyond) > MOST_TERMS:
            terms = [f"{{s{i}}}"]
            operands[f"s{i}"] = Operand(float(w[i] @ beyond), "Σ w·Δ", digits=4)
        else:
            terms = [f"{{w{i}_{k}}}·{{e{i}_{k}}}" for k in range(len(beyond))]
            for k, name in enumerate(names[layer + 1][:-1]):
                link = link_tag((layer, i, k))
                operands[f"w{i}_{k}"] = Operand(float(w[i, k]), f"w({name})", link, 3)
                operands[f"e{i}_{k}"] = _delta(beyond[k], name, layer + 1, k)
        inner = f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]
        formulas.append(Formula(f"Δ({said}) =", f"{slope}·{inner}", f"{{d{i}}}"))
    lead = "Backward: the blame comes back over the same links, by the weights as they still are."
    return note(lead, *formulas, **operands, delta=Operand(deltas[layer - 1], "Δ", digits=4))


def shared_operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that several notes share: loss, errors of a problem with classes, current
    example.
    """
    operands = {"loss": Operand(s.loss, digits=4)}
    if given.problem.classes:
        operands["errors"] = Operand(s.errors)
    if s.current >= 0:
        operands["point"] = Operand(given.problem.names[s.current], about="current")
    return operands


def update(given: Setting, s: State, lost: int | None = None) -> Note:
    """The note of a step, with the link of each gap that changed most. lost: row whose step
    diverged, −1 for all, None for none
    """
    if lost is not None:
        last = given.problem.names[lost] if lost >= 0 else "all examples"
        return diverged(given, f"after {last}")
    batch = s.current < 0
    names = symbols(s.weights)
    rate = given.p.rate
    decay = given.p.decay
    formulas = list[Formula]()
    operands = dict[str, Operand]()
    for gap, (old, new) in enumerate(zip(s.before, s.weights, strict=True)):
        largest = int(np.float32(np.abs(new - old)).argmax())
        i, j = map(int, np.unravel_index(largest, old.shape))
        body = f"{{w{gap}}} + {{rate}}·{{g{gap}}}"
        shrunk = float(old[i, j])
        if decay and i < len(old) - 1:  # not of a bias
            body = f"(1 − {{rate}}·{{decay}})·{body}"
            shrunk *= 1.0 - rate * decay
        formulas.append(Formula(f"w({names[gap][i]}→{names[gap + 1][j]}) ←", body, f"{{n{gap}}}"))
        link = link_tag((gap, i, j))
        change = (float(new[i, j]) - shrunk) / rate
        operands[f"w{gap}"] = Operand(float(old[i, j]), "w", link, 4)
        operands[f"n{gap}"] = Operand(float(new[i, j]), "w", link, 4)
        operands[f"g{gap}"] = Operand(change, "mean of a·Δ" if batch else "a·Δ", digits=4)
    operands["rate"] = Operand(rate, "α", digits=-1)
    operands["decay"] = Operand(decay, "λ", digits=-1)
    lead = DOWNHILL_OF_ALL if batch else DOWNHILL
    shared = shared_operands(given, s)
    facts = [LONGEST, LOSS]
    if "errors" in shared:
        facts.append(WRONG)
    return note(lead, *formulas, *facts, **operands, **shared)


DOWNHILL = "Every weight takes a step downhill in the error at {point}."
DOWNHILL_OF_ALL = "Every weight takes a step downhill in the error of all examples."
ENDINGS = {"clean": "Now no point is wrong.", "converged": "The loss is small enough."}


def until(given: Setting, s: State, ends: Sequence[str]) -> Note:
    """The note of an epoch's end, with the example of largest error. ends: the reasons why the run
    ends here, () while it goes on
    """
    shared = shared_operands(given, s)
    known = "wrong points {errors}, loss {loss}" if "errors" in shared else "the loss is {loss}"
    lead = [f"Epoch {{epoch}} is over: {known}."]
    return note(
        " ".join(lead + [ENDINGS[end] for end in ends]),
        WORST,
        epoch=s.epoch,
        said=Operand(_plain(s.activations[-1]), "a"),
        wanted=Operand(_plain(given.wanted(s.current)), "y"),
        **shared,
    )


def _delta(value: float, name: str, layer: int, unit: int) -> Operand:
    """Δ of a unit, by the unit's name in the figure."""
    return Operand(float(value), f"Δ({name})", unit_tag(layer, unit), 4)


def _plain(y: Float) -> Any:
    """The number of a single unit, or all numbers."""
    return float(y[0]) if len(y) == 1 else y
