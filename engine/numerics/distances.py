"""Distances between rows: Minkowski, Hamming, mixed, Mahalanobis, Jaccard, cosine, kernels;
normalised and stretched columns.

AIMA 18.8.1, ML 8.2.2, MMDS 12.4.6.
"""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from engine.base.arrays import Bool, Float, Int, frozen, middle
from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.records import Record
from engine.base.sums import add_up
from engine.numerics.closeness import more
from engine.numerics.kernels import KernelFormula

_TINY = 1e-290
_FEW_COLUMNS = 6
_FAR = 300.0  # exponent beyond which a bell is 0


def norm(gaps: Sequence[Float], p: float) -> Float:
    """(Σ gap^p)^(1/p) over the columns; the largest gap for p = ∞. AIMA 18.8.1.

    gaps: one non-negative array per column
    """
    with np.errstate(over="ignore", under="ignore"):
        if p == 1:
            return np.asarray(add_up(gaps), np.float64)
        if p == 2:
            squares = np.asarray(add_up(gap * gap for gap in gaps))
            if squares.min(initial=1.0) > _TINY and squares.max(initial=1.0) < np.inf:
                return np.asarray(np.sqrt(squares))
        largest = np.asarray(np.maximum.reduce(list(gaps)), np.float64)
        if np.isinf(p):
            return largest
        unit = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
        shares = add_up(
            (gap / unit) ** p for gap in gaps
        )  # powers of shares of the largest gap neither overflow nor vanish
        scaled = np.asarray(unit * shares ** (1 / p))
        # plain squares where they are safe, so that a distance does not depend on the other rows
        if p == 2:
            return np.where(
                (squares > _TINY) & (squares < np.inf) | (largest == 0), np.sqrt(squares), scaled
            )
        return scaled


def squared_distances(A: Float, B: Float) -> Float:
    """(m, k) |a − b|².

    Few columns are computed one by one, which is exact for near points; many by dot products.
    """
    if A.shape[1] <= _FEW_COLUMNS:
        return np.asarray(
            reduce(np.add, (np.subtract.outer(a, b) ** 2 for a, b in zip(A.T, B.T, strict=True)))
        )
    squares = np.add.outer(np.square(A).sum(1), np.square(B).sum(1))
    return np.asarray(np.maximum(squares - 2 * (A @ B.T), 0.0))


def bells(exponents: Float) -> Float:
    """e^(−exponents), in place; 0 for tiny results, because denormal numbers are slow."""
    exponents[exponents > _FAR] = np.inf
    np.negative(exponents, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))


class Space(Record):
    """A metric as a p-norm of gaps in z = ((x − centre)[kept] · scale) @ rotation.

    hamming: the gap of a column is its scale where two rows differ, else 0
    words: (e,) which columns hold words; their gap is as of hamming, that of the others a number's
    angle: 'jaccard' or 'cosine', which compare whole rows and have no gaps of columns
    kernel: distances are those of the points in the kernel's feature space
    """

    p: float
    centre: Float
    kept: Int
    scale: Float
    rotation: Float | None = None
    hamming: bool = False
    words: Bool | None = None
    angle: str = ""
    kernel: KernelFormula | None = None

    @property
    def bent(self) -> bool:
        """Whether no p-norm measures the distances: no balls, no straight walls, no k-d tree."""
        whole = self.hamming or bool(self.angle) or self.kernel is not None
        return whole or self.words is not None

    def embed(self, X: Float) -> Float:
        """Rows (m, d) as points (m, e) of the space."""
        if self.hamming or self.words is not None:
            return np.ascontiguousarray(X[:, self.kept])
        Z = (X - self.centre)[:, self.kept] * self.scale
        # row by row: the result must not depend on the other rows, so that copies have distance 0
        return np.ascontiguousarray(
            Z if self.rotation is None else (Z[:, None] @ self.rotation)[:, 0]
        )

    def gaps(self, A: Float, B: Float) -> list[Float]:
        """One array of gaps per column between A (…, e) and B (…, e), which broadcast."""
        if self.hamming:
            return [(A[..., j] != B[..., j]) * self.scale[j] for j in range(len(self.kept))]
        if self.words is not None:
            return [
                (A[..., j] != B[..., j] if word else np.abs(A[..., j] - B[..., j])) * self.scale[j]
                for j, word in enumerate(self.words)
            ]
        with np.errstate(over="ignore"):
            return [np.abs(A[..., j] - B[..., j]) for j in range(len(self.kept))]

    def distance(self, A: Float, B: Float) -> Float:
        """Distances between points A (…, e) and B (…, e) of the space, which broadcast."""
        if self.angle:
            return jaccard(A, B) if self.angle == "jaccard" else cosine(A, B)
        return norm(self.gaps(A, B), self.p) if self.kernel is None else self.kernel.distance(A, B)

    def axes(self, columns: Sequence[int]) -> Float:
        """(len(columns), e) how far a point of the space moves per unit of each of these columns of
        x.
        """
        unit = np.zeros((len(columns), len(self.centre)))
        unit[np.arange(len(columns)), list(columns)] = 1.0
        moved = unit[:, self.kept] * self.scale
        return moved if self.rotation is None else moved @ self.rotation

    @property
    def plain(self) -> bool:
        """Whether distances are those of the unchanged columns."""
        return (
            self.rotation is None
            and not self.bent
            and bool((self.scale == 1).all() and (self.centre == 0).all())
        )


