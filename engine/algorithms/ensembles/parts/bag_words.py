"""What trees taught on bags say: who is in the bag, which test a node takes, what the rows outside
show, how the vote goes.
"""

from typing import Any

import numpy as np

from engine.algorithms.ensembles.parts.bag_figures import forest_ways, is_whole, stump_for
from engine.algorithms.ensembles.parts.bags import Bagged, Bags, Race
from engine.algorithms.ensembles.parts.forests import said
from engine.algorithms.ensembles.parts.votes import tied, winners
from engine.algorithms.trees.parts.model import Tree, Why, predict
from engine.algorithms.trees.parts.naming import first_of
from engine.core.algorithm import Explanation
from engine.core.arrays import Float, Int
from engine.core.notation import agreeing_digits, subscript
from engine.core.scene import Bars
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.core.sums import add_up
from engine.core.tags import class_tags
from engine.numerics.impurity import impurity_of

GAIN = Formula("Gain =", "{before} − {rest}", "{gain}{unit}")
OUTSIDE = Formula("error outside =", "{missed} / {tested}", "{share}")
SHARE = Fact("outside a bag on average", "{expected} of {n}")


def hypothesis(s: Bagged) -> Operand:
    return Operand(f"h{subscript(s.round)}", about="learner")


def start(given: Bags[Any], s: Bagged) -> Note:
    lead = (
        "No tree has a vote yet. For each of {members} {members:tree|trees} a bag of {size}"
        " {size:row|rows} will be drawn from {n}."
    )
    return note(lead, members=given.p.members, size=given.size, n=len(given.known))


def loop(given: Bags[Any], s: Bagged) -> Note:
    return note("Tree {b} of {members}.", b=s.round, members=given.p.members)


def draw(given: Bags[Any], s: Bagged) -> Note:
    """Each draw leaves a row out with the chance 1 − 1/N."""
    assert s.copies is not None
    n = len(given.known)
    out = int(given.outside(s.copies).sum())
    lead = (
        "{size} {size:row is|rows are} drawn from {n}, each put back: {inside} {inside:is|are} in"
        " the bag, some more than once; {out} {out:stays|stay} outside."
    )
    if s.copies.max() < 2:
        lead = (
            "{size} {size:row is|rows are} drawn from {n}, each put back: {inside} {inside:is|are}"
            " in the bag, {out} {out:stays|stay} outside."
        )
    told = {"inside": Operand(n - out, about="copies"), "out": Operand(out, about="out")}
    return note(
        lead,
        SHARE,
        size=given.size,
        n=n,
        expected=Operand(n * (1 - 1 / n) ** given.size, digits=1),
        **told,
    )


def split(given: Bags[Any], s: Bagged, race: Race) -> tuple[Note, Choice]:
    """The test of one node, against those of the other columns it tried."""
    problem = given.problem
    tree = s.learner
    gini = given.p.importance == "gini"
    assert tree is not None
    totals = tree.totals[race.node].tolist()
    rows = [row for row in tree.totals[list(tree.children(race.node))].tolist() if any(row)]
    size = add_up(totals)
    before = impurity_of(totals, gini)
    rest = add_up(add_up(row) * impurity_of(row, gini) for row in rows) / size
    gain = max(before - rest, 0.0)
    taken = race.columns.index(int(tree.column[race.node]))
    questions = [
        stump_for(problem, c, p, ()).question(problem.features)
        for c, p in zip(race.columns, race.points, strict=True)
    ]
    lead = "{h}: the node of {size} {size:copy|copies} is parted by {question}."
    free = problem.d - len(spent(tree, race.node))
    tried = len(set(race.columns))
    if tried < free:
        left = (
            "{free:column|columns}"
            if free == problem.d
            else "{free:column|columns} that no test above it has spent"
        )
        lead = (
            f"{{h}}: the node of {{size}} {{size:copy|copies}} tries {{tried}} of {{free}} {left},"
            " drawn for it alone, and is parted by {question}."
        )
    if len(race.winners) > 1:
        lead += (
            f" {{ties}} {'tests' if race.test.cuts else 'columns'} tie, the first in the table is"
            " taken."
        )
    digits = agreeing_digits((before, rest), lambda a, b: a - b, gain, 4, least=4)
    unit = "" if gini else " bits"
    parts = (
        (GAIN,) if not np.isnan(problem.X).any() else ()
    )  # parts of copies whose value is missing have a share alone
    said_ = note(
        lead,
        *parts,
        h=Operand(f"h{subscript(s.round)}"),
        size=size,
        question=Operand(questions[taken], about="current"),
        tried=tried,
        free=free,
        ties=race.test.equals,
        before=Operand(before, digits=digits),
        rest=Operand(rest, digits=digits),
        gain=Operand(gain, digits=4),
        unit=unit,
    )
    columns = problem.column_tags
    options = tuple(
        Option(
            questions[i],
            worth if worth > -np.inf else float("nan"),
            "current" if i == taken else columns[c],
            "" if worth > -np.inf else "all in one branch",
            (c, race.points[i]),
        )
        for i, (c, worth) in enumerate(zip(race.columns, race.worth, strict=True))
    )
    rule = f"equal: {first_of(race.test)}" if len(race.winners) > 1 else ""
    return said_, Choice(
        "Which column's test is best?", options, race.winners, taken, rule, unit.strip()
    )


