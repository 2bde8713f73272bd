"""Words of a decision tree: questions, conditions, rules, and the notes of its growing. AIMA 18.3.2-18.3.6, MIT 2.4."""

import re
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from math import floor, log10
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.notation import Share, agreeing_digits, cut, label_text, number, plural, subscript
from engine.core.problem import Problem
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.core.sums import add_up
from engine.numerics.impurity import impurity_of
from engine.algorithms.trees.parts.model import Tree, Why
from engine.algorithms.trees.decision_tree.decimals import split_text

MOST_TERMS = 6
_ROUNDING = 1e-9  # of a sum of parts of examples
_DUST = 1e-12  # bits that only rounding leaves
_NUMBER = re.compile(r"[+−-]?\.?\d")
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
INFORMATION = Fact("split information", "{information}{unit}")
RATIO = Fact("gain ratio", "{whole_gain} / {information} = {ratio}")
KNOWN = Fact("share with a value", "{share}")
RULE = Fact("so far", "{rule}")


def count_word(count: int) -> str:
    return _SMALL[count] if count < len(_SMALL) else str(count)


class TreeWords:
    """How the tests of one problem read."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @cached_property
    def names(self) -> tuple[str, ...]:
        """'x1' is written x₁; other names stand as they are."""
        names = [f.title for f in self.problem.features]
        return tuple(n[0] + subscript(int(n[1:])) if n[:1].isalpha() and n[1:].isdecimal() else n for n in names)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.problem.class_text(k) for k in range(len(self.problem.classes)))

    def value(self, column: int, point: float) -> str:
        feature = self.problem.features[column]
        if not feature.numeric:
            return cut(label_text(feature.categories[int(point)]))
        return split_text(self.problem, column, point)

    def question(self, column: int, point: float) -> str:
        """'Patrons', 'x₁ > 2.50', 'Type = Thai'."""
        if np.isnan(point):
            return self.names[column]
        sign = ">" if self.problem.features[column].numeric else "="
        return f"{self.names[column]} {sign} {self.value(column, point)}"

    def branch(self, column: int, point: float, branch: int) -> str:
        """'Full', or 'no' and 'yes'."""
        return self.value(column, branch) if np.isnan(point) else ("no", "yes")[branch]

    def condition(self, column: int, point: float, branch: int) -> str:
        """'Patrons = Full', 'x₁ ≤ 2.50', 'Type ≠ Thai'."""
        if np.isnan(point):
            return f"{self.names[column]} = {self.value(column, branch)}"
        if branch:
            return self.question(column, point)
        sign = "≤" if self.problem.features[column].numeric else "≠"
        return f"{self.names[column]} {sign} {self.value(column, point)}"

    def rule(self, tree: Tree, node: int) -> str:
        """The way to a node as a conjunction: 'Patrons = Full ∧ Hungry = Yes'; '' at the root. AIMA 18.3.2."""
        way = tree.way_to(node)
        tests = pairwise(way)
        return " ∧ ".join(
            self.condition(int(tree.column[a]), float(tree.point[a]), int(tree.branch[b])) for a, b in tests
        )

    def formula(self, tree: Tree, label: int) -> str:
        """All the ways to leaves of class `label`, joined by ∨: the tree as logic. AIMA 18.3.2."""
        ends = [int(n) for n in tree.ends if tree.label[n] == label]
        rules = [self.rule(tree, n) for n in ends]
        return " ∨ ".join(f"({rule})" if len(rules) > 1 and "∧" in rule else rule or "always" for rule in rules)

    def counts(self, totals: Any, zeros: bool = True) -> str:
        """'2 Yes, 4 No', '2 × 1, 4 × 0' where names read as numbers; zeros: of two classes name both."""
        both = zeros and len(totals) == 2 and totals.sum()
        some = [(c, name) for c, name in zip(totals, self.classes, strict=True) if c > 0 or both]
        return ", ".join(f"{number(c)} {'× ' if _NUMBER.match(n) else ''}{n}" for c, n in some) or "no examples"

    def target(self, label: int) -> str:
        name = cut(self.problem.target.name) if self.problem.target else "class"
        return f"{name} = {self.problem.class_text(label)}"


# -- notes -------------------------------------------------------------------------------------------------------------


def start_note(words: TreeWords, totals: Float, importance: str) -> Note:
    size = float(totals.sum())
    bits = Operand(impurity_of(totals.tolist(), importance == "gini"), digits=4)
    term, operands = _term("q", totals.tolist(), importance)
    formula = Formula("I =" if importance == "gini" else "H =", term, "{bits}" + _unit(importance, bits.value))
    lead = "The tree is one open node with {size:|all }{size} {size:example|examples}: {counts}."
    return note(lead, formula, size=Operand(size), counts=words.counts(totals), bits=bits, **operands)


def branch_note(words: TreeWords, condition: str, totals: Float) -> Note:
    lead = (
        "Take the branch {condition}: {counts}." if totals.sum() else "Take the branch {condition}: no example has it."
    )
    return note(lead, condition=Operand(condition, about="current"), counts=words.counts(totals))


def gain_note(lead: str, totals: Float, branches: Float, importance: str, **operands: Any) -> Note:
    """`lead`, and the gain worked out by hand from the class weights of the branches. AIMA 18.3.4.

    totals: at the node, also of examples that lack the value.
    """
    rows, size = branches.tolist(), float(totals.sum())
    sizes = [add_up(row) for row in rows]
    known = [add_up(column) for column in zip(*rows, strict=True)]
    share = add_up(known) / size
    before = impurity_of(known, importance == "gini")
    told = add_up(s * impurity_of(row, importance == "gini") for s, row in zip(sizes, rows, strict=True))
    rest = told / add_up(known)
    gain, information = share * (before - rest), impurity_of(sizes)
    gain = gain if gain > _DUST else 0.0
    ratio = gain / information if information > 0 else 0.0
    digits = agreeing_digits((before, rest), lambda before, rest: share * (before - rest), gain, 4, least=4)
    of_ratio = agreeing_digits((gain, information), lambda gain, of: gain / of, ratio, 4, least=4)
    parts = _decimals(add_up(known), gain)
    body, terms = _gain_body(rows, sizes, known, importance, parts)
    unit = _unit(importance, gain)
    formula = Formula("Gain =", body, "{before} − {rest} = {gain}" + unit)
    if share < 1 - 1e-12:
        formula = Formula("Gain =", "{share} · (" + body + ")", "{share} · ({before} − {rest}) = {gain}" + unit)
    facts = (INFORMATION, *((RATIO,) if information > 0 else ())) if importance == "ratio" else ()
    return note(
        lead, formula, *facts,
        before=Operand(before, digits=digits), rest=Operand(rest, digits=digits), gain=Operand(gain, digits=4),
        share=_share(add_up(known), size, parts), whole_gain=Operand(gain, digits=of_ratio),
        information=Operand(information, digits=of_ratio), unit=_unit("", information),
        ratio=Operand(ratio, digits=4), **terms, **operands,
    )  # fmt: skip


def _gain_body(
    rows: list[list[float]], sizes: list[float], known: list[float], importance: str, digits: int
) -> tuple[str, dict[str, Operand]]:
    """'B({q}) − [{s0} B({q0}) + {s1} B({q1})]'; empty branches add nothing and are left out."""
    whole, operands = _term("q", known, importance, digits=digits)
    filled = [b for b, size in enumerate(sizes) if size > 0]
    if len(filled) > MOST_TERMS:
        return f"{whole} − Σ of {len(filled)} branches", operands
    terms = []
    for b in filled:
        term, values = _term(f"q{b}", rows[b], importance, f"branch{b}", digits)
        operands |= values | {f"s{b}": _share(sizes[b], add_up(known), digits, f"branch{b}")}
        terms.append(f"{{s{b}}} {term}")
    return f"{whole} − [{' + '.join(terms)}]", operands


def _decimals(known: float, gain: float) -> int:
    """So many for parts of examples that the gain, with four decimals, follows from what is shown."""
    return (4 if gain >= 1e-3 else 5) - min(0, floor(log10(round(known, 9))))


def _share(part: float, whole: float, digits: int, about: str = "") -> Operand:
    return Operand(Share((round(part, 9), round(whole, 9))), about=about, digits=digits)


def _term(
    name: str, counts: list[float], importance: str, about: str = "", digits: int = 2
) -> tuple[str, dict[str, Operand]]:
    """'B({q})' for two classes, 'H({q_0}, {q_1}, …)' for more, 'I(…)' for the Gini impurity."""
    size = add_up(counts)
    if len(counts) == 2 and importance != "gini":
        return f"B({{{name}}})", {name: _share(counts[0], size, digits, about)}
    filled = [k for k, count in enumerate(counts) if count > 0]
    shares = {f"{name}_{k}": _share(counts[k], size, digits, about) for k in filled}
    return f"{'I' if importance == 'gini' else 'H'}({', '.join('{' + key + '}' for key in shares)})", shares


def _unit(importance: str, value: float) -> str:
    return "" if importance == "gini" else (" bit" if abs(value - 1) < 5e-5 else " bits")


def candidate_note(question: Operand, skipped: str, totals: Float, branches: Float, importance: str) -> Note:
    """One attribute tried out; `skipped` says why it is out of the race, if it is. No branch is there yet to speak of."""
    if skipped and not branches.sum():
        return note("Try {question}: no example here has a value, so it is out.", question=question)
    lead = "Try {question}: {skipped}, so it is out." if skipped else "Try {question}."
    made = gain_note(lead, totals, branches, importance, skipped=skipped)
    plain = {name: replace(operand, about="") for name, operand in made.operands.items()}
    return replace(made, operands=plain | {"question": question})


def split_note(
    question: Operand, where: str, ties: int, rule: str, totals: Float, branches: Float, importance: str
) -> Note:
    """'Split the 6 examples with … on Hungry. Five attributes tie; …', and the gain by hand."""
    lead = "Split the {size} {size:example|examples}" + (" with {where}" if where else "") + " on {question}."
    if ties > 1:
        said = f"{count_word(ties).capitalize()} attributes tie"
        lead += (
            f" {said}; {'the seed draws {question}' if rule == 'random' else '{question} comes first in the table'}."
        )
    return gain_note(
        lead, totals, branches, importance, size=Operand(float(totals.sum())), ties=ties,
        where=Operand(where, about="current"), question=question,
    )  # fmt: skip


def told_note(words: TreeWords, column: int, point: float, gain: float, importance: str) -> Note:
    """A split in few words, put together only when somebody looks."""
    told = "the Gini impurity drops by {gain}." if importance == "gini" else f"it tells {{gain}}{_unit('', gain)}."
    if np.isnan(point):
        return note("Split on {name}: " + told, name=words.names[column], gain=Operand(gain, digits=4))
    question = words.question(column, point)
    return note("Split on {question}: " + told, question=question, gain=Operand(gain, digits=4))


def leaf_note(
    words: TreeWords, why: Why, where: str, totals: Float, label: int, tied: bool, rule: str, stop: str
) -> Note:
    """Why this node is a leaf, and how its class was found. AIMA Fig 18.5."""
    leads = {
        Why.EMPTY: "No example has {where}. The leaf says what most examples of its parent are: {label}.",
        Why.PURE: _same(float(totals.sum())) + ": a leaf.",
        Why.NO_TEST: "No attribute divides {size:this|these} {size} {size:example|examples} ({counts}). The leaf says what {size:it is|most are}: {label}.",
        Why.STOPPED: "{stop}: a leaf for {counts}. It says what most are: {label}.",
    }
    lead = leads[why]
    if tied:
        lead += tie_words(rule, " in the parent" if why is Why.EMPTY else "")
    return note(
        lead, where=Operand(where or "this branch", about="current"), counts=words.counts(totals), stop=stop,
        size=Operand(float(totals.sum())), label=Operand(words.problem.class_text(label), about="current"),
    )  # fmt: skip


def tie_words(rule: str, where: str = "") -> str:
    """How the class was found where two have the most examples. AIMA Fig 18.5: at random."""
    said = "the seed draws one" if rule == "random" else "the first class is taken"
    return f" There is no majority{where}; {said}."


def _same(size: float) -> str:
    """All examples of a leaf are of one class; where values are missing parts of examples count too."""
    if size < 1 - _ROUNDING:
        return "The part of an example here, {size}, is {label}"
    if abs(size - 1) <= _ROUNDING:
        return "The one example here is {label}"
    return (
        "Both examples here are {label}"
        if abs(size - 2) <= _ROUNDING
        else "{size:|All }{size} {size:example|examples} here {size:is|are} {label}"
    )


def path_note(words: TreeWords, tree: Tree, ends: Int, weights: Float, label: int, rule: str) -> Note:
    """Why a place gets its label: the conjunction of its way, or the mixture of ways where a value is missing.

    ends, weights: where it comes to, the heaviest first; rule: for plurality ties
    """
    if len(ends) == 1:
        return _way_note(words, tree, int(ends[0]), label, rule)
    lead = "A value is missing: the place goes down {count} ways, weighted by their frequency, and is called {label}."
    shown, more = [int(n) for n in ends[:MOST_TERMS]], len(ends) - MOST_TERMS
    facts = [Fact(f"{number(w)} of it", f"{{way{i}}}") for i, w in enumerate(weights[:MOST_TERMS])]
    if more > 0:
        rest = number(float(weights[MOST_TERMS:].sum()))
        facts.append(Fact(f"and {more} more {plural(more, 'way')}", f"{rest} of it"))
    ways = {f"way{i}": f"{words.rule(tree, n)}: {_examples(words, tree, n)}" for i, n in enumerate(shown)}
    return note(lead, *facts, count=count_word(len(ends)), label=words.problem.class_text(label), **ways)


def _way_note(words: TreeWords, tree: Tree, end: int, label: int, rule: str) -> Note:
    way, empty = words.rule(tree, end), not tree.totals[end].any()
    lead = "{rule} ⇒ {target}." if way else "No test: the plurality of all examples is {label}."
    if empty:
        lead += " No example came here."
    if tree.tied[end] and way:
        lead += tie_words(rule, " among the parent's {size} {size:example|examples}" if empty else "")
    elif empty:
        lead += " Most of the parent's {size} {size:example|examples} are {label}."
    return note(
        lead, Fact("examples at this leaf", "{counts}"), rule=way, target=words.target(label),
        label=words.problem.class_text(label), counts=_examples(words, tree, end),
        size=float(tree.totals[tree.parent[end] if empty else end].sum()),
    )  # fmt: skip


def _examples(words: TreeWords, tree: Tree, end: int) -> str:
    """'2 Yes, 4 No'; the parent's behind it where there are none, as the shares are then the parent's."""
    own = words.counts(tree.totals[end])
    return own if tree.totals[end].any() else f"{own}, the parent has {words.counts(tree.totals[tree.parent[end]])}"