def minkowski_space(
    X: Float, p: float = 2.0, normalise: bool = False, stretch: Sequence[float] = ()
) -> Space:
    """L^p on the columns of X, after (x − μ)/σ if `normalise` (AIMA 18.8.1), times `stretch` (ML
    8.2.2).

    A column with stretch 0 is left out; a constant column keeps σ = 1. Raises EngineError for
    invalid stretch factors.
    """
    kept, factors = stretched(X.shape[1], stretch)
    centre = np.zeros(X.shape[1])
    scale = np.ones(X.shape[1])
    if normalise:
        centre = middle(X)
        scale = spread(X)
    return Space(float(p), frozen(centre), kept, frozen(factors[kept] / scale[kept]))


def hamming_space(X: Float, stretch: Sequence[float] = ()) -> Space:
    """The metric that adds the stretch of each column in which two rows differ. AIMA 18.8.1.

    Raises EngineError for invalid stretch factors.
    """
    kept, factors = stretched(X.shape[1], stretch)
    return Space(1.0, frozen(np.zeros(X.shape[1])), kept, frozen(factors[kept]), hamming=True)


def mixed_space(X: Float, words: Sequence[bool], stretch: Sequence[float] = ()) -> Space:
    """The metric that adds, for columns of words, 1 where two rows differ, and for numbers their
    difference as a share of the column's range; each times its stretch. MIT 2.1.21.

    words: (d,) which columns hold words. Raises EngineError for invalid stretch factors.
    """
    kept, factors = stretched(X.shape[1], stretch)
    named = np.asarray(words, np.bool_)
    spans = np.ptp(X, axis=0)
    scale = factors / np.where(named | ~(spans > 0), 1.0, spans)
    centre = frozen(np.zeros(X.shape[1]))
    return Space(1.0, centre, kept, frozen(scale[kept]), words=frozen(named[kept], np.bool_))


def angle_space(X: Float, angle: str, stretch: Sequence[float] = ()) -> Space:
    """The metric of `jaccard` or `cosine`, after stretching. MMDS 12.4.6.

    Raises EngineError for invalid stretch factors.
    """
    kept, factors = stretched(X.shape[1], stretch)
    return Space(2.0, frozen(np.zeros(X.shape[1])), kept, frozen(factors[kept]), angle=angle)


def jaccard(A: Float, B: Float) -> Float:
    """1 − the share of the ones of A (…, e) or B (…, e) that both have; 0 between two rows without
    ones. MMDS 12.4.6.
    """
    pairs = [(A[..., j], B[..., j]) for j in range(A.shape[-1])]
    both = add_up(np.minimum(a, b) for a, b in pairs)
    either = add_up(np.maximum(a, b) for a, b in pairs)
    return np.asarray(np.where(either > 0, 1 - both / np.where(either > 0, either, 1.0), 0.0))


