"""The examples of an epoch, and what is known of one of them when."""

from typing import Any, TypeVar

from engine.algorithms.networks.parts import Arrays, with_weight
from engine.algorithms.networks.parts.network_setting import EMPTY, NetworkSetting
from engine.algorithms.networks.parts.outputs import Outputs, outputs_for
from engine.authoring import Float, Int, Rng, Sequence, cached_property, np, replace
from engine.numerics.activations import Activation

P = TypeVar("P")
AT_ONCE = 200  # examples learnt between two looks at stop


class Examples(NetworkSetting[P]):
    """What back-propagation has of its table and its parameters."""

    @property
    def decay(self) -> float:
        """λ: what a weight loses at a step, in parts of the rate."""
        return float(self.p.decay)

    @cached_property
    def targets(self) -> Outputs | None:
        """What each output unit should say, as `outputs` of the parameters asks; None of values."""
        if self.problem.regress:
            return None
        asked = self.p.outputs
        return outputs_for(self.problem, asked.endswith("aside"), asked.endswith("class"))

    def g(self, layer: int) -> Activation:
        """How the units of a layer answer; layer 0 are the inputs."""
        return self.units.of(layer - 1, len(self.sizes) - 1)

    def order(self, rng: Rng) -> list[Int]:
        """The examples of an epoch, in parts that take a few hundredths of a second each; in batch
        mode all at once.
        """
        n = len(self.rows)
        order: Int = rng.permutation(n) if self.p.order == "random" else np.arange(n)
        size = AT_ONCE if self.p.mode == "stochastic" else n
        return [order[at : at + size] for at in range(0, n, size)]

    def between(self, s: Any) -> Any:
        """The state in which no example is looked at."""
        return replace(s, before=s.weights, activations=(), deltas=(), current=-1)

    def seen(self, s: Any, i: int, a: Sequence[Float], deltas: Sequence[Float] = ()) -> Any:
        """The state that looks at example i as far as these first layers have answered, and these
        last ones have their Δ.
        """
        gaps = len(s.weights)
        unanswered = (EMPTY,) * (gaps + 1 - len(a))
        unknown = (EMPTY,) * (gaps - len(deltas))
        return replace(
            s,
            before=s.weights,
            activations=(*a, *unanswered),
            deltas=(*unknown, *deltas) if deltas else (),
            current=int(self.rows[i]),
        )

    def with_worst(self, s: Any) -> Any:
        """The state judged, in which the example with the largest error goes through the network.

        Of equals the first.
        """
        found = self.judge(s.weights)
        return replace(
            self.between(s),
            loss=found.loss,
            errors=found.errors,
            activations=self.forward(s.weights, self.X[found.worst]),
            current=int(self.rows[found.worst]),
        )

    def tweak(self, s: Any, link: tuple[int, ...], value: float) -> Any:
        """The weight of link (layer, from, to) set by hand; the example at hand goes forward
        again.
        """
        weights = with_weight(s.weights, link, value)
        row = s.current
        a: Arrays = self.forward(weights, self.problem.X[row]) if row >= 0 else ()
        after = replace(self.between(s), weights=weights, activations=a, current=row)
        return self.judged(after)
