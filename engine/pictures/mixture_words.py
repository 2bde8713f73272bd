"""Words of EM: one example's memberships, the new means, the likelihood that never falls. ML 6.12, Eqs 6.29-6.31."""

from typing import Any, Protocol

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float
from engine.core.problem import Problem
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.mixtures import EMPTY
from engine.pictures.mixtures import member_bars, names_of

EVEN = 1e-9  # shares nearer than this are equal, their difference is rounding
FEW = 4  # components up to which every one has its own formula
LIKELIHOOD = Fact("log-likelihood", "{before} → {after}")
FLAT = (
    " The examples have no spread in some direction (a column with one value, or all points on a line): there the variance "
    "is held at a millionth."
)
ALL_EMPTY = " {empty} have no examples: they stay where they are."
SHIFTED = Fact("the terms", "divided by the largest of them, so that they never all vanish")


def _shares_formula(joint: Float, shares: Float, term: str) -> tuple[tuple[Formula, ...], dict[str, Any]]:
    """E[z_j] = term_j / Σ terms for one example; joint (k,) ln (share · density)."""
    terms = np.exp(joint - joint.max())
    k = len(shares)
    total = "({" + "} + {".join(f"t{j}" for j in range(k)) + "})"
    shown = range(k) if k <= FEW else ()
    formulas = tuple(Formula(f"E[z {n}] =", f"{{t{j}}} / {total}", f"{{z{j}}}") for j, n in _named(k, shown))
    operands: dict[str, Any] = {f"t{j}": Operand(terms[j], term.format(n), "shapes") for j, n in _named(k, range(k))}
    operands |= {f"z{j}": Operand(shares[j], digits=3) for j in range(k)}
    return formulas, operands


def _named(k: int, which: Any) -> list[tuple[int, str]]:
    names = names_of(k)
    return [(j, names[j]) for j in which]


def e_note(problem: Problem, row: int, joint: Float, shares: Float, term: str = "p(x|{})") -> Note:
    """joint, shares (k,) of the most doubtful example; term: how its share · density is written."""
    formulas, operands = _shares_formula(joint, shares, term)
    return note(
        "E step: every example is shared out among the components, by how likely each would have made it. "
        "The more doubtful one is, the smaller it is drawn; {point} is the most doubtful.",
        *formulas,
        SHIFTED,
        point=Operand(problem.names[row], about="current"),
        **operands,
    )


def m_note(sums: Float, mass: Float, means: Float, before: float, after: float, lead: str) -> Note:
    """sums (k, d) Σ E[z] x; the likelihood before and after."""
    k = len(means)
    shown = [j for j in range(k) if k <= FEW and mass[j] > EMPTY]
    empty = [n for j, n in _named(k, range(k)) if mass[j] <= EMPTY]
    if empty:
        lead += " {empty} has no examples: it stays where it is." if len(empty) == 1 else ALL_EMPTY
    formulas = tuple(Formula(f"{n} ←", f"{{s{j}}} / {{n{j}}}", f"{{m{j}}}") for j, n in _named(k, shown))
    operands: dict[str, Any] = {}
    for j, name in _named(k, shown):
        operands[f"s{j}"] = Operand(sums[j], "Σ E[z] x", "data")
        operands[f"n{j}"] = Operand(mass[j], "Σ E[z]", "N")
        operands[f"m{j}"] = Operand(means[j], name, "means")
    operands["empty"] = Operand(", ".join(empty), about="means")
    return note(lead, *formulas, LIKELIHOOD, before=before, after=after, **operands)


class Shapes(Protocol):
    """What a state with covariances tells."""

    @property
    def covariances(self) -> Float: ...
    @property
    def weights(self) -> Float: ...
    @property
    def narrow(self) -> tuple[int, ...]: ...
    @property
    def log_likelihood(self) -> float: ...
    @property
    def round(self) -> int: ...


def shape_note(s: Shapes, before: float, flat: bool) -> Note:
    """New covariances and shares. flat: the examples themselves have no spread in some direction."""
    k, d = len(s.weights), s.covariances.shape[1]
    lead = "M step, second half: each Gaussian takes the spread of its part about its mean, and the share of that part."
    if s.narrow and flat:
        lead += FLAT
    elif s.narrow:
        lead += " {held} would lose all width in some direction: the variance is held at a millionth of the spread."
    shown = _named(k, range(k) if k <= FEW else ())
    widths = tuple(Fact(f"standard deviations of {n}", f"{{w{j}}}, share {{p{j}}}") for j, n in shown)
    deviations = np.sqrt(np.diagonal(s.covariances, axis1=1, axis2=2))
    operands: dict[str, Any] = {f"w{j}": Operand(deviations[j] if d > 1 else deviations[j, 0]) for j, _ in shown}
    operands |= {f"p{j}": Operand(s.weights[j]) for j, _ in shown}
    held = ", ".join(names_of(k)[j] for j in s.narrow)
    return note(lead, LIKELIHOOD, *widths, before=before, after=s.log_likelihood, held=held, **operands)


def mixture_end_note(s: Shapes, before: float, over: bool, flat: bool) -> Note:
    """The round is over; over: nothing more is to be gained."""
    lead = "Round {round} is over: the log-likelihood has risen from {before} to {likelihood}."
    if over:
        lead = "Nothing more is gained after {round} {round:round|rounds}; the log-likelihood is {likelihood}."
    if s.narrow and flat:
        lead += FLAT
    elif s.narrow:
        lead += " {held} has shrunk onto so few examples that only the least variance keeps it open."
    held = Operand(", ".join(names_of(len(s.weights))[j] for j in s.narrow), about="means")
    return note(lead, round=s.round, before=before, likelihood=s.log_likelihood, held=held)


def explain_place(joint: Float, shares: Float, term: str = "p(x|{})") -> Explanation:
    """Memberships of one place; clusters have no class, so none is named."""
    formulas, operands = _shares_formula(joint, shares, term)
    best = int(shares.argmax())
    ahead = [name for name, share in zip(names_of(len(shares)), shares, strict=True) if share >= shares[best] - EVEN]
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