def cosine(A: Float, B: Float) -> Float:
    """The angle between A (…, e) and B (…, e) in degrees; 90 from a row of zeros, which has no
    direction, to others. MMDS 12.4.6.
    """
    size_a, size_b = (np.sqrt(np.square(Z).sum(axis=-1)) for Z in (A, B))
    U = A / np.where(size_a > 0, size_a, 1.0)[..., None]
    V = B / np.where(size_b > 0, size_b, 1.0)[..., None]
    pairs = [(U[..., j], V[..., j]) for j in range(U.shape[-1])]
    # by the sides of the triangle: exact for equal directions, where arccos is not
    apart = np.sqrt(add_up((u - v) ** 2 for u, v in pairs))
    along = np.sqrt(add_up((u + v) ** 2 for u, v in pairs))
    degrees = np.degrees(2 * np.arctan2(apart, along))
    return np.asarray(np.where((size_a == 0) & (size_b == 0), 0.0, degrees))


def kernel_space(X: Float, kernel: KernelFormula, stretch: Sequence[float] = ()) -> Space:
    """The metric of a kernel's feature space, after stretching. AIMA 18.9.

    Raises EngineError for kernel values that are too large and for invalid stretch factors.
    """
    kept, factors = stretched(X.shape[1], stretch)
    kernel.diagonal(X[:, kept] * factors[kept])
    return Space(2.0, frozen(np.zeros(X.shape[1])), kept, frozen(factors[kept]), kernel=kernel)


def mahalanobis_space(X: Float, names: Sequence[str], stretch: Sequence[float] = ()) -> Space:
    """√((x − q)ᵀ S⁻¹ (x − q)) with the sample covariance S (divisor n − 1), as a rotation and
    scaling.

    AIMA 18.8.1. Stretch cancels out, but factor 0 leaves a column out. Raises EngineError if S has
    no inverse.
    """
    kept, _ = stretched(X.shape[1], stretch)
    sigma = spread(X)
    flat = [names[j] for j in kept if (X[:, j] == X[0, j]).all()]
    if flat:
        raise EngineError(
            f"Mahalanobis distance needs columns that vary; {quoted(flat[0])} has one value in"
            " every row. Ignore that column or choose the Minkowski metric."
        )
    Z = (X - middle(X))[:, kept] / sigma[kept]
    values, vectors = np.linalg.eigh(Z.T @ Z / (len(X) - 1))
    if not more(values[0], 0.0, values[-1]):
        raise EngineError(
            "Mahalanobis distance needs columns that vary independently; here one follows from the"
            " others (all rows lie on a line or a flat). Ignore a column, add rows, or choose the"
            " Minkowski metric."
        )
    return Space(
        2.0, frozen(middle(X)), kept, frozen(1 / sigma[kept]), frozen(vectors / np.sqrt(values))
    )


def spread(X: Float) -> Float:
    """(d,) standard deviations, 1 for constant columns."""
    sigma = X.std(0)
    return np.where((X[0] == X).all(0) | (sigma == 0), 1.0, sigma)


def stretched(d: int, stretch: Sequence[float]) -> tuple[Int, Float]:
    """(indices of columns with a factor other than 0, all d factors).

    Raises EngineError for a wrong number of factors, a negative one, and if all are 0.
    """
    factors = np.asarray(stretch, np.float64) if len(stretch) else np.ones(d)
    if len(factors) != d:
        raise EngineError(
            f"Stretch needs one factor for each of the {counted(d, 'column')}; it has"
            f" {len(factors)}."
        )
    if (factors < 0).any():
        raise EngineError("Stretch factors must not be negative; 0 leaves a column out.")
    if not factors.any():
        raise EngineError(
            "Every stretch factor is 0, so no column is left to measure: give one a factor above 0."
        )
    return frozen(np.flatnonzero(factors), np.intp), frozen(factors)


def unit_ball(p: float, places: int = 128) -> Float:
    """(places, 2) the rim of the unit ball of L^p in the plane.

    `places` is a multiple of 8, so that the corners are included.
    """
    turn = 2 * np.pi * np.arange(places) / places
    rim = np.column_stack([np.cos(turn), np.sin(turn)])
    return np.asarray(rim / norm([np.abs(rim[:, 0]), np.abs(rim[:, 1])], p)[:, None])
