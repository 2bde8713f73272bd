"""EM for a mixture of Gaussians with means, covariances and shares of their own. An extension of ML 6.12."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import counted
from engine.core.params import Help, Label, MostRounds, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Figure, Role, Scene
from engine.core.step import Level, Note, Pace, Step, late_note, note
from engine.core.work import Work
from engine.data.prepare import prepare
from engine.numerics.mixture_surface import columns_of, grid_log_density, leaders
from engine.numerics.mixtures import (
    FLOOR,
    Columns,
    any_empty,
    each_apart,
    fell,
    flat,
    floored,
    log_density,
    memberships,
    most_doubtful,
    start_places,
    weighted_covariances,
    weighted_means,
)
from engine.pictures.mixture_words import e_note, explain_place, m_note, mixture_end_note, shape_note
from engine.pictures.mixtures import (
    current_layers,
    doubtful_bars,
    ground,
    mass_bars,
    mean_layers,
    member_table,
    shape_layers,
    share_bars,
    soft_points,
)

PSEUDOCODE = """
start: μ, Σ, π ← start
round: repeat
e:   E[zᵢⱼ] ← πⱼ N(xᵢ;μⱼ,Σⱼ) / Σₙ …
means:   μⱼ ← Σᵢ E[zᵢⱼ] xᵢ / Nⱼ
shapes:   Σⱼ ← spread of j's part; πⱼ ← Nⱼ/n
until: until ln P gains < 10⁻⁶ an example
"""
GAIN = 1e-6
TERM = "π N(x; {})"


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 20), Label("Components k")] = 2
    start: Annotated[
        tuple[float, ...],
        Label("Start means"),
        Help("one mean after the other, a number for each column; empty: k examples drawn at random"),
    ] = ()
    rounds: MostRounds = None


@dataclass(frozen=True, slots=True)
class State:
    """means (k, d); covariances (k, d, d); weights (k,) share of each component; responsibilities (n, k) E[z];
    before_means, before_covariances: those of the round before; narrow: components held at the least variance; current:
    the most doubtful example of an E step, −1 elsewhere; log_likelihood of the model as it stands."""

    means: Float
    covariances: Float
    weights: Float
    responsibilities: Float
    before_means: Float
    before_covariances: Float
    narrow: tuple[int, ...]
    log_likelihood: float
    current: int
    round: int


@dataclass(frozen=True, slots=True)
class Mixture:
    """The model in columns of spread 1: means (k, d), shapes (k, d, d), shares (k,)."""

    means: Float
    shapes: Float
    shares: Float

    def joint(self, Z: Float) -> Float:
        """(k, m) ln (π_j N(z; μ_j, Σ_j))."""
        with np.errstate(divide="ignore"):
            return log_density(Z, self.means, self.shapes) + np.log(self.shares)[:, None]

    def joints(self, Z: Float) -> Work[Float]:
        return each_apart(lambda *one: Mixture(*one).joint(Z), self.means, self.shapes, self.shares)


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    columns = columns_of(problem)
    means = columns.scaled(start_places(problem.X, p.k, p.start, rng))
    if float(np.abs(means).max()) > 1e6:
        raise EngineError(
            "Start means lie more than a million times the spread away from the examples: move them closer."
        )
    model = Mixture(means, np.tile(np.eye(problem.d) / p.k ** (2 / problem.d), (p.k, 1, 1)), np.full(p.k, 1 / p.k))
    _, likelihood = e_step(columns, (yield from model.joints(columns.scaled(problem.X))))
    parts = raw(columns, model)
    s = State(*parts, frozen(np.full((problem.n, p.k), 1 / p.k)), *parts[:2], (), likelihood, -1, 0)
    yield step("start", s, start_note(p, s), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    check_state(problem, p, s)
    columns = columns_of(problem)
    Z, model = columns.scaled(problem.X), scaled(columns, s)
    thin = flat(Z)
    joint = yield from model.joints(Z)
    shares, likelihood = e_step(columns, joint)
    while True:
        s = replace(s, before_means=s.means, before_covariances=s.covariances, current=-1, round=s.round + 1)
        if pace.detail:
            yield step("round", s, note("Round {round} begins.", round=s.round), Level.DETAIL)
        before = likelihood
        s = replace(s, responsibilities=frozen(shares).T, log_likelihood=before)
        if pace.step:
            s = replace(s, current=most_doubtful(shares))
            yield step("e", s, late_note(shares_note, problem, s, joint[:, s.current]))
        model = replace(model, means=weighted_means(Z, shares, model.means))
        if pace.step:
            _, halfway = e_step(columns, (yield from model.joints(Z)))
            s = replace(with_model(s, columns, model), current=-1, log_likelihood=halfway)
            events = ("empty",) if any_empty(s.responsibilities) else ()
            yield step("means", s, late_note(means_note, problem, s, before), events=events)
        model, narrow = yield from new_shapes(Z, shares, model)
        joint, halfway = (yield from model.joints(Z)), s.log_likelihood
        shares, likelihood = e_step(columns, joint)
        s = replace(with_model(s, columns, model), narrow=narrow, log_likelihood=likelihood)
        if pace.step:
            yield step("shapes", s, shape_note(s, halfway, thin), events=("floor",) if narrow else ())
        over = likelihood - before < GAIN * problem.n
        done = over or s.round == p.rounds
        s = replace(s, responsibilities=frozen(shares).T) if done else s
        yield step("until", s, mixture_end_note(s, before, over, thin), Level.ROUND, end_events(s, before, over))
        if done:
            return


def e_step(columns: Columns, joint: Float) -> tuple[Float, float]:
    """E[z] (k, n), and the log-likelihood in the columns' own units, from ln (share · density) (k, n)."""
    shares, likelihood = memberships(joint)
    return shares, likelihood - joint.shape[1] * columns.log_volume


