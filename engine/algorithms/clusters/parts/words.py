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
ALL_EMPTY = " {empty} have no examples: they stay where they are."
SHIFTED = Fact("the terms", "divided by the largest of them, so that they never all vanish")


def _shares_formula(
    joint: Float, shares: Float, term: str
) -> tuple[tuple[Formula, ...], dict[str, Any]]:
    """E[z_j] = term_j / Σ terms for one example; joint (k,) ln (share · density)."""
    terms = np.exp(joint - joint.max())
    named = list(enumerate(names_of(len(joint))))
    total = "({" + "} + {".join(f"t{j}" for j, _ in named) + "})"
    shown = named if len(named) <= FEW else ()
    formulas = tuple(Formula(f"E[z {n}] =", f"{{t{j}}} / {total}", f"{{z{j}}}") for j, n in shown)
    operands: dict[str, Any] = {
        f"t{j}": Operand(terms[j], term.format(n), "shapes") for j, n in named
    }
    operands |= {f"z{j}": Operand(shares[j], digits=3) for j, _ in named}
    return formulas, operands


def round(given: Mixing[Any], s: Any) -> Note:
    return note("Round {round} begins.", round=s.round)


def e(given: Mixing[Any], s: Any) -> Note:
    """One example is reckoned: the most doubtful."""
    joint = given.joint(s, given.problem.X[[s.current]])[:, 0]
    formulas, operands = _shares_formula(joint, s.responsibilities[s.current], given.term)
    return note(
        "E step: every example is shared out among the components, by how likely each would have"
        " made it. The more doubtful one is, the smaller it is drawn; {point} is the most"
        " doubtful.",
        *formulas,
        SHIFTED,
        point=Operand(given.problem.names[s.current], about="current"),
        **operands,
    )


def m_note(given: Mixing[Any], s: Any, before: float, lead: str) -> Note:
    """New means, of the sums Σ E[z] x; the likelihood before and after."""
    mass = s.responsibilities.sum(axis=0)
    sums = s.responsibilities.T @ given.problem.X
    named = list(enumerate(names_of(len(mass))))
    shown = [(j, n) for j, n in named if len(named) <= FEW and mass[j] > EMPTY]
    empty = [n for j, n in named if mass[j] <= EMPTY]
    if empty:
        lead += " {empty} has no examples: it stays where it is." if len(empty) == 1 else ALL_EMPTY
    formulas = tuple(Formula(f"{n} ←", f"{{s{j}}} / {{n{j}}}", f"{{m{j}}}") for j, n in shown)
    operands: dict[str, Any] = {}
    for j, name in shown:
        operands[f"s{j}"] = Operand(sums[j], "Σ E[z] x", "data")
        operands[f"n{j}"] = Operand(mass[j], "Σ E[z]", "N")
        operands[f"m{j}"] = Operand(s.means[j], name, "means")
    operands["empty"] = Operand(", ".join(empty), about="means")
    return note(lead, *formulas, LIKELIHOOD, before=before, after=s.log_likelihood, **operands)


def explain(given: Mixing[Any], s: Any, x: Float) -> Explanation:
    """Memberships of one place; clusters have no class, so none is named."""
    joint = given.joint(s, x[None])[:, 0]
    shares = memberships(joint[:, None])[0][:, 0]
    formulas, operands = _shares_formula(joint, shares, given.term)
    best = int(joint.argmax())
    ahead = [
        name
        for name, leads in zip(names_of(len(joint)), tied_with_best(joint, size=1.0), strict=True)
        if leads
    ]
    lead = "This place is called {name}: a share of {share} of it belongs there."
    if len(ahead) > 1:
        lead = "No component is ahead at this place: {name} have a share of {share} each."
    words = note(
        lead,
        *formulas,
        SHIFTED,
        name=Operand(" and ".join(ahead), about="means"),
        share=Operand(shares[best], digits=3),
        **operands,
    )
    return Explanation(-1, words, member_bars(shares, "Memberships"))
