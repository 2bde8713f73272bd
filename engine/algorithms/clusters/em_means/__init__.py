"""EM for the means of k Gaussians of equal width, with the E and the M step apart.

ML 6.12.1, 6.12.3, Eqs 6.27-6.31.
"""

from typing import Annotated, Any

from engine.algorithms.clusters.em_means.widths import (
    fair_width,
    spherical_log_density,
    together,
    would_part,
)
from engine.algorithms.clusters.parts import NO_CLASSES, Components, Mixing, StartMeans
from engine.algorithms.clusters.parts.mixtures import (
    EMPTY,
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
    Empty,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    MostRounds,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Log, Prefix

PSEUDOCODE = """
start round:  μ₁ … μₖ ← start means
round detail: repeat
e:              E[zᵢⱼ] ← p(xᵢ|μⱼ) / Σₙ p(xᵢ|μₙ)
m:              μⱼ ← Σᵢ E[zᵢⱼ] xᵢ / Σᵢ E[zᵢⱼ]
until round:  until max |Δμ| < 10⁻⁶
"""
STILL = 1e-6
SMALLEST_SHARE = 1e-12  # of the examples' size: means closer than this are equal up to rounding
TOO_SMALL = (
    "Width σ is far too small for numbers as large as these: leave it empty or rescale the columns."
)
WIDTH = "known and the same for all components; empty: an even part of the spread of the examples"


class Params(Record, eq=True):
    k: Components = 2
    sigma: Annotated[
        float | None, Range(1e-6, 1e6, log=True), Label("Width σ"), Empty("auto"), Help(WIDTH)
    ] = None
    start: StartMeans = ()
    rounds: MostRounds = None


class State(Record):
    """The model is `means`.

    means: (k, d) μ
    before: those of the round before
    responsibilities: (n, k) E[z]
    log_likelihood: ln P of the examples under `means`
    current: the most doubtful example of an E step, −1 elsewhere
    path: the means after each round
    """

    means: Float
    before: Float
    responsibilities: Float
    log_likelihood: float
    current: int
    round: int
    path: Prefix[Float]

    @property
    def moved(self) -> float:
        """max |Δμ|, the largest move of a mean in this round."""
        return float(np.abs(self.means - self.before).max())


class Setting(Mixing[Params]):
    """The examples, and the width σ that all components share."""

    kind = "mean"

    @cached_property
    def sigma(self) -> float:
        """The width σ: as set, else from the spread of the examples divided evenly."""
        X = self.problem.X
        sigma: float = fair_width(X, self.p.k) if self.p.sigma is None else self.p.sigma
        if float(np.abs(X).max()) / sigma > 1e100:
            raise EngineError(TOO_SMALL)
        return sigma

    @cached_property
    def nearest(self) -> float:
        """The distance below which two means count as equal."""
        return SMALLEST_SHARE * float(np.abs(self.problem.X).max())

    @cached_property
    def least(self) -> float:
        """The smallest move of the means that counts; smaller for examples of tiny extent."""
        size = min(1.0, float(np.ptp(self.problem.X, axis=0).max()) or 1.0)
        return max(STILL * size, self.nearest)

    def density(self, means: Float, X: Float) -> Float:
        """(k, m) ln (1/k · p(x|μⱼ)) at rows X (m, d)."""
        ln_p = spherical_log_density(X, means, self.sigma)  # −½ |x − μ|²/σ² − d ln(σ √(2π))
        return ln_p - float(np.log(len(means)))

    def joint(self, s: Any, X: Float) -> Float:
        return self.density(s.means, X)

    def component(self, s: Any, joint: Float) -> Int:
        """(m,) the component with the largest joint (k, m); −1 for ties, also between two
        components at one place.
        """
        owner = super().component(s, joint)
        shared = np.isin(owner, together(s.means, self.sigma) or ())
        return np.where(shared, -1, owner)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    means = frozen(given.start(rng))  # the μ that are set, or k examples at random
    _, likelihood = e_step(given, means)
    s = State(means, means, given.even_shares, likelihood, -1, 0, Log[Float]().append(means))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.check(s.means)
    shares, likelihood = e_step(given, s.means)
    done = False
    while not done:
        s = replace(s, before=s.means, current=-1, round=s.round + 1)
        yield from at("round", s)

        doubtful = most_doubtful(shares)
        E = frozen(shares).T  # (n, k) E[z]
        s = replace(s, responsibilities=E, current=doubtful, log_likelihood=likelihood)
        yield from at("e", s)

        means = frozen(weighted_means(given.problem.X, shares, s.means))  # Σ E[z] x / Σ E[z]
        before = likelihood
        shares, likelihood = e_step(given, means)
        s = replace(s, means=means, current=-1, log_likelihood=likelihood, path=s.path.plus(means))
        yield from at("m", s, *when(empty=any_empty(s.responsibilities)), before=before)

        still = s.moved < given.least
        done = still or s.round == given.p.rounds
        if done:
            s = replace(s, responsibilities=frozen(shares).T)
        events = when(round=True, fell=fell(before, likelihood), converged=still)
        yield from at("until", s, *events, *(meeting(given, s) if still else ()))


def e_step(given: Setting, means: Float) -> tuple[Float, float]:
    """(E[zᵢⱼ] (k, n), log-likelihood of the examples) for these means (k, d)."""
    density = given.density(means, given.problem.X)  # ln (1/k · p(xᵢ|μⱼ))
    total = log_sum_exp(density)  # ln Σₗ 1/k · p(xᵢ|μₗ)
    E = np.exp(density - total)  # p(xᵢ|μⱼ) / Σₗ p(xᵢ|μₗ)
    return E, float(total.sum())


def meeting(given: Setting, s: State) -> tuple[str, ...]:
    """The event of means that stand still with two of them at one place.

    A saddle, from which they part by the least gap; or σ is too wide to keep them apart.
    """
    pair = together(s.means, given.sigma)
    if pair is None or min(s.responsibilities[:, list(pair)].sum(axis=0)) < EMPTY:
        return ()
    first = pair[0]
    if not would_part(given.problem.X, s.responsibilities[:, first], s.means[first], given.sigma):
        return ("merged",)
    exactly = together(s.means, given.nearest)  # with a gap, however small, they will part
    return when(saddle=bool(exactly))


def component(given: Setting, s: State, X: Float) -> Int:
    """(m,) the component with the largest membership of each row X (m, d), −1 where several tie."""
    return given.component(s, given.joint(s, X))


def example() -> Problem:
    """Eight numbers in two clusters: the setting of ML Fig 6.4."""
    return prepare(Dataset.from_columns({"x": [-3.2, -2.4, -1.9, -0.6, 0.8, 1.7, 2.3, 3.1]}))


ALGORITHM = Algorithm.of(
    __name__,
    title="EM for means",
    task=Task.CLUSTER,
    source=("ML 6.12.1", "ML 6.12.2", "ML 6.12.3"),
    needs=NO_CLASSES,
    curves=(Curve("log_likelihood", "log-likelihood", about=("likelihood", "data")),),
    events=("round", "empty", "fell", "converged", "saddle", "merged"),
)
