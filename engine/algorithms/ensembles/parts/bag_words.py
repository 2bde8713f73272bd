"""The words of trees that learn from bags: the rows of the bag, the test of a node, what the rows
outside show, how the vote goes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.algorithms.ensembles.parts.bag_figures import forest_ways, is_whole, stump_for
from engine.algorithms.ensembles.parts.bag_page import Params
from engine.algorithms.ensembles.parts.bags import Bagged, Bags, Race
from engine.algorithms.ensembles.parts.forests import said
from engine.algorithms.ensembles.parts.votes import tied, winners
from engine.algorithms.trees.parts.model import Tree, Why, predict
from engine.algorithms.trees.parts.naming import first_of
from engine.base.arrays import Bool, Float, Int
from engine.base.notation import agreeing_digits, subscript
from engine.base.sums import add_up
from engine.base.tags import class_tags
from engine.numerics.impurity import impurity_of
from engine.protocol.algorithm import Explanation
from engine.protocol.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.scene.scene import Bars

GAIN = Formula("Gain =", "{before} − {rest}", "{gain}{unit}")
OUTSIDE = Formula("error outside =", "{missed} / {tested}", "{share}")
FEW_COLUMNS = (
    "{h}: the node of {size} {size:copy|copies} tries {tried} of {free} {free:column|columns},"
    " drawn for it alone, and is parted by {question}."
)
FEW_COLUMNS_LEFT = (
    "{h}: the node of {size} {size:copy|copies} tries {tried} of {free} {free:column|columns} that"
    " no test above it has spent, drawn for it alone, and is parted by {question}."
)
SHARE = Fact("outside a bag on average", "{expected} of {n}")


def hypothesis(s: Bagged) -> Operand:
    """The name h[b] of this round as an operand."""
    return Operand(f"h{subscript(s.round)}", about="learner")


def tree_chips(p: Params) -> tuple[str, ...]:
    """Short texts for the tree parameters that differ from their defaults."""
    chips = []
    if p.depth is not None:
        chips.append(f"depth {p.depth}")
    if p.importance == "gini":
        chips.append("Gini (extension)")
    return tuple(chips)


def start(given: Bags[Any], s: Bagged) -> Note:
    """The note of how many bags will be drawn, of what size."""
    lead = (
        "No tree has a vote yet. For each of {members} {members:tree|trees} a bag of {size}"
        " {size:row|rows} will be drawn from {n}."
    )
    return note(lead, members=given.p.members, size=given.size, n=len(given.known))


def loop(given: Bags[Any], s: Bagged) -> Note:
    return note("Tree {b} of {members}.", b=s.round, members=given.p.members)


def draw(given: Bags[Any], s: Bagged) -> Note:
    """The note of a bag and the rows left out; each draw misses a row with chance 1 − 1/N."""
    n = len(given.known)
    out = int(given.outside(s.bag).sum())
    lead = (
        "{size} {size:row is|rows are} drawn from {n}, each put back: {inside} {inside:is|are} in"
        " the bag, some more than once; {out} {out:stays|stay} outside."
    )
    if s.bag.max() < 2:
        lead = (
            "{size} {size:row is|rows are} drawn from {n}, each put back: {inside} {inside:is|are}"
            " in the bag, {out} {out:stays|stay} outside."
        )
    return note(
        lead,
        SHARE,
        size=given.size,
        n=n,
        inside=Operand(n - out, about="copies"),
        out=Operand(out, about="out"),
        expected=Operand(n * (1 - 1 / n) ** given.size, digits=1),
    )


def split(given: Bags[Any], s: Bagged, race: Race) -> tuple[Note, Choice]:
    """The note and choice of a node's test, against the tests of the other columns tried."""
    tree = s.learner
    assert tree is not None
    features = given.problem.features
    questions = [
        stump_for(given.problem, column, point, ()).question(features)
        for column, point in zip(race.columns, race.points, strict=True)
    ]
    taken = race.columns.index(int(tree.column[race.node]))
    said = split_note(given, s, race, tree, questions[taken])
    return said, split_choice(given, race, questions, taken)


