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
    memberships,
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
    Rng,
    Steps,
    Task,
    Work,
    cached_property,
    dataclass,
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


@dataclass(frozen=True)
class Params:
    k: Components = 2
    start: StartMeans = ()
    rounds: MostRounds = None


@dataclass(frozen=True, slots=True)
class State:
    """means (k, d); covariances (k, d, d); weights (k,) share of each component; responsibilities
    (n, k) E[z]; before_means, before_covariances: those of the round before; narrow: components
    held at the least variance; current: the most doubtful example of an E step, −1 elsewhere;
    log_likelihood of the model as it stands.
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
    """columns: how they are brought to spread 1; Z (n, d): the examples there."""

    term = "π N(x; {})"
    columns = cached_property(lambda given: Columns.of(given.problem.X))
    Z = cached_property(lambda given: given.columns.scaled(given.problem.X))

    def joint(self, s: Any, X: Float) -> Float:
        return Mixture.of(s, self.columns).joint(self.columns.scaled(X))

    def raster(self, s: Any, grid: Grid) -> Float:
        return Mixture.of(s, self.columns).raster(self.problem, self.columns, grid)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    k = given.p.k
    d = given.problem.d
    if float(np.abs(means := given.columns.scaled(given.start(rng))).max()) > 1e6:
        raise EngineError(TOO_FAR)
    model = Mixture(means, np.tile(np.eye(d) / k ** (2 / d), (k, 1, 1)), np.full(k, 1 / k))
    _, likelihood = yield from e_step(given, model)
    parts = model.told(given.columns)
    parts |= {"before_means": parts["means"], "before_covariances": parts["covariances"]}
    s = State(
        **parts,
        responsibilities=given.nobody,
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
    done = False
    shares, likelihood = yield from e_step(given, model)
    while not done:
        s = replace(
            s, before_means=s.means, before_covariances=s.covariances, current=-1, round=s.round + 1
        )
        yield from at("round", s)
        s = replace(
            s,
            responsibilities=frozen(shares).T,
            current=most_doubtful(shares),
            log_likelihood=likelihood,
        )
        yield from at("e", s)
        model = replace(model, means=weighted_means(Z, shares, model.means))
        before = likelihood
        s = yield from with_means(given, at, replace(s, current=-1), model, before)
        model, narrow = yield from with_shapes(Z, shares, model)
        halfway = s.log_likelihood
        shares, likelihood = yield from e_step(given, model)
        s = replace(s, **model.told(given.columns), narrow=narrow, log_likelihood=likelihood)
        yield from at("shapes", s, *when(floor=bool(narrow)), before=halfway)
        done = (over := likelihood - before < GAIN * given.problem.n) or s.round == given.p.rounds
        s = replace(s, responsibilities=frozen(shares).T) if done else s
        ends = ["fell"] * fell(before, likelihood) + ["converged"] * over
        yield from at("until", s, "round", *ends, before=before, over=over)


def e_step(given: Setting, model: Mixture) -> Work[tuple[Float, float]]:
    """E[z] (k, n), and the log-likelihood in the columns' own units."""
    shares, likelihood = memberships((yield from model.joints(given.Z)))
    return shares, likelihood - given.problem.n * given.columns.log_volume


def with_means(
    given: Setting, at: At, s: State, model: Mixture, before: float
) -> Part[State, State]:
    """The means have moved, the shapes not yet."""
    _, halfway = yield from e_step(given, model)
    s = replace(s, **model.told(given.columns), log_likelihood=halfway)
    yield from at("means", s, *when(empty=any_empty(s.responsibilities)), before=before)
    return s


def with_shapes(Z: Float, shares: Float, model: Mixture) -> Work[tuple[Mixture, tuple[int, ...]]]:
    """New covariances, none narrower than the floor, and new shares; which components the floor
    holds.
    """
    spread = yield from each_apart(
        lambda *one: weighted_covariances(Z, *one), shares, model.means, model.shapes
    )
    shapes, narrow = floored(spread, FLOOR)
    return replace(model, shapes=shapes, shares=shares.sum(axis=1) / len(Z)), tuple(
        np.flatnonzero(narrow).tolist()
    )


def component(given: Setting, s: State, X: Float) -> Int:
    """(m,) the component that owns most of each row, −1 where none is ahead."""
    return given.component(s, given.joint(s, X))


def example() -> Problem:
    """Two heaps of different size and direction."""
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
