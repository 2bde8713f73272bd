"""What is left of a network without a link.

AIMA 18.7.5; the measures are the lab's.
"""

from itertools import pairwise
from typing import Any, TypeVar

from engine.algorithms.networks.parts import Arrays, with_weight
from engine.algorithms.networks.parts.network_setting import HUGE, NetworkSetting
from engine.authoring import Bool, Float, Sequence, cached_property, frozen, np, replace

P = TypeVar("P")
Link = tuple[int, ...]  # (gap, from, to), or ()
Removed = tuple[Bool, ...]
LOOKS = 4  # times that a training is shown
WORK = 1_000_000  # numbers that are multiplied between two looks at stop


class Pruned(NetworkSetting[P]):
    """A network whose links can be removed."""

    @cached_property
    def pause(self) -> int:
        """The number of epochs between two checks for cancellation."""
        wide = max(a * b for a, b in pairwise(self.sizes))
        return max(1, WORK // (len(self.rows) * wide))

    def looks(self, epochs: int) -> list[int]:
        """The epochs divided into up to four parts, after each of which a step is shown."""
        ends = [epochs * k // LOOKS for k in range(LOOKS + 1)]
        return [b - a for a, b in pairwise(ends) if b > a]

    def whole(self, weights: Arrays) -> Removed:
        """Masks, in the shapes of the weights, in which no link is removed."""
        return tuple(frozen(np.zeros(w.shape, bool)) for w in weights)

    def cut(self, weights: Arrays, removed: Removed) -> Arrays:
        """The weights with 0 for every removed link."""
        return tuple(frozen(np.where(cut, 0.0, w)) for w, cut in zip(weights, removed, strict=True))

    def of_links(self, found: Sequence[Float], removed: Removed) -> Arrays:
        """The numbers of the links, with NaN where one cannot be removed; a bias stays as long as
        its unit.
        """
        links = []
        for values, cut in zip(found, removed, strict=True):
            values = np.where(cut, np.nan, np.nan_to_num(values, posinf=HUGE))
            values[-1] = np.nan
            links.append(frozen(values))
        return tuple(links)

    def without(self, s: Any) -> Any:
        """The state without its link, and without hidden units that then have no link in or none
        out.
        """
        weights = [w.copy() for w in s.weights]
        removed = [cut.copy() for cut in s.removed]
        gap, i, j = s.link
        weights[gap][i, j] = 0.0
        removed[gap][i, j] = True
        units = list[tuple[int, int]]()
        idle = first_idle(removed)
        while idle is not None:
            self._remove_unit(weights, removed, *idle)
            units.append(idle)
            idle = first_idle(removed)
        return replace(
            s,
            weights=tuple(map(frozen, weights)),
            removed=tuple(map(frozen, removed)),
            units=tuple(units),
        )

    def _remove_unit(self, weights: list[Float], removed: list[Bool], layer: int, k: int) -> None:
        """All links of hidden unit k go. It says the same to every example: the biases of the next
        layer say it from now on.
        """
        bias = weights[layer - 1][-1, k]
        answer = float(self.units.hidden.g(bias))
        weights[layer][-1] += answer * weights[layer][k]
        weights[layer - 1][:, k] = 0.0
        removed[layer - 1][:, k] = True
        weights[layer][k] = 0.0
        removed[layer][k] = True

    def tweak(self, s: Any, link: Link, value: float) -> Any:
        """The state with the weight of link (gap, from, to) set by hand; a removed one stays 0."""
        weights = self.cut(with_weight(s.weights, link, value), s.removed)
        after = replace(s, weights=weights, before=s.weights, saliency=(), link=(), units=())
        return self.with_metrics(after)


def first_idle(removed: list[Bool]) -> tuple[int, int] | None:
    """The first hidden unit (layer, number) that still has a bias but no link in or no link out;
    None for none.
    """
    for gap, (to, fro) in enumerate(pairwise(removed)):
        idle = (to[:-1].all(0) | fro[:-1].all(1)) & ~to[-1]
        if idle.any():
            return gap + 1, int(idle.argmax())
    return None
