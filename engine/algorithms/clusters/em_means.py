"""EM for the means of k Gaussians of equal width, with the E and the M step apart. ML 6.12.1, 6.12.3, Eqs 6.27-6.31."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.core.former import former
from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, Log, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.notation import counted, short
from engine.core.params import Empty, Help, Label, MostRounds, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Figure, Role, Scene
from engine.core.step import Level, Note, Operand, Pace, Step, late_note, note
from engine.data.prepare import prepare
from engine.numerics.mixtures import (
    EMPTY,
    any_empty,
    fair_width,
    fell,
    memberships,
    most_doubtful,
    owners,
    round_log_density,
    start_places,
    together,
    weighted_means,
    would_part,
)
from engine.pictures.mixture_words import e_note, explain_place, m_note
from engine.pictures.mixtures import (
    current_layers,
    doubtful_bars,
    ground,
    likelihood_plot,
    mass_bars,
    mean_layers,
    member_table,
    names_of,
    shape_layers,
    soft_points,
)

PSEUDOCODE = """
start: μ₁ … μₖ ← start means
round: repeat
e:   E[zᵢⱼ] ← p(xᵢ|μⱼ) / Σₙ p(xᵢ|μₙ)
m:   μⱼ ← Σᵢ E[zᵢⱼ] xᵢ / Σᵢ E[zᵢⱼ]
until: until max |Δμ| < 10⁻⁶
"""
STILL = 1e-6
SADDLE = " Equal means are a saddle, not a maximum: a tiny push would part them."
MERGED = " {one} and {other} lie on one place: this σ cannot part them. Take a smaller σ or fewer components."
ONE_PLACE = " All examples lie on one place: nothing can part the means."
SMALLEST_SHARE = 1e-12  # of the examples' size: closer than this numbers cannot come


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 20), Label("Components k")] = 2
    sigma: Annotated[
        float | None,
        Range(1e-6, 1e6, log=True),
        Label("Width σ"),
        Empty("auto"),
        Help("known and the same for all components; empty: an even part of the spread of the examples"),
    ] = None
    start: Annotated[
        tuple[float, ...],
        Label("Start means"),
        Help("one mean after the other, a number for each column; empty: k examples drawn at random"),
    ] = ()
    rounds: MostRounds = None


@dataclass(frozen=True, slots=True)
class State:
    """means (k, d); before: those of the round before; responsibilities (n, k) E[z]; log_likelihood of `means`; current:
    the most doubtful example of an E step, −1 elsewhere; path: the means after each round."""

    means: Float
    before: Float
    responsibilities: Float
    log_likelihood: float
    current: int
    round: int
    path: Prefix[Float]


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    means = frozen(start_places(problem.X, p.k, p.start, rng))
    check_width(problem, p)
    _, likelihood = e_step(problem, p, means)
    nobody = frozen(np.full((problem.n, p.k), 1 / p.k))
    s = State(means, means, nobody, likelihood, -1, 0, Log[Float]().append(means))
    yield step("start", s, start_note(problem, p, s), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    check_state(problem, p, s)
    shares, likelihood = e_step(problem, p, s.means)
    while True:
        s = replace(s, before=s.means, current=-1, round=s.round + 1)
        if pace.detail:
            yield step("round", s, note("Round {round} begins.", round=s.round), Level.DETAIL)
        s = replace(s, responsibilities=frozen(shares).T, log_likelihood=likelihood)
        if pace.step:
            s = replace(s, current=most_doubtful(shares))
            yield step("e", s, late_note(shares_note, problem, p, s))
        means = frozen(weighted_means(problem.X, shares, s.means))
        shares, likelihood = e_step(problem, p, means)
        before = s.log_likelihood
        s = replace(s, means=means, current=-1, log_likelihood=likelihood, path=s.path.plus(means))
        if pace.step:
            events = ("empty",) if any_empty(s.responsibilities) else ()
            yield step("m", s, late_note(means_note, problem, s, before), events=events)
        done = still(problem, s) or s.round == p.rounds
        s = replace(s, responsibilities=frozen(shares).T) if done else s
        yield step("until", s, end_note(problem, p, s), Level.ROUND, end_events(problem, p, s, before))
        if done:
            return


def e_step(problem: Problem, p: Params, means: Float) -> tuple[Float, float]:
    """E[z] (k, n) and the log-likelihood of `means`."""
    return memberships(joint(problem, p, means, problem.X))


def joint(problem: Problem, p: Params, means: Float, X: Float) -> Float:
    """(k, m) ln (1/k · p(x|μ_j)) at rows X."""
    return round_log_density(X, means, width(problem, p)) - float(np.log(len(means)))


def width(problem: Problem, p: Params) -> float:
    return fair_width(problem.X, p.k) if p.sigma is None else p.sigma


def check_width(problem: Problem, p: Params) -> None:
    if float(np.abs(problem.X).max()) / width(problem, p) > 1e100:
        raise EngineError(
            "Width σ is far too small for numbers as large as these: leave it empty or rescale the columns."
        )


def check_state(problem: Problem, p: Params, s: State) -> None:
    if s.means.shape != (p.k, problem.d):
        raise EngineError(f"EM cannot go on from {counted(len(s.means), 'mean')} with k = {p.k}: start again.")


def moved(s: State) -> float:
    return float(np.abs(s.means - s.before).max())


def still(problem: Problem, s: State) -> bool:
    size = min(1.0, float(np.ptp(problem.X, axis=0).max()) or 1.0)  # of tiny examples a tiny move counts
    return moved(s) < max(STILL * size, SMALLEST_SHARE * float(np.abs(problem.X).max()))


def alike(problem: Problem, means: Float) -> bool:
    """Two means share a place exactly: nothing will ever tell them apart."""
    return together(means, SMALLEST_SHARE * float(np.abs(problem.X).max())) is not None


def meeting(problem: Problem, p: Params, s: State) -> tuple[str, str]:
    """(event, sentence) when the means stand still with two of them on one place: on a saddle, or because σ is too wide
    to keep them apart."""
    pair = together(s.means, width(problem, p)) if still(problem, s) else None
    if pair is None or min(s.responsibilities[:, list(pair)].sum(axis=0)) < EMPTY:
        return "", ""
    if would_part(problem.X, s.responsibilities[:, pair[0]], s.means[pair[0]], width(problem, p)):
        return "saddle", SADDLE if alike(problem, s.means) else ""
    return "merged", ONE_PLACE if not np.ptp(problem.X, axis=0).any() else MERGED


def end_events(problem: Problem, p: Params, s: State, before: float) -> tuple[str, ...]:
    met, said = meeting(problem, p, s)
    known = {"round": True, "fell": fell(before, s.log_likelihood), "converged": still(problem, s), met: bool(said)}
    return tuple(name for name, holds in known.items() if holds)


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"log_likelihood": s.log_likelihood}, events)


def start_note(problem: Problem, p: Params, s: State) -> Note:
    lead = "Start with {k} {k:mean|means}, σ = {sigma}. Which component made which example is not known."
    if alike(problem, s.means):
        lead += " Two means are equal: every example will belong to both alike, and they stay together for ever."
    return note(lead, k=p.k, sigma=width(problem, p))


def shares_note(problem: Problem, p: Params, s: State) -> Note:
    here = joint(problem, p, s.means, problem.X[[s.current]])[:, 0]
    return e_note(problem, s.current, here, s.responsibilities[s.current])


def means_note(problem: Problem, s: State, before: float) -> Note:
    lead = "M step: each mean moves to the middle of its examples, each counted by its share."
    shares = s.responsibilities.T
    return m_note(shares @ problem.X, shares.sum(axis=1), s.means, before, s.log_likelihood, lead)


def end_note(problem: Problem, p: Params, s: State) -> Note:
    lead = "Round {round} is over: the largest move was {move}, the log-likelihood is {likelihood}."
    if still(problem, s):
        lead = "In round {round} no mean moves by 10⁻⁶ or more: the end. The log-likelihood is {likelihood}."
    lead += meeting(problem, p, s)[1]
    pair = together(s.means, width(problem, p)) or (0, 0)
    one, other = (Operand(names_of(p.k)[j], about="means") for j in pair)
    return note(lead, round=s.round, move=moved(s), likelihood=s.log_likelihood, one=one, other=other)


def membership_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """How far the first component is ahead of the second: ln of the quotient of their memberships, whose level lines are
    smooth however steep these are; 0 for any other number of components."""
    if p.k != 2:
        return np.zeros(grid.shape)
    a, b = joint(problem, p, s.means, problem.from_plane(grid.points()))
    return np.asarray(a - b).reshape(grid.shape)


def component(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """(m,) the component that owns most of each row, −1 where none is ahead."""
    owner = owners(memberships(joint(problem, p, s.means, X))[0])
    return np.where(np.isin(owner, together(s.means, width(problem, p)) or ()), -1, owner)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Int:
    return component(problem, p, s, problem.from_plane(grid.points())).reshape(grid.shape)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    here = joint(problem, p, s.means, x[None])
    return explain_place(here[:, 0], memberships(here)[0][:, 0])


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, sigma, k = step.state, width(problem, p), p.k
    shares = s.responsibilities
    after = weighted_means(problem.X, shares.T, s.means) if step.line == "e" else None
    surface = likelihood_plot(problem, sigma, np.asarray(tuple(s.path)), step.line, after, shares.sum(axis=0))
    doubtful = doubtful_bars(problem, shares, s.current)
    figures: tuple[Figure, ...] = (*surface, *doubtful, mass_bars(shares), member_table(problem, shares, s.current))
    if not problem.plane:
        return Scene((), figures)
    round_shape, even = np.tile(sigma**2 * np.eye(problem.d), (k, 1, 1)), np.full(k, 1 / k)
    changed = step.line == "m"
    ghost = shape_layers(problem, s.before, round_shape, even, Role.GHOST, "before") if changed else []
    shapes = [*ghost, *shape_layers(problem, s.means, round_shape, even)]
    means = mean_layers(problem, s.means, s.before, changed)
    current = current_layers(problem, shares, s.current)
    return Scene((ground(k), *shapes, soft_points(problem, shares), *means, *current), figures)


def chips(p: Params) -> tuple[str, ...]:
    width = f"σ {short(p.sigma)}" if p.sigma else "σ automatic"
    return (width, "equal shares", "colours: components", "stops below 10⁻⁶")


def example() -> Problem:
    """Eight numbers in two heaps: the setting of ML Fig 6.4."""
    return prepare(Dataset.from_columns({"x": [-3.2, -2.4, -1.9, -0.6, 0.8, 1.7, 2.3, 3.1]}))


ALGORITHM = former(
    key="em_means",
    title="EM for means",
    family="clusters",
    task=Task.CLUSTER,
    source=("ML 6.12.1", "ML 6.12.2", "ML 6.12.3"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=None,
    component=component,
    fields={"class": class_surface, "membership": membership_surface},
    explain=explain,
    needs=Needs(labels=False, numeric=True),
    example=example,
    curves=(Curve("log_likelihood", "log-likelihood"),),
    events=("round", "empty", "fell", "converged", "saddle", "merged"),
    errata=(
        "ML 6.12.1 lets every round raise the likelihood unless it is at a local maximum. Equal start means never move "
        "although they sit on a saddle: stationary point (6.12.2) is the right word.",
        "ML 6.12 calls this k-means. Each example belongs to every mean in part; the k-means of today gives it to one "
        "alone and is the limit σ → 0.",
    ),
    chips=chips,
    summary="Finds the middles of k round heaps of equal width. The E step shares every example out among the means, "
    "the M step moves each mean to the middle of its shares; the likelihood never falls.",
)
