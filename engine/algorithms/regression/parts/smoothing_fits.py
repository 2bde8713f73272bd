"""Kernels and what weighted neighbours say: their mean, median, or a line or a quadratic for one
query, solved or found step by step.

AIMA 18.8.4, MMDS 12.4.3-4, ML 8.2-8.3.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np

from engine.base.arrays import Bool, Float
from engine.base.records import Record
from engine.numerics.closeness import OF_TERMS, equal, more, tidy

KernelName = Literal["equal", "1/d", "1/d²", "gaussian", "quadratic"]
Estimate = Literal["mean", "median", "line", "quadratic"]
FITS = ("line", "quadratic")  # of these a function is fitted for each query

INSIDE = OF_TERMS  # of the largest weight: what has less does not help to settle a line
# differences of squares up to so many widths, and of sums down to such a share, keep all digits but
# three
_FAR = 16.0
_SAFE = 1e-3
GROWN = 1e6  # errors that have grown by this factor are said to diverge
_SLOW = 1e-9  # of what is missing: so little an update changes in a direction without a size


def quadratic(minus: Float) -> Float:
    """The quadratic kernel max(0, 1 − (2d/width)²), elementwise. minus: −(d/width)². AIMA Fig
    18.29.
    """
    return np.maximum(0.0, 1 + 4 * minus)


# kernels of −(d/width)²
SMOOTH: dict[str, Callable[[Float], Float]] = {"gaussian": np.exp, "quadratic": quadratic}
POWERS = {"equal": 0, "1/d": 1, "1/d²": 2}


class Rule(Record, eq=True):
    """How neighbours give an estimate: the k nearest (0: all), weighted by a kernel of the
    distance, by mean, median, line or quadratic.

    updates: by the delta rule that find the line or quadratic, 0: it is solved
    rate: η of these, None: half of what is stable at the query
    """

    k: int = 0
    kernel: KernelName = "equal"
    width: float = 1.0
    estimate: Estimate = "mean"
    updates: int = 0
    rate: float | None = None

    def weights(self, columns: int) -> int:
        """How many weights the function of so many columns has that is fitted for a query."""
        slopes = columns if self.estimate in FITS else 0
        return 1 + slopes + (pairs(columns) if self.estimate == "quadratic" else 0)


def pairs(columns: int) -> int:
    """The number of squares and products of so many columns."""
    return columns * (columns + 1) // 2


def kernel_value(d: Float, rule: Rule) -> Float:
    """K(d), elementwise; ∞ at d = 0 for 1/d and 1/d²."""
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        if rule.kernel in SMOOTH:
            return SMOOTH[rule.kernel](-((d / rule.width) ** 2))
        power = POWERS[rule.kernel]
        return np.asarray(d**-power) if power else np.ones_like(d)


def weights(d: Float, rule: Rule) -> Float:
    """(c,) the weights of examples at distances d (c,), see `fitting_weights`."""
    return np.asarray(fitting_weights(d[None], rule)[0])


def relative_weights(d: Float, rule: Rule) -> Float:
    """(m, c) weights K(d) up to a factor that all examples of a row have in common.

    So no row is lost where K of all its distances is 0 up to rounding. Examples exactly at the
    query outweigh all others under 1/d and 1/d². With no example inside the window the nearest one
    counts.
    """
    least = d.min(axis=1, keepdims=True)
    if rule.kernel == "equal":
        return np.isfinite(d) * 1.0
    if rule.kernel == "gaussian":
        exponent = (least / rule.width) ** 2 - (d / rule.width) ** 2
        return np.asarray(np.exp(np.maximum(-745.0, exponent)))
    if rule.kernel == "quadratic":
        weights = kernel_value(d, rule)
        empty = np.flatnonzero(weights.max(axis=1) <= 0)
        weights[empty, tidy(d[empty]).argmin(axis=1)] = 1.0
        return np.asarray(weights)
    exact = least == 0
    ratio = np.where(exact, d == 0, least / np.where(d == 0, 1.0, d))
    return np.asarray(ratio**2 if rule.kernel == "1/d²" else ratio)


def weighted_mean(Y: Float, w: Float) -> Float:
    """(m,) Σ w y / Σ w of values Y and weights w (m, c). MMDS 12.4.3, ML Eq 8.4."""
    return np.asarray(np.einsum("mc,mc->m", w, Y) / w.sum(axis=1))


def weighted_median(Y: Float, w: Float) -> Float:
    """(m,) the value with half of the weight on each side, the middle of two where both will do.

    Y, w (m, c): values and weights.
    """
    order = Y.argsort(axis=1, kind="stable")
    Y = np.take_along_axis(Y, order, 1)
    reached = np.take_along_axis(w, order, 1).cumsum(axis=1)
    half = reached[:, -1:] / 2
    low = (~more(half, reached, half, OF_TERMS)).argmax(axis=1)
    high = more(reached, half, half, OF_TERMS).argmax(axis=1)
    rows = np.arange(len(Y))
    return np.asarray((Y[rows, low] + Y[rows, high]) / 2)


def local_lines(Y: Float, w: Float, gaps: Float) -> tuple[Float, Float, Bool]:
    """(values (m,), slopes (m, d), determined (m,)): the lines of least Σ w (y − h)² at m queries.

    Y, w (m, c): values and weights of the examples; gaps (m, c, d): where they lie, seen from the
    query. Where they determine no line, the value is their weighted mean. ML 8.3.1.
    """
    w = np.where(more(w, 0.0, w.max(axis=1, keepdims=True), INSIDE), w, 0.0)
    if gaps.shape[2] == 1:
        return lines_on_one(Y, w, gaps[..., 0])
    total = w.sum(axis=1)
    middle = np.einsum("mc,mcj->mj", w, gaps) / total[:, None]
    level = weighted_mean(Y, w)
    centred = gaps - middle[:, None]
    weighted = centred * w[..., None]
    S = weighted.transpose(0, 2, 1) @ centred
    t = np.einsum("mcj,mc->mj", weighted, Y - level[:, None])
    size = np.sqrt(np.einsum("mjj->mj", S))
    reach = (np.abs(gaps) * (w > 0)[..., None]).max(axis=1)
    flat = equal(size, 0.0, np.sqrt(total)[:, None] * reach, OF_TERMS)
    size = np.where(flat, 1.0, size)
    S = S / (size[:, :, None] * size[:, None, :])
    determined = ~flat.any(axis=1)
    determined[determined] = more(np.linalg.eigvalsh(S[determined])[:, 0], 0.0, 1.0)
    slopes = np.zeros_like(middle)
    solved = np.linalg.solve(S[determined], (t / size)[determined][..., None])[..., 0]
    slopes[determined] = solved / size[determined]
    return level - np.einsum("mj,mj->m", slopes, middle), slopes, determined


def lines_on_one(Y: Float, w: Float, gaps: Float) -> tuple[Float, Float, Bool]:
    """(values, slopes, determined) of weighted lines over a single column. gaps: (m, c) x of each
    neighbour less the query
    """
    total = w.sum(axis=1)
    middle = np.einsum("mc,mc->m", w, gaps) / total
    level = weighted_mean(Y, w)
    centred = gaps - middle[:, None]
    weighted = w * centred
    size = np.einsum("mc,mc->m", weighted, centred)
    reach = np.abs(gaps).max(axis=1, where=w > 0, initial=0.0)
    determined = more(np.sqrt(size), 0.0, np.sqrt(total) * reach, OF_TERMS)
    slopes = np.einsum("mc,mc->m", weighted, Y - level[:, None]) / np.where(determined, size, 1.0)
    slopes[~determined] = 0.0
    return level - slopes * middle, slopes[:, None], determined


def median(y: Float, w: Float) -> float:
    """The weighted median of y (c,) with weights w (c,); the mean of two values that both
    qualify.
    """
    return float(weighted_median(y[None], w[None])[0])


def line(y: Float, w: Float, x: Float) -> tuple[float, Float]:
    """(a, b (columns,)): the line or plane a + b · x of least Σ w (y − a − b · x)². ML 8.3.1.

    y (c,) are the values of the examples, w (c,) their weights, x (c, columns) their places. Where
    they settle no line, a is their weighted mean, and b is empty.
    """
    level, slopes, determined = local_lines(y[None], w[None], x[None])
    return float(level[0]), slopes[0] if determined[0] else np.zeros(0)


def terms(gaps: Float, rule: Rule) -> Float:
    """(m, c, p − 1) what the slopes of a line or quadratic are multiplied by: gaps (m, c, d), for a
    quadratic also their squares and products.
    """
    if rule.estimate != "quadratic":
        return gaps
    one, other = np.triu_indices(gaps.shape[2])
    return np.concatenate([gaps, gaps[..., one] * gaps[..., other]], axis=2)


def local_fits(rule: Rule, Y: Float, w: Float, gaps: Float) -> tuple[Float, Float, Bool]:
    """(values (m,), slopes (m, p − 1), settled (m,)) of the lines or quadratics at m queries.

    As `local_lines`; where the examples settle no quadratic, a line is taken. ML 8.3, 8.3.1.
    """
    A = terms(gaps, rule)
    values, slopes, settled = local_lines(Y, w, A)
    few = np.flatnonzero(~settled)
    if rule.estimate == "quadratic" and len(few):
        d = gaps.shape[2]
        values[few], slopes[few, :d], settled[few] = local_lines(Y[few], w[few], gaps[few])
    if rule.updates:
        b = descended(rule, Y[settled], w[settled], A[settled])
        values[settled], slopes[settled] = b[:, 0], b[:, 1:]
    return values, slopes, settled


def function(rule: Rule, y: Float, w: Float, x: Float) -> tuple[float, Float]:
    """(a, b): the line or quadratic of least Σ w (y − h(x))² by its value a at 0 and its slopes b
    (p − 1,) there, of a quadratic also its bends.

    y (c,) are the values of the examples, w (c,) their weights, x (c, columns) their places. Where
    they settle no quadratic, b has the slopes of a line; where they settle no line, a is their
    weighted mean, and b is empty.
    """
    level, slopes, settled = local_fits(rule, y[None], w[None], x[None])
    if not settled[0]:
        return float(level[0]), np.zeros(0)
    bent = rule.updates or local_lines(y[None], w[None], terms(x[None], rule))[2][0]
    return float(level[0]), slopes[0] if bent else slopes[0, : x.shape[1]]


# -- step by step ----------------------------------------------------------------------------------


def descended(rule: Rule, Y: Float, w: Float, A: Float) -> Float:
    """(m, p) the weights b after the updates b ← b + η Σ w (y − b · a) a from 0. ML 8.3.1.

    Y, w (m, c): values and weights of the examples; A (m, c, p − 1): their terms without the 1. Of
    each direction in which S = Σ w a aᵀ has the size λ an update leaves 1 − η λ of what is missing.
    """
    a = np.concatenate([np.ones((*A.shape[:2], 1)), A], axis=2)
    S, t = moments(Y, w, a)
    sizes, axes = np.linalg.eigh(S)
    rate, count = speed(rule, sizes[:, -1])
    done = rate[:, None] * sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (1 - (1 - done) ** count[:, None]) / sizes
    share = np.where(done < _SLOW, (rate * count)[:, None], share)
    along = np.einsum("mij,mi->mj", axes, t)
    return np.asarray(np.einsum("mij,mj->mi", axes, share * along))


def moments(Y: Float, w: Float, a: Float) -> tuple[Float, Float]:
    """(S (m, p, p), t (m, p)): Σ w a aᵀ and Σ w y a of examples with terms a (m, c, p)."""
    weighted = a * w[..., None]
    return weighted.transpose(0, 2, 1) @ a, np.einsum("mcj,mc->mj", weighted, Y)


def speed(rule: Rule, steepest: Float) -> tuple[Float, Float]:
    """(η (m,), updates (m,)) at queries whose S has the largest sizes `steepest` (m,).

    From η = 2/λmax on every update makes the errors larger: there they end when these have grown a
    million times.
    """
    rate = 1 / steepest if rule.rate is None else np.full(len(steepest), rule.rate)
    grows = np.maximum(rate * steepest - 1, 1.0)
    with np.errstate(divide="ignore"):
        most = np.ceil(np.log(GROWN) / np.log(grows))
    return rate, np.minimum(most, rule.updates)


def shown_weights(d: Float, rule: Rule) -> tuple[Float, str]:
    """(weights (c,), fallback): K(d) as it is written, relative ones where it is no number.

    fallback: "exact" where the query lies on an example whose weight would be ∞, "nearest" where no
    example lies inside the window, else "".
    """
    raw = kernel_value(d, rule)
    relative = relative_weights(d[None], rule)[0]
    if np.isinf(raw).any():
        return relative, "exact"
    if not raw.any():
        return relative, "nearest" if rule.kernel == "quadratic" else ""
    return raw, ""


def fitting_weights(d: Float, rule: Rule) -> Float:
    """(m, c) `relative_weights`; K(d) as it is written, where it is a number, for updates: on it
    depends how far they go.
    """
    if not rule.updates:
        return relative_weights(d, rule)
    raw = kernel_value(d, rule)
    lost = np.isinf(raw).any(axis=1) | ~raw.any(axis=1)
    raw[lost] = relative_weights(d[lost], rule)
    return raw


def fitted(rule: Rule, d: Float, Y: Float, X: Float, Q: Float) -> tuple[Float, Float, Bool]:
    """(values (m,), slopes, determined) at the places Q (m, e), by the rule.

    d (m, c): distances of the examples, ∞ leaves one out; Y (m, c): their values; X (m or 1, c, e):
    where they are. Slopes and determined are those of `local_lines`, empty for means and medians.
    """
    w = fitting_weights(d, rule)
    if rule.estimate in FITS:
        return local_fits(rule, Y, w, X - Q[:, None])
    middle = weighted_mean if rule.estimate == "mean" else weighted_median
    return middle(Y, w), np.zeros((0, 0)), np.ones(0, bool)


def fitted_together(rule: Rule, q: Float, x: Float, y: Float) -> tuple[Float, Bool]:
    """(values (m,), sure (m,)) of means or lines at many places q (m,) among the same examples x, y
    (c,) of one column, under a smooth kernel.

    All gaps are one product of matrices, and all sums another. Not sure is a value where no example
    is near, or where they hardly settle a line. The lightest examples count in a line too: they
    settle none.
    """
    middle = (x[0] + x[-1]) / 2
    level = y.mean()
    one = np.ones(len(x))
    at = (q - middle) / rule.width
    t = (x - middle) / rule.width
    v = y - level
    # −(at − t)² as −at² · 1 + 2 at · t − 1 · t²
    minus = np.column_stack([-at * at, 2 * at, -np.ones(len(q))]) @ np.stack([one, t, t * t])
    w = SMOOTH[rule.kernel](minus)
    total, high = (w @ np.column_stack([one, v])).T
    sure = (total > _SAFE) & (np.abs(at) < _FAR) & (np.abs(t).max() < _FAR)
    total = np.where(sure, total, 1.0)
    high = high / total
    if rule.estimate != "line":
        return level + high, sure
    mean, square, product = (w @ np.column_stack([t, t * t, t * v])).T / total
    spread = square - mean**2
    sure &= spread > _SAFE * np.square(t).max()
    slopes = (product - mean * high) / np.where(sure, spread, 1.0)
    return level + high + slopes * (at - mean), sure
