"""What descents with a penalty say of it: in the formula of a step, in facts, in chips."""

from typing import Any

from engine.algorithms.linear.parts.penalty import Penalised
from engine.authoring import Fact, Float, Formula, Operand, np, short

SAID = {
    "ridge": " The penalty α Σ w² is part of the loss: it pulls every weight but the bias to 0.",
    "lasso": (
        " The penalty α Σ |w| is part of the loss: after each step S takes η α off every weight but"
        " the bias, at most down to 0."
    ),
}
PART = " A step on a part of the examples takes the same part of α."
COST = {
    "ridge": Fact("α Σ w² in the loss", "{cost}"),
    "lasso": Fact("α Σ |w| in the loss", "{cost}"),
}
ZEROS = Fact("weights of exactly 0", "{zeros}")


def start_words(p: Any) -> str:
    """The sentence of the first step on the penalty; "" without one."""
    words = SAID.get(p.penalty, "")
    return words if p.mode == "batch" or not words else words + PART


def penalty_chips(p: Any) -> tuple[str, ...]:
    """The chips that name the penalty of these parameters, () without one."""
    return () if p.penalty == "none" else (f"{p.penalty} α {short(p.strength)}",)


def penalty_facts(given: Penalised, w: Float) -> tuple[tuple[Fact, ...], dict[str, Operand]]:
    """(facts, operands) of the penalty of weights w; ((), {}) without one."""
    cost = COST.get(given.p.penalty)
    if cost is None:
        return (), {}
    facts = (cost, ZEROS) if given.lasso else (cost,)
    zeros = int(np.count_nonzero(w[..., :-1] == 0))
    return facts, {"cost": Operand(given.cost(w), "α Σ", digits=3), "zeros": Operand(zeros)}


def step_formulas(
    given: Penalised, before: Float, eta: float, pull: Float, pulls: str, share: float = 1.0
) -> tuple[tuple[Formula, ...], dict[str, Operand]]:
    """(formulas, further operands) of one vector of weights in a step at rate η.

    before: (d + 1,) the weights, in the formula {before}, after the step {after}; pull: (d + 1,) of
    the loss, in the formula `pulls`; share: of the penalty that the step takes
    """
    if given.ridge:
        symbol = {1.0: "2αw", given.share(1): "2αw/n"}.get(share, "2αw · b/n")
        back = Operand(given.back(before, share), symbol, "before")
        formula = Formula("w ←", f"{{before}} + {{eta}} · ({pulls} − {{back}})", "{after}")
        return (formula,), {"back": back}
    step = f"{{before}} + {{eta}} · {pulls}"
    if not given.lasso:
        return (Formula("w ←", step, "{after}"),), {}
    moved = before + eta * pull
    operands = {
        "moved": Operand(moved, "w"),
        "cut": Operand(given.cut(moved, eta, share), "taken off"),
    }
    return (
        Formula("w ←", step, "{moved}"),
        Formula("S(w) =", "{moved} − {cut}", "{after}"),
    ), operands
