"""Words, choices and figures of the two greedy rule learners, in counts and fractions. MIT 2.2.18-2.2.43, 2.3.15-2.3.20."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from engine.core.arrays import Int
from engine.core.notation import Share, counted
from engine.core.problem import Problem
from engine.core.scene import Figure, Role
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.numerics.boolean import Classes, ones, to_values
from engine.numerics.covering import Counts, in_the_way, rows_of
from engine.pictures.boolean import (
    conjunction_text,
    examples_table,
    has_map,
    map_figures,
    rows_text,
    rules_text,
    score_bars,
)

RULE = Fact("r", "{rule}")
HYPOTHESIS = Fact("h", "{h}")
WRONG = Fact("wrong examples", "{errors}")
REMOVES = Formula("n({name}) =", "{count}")
VALUE = Formula("v({name}) =", "{plus} / max({minus}, {floor})", "{score}")
LOWEST = "the same score: the lowest column is taken"
OPTIONS = 40  # in a choice
LOOKED = 200  # positives that are asked why no rule can cover them


class Covering(Protocol):
    """What words and figures need of a state."""

    @property
    def rules(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def rule(self) -> tuple[int, ...] | None: ...
    @property
    def P(self) -> Int: ...
    @property
    def N(self) -> Int: ...
    @property
    def scores(self) -> tuple[Fraction | None, ...]: ...
    @property
    def gone(self) -> Int: ...
    @property
    def errors(self) -> int: ...


def name(problem: Problem, column: int) -> Operand:
    return Operand(problem.features[column].title, about="scores")


def rule_text(problem: Problem, rule: Sequence[int]) -> str:
    return conjunction_text(problem, ones(rule))


def h_text(problem: Problem, s: Covering) -> str:
    return rules_text(problem, [ones(rule) for rule in s.rules])


def outlines(problem: Problem, s: Covering, growing: bool) -> tuple[str, str]:
    """(of h, of r) the tags in the map, if there is one: the outline of a rule, of several rules their names; without a
    rule h is what the cells say."""
    if not has_map(problem):
        return "", ""
    joined = bool(s.rules) and s.rules[-1] is s.rule
    if joined and growing:
        return "rule", "rule"
    h = "rules" if len(s.rules) > 1 else ("rule 0" if s.rules else "cells")
    return h, f"rule {len(s.rules) - 1}" if joined else "rule"


def told(problem: Problem, s: Covering, growing: bool = True) -> dict[str, Operand]:
    """The operands that most notes have. growing: the rule is not finished."""
    h, rule = outlines(problem, s, growing)
    return {
        "h": Operand(h_text(problem, s), "h", h),
        "rule": Operand(rule_text(problem, s.rule or ()), "r", rule),
        "P": Operand(rows_text(problem, s.P), "P", "rows"),
        "N": Operand(rows_text(problem, s.N), "N", "rows"),
        "gone": Operand(rows_text(problem, s.gone), about="rows"),
        "errors": Operand(s.errors),
    }


# -- one conjunction ---------------------------------------------------------------------------------------------------


def start_note(problem: Problem, s: Covering) -> Note:
    lead = "h = {h}. P holds the positive examples: {P}. N holds the negative ones, which h must not cover: {N}."
    return note(lead, HYPOTHESIS, WRONG, **told(problem, s))


def left_note(problem: Problem, s: Covering, allowed: int) -> Note:
    most = "at most {allowed} may stay" if allowed else "none may stay"
    return note(f"h = {{h}} still covers negatives: {{N}}; {most}.", allowed=allowed, **told(problem, s))


def add_note(problem: Problem, s: Covering, chosen: int) -> Note:
    return note("{name} joins: h = {rule}.", RULE, name=name(problem, chosen), **told(problem, s))


def drop_note(problem: Problem, s: Covering, chosen: int) -> Note:
    lead = (
        "{name} is 0 on {gone}: {rule} does not cover " + ("it" if len(s.gone) == 1 else "them") + ". Left in N: {N}."
    )
    if not len(s.gone):
        lead = "{name} is 1 on every row of N, so none leaves. Left: {N}."
    return note(lead, Fact("N", "{N}"), WRONG, name=name(problem, chosen), **told(problem, s))


def usable_note(problem: Problem, s: Covering, usable: Int) -> Note:
    names = ", ".join(problem.features[j].title for j in usable[:12]) or "none"
    lead = "Usable columns hold 1 in every positive example: {names}. The others would make some positive wrong."
    return note(lead, Fact("N", "{N}"), HYPOTHESIS, names=Operand(names, about="rows"), **told(problem, s))


def count_note(problem: Problem, s: Covering, chosen: int, ties: int) -> Note:
    lead = "How many rows of N would each usable column remove? {name} removes most: {count}."
    if ties > 1:
        lead = f"{{name}} and {ties - 1} more would remove {{count}} rows of N each. The lowest column is taken."
    if not s.scores[chosen]:
        lead = "No usable column removes a row of N. The printed loop takes one all the same: {name}."
    return note(lead, REMOVES, name=name(problem, chosen), count=int(s.scores[chosen] or 0), **told(problem, s))


def count_choice(problem: Problem, s: Covering, usable: Int, winners: tuple[int, ...]) -> Choice:
    place = {j: k for k, j in enumerate(j for j in usable.tolist() if j not in (s.rule or ()))}
    options = tuple(Option(problem.features[j].title, float(s.scores[j] or 0), "scores") for j in place)
    rule = LOWEST if len(winners) > 1 else ""
    kept = tuple(place[j] for j in winners)
    return Choice("Which column joins h?", options, kept, kept[0], rule, "rows of N removed", digits=0)


def no_column_note(problem: Problem, s: Covering, usable: Int, floor: int, policy: str) -> Note:
    """Why the search is stuck; on printed pseudo-code it would take a useless column for ever."""
    lead = "Stuck: no usable column removes any more of N, which still holds {N}."
    if not len(usable):
        lead = "Stuck: no column holds 1 in every positive example, and N still holds {N}."
    elif policy == "literal":
        lead = "Stuck: every usable column is in h, and N still holds {N}."
    elif any(s.scores):
        lead = f"Stuck: no usable column removes {counted(floor, 'row')} of N or more, and N still holds {{N}}."
    lead += " " + ("h is dropped." if not s.rules else "h = {h} is what there is.")
    return note(" ".join((lead, *_obstacle(problem, s))), HYPOTHESIS, **told(problem, s, growing=False))


def _obstacle(problem: Problem, s: Covering) -> tuple[str, ...]:
    """In words: which negative no rule can leave out; at most one sentence."""
    X = to_values(problem.features, problem.X)
    found = in_the_way(X, s.P[:LOOKED], rows_of(problem.codes, 1))
    if found is None:
        return ()
    inside, outside = (verbatim(problem.names[i]) for i in found)
    if (X[found[0]] == X[found[1]]).all():
        return (f"{inside} and {outside} are alike and of different classes: nothing tells them apart.",)
    return (f"{outside} is 1 wherever {inside} is: without negation every rule that covers {inside} covers it too.",)


# -- rules one after the other -----------------------------------------------------------------------------------------


def outer_note(problem: Problem, s: Covering) -> Note:
    return note("Positives not covered yet: {P}. Another rule is needed.", HYPOTHESIS, **told(problem, s))


def rule_note(problem: Problem, s: Covering) -> Note:
    lead = "A new rule starts as True, which covers everything: also all negatives, {N}."
    return note(lead, Fact("P", "{P}"), Fact("N", "{N}"), **told(problem, s))


def keep_note(problem: Problem, s: Covering) -> Note:
    return note("r = {rule} joins: h = {h}.", HYPOTHESIS, WRONG, **told(problem, s, growing=False))


def cover_note(problem: Problem, s: Covering) -> Note:
    lead = "r = {rule} covers {gone} of P. Left in P: {P}."
    return note(lead, HYPOTHESIS, Fact("P", "{P}"), WRONG, **told(problem, s, growing=False))


def score_note(
    problem: Problem, s: Covering, found: Counts, winners: tuple[int, ...], floor: Fraction, useless: bool
) -> Note:
    j = winners[0]
    lead = "{name} has the largest score."
    if len(winners) > 1:
        lead = f"{len(winners)} columns have the largest score. The lowest, {{name}}, is taken."
    if useless:
        lead += " It removes no row of N."
    facts = [Fact(f"v({verbatim(problem.features[k].title)})", f"{{v{k}}}") for k in candidates(s)[:12]]
    values = {f"v{k}": Share((int(found.plus[k]), int(found.minus[k]))) for k in candidates(s)[:12]}
    return note(
        lead,
        VALUE,
        *facts,
        name=name(problem, j),
        plus=Operand(int(found.plus[j]), "n⁺"),
        minus=Operand(int(found.minus[j]), "n⁻"),
        floor=Operand(floor, "floor"),
        score=Operand(s.scores[j]),
        **values,
        **told(problem, s),
    )


def candidates(s: Covering) -> list[int]:
    return [j for j, score in enumerate(s.scores) if score is not None]


def score_choice(problem: Problem, s: Covering, found: Counts, winners: tuple[int, ...]) -> Choice:
    listed = sorted({*candidates(s)[:OPTIONS], *winners})
    options = tuple(
        Option(problem.features[j].title, float(s.scores[j] or 0), "scores", f"{found.plus[j]}/{found.minus[j]}")
        for j in listed
    )
    kept = tuple(listed.index(j) for j in winners)
    return Choice("Which column joins r?", options, kept, kept[0], LOWEST if len(winners) > 1 else "", "v", digits=3)


STUCK = {
    "literal": "No column makes N smaller. r = {rule} still covers {N}.",
    "keep": "No column with n⁺ > 0 makes N smaller. r = {rule} is kept, though it covers {N}.",
    "drop": "No column with n⁺ > 0 makes N smaller. r = {rule} is discarded, and the search stops.",
}


def stuck_note(problem: Problem, s: Covering, policy: str) -> Note:
    return note(STUCK[policy], RULE, Fact("N", "{N}"), **told(problem, s))


def fail_note(problem: Problem, s: Covering, dropped: bool) -> Note:
    why = "r was discarded" if dropped else "r = {rule} covers none of P"
    lead = f"Fail: {why}, so {{P}} stays uncovered. h = {{h}} is what there is."
    return note(" ".join((lead, *_obstacle(problem, s))), HYPOTHESIS, **told(problem, s))


def done_note(problem: Problem, s: Covering, failed: bool) -> Note:
    lead = "The answer is h = {h}. Wrong examples: {errors}."
    lead += " The search failed." if failed else ""
    if not s.rules:
        lead += " It calls no example positive."
    size = sum(map(len, s.rules))
    return note(lead, Fact("literals", "{size}"), WRONG, size=size, **told(problem, s, growing=False))


# -- why this label ----------------------------------------------------------------------------------------------------


def explain_note(problem: Problem, s: Covering, rules: Sequence[Sequence[int]], true: int | None, label: int) -> Note:
    """rules: those that vote; true: the number of the first that covers the place, None when none does."""
    answer = problem.class_text(label)
    h = rules_text(problem, [ones(rule) for rule in rules])
    if true is None:
        return note("h = {h} does not hold here, so the answer is {answer}.", answer=answer, h=h)
    lead = "{held} holds here, so h = {h} holds and the answer is {answer}."
    return note(lead, held=rule_text(problem, rules[true]), answer=answer, h=h)


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(
    problem: Problem, s: Covering, classes: Classes, unit: str, chosen: int, growing: bool, digits: int = 2
) -> tuple[Figure, ...]:
    """The map of the inputs, the table whose rows leave, the scores of the columns. growing: the rule is not finished."""
    roles = dict.fromkeys(s.rule or (), Role.ACTIVE)
    building = ones(s.rule) if growing and s.rule is not None else None
    finished = [ones(rule) for rule in s.rules if not (growing and rule is s.rule)]
    shown = list(map_figures(problem, finished, classes, building))
    title = "Examples: P and N in play, the others done"
    shown.append(examples_table(problem, (s.P, s.N), s.gone, roles, title))
    if candidates(s):
        largest = max(score for score in s.scores if score is not None)
        ties = [j for j, score in enumerate(s.scores) if score == largest]
        shown.append(score_bars(problem, unit, s.scores, chosen, ties, digits))
    return tuple(shown)
