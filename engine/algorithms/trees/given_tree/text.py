"""A tree as a person writes it: `Patrons(None: No, Some: Yes, Full: Hungry(No: No, Yes: Yes))`.

AIMA Fig 18.2, MIT 2.4.3.
"""

import re
from collections.abc import Iterator

import numpy as np

from engine.algorithms.trees.parts.model import Tree, Why
from engine.algorithms.trees.parts.naming import TreeWords
from engine.authoring import EngineError, Problem, Record, frozen
from engine.base.notation import MINUS, quoted
from engine.base.spelling import listed, place_of

WAITING = (
    "Patrons(None: No, Some: Yes, Full: Est(>60: No, 30-60: Alt(No: Res(No: Bar(No: No, Yes: Yes),"
    " Yes: Yes), Yes: Fri(No: No, Yes: Yes)), 10-30: Hungry(No: Yes, Yes: Alt(No: Yes, Yes:"
    " Rain(No: No, Yes: Yes))), 0-10: Yes))"
)
_PARTS = re.compile(r"\s*([(),:]|[^(),:]+)")
_CUT = re.compile(r"(.+?)\s*(<=|>=|[<>≤≥])\s*([−-]?[\d.]+)\s*")
_SIGNS = {"<=": "≤", ">=": "≥"}
_OTHERWISE = {"<": "≥", "≥": "<", ">": "≤", "≤": ">"}
_WRITE = "write a test as “column(value: class, value: class)”, a cut as “x > 2.5(no: …, yes: …)”"


class Written(Record):
    """A node as it is written. word: its test or class; branches: (value, node), () for a leaf"""

    word: str
    branches: tuple[tuple[str, "Written"], ...] = ()


def read(text: str) -> Written:
    """The tree that `text` writes; raises EngineError where it is none."""
    parts = [part.strip() for part in _PARTS.findall(text)]
    rest = iter([*parts, ""])
    node, end = _node(rest, next(rest))
    if end:
        raise EngineError(f"The tree ends before {quoted(end)}: {_WRITE}.")
    return node


def _node(rest: Iterator[str], word: str) -> tuple[Written, str]:
    """(the node that begins with `word`, the part behind it)."""
    if word in ("", "(", ")", ",", ":"):
        raise EngineError(f"The tree has {quoted(word or 'its end')} in place of a word: {_WRITE}.")
    part = next(rest, "")
    if part != "(":
        return Written(word), part
    branches = []
    while part in ("(", ","):
        value = next(rest, "")
        if next(rest, "") != ":":
            raise EngineError(f"The tree lacks “:” behind {quoted(value)}: {_WRITE}.")
        below, part = _node(rest, next(rest, ""))
        branches.append((value, below))
    if part != ")":
        raise EngineError(f"The tree lacks “)” behind the test {quoted(word)}: {_WRITE}.")
    return Written(word, tuple(branches)), next(rest, "")


class Cut(Record, eq=True):
    """A test of a column of numbers as it is written.

    sign: "<", "≤", ">" or "≥"; value: the number, as written
    """

    column: str
    sign: str
    value: str

    @property
    def point(self) -> float:
        """The number above which an example takes the branch of the larger values: `value` itself
        goes up where the test is x < value or x ≥ value, so the point is the next number below it.
        """
        value = float(self.value.replace(MINUS, "-"))
        return float(np.nextafter(value, -np.inf)) if self.sign in ("<", "≥") else value

    def holds(self, branch: int) -> bool:
        """Whether the test holds on a branch: 0, the smaller values, or 1."""
        return (self.sign in (">", "≥")) == bool(branch)


def cut_of(word: str) -> Cut | None:
    """The cut that a word writes, such as x < 3; None for another test."""
    found = _CUT.fullmatch(word)
    return found and Cut(found[1], _SIGNS.get(found[2], found[2]), found[3])


class GivenWords(TreeWords):
    """Texts of the tests as they are written: 'weight < 3' with its branches yes and no."""

    def __init__(self, problem: Problem, written: Written) -> None:
        super().__init__(problem)
        self._cuts = dict(_cuts_of(written, problem))

    def question(self, column: int, point: float) -> str:
        cut = self._cuts.get((column, point))
        if cut is None:
            return super().question(column, point)
        return f"{self.names[column]} {cut.sign} {cut.value}"

    def branch(self, column: int, point: float, branch: int) -> str:
        cut = self._cuts.get((column, point))
        if cut is None:
            return super().branch(column, point, branch)
        return "yes" if cut.holds(branch) else "no"

    def condition(self, column: int, point: float, branch: int) -> str:
        cut = self._cuts.get((column, point))
        if cut is None:
            return super().condition(column, point, branch)
        sign = cut.sign if cut.holds(branch) else _OTHERWISE[cut.sign]
        return f"{self.names[column]} {sign} {cut.value}"