def new_shapes(Z: Float, shares: Float, model: Mixture) -> Work[tuple[Mixture, tuple[int, ...]]]:
    """New covariances, none narrower than the floor, and new shares; which components the floor holds."""
    spread = yield from each_apart(lambda *one: weighted_covariances(Z, *one), shares, model.means, model.shapes)
    shapes, narrow = floored(spread, FLOOR)
    return replace(model, shapes=shapes, shares=shares.sum(axis=1) / len(Z)), tuple(np.flatnonzero(narrow).tolist())


def raw(columns: Columns, model: Mixture) -> tuple[Float, Float, Float]:
    shapes = columns.raw_shape(model.shapes)
    return frozen(columns.raw(model.means)), frozen(shapes), frozen(model.shares, np.float64)


def scaled(columns: Columns, s: State) -> Mixture:
    shapes, _ = floored(columns.scaled_shape(s.covariances), FLOOR)
    return Mixture(columns.scaled(s.means), shapes, s.weights)


def with_model(s: State, columns: Columns, model: Mixture) -> State:
    means, covariances, weights = raw(columns, model)
    return replace(s, means=means, covariances=covariances, weights=weights)


def check_state(problem: Problem, p: Params, s: State) -> None:
    if s.means.shape != (p.k, problem.d):
        raise EngineError(f"EM cannot go on from {counted(len(s.means), 'Gaussian')} with k = {p.k}: start again.")


def end_events(s: State, before: float, over: bool) -> tuple[str, ...]:
    known = {"round": True, "fell": fell(before, s.log_likelihood), "converged": over}
    return tuple(name for name, holds in known.items() if holds)


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"log_likelihood": s.log_likelihood}, events)


def start_note(p: Params, s: State) -> Note:
    lead = "Start with {k} {k:Gaussian|Gaussians of the same size and equal shares}."
    if len(np.unique(s.means, axis=0)) < p.k:
        lead += " Two means are equal: every example will belong to both alike, and they stay together for ever."
    return note(lead, k=p.k)


