"""How the tests of one problem read: questions, conditions, rules. AIMA 18.3.2."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from engine.algorithms.trees.parts.decimals import split_text
from engine.algorithms.trees.parts.levels import Test
from engine.algorithms.trees.parts.model import Tree
from engine.base.notation import cut, label_text, number, subscript
from engine.base.records import cached_property
from engine.table.problem import Problem

LONG_WAY = 3
_NUMBER = re.compile(r"[+−-]?\.?\d")


def first_of(test: Test) -> str:
    """The phrase for which of several tied tests is the first."""
    return "the first column in the table" + (", in it the first cut" if test.cuts else "")


class TreeWords:
    """Texts of the tests of one problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._read: dict[
            tuple[Any, ...], str
        ] = {}  # counts that were read before: a tree has most of them at each step

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The titles of the columns, 'x1' as x₁."""
        names = [f.title for f in self.problem.features]
        return tuple(
            n[0] + subscript(int(n[1:])) if n[:1].isalpha() and n[1:].isdecimal() else n
            for n in names
        )

    @cached_property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.problem.class_text(k) for k in range(len(self.problem.classes)))

    @cached_property
    def _counted(self) -> tuple[str, ...]:
        """The classes behind a number."""
        return tuple(f"of class {name}" if _NUMBER.match(name) else name for name in self.classes)

    def value(self, column: int, point: float) -> str:
        feature = self.problem.features[column]
        if not feature.numeric:
            return cut(label_text(feature.categories[int(point)]))
        return split_text(self.problem, column, point)

    def question(self, column: int, point: float) -> str:
        """A test as text: 'Patrons', 'x₁ > 2.50', 'Type = Thai'. point: NaN for a branch per
        value
        """
        if point != point:
            return self.names[column]
        sign = ">" if self.problem.features[column].numeric else "="
        return f"{self.names[column]} {sign} {self.value(column, point)}"

    def branch(self, column: int, point: float, branch: int) -> str:
        """The label of a branch: 'Full', or 'no' and 'yes'."""
        return self.value(column, branch) if point != point else ("no", "yes")[branch]

    def condition(self, column: int, point: float, branch: int) -> str:
        """The condition of a branch: 'Patrons = Full', 'x₁ ≤ 2.50', 'Type ≠ Thai'."""
        if point != point:
            return f"{self.names[column]} = {self.value(column, branch)}"
        if branch:
            return self.question(column, point)
        sign = "≤" if self.problem.features[column].numeric else "≠"
        return f"{self.names[column]} {sign} {self.value(column, point)}"

    def rule(self, tree: Tree, way: Sequence[int]) -> str:
        """A path of nodes as a conjunction: 'Patrons = Full ∧ Hungry = Yes'; "" at the root. AIMA
        18.3.2.
        """
        tests = pairwise(way)
        return " ∧ ".join(
            self.condition(int(tree.column[a]), float(tree.point[a]), int(tree.branch[b]))
            for a, b in tests
        )

    def where(self, tree: Tree, node: int) -> str:
        """The last few conditions on the path to a node, as text."""
        way = tree.way_to(node)
        return ("… ∧ " if len(way) > LONG_WAY + 1 else "") + self.rule(tree, way[-LONG_WAY - 1 :])

    def formula(self, tree: Tree, label: int) -> str:
        """The paths to all leaves of class `label`, joined by ∨: the tree as logic. AIMA 18.3.2."""
        ends = [int(n) for n in tree.ends if tree.label[n] == label]
        rules = [self.rule(tree, tree.way_to(n)) for n in ends]
        return " ∨ ".join(
            f"({rule})" if len(rules) > 1 and "∧" in rule else rule or "always" for rule in rules
        )

    def counts(self, totals: Any, zeros: bool = True) -> str:
        """The examples of each class as text: '2 Yes, 4 No', '2 of class 1, 4 of class 0'. zeros:
        also name a class of two without examples
        """
        key = (*totals, zeros)
        if key not in self._read:
            both = zeros and len(totals) == 2 and any(totals)
            some = [
                (c, name) for c, name in zip(totals, self._counted, strict=True) if c > 0 or both
            ]
            self._read[key] = (
                ", ".join([f"{number(c)} {name}" for c, name in some]) or "no examples"
            )
        return self._read[key]

    def target(self, label: int) -> str:
        name = cut(self.problem.target.name) if self.problem.target else "class"
        return f"{name} = {self.problem.class_text(label)}"
