"""Mixtures of Gaussians: log-densities, memberships by log-sum-exp, the M steps. ML 6.12, Eqs 6.27-6.31."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from engine.core.arrays import Bool, Float, Int
from engine.core.errors import EngineError
from engine.core.notation import counted, plural
from engine.core.work import Work

LOG_2PI = float(np.log(2 * np.pi))
EMPTY = 1e-12  # a component that owns less of an example than this has nothing to learn from
FLOOR = 1e-6  # least variance in any direction, as a share of the columns' variances
SMALLEST, LARGEST = 1e-152, 1e152  # sizes whose squares are still numbers
EQUAL = 1e-9  # in share: a component that leads by less leads by rounding
SAME_PLACE = 1e-2  # of σ: means as near as this lie on one place for the eye
ROUNDING = 1e-10  # a fall of the log-likelihood below this share of its size is rounding


def log_sum_exp(terms: Float) -> Float:
    """ln Σ exp over the first axis of (k, n). The largest term is taken out first, so that not all of them vanish."""
    top = terms.max(axis=0)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total: Float = top + np.log(np.exp(terms - top).sum(axis=0))
    return total


def memberships(joint: Float) -> tuple[Float, float]:
    """From ln (share · density) (k, n): E[z] (k, n), each column adding up to 1, and the log-likelihood of all examples."""
    total = log_sum_exp(joint)
    return np.exp(joint - total), float(total.sum())


def round_log_density(X: Float, means: Float, sigma: float) -> Float:
    """(k, n) ln N(x; μ_j, σ² I)."""
    out = np.empty((len(means), len(X)))
    across = np.ascontiguousarray(X.T)
    for row, mean in zip(out, means, strict=True):
        z = (across - mean[:, None]) / sigma
        np.einsum("ij,ij->j", z, z, out=row)
    logs: Float = -0.5 * out - X.shape[1] * (np.log(sigma) + 0.5 * LOG_2PI)
    return logs


def log_density(X: Float, means: Float, covariances: Float) -> Float:
    """(k, n) ln N(x; μ_j, Σ_j)."""
    roots = np.linalg.cholesky(covariances)
    inverses = np.linalg.inv(roots)
    out = np.empty((len(means), len(X)))
    across = np.ascontiguousarray(X.T)
    for row, mean, inverse in zip(out, means, inverses, strict=True):
        z = inverse @ (across - mean[:, None])
        np.einsum("ij,ij->j", z, z, out=row)
    volumes = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
    logs: Float = -0.5 * out - volumes[:, None] - 0.5 * X.shape[1] * LOG_2PI
    return logs


def each_apart(tell: Callable[..., Float], *parts: Float) -> Work[Float]:
    """What `tell` says of k components, asked of one at a time; parts (k, …): what is known of each."""
    told = []
    for j in range(len(parts[0])):
        told.append(tell(*(part[j : j + 1] for part in parts)))
        yield
    return np.concatenate(told)


def weighted_means(X: Float, shares: Float, before: Float) -> Float:
    """(k, d) μ_j = Σ E[z_ij] x_i / Σ E[z_ij] (Eq 6.31) for shares (k, n); a component without examples stays."""
    mass = shares.sum(axis=1)
    empty = mass <= EMPTY
    means = (shares @ X) / np.where(empty, 1.0, mass)[:, None]
    return np.where(empty[:, None], before, means)


def weighted_covariances(X: Float, shares: Float, means: Float, before: Float) -> Float:
    """(k, d, d) spread of each component's share of the examples about its mean; one without examples keeps its own."""
    out = np.array(before)
    for j in np.flatnonzero(shares.sum(axis=1) > EMPTY):
        away = X - means[j]
        out[j] = (away * shares[j][:, None]).T @ away / shares[j].sum()
    return out


def floored(covariances: Float, least: float) -> tuple[Float, Bool]:
    """The covariances with every variance raised to `least`, and which of them needed it. Of all covariances that are
    nowhere narrower this one is the most likely, so the likelihood does not fall."""
    values, axes = np.linalg.eigh(covariances)
    narrow: Bool = values[:, 0] < least  # ascending
    if not narrow.any():
        return covariances, narrow
    raised = (axes * np.maximum(values, least)[:, None, :]) @ axes.transpose(0, 2, 1)
    return np.where(narrow[:, None, None], raised, covariances), narrow


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns brought to mean 0 and spread 1, in which numbers of any size are safe; one without spread keeps unit 1."""

    centre: Float
    unit: Float

    @classmethod
    def of(cls, X: Float) -> "Columns":
        size = np.abs(X).max(axis=0)
        safe = np.where(size > 0, size, 1.0)
        small = X / safe
        spread = small.std(axis=0)
        centre = small.mean(axis=0)
        flat = (spread <= 1e-12) | (spread * safe < SMALLEST)
        return cls(centre * safe, np.where(flat, 1.0, spread * safe))

    def scaled(self, X: Float) -> Float:
        return (X - self.centre) / self.unit

    def raw(self, Z: Float) -> Float:
        return Z * self.unit + self.centre

    def raw_shape(self, shapes: Float) -> Float:
        """Covariances (k, d, d) in the columns' own units."""
        return shapes * self.unit[:, None] * self.unit

    def scaled_shape(self, shapes: Float) -> Float:
        return shapes / self.unit[:, None] / self.unit

    @property
    def log_volume(self) -> float:
        """ln of the volume of a unit cell: what scaling adds to a log-density."""
        return float(np.log(self.unit).sum())


