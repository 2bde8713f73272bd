"""Estimates by weighted neighbours: kernels, local lines, jumps, leaving one out. AIMA 18.8.4, MMDS 12.4.3-4, ML 8.2-8.3."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.problem import Problem
from engine.numerics.distances import minkowski_space, tidy
from engine.numerics.least_squares import training_rows
from engine.numerics.nearest import Index

KernelName = Literal["equal", "1/d", "1/d²", "gaussian", "quadratic"]
Estimate = Literal["mean", "median", "line"]

INSIDE = 1e-12  # share of the largest weight below which an example does not help to settle a line
_FLAT, _LEVEL = 1e-26, 1e-10
_ENTRIES = 1_000_000  # numbers of an intermediate array
_BESIDE = 1e-8  # of the range: how far beside a switch the two limits are taken
_JUMP = 1e-5  # of the values' range: less is no jump
_COMPARED = 5_000_000  # distances measured at most for the errors, where every example takes part in every query
LEFT_OUT = 1000  # at most so many examples are left out one by one, evenly spread


@dataclass(frozen=True, slots=True)
class Rule:
    """k nearest examples (0: all), weighted by `kernel` of the given width, give their mean, median or a line."""

    k: int = 0
    kernel: KernelName = "equal"
    width: float = 1.0
    estimate: Estimate = "mean"


@dataclass(frozen=True, slots=True)
class Local:
    """What one query finds. rows (c,) table rows that count, nearest first; distances, weights (c,); value; slope (d,) of
    the local line, empty without one; fallback: 'exact' (an example lies here), 'nearest' (nobody inside the window),
    'mean' (too few for a line) or ''; outside: the row left out that is as near as the last one, −1 none."""

    rows: Int
    distances: Float
    weights: Float
    value: float
    slope: Float
    fallback: str = ""
    outside: int = -1


# -- weights and local fits --------------------------------------------------------------------------------------------


def kernel_value(d: Float, rule: Rule) -> Float:
    """K(d) as it is written; ∞ at d = 0 for 1/d and 1/d²."""
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        if rule.kernel == "gaussian":
            return np.asarray(np.exp(-((d / rule.width) ** 2)))
        if rule.kernel == "quadratic":
            return np.asarray(np.maximum(0.0, 1 - (2 * d / rule.width) ** 2))
        power = {"equal": 0, "1/d": 1, "1/d²": 2}[rule.kernel]
        return np.asarray(np.ones_like(d) if power == 0 else d**-power)


def relative_weights(d: Float, rule: Rule) -> Float:
    """(m, c) kernel weights up to a factor per row, so that no row is lost: the smallest exponent is taken off first.

    Examples exactly at the query outweigh all others under 1/d. With nobody inside the window the nearest counts.
    """
    least = d.min(axis=1, keepdims=True)
    if rule.kernel == "equal":
        return np.isfinite(d) * 1.0
    if rule.kernel == "gaussian":
        return np.asarray(np.exp(np.maximum(-745.0, (least / rule.width) ** 2 - (d / rule.width) ** 2)))
    if rule.kernel == "quadratic":
        weights = np.maximum(0.0, 1 - (2 * d / rule.width) ** 2)
        empty = np.flatnonzero(weights.max(axis=1) <= 0)
        weights[empty, tidy(d[empty]).argmin(axis=1)] = 1.0
        return np.asarray(weights)
    exact = least == 0
    ratio = np.where(exact, d == 0, least / np.where(d == 0, 1.0, d))
    return np.asarray(ratio**2 if rule.kernel == "1/d²" else ratio)


def weighted_mean(Y: Float, w: Float) -> Float:
    """(m,) Σ w y / Σ w. MMDS 12.4.3, ML Eq 8.4."""
    return np.asarray(np.einsum("mc,mc->m", w, Y) / w.sum(axis=1))


def weighted_median(Y: Float, w: Float) -> Float:
    """(m,) the value with half of the weight on each side; the middle of two where both will do."""
    order = Y.argsort(axis=1, kind="stable")
    Y, reached = np.take_along_axis(Y, order, 1), np.take_along_axis(w, order, 1).cumsum(axis=1)
    half = reached[:, -1:] / 2
    low = (reached >= half * (1 - 1e-12)).argmax(axis=1)
    high = (reached > half * (1 + 1e-12)).argmax(axis=1)
    rows = np.arange(len(Y))
    return np.asarray((Y[rows, low] + Y[rows, high]) / 2)


def local_lines(Y: Float, w: Float, gaps: Float) -> tuple[Float, Float, Bool]:
    """(values (m,), slopes (m, d), settled (m,)) of the lines of least Σ w (y − h)², taken at the query. ML 8.3.1.

    gaps (m, c, d): where the examples lie, seen from the query. Examples that do not settle a line: weighted mean.
    """
    w = np.where(w >= INSIDE * w.max(axis=1, keepdims=True), w, 0.0)
    total = w.sum(axis=1)
    middle = np.einsum("mc,mcj->mj", w, gaps) / total[:, None]
    level = weighted_mean(Y, w)
    centred = gaps - middle[:, None]
    weighted = centred * w[..., None]
    S = weighted.transpose(0, 2, 1) @ centred
    t = np.einsum("mcj,mc->mj", weighted, Y - level[:, None])
    size = np.sqrt(np.einsum("mjj->mj", S))
    reach = (np.abs(gaps) * (w > 0)[..., None]).max(axis=1)
    flat = size**2 <= _FLAT * total[:, None] * reach**2
    size = np.where(flat, 1.0, size)
    S = S / (size[:, :, None] * size[:, None, :])
    settled = ~flat.any(axis=1)
    settled[settled] = np.linalg.eigvalsh(S[settled])[:, 0] > _LEVEL
    slopes = np.zeros_like(middle)
    slopes[settled] = np.linalg.solve(S[settled], (t / size)[settled][..., None])[..., 0] / size[settled]
    return level - np.einsum("mj,mj->m", slopes, middle), slopes, settled


class Windows:
    """The k nearest on a line, x (n,) ascending and distinct, are k in a row; the next row begins at (x_i + x_{i+k})/2."""

    def __init__(self, x: Float, order: Int, k: int) -> None:
        self.rows = np.ascontiguousarray(sliding_window_view(order, k))
        self.switches = (x[:-k] + x[k:]) / 2
        self.close = 1e-9 * float(x[-1] - x[0] + np.abs(x).max())

    def at(self, q: Float) -> tuple[Int, Int]:
        """(which row of k each query has, those so near to a switch that distances may be equal)."""
        at = np.searchsorted(self.switches, q)
        left = self.switches[np.maximum(at - 1, 0)]
        right = self.switches[np.minimum(at, len(self.switches) - 1)]
        return at, np.flatnonzero(np.minimum(np.abs(q - left), np.abs(q - right)) <= self.close)


class Smoother:
    """The stored examples of `problem`, asked by `rule`. Nothing is learnt before a query comes."""

    def __init__(self, problem: Problem, rule: Rule) -> None:
        self.X, self.y, self.rows = training_rows(problem)
        self.rule, self.k = rule, min(rule.k, len(self.y))
        self.column = problem.plane[0] if problem.plane else 0

    @cached_property
    def index(self) -> Index:
        space = minkowski_space(self.X)
        return Index(space, space.embed(self.X))

    def values(self, Q: Float) -> Float:
        """(m,) estimates at the places Q (m, d), part by part."""
        width = (self.k or len(self.y)) * (self.X.shape[1] + 1 if self.rule.estimate == "line" else 1)
        size = max(1, _ENTRIES // width)
        parts = [self._part(Q[at : at + size]) for at in range(0, len(Q), size)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _part(self, Q: Float) -> Float:
        if not self.k:
            return self.estimate(Q, self._distances(Q), None)[0]
        if self.windows is None:
            return self._searched(Q)
        at, doubtful = self.windows.at(Q[:, 0])
        values = self._in_windows(self.windows, Q, at)
        values[doubtful] = self._searched(Q[doubtful])
        return values

    def _searched(self, Q: Float) -> Float:
        return self.estimate(Q, *self.index.nearest(np.ascontiguousarray(Q), self.k))[0] if len(Q) else np.zeros(0)

    def _in_windows(self, windows: "Windows", Q: Float, at: Int) -> Float:
        """The same where neighbours are k points in a row; plain means and medians are those of the row."""
        if self.rule.kernel == "equal" and self.rule.estimate != "line":
            return np.asarray(self._levels[at])
        near = windows.rows[at]
        return self.estimate(Q, np.abs(Q - self.X[near, 0]), near)[0]

    @cached_property
    def _levels(self) -> Float:
        near = self.windows.rows if self.windows is not None else np.zeros((0, self.k), np.intp)
        return self.estimate(np.zeros((len(near), 1)), np.ones(near.shape), near)[0]

    @cached_property
    def windows(self) -> "Windows | None":
        """For one column without coincident points."""
        if self.X.shape[1] != 1 or self.k in (0, len(self.y)) or len(self.y) * self.k > _ENTRIES:
            return None
        order = self.X[:, 0].argsort(kind="stable")
        x = self.X[order, 0]
        return Windows(x, order, self.k) if (x[1:] > x[:-1]).all() else None

    def _distances(self, Q: Float) -> Float:
        return self.index.space.distance(Q[:, None], self.X[None])

    def estimate(self, Q: Float, d: Float, near: Int | None) -> tuple[Float, Float, Bool]:
        """(values, slopes, settled) from distances d (m, c) to the examples `near` (m, c), None: all; ∞ leaves one out."""
        Y = np.broadcast_to(self.y, d.shape) if near is None else self.y[near]
        kind = self.rule.estimate
        if kind == "mean" and self.rule.kernel == "equal" and near is not None:
            return np.asarray(sum(Y[:, j] for j in range(Y.shape[1])) / Y.shape[1]), np.zeros((0, 0)), np.ones(0, bool)
        w = relative_weights(d, self.rule)
        if kind == "line":
            X = self.X[None] if near is None else self.X[near]
            return local_lines(Y, w, X - Q[:, None])
        middle = weighted_mean if kind == "mean" else weighted_median
        return middle(Y, w), np.zeros((0, 0)), np.ones(0, bool)

    def ask(self, q: Float) -> Local:
        """Everything about the query q (d,)."""
        Q = np.asarray(q, np.float64)[None]
        d = self._distances(Q)[0]
        order = np.lexsort((np.arange(len(d)), tidy(d)))
        near = order[: self.k] if self.k else order
        outside = order[self.k] if 0 < self.k < len(order) else -1
        tie = outside >= 0 and tidy(d[outside : outside + 1])[0] == tidy(d[near[-1:]])[0]
        value, slope, settled = self.estimate(Q, d[near][None], near[None])
        weights, fallback = self._shown_weights(d[near])
        if self.rule.estimate == "line" and not settled[0] and not fallback:
            fallback = "mean"
        counts = weights > 0
        return Local(
            frozen(self.rows[near[counts]]), frozen(d[near[counts]]), frozen(weights[counts]), float(value[0]),
            frozen(slope[0] if len(slope) and settled[0] else np.zeros(0)), fallback,
            int(self.rows[outside]) if tie else -1,
        )  # fmt: skip

    def _shown_weights(self, d: Float) -> tuple[Float, str]:
        """The kernel's own numbers where they can be written, else the relative ones; and why."""
        raw, relative = kernel_value(d, self.rule), relative_weights(d[None], self.rule)[0]
        if np.isinf(raw).any():
            return relative, "exact"
        if not raw.any():
            return relative, "nearest" if self.rule.kernel == "quadratic" else ""
        return raw, ""

    def without_itself(self, at: Int) -> Float:
        """Estimates at the examples `at`, each from the others: k + 1 neighbours are fetched and it is skipped. AIMA 18.8.4."""
        if len(self.y) < 2:
            return np.full(len(at), np.nan)
        k = min(self.k, len(self.y) - 1)
        size = max(1, _ENTRIES // ((k or len(self.y)) * (self.X.shape[1] + 1)))
        parts = [self._without(at[i : i + size], k) for i in range(0, len(at), size)]
        return np.concatenate(parts)

    def _without(self, at: Int, k: int) -> Float:
        Q = self.X[at]
        if not k:
            d = self._distances(Q)
            d[np.arange(len(at)), at] = np.inf
            return self.estimate(Q, d, None)[0]
        d, near = self.index.nearest(np.ascontiguousarray(Q), k + 1)
        itself = near == at[:, None]
        itself[~itself.any(axis=1), -1] = True  # more copies of it than neighbours: drop the last
        return self.estimate(Q, d[~itself].reshape(-1, k), near[~itself].reshape(-1, k))[0]

    @cached_property
    def left_out(self) -> tuple[Int, Float]:
        """(examples, y − h at each) with h from the others, for at most LEFT_OUT examples."""
        most = LEFT_OUT if self.k else min(LEFT_OUT, max(100, _COMPARED // len(self.y)))
        return left_out(self.y, self.without_itself, most)

    @cached_property
    def switches(self) -> Float:
        """Where the estimate may jump, for one column: another set of examples counts from there on."""
        if self.X.shape[1] != 1:
            return np.zeros(0)
        x = np.sort(self.X[:, 0])
        places = [] if not self.k else [(x[: -self.k] + x[self.k :]) / 2]
        distinct = np.unique(x)
        middles, steps = (distinct[:-1] + distinct[1:]) / 2, np.diff(distinct)
        if self.rule.kernel == "quadratic":
            half = self.rule.width / 2
            places += [x - half, x + half, middles]
        elif self.rule.kernel == "gaussian" and self.rule.estimate == "line" and len(steps):
            away = -np.log(INSIDE) * self.rule.width**2 / (2 * steps)
            places += [middles - away, middles + away]
        return np.unique(np.concatenate(places)) if places else np.zeros(0)


def left_out(y: Float, without: Callable[[Int], Float], most: int = LEFT_OUT) -> tuple[Int, Float]:
    """(examples, errors) of at most `most` examples, evenly spread, each estimated from all others."""
    at = np.unique(np.linspace(0, len(y) - 1, min(len(y), most)).astype(np.intp))
    return at, y[at] - without(at)


def broken_curve(h: Callable[[Float], Float], places: Float, switches: Float) -> Float:
    """(m, 2) the curve y = h(x) over ascending places, with a NaN row at every switch where it jumps."""
    low, high = places[0], places[-1]
    switches = np.unique(switches[(switches > low) & (switches < high)])
    beside = _BESIDE * (high - low)
    y, left, right = h(places), h(switches - beside), h(switches + beside)
    reach = np.ptp(np.concatenate([y, left, right]))
    jump = np.abs(right - left) > _JUMP * reach
    kept = ~np.isin(places, switches)
    x = np.concatenate([places[kept], switches, switches[jump], switches])
    values = np.concatenate([y[kept], left, np.full(int(jump.sum()), np.nan), right])
    order = np.argsort(x, kind="stable")
    xy = np.column_stack([x, values])[order]
    xy[np.isnan(xy[:, 1])] = np.nan
    return xy
