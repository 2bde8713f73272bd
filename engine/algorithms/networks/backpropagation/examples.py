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
    """The examples, targets and judgement of back-propagation."""

    @property
    def decay(self) -> float:
        """λ, the weight decay: a step takes α·λ·w from a weight."""
        return float(self.p.decay)

    @cached_property
    def targets(self) -> Outputs | None:
        """The target of each output unit, as the parameter `outputs` asks; None for values."""
        if self.problem.regress:
            return None
        outputs = self.p.outputs
        return outputs_for(self.problem, outputs.endswith("aside"), outputs.endswith("class"))

    def g(self, layer: int) -> Activation:
        """The activation of a layer; layer 0 is the inputs."""
        return self.units.of(layer - 1, len(self.sizes) - 1)

    def order(self, rng: Rng) -> list[Int]:
        """The rows of an epoch in order, in parts between which a run can be cancelled; in batch
        mode one part.
        """
        n = len(self.rows)
        order: Int = rng.permutation(n) if self.p.order == "random" else np.arange(n)
        size = AT_ONCE if self.p.mode == "stochastic" else n
        return [order[at : at + size] for at in range(0, n, size)]

    def between(self, s: Any) -> Any:
        """The state in which no example is current."""
        return replace(s, before=s.weights, activations=(), deltas=(), current=-1)

    def seen(self, s: Any, i: int, a: Sequence[Float], deltas: Sequence[Float] = ()) -> Any:
        """The state at example i with the activations a of the first layers and the Δ of the last
        ones, as far as they are known.
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
        """The judged state, in which the example of largest error, the first of ties, is
        current.
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
        """The state with the weight of link (layer, from, to) set by hand; the current example is
        propagated again.
        """
        weights = with_weight(s.weights, link, value)
        row = s.current
        a: Arrays = self.forward(weights, self.problem.X[row]) if row >= 0 else ()
        after = replace(self.between(s), weights=weights, activations=a, current=row)
        return self.with_metrics(after)
