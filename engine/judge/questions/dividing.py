"""Text and counts of the examples that a question about a split divides."""

import re
from collections.abc import Sequence
from math import isfinite

import numpy as np

from engine.judge.questions.blanks import names_of
from engine.protocol.step import Choice, Note
from engine.table.problem import Problem

Counts = tuple[int, ...]


def where_of(problem: Problem, note: Note, choice: Choice, labels: Sequence[str]) -> str:
    """The sentence on what is to be divided: 'The lit box holds 10 circles and 19 squares.'

    If no box can be lit, the step's own words name the examples.
    """
    rows = list(choice.rows)
    if not rows or not problem.classes:
        return context_of(note, labels)
    codes = [int((problem.codes[rows] == k).sum()) for k in range(len(problem.classes))]
    holds = " and ".join(
        f"{count:,} {problem.class_text(k)}" for k, count in enumerate(codes) if count
    )
    if any(map(isfinite, choice.box)):
        return f"The lit box holds {holds}."
    said = "" if len(rows) == problem.n else context_of(note, labels)
    return f"{said} They are {holds}." if said else f"There are {holds}."


def context_of(note: Note, labels: Sequence[str]) -> str:
    """The note's first sentence with the choice left out: 'Split the 6 examples with Patrons = Full
    on ….'

    "" if the sentence could still give the answer away.
    """
    first = re.split(r"(?<=[.:]) ", note.lead)[0].rstrip(":")
    texts = {name: operand.text() for name, operand in note.operands.items()}
    hidden = {name: "…" for name, text in texts.items() if any(label in text for label in labels)}
    if not any(name in hidden for name in names_of(first)):
        return ""
    said = first.format_map(texts | hidden).replace("….", "…")
    return (
        ""
        if any(re.search(rf"(?<!\w){re.escape(label)}(?!\w)", said) for label in labels)
        else said
    )


def sides(
    problem: Problem, choice: Choice | None, cut: tuple[int, float] | None
) -> tuple[Counts, Counts] | None:
    """The class counts of the choice's examples at most at a threshold, and above it; or None."""
    if cut is None or choice is None or not choice.rows or not problem.classes:
        return None
    rows = np.array(choice.rows)
    low = problem.X[rows, cut[0]] <= cut[1]
    codes = range(len(problem.classes))
    one, other = (
        tuple(int((problem.codes[part] == k).sum()) for k in codes)
        for part in (rows[low], rows[~low])
    )
    return one, other
