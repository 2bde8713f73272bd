"""How much each link is worth, and what is left of a network without one.

AIMA 18.7.5; the measures are the lab's.
"""

from itertools import pairwise
from typing import Any, TypeVar

from engine.algorithms.networks.parts import Arrays, with_weight
from engine.algorithms.networks.parts.lesson import HUGE, Lesson
from engine.authoring import Bool, cached_property, frozen, np, replace
from engine.numerics.closeness import equal

P = TypeVar("P")
Link = tuple[int, ...]  # (gap, from, to), or ()
Gone = tuple[Bool, ...]
LOOKS = 4  # that a training is told in
WORK = 1_000_000  # numbers that are multiplied between two looks at stop


class Pruned(Lesson[P]):
    @cached_property
    def pause(self) -> int:
        """Epochs between two looks at stop."""
        wide = max(a * b for a, b in pairwise(self.sizes))
        return max(1, WORK // (len(self.rows) * wide))

    def looks(self, epochs: int) -> list[int]:
        """The epochs in up to four parts."""
        ends = [epochs * k // LOOKS for k in range(LOOKS + 1)]
        return [b - a for a, b in pairwise(ends) if b > a]

    def performance(self, s: Any) -> float:
        """What must not rise."""
        stop = self.p.stop
        held_out = self.problem.held_out
        if stop == "large loss":
            return float(max(s.loss, self.p.most))
        if stop == "more wrong held out" and held_out is not None:
            known = held_out.labelled
            return float(
                np.count_nonzero(
                    np.asarray(self.predict(s, held_out.X[known]) != held_out.codes[known])
                )
            )
        return 0.0 if stop == "never" else float(s.errors)

    # -- links -------------------------------------------------------------------------------------

    def whole(self, weights: Arrays) -> Gone:
        """No link is gone."""
        return tuple(frozen(np.zeros(w.shape, bool)) for w in weights)

    def cut(self, weights: Arrays, removed: Gone) -> Arrays:
        """0 for every link that is gone."""
        return tuple(
            frozen(np.where(gone, 0.0, w)) for w, gone in zip(weights, removed, strict=True)
        )

    @np.errstate(over="ignore", invalid="ignore")
    def curvature(self, weights: Arrays) -> Arrays:
        """h = ∂²Loss/∂w² without the part that fades with the error: the mean of 2 Σ (∂a/∂w)² over
        the outputs a.
        """
        a = self.forward(weights, self.X)
        h = [np.zeros(w.shape) for w in weights]
        for output in np.eye(weights[-1].shape[1]):
            # Δ of an output that should be more by 1: ∂a/∂in
            slopes = self.backward(weights, a, a[-1] + output)
            for total, answers, slope in zip(h, a, slopes, strict=False):
                total[:-1] += 2.0 / len(self.X) * ((answers**2).T @ slope**2)
                total[-1] += 2.0 / len(self.X) * (slope**2).sum(0)
        return tuple(h)

    @np.errstate(over="ignore", invalid="ignore")
    def saliency(self, s: Any) -> Arrays:
        """s of every link, NaN where none can go: a bias stays as long as its unit."""
        sizes = [np.abs(w) for w in s.weights]
        if self.p.saliency != "|w|":
            sizes = [
                0.5 * h * w * w for h, w in zip(self.curvature(s.weights), s.weights, strict=True)
            ]
        found = [
            np.where(gone, np.nan, np.nan_to_num(a, posinf=HUGE))
            for a, gone in zip(sizes, s.removed, strict=True)
        ]
        for one in found:
            one[-1] = np.nan
        return tuple(map(frozen, found))

    def least(self, s: Any) -> list[Link]:
        """The links of the least saliency, the first of them first: of the earliest gap, unit and
        next unit.
        """
        least = min(float(np.nanmin(a)) for a in s.saliency if not np.isnan(a).all())
        near = [np.argwhere(equal(a, least)).tolist() for a in s.saliency]
        return [(gap, i, j) for gap, places in enumerate(near) for i, j in places]

    def without(self, s: Any) -> Any:
        """The state without its link, and without the units that this leaves with nothing to hear
        or nobody to tell.
        """
        weights = [w.copy() for w in s.weights]
        removed = [gone.copy() for gone in s.removed]
        gap, i, j = s.link
        weights[gap][i, j], removed[gap][i, j] = 0.0, True
        units = list[tuple[int, int]]()
        while (idle := first_idle(removed)) is not None:
            layer, k = idle
            answer = float(self.units.hidden.g(weights[layer - 1][-1, k]))
            # it says the same to every example: the bias can say it
            weights[layer][-1] += answer * weights[layer][k]
            for w, gone in (
                (weights[layer - 1][:, k], removed[layer - 1][:, k]),
                (weights[layer][k], removed[layer][k]),
            ):
                w[:], gone[:] = 0.0, True
            units.append(idle)
        left = {"weights": tuple(map(frozen, weights)), "removed": tuple(map(frozen, removed))}
        return replace(s, **left, units=tuple(units))

    def tweak(self, s: Any, link: Link, value: float) -> Any:
        """The weight of link (gap, from, to) set by hand; one that is gone stays so."""
        weights = self.cut(with_weight(s.weights, link, value), s.removed)
        return self.judged(
            replace(s, weights=weights, before=s.weights, saliency=(), link=(), units=())
        )[0]


def first_idle(removed: list[Bool]) -> tuple[int, int] | None:
    """The first hidden unit (layer, number) with a bias, but without any link to it or
    any from it.
    """
    for gap, (to, fro) in enumerate(pairwise(removed)):
        idle = (to[:-1].all(0) | fro[:-1].all(1)) & ~to[-1]
        if idle.any():
            return gap + 1, int(idle.argmax())
    return None
