"""Words of what becomes of a grown tree: pruning and the end. AIMA 18.3.2, 18.3.5; MIT 2.4.42."""

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import agreeing_digits, counted, number, plural
from engine.core.step import Fact, Formula, Note, Operand, note, verbatim
from engine.core.sums import add_up
from engine.algorithms.trees.decision_tree.pruning import Deviation, HeldOut, expected_counts
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.decision_tree.phrases import MOST_TERMS, TreeWords, count_word, tie_words

MOST_RULES = 12
MOST_DIGITS = 7  # of an expected count: more would tell only whether Δ was rounded up or down
FREEDOM = Fact("degrees of freedom", "{freedom}")
CRITICAL = Fact("critical value at {level}", "{critical}")
CHANCE = Fact("p", "{p}")
HELD_OUT = Fact("held-out errors", "{kept} with the tests, {leaf} as a leaf")


def chi_note(question: str, label: str, tie: str, branches: Float, found: Deviation, level: float) -> Note:
    """Δ with its numbers, and what it means; tie: behind it, when the classes of the new leaf tie. AIMA 18.3.5."""
    kept = "{question}: Δ is above the critical value, chance does not explain it. The test stays."
    cut = "{question}: chance explains a Δ of this size. The test becomes the leaf {label}." + tie
    expected = expected_counts(branches)
    cells = [(b, k) for b, k in np.ndindex(*branches.shape) if expected[b, k] > 0]
    counts = [float(counted[cell]) for cell in cells for counted in (branches, expected)]
    digits = min(agreeing_digits(counts, _deviation, found.delta, 3), MOST_DIGITS)
    terms = {f"n{b}_{k}": Operand(float(branches[b, k]), about=f"branch{b}", digits=digits) for b, k in cells}
    terms |= {f"e{b}_{k}": Operand(float(expected[b, k]), about=f"branch{b}", digits=digits) for b, k in cells}
    body = " + ".join(f"({{n{b}_{k}}} − {{e{b}_{k}}})²/{{e{b}_{k}}}" for b, k in cells)
    if len(cells) > 2 * MOST_TERMS:
        body = f"Σ (counted − expected)²/expected over {counted(len(cells), 'cell')}"
    return note(
        kept if found.worth_keeping else cut, Formula("Δ =", body, "{delta}"), FREEDOM,
        Fact(CRITICAL.caption.format(level=f"{number(100 * level)} %"), CRITICAL.text), CHANCE,
        question=Operand(question, about="current"), label=label, delta=Operand(found.delta, digits=3),
        freedom=found.freedom, critical=Operand(found.critical), p=Operand(found.p, digits=4), **terms,
    )  # fmt: skip


def _deviation(*counts: float) -> float:
    """Δ of (counted, expected, counted, …)."""
    return add_up((n - e) ** 2 / e for n, e in zip(counts[::2], counts[1::2], strict=True))


def held_out_note(question: str, label: str, tie: str, found: HeldOut) -> Note:
    """Errors on the held-out rows with and without the tests; tie: as above. MIT 2.4.42."""
    if not found.rows:
        lead = "No held-out row comes to {question}: nothing speaks for it. It becomes the leaf {label}." + tie
    elif found.worth_keeping:
        lead = "{question} saves errors on held-out rows. The test stays."
    elif found.tied:
        lead = "{question} saves no error on held-out rows; on a tie the smaller tree wins."
        lead += " It becomes the leaf {label}." + tie
    else:
        lead = "A leaf makes fewer errors on held-out rows than {question}. The test becomes the leaf {label}." + tie
    values = {"kept": Operand(found.kept), "leaf": Operand(found.leaf), "rows": Operand(found.rows)}
    return note(lead, HELD_OUT, question=Operand(question, about="current"), label=label, **values)


def tie_note(words: TreeWords, totals: Float, label: int, rule: str) -> Note:
    """How the class of a leaf left by pruning was found."""
    lead = "The new leaf has {counts}." + tie_words(rule) + " It says {label}."
    said = Operand(words.problem.class_text(label), about="current")
    return note(lead, counts=words.counts(totals), label=said)


def end_note(words: TreeWords, tree: Tree | None, tests: int, leaves: int, wrong: float, pruned: int | None) -> Note:
    """What the tree has become; as logic too, when `tree` is given and there are two classes."""
    said = "{tests} {tests:test|tests}, {leaves} {leaves:leaf|leaves}, {wrong} {wrong:example|examples} wrong."
    lead = f"The tree is complete: {said}"
    if pruned is not None:
        lead = f"Pruning took {count_word(pruned)} {plural(pruned, 'test')} away. " + lead.replace("complete", "now")
    counts = {"tests": tests, "leaves": leaves, "wrong": Operand(wrong)}
    if tree is None or len(words.problem.classes) != 2 or tests == 0:
        return note(lead, **counts)
    return note(
        lead, Fact(f"{verbatim(words.target(0))} ⇔", "{formula}"), formula=words.formula(tree, 0) or "never", **counts
    )
