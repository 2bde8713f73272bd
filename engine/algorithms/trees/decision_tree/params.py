"""What may be set for a decision tree."""

from typing import Annotated, Literal

from engine.authoring import Help, Label, Range, Record, When

MEASURES = (
    "gain: bits told. ratio: gain / split information. gini: drop of the Gini impurity (extension)."
)
MIDPOINTS = "midpoints between neighbours of different class, or between all neighbours"
PICKED = "a split point picked as the best of many passes more easily than it should"
FREEDOM = "branches − 1, counted with or without those that no example takes; times classes − 1"
MISSING = (
    "of training rows; weights: down all branches by their frequency, until a part is 1/8 of an"
    " example or less. A row asked about goes down all branches by weight in either case."
)
First = Literal["first", "random"]
Nodes, Chance = When("stop", ("nodes",)), When("prune", ("chi2",))


class Params(Record, eq=True):
    importance: Annotated[Literal["gain", "ratio", "gini"], Label("Importance"), Help(MEASURES)] = (
        "gain"
    )
    ties: Annotated[
        First, Label("Ties"), Help("equal importance: table order, or drawn by the seed")
    ] = "first"
    plurality: Annotated[
        First,
        Label("Plurality ties"),
        Help("equal counts: the first class, or drawn by the seed (AIMA's rule)"),
    ] = "first"
    numeric: Annotated[Literal["class changes", "all"], Label("Split points"), Help(MIDPOINTS)] = (
        "class changes"
    )
    subset_tests: Annotated[
        bool,
        Label("Tests of one value"),
        Help("one value against the rest, not a branch per value"),
    ] = False
    missing: Annotated[
        Literal["weights", "largest branch"], Label("Missing values"), Help(MISSING)
    ] = "weights"
    stop: Annotated[
        Literal["pure", "entropy", "size", "no-gain", "depth", "nodes"], Label("Stop")
    ] = "pure"
    entropy: Annotated[float, Range(0, 6), Label("Entropy below"), When("stop", ("entropy",))] = 0.5
    size: Annotated[
        int, Range(1, 100_000, log=True), Label("Fewer rows than"), When("stop", ("size",))
    ] = 5
    least_gain: Annotated[float, Range(0, 1), Label("Gain at most"), When("stop", ("no-gain",))] = (
        0.0
    )
    depth: Annotated[int, Range(0, 100), Label("Depth"), When("stop", ("depth",))] = 2
    nodes: Annotated[
        int,
        Range(1, 10_000, log=True),
        Label("Nodes"),
        Help("breadth first, best gain first"),
        Nodes,
    ] = 4
    counted: Annotated[
        Literal["tests", "all"], Label("Count"), Help("tests only, or leaves too"), Nodes
    ] = "tests"
    prune: Annotated[Literal["none", "chi2", "held-out"], Label("Prune")] = "none"
    significance: Annotated[
        float, Range(1e-4, 0.5, log=True), Label("Significance"), Help(PICKED), Chance
    ] = 0.05
    freedom: Annotated[
        Literal["branches", "non-empty branches"],
        Label("Degrees of freedom"),
        Help(FREEDOM),
        Chance,
    ] = "branches"
