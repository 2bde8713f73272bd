"""What growing on values says: means, the squares around them, what a test takes away.

AIMA 18.3.6.
"""

from collections.abc import Callable
from functools import partial
from math import floor, log10

import numpy as np

from engine.algorithms.trees.parts.levels import OpenNode, place_of
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.naming import TreeWords, first_of
from engine.base.notation import LONG, counted, number, read_number, subscript
from engine.base.sums import add_up
from engine.protocol.step import Choice, Fact, Formula, Note, Operand, Option, note

MOST_BRANCHES = 6
LARGE = 1e6
ROUNDING = 1e-12  # of the spread of values around 0
REDUCTION = Fact("variance reduction", "{taken} / {n} = {reduction}")


def figures(value: float) -> int:
    """The number of decimals that shows four significant figures, at most 9."""
    return min(max(0, 3 - floor(log10(abs(value)))), 9) if value else 2


def shown(value: float, decimals: int) -> int:
    """The digits with which `number` shows a value with so many decimals, also in scientific
    notation.
    """
    return decimals if abs(value) < LARGE else decimals + floor(log10(abs(value)))


def enough(
    work: Callable[[Callable[[float], float]], float], result: float, decimals: int, least: int
) -> int:
    """The fewest decimals of terms for which `work` on the rounded terms gives the result as shown
    with `decimals`.
    """
    wanted = read(result, decimals)
    half = 0.5 * 10.0 ** -(decimals if abs(result) < LONG or decimals > 2 else 0)
    return next(
        (n for n in range(least, 12) if abs(work(partial(read, decimals=n)) - wanted) <= half), 12
    )


def read(value: float, decimals: int) -> float:
    """The value as rounded by showing it with so many decimals."""
    return read_number(number(value, shown(value, decimals)))


def tidy(many: float, mean: float, squares: float) -> float:
    """The mean, 0 where it is within rounding of 0. many, squares: number of examples and Σ y²"""
    return mean if mean**2 > ROUNDING**2 * squares / max(many, 1) else 0.0


def node_terms(tree: Tree, node: int) -> dict[str, Operand]:
    """The operands n, mean and squares of a node, and its answer."""
    many, mean, squares = tree.totals[node].tolist()
    mean = tidy(many, mean, squares)
    known = {
        "mean": Operand(mean, "ȳ", "current"),
        "label": Operand(float(tree.label[node]), about="current"),
    }
    return known | {"n": Operand(many), "squares": Operand(squares, "Σ (y − ȳ)²", "current")}


def taken_note(
    lead: str,
    words: TreeWords,
    node: OpenNode,
    column: int,
    point: float,
    lit: bool = False,
    **operands: Operand,
) -> Note:
    """A note with this lead and the reduction of squares by a test, worked out from its branches.
    lit: whether the branches exist already
    """
    parts = [(b, *row) for b, row in enumerate(node.counts(column, point).tolist()) if row[0]]
    n, _, before = node.totals
    after = [squares for *_, squares in parts]
    taken = max(before - add_up(after), 0.0)
    body = f"{{before}} − ({' + '.join(f'{{s{b}}}' for b, *_ in parts)})"
    if len(parts) > MOST_BRANCHES:
        body = f"{{before}} − Σ of {counted(len(parts), 'branch', 'branches')}"
    last = figures(taken / n)
    few = enough(lambda as_read: as_read(taken) / n, taken / n, last, figures(taken))
    digits = enough(lambda as_read: as_read(before) - add_up(map(as_read, after)), taken, few, few)
    of_branches = dict[str, Operand]()
    for b, many, mean, squares in parts:
        about = f"branch{b}" if lit else ""
        of_branches[f"s{b}"] = Operand(squares, f"S{subscript(b)}", about, shown(squares, digits))
        of_branches |= {
            f"n{b}": Operand(many),
            f"m{b}": Operand(tidy(many, mean, squares), about=about),
        }
        of_branches[f"branch{b}"] = Operand(words.branch(column, point, b))
    facts = [
        Fact(f"{{branch{b}}}", f"{{n{b}}} {{n{b}:example|examples}}, mean {{m{b}}}")
        for b, *_ in parts
    ]
    return note(
        lead,
        Formula("ΔS =", body, "{taken}"),
        REDUCTION,
        *facts[:MOST_BRANCHES],
        before=Operand(before, "S", "current", shown(before, digits)),
        n=Operand(n),
        taken=Operand(taken, "ΔS", digits=shown(taken, few)),
        reduction=Operand(taken / n, digits=shown(taken / n, last)),
        **of_branches,
        **operands,
    )


def tried_note(words: TreeWords, node: OpenNode, column: int, least: int) -> Note:
    """The note of the best test of a column, or of why there is none."""
    point = float(node.scores.point[column])
    tried = option(words, node, column, point, least)
    question = Operand(
        tried.label, about="cut" if column in words.problem.plane and point == point else ""
    )
    if tried.detail:
        return note(f"Try {{question}}: {tried.detail}, so it is out.", question=question)
    return taken_note("Try {question}.", words, node, column, point, question=question)


def option(words: TreeWords, node: OpenNode, column: int, point: float, least: int) -> Option:
    """The best test of a column as an option scored by variance reduction; else why it is out."""
    worth = float(node.scores.worth[column])
    label = words.question(column, point)
    value = (column, point)
    if worth > -np.inf:
        return Option(label, worth * node.totals[2] / node.totals[0], value=value)
    return Option(
        label,
        float("nan"),
        "",
        f"it leaves fewer than {counted(least, 'example')} in a branch",
        value=value,
    )


def chosen_note(
    words: TreeWords,
    node: OpenNode,
    column: int,
    point: float,
    least: int,
    by_seed: bool = False,
    hand: bool = False,
) -> tuple[Note, Choice]:
    """The note 'Split the 10 examples on …' and the choice among the best tests of each column.

    by_seed: ties are broken by the seed; hand: a person chose this one
    """
    tests, test = node.candidates, node.test
    assert test is not None
    options = tuple(option(words, node, *each, least) for each in tests)
    winners = tuple(i for i, (j, _) in enumerate(tests) if node.winners[j])
    lead, rule = "Split the {size} {size:example|examples} on {question}.", ""
    if len(winners) > 1:
        rule = "equal reduction: " + ("drawn by the seed" if by_seed else first_of(test))
        taken = (
            "it was taken by hand" if hand else "the seed draws it" if by_seed else "it comes first"
        )
        lead += f" {test.equals} {'tests' if test.cuts else 'columns'} are as good; {taken}."
    about = "cut" if column in words.problem.plane and point == point else "current"
    operands = {
        "question": Operand(words.question(column, point), about=about),
        "size": Operand(node.totals[0]),
    }
    said = taken_note(lead, words, node, column, point, True, **operands)
    return said, Choice(
        "Variance reduction", options, winners, place_of(tests, column, point), rule
    )
