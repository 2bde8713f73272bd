"""Tables and bars of naive Bayes: shares, products, votes, and the weights of the linear rule they make. MIT 2.5.3-2.5.29."""

from math import log

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import Share, value_text
from engine.core.problem import Problem
from engine.core.scene import Bars, Figure, Role, Table, data_table
from engine.numerics.boolean import Classes
from engine.pictures.boolean import SHOWN_COLUMNS, map_figures
from engine.pictures.naive_bayes_words import Chosen, Counted, bias_of, compared, linear, parts, texts, value_name
from engine.pictures.text_columns import text_column

LISTED = 60  # values in the table of shares


def figures(problem: Problem, s: Counted, classes: Classes, p: Chosen) -> tuple[Figure, ...]:
    """While it counts: the shares above the examples. At the query: the shares above the map of all answers, if there is one."""
    roles = {problem.features[s.column].name: Role.ACTIVE} if s.column >= 0 else {}
    examples = data_table(problem, roles=roles, tag="rows")
    if not s.known:
        return (examples,)
    shown: list[Figure] = [share_table(problem, s)]
    if s.known < problem.d or (s.column >= 0 and not s.used):
        return (*shown, examples)
    below = map_figures(problem, (), classes, asked=s.query) or (examples,)
    bars: tuple[Figure, ...] = (score_bars(problem, s, p), vote_bars(problem, s)) if s.used else ()
    return (*shown, *below, *bars, *((weight_bars(problem, s, p),) if linear(s) else ()))


def share_table(problem: Problem, s: Counted) -> Table:
    """R for every value counted so far; the values of the query are in play."""
    pairs = [(j, v) for j in range(s.known) for v in range(s.rates.sizes[j] - 1, -1, -1)]
    pairs = pairs[:LISTED] if s.column < s.known // 2 else pairs[-LISTED:]
    asked = s.used > 0
    active = np.asarray([not asked or s.query[j] == v for j, v in pairs])
    current = tuple(k for k, (j, v) in enumerate(pairs) if j == s.column and active[k])
    names = tuple(value_name(problem, j, v) for j, v in pairs)
    shares = [[value_text(s.rates.share(j, v, c)) for j, v in pairs] for c in (0, 1)]
    heads = [f"share in class {problem.class_text(c)}" for c in (0, 1)]
    columns = (text_column("value", names), *(text_column(h, texts) for h, texts in zip(heads, shares, strict=True)))
    return Table("Shares R: of a value in each class", columns, names, None, active, current, tag="column")


def score_bars(problem: Problem, s: Counted, p: Chosen) -> Bars:
    t, (shown, _) = compared(s, p), texts(s, p)
    labels = tuple(f"S({problem.class_text(c)}) = {value_text(text)}" for c, text in enumerate(shown))
    roles = (
        (Role.ACTIVE, Role.PLAIN)
        if t[0] > t[1]
        else (Role.GHOST, Role.GHOST)
        if t[0] == t[1]
        else (Role.PLAIN, Role.ACTIVE)
    )
    sizes, unit = parts(t, p)
    title = "Products" if unit == "S" else "Products: each as part of the larger"
    return Bars(title, labels, np.asarray(sizes), roles, group=np.arange(2), digits=4)


def vote_bars(problem: Problem, s: Counted) -> Bars:
    """ln R(x, first class) − ln R(x, second class) of each column: its sign is the class, its size the importance."""
    votes, names = [], []
    for j in range(min(s.used, SHOWN_COLUMNS)):
        a, b = (s.rates.share(j, int(s.query[j]), c) for c in (0, 1))
        votes.append(vote(a, b))
        names.append(value_name(problem, j, s.query[j]) + ("" if np.isfinite(votes[-1]) else " (veto)"))
    values = drawn(np.asarray(votes))
    group = np.where(values >= 0, 0, 1)
    roles = tuple(Role.ACTIVE if j == s.column else Role.PLAIN for j in range(len(names)))
    return Bars("Votes", tuple(names), values, roles, group=group, tag="column")


def weight_bars(problem: Problem, s: Counted, p: Chosen) -> Bars:
    """The linear rule of the counts: the vote of x = 1 in each column, largest first, and the bias. MIT 2.5.22, 2.5.29."""
    weights = s.rates.odds[0]
    largest = np.argsort(-np.abs(np.nan_to_num(weights)), kind="stable")[:SHOWN_COLUMNS]
    order = largest[np.argsort(-np.nan_to_num(weights[largest]), kind="stable")]
    names = [value_name(problem, j, (s.rates.ones or (1,) * len(weights))[j]) for j in order.tolist()]
    values = drawn(np.append(weights[order], bias_of(s, p)))
    roles = tuple(Role.ACTIVE if j == s.column else Role.PLAIN for j in order.tolist())
    title = f"Weights: for class {problem.class_text(0)} to the right, for class {problem.class_text(1)} to the left"
    return Bars(title, (*names, "bias"), values, (*roles, Role.GHOST), group=np.where(values >= 0, 0, 1), tag="weights")


def drawn(values: Float) -> Float:
    """Votes as bars: one without end is longer than all others, one that is undefined is none."""
    largest = 1 + float(np.abs(values[np.isfinite(values)]).max(initial=1.0))
    return np.clip(np.nan_to_num(values, nan=0.0, posinf=largest, neginf=-largest), -largest, largest)


def vote(a: Share, b: Share) -> float:
    if a.part == 0 or b.part == 0:
        return 0.0 if a.part == b.part else float("-inf") if a.part == 0 else float("inf")
    return log(float(a)) - log(float(b))
