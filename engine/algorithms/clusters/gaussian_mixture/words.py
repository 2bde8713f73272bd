"""What EM for a mixture of Gaussians says."""

from typing import Any

from engine.algorithms.clusters.gaussian_mixture import Params, Setting, State
from engine.algorithms.clusters.gaussian_mixture.shapes import flat
from engine.algorithms.clusters.parts.figures import names_of
from engine.algorithms.clusters.parts.words import FEW, LIKELIHOOD, e, explain, m_note, round
from engine.authoring import Fact, Note, Operand, note, np

__all__ = ["e", "explain", "round"]
SUMMARY = (
    "Finds k heaps of any width and direction. The E step shares every example out among the"
    " Gaussians, the M step gives each the mean, spread and size of its part; the likelihood never"
    " falls."
)
ERRATA = (
    (
        "ML 6.12 learns the means alone: the width is known and all components are equally likely."
        " Widths, directions and shares are an extension. Without a least variance the likelihood"
        " has no upper bound: a component that closes in on one example makes it as large as one"
        " likes."
    ),
)
FLAT = (
    " The examples have no spread in some direction (a column with one value, or all points on a"
    " line): there the variance is held at a millionth."
)
HELD = (
    " {held} would lose all width in some direction: the variance is held at a millionth of the"
    " spread."
)
SHRUNK = " {held} has shrunk onto so few examples that only the least variance keeps it open."


def chips(p: Params) -> tuple[str, ...]:
    return ("full covariances", "colours: components", "stops below a gain of 10⁻⁶")


def start(given: Setting, s: State) -> Note:
    lead = "Start with {k} {k:Gaussian|Gaussians of the same size and equal shares}."
    if len(np.unique(s.means, axis=0)) < given.p.k:
        lead += (
            " Two means are equal: every example will belong to both alike, and they stay together"
            " for ever."
        )
    return note(lead, k=given.p.k)


def means(given: Setting, s: State, before: float) -> Note:
    lead = (
        "M step, first half: each mean moves to the middle of its examples, each counted by its"
        " share."
    )
    return m_note(given, s, before, lead)


def shapes(given: Setting, s: State, before: float) -> Note:
    lead = (
        "M step, second half: each Gaussian takes the spread of its part about its mean, and the"
        " share of that part."
    )
    named = list(enumerate(names_of(given.p.k)))
    shown = named if len(named) <= FEW else []
    widths = (Fact(f"standard deviations of {n}", f"{{w{j}}}, share {{p{j}}}") for j, n in shown)
    deviations = np.sqrt(np.diagonal(s.covariances, axis1=1, axis2=2))
    operands: dict[str, Any] = {
        f"w{j}": Operand(deviations[j] if given.problem.d > 1 else deviations[j, 0])
        for j, _ in shown
    }
    operands |= {f"p{j}": Operand(s.weights[j]) for j, _ in shown}
    lead += kept_open(given, s, HELD)
    return note(
        lead,
        LIKELIHOOD,
        *widths,
        before=before,
        after=s.log_likelihood,
        held=narrow(given, s),
        **operands,
    )


def until(given: Setting, s: State, before: float, over: bool) -> Note:
    lead = "Round {round} is over: the log-likelihood has risen from {before} to {likelihood}."
    if over:
        lead = (
            "Nothing more is gained after {round} {round:round|rounds}; the log-likelihood is"
            " {likelihood}."
        )
    return note(
        lead + kept_open(given, s, SHRUNK),
        round=s.round,
        before=before,
        likelihood=s.log_likelihood,
        held=Operand(narrow(given, s), about="means"),
    )


def narrow(given: Setting, s: State) -> str:
    """The names of the components held at the least variance, "μ₁, μ₃"."""
    return ", ".join(names_of(given.p.k)[j] for j in s.narrow)


def kept_open(given: Setting, s: State, why: str) -> str:
    """A sentence about components held at the least variance, "" where there are none.

    why: the sentence where only these are narrow, not all examples
    """
    return "" if not s.narrow else FLAT if flat(given.Z) else why
