"""k nearest neighbours by a k-d tree: leave out what lies behind a line that the ball does not reach. AIMA 18.8.2."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from numpy.random import Generator

from engine.core.algorithm import Curve, Needs
from engine.core.arrays import Int
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.notation import telling_digits
from engine.core.params import Help, Label, Place, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Choice, Fact, Formula, Level, Note, Operand, Option, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.kd import KdTree
from engine.numerics.kd_build import build
from engine.numerics.kd_lookup import (
    NONE,
    Lookup,
    at_line,
    begin,
    distances,
    enter,
    finish,
    keep,
    look,
    nearer,
    out_of_reach,
    prune,
    rank,
)
from engine.numerics.search import asked_place
from engine.pictures.kd import column_name, lookup_scene, test_text

PSEUDOCODE = """
build: tree ← k-d tree of the examples
query: best ← empty, stack ← root
descend: down to a leaf: stack far sides
look:   each x in the leaf: d ← |x − q|
keep:     if d < k-th best: keep x
prune: pop: |qᵢ − m| > k-th? drop it
other:   else: descend into it
answer: stack empty: return best
"""
GAP = Formula("to the line =", "|{q} − {m}|", "{gap}")
REACH = Fact("k-th best", "{kth}")
LOWER_ROW = "equal distances: the lower row number"
SEARCHED = "equal: it is searched, it may hold an example as near with a lower row number"


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    query: Annotated[
        tuple[float, ...],
        Label("Query"),
        Help("a place on the plane; empty: the probe, or the middle of the data"),
        Place(),
    ] = ()


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[Lookup] | None]:
    query = asked_place(problem, p.query)
    tree = yield from build(problem.X, widest=False, leaf_size=1)
    tell = Teller(problem, min(p.k, problem.n))
    s = begin(tree, query)
    yield tell.build(s)
    yield tell.query(s)
    stack = [0]
    while stack:
        yield None
        node = stack.pop()
        if node:
            s = at_line(s, node)
            if out_of_reach(s):
                s = prune(s)
                if pace.step:
                    yield tell.prune(s)
                continue
            if pace.step:
                yield tell.other(s)
        while not tree.leaf(node):
            s = enter(s, node)
            near, far = tree.sides(node, query)
            stack.append(far)
            if pace.step:
                yield tell.descend(s, near)
            node = near
        s = yield from measure(problem, tree.rows(node), enter(s, node), tell, pace)
    yield tell.answer(finish(s))


def measure(
    problem: Problem, rows: Int, s: Lookup, tell: "Teller", pace: Pace
) -> Generator_[Step[Lookup], None, Lookup]:
    """Every example of a leaf is compared with the best so far."""
    for row, distance in zip(rows.tolist(), distances(problem.X, rows, s.query).tolist(), strict=True):
        s = look(s, row, distance)
        if nearer(s):
            before, s = s, keep(s, tell.k)
            if pace.step:
                yield tell.keep(before, s)
        elif pace.step:
            yield tell.look(s)
    return s


class Teller:
    """The steps of one search with their words. k: as many as there can be."""

    def __init__(self, problem: Problem, k: int) -> None:
        self.problem, self.k = problem, k

    def step(
        self, line: str, s: Lookup, told: Note, level: Level = Level.STEP, event: str = "", choice: Choice | None = None
    ) -> Step[Lookup]:
        metrics = {"examined": float(s.examined), "radius": s.radius if s.radius < float("inf") else NONE}
        tie = choice is not None and len(choice.winners) > 1
        events = tuple(name for name, holds in ((event, event), ("tie", tie)) if holds)
        return Step(line, s, told, level, metrics, events, choice)

    def build(self, s: Lookup) -> Step[Lookup]:
        leaves = int((s.tree.axis < 0).sum())
        lead = "The k-d tree of {n} {n:example|examples} is built once: {leaves} {leaves:leaf|leaves}, the deepest at level {depth}."
        told = note(lead, n=self.problem.n, leaves=leaves, depth=int(s.tree.depth.max()))
        return self.step("build", s, told, Level.ROUND)

    def query(self, s: Lookup) -> Step[Lookup]:
        lead = "Which example is nearest to {q}?" if self.k == 1 else "Which {k} examples are nearest to {q}?"
        return self.step("query", s, note(lead, q=Operand(s.query, "q", "query"), k=self.k), Level.ROUND)

    def descend(self, s: Lookup, near: int) -> Step[Lookup]:
        test = test_text(self.problem, s.tree, s.node)
        yes = near == s.tree.left[s.node]
        name, value = self.asked(s.tree, s.node)
        lead = "{test}? " + ("Yes" if yes else "No") + ": {name} of “?” is {q}. The other side waits."
        told = note(
            lead, test=Operand(test, about="current"), name=name, q=Operand(float(s.query[value]), "q", "query")
        )
        return self.step("descend", s, told)

    def keep(self, before: Lookup, s: Lookup) -> Step[Lookup]:
        full = before.radius < float("inf")
        lead = (
            "{point} is nearer: {d} < {kth}. The ball shrinks." if full else "{point} is kept, at {d}: a place is free."
        )
        choice = self.nearer_choice(before, 1) if full else None
        if choice is not None and len(choice.winners) > 1:
            lead = "{point} is as near as {rim}, at {d}, and has the lower row number: it takes the place."
        return self.step("keep", s, self.look_note(before, lead), event="closer", choice=choice)

    def look(self, s: Lookup) -> Step[Lookup]:
        choice = self.nearer_choice(s, 0)
        lead = "{point} is farther: {d} > {kth}. It stays out."
        if len(choice.winners) > 1:
            lead = "{point} is as near as {rim}, at {d}. The lower row number stays."
        return self.step("look", s, self.look_note(s, lead), choice=choice)

    def look_note(self, s: Lookup, lead: str) -> Note:
        names, digits = self.problem.names, apart(s.distance, s.radius)
        return note(
            lead,
            point=Operand(names[s.looked], about="looked"),
            d=Operand(s.distance, "d", "looked", digits),
            kth=Operand(s.radius, "k-th", "ball", digits),
            rim=Operand(names[s.neighbours[-1]] if len(s.neighbours) else "", about="" if nearer(s) else "best"),
        )

    def nearer_choice(self, s: Lookup, chosen: int) -> Choice:
        """The last of the best or the example looked at: where this one is kept the other is not in the picture any more."""
        rim = int(s.neighbours[-1])
        options = (
            Option(self.problem.names[rim], s.radius, "" if chosen else "best"),
            Option(self.problem.names[s.looked], s.distance, "looked"),
        )
        tie = rank(s.distance) == rank(s.radius)
        return Choice("Which of the two is nearer to “?”?", options, (0, 1) if tie else (chosen,), chosen,
                      LOWER_ROW if tie else "", "distance", True, apart(s.distance, s.radius))  # fmt: skip

    def prune(self, s: Lookup) -> Step[Lookup]:
        lead = "The line {line} is farther than the k-th best: {gap} > {kth}. Nothing behind it can be nearer."
        return self.step("prune", s, self.line_note(s, lead), event="pruned", choice=self.side_choice(s, 1))

    def other(self, s: Lookup) -> Step[Lookup]:
        if s.radius == float("inf"):
            lead, choice = "The list has still a free place: the other side of {line} is searched.", None
        else:
            lead, choice = (
                "The ball reaches over the line {line}: {gap} < {kth}. Its other side is searched.",
                self.side_choice(s, 0),
            )
            if len(choice.winners) > 1:
                lead = "The ball touches the line {line}: {gap} = {kth}. Something as near may lie there."
        return self.step("other", s, self.line_note(s, lead), event="crossed", choice=choice)

    def line_note(self, s: Lookup, lead: str) -> Note:
        parent = int(s.tree.parent[s.node])
        name, column = self.asked(s.tree, parent)
        m, digits = float(s.tree.split[parent]), apart(s.gap, s.radius)
        kth = Operand(s.radius, "k-th", "ball", digits) if s.radius < float("inf") else Operand("none yet", "k-th")
        return note(
            lead, GAP, REACH, line=Operand(f"{name} = {Operand(m).text()}", about="cut"),
            q=Operand(float(s.query[column]), "qᵢ", "query", digits), m=Operand(m, "m", "cut", digits),
            gap=Operand(s.gap, "gap", "gap", digits), kth=kth,
        )  # fmt: skip

    def side_choice(self, s: Lookup, chosen: int) -> Choice:
        """The smaller distance decides: the line's, and its other side is searched, or the k-th best, and it is not."""
        options = (
            Option("search it: to the line", s.gap, "gap"),
            Option("leave it out: to the k-th best", s.radius, "ball"),
        )
        tie = rank(s.gap) == rank(s.radius)
        return Choice("Must the other side be searched?", options, (0, 1) if tie else (chosen,), chosen,
                      SEARCHED if tie else "", "distance", True, apart(s.gap, s.radius))  # fmt: skip

    def answer(self, s: Lookup) -> Step[Lookup]:
        named = [self.problem.names[i] for i in s.neighbours[:9]]
        names = ", ".join(named) + (" …" if len(s.neighbours) > len(named) else "")
        lead = "The nearest: {names}. {examined} {examined:example was|examples were} measured, a scan measures {n:|all }{n}; {pruned} {pruned:side was|sides were} left out."
        told = note(lead, names=Operand(names, about="best"), examined=s.examined, n=self.problem.n,
                    pruned=Operand(len(s.pruned), about="pruned"))  # fmt: skip
        return self.step("answer", s, told, Level.ROUND)

    def asked(self, tree: KdTree, node: int) -> tuple[str, int]:
        """(name, number) of the column that a node asks for."""
        column = int(tree.axis[node])
        return column_name(self.problem, column), column


