"""Mixtures of Gaussians: memberships by log-sum-exp, new means, which component is ahead, columns
of spread 1.

ML 6.12, Eqs 6.27-6.31.
"""

from engine.algorithms.clusters.parts.squares import first_two
from engine.authoring import Float, Int, Record, np
from engine.numerics.closeness import OF_TERMS, SHARE, equal, more

LOG_2PI = float(np.log(2 * np.pi))
EMPTY = 1e-12  # a component that owns less of an example than this has nothing to learn from
# sizes whose squares are still numbers
SMALLEST = 1e-152
LARGEST = 1e152


def log_sum_exp(terms: Float) -> Float:
    """(n,) ln Σ exp over the first axis of (k, n). The largest term is factored out so that not all
    underflow.
    """
    top = terms.max(axis=0)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total: Float = top + np.log(np.exp(terms - top).sum(axis=0))
    return total


def memberships(joint: Float) -> tuple[Float, float]:
    """(E[z] (k, n) with columns adding up to 1, log-likelihood of all examples) from ln (share ·
    density) (k, n).
    """
    total = log_sum_exp(joint)
    return np.exp(joint - total), float(total.sum())


def weighted_means(X: Float, shares: Float, before: Float) -> Float:
    """(k, d) μ_j = Σ E[z_ij] x_i / Σ E[z_ij] (Eq 6.31) for shares (k, n); a component without
    examples stays.
    """
    mass = shares.sum(axis=1)
    empty = mass <= EMPTY
    means = (shares @ X) / np.where(empty, 1.0, mass)[:, None]
    return np.where(empty[:, None], before, means)


class Columns(Record):
    """Columns brought to mean 0 and spread 1, in which numbers of any size are safe.

    centre: (d,) their means
    unit: (d,) their standard deviations, 1 of one without spread
    """

    centre: Float
    unit: Float

    @classmethod
    def of(cls, X: Float) -> "Columns":
        """The scaling of a table X (n, d)."""
        size = np.abs(X).max(axis=0)
        safe = np.where(size > 0, size, 1.0)
        small = X / safe
        spread = small.std(axis=0)
        centre = small.mean(axis=0)
        flat = equal(spread, 0.0, 1.0, OF_TERMS) | (spread * safe < SMALLEST)
        return cls(centre * safe, np.where(flat, 1.0, spread * safe))

    def scaled(self, X: Float) -> Float:
        """Rows X (m, d) scaled to mean 0 and spread 1."""
        return (X - self.centre) / self.unit

    def raw(self, Z: Float) -> Float:
        """Scaled rows Z (m, d) in original units."""
        return Z * self.unit + self.centre

    def raw_shape(self, shapes: Float) -> Float:
        """Covariances (k, d, d) of scaled columns in original units."""
        return shapes * self.unit[:, None] * self.unit

    def scaled_shape(self, shapes: Float) -> Float:
        """Covariances (k, d, d) in original units for scaled columns."""
        return shapes / self.unit[:, None] / self.unit

    @property
    def log_volume(self) -> float:
        """ln of the volume of a scaled unit cell in original units: the log-density differs by
        it.
        """
        return float(np.log(self.unit).sum())


def owners(shares: Float, ahead: float = SHARE) -> Int:
    """(m,) the component with the largest membership in shares (k, m), −1 where it does not lead by
    `ahead`.
    """
    if len(shares) == 1:
        return np.zeros(shares.shape[1], np.intp)
    second, first = np.partition(shares, -2, axis=0)[-2:]
    return np.where(more(first, second, 1.0, ahead), shares.argmax(axis=0), -1)


def fell(before: float, after: float) -> bool:
    """Whether the log-likelihood went down by more than rounding: with EM it never does."""
    return bool(more(before, after, max(1.0, abs(before))))


def any_empty(shares: Float) -> bool:
    """Whether some component owns no example; shares (n, k)."""
    return bool((shares.sum(axis=0) <= EMPTY).any())


def most_doubtful(shares: Float) -> int:
    """The index of the example whose largest membership is smallest. shares: (k, n)"""
    return int(shares.max(axis=0).argmin())


def leaders(joint: Float) -> Int:
    """(…) the component with the largest joint (k, …) at each place, −1 where several tie up to
    rounding.
    """
    which, least, second = first_two(-log for log in joint)
    return np.where(more(second, least, 1.0), which, -1)
