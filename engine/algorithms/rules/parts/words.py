"""Words, choices and figures of the two greedy rule learners, in counts and fractions.

`s` is a state of either: both have the fields rules, rule, P, N, scores, gone, chosen, errors.

MIT 2.2.18-2.2.43, 2.3.15-2.3.20.
"""

from collections.abc import Sequence
from typing import Any

from engine.algorithms.rules.parts.covering import best, in_the_way, rows_of
from engine.base.arrays import Int
from engine.base.notation import number, subscript
from engine.base.records import replace
from engine.numerics.boolean import Classes, Conjunction, ones, to_values
from engine.protocol.step import Fact, Note, Operand, note, verbatim
from engine.scene.boolean import (
    conjunction_text,
    examples_table,
    has_map,
    literal_text,
    map_figures,
    rows_text,
    rules_text,
    score_bars,
)
from engine.scene.figures import text_column
from engine.scene.scene import Figure, Role, Table, TableColumn
from engine.table.problem import Problem

RULE = Fact("r", "{rule}")
HYPOTHESIS = Fact("h", "{h}")
WRONG = Fact("wrong examples", "{errors}")
LOWEST = "the same score: the lowest column is taken"
SCORES = ("count", "score")  # lines at which columns are compared
RIVALS = 6  # scored columns in the table of the rules
CHANGES = ("add", "keep")  # lines that are about the newest rule; others are about rows that leave
LOOKED = 200  # positives among which is looked for one that no rule can cover


def name(problem: Problem, column: int) -> Operand:
    """The name of a column as an operand, which highlights its score."""
    return Operand(problem.features[column].title, about="scores")


def rule_text(problem: Problem, rule: Sequence[int]) -> str:
    """A rule as text, a conjunction of its columns."""
    return conjunction_text(problem, ones(rule))


def h_text(problem: Problem, s: Any) -> str:
    """All rules as text, a disjunction of conjunctions."""
    return rules_text(problem, [ones(rule) for rule in s.rules])


def outlines(problem: Problem, s: Any, growing: bool) -> tuple[str, str]:
    """(of h, of r) the tags in the map, ("", "") where there is none.

    The outline of a rule, of several rules their names; without a rule h is what the cells say.
    """
    if not has_map(problem):
        return "", ""
    is_added = bool(s.rules) and s.rules[-1] is s.rule
    if is_added and growing:
        return "rule", "rule"
    r = f"rule {len(s.rules) - 1}" if is_added else "rule"
    if not s.rules:
        return "cells", r
    return "rule 0" if len(s.rules) == 1 else "rules", r


def operands(problem: Problem, s: Any, growing: bool = True) -> dict[str, Operand]:
    """The operands that most notes share. growing: whether the rule is unfinished"""
    h, rule = outlines(problem, s, growing)
    return {
        "h": Operand(h_text(problem, s), "h", h),
        "rule": Operand(rule_text(problem, s.rule or ()), "r", rule),
        "P": Operand(rows_text(problem, s.P), "P", "rows"),
        "N": Operand(rows_text(problem, s.N), "N", "rows"),
        "gone": Operand(rows_text(problem, s.gone), about="rows"),
        "errors": Operand(s.errors),
    }


def start_note(problem: Problem, s: Any) -> Note:
    """The note of h, P and N before the first rule."""
    lead = (
        "h = {h}. P holds the positive examples: {P}. N holds the negative ones, which h must not"
        " cover: {N}."
    )
    return note(lead, HYPOTHESIS, WRONG, **operands(problem, s))


def add_note(problem: Problem, s: Any, chosen: int) -> Note:
    """The note of a column that joins the rule."""
    lead = "{name} joins: h = {rule}."
    return note(lead, RULE, name=name(problem, chosen), **operands(problem, s))


def drop_note(problem: Problem, s: Any, chosen: int) -> Note:
    """The note of the negative rows that the new column excludes."""
    rows = "it" if len(s.gone) == 1 else "them"
    lead = f"{{name}} is 0 on {{gone}}: {{rule}} does not cover {rows}. Left in N: {{N}}."
    if not len(s.gone):
        lead = "{name} is 1 on every row of N, so none leaves. Left: {N}."
    return note(lead, Fact("N", "{N}"), WRONG, name=name(problem, chosen), **operands(problem, s))


def obstacle(problem: Problem, s: Any) -> tuple[str, ...]:
    """A sentence, in a tuple, on a negative row that no rule can exclude; () for none."""
    X = to_values(problem.features, problem.X)
    found = in_the_way(X, s.P[:LOOKED], rows_of(problem.codes, 1))
    if found is None:
        return ()
    positive, negative = found
    inside = verbatim(problem.names[positive])
    outside = verbatim(problem.names[negative])
    if (X[positive] == X[negative]).all():
        return (
            f"{inside} and {outside} are alike and of different classes: nothing tells them apart.",
        )
    said = (
        f"{outside} is 1 wherever {inside} is: without negation every rule that covers {inside}"
        " covers it too."
    )
    return (said,)


def candidates(s: Any) -> list[int]:
    """The indices of the columns that may join."""
    return [j for j, score in enumerate(s.scores) if score is not None]


def done_note(problem: Problem, s: Any, failed: bool) -> Note:
    """The note of the answer h and its errors. failed: whether the search gave up"""
    lead = "The answer is h = {h}. Wrong examples: {errors}."
    if failed:
        lead += " The search failed."
    if not s.rules:
        lead += " It calls no example positive."
    size = sum(map(len, s.rules))
    known = operands(problem, s, growing=False)
    return note(lead, Fact("literals", "{size}"), WRONG, size=size, **known)