def apart(a: float, b: float) -> int:
    """Decimals with which two distances that differ on paper are not written alike; four at least."""
    return 4 if rank(a) == rank(b) else max(4, telling_digits(a, b))


def scene(problem: Problem, p: Params, step: Step[Lookup]) -> Scene:
    return lookup_scene(problem, step.state.tree, step.state, step.line)


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {p.k}", "Euclidean", "one example in each leaf")


def example() -> Problem:
    """Fourteen places and a query near a line: the first leaf does not hold the nearest."""
    x = [1.0, 2.0, 2.5, 3.5, 4.5, 5.0, 5.5, 6.5, 7.0, 8.0, 8.5, 9.0, 9.5, 4.0]
    y = [6.0, 2.0, 8.5, 5.0, 1.0, 7.0, 3.5, 9.0, 5.5, 1.5, 7.5, 4.0, 9.5, 9.0]
    return prepare(Dataset.from_columns({"x": x, "y": y}), query=(5.4, 5.0))


ALGORITHM = former(
    key="kd_search",
    title="k-d tree search",
    family="instances",
    task=Task.STRUCTURE,
    source=("AIMA 18.8.2",),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=None,
    example=example,
    curves=(Curve("examined", "examples measured", of_n=True, digits=0), Curve("radius", "distance of the k-th best")),
    events=("closer", "crossed", "pruned", "tie"),
    errata=(
        "AIMA 18.8.2 has k-d trees work well up to 10 dimensions with thousands of examples. That is optimistic: in 10 "
        "columns a few thousand examples leave little to skip, and the search comes near a scan.",
    ),
    chips=chips,
    needs=Needs(labels=False, numeric=True, max_columns=1000),
    summary="Follows the tests of a k-d tree to the box of the query. On the way back it compares the ball round the query "
    "with each dividing line and searches the other side only if the ball reaches over it.",
)
