"""The examples of an epoch, and what is known of one of them when."""

from typing import Any, TypeVar

from engine.algorithms.networks.parts import Arrays, with_weight
from engine.algorithms.networks.parts.lesson import EMPTY, Lesson
from engine.algorithms.networks.parts.outputs import Outputs, outputs
from engine.authoring import Int, Rng, cached_property, np, replace

P = TypeVar("P")
AT_ONCE = 200  # examples learnt between two looks at stop


class Examples(Lesson[P]):
    decay = property(lambda self: self.p.decay)

    @cached_property
    def told(self) -> Outputs | None:
        p = self.p
        return (
            None
            if self.problem.regress
            else outputs(self.problem, p.outputs.endswith("aside"), p.outputs.endswith("class"))
        )

    def order(self, rng: Rng) -> list[Int]:
        """The examples of an epoch, in parts that take a few hundredths of a second each; in batch
        mode all at once.
        """
        n = len(self.rows)
        order: Int = rng.permutation(n) if self.p.order == "random" else np.arange(n)
        size = AT_ONCE if self.p.mode == "stochastic" else n
        return [order[at : at + size] for at in range(0, n, size)]

    def between(self, s: Any) -> Any:
        """No example is looked at."""
        return replace(s, before=s.weights, activations=(), deltas=(), current=-1)

    def seen(self, s: Any, i: Any, a: Arrays, delta: Arrays, answered: int, blamed: int = 0) -> Any:
        """The example i as far as so many layers have answered, and so many of the last have their
        Δ.
        """
        unknown = len(delta) - blamed
        later = tuple(EMPTY for _ in range(unknown)) + delta[unknown:] if blamed else ()
        known = a[:answered] + tuple(EMPTY for _ in a[answered:])
        return replace(
            s, before=s.weights, activations=known, deltas=later, current=int(self.rows[i])
        )

    def tweak(self, s: Any, link: tuple[int, ...], value: float) -> Any:
        """The weight of link (layer, from, to) set by hand; the example at hand goes
        forward again.
        """
        weights = with_weight(s.weights, link, value)
        k = s.current
        a = self.forward(weights, self.problem.X[k]) if k >= 0 else ()
        return self.judged(replace(self.between(s), weights=weights, activations=a, current=k))[0]
