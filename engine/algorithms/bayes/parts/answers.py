"""What a network says of the class of a row: the chance of each, given what is known of the row.

ML 6.11.
"""

from math import ceil
from typing import Any

from engine.algorithms.bayes.parts import MOST_WAYS, Networked
from engine.authoring import Bars, Explanation, Float, Formula, Int, Operand, Role, note, np
from engine.base.notation import listed
from engine.base.tags import class_tags
from engine.numerics.boolean import to_values
from engine.numerics.closeness import tied_with_best


def codes_of(given: Networked[Any], X: Float) -> Int:
    """(m, v) rows X (m, d) as codes of the variables, −1 for unknown values; the class is
    unknown.
    """
    values = to_values(given.problem.features, X)
    unknown = np.full(len(X), -1)
    known = np.column_stack([np.where(np.isnan(values), -1, values), unknown]).astype(np.intp)
    known[:, list(given.hidden)] = -1
    return known


def joint(given: Networked[Any], s: Any, rows: Int) -> Float:
    """(m, classes) ln P(row, class), for rows (m, v) with the same gaps; NaN where there are too
    many ways to fill them.
    """
    gaps = rows[0] < 0
    ways = given.filled(np.where(gaps, -1, 0))
    spread = np.where(gaps, ways[:, None], rows[None])  # (ways, m, v)
    complete = spread.reshape(-1, rows.shape[1])
    logs = given.logs(s.parents, s.tables, complete).reshape(len(ways), -1)
    by_class = [logs[ways[:, -1] == c] for c in range(len(given.problem.classes))]
    return np.column_stack([np.logaddexp.reduce(part, axis=0) for part in by_class])


def chances(given: Networked[Any], s: Any, X: Float) -> Float:
    """(m, classes) P(class | the known values of each row X (m, d)); NaN where nothing of it is
    known, or too little.
    """
    found = np.full((len(X), len(given.problem.classes)), np.nan)
    if not found.size:
        return found
    rows, which = np.unique(codes_of(given, X), axis=0, return_inverse=True)
    P = np.full((len(rows), found.shape[1]), np.nan)
    gaps, of = np.unique(rows < 0, axis=0, return_inverse=True)
    for k, gap in enumerate(gaps):
        own = np.flatnonzero(of.ravel() == k)
        ways = np.where(gap, np.array(given.sizes, float), 1.0).prod()
        if gap.all() or ways > MOST_WAYS:
            continue
        parts = ceil(len(own) * ways / MOST_WAYS)
        for part in np.array_split(own, parts):
            logs = joint(given, s, rows[part])
            with np.errstate(invalid="ignore"):
                P[part] = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None])
    return np.asarray(P[which.ravel()])


def classes(given: Networked[Any], s: Any, X: Float) -> Any:
    """(m,) the most probable class, the first of ties; −1 where none can be computed; NaN where the
    target is a number.
    """
    P = chances(given, s, X)
    if not P.shape[1]:
        return np.full(len(X), np.nan if given.problem.regress else -1)
    best = tied_with_best(P).argmax(axis=1)
    return np.where(np.isnan(P).any(axis=1), -1, best)


def explain(given: Networked[Any], s: Any, x: Float) -> Explanation:
    """The answer at x (d,): the share of its class among all ways to complete the row."""
    problem = given.problem
    label = classes(given, s, x[None])[0]
    if not problem.classes:
        return Explanation(
            -1, note("The network has no class to tell: no column of classes is the target.")
        )
    if label < 0:
        return Explanation(-1, note("Too little of this row is known to tell its class."))
    row = codes_of(given, x[None])
    logs = joint(given, s, row)[0]
    share = chances(given, s, x[None])[0]
    unseen = [given.variables[z].title for z in np.flatnonzero(row[0, :-1] < 0)]
    lead = "{answer} is likeliest, with a chance of {share}."
    if unseen:
        lead += " What is not known, {unseen}, is tried in every way."
    answer = problem.class_text(label)
    whole = float(np.exp(np.logaddexp.reduce(logs)))
    quotient = Formula("P({answer} | row) =", "{joint} / {whole}", "{share}")
    said = note(
        lead,
        *([quotient] if whole > 0 else []),
        answer=answer,
        unseen=Operand(listed(unseen)),
        share=Operand(float(share[label]), digits=3),
        joint=Operand(float(np.exp(logs[label])), f"P(row, {answer})", digits=4),
        whole=Operand(whole, "P(row)", digits=4),
    )
    names = tuple(problem.class_text(c) for c in range(len(share)))
    roles = tuple(Role.ACTIVE if c == label else Role.PLAIN for c in range(len(share)))
    bars = Bars(
        "Chances",
        names,
        share,
        roles,
        group=np.arange(len(share)),
        digits=3,
        tags=class_tags(len(share)),
    )
    return Explanation(int(label), said, bars)
