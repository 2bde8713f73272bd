"""What may be set for a decision tree, and what does not change while it grows. AIMA 18.3.2-18.3.6, 18.4.1."""

from typing import Annotated, Literal

from engine.algorithms.trees.decision_tree.naming import TreeWords
from engine.algorithms.trees.parts import model
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import Bud, root
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.splits import Rule
from engine.authoring import Callable, Help, Label, Range, Rng, Setting as Given, When, cached_property, dataclass, np

MEASURES = "gain: bits told. ratio: gain / split information. gini: drop of the Gini impurity (extension)."
PLURALITY = "equal counts: the first class, or drawn by the seed (AIMA's rule)"
MIDPOINTS = "midpoints between neighbours of different class, or between all neighbours"
PICKED = "a split point picked as the best of many passes more easily than it should"
FREEDOM = "branches − 1, counted with or without those that no example takes; times classes − 1"
MISSING = (
    "of training rows; weights: down all branches by their frequency, until a part is 1/8 of an example or less. "
    "A row asked about goes down all branches by weight in either case."
)
STOPS = Literal["pure", "entropy", "size", "no-gain", "depth", "nodes"]
COUNTED = 200_000  # rows × tests where values are missing: with more wrong rows are counted at the end alone


@dataclass(frozen=True)
class Params:
    importance: Annotated[Literal["gain", "ratio", "gini"], Label("Importance"), Help(MEASURES)] = "gain"
    ties: Annotated[
        Literal["first", "random"], Label("Ties"), Help("equal importance: table order, or drawn by the seed")
    ] = "first"
    plurality: Annotated[Literal["first", "random"], Label("Plurality ties"), Help(PLURALITY)] = "first"
    numeric: Annotated[Literal["class changes", "all"], Label("Split points"), Help(MIDPOINTS)] = "class changes"
    subset_tests: Annotated[bool, Label("A = v tests"), Help("one value against the rest, not a branch per value")] = (
        False
    )
    missing: Annotated[Literal["weights", "largest branch"], Label("Missing values"), Help(MISSING)] = "weights"
    stop: Annotated[STOPS, Label("Stop")] = "pure"
    entropy: Annotated[float, Range(0, 6), Label("Entropy below"), When("stop", ("entropy",))] = 0.5
    size: Annotated[int, Range(1, 100_000, log=True), Label("Fewer rows than"), When("stop", ("size",))] = 5
    least_gain: Annotated[float, Range(0, 1), Label("Gain at most"), When("stop", ("no-gain",))] = 0.0
    depth: Annotated[int, Range(0, 100), Label("Depth"), When("stop", ("depth",))] = 2
    nodes: Annotated[
        int,
        Range(1, 10_000, log=True),
        Label("Nodes"),
        Help("breadth first, best gain first"),
        When("stop", ("nodes",)),
    ] = 4
    counted: Annotated[
        Literal["tests", "all"], Label("Count"), Help("tests only, or leaves too"), When("stop", ("nodes",))
    ] = "tests"
    prune: Annotated[Literal["none", "chi2", "held-out"], Label("Prune")] = "none"
    significance: Annotated[
        float, Range(1e-4, 0.5, log=True), Label("Significance"), Help(PICKED), When("prune", ("chi2",))
    ] = 0.05
    freedom: Annotated[
        Literal["branches", "non-empty branches"], Label("Degrees of freedom"), Help(FREEDOM), When("prune", ("chi2",))
    ] = "branches"


class Setting(Given[Params]):
    """limit: of the stopping rule; rows: the labelled ones; parted: some lack a value and go down several branches."""

    limit = property(lambda given: getattr(given.p, {"no-gain": "least_gain"}.get(given.p.stop, given.p.stop), 0))
    breadth_first = property(lambda given: given.p.stop == "nodes")
    rows = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    parted = cached_property(lambda given: bool(np.isnan(given.problem.X[given.rows]).any()))
    words = cached_property(lambda given: TreeWords(given.problem))

    def root(self, rng: Rng) -> Bud:
        """The node of all examples."""
        p, problem = self.p, self.problem
        table = Examples.of(problem.X, problem.features, problem.codes, len(problem.classes))
        whole_part = 1 / 8 if p.missing == "weights" else float("inf")
        salt, rule = int(rng.integers(2**62)), Rule(p.importance, p.numeric == "all", 2 if p.subset_tests else np.inf)
        growth = Growth(rule, p.ties, p.plurality, whole_part, p.stop, self.limit, p.counted == "all", salt)
        return root(table, growth)

    def wrong(self, tree: Callable[[], Tree], tests: int, running: float, last: bool = False) -> float:
        """Wrong examples: the `running` number, but where they go down in parts the rows that are called wrong."""
        if not self.parted:
            return running
        if len(self.rows) * tests > COUNTED and not last:
            return float("nan")
        told = model.predict(tree(), self.problem.X[self.rows])
        return float(np.count_nonzero(told != self.problem.codes[self.rows]))
