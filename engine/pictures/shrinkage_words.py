"""Words of penalised regression: one weight's best value, what becomes zero, which λ is meant. AIMA 18.6.2."""

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import subscript
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.shrinkage import Centred, largest_strength

UNEVEN = 10.0
RIDGE = Formula("w ←", "(XᵀX + {total} · I)⁻¹ Xᵀ y", "{w}")
LAMBDA = Fact("λ beside the sum of squares", "{total}")
ROWS = Fact("N", "{n}")
FREE = Fact("w₀", "not penalised")
ZERO_FROM = Fact("all weights 0 from λ", "{most}")
COMPLEXITY = Fact("complexity", "{complexity}")
LOSS = Fact("Σ (y − h)²", "{loss}")


def start_note(data: Centred, q: int, strength: float, kind: str, total: float) -> Note:
    lead = "All weights start at 0; w₀ = {level} is the mean of y and is never penalised."
    if data.uneven > UNEVEN:
        lead += " The columns have very different spreads, and the penalty depends on units: standardise them."
    most = largest_strength(data) / (data.n if kind == "mean" else 1)
    cost = "(1/N) Σ (y − h)²" if kind == "mean" else "Σ (y − h)²"
    power = "Σ |w|" if q == 1 else "Σ w²"
    return note(
        lead,
        Formula("Cost =", f"{cost} + {{strength}} · {power}"),
        ROWS,
        *((LAMBDA,) if kind == "mean" else ()),
        *((ZERO_FROM,) if q == 1 else ()),
        FREE,
        level=round(data.y_mean, 12),
        strength=Operand(strength, "λ", "strength" if strength > 0 else "", digits=-1),
        n=data.n,
        total=Operand(total, digits=2),
        most=Operand(most, digits=4),
    )


def round_note(round_: int, q: int) -> Note:
    if q == 2:
        return note("With q = 2 the best weights have a formula.", round=round_)
    return note("Round {round}: every weight in turn.", round=round_)


def take_note(k: int) -> Note:
    if k < 0:
        return note("All weights are looked at together.")
    return note("Look at {name}, the others held.", name=Operand("w" + subscript(k), about="w"))


def update_note(k: int, pull: float, threshold: float, size: float, old: float, new: float, mean: bool) -> Note:
    """The best value of one weight: its pull, brought nearer to zero by the threshold."""
    name = "w" + subscript(k)
    within, half = abs(pull) <= threshold, "Nλ/2" if mean else "λ/2"
    if size <= 0:
        lead = "{name} stays 0: its column is the same in every row."
    elif within:
        lead = "The errors pull {name} with {pull}. That is not more than {half} = {threshold}: {name} is exactly 0."
    else:
        lead = "The errors pull {name} with {pull}; the penalty takes {half} = {threshold} of it."
    sign = "−" if pull > 0 else "+"
    formulas = (
        () if within or size <= 0 else (Formula(f"{name} ←", f"({{pull}} {sign} {{threshold}}) / {{size}}", "{new}"),)
    )
    return note(
        lead,
        *formulas,
        Fact(name, "{old} → {new}"),
        name=Operand(name, about="w"),
        pull=Operand(pull, "x · r", "loss"),
        half=half,
        threshold=Operand(threshold, half, "strength" if threshold > 0 else ""),
        size=Operand(size, "(x · x)"),
        old=Operand(old, about="w"),
        new=Operand(new, name, "w"),
    )


def ridge_note(before: Float, w: Float, total: float, mean: bool) -> Note:
    lead = "The penalty adds λ to the diagonal of XᵀX: together the weights become smaller."
    if total == 0:
        lead = "λ is 0: these are the weights of least squares."
    elif not w[1:].any():
        lead = "No column goes along with y: all weights stay 0."
    return note(
        lead,
        RIDGE,
        total=Operand(total, "Nλ" if mean else "λ", "strength" if total > 0 else ""),
        w=Operand(w[1:], "w", "w"),
        w0=Operand(float(w[0])),
        before=Operand(before[1:], "w", "before"),
    )


def end_note(w: Float, size: float, loss: float, round_: int, over: bool) -> Note:
    """A round after which some weights still move; over: it was the last one."""
    lead = "Stopped after {round} {round:round|rounds}: some weights still move, so they are not settled."
    if not over:
        lead = "Round {round} is over; some weights still move."
    return _costs(lead, w, size, loss, round=round_)


def settled_note(w: Float, size: float, loss: float, q: int, total: float) -> Note:
    """The best weights are found. With several weights and a penalty the oval of the loss touches the penalty's shape."""
    zeros = [k + 1 for k in np.flatnonzero(w[1:] == 0).tolist()]
    names = ", ".join("w" + subscript(k) for k in zeros[:6]) + (" …" if len(zeros) > 6 else "")
    none = "Exactly 0: {zeros}." if zeros else "No weight is exactly 0."
    shape = "circle" if q == 2 else "diamond"
    if total == 0:
        lead = f"Settled. λ is 0, so the penalty has no say. {none}"
    elif len(w) == 2:
        lead = f"Settled where the cost is least. {none}"
    elif len(zeros) == len(w) - 1:
        lead = f"Settled: all weights are 0, the {shape} of the penalty is a single point."
    elif q == 1 and zeros:
        where = "a corner" if len(zeros) == len(w) - 2 else "an edge"
        lead = f"Settled. {none} The oval of the loss touches the diamond of the penalty at {where}."
    else:
        lead = f"Settled: the oval of the loss touches the {shape} of the penalty. {none}"
        lead += " That is not the penalty's doing: a circle has no corners." if zeros else ""
    return _costs(lead, w, size, loss, zeros=names)


def _costs(lead: str, w: Float, size: float, loss: float, **operands: int | str) -> Note:
    return note(
        lead,
        COMPLEXITY,
        LOSS,
        w=Operand(w, "w", "w"),
        complexity=Operand(size, about="penalty" if size > 0 else ""),
        loss=Operand(loss, about="loss"),
        **operands,
    )