def split_note(given: Bags[Any], s: Bagged, race: Race, tree: Tree, question: str) -> Note:
    """The note of the columns that a node tried and the gain of its test."""
    gini = given.p.importance == "gini"
    totals = tree.totals[race.node].tolist()
    branches = tree.totals[list(tree.children(race.node))].tolist()
    size = add_up(totals)
    before = impurity_of(totals, gini)
    rest = add_up(add_up(row) * impurity_of(row, gini) for row in branches if any(row)) / size
    gain = max(before - rest, 0.0)
    digits = agreeing_digits((before, rest), lambda a, b: a - b, gain, 4, least=4)
    free = given.problem.d - len(spent(tree, race.node))
    tried = len(set(race.columns))
    lead = "{h}: the node of {size} {size:copy|copies} is parted by {question}."
    if tried < free:
        lead = FEW_COLUMNS if free == given.problem.d else FEW_COLUMNS_LEFT
    if len(race.winners) > 1:
        what = "tests" if race.test.cuts else "columns"
        lead += f" {{ties}} {what} tie, the first in the table is taken."
    # copies whose value is missing have a share in each branch alone, and the gain is none of these
    formulas = () if np.isnan(given.problem.X).any() else (GAIN,)
    return note(
        lead,
        *formulas,
        h=Operand(f"h{subscript(s.round)}"),
        size=size,
        question=Operand(question, about="current"),
        tried=tried,
        free=free,
        ties=race.test.equals,
        before=Operand(before, digits=digits),
        rest=Operand(rest, digits=digits),
        gain=Operand(gain, digits=4),
        unit="" if gini else " bits",
    )


def split_choice(given: Bags[Any], race: Race, questions: Sequence[str], taken: int) -> Choice:
    """The choice among the tests tried at a node. taken: index of the one used"""
    tags = given.problem.column_tags
    options = []
    for i, column in enumerate(race.columns):
        divides = race.worth[i] > -np.inf
        worth = race.worth[i] if divides else float("nan")
        tag = "current" if i == taken else tags[column]
        why = "" if divides else "all in one branch"
        options.append(Option(questions[i], worth, tag, why, (column, race.points[i])))
    rule = f"equal: {first_of(race.test)}" if len(race.winners) > 1 else ""
    unit = "" if given.p.importance == "gini" else "bits"
    return Choice("Which column's test is best?", tuple(options), race.winners, taken, rule, unit)


def spent(tree: Tree, node: int) -> set[int]:
    """The columns already used above a node with one branch per value: no test below can use
    them.
    """
    columns = set[int]()
    for above in tree.way_to(node)[:-1]:
        column = int(tree.column[above])
        if tree.nominal[column] and np.isnan(tree.point[above]):
            columns.add(column)
    return columns


def sizes(tree: Tree) -> tuple[int, int]:
    """(number of tests, number of leaves with examples) of a tree."""
    is_test = tree.column >= 0
    is_leaf = ~is_test & (tree.why != Why.EMPTY)
    return int(is_test.sum()), int(is_leaf.sum())


def learn(given: Bags[Any], s: Bagged) -> Note:
    """The note of a finished tree: its size, and its errors on its bag."""
    tree = s.learner
    assert tree is not None
    inside = (s.bag > 0) & given.problem.labelled
    tests, leaves = sizes(tree)
    lead = (
        "{h} is a tree of {tests} {tests:test|tests} and {ends} {ends:leaf|leaves}. Of the {inside}"
        " {inside:row|rows} in its bag it gets {wrong} wrong."
    )
    return note(
        lead,
        h=hypothesis(s),
        tests=tests,
        ends=leaves,
        inside=int(inside.sum()),
        wrong=wrong_of(given, tree, inside),
    )


def out(given: Bags[Any], s: Bagged) -> Note:
    """The note of a tree's errors on the rows outside its bag."""
    assert s.learner is not None
    outside = given.outside(s.bag)
    lead = (
        "{h} has never seen the {out} {out:row|rows} outside its bag. It gets {wrong} of them"
        " wrong: a fair test."
    )
    if not outside.any():
        lead = "Every row is in the bag: none is left to test {h}."
    return note(
        lead,
        h=hypothesis(s),
        out=Operand(int(outside.sum()), about="out"),
        wrong=wrong_of(given, s.learner, outside),
    )


