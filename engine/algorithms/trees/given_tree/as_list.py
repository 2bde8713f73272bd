"""A tree as a decision list, which says the same: each way to a leaf becomes one test.

AIMA 18.5.1, Exercise 18.14: k-DL contains k-DT.
"""

from itertools import pairwise
from typing import NamedTuple

from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.naming import TreeWords
from engine.authoring import np
from engine.scene.scene import Tree as Diagram
from engine.scene.scene import TreeNode


class Test(NamedTuple):
    """One test of the list.

    literals: (column, cut, branch) of each test on the way, all of which have to hold
    label: the class that it says
    """

    literals: tuple[tuple[int, float, int], ...]
    label: int


class DecisionList(NamedTuple):
    """The tests in the order of the leaves, then the class of all others."""

    tests: tuple[Test, ...]
    rest: int

    @property
    def k(self) -> int:
        """The most literals of a test."""
        return max((len(test.literals) for test in self.tests), default=0)


def as_list(tree: Tree) -> DecisionList:
    """The list of a tree: the ways to its leaves, but for those of the class with most leaves."""
    ends = tree.ends
    leaves = np.bincount(tree.label[ends])
    rest = int(len(leaves) - 1 - leaves[::-1].argmax())
    shown = [end for end in ends.tolist() if tree.label[end] != rest]
    return DecisionList(tuple(Test(literals(tree, e), int(tree.label[e])) for e in shown), rest)


def literals(tree: Tree, end: int) -> tuple[tuple[int, float, int], ...]:
    """The literals of the way to a node."""
    way = tree.way_to(end)
    return tuple(
        (int(tree.column[above]), float(tree.point[above]), int(tree.branch[node]))
        for above, node in pairwise(way)
    )


def list_figure(found: DecisionList, words: TreeWords) -> Diagram:
    """The list as a tree that branches to one side only."""
    nodes: list[TreeNode] = []
    parent, branch = -1, ""
    for test in found.tests:
        text = " ∧ ".join(words.condition(*literal) for literal in test.literals) or "all"
        nodes.append(TreeNode(parent, branch, text, tag="tree"))
        parent, branch = len(nodes) - 1, "no"
        label = test.label
        nodes.append(TreeNode(parent, "yes", words.classes[label], "leaf", label, tag="tree"))
    rest = found.rest
    nodes.append(TreeNode(parent, branch, words.classes[rest], "leaf", rest, tag="tree"))
    return Diagram("As a decision list", nodes, words.classes)