def fair_width(X: Float, k: int) -> float:
    """A σ for k components that share the spread of the examples evenly; 1 without any spread."""
    columns = Columns.of(X)
    spread = np.where(np.ptp(X, axis=0) > 0, columns.unit, 0.0)
    largest = float(spread.max())
    if largest == 0:
        return 1.0
    typical = largest * float(np.sqrt(np.mean((spread / largest) ** 2)))
    return float(typical / k ** (1 / X.shape[1]))


def pair_likelihood(x: Float, sigma: float, means: Float) -> Float:
    """(m, m) log-likelihood of the values x (n,) for two components of equal share, over all pairs of `means` (m,)."""
    density = round_log_density(x[:, None], means[:, None], sigma)
    surface = np.zeros((len(means), len(means)))
    for i, one in enumerate(density):
        surface[i, : i + 1] = np.logaddexp(density[: i + 1], one).sum(axis=1)
    return surface + np.tril(surface, -1).T - len(x) * float(np.log(2))


def owners(shares: Float, ahead: float = EQUAL) -> Int:
    """(m,) the component that owns most of each place, −1 where none is `ahead` of all others; shares (k, m)."""
    if len(shares) == 1:
        return np.zeros(shares.shape[1], np.intp)
    second, first = np.partition(shares, -2, axis=0)[-2:]
    return np.where(first - second > ahead, shares.argmax(axis=0), -1)


def together(means: Float, sigma: float) -> tuple[int, int] | None:
    """Two means (k, d) on one place, the first such pair; None while all are apart."""
    gaps = np.abs(means[:, None] - means[None]).max(axis=2) + np.diag(np.full(len(means), np.inf))
    i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
    return (int(i), int(j)) if gaps[i, j] <= SAME_PLACE * sigma else None


def would_part(X: Float, shares: Float, mean: Float, sigma: float) -> bool:
    """Whether two equal means would part after a tiny push. A small gap g between them becomes C g / σ² in a round, C the
    spread of their examples, which both own with the same shares (n,): it grows along a direction in which C > σ²."""
    away = (X - mean) / sigma
    mass = float(shares.sum())
    spread = (away * shares[:, None]).T @ away / (mass if mass > EMPTY else 1.0)
    return float(np.linalg.eigvalsh(spread)[-1]) > 1.0


def flat(Z: Float) -> bool:
    """The examples have next to no spread in some direction; columns (n, d) of spread 1."""
    away = Z - Z.mean(axis=0)
    return float(np.linalg.eigvalsh(away.T @ away / len(Z))[0]) < FLOOR


def fell(before: float, after: float) -> bool:
    """The log-likelihood went down by more than rounding: EM never does that."""
    return after < before - ROUNDING * max(1.0, abs(before))


def any_empty(shares: Float) -> bool:
    """Some component owns no example; shares (n, k)."""
    return bool((shares.sum(axis=0) <= EMPTY).any())


def most_doubtful(shares: Float) -> int:
    """The example whose largest membership is smallest, in shares (k, n)."""
    return int(shares.max(axis=0).argmin())


def start_places(X: Float, k: int, given: tuple[float, ...], rng: Generator) -> Float:
    """(k, d) start means: the given numbers, or k examples drawn at random, at different places if there are enough."""
    d = X.shape[1]
    if float(np.abs(X).max()) > LARGEST:
        raise EngineError("Some numbers are too large to be squared: standardise the columns in the data panel.")
    if given:
        if len(given) != k * d:
            raise EngineError(
                f"Start means needs {counted(k * d, 'number')} (k = {k}, columns: {d}); it has {len(given)}."
            )
        return np.asarray(given, np.float64).reshape(k, d)
    if k > len(X):
        raise EngineError(
            f"Components k is {k}, but there {plural(len(X), 'is', 'are')} only {len(X)} {plural(len(X), 'example')} to "
            "start from: lower k or set the means."
        )
    places = np.unique(X, axis=0)
    places = places if len(places) >= k else X
    return np.asarray(places[rng.choice(len(places), k, replace=False)])
