"""k-d tree: halve the examples at the lower median, column by column. AIMA 18.8.2, ML 8.2.2."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Needs
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Choice, Fact, Formula, Level, Note, Operand, Option, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.distances import tidy
from engine.numerics.kd import Guard, KdNode, KdTree, spreads
from engine.numerics.kd_build import build
from engine.pictures.kd import GUARDED, column_name, growth_scene

PSEUDOCODE = """
start: grow(all examples, level 0):
leaf:   if few examples: make a leaf
axis:   i ← level mod n, or widest
median:   m ← lower median of xᵢ
guard:   if no xᵢ > m: next i, smaller m
split:   grow(x ≤ m), grow(x > m)
done: return the tree
"""
MEDIAN = Formula("m =", "lower median of {values}", "{median}")
MANY = Formula("m =", "value {place} of {count} in order", "{median}")
LEVEL = Formula("i =", "{level} mod {columns}", "{turn}")
SPREAD = Formula("spread =", "{high} − {low}", "{spread}")
COUNTING = Fact("columns", "counted from 0: column {turn} is {name}")
_LISTED = 9  # more values are counted


@dataclass(frozen=True)
class Params:
    axis: Annotated[
        Literal["cycle", "widest"],
        Label("Column to split"),
        Help("cycle: one after the other, level by level; widest: the one with the largest spread"),
    ] = "cycle"
    leaf_size: Annotated[
        int, Range(1, 1000, log=True), Label("Leaf size"), Help("a node with that many examples or fewer is not split")
    ] = 1


@dataclass(frozen=True, slots=True)
class State:
    """tree: its nodes numbered as the recursion meets them; decided: so many of them are; node: looked at, −1 none;
    axis, point: its test as far as it is found, −1 and NaN before."""

    tree: KdTree
    decided: int = 0
    node: int = -1
    axis: int = -1
    point: float = float("nan")

    @property
    def nodes(self) -> tuple[KdNode, ...]:
        """The nodes decided so far, each with its test or its rows."""
        return tuple(self.tree.node(v) for v in range(self.decided))


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    tree = yield from build(problem.X, p.axis == "widest", p.leaf_size)
    tell = Teller(problem, tree, p)
    yield tell.step("start", State(tree), start_note(problem), Level.ROUND)
    for node in range(tree.size) if pace.step else ():
        if tree.leaf(node):
            if tree.guard[node]:
                yield tell.guard(node)
            yield tell.leaf(node)
        else:
            if pace.detail:
                yield tell.axis(node)
                yield tell.median(node)
            if tree.guard[node]:
                yield tell.guard(node)
            yield tell.split(node)
    yield tell.step("done", State(tree, tree.size), done_note(tree), Level.ROUND)


def start_note(problem: Problem) -> Note:
    return note(
        "{n:|All }{n} {n:example lies|examples lie} in one box, the root of the tree.",
        n=Operand(problem.n, "n", "boxes"),
    )


def done_note(tree: KdTree) -> Note:
    return note(
        "The tree is whole: {leaves} {leaves:leaf holds|leaves hold} the examples, the deepest at level {depth}.",
        leaves=int((tree.axis < 0).sum()),
        depth=int(tree.depth.max()),
    )


class Teller:
    """The steps of one growth with their words."""

    def __init__(self, problem: Problem, tree: KdTree, p: Params) -> None:
        self.problem, self.tree, self.p = problem, tree, p
        self.leaves = np.concatenate([[0], np.cumsum(tree.axis < 0)])
        self.deepest = np.maximum.accumulate(tree.depth)

    def step(
        self, line: str, s: State, told: Note, level: Level = Level.STEP, event: str = "", choice: Choice | None = None
    ) -> Step[State]:
        deepest = float(self.deepest[s.decided - 1]) if s.decided else 0.0
        metrics = {"leaves": float(self.leaves[s.decided]), "depth": deepest}
        return Step(line, s, told, level, metrics, (event,) if event else (), choice)

    def leaf(self, node: int) -> Step[State]:
        rows = self.tree.rows(node)
        names = ", ".join(self.problem.names[i] for i in rows[:_LISTED]) + (" …" if len(rows) > _LISTED else "")
        lead = "{names} is alone" if len(rows) == 1 else "{count} examples stay together: {names}"
        told = note(lead + ". The box becomes a leaf.", count=len(rows), names=Operand(names, about="current"))
        return self.step("leaf", State(self.tree, node + 1, node), told, event="leaf")

    def axis(self, node: int) -> Step[State]:
        if self.p.axis == "widest":
            return self.widest(node)
        level, column = int(self.tree.depth[node]), self.turn(node)
        lead = "Level {level} is the turn of {name}."
        told = note(lead, LEVEL, COUNTING, level=Operand(level, "level"), columns=Operand(self.problem.d, "n"),
                    turn=Operand(column, "i"), name=self.name(column))  # fmt: skip
        return self.step("axis", State(self.tree, node, node, column), told, Level.DETAIL)

    def widest(self, node: int) -> Step[State]:
        rows, column = self.tree.rows(node), int(self.tree.axis[node])
        wide, values = spreads(self.problem.X, rows), self.problem.X[rows, column]
        even = tidy(wide)  # equal on paper, equal here
        winners = tuple(np.flatnonzero(even == even[column]).tolist())
        options = tuple(Option(self.name(j), float(v), "current") for j, v in enumerate(even))
        rule = "equal spread: the first column" if len(winners) > 1 else ""
        choice = Choice("Which column is spread the widest?", options, winners, column, rule, "spread")
        lead = "{name} is spread the widest here."
        if len(winners) > 1:
            lead = "{count} columns are spread the widest here; the first of them, {name}, is taken."
        told = note(lead, SPREAD, count=len(winners), name=self.name(column), spread=float(wide[column]),
                    high=Operand(float(values.max()), "largest"), low=Operand(float(values.min()), "smallest"))  # fmt: skip
        return self.step("axis", State(self.tree, node, node, column), told, Level.DETAIL, choice=choice)

    def median(self, node: int) -> Step[State]:
        column = self.turn(node)
        values = np.sort(self.problem.X[self.tree.rows(node), column])
        place = (len(values) + 1) // 2
        listed = len(values) <= _LISTED
        lead = "In the order of {name} the middle of the {count} {count:example|examples} is {median}" + (
            ": of the two middle ones the lower." if len(values) % 2 == 0 else "."
        )
        told = note(lead, MEDIAN if listed else MANY, name=self.name(column), count=len(values), place=place,
                    values=Operand(tuple(values) if listed else (), f"{self.name(column)} here", "current"),
                    median=Operand(float(values[place - 1]), "m", "cut"))  # fmt: skip
        return self.step("median", State(self.tree, node, node, column, float(values[place - 1])), told, Level.DETAIL)

    def guard(self, node: int) -> Step[State]:
        why, column, turn = Guard(int(self.tree.guard[node])), int(self.tree.axis[node]), self.turn(node)
        values = self.problem.X[self.tree.rows(node)]
        lead = " ".join(text for kind, text in GUARDED.items() if kind in why)
        told = note(lead, name=self.name(turn), only=float(values[0, turn]), taken=self.name(max(column, 0)),
                    median=Operand(float(values[:, column].max()), "m", "current"), count=len(values),
                    point=Operand(float(self.tree.split[node]), "m", "cut"))  # fmt: skip
        s = State(self.tree, node, node, column, float(self.tree.split[node]))
        return self.step("guard", s, told, event="guard")

    def split(self, node: int) -> Step[State]:
        tree, column = self.tree, int(self.tree.axis[node])
        left, right = (int(tree.stop[v] - tree.start[v]) for v in (tree.left[node], tree.right[node]))
        name = self.name(column)
        told = note(
            "{name} ≤ {point}: {left} of {count} {count:example|examples} {left:goes|go} left, {right} {right:goes|go} right.",
            name=Operand(name, about="cut"), point=Operand(float(tree.split[node]), "m", "cut"),
            left=Operand(left, about=f"node{tree.left[node]}"), right=Operand(right, about=f"node{tree.right[node]}"),
            count=Operand(left + right, about="current"),
        )  # fmt: skip
        s = State(tree, node + 1, node, column, float(tree.split[node]))
        return self.step("split", s, told, event="split")

    def turn(self, node: int) -> int:
        """The column whose turn it is; the guard may have taken another."""
        if self.p.axis == "widest":
            return int(self.tree.axis[node])
        return int(self.tree.depth[node]) % self.problem.d

    def name(self, column: int) -> str:
        return column_name(self.problem, column)


# -- the picture -------------------------------------------------------------------------------------------------------


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    return growth_scene(problem, s.tree, s.decided, s.node, s.axis, s.point, step.line == "split")


def chips(p: Params) -> tuple[str, ...]:
    leaf = "single examples in leaves" if p.leaf_size == 1 else f"leaves of {p.leaf_size}"
    return ("columns in turn" if p.axis == "cycle" else "widest column", "lower median", leaf)


def example() -> Problem:
    """Ten places; two of them are taken twice, and three share the largest x."""
    x = [2.0, 5.0, 9.0, 4.0, 8.0, 7.0, 1.0, 9.0, 9.0, 4.0, 6.0, 3.0]
    y = [3.0, 4.0, 6.0, 7.0, 1.0, 2.0, 9.0, 8.0, 2.5, 7.0, 9.0, 5.5]
    return prepare(Dataset.from_columns({"x": x, "y": y}))


ALGORITHM = former(
    key="kd_tree",
    title="k-d tree",
    family="instances",
    task=Task.STRUCTURE,
    source=("AIMA 18.8.2", "ML 8.2.2"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=None,
    example=example,
    curves=(Curve("leaves", "leaves", digits=0), Curve("depth", "deepest level", digits=0)),
    events=("split", "leaf", "guard"),
    errata=(
        "AIMA 18.8.2 splits at x ≤ median until fewer than two examples are left. Identical examples would then be split "
        "for ever: here a column with one value is passed over, and a leaf keeps examples that lie at one place.",
    ),
    chips=chips,
    needs=Needs(labels=False, numeric=True, max_columns=1000),
    summary="Halves the examples at the lower median of one column, then each half at another, until the boxes hold one "
    "example each. The tree of the tests finds the box of a place in a few questions.",
)
