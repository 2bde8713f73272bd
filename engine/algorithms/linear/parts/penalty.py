"""The penalty on the weights of a descent: α Σ w² (ridge) or α Σ |w| (lasso), the bias left out.

AIMA 18.4.3, 18.6.2.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.parts.descent import Descent
from engine.authoring import Float, Help, Label, Range, When, cached_property, np

KIND = (
    "ridge: α Σ w² is added to the loss. lasso: α Σ |w|, which makes some weights exactly 0. The"
    " bias is not counted."
)
Kind = Annotated[Literal["none", "ridge", "lasso"], Label("Penalty"), Help(KIND)]
Strength = Annotated[
    float,
    Range(0, 1e6, log=True),
    Label("Strength α"),
    Help("of the penalty, beside the loss summed over all examples"),
    When("penalty", ("ridge", "lasso")),
]


class Penalised(Descent):
    """A descent on Σ loss + α Σ |w|^q, q = 2 for ridge and 1 for lasso.

    Weights are (d + 1,) or (k, d + 1), the bias, which is not penalised, last. A step on a share of
    the examples takes that share of the penalty.
    """

    @property
    def ridge(self) -> float:
        """α of a ridge penalty, 0 for others."""
        return float(self.p.strength) if self.p.penalty == "ridge" else 0.0

    @property
    def lasso(self) -> float:
        """α of a lasso penalty, 0 for others."""
        return float(self.p.strength) if self.p.penalty == "lasso" else 0.0

    @property
    def stiffness(self) -> float:
        """The second derivative of the penalty of one step."""
        return 2.0 * self.ridge * self.share(self.together)

    @cached_property
    def together(self) -> int:
        """How many examples make one step."""
        return 1 if self.p.mode == "stochastic" else len(self.rows)

    def share(self, examples: int) -> float:
        """The share of so many examples among all with a class."""
        return examples / max(1, len(self.rows))

    def cost(self, w: Float) -> float:
        """α Σ |w|^q."""
        weights = w[..., :-1]
        if self.ridge:
            return self.ridge * float(np.square(weights).sum())
        return self.lasso * float(np.abs(weights).sum()) if self.lasso else 0.0

    def back(self, w: Float, share: float = 1.0) -> Float:
        """What a ridge penalty takes off the pull on weights w: 2 α w, for the bias 0."""
        back = 2.0 * self.ridge * share * w
        back[..., -1] = 0.0
        return back

    def cut(self, moved: Float, eta: float, share: float = 1.0) -> Float:
        """What a lasso penalty takes off the moved weights: η α towards 0 and at most to 0, for the
        bias nothing.
        """
        most = eta * self.lasso * share
        cut = np.clip(moved, -most, most)
        cut[..., -1] = 0.0
        return cut

    def stepped(self, w: Float, eta: float, pull: Float, share: float = 1.0) -> Float:
        """The weights after w + η · pull with the penalty: ridge pulls along, lasso shrinks
        afterwards (a proximal step).
        """
        if self.ridge:
            pull = pull - self.back(w, share)
        moved = w + eta * pull
        return moved - self.cut(moved, eta, share) if self.lasso else moved

    def left_over(self, w: Float, pull: Float) -> Float:
        """What is left of the pull beside that of the penalty: 0 on weights that a lasso holds at
        0.
        """
        if self.ridge:
            return pull - self.back(w)
        if not self.lasso:
            return pull
        opposed = np.clip(pull, -self.lasso, self.lasso)
        rest = pull - np.where(w == 0, opposed, self.lasso * np.sign(w))
        rest[..., -1] = pull[..., -1]
        return rest

    def pulls_back(self, w: Float) -> Float:
        """The size of the penalty's own pull on each weight, at most α for a lasso."""
        back = np.abs(self.back(w)) + self.lasso
        back[..., -1] = 0.0
        return back
