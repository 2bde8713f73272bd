"""EM for a mixture of Gaussians with means, covariances and shares of their own.

An extension of ML 6.12.
"""

from typing import Any

from engine.algorithms.clusters.gaussian_mixture.shapes import (
    FLOOR,
    Mixture,
    each_apart,
    floored,
    weighted_covariances,
)
from engine.algorithms.clusters.parts import NO_CLASSES, Components, Mixing, StartMeans
from engine.algorithms.clusters.parts.mixtures import (
    Columns,
    any_empty,
    fell,
    log_sum_exp,
    most_doubtful,
    weighted_means,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Grid,
    Int,
    MostRounds,
    Part,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    Work,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start  round:  μ, Σ, π ← start
round  detail: repeat
e:               E[zᵢⱼ] ← πⱼ N(xᵢ;μⱼ,Σⱼ) / Σₙ …
means:           μⱼ ← Σᵢ E[zᵢⱼ] xᵢ / Nⱼ
shapes:          Σⱼ ← spread of j's part; πⱼ ← Nⱼ/n
until  round:  until ln P gains < 10⁻⁶ an example
"""
GAIN = 1e-6
TOO_FAR = (
    "Start means lie more than a million times the spread away from the examples: move them closer."
)


class Params(Record, eq=True):
    k: Components = 2
    start: StartMeans = ()
    rounds: MostRounds = None


class State(Record):
    """The model is `means`, `covariances` and `weights`.

    means: (k, d) μ
    covariances: (k, d, d) Σ
    weights: (k,) π, the share of each component
    responsibilities: (n, k) E[z]
    before_means, before_covariances: those of the round before
    narrow: components whose variance is held at the least one
    log_likelihood: ln P of the examples under the model as it stands
    current: the most doubtful example of an E step, −1 elsewhere
    """

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


class Setting(Mixing[Params]):
    """The examples, and the same scaled to spread 1 in every column, in which the steps compute."""

    term = "π N(x; {})"

    @cached_property
    def columns(self) -> Columns:
        """The scaling of the columns to mean 0 and spread 1."""
        return Columns.of(self.problem.X)

    @cached_property
    def Z(self) -> Float:
        """(n, d) the examples in columns of spread 1."""
        return self.columns.scaled(self.problem.X)

    def joint(self, s: Any, X: Float) -> Float:
        """ln πⱼ N(x; μⱼ, Σⱼ) of each component (k, m) for the rows X (m, d)."""
        return Mixture.of(s, self.columns).joint(self.columns.scaled(X))

    def raster(self, s: Any, grid: Grid) -> Float:
        """(k, ny, nx) ln πⱼ N(x; μⱼ, Σⱼ) of each component on the grid."""
        return Mixture.of(s, self.columns).raster(self.problem, self.columns, grid)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    k = given.p.k
    d = given.problem.d
    means = given.columns.scaled(given.start(rng))  # the μ that are set, or k examples at random
    if float(np.abs(means).max()) > 1e6:
        raise EngineError(TOO_FAR)
    # round components that fill the spread of the data together, each with the same share
    shapes = np.tile(np.eye(d) / k ** (2 / d), (k, 1, 1))
    model = Mixture(means, shapes, np.full(k, 1 / k))
    _, likelihood = yield from e_step(given, model)
    fields = model.in_own_units(given.columns)
    s = State(
        **fields,
        responsibilities=given.even_shares,
        before_means=fields["means"],
        before_covariances=fields["covariances"],
        narrow=(),
        log_likelihood=likelihood,
        current=-1,
        round=0,
    )
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.check(s.means)
    Z = given.Z
    model = Mixture.of(s, given.columns)
    shares, likelihood = yield from e_step(given, model)
    done = False
    while not done:
        before = likelihood
        s = replace(s, current=-1, round=s.round + 1)
        s = replace(s, before_means=s.means, before_covariances=s.covariances)
        yield from at("round", s)

        doubtful = most_doubtful(shares)
        E = frozen(shares).T  # (n, k) E[z]
        s = replace(s, responsibilities=E, current=doubtful, log_likelihood=likelihood)
        yield from at("e", s)

        model = replace(model, means=weighted_means(Z, shares, model.means))  # Σ E[z] x / Σ E[z]
        s = yield from with_means(given, at, replace(s, current=-1), model, before)

        model, narrow = yield from with_shapes(Z, shares, model)
        halfway = s.log_likelihood
        shares, likelihood = yield from e_step(given, model)
        fields = model.in_own_units(given.columns)
        s = replace(s, **fields, narrow=narrow, log_likelihood=likelihood)
        yield from at("shapes", s, *when(floor=bool(narrow)), before=halfway)

        over = likelihood - before < GAIN * given.problem.n
        done = over or s.round == given.p.rounds
        if done:
            s = replace(s, responsibilities=frozen(shares).T)
        events = when(round=True, fell=fell(before, likelihood), converged=over)
        yield from at("until", s, *events, before=before, over=over)


def e_step(given: Setting, model: Mixture) -> Work[tuple[Float, float]]:
    """(E[zᵢⱼ] (k, n), ln P of the examples in original units) for a model.

    N(x; μ, Σ) = exp(−½ (x − μ)ᵀ Σ⁻¹ (x − μ)) / √((2π)ᵈ |Σ|).
    """
    joint = yield from model.joints(given.Z)  # ln (πⱼ N(xᵢ; μⱼ, Σⱼ))
    total = log_sum_exp(joint)  # ln Σₗ πₗ N(xᵢ; μₗ, Σₗ)
    shares = np.exp(joint - total)  # πⱼ N(xᵢ; μⱼ, Σⱼ) / Σₗ πₗ N(xᵢ; μₗ, Σₗ)
    likelihood = float(total.sum())
    return shares, likelihood - given.problem.n * given.columns.log_volume


def with_means(
    given: Setting, at: At, s: State, model: Mixture, before: float
) -> Part[State, State]:
    """The state with new means but the previous covariances. before: ln P of the E step"""
    _, halfway = yield from e_step(given, model)
    s = replace(s, **model.in_own_units(given.columns), log_likelihood=halfway)
    yield from at("means", s, *when(empty=any_empty(s.responsibilities)), before=before)
    return s


def with_shapes(Z: Float, shares: Float, model: Mixture) -> Work[tuple[Mixture, tuple[int, ...]]]:
    """(the model with new covariances and weights, the components held at the least variance).

    shares: (k, n) memberships
    """

    def spread(*one: Float) -> Float:
        return weighted_covariances(Z, *one)  # Σ E[z] (x − μ)(x − μ)ᵀ / N

    found = yield from each_apart(spread, shares, model.means, model.shapes)
    shapes, held = floored(found, FLOOR)
    pi = shares.sum(axis=1) / len(Z)  # πⱼ ← Nⱼ / n, Nⱼ = Σᵢ E[zᵢⱼ]
    model = replace(model, shapes=shapes, shares=pi)
    return model, tuple(np.flatnonzero(held).tolist())


def component(given: Setting, s: State, X: Float) -> Int:
    """(m,) the component with the largest membership of each row X (m, d), −1 where several tie."""
    return given.component(s, given.joint(s, X))


def example() -> Problem:
    """Points in two clusters of different size and direction."""
    long = [[-3.0, -2.6], [-2.2, -1.5], [-1.4, -1.3], [-0.7, -0.2], [0.1, 0.1], [0.8, 1.1]]
    small = [[2.6, -1.9], [3.0, -2.4], [3.3, -1.8], [2.9, -2.0]]
    return prepare(Dataset.from_arrays(long + small))


ALGORITHM = Algorithm.of(
    __name__,
    title="Gaussian mixture",
    task=Task.CLUSTER,
    source=(),
    extension=True,
    needs=NO_CLASSES,
    curves=(Curve("log_likelihood", "log-likelihood", about=("data",)),),
    events=("round", "empty", "floor", "fell", "converged"),
)
