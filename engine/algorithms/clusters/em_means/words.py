"""What EM for means says."""

from engine.algorithms.clusters.em_means import Params, Setting, State, meeting
from engine.algorithms.clusters.em_means.widths import together
from engine.algorithms.clusters.parts.figures import names_of
from engine.algorithms.clusters.parts.words import e, explain, m_note, round
from engine.authoring import Note, Operand, note, np, short

__all__ = ["e", "explain", "round"]
SUMMARY = (
    "Finds the middles of k round heaps of equal width. The E step shares every example out among"
    " the means, the M step moves each mean to the middle of its shares; the likelihood never"
    " falls."
)
ERRATA = (
    (
        "ML 6.12.1 lets every round raise the likelihood unless it is at a local maximum. Equal"
        " start means never move although they sit on a saddle: stationary point (6.12.2) is the"
        " right word."
    ),
    (
        "ML 6.12 calls this k-means. Each example belongs to every mean in part; the k-means of"
        " today gives it to one alone and is the limit σ → 0."
    ),
)
SADDLE = " Equal means are a saddle, not a maximum: a tiny push would part them."
MERGED = (
    " {one} and {other} lie on one place: this σ cannot part them. Take a smaller σ or fewer"
    " components."
)
ONE_PLACE = " All examples lie on one place: nothing can part the means."


def chips(p: Params) -> tuple[str, ...]:
    width = f"σ {short(p.sigma)}" if p.sigma else "σ automatic"
    return (width, "equal shares", "colours: components", "stops below 10⁻⁶")


def start(given: Setting, s: State) -> Note:
    lead = (
        "Start with {k} {k:mean|means}, σ = {sigma}. Which component made which example is not"
        " known."
    )
    if together(s.means, given.nearest):
        lead += (
            " Two means are equal: every example will belong to both alike, and they stay together"
            " for ever."
        )
    return note(lead, k=given.p.k, sigma=given.sigma)


def m(given: Setting, s: State, before: float) -> Note:
    return m_note(
        given,
        s,
        before,
        "M step: each mean moves to the middle of its examples, each counted by its share.",
    )


def until(given: Setting, s: State) -> Note:
    lead = "Round {round} is over: the largest move was {move}, the log-likelihood is {likelihood}."
    still = s.moved < given.least
    if still:
        lead = (
            "In round {round} no mean moves by 10⁻⁶ or more: the end. The log-likelihood is"
            " {likelihood}."
        )
    met = {
        "saddle": SADDLE,
        "merged": MERGED if np.ptp(given.problem.X, axis=0).any() else ONE_PLACE,
    }
    lead += "".join(met[event] for event in (meeting(given, s) if still else ()))
    pair = together(s.means, given.sigma) or (0, 0)
    one, other = (Operand(names_of(given.p.k)[j], about="means") for j in pair)
    return note(
        lead, round=s.round, move=s.moved, likelihood=s.log_likelihood, one=one, other=other
    )