def _cuts_of(written: Written, problem: Problem) -> Iterator[tuple[tuple[int, float], Cut]]:
    """((column, point), cut) of each test of a column of numbers."""
    names = [feature.name for feature in problem.features]
    cut = cut_of(written.word) if written.branches else None
    column = None if cut is None else place_of(cut.column, names)
    if cut is not None and column is not None:
        yield (column, cut.point), cut
    for _, below in written.branches:
        yield from _cuts_of(below, problem)


class _Node(Record):
    """A node under way. column −1: a leaf of class `label`; kin: its children, in order"""

    parent: int
    branch: int
    depth: int
    column: int
    point: float
    label: int
    kin: tuple[Written, ...] = ()


def tree_of(written: Written, problem: Problem) -> Tree:
    """The tree as arrays, level by level; raises EngineError for a word that the table lacks."""
    nodes: list[_Node] = []
    first: list[int] = []
    waiting = [(written, -1, 0, 0)]
    made = 1
    while waiting:
        node = _understood(problem, *waiting.pop(0))
        first.append(made if node.kin else -1)
        made += len(node.kin)
        here = len(nodes)
        waiting += [(below, here, k, node.depth + 1) for k, below in enumerate(node.kin)]
        nodes.append(node)
    count = len(nodes)
    column = frozen([node.column for node in nodes], np.intp)
    return Tree(
        parent=frozen([node.parent for node in nodes], np.intp),
        branch=frozen([node.branch for node in nodes], np.intp),
        depth=frozen([node.depth for node in nodes], np.intp),
        why=frozen(np.where(column >= 0, int(Why.TEST), int(Why.STOPPED)), np.intp),
        column=column,
        point=frozen([node.point for node in nodes], np.float64),
        first=frozen(first, np.intp),
        width=frozen([len(node.kin) for node in nodes], np.intp),
        totals=frozen(np.zeros((count, len(problem.classes)))),
        label=frozen([node.label for node in nodes], np.intp),
        tied=frozen(np.zeros(count, np.bool_), np.bool_),
        gain=frozen(np.zeros(count)),
        ties=frozen(np.ones(count, np.intp), np.intp),
        nominal=frozen([not f.numeric for f in problem.features], np.bool_),
        alive=frozen(np.ones(count, np.bool_), np.bool_),
    )


def writing_order(written: Written, problem: Problem) -> tuple[int, ...]:
    """The nodes of `tree_of` level by level, the branches of each test in the order in which they
    are written.
    """
    numbered = [written]
    for node in numbered:  # grows as it is read
        numbered += _understood(problem, node, -1, 0, 0).kin
    number = {id(node): k for k, node in enumerate(numbered)}
    read_on = [written]
    for node in read_on:
        read_on += [below for _, below in node.branches]
    return tuple(number[id(node)] for node in read_on)


def _understood(problem: Problem, written: Written, parent: int, branch: int, depth: int) -> _Node:
    """The node, with its words looked up in the table."""
    if not written.branches:
        label = place_of(written.word, problem.classes)
        if label is None:
            classes = listed(problem.classes)
            raise EngineError(
                f"The tree says {quoted(written.word)}, which is no class: {classes}."
            )
        return _Node(parent, branch, depth, -1, np.nan, label)
    names = [feature.name for feature in problem.features]
    column, point = place_of(written.word, names), np.nan
    cut = cut_of(written.word) if column is None else None
    if cut is not None:
        column, point = place_of(cut.column, names), cut.point
    if column is None:
        raise EngineError(
            f"The tree asks {quoted(written.word)}, but the columns are {listed(names)}."
        )
    feature = problem.features[column]
    values = feature.categories
    if cut is not None:
        values = ("no", "yes") if cut.holds(1) else ("yes", "no")
    if feature.numeric != (point == point):
        way = "write a cut, as “x > 2.5”" if feature.numeric else "write a branch for each word"
        raise EngineError(f"The tree asks {quoted(written.word)}: {way}.")
    return _Node(parent, branch, depth, column, point, 0, _in_order(written, values))


def _in_order(written: Written, values: tuple[object, ...]) -> tuple[Written, ...]:
    """The nodes below a test, one for each value in the order of the table."""
    below: dict[int, Written] = {}
    for word, node in written.branches:
        place = place_of(word, values)
        if place is None or place in below:
            why = "comes twice" if place is not None else f"must be one of {listed(values)}"
            raise EngineError(f"Below {quoted(written.word)} the value {quoted(word)} {why}.")
        below[place] = node
    missing = [str(value) for k, value in enumerate(values) if k not in below]
    if missing:
        raise EngineError(f"Below {quoted(written.word)} a branch is missing: {listed(missing)}.")
    return tuple(below[k] for k in range(len(values)))
