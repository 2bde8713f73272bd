"""Words of back-propagation: forward and backward unit by unit, the step of the weights, the end of an epoch. AIMA 18.7.4."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import MINUS, fixed, number
from engine.core.problem import Problem
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.activations import Activation
from engine.pictures.networks import link_tag, symbols, unit_tag

MOST_UNITS, MOST_TERMS = 3, 4  # that a note spells out; the figure shows all
LOSS = Fact("loss", "{loss}")
WRONG = Fact("wrong points", "{errors}")
LONGEST = Fact("written out", "the longest step in each layer")
WORST = Fact("worst example", "{point}: {said} instead of {wanted}")


def init_note(sizes: Sequence[int], scale: float, given: bool) -> Note:
    if given:
        return note("The weights of a {net} network start as given.", net="-".join(map(str, sizes)))
    return note(
        "The weights of a {net} network start as small random numbers between −{scale} and {scale}. Equal weights would "
        "stay equal for ever.",
        net="-".join(map(str, sizes)),
        scale=Operand(scale, digits=-1),
    )


def epoch_note(epoch: int) -> Note:
    return note("Epoch {epoch} begins: every example once.", epoch=epoch)


def input_note(problem: Problem, row: int, y: Float) -> Note:
    """The example is put in; y: what the output units should say."""
    return note(
        "Put in {point}. The output should be {y}.",
        point=Operand(problem.names[row], about="current"),
        y=Operand(_plain(y), "y"),
        x=Operand(problem.X[row], "x", "current"),
    )


def forward_note(weights: Sequence[Float], answers: Sequence[Float], layer: int, g: Activation) -> Note:
    """The units of `layer` answer."""
    said = symbols(weights)
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for j in range(min(len(answers[layer]), MOST_UNITS)):
        w, place = weights[layer - 1][:, j], (layer - 1, j)
        body, used = weighted_sum(w, answers[layer - 1], said[layer - 1], place, f"_{j}")
        formulas.append(Formula(f"{said[layer][j]} =", body if g.name == "identity" else f"g({body})", f"{{a{j}}}"))
        operands |= {**used, f"a{j}": _answer(answers[layer][j], said[layer][j], layer, j)}
    last = layer == len(weights)
    lead = "Forward: the output is {out}." if last else "Forward: the hidden units answer {out}."
    return note(lead, *formulas, **operands, out=Operand(_plain(answers[layer]), "a"))


def weighted_sum(
    w: Float, a: Float, names: Sequence[str], place: tuple[int, int], suffix: str
) -> tuple[str, dict[str, Operand]]:
    """Σ w a and the bias, into unit (gap, j): the template of the sum, and its operands, whose names end in `suffix`."""
    gap, j = place
    if len(a) > MOST_TERMS:
        return f"{{in{suffix}}}", {f"in{suffix}": Operand(float(a @ w[:-1] + w[-1]), "Σ w·a", unit_tag(gap + 1, j), 3)}
    used = {}
    for i, name in enumerate(names[:-1]):
        used[f"w{i}{suffix}"] = Operand(_signed(w[i], i > 0), f"w({name})", link_tag((gap, i, j)))
        used[f"x{i}{suffix}"] = Operand(_signed(a[i], True, 2), name, unit_tag(gap, i))
    used[f"b{suffix}"] = Operand(_signed(w[-1], True), "w₀", link_tag((gap, len(a), j)))
    terms = [f"{{w{i}{suffix}}}·{{x{i}{suffix}}}" for i in range(len(a))]
    return " + ".join([*terms, f"{{b{suffix}}}"]), used


def output_note(
    weights: Sequence[Float], answers: Sequence[Float], deltas: Sequence[Float], y: Float, g: Activation
) -> Note:
    """Δ of the output units."""
    layer, said = len(weights), symbols(weights)[-1]
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for j in range(min(len(y), MOST_UNITS)):
        slope = "" if g.name == "identity" else g.slope_text.format(a=f"{{a{j}}}") + "·"
        formulas.append(Formula(f"Δ{_suffix(said[j])} =", f"{slope}({{y{j}}} − {{a{j}}})", f"{{d{j}}}"))
        operands[f"a{j}"] = _answer(answers[-1][j], said[j], layer, j)
        operands[f"y{j}"] = Operand(float(y[j]), "y")
        operands[f"d{j}"] = _delta(deltas[-1][j], said[j], layer, j)
    lead = "Backward: how wrong the output is, times the slope of g there."
    return note(lead, *formulas, **operands, delta=Operand(deltas[-1], "Δ", digits=4))


def hidden_note(
    weights: Sequence[Float], answers: Sequence[Float], deltas: Sequence[Float], layer: int, g: Activation
) -> Note:
    """Δ of the hidden units of `layer`, from the layer after it."""
    names, beyond, w = symbols(weights), deltas[layer], weights[layer]
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for i in range(min(len(answers[layer]), MOST_UNITS)):
        said = names[layer][i]
        slope = g.slope_text.format(a=f"{{a{i}}}")
        operands[f"a{i}"] = _answer(answers[layer][i], said, layer, i)
        operands[f"d{i}"] = _delta(deltas[layer - 1][i], said, layer, i)
        terms = [f"{{w{i}_{k}}}·{{e{i}_{k}}}" for k in range(len(beyond))]
        if len(beyond) > MOST_TERMS:
            terms = [f"{{s{i}}}"]
            operands[f"s{i}"] = Operand(float(w[i] @ beyond), "Σ w·Δ", digits=4)
        else:
            for k, name in enumerate(names[layer + 1][:-1]):
                operands[f"w{i}_{k}"] = Operand(_signed(w[i, k], True), f"w({name})", link_tag((layer, i, k)))
                operands[f"e{i}_{k}"] = _delta(beyond[k], name, layer + 1, k, True)
        inner = " + ".join(terms)
        inner = f"({inner})" if len(terms) > 1 else inner
        formulas.append(Formula(f"Δ{_suffix(said)} =", f"{slope}·{inner}", f"{{d{i}}}"))
    lead = "Backward: the blame comes back over the same links, by the weights as they still are."
    return note(lead, *formulas, **operands, delta=Operand(deltas[layer - 1], "Δ", digits=4))


def told(problem: Problem, loss: float, errors: int, row: int) -> dict[str, Operand]:
    """Operands that several notes have: the loss, the wrong points of a problem with classes, the example at hand."""
    known = {"loss": Operand(loss, digits=4)}
    if problem.classes:
        known["errors"] = Operand(errors)
    if row >= 0:
        known["point"] = Operand(problem.names[row], about="current")
    return known


def update_note(
    before: Sequence[Float], after: Sequence[Float], rate: float, decay: float, told: dict[str, Operand]
) -> Note:
    """Of every gap the link that changed most; without a point all examples took the step together."""
    batch = "point" not in told
    names = symbols(before)
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for gap, (old, new) in enumerate(zip(before, after, strict=True)):
        i, j = map(int, np.unravel_index(int(np.abs(new - old).argmax()), old.shape))
        kept = decay and i < len(old) - 1
        shrunk = float(old[i, j]) * (1.0 - rate * decay) if kept else float(old[i, j])
        body = f"{{w{gap}}} + {{rate}}·{{g{gap}}}"
        formulas.append(
            Formula(
                f"w({names[gap][i]}→{names[gap + 1][j]}) ←",
                f"(1 − {{rate}}·{{decay}})·{body}" if kept else body,
                f"{{n{gap}}}",
            )
        )
        operands[f"w{gap}"] = Operand(float(old[i, j]), "w", link_tag((gap, i, j)), 4)
        operands[f"n{gap}"] = Operand(float(new[i, j]), "w", link_tag((gap, i, j)), 4)
        change = (float(new[i, j]) - shrunk) / rate
        operands[f"g{gap}"] = Operand(_signed(change, True, 4), "mean of a·Δ" if batch else "a·Δ")
    operands |= {"rate": Operand(rate, "α", digits=-1), "decay": Operand(decay, "λ", digits=-1)}
    lead = "Every weight takes a step downhill in the error " + ("of all examples." if batch else "at {point}.")
    facts = [LONGEST, *(fact for fact, name in ((LOSS, "loss"), (WRONG, "errors")) if name in told)]
    return note(lead, *formulas, *facts, **operands, **told)


ENDINGS = {"clean": "Now no point is wrong.", "converged": "The loss is small enough."}


def end_note(epoch: int, told: dict[str, Operand], said: Float, y: Float, events: Sequence[str]) -> Note:
    """The epoch is over. The point told of has the largest error; said, y: its outputs as they are and should be."""
    lead = "Epoch {epoch} is over: " + (
        "wrong points {errors}, loss {loss}." if "errors" in told else "the loss is {loss}."
    )
    return note(
        " ".join([lead, *(ENDINGS[event] for event in events)]),
        WORST,
        epoch=epoch,
        said=Operand(_plain(said), "a"),
        wanted=Operand(_plain(y), "y"),
        **told,
    )


def diverged_note(problem: Problem, rate: float, row: int) -> Note:
    """The step was so long that a weight is no number any more; the state is the one before it."""
    where = f"after {problem.names[row]}" if row >= 0 else "after all examples"
    return note(
        "Diverged: {where} a weight left all bounds, because the rate α = {rate} is too large for these numbers. The weights "
        "from before are kept. Take a smaller rate, or standardise the columns in the data panel.",
        where=where,
        rate=Operand(rate, "α", digits=-1),
    )


def explained_note(problem: Problem, weights: Sequence[Float], a: Sequence[Float], g: Activation, label: int) -> Note:
    """Why this label: the output unit that decides, as a sum over the units before it."""
    layer, j = len(weights), int(a[-1].argmax())
    name = symbols(weights)[-1][j]
    body, used = weighted_sum(weights[-1][:, j], a[-2], symbols(weights)[-2], (layer - 1, j), "")
    formula = Formula(f"{name} =", body if g.name == "identity" else f"g({body})", "{a}")
    if problem.regress:
        lead = "The network says {a}."
    elif len(a[-1]) > 1:
        lead = "This is called {label}: its output {a} is the largest."
    else:
        lead = "This is called {label}: the output is {a}, " + ("at least ½." if label == 0 else "less than ½.")
    told = Operand(problem.class_text(label) if problem.classes else "")
    return note(lead, formula, **used, a=_answer(a[-1][j], name, layer, j), label=told)


def _answer(value: float, name: str, layer: int, unit: int) -> Operand:
    return Operand(float(value), name, unit_tag(layer, unit), 3)


def _delta(value: float, name: str, layer: int, unit: int, inside: bool = False) -> Operand:
    shown = _signed(value, True, 4) if inside else float(value)
    return Operand(shown, f"Δ{_suffix(name)}", unit_tag(layer, unit), 4)


def _suffix(name: str) -> str:
    return f"({name})"


def _signed(value: float, inside: bool, digits: int = 3) -> str:
    """A number inside a sum or product; a negative one in brackets."""
    text = number(value) if float(value).is_integer() else fixed(value, digits)
    return f"({text})" if inside and text.startswith(MINUS) else text


def _plain(y: Float) -> Any:
    return float(y[0]) if len(y) == 1 else y
