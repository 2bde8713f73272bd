"""The leaves of a tree as the cells of a task: a click on one answers."""

from collections.abc import Sequence

from engine.judge.conditions import Moment
from engine.judge.questions.question import Candidate, Kind, Question
from engine.scene.figures import Tree, TreeNode


def of_leaves(lane: Moment, prompt: str) -> Question | None:
    """A question about the leaves of the first tree of a step, by their paths: 'Patrons = Full,
    Hungry = Yes'; None without a tree that has some.
    """
    trace = lane.trace
    step = trace[lane.cursor]
    figures = trace.algorithm.scene(trace.given, step).figures
    tree = next((figure for figure in figures if isinstance(figure, Tree)), None)
    nodes = () if tree is None else tree.nodes
    found = tuple(
        Candidate(_path(nodes, k), k, tags=frozenset((node.tag,)))
        for k, node in enumerate(nodes)
        if node.kind == "leaf" and node.tag
    )
    return Question(Kind.CELL, prompt, step, found) if len(found) > 1 else None


def _path(nodes: Sequence[TreeNode], leaf: int) -> str:
    """The answers on the way to a leaf."""
    words: list[str] = []
    while (parent := nodes[leaf].parent) >= 0:
        words.insert(0, f"{nodes[parent].text.partition(chr(10))[0]} = {nodes[leaf].branch}")
        leaf = parent
    return ", ".join(words)