def spent(tree: Tree, node: int) -> set[int]:
    """The columns that a test above has divided into a branch for each value: no node below can ask
    them again.
    """
    above = tree.way_to(node)[:-1]
    return {
        int(tree.column[n])
        for n in above
        if tree.nominal[tree.column[n]] and np.isnan(tree.point[n])
    }


def leaves(tree: Tree) -> tuple[int, int]:
    """(tests, leaves that have examples) of a tree."""
    return int((tree.column >= 0).sum()), int(((tree.column < 0) & (tree.why != Why.EMPTY)).sum())


def learn(given: Bags[Any], s: Bagged) -> Note:
    problem = given.problem
    tree = s.learner
    assert tree is not None and s.copies is not None
    inside = (s.copies > 0) & problem.labelled
    wrong = int(np.count_nonzero(inside & (predict(tree, problem.X) != problem.codes)))
    tests, ends = leaves(tree)
    lead = (
        "{h} is a tree of {tests} {tests:test|tests} and {ends} {ends:leaf|leaves}. Of the {inside}"
        " {inside:row|rows} in its bag it gets {wrong} wrong."
    )
    return note(
        lead, h=hypothesis(s), tests=tests, ends=ends, inside=int(inside.sum()), wrong=wrong
    )


def out(given: Bags[Any], s: Bagged) -> Note:
    problem = given.problem
    tree = s.learner
    assert tree is not None and s.copies is not None
    outside = given.outside(s.copies)
    wrong = int(np.count_nonzero(outside & (predict(tree, problem.X) != problem.codes)))
    lead = (
        "{h} has never seen the {out} {out:row|rows} outside its bag. It gets {wrong} of them"
        " wrong: a fair test."
    )
    if not outside.any():
        lead = "Every row is in the bag: none is left to test {h}."
    return note(lead, h=hypothesis(s), out=Operand(int(outside.sum()), about="out"), wrong=wrong)


def vote(given: Bags[Any], s: Bagged) -> Note:
    """The errors of all trees, and of those outside the bag alone, which are an honest forecast."""
    lead = "The majority of {b} {b:tree|trees} gets {errors} of {n} {n:row|rows} wrong."
    b = Operand(len(s.learners), about="votes")
    n = len(given.known)
    if not s.tested:
        return note(lead + " Every row was in every bag so far.", b=b, errors=s.errors, n=n)
    lead += (
        " Judged only by trees that never saw them, {missed} of {tested} {tested:row is|rows are}"
        " wrong."
    )
    told = {
        "missed": Operand(s.missed, "wrong"),
        "tested": Operand(s.tested, "tested"),
        "share": Operand(s.oob, digits=3),
    }
    return note(lead, OUTSIDE, b=b, errors=s.errors, n=n, **told)


def return_(given: Bags[Any], s: Bagged, ties: int) -> Note:
    lead = (
        "The result: the majority of {b} {b:tree|trees}. It gets {errors} of {n} {n:row|rows} wrong"
    )
    lead += "; {share} of the rows outside their bags." if s.tested else "."
    if ties:
        lead += (
            " On {ties} {ties:row|rows} the best classes have equal votes: the first of them wins."
        )
    share = Operand(f"{100 * s.oob:.1f} %" if s.tested else "")
    return note(
        lead, b=len(s.learners), errors=s.errors, n=len(given.known), share=share, ties=ties
    )


def explain(given: Bags[Any], s: Bagged, x: Float) -> Explanation:
    """How many trees say each class."""
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
    names = tuple(map(problem.class_text, range(len(votes))))
    bars = Bars(
        "Votes",
        names,
        votes[:, 0],
        group=np.arange(len(votes)),
        tags=class_tags(len(votes)),
        digits=0,
    )
    says = said(s.learners, x[None])[:, 0]
    told = note(
        lead,
        *vote_lists(given, says),
        name=problem.class_text(label),
        won=Operand(float(votes[label, 0])),
        b=len(says),
    )
    return Explanation(label, told, bars, path=forest_ways(s.learners, x) if is_whole(s) else ())


def vote_lists(given: Bags[Any], says: Int) -> list[Fact]:
    """Which trees say each class, by their numbers. says (trees,): the class that each says."""
    classes = [c for c in range(len(given.problem.classes)) if (says == c).any()]
    return [
        Fact(
            verbatim(given.problem.class_text(c)),
            f"said by {numbered('tree', np.flatnonzero(says == c) + 1)}",
        )
        for c in classes
    ]


def numbered(noun: str, numbers: Int) -> str:
    """'tree 4', 'trees 1–3, 5': whole numbers in ascending order, three or more in a row as a
    range.
    """
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    parts = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"{noun if len(numbers) == 1 else noun + 's'} {', '.join(parts)}"
