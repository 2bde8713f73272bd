"""What both weighted majorities do alike: their state, the way through the examples, the scene. ML Table 7.1, AIMA 18.10.1."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

import numpy as np

from engine.core.arrays import Float, Int, Prefix, frozen
from engine.core.forecasts import forecasts
from engine.core.problem import Problem
from engine.core.scene import Figure
from engine.core.step import Step
from engine.numerics import experts
from engine.numerics.experts import Stream
from engine.pictures import expert_figures as pictures
from engine.pictures.experts import exact

ROUND = 10  # examples between two comparisons


@dataclass(frozen=True, slots=True)
class Forecasting:
    """weights (K,) of the experts, `before` this step; wrong (K,) the mistakes that made them; best: mistakes of the best
    expert so far; mistakes: of the algorithm; row: of the table, or −1; said: class, or −1; seen: examples whose truth is
    known; misses: which of them were wrong."""

    weights: Float
    before: Float
    wrong: Int
    misses: Prefix[int]
    best: int = 0
    mistakes: int = 0
    row: int = -1
    said: int = -1
    seen: int = 0


S = TypeVar("S", bound=Forecasting)
Example = Callable[[Stream, int, S], Generator[Step[S], None, S]]


def fresh(kind: type[S], problem: Problem) -> S:
    """Every expert has the weight 1, nothing is seen."""
    ones = frozen(np.ones(problem.d))
    return kind(ones, ones, frozen(np.zeros(problem.d, np.intp)), Prefix([], 0))


def play(
    problem: Problem, beta: float, s: S, one_example: Example[S], tally: Callable[[S], Step[S]]
) -> Iterator[Step[S]]:
    """Example by example from where `s` stands, with a comparison after every ten and at the end."""
    stream = experts.stream(problem)
    wrong = stream.after(s.seen)
    s = replace(s, wrong=wrong, best=int(wrong.min()), weights=experts.weights(wrong, beta))
    for t in range(s.seen, stream.n):
        s = yield from one_example(stream, t, s)
        if s.seen % ROUND == 0 and s.seen < stream.n:
            yield tally(replace(s, before=s.weights, row=-1, said=-1))
    yield tally(replace(s, before=s.weights, row=-1, said=-1))


def counted(s: S, stream: Stream, t: int, missed: bool) -> S:
    """The truth of example t is known."""
    best, misses = int(stream.after(t + 1).min()), s.misses.plus(t) if missed else s.misses
    return replace(s, best=best, mistakes=s.mistakes + missed, seen=t + 1, misses=misses)


def punished(s: S, stream: Stream, beta: float) -> S:
    """Every expert who was wrong has lost weight."""
    wrong = stream.after(s.seen)
    return replace(s, wrong=wrong, weights=experts.weights(wrong, beta))


def terms(s: Forecasting, beta: float) -> tuple[Fraction | float, ...]:
    """The weights as they are written."""
    return exact(s.wrong, beta, s.weights)


def predict(problem: Problem, s: Forecasting, X: Float) -> Int:
    """(m,) the class with most weight among the experts whose forecasts stand in X; the first of equals, −1 without any."""
    return experts.winners(experts.votes(s.weights, forecasts(problem, X), len(problem.classes)))


def scores(problem: Problem, s: Forecasting, X: Float) -> Float:
    """(m,) share of the weight for the first of two classes minus that for the other, 0 on ties; (m, k) shares of more
    classes; NaN where no expert says anything."""
    votes = experts.votes(s.weights, forecasts(problem, X), len(problem.classes))
    shares = votes / np.where(votes.any(axis=1), votes.sum(axis=1), np.nan)[:, None]
    if shares.shape[1] != 2:
        return np.asarray(shares)
    lead = shares[:, 0] - shares[:, 1]
    return np.where(np.abs(lead) <= experts.TIE, 0.0, lead)


def figures(
    problem: Problem, beta: float, step: Step[S], curves: Sequence[pictures.Rival], drawn: tuple[int, ...] = ()
) -> tuple[Figure, ...]:
    """Shares, weights, table of experts and the race of the mistakes. drawn: the expert whom chance has picked."""
    s, stream = step.state, experts.stream(problem)
    at = int(np.searchsorted(stream.rows, s.row))
    says = stream.says[at] if s.row >= 0 else None
    amber = tuple(np.flatnonzero(stream.wrong[at]).tolist()) if step.line in ("truth", "update") else drawn
    known = s.seen - (step.line == "truth")  # the experts are not yet punished for the last of them
    asked = step.line in ("take", "vote")  # nobody is amber then
    shown = pictures.figures(problem, stream, beta, known, says, s.wrong, s.weights, s.before, amber, asked)
    return (*shown, pictures.race_plot(stream, s.misses, s.seen, curves))
