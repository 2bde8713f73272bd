"""Decision-tree learning with pruning and missing values. AIMA 18.3.2-18.3.6 (Fig 18.5), 18.4.1; MIT 2.4.9-2.4.43."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int
from engine.core.dataset import Dataset, category_column
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.scene import Bars, Scene
from engine.core.step import Pace, Step
from engine.data.prepare import prepare
from engine.algorithms.trees.decision_tree.pruning import ReducedError, Subtrees, chi_squared, tests_upwards
from engine.algorithms.trees.parts.splits import Rule
from engine.algorithms.trees.parts.growth import (
    Growth,
    branch,
    branches,
    choose,
    level_order,
    start_budget,
    weigh,
    within_budget,
)  # fmt: skip
from engine.algorithms.trees.parts.levels import grow_from
from engine.algorithms.trees.decision_tree.log import Division, decisions
from engine.algorithms.trees.parts.model import Why, class_shares, paint, spread
from engine.algorithms.trees.parts.model import predict as predict_by
from engine.algorithms.trees.decision_tree.telling import State, Teller
from engine.algorithms.trees.decision_tree.phrases import TreeWords, path_note
from engine.algorithms.trees.decision_tree.picture import figure_path, leaf_boxes, tree_scene, view_of

MISSING = (
    "of training rows; weights: down all branches by their frequency, until a part is 1/8 of an example or less. "
    "A row asked about goes down all branches by weight in either case."
)
PSEUDOCODE = """
start: grow(all examples):
empty:   if no examples: parent's majority
pure:   if one class: return it
none:   if no test, or stop: majority
score:   for each A: find Importance(A)
choose:   A ← largest Importance
branch:   for each v: grow(rows, A = v)
prune: if asked: cut tests proving nothing
"""


@dataclass(frozen=True)
class Params:
    importance: Annotated[
        Literal["gain", "ratio", "gini"],
        Label("Importance"),
        Help("gain: bits told. ratio: gain / split information. gini: drop of the Gini impurity (extension)."),
    ] = "gain"
    ties: Annotated[
        Literal["first", "random"], Label("Ties"), Help("equal importance: table order, or drawn by the seed")
    ] = "first"
    plurality: Annotated[
        Literal["first", "random"],
        Label("Plurality ties"),
        Help("equal counts: the first class, or drawn by the seed (AIMA's rule)"),
    ] = "first"
    numeric: Annotated[
        Literal["class changes", "all"],
        Label("Split points"),
        Help("midpoints between neighbours of different class, or between all neighbours"),
    ] = "class changes"
    subset_tests: Annotated[bool, Label("A = v tests"), Help("one value against the rest, not a branch per value")] = (
        False
    )
    missing: Annotated[Literal["weights", "largest branch"], Label("Missing values"), Help(MISSING)] = "weights"
    stop: Annotated[Literal["pure", "entropy", "size", "no-gain", "depth", "nodes"], Label("Stop")] = "pure"
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
        float,
        Range(1e-4, 0.5, log=True),
        Label("Significance"),
        Help("a split point picked as the best of many passes more easily than it should"),
        When("prune", ("chi2",)),
    ] = 0.05
    freedom: Annotated[
        Literal["branches", "non-empty branches"],
        Label("Degrees of freedom"),
        Help("branches − 1, counted with or without those that no example takes; times classes − 1"),
        When("prune", ("chi2",)),
    ] = "branches"


def growth_of(p: Params, rng: Generator) -> Growth:
    limits = {"entropy": p.entropy, "size": p.size, "no-gain": p.least_gain, "depth": p.depth, "nodes": p.nodes}
    rule = Rule(p.importance, p.numeric == "all", p.subset_tests)
    whole_part = 1 / 8 if p.missing == "weights" else float("inf")
    salt = int(rng.integers(2**62))
    return Growth(rule, p.ties, p.plurality, whole_part, p.stop, limits.get(p.stop, 0.0), p.counted == "all", salt)


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    if p.prune == "held-out" and problem.held_out is None:
        raise EngineError("To prune by held-out rows, hold some out: move the test split above 0 %.")
    tell = Teller(problem, growth_of(p, rng))
    yield tell.start()
    if not pace.step:
        yield from whole_levels(tell)
    elif p.stop == "nodes":
        yield from breadth_first(tell, pace)
    else:
        yield from depth_first(tell, pace)
    pruned = None if p.prune == "none" else (yield from prune(tell, p, pace))
    yield tell.end(pruned)


def depth_first(tell: Teller, pace: Pace) -> Iterator[Step[State]]:
    """AIMA Fig 18.5: a branch is grown to its end before the next one."""
    table, growth = tell.table, tell.growth
    waiting = [(tell.front, 0, 0)]
    while waiting:
        siblings, which, node = waiting.pop()
        if pace.detail and node:
            yield tell.enter(node, siblings.totals[which])
        if siblings.state[which] != Why.OPEN:
            yield tell.leaf(siblings, which, node, Why(siblings.state[which]))
            continue
        here = siblings.only(which)
        scores = weigh(table, here, growth)
        if pace.detail:
            yield from tell.candidates(here, 0, node, scores)
        picks = choose(scores, here, growth)
        if not picks.goes_on[0]:
            yield tell.leaf(here, 0, node, Why.STOPPED if picks.divides[0] else Why.NO_TEST)
            continue
        children, width = branch(table, here, picks.column, picks.point, growth)
        first = tell.ledger.size
        yield tell.split(here, 0, node, scores, picks, children, slice(None))
        waiting += [(children, b, first + b) for b in reversed(range(width[0]))]


def breadth_first(tell: Teller, pace: Pace) -> Iterator[Step[State]]:
    """AIMA 18.4.1: level by level, the best gain of a level first, until the count is reached."""
    table, growth = tell.table, tell.growth
    front, nodes, budget = tell.front, np.zeros(1, dtype=np.intp), start_budget(growth)
    while len(nodes):
        opened = front.state == Why.OPEN
        here, at = front.pick(opened), nodes[opened]
        scores = weigh(table, here, growth)
        picks = choose(scores, here, growth)
        goes_on, budget = within_budget(picks, branches(table, picks), budget, growth)
        children, width = branch(table, here.pick(goes_on), picks.column[goes_on], picks.point[goes_on], growth)
        end, below = np.cumsum(width), np.zeros(len(children.label), dtype=np.intp)
        rank = np.cumsum(goes_on) - 1
        for g in level_order(picks)[: len(width)]:
            part = slice(end[rank[g]] - width[rank[g]], end[rank[g]])
            below[part] = tell.ledger.size + np.arange(width[rank[g]])
            if pace.detail:
                yield from tell.candidates(here, g, int(at[g]), scores)
            yield tell.split(here, g, int(at[g]), scores, picks, children, part)
        why = front.state.copy()
        why[opened] = np.where(goes_on, Why.TEST, np.where(picks.divides, Why.STOPPED, Why.NO_TEST))
        for g in np.flatnonzero(why != Why.TEST):
            yield tell.leaf(front, int(g), int(nodes[g]), Why(why[g]))
        front, nodes = children, below


def whole_levels(tell: Teller) -> Iterator[Step[State]]:
    """The same tree, grown fast and told test by test in the same order."""
    tree = grow_from(tell.table, tell.front, tell.growth)
    for decision, told, mended in decisions(tree, breadth_first=tell.growth.stop == "nodes"):
        if isinstance(decision, Division):
            yield tell.told(decision, told, mended)
        else:
            tell.ledger.leaf(decision)


def prune(tell: Teller, p: Params, pace: Pace) -> Generator_[Step[State], None, int]:
    """From below: chi-squared for tests with only leaves (AIMA 18.3.5), held-out errors for all (MIT 2.4.42)."""
    tree, grown = tell.tree, tell.ledger.tests
    below = Subtrees(tree)
    held_out = ReducedError(tree, tell.problem.held_out) if p.prune == "held-out" and tell.problem.held_out else None
    for node in tests_upwards(tree):
        below.gather(node)
        if held_out is None and below.tests[node] > 1:
            continue
        counts = tree.totals[list(tree.children(node))]
        found = held_out.judge(node) if held_out else chi_squared(counts, p.significance, p.freedom == "branches")
        if cut := not found.worth_keeping:
            tell.ledger.cut(node, *below.cut(node))
            if held_out:
                held_out.cut(node)
        yield tell.weighed(tree, node, found, cut, p.significance, counts)
        if cut and tree.tied[node] and pace.step:
            yield tell.new_leaf_ties(tree, node)
    return grown - tell.ledger.tests


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Class indices; an open node answers with its plurality, a missing value goes down all branches by weight."""
    return predict_by(s.tree, X)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Int:
    tree = s.tree
    return np.asarray(paint(tree, problem, grid, tree.label))


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """Share of the first class, from −1 (none) to +1 (all)."""
    tree = s.tree
    return np.asarray(paint(tree, problem, grid, 2 * tree.shares[:, 0] - 1))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    tree = s.tree
    row = np.asarray(x, np.float64)[None]
    label = int(predict_by(tree, row)[0])
    _, ends, weights = spread(tree, row)
    order = np.argsort(-weights, kind="stable")
    ends, weights = ends[order], weights[order]
    classes = tuple(problem.class_text(k) for k in range(len(problem.classes)))
    bars = Bars("Share of each class", classes, class_shares(tree, row)[0], group=np.arange(len(classes)))
    path = figure_path(tree, s.current, tree.way_to(int(ends[0])))
    words = path_note(TreeWords(problem), tree, ends, weights, label, p.plurality)
    return Explanation(label, words, bars, leaf_boxes(problem, tree, ends), path)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    return tree_scene(problem, view_of(step))