def wrong_of(given: Bags[Any], tree: Tree, rows: Bool) -> int:
    """The number of these rows that a tree gets wrong. rows: (n,) mask"""
    wrong = predict(tree, given.problem.X) != given.problem.codes
    return int(np.count_nonzero(rows & wrong))


def vote(given: Bags[Any], s: Bagged) -> Note:
    """The note of the vote's errors, on all rows and out of bag, which is an honest estimate."""
    lead = "The majority of {b} {b:tree|trees} gets {errors} of {n} {n:row|rows} wrong."
    b = Operand(len(s.learners), about="votes")
    n = len(given.known)
    if not s.tested:
        lead += " Every row was in every bag so far."
        return note(lead, b=b, errors=s.errors, n=n)
    lead += (
        " Judged only by trees that never saw them, {missed} of {tested} {tested:row is|rows are}"
        " wrong."
    )
    return note(
        lead,
        OUTSIDE,
        b=b,
        errors=s.errors,
        n=n,
        missed=Operand(s.missed, "wrong"),
        tested=Operand(s.tested, "tested"),
        share=Operand(s.oob, digits=3),
    )


def return_(given: Bags[Any], s: Bagged, ties: int) -> Note:
    """The closing note of the vote of all trees. ties: number of rows where classes tie"""
    lead = (
        "The result: the majority of {b} {b:tree|trees}. It gets {errors} of {n} {n:row|rows} wrong"
    )
    lead += "; {share} of the rows outside their bags." if s.tested else "."
    if ties:
        lead += (
            " On {ties} {ties:row|rows} the best classes have equal votes: the first of them wins."
        )
    return note(
        lead,
        b=len(s.learners),
        errors=s.errors,
        n=len(given.known),
        share=Operand(f"{100 * s.oob:.1f} %" if s.tested else ""),
        ties=ties,
    )


def explain(given: Bags[Any], s: Bagged, x: Float) -> Explanation:
    """The answer at x (d,), with the number of trees for each class."""
    problem = given.problem
    votes = given.votes(s, x[None])
    label = int(winners(votes)[0])
    if label < 0:
        return Explanation(-1, note("No tree has a vote yet."))
    lead = "{name} wins: {won} of {b} {b:tree says|trees say} so."
    if int(tied(votes).sum()) > 1:
        lead = (
            "Several classes have {won} {won:vote|votes} each; {name} is the first of them in"
            " order."
        )
    if np.isnan(x).any():
        lead = (
            "A value is missing: each tree that asks for it weighs all its branches by their"
            " frequency. " + lead
        )
    says = said(s.learners, x[None])[:, 0]
    reason = note(
        lead,
        *vote_lists(given, says),
        name=problem.class_text(label),
        won=Operand(float(votes[label, 0])),
        b=len(says),
    )
    k = len(votes)
    names = tuple(map(problem.class_text, range(k)))
    bars = Bars("Votes", names, votes[:, 0], group=np.arange(k), tags=class_tags(k), digits=0)
    path = forest_ways(s.learners, x) if is_whole(s) else ()
    return Explanation(label, reason, bars, path=path)


def vote_lists(given: Bags[Any], says: Int) -> list[Fact]:
    """For each class a fact with the numbers of the trees that give it. says: (trees,) class
    codes
    """
    facts = []
    for c in np.unique(says).tolist():
        trees = numbered("tree", np.flatnonzero(says == c) + 1)
        facts.append(Fact(verbatim(given.problem.class_text(c)), f"said by {trees}"))
    return facts


def numbered(noun: str, numbers: Int) -> str:
    """'tree 4', 'trees 1–3, 5': whole numbers in ascending order, three or more in a row as a
    range.
    """
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    parts = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    nouns = noun if len(numbers) == 1 else noun + "s"
    return f"{nouns} {', '.join(parts)}"