def shares_note(problem: Problem, s: State, joint: Float) -> Note:
    return e_note(problem, s.current, joint, s.responsibilities[s.current], TERM)


def means_note(problem: Problem, s: State, before: float) -> Note:
    lead = "M step, first half: each mean moves to the middle of its examples, each counted by its share."
    mass, sums = s.responsibilities.sum(axis=0), s.responsibilities.T @ problem.X
    return m_note(sums, mass, s.means, before, s.log_likelihood, lead)


def joint_at(problem: Problem, s: State, X: Float) -> Float:
    return scaled(columns := columns_of(problem), s).joint(columns.scaled(X))


def membership_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """How far the first component is ahead of the second: ln of the quotient of their memberships, whose level lines are
    smooth however steep these are; 0 for any other number of components."""
    if p.k != 2:
        return np.zeros(grid.shape)
    return np.asarray(np.subtract(*grid_joint(problem, s, grid)))


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Int:
    """The component that owns most of each place, −1 where none is ahead."""
    return leaders(grid_joint(problem, s, grid))


def grid_joint(problem: Problem, s: State, grid: Grid) -> Float:
    """(k, ny, nx) ln (π_j N(x; μ_j, Σ_j))."""
    model = scaled(columns_of(problem), s)
    with np.errstate(divide="ignore"):
        return grid_log_density(problem, model.means, model.shapes, grid) + np.log(model.shares)[:, None, None]


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    here = joint_at(problem, s, x[None])
    return explain_place(here[:, 0], memberships(here)[0][:, 0], TERM)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, shares = step.state, step.state.responsibilities
    seen = problem, shares, s.current
    bars = share_bars(s.weights) if step.line in ("shapes", "until") else mass_bars(shares)
    figures: tuple[Figure, ...] = (*doubtful_bars(*seen), bars, member_table(*seen))
    if not problem.plane:
        return Scene((), figures)
    changed = step.line in ("means", "shapes")
    ghost = shape_layers(problem, s.before_means, s.before_covariances, s.weights, Role.GHOST, "before")
    shapes = [*(ghost if changed else []), *shape_layers(problem, s.means, s.covariances, s.weights)]
    means = mean_layers(problem, s.means, s.before_means, step.line == "means")
    return Scene((ground(p.k), *shapes, soft_points(problem, shares), *means, *current_layers(*seen)), figures)


def chips(p: Params) -> tuple[str, ...]:
    return ("full covariances", "colours: components", "stops below a gain of 10⁻⁶")


def example() -> Problem:
    """Two heaps of different size and direction."""
    long = [[-3.0, -2.6], [-2.2, -1.5], [-1.4, -1.3], [-0.7, -0.2], [0.1, 0.1], [0.8, 1.1]]
    small = [[2.6, -1.9], [3.0, -2.4], [3.3, -1.8], [2.9, -2.0]]
    return prepare(Dataset.from_arrays(long + small))


ALGORITHM = former(
    key="gaussian_mixture",
    title="Gaussian mixture",
    family="clusters",
    task=Task.CLUSTER,
    source=(),
    extension=True,
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=None,
    component=lambda problem, p, s, X: leaders(joint_at(problem, s, X)),
    fields={"class": class_surface, "membership": membership_surface},
    explain=explain,
    needs=Needs(labels=False, numeric=True),
    example=example,
    curves=(Curve("log_likelihood", "log-likelihood"),),
    events=("round", "empty", "floor", "fell", "converged"),
    errata=(
        "ML 6.12 learns the means alone: the width is known and all components are equally likely. Widths, directions "
        "and shares are an extension. Without a least variance the likelihood has no upper bound: a component that "
        "closes in on one example makes it as large as one likes.",
    ),
    chips=chips,
    summary="Finds k heaps of any width and direction. The E step shares every example out among the Gaussians, the M "
    "step gives each the mean, spread and size of its part; the likelihood never falls.",
)