def chips(p: Params) -> tuple[str, ...]:
    importance = {"gain": "gain in bits", "ratio": "gain ratio", "gini": "Gini (extension)"}[p.importance]
    pruned = {"none": "", "chi2": f"χ² pruned at {100 * p.significance:g} %", "held-out": "pruned on held-out rows"}
    ties = "ties: table order" if p.ties == "first" else "ties: drawn"
    return tuple(chip for chip in (importance, ties, pruned[p.prune]) if chip)


def example() -> Problem:
    """Eight days that reach every case: a value without examples, a pure branch, twins of different class."""
    sky = ["sun", "sun", "sun", "cloud", "cloud", "rain", "rain", "sun"]
    wind = [1.0, 2.0, 4.0, 1.0, 4.0, 3.0, 3.0, 5.0]
    warm = [20.0, 14.0, 22.0, 18.0, 9.0, 12.0, 12.0, 16.0]
    walk = ["Yes", "Yes", "No", "Yes", "Yes", "No", "Yes", "No"]
    data = Dataset.from_columns({"Sky": sky, "Wind": wind, "Warm": warm, "Walk": walk}, target="Walk", name="Walks")
    return prepare(data.with_column(category_column("Sky", sky, ("sun", "cloud", "rain", "snow"))))


ALGORITHM = former(
    key="decision_tree",
    title="Decision tree",
    family="trees",
    task=Task.CLASSIFY,
    source=("AIMA 18.3", "AIMA 18.4.1", "MIT 2.4", "LS, Decision tree learning"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(missing=True),
    example=example,
    curves=(Curve("bits", "bits still unknown"), Curve("errors", "wrong examples", of_n=True, digits=0)),
    events=("split", "tie", "leaf", "plurality tie", "prune", "keep", "done"),
    errata=(
        "AIMA 18.3.5 prints v − 1 degrees of freedom with v the number of examples. They are d − 1 with d the branches, as in "
        "the text's own example (4 values, 3 degrees, 7.82); taken at its word, every tree would fall to one leaf.",
        "AIMA 18.3.5 prints 11.35 as the 1 % value of χ² with 3 degrees of freedom; it is 11.34.",
        "AIMA's end notes say that ID3 takes the attribute of most entropy; it takes the most gain, the least entropy left.",
        "MIT 2.4.19 prints ¼ as the plain mean of the entropies 0 and 1; it is ½.",
        "MIT 2.4.28 prints H = 0.92 for its example; with 3 against 3 it is 1.",
    ),
    chips=chips,
    uses_held_out=lambda p: p.prune == "held-out",
    summary="Asks one attribute after the other, each time the one that tells most about the class, until the examples that "
    "are left agree. Draws boxes on the plane; can be pruned afterwards.",
)
