"""Words of EM: one example's memberships, the new means, the likelihood that never falls.

ML 6.12, Eqs 6.29-6.31.
"""

from typing import Any

from engine.algorithms.clusters.parts import Mixing
from engine.algorithms.clusters.parts.figures import member_bars, names_of
from engine.algorithms.clusters.parts.mixtures import EMPTY, memberships
from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np
from engine.numerics.closeness import tied_with_best

FEW = 4  # components up to which every one has its own formula
LIKELIHOOD = Fact("log-likelihood", "{before} → {after}")
ONE_EMPTY = " {empty} has no examples: it stays where it is."
ALL_EMPTY = " {empty} have no examples: they stay where they are."
SHIFTED = Fact("the terms", "divided by the largest of them, so that they never all vanish")


def _shares_formula(
    joint: Float, shares: Float, term: str
) -> tuple[tuple[Formula, ...], dict[str, Any]]:
    """E[z_j] = term_j / Σ terms for one example; joint (k,) ln (share · density)."""
    names = names_of(len(joint))
    terms = np.exp(joint - joint.max())
    total = "({" + "} + {".join(f"t{j}" for j in range(len(names))) + "})"
    formulas = list[Formula]()
    operands = dict[str, Any]()
    for j, name in enumerate(names):
        operands[f"t{j}"] = Operand(terms[j], term.format(name), "shapes")
        operands[f"z{j}"] = Operand(shares[j], digits=3)
        if len(names) <= FEW:
            formulas.append(Formula(f"E[z {name}] =", f"{{t{j}}} / {total}", f"{{z{j}}}"))
    return tuple(formulas), operands


def round(given: Mixing[Any], s: Any) -> Note:
    return note("Round {round} begins.", round=s.round)


def e(given: Mixing[Any], s: Any) -> Note:
    """The note of the memberships of the most doubtful example."""
    joint = given.joint(s, given.problem.X[[s.current]])[:, 0]
    formulas, operands = _shares_formula(joint, s.responsibilities[s.current], given.term)
    return note(
        "E step: every example is shared out among the components, by how likely each would have"
        " made it. The more doubtful one is, the smaller it is drawn; {point} is as doubtful as"
        " any.",
        *formulas,
        SHIFTED,
        point=Operand(given.problem.names[s.current], about="current"),
        **operands,
    )


def m_note(given: Mixing[Any], s: Any, before: float, lead: str) -> Note:
    """The note of the new means Σ E[z] x / Σ E[z], with the likelihood before and after."""
    mass = s.responsibilities.sum(axis=0)
    sums = s.responsibilities.T @ given.problem.X
    names = names_of(len(mass))
    formulas = list[Formula]()
    operands = dict[str, Any]()
    for j, name in enumerate(names):
        if mass[j] > EMPTY and len(names) <= FEW:
            formulas.append(Formula(f"{name} ←", f"{{s{j}}} / {{n{j}}}", f"{{m{j}}}"))
            operands[f"s{j}"] = Operand(sums[j], "Σ E[z] x", "data")
            operands[f"n{j}"] = Operand(mass[j], "Σ E[z]", "N")
            operands[f"m{j}"] = Operand(s.means[j], name, "means")
    empty = [name for j, name in enumerate(names) if mass[j] <= EMPTY]
    operands["empty"] = Operand(", ".join(empty), about="means")
    if len(empty) == 1:
        lead += ONE_EMPTY
    elif empty:
        lead += ALL_EMPTY
    return note(lead, *formulas, LIKELIHOOD, before=before, after=s.log_likelihood, **operands)


def explain(given: Mixing[Any], s: Any, x: Float) -> Explanation:
    """The memberships of x (d,); the label is −1, because clusters have no class."""
    joint = given.joint(s, x[None])[:, 0]
    shares = memberships(joint[:, None])[0][:, 0]
    formulas, operands = _shares_formula(joint, shares, given.term)
    best = int(joint.argmax())
    leads = tied_with_best(joint, size=1.0)
    ahead = [name for name, leading in zip(names_of(len(joint)), leads, strict=True) if leading]
    if len(ahead) > 1:
        lead = "No component is ahead at this place: {name} have a share of {share} each."
    else:
        lead = "This place is called {name}: a share of {share} of it belongs there."
    words = note(
        lead,
        *formulas,
        SHIFTED,
        name=Operand(" and ".join(ahead), about="means"),
        share=Operand(shares[best], digits=3),
        **operands,
    )
    return Explanation(-1, words, member_bars(shares, "Memberships"))