# -- why this label --------------------------------------------------------------------------------


def explain_note(
    problem: Problem, s: Any, rules: Sequence[Sequence[int]], true: int | None, label: int
) -> Note:
    """Why a place gets its label.

    rules: all that could hold there
    true: index of the first that does, None for none
    """
    answer = problem.class_text(label)
    h = rules_text(problem, [ones(rule) for rule in rules])
    if true is None:
        return note("h = {h} does not hold here, so the answer is {answer}.", answer=answer, h=h)
    lead = "{held} holds here, so h = {h} holds and the answer is {answer}."
    return note(lead, held=rule_text(problem, rules[true]), answer=answer, h=h)


# -- figures ---------------------------------------------------------------------------------------


def rules_table(problem: Problem, rules: Sequence[Conjunction], s: Any = None) -> Table:
    """The rules of h as a table with a row for each literal; h is true where all of one rule hold.

    s: a state that scores columns: the best of them stand below, the chosen one in amber
    """
    rows = [
        (f"r{subscript(k + 1)}" if first else "∧", literal_text(problem, literal))
        for k, rule in enumerate(rules)
        for first, literal in ((j == 0, literal) for j, literal in enumerate(rule))
    ]
    if not rows:
        rows = [("h", "True" if rules else "False")]
    scored = [] if s is None else sorted(candidates(s), key=lambda j: (j != s.chosen, -s.scores[j]))
    rows += [("next?", problem.features[j].title) for j in scored[:RIVALS]]
    starts, literals = zip(*rows, strict=True)
    columns = [text_column("rule", starts), text_column("holds where this is 1", literals)]
    if scored:
        scores = [number(float(s.scores[j])) for j in scored[:RIVALS]]
        columns.append(text_column("score", [*[""] * (len(rows) - len(scores)), *scores]))
    current = (len(rows) - min(len(scored), RIVALS),) if scored else ()
    tags = ("rules",) * len(rows)
    return Table("Rules: each one of h", tuple(columns), literals, current=current, tags=tags)


def sets_of(problem: Problem, s: Any) -> TableColumn:
    """A column that says of every row in which set it is, P or N, or which it leaves in this
    step.
    """
    texts = [""] * problem.n
    for i in s.P.tolist():
        texts[i] = "P"
    for i in s.N.tolist():
        texts[i] = "N"
    for i in s.gone.tolist():
        texts[i] = "leaves P" if problem.codes[i] == 0 else "leaves N"
    return text_column("set", texts)


def figures(
    problem: Problem,
    s: Any,
    classes: Classes,
    unit: str,
    line: str,
    growing: bool,
    digits: int = 2,
) -> tuple[Figure, ...]:
    """The map of the inputs, or where there is none a table of the rules; the table whose rows
    leave, the scores of the columns.

    unit: what a score is, then its sign; growing: the rule is not finished
    """
    building = None
    finished = [ones(rule) for rule in s.rules]
    if growing and s.rule is not None:
        building = ones(s.rule)
        finished = [ones(rule) for rule in s.rules if rule is not s.rule]
    newest = len(finished) if building is not None else len(finished) - 1
    at = newest if line in CHANGES else -1
    heading = said(problem, s, line, unit.rsplit(" ", 1)[0].lower())
    shown = list(
        map_figures(problem, finished, classes, building, None, False, at, s.gone, heading)
    )
    scores = line in SCORES
    if not has_map(problem):
        rules = finished if building is None else [*finished, building]
        shown.append(rules_table(problem, rules, s if scores else None))
    shown.append(sets_table(problem, s, line))
    if candidates(s):
        shown.append(score_bars(problem, unit, s.scores, s.chosen, best(s.scores), digits))
    return tuple(shown)


def sets_table(problem: Problem, s: Any, line: str) -> Table:
    """The examples with P and N: in amber the rows that leave, or while columns are scored the 0 of
    the chosen one in those that it would take from N.
    """
    tested = s.rule or () if line in ("keep", "cover") else ()
    columns = dict.fromkeys((s.chosen,) if s.chosen >= 0 else tested, Role.ACTIVE)
    title = "Examples: P and N in play, the others done"
    leaving: Int = s.gone
    cells: tuple[str, ...] = ()
    if line in SCORES and s.chosen >= 0:
        values = to_values(problem.features, problem.X[s.N])
        leaving, cells = s.N[values[:, s.chosen] == 0], (problem.features[s.chosen].name,)
    table = examples_table(problem, (s.P, s.N), leaving, columns, title)
    return replace(table, columns=(*table.columns, sets_of(problem, s)), cells=cells)


def said(problem: Problem, s: Any, line: str, what: str) -> str:
    """What a step does, for the heading of the map. what: a score is"""
    gone = rows_text(problem, s.gone, 4)
    name = problem.features[s.chosen].title if s.chosen >= 0 else ""
    if line in SCORES:
        each = (f"{problem.features[j].title} {number(float(s.scores[j]))}" for j in candidates(s))
        return f"{what} {', '.join(each)}; {name} is taken"
    by_line = {
        "start": f"h = {h_text(problem, s)}",
        "add": f"{name} joins",
        "drop": f"{name} takes {gone} from N",
        "rule": "a new rule begins",
        "keep": "h gets this rule",
        "cover": f"the rule takes {gone} from P",
        "stuck": "no column makes N smaller",
        "fail": "the search fails",
        "done": f"h = {h_text(problem, s)}: {s.errors} wrong",
        "outer": f"{len(s.P)} left in P",
    }
    return by_line.get(line, f"{len(s.N)} left in N")
