"""What may be set for boosting, and its weak learner. AIMA 18.10."""

from typing import Annotated, Literal

from engine.authoring import Float, Help, Int, Label, Range, Setting as Given, When, cached_property, dataclass, np
from engine.algorithms.ensembles.adaboost.learners import WeakLearner, weak_learner

LEARNERS = "stump: one test. tree: a few tests. line: weighted least squares, for numbers only."
CRITERIA = "error: least weighted error. gain: most information gain. gini: least impurity (extension)."
COPIES = "weights: L takes weights. replicated: L gets M copies, w · M of each, the fraction left over by chance."


@dataclass(frozen=True)
class Params:
    rounds: Annotated[int, Range(1, 10_000, log=True), Label("Rounds K")] = 40
    learner: Annotated[Literal["stump", "tree", "line"], Label("Weak learner L"), Help(LEARNERS)] = "stump"
    depth: Annotated[int, Range(1, 6), Label("Depth of a tree"), When("learner", ("tree",))] = 2
    criterion: Annotated[
        Literal["error", "gain", "gini"], Label("Best test"), Help(CRITERIA), When("learner", ("stump", "tree"))
    ] = "error"
    multiway: Annotated[bool, Label("Multi-way tests"), Help("off: A = v"), When("learner", ("stump", "tree"))] = True
    copies: Annotated[Literal["weights", "replicated"], Label("Examples"), Help(COPIES)] = "weights"
    size: Annotated[
        int, Range(1, 100), Label("Copies, × N"), Help("size of the copied set"), When("copies", ("replicated",))
    ] = 1


class Setting(Given[Params]):
    """L: the weak learner; size: of the copied set."""

    size = property(lambda given: given.p.size * int(given.problem.labelled.sum()))

    @cached_property
    def L(self) -> WeakLearner:
        """Unlabelled rows weigh 0, so the class they are given does not matter."""
        p, problem = self.p, self.problem
        return weak_learner(
            p.learner, problem.X, np.maximum(problem.codes, 0), problem.features, len(problem.classes),
            depth=p.depth, multiway=p.multiway, criterion=p.criterion,
        )  # fmt: skip

    def shown(self, weights: Float, copies: Int | None) -> Float:
        """What L is given: the weights, or copies in their proportion; it sums to 1."""
        return weights if copies is None else np.asarray(copies / copies.sum(), np.float64)
