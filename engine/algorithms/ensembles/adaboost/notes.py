"""Words of boosting: weighted errors, changed weights and votes, with fractions where a hand can check them. AIMA 18.10."""

from collections.abc import Sequence
from fractions import Fraction
from math import log

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import agreeing_digits, number, plural, subscript
from engine.core.problem import Problem
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note
from engine.core.sums import add_up
from engine.algorithms.ensembles.adaboost.stumps import Criterion, Stump
from engine.algorithms.ensembles.adaboost.learners import Candidate, LeafTie
from engine.algorithms.ensembles.adaboost.stumps import Learner, Tree
from engine.algorithms.ensembles.adaboost import State
from engine.algorithms.ensembles.adaboost.votes import has_gaps

BY_HAND = 40  # rows up to which weights are shown as fractions
LISTED, SOME = 6, 2  # terms of a sum written out: all, else the first
LEAVES = 4  # leaves with a tie that are named

RIGHT_WEIGHT = Formula("w ←", "{w} · {error} / (1 − {error})", "{after}")
NORMALISE = Formula("w ←", "{w} / {whole}", "{after}")
VOTE = Formula("z =", "log[(1 − {error}) / {error}]", "{z}")
HALF = Fact("its error on the new weights", "{half}")
PRINTED = Fact("as printed, without the bracket: log(1 − error)/error", "{printed}")
ERRORS = Fact("wrong by the vote", "{errors} of {n}, bound {bound}")
SHARES = Fact("weight in all", "wrong ones {wrong_share}, right ones {right_share}")
TIED = Fact("tie", "{ties}")
LEAF_TIE = Fact("tie in a leaf", "{leaves}")
UNITS: dict[Criterion, str] = {"error": "weighted error", "gain": "bits", "gini": "less impurity"}


def exact(value: float, n: int) -> float | Fraction:
    """`value` as a fraction with a small denominator when it is one, for tables that a hand can follow."""
    if n > BY_HAND:
        return value
    near = Fraction(value).limit_denominator(400)
    return near if abs(float(near) - value) < 1e-13 else value


def hypothesis(k: int) -> str:
    return f"h{subscript(k)}"


def init_note(n: int) -> Note:
    return note(
        "Every example starts with the same weight {w}; together they weigh 1. There is no vote yet.",
        Formula("w[j] =", "1 / {n}", "{w}"),
        w=Operand(exact(1 / n, n), "w", "data", 4),
        n=Operand(n, "N"),
    )


def loop_note(k: int, rounds: int) -> Note:
    return note("Round {k} of {rounds}.", k=k, rounds=rounds)


def learn_note(
    problem: Problem,
    k: int,
    learner: Learner,
    candidates: Sequence[Candidate],
    winners: Sequence[int],
    copied: tuple[int, int] | None,
    leaves: Sequence[LeafTie] = (),
) -> Note:
    """Hypothesis k is learnt; copied: how many copies it was given and how many
    w · M were to be drawn, or None; leaves: those with a tie."""
    lead = "Round {k}: L learns {h} from the examples with their weights: {rule}."
    if copied is not None:
        lead = "Round {k}: L learns {h} from {copied} {copied:copy|copies}, w · {M} of each example with fractions by chance: {rule}."
    tied = [candidate_text(problem, candidates[i], isinstance(learner, Tree)) for i in winners]
    rule = f"{', '.join(tied)} are equally good, {tied[0]} comes first in column order" if len(tied) > 1 else ""
    return note(
        lead,
        *((TIED,) if rule else ()),
        *((LEAF_TIE,) if leaves else ()),
        k=k,
        h=Operand(hypothesis(k), about="learner"),
        rule=Operand(said(problem, learner), about="learner"),
        **({} if copied is None else {"copied": copied[0], "M": copied[1]}),
        ties=rule,
        leaves=leaves_text(problem, leaves),
    )


def leaves_text(problem: Problem, leaves: Sequence[LeafTie]) -> str:
    """'Patrons = Full: Yes and No weigh the same, the last of them, No, wins' for each leaf, of many only the first."""
    told = [
        f"{leaf_name(problem, tie.stump, tie.branch)}: {all_of(problem, tie.classes)} weigh the same, "
        f"the last of them, {problem.class_text(tie.classes[-1])}, wins"
        for tie in leaves[:LEAVES]
    ]
    more = [f"so in {len(leaves) - LEAVES} more"] if len(leaves) > LEAVES else []
    return "; ".join([*told, *more])


def all_of(problem: Problem, classes: Sequence[int]) -> str:
    """'Yes and No', 'a, b and c'."""
    names = [problem.class_text(c) for c in classes]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def leaf_name(problem: Problem, stump: Stump, branch: int) -> str:
    """The examples in a branch: 'x₂ > 0.36', 'x₂ ≤ 0.36', 'Patrons = Full', 'x₂ missing'."""
    if stump.test == "none":
        return "all examples"
    title = problem.features[stump.column].title
    if branch == len(stump.classes) - 1:
        return f"{title} missing"
    if stump.test == "values":
        return f"{title} = {problem.features[stump.column].text(float(branch))}"
    asked = stump.question(problem.features)
    if branch:
        return asked
    rest = asked.removeprefix(title)
    return title + (rest.replace(">", "≤", 1) if stump.test == "threshold" else rest.replace("=", "≠", 1))


def candidate_text(problem: Problem, candidate: Candidate, root: bool) -> str:
    """The root of a tree may ask further in its branches, so it is called by its question."""
    return candidate.stump.question(problem.features) if root else candidate.stump.text(problem.features)


def said(problem: Problem, learner: Learner) -> str:
    """A learner in words."""
    if isinstance(learner, Stump):
        classes = [problem.class_text(c) for c in range(len(problem.classes))]
        return learner.rule(problem.features, classes, has_gaps(problem, learner))
    if isinstance(learner, Tree):
        return f"a tree of {counted(len(learner.tests), 'test')} with {learner.tests[0].question(problem.features)} at the root"
    return "a line across the direction of least weighted squares"


def learn_choice(
    problem: Problem, criterion: Criterion, candidates: Sequence[Candidate], winners: Sequence[int], root: bool
) -> Choice:
    """The best stump of each column."""
    errs = [f"weighted error {number(c.error, 4)}" if criterion != "error" else "" for c in candidates]
    options = tuple(
        Option(
            candidate_text(problem, c, root),
            c.measure,
            "learner" if i == winners[0] else f"column {c.stump.column}",
            detail,
        )
        for i, (c, detail) in enumerate(zip(candidates, errs, strict=True))
    )
    rule = "equal: the first in column order; in a column the first cut" if len(winners) > 1 else ""
    prompt = "Which test at the root?" if root else "Which stump?"
    return Choice(prompt, options, tuple(winners), winners[0], rule, UNITS[criterion], criterion == "error")


def counted(count: int, thing: str) -> str:
    return f"{count} {plural(count, thing)}"


def error_note(problem: Problem, s: State) -> Note:
    k, weights, error, rows = s.round, s.weights, s.error, np.flatnonzero(s.wrong)
    listed = rows if len(rows) <= LISTED else rows[:SOME]
    shown = [exact(w, problem.n) for w in weights[listed].tolist()]
    digits = agreeing_digits(shown, lambda *w: add_up(w), error, 4, least=4) if len(listed) == len(rows) else 4
    named_w = zip(shown, listed, strict=True)
    terms = [Operand(w, f"w({problem.names[i]})", "data", digits) for w, i in named_w]
    named = {f"w{i}": term for i, term in enumerate(terms)}
    body = " + ".join(f"{{{name}}}" for name in named)
    if len(rows) > len(listed):
        body += " + … ({count} weights)"
    lead = "{h} is wrong on {count} of {n} {n:example|examples}. Its error is what {count:it weighs|they weigh together}: {error}."
    if not len(rows):
        lead = "{h} is right on every example: its error is 0."
    return note(
        lead,
        *((Formula("error =", body, "{error}"),) if len(rows) else ()),
        h=Operand(hypothesis(k), about="learner"),
        count=Operand(len(rows), about="data"),
        n=int(problem.labelled.sum()),
        error=Operand(exact(error, problem.n), "error", "data", 4),
        **named,
    )


def reweight_note(problem: Problem, before: Float, s: State) -> Note:
    """before: weights (n,) until now; shown on the first example that h[k] gets right."""
    k, after, wrong, error = s.round, s.weights, s.wrong, exact(s.error, problem.n)
    i = int(np.flatnonzero(~wrong & problem.labelled)[0])
    w, right = exact(float(before[i]), problem.n), float(after[~wrong].sum())
    digits = agreeing_digits((w, error), lambda w, e: w * e / (1 - e), float(after[i]), 4, least=4)
    return note(
        "Every example that {h} gets right loses weight: times {factor}.",
        RIGHT_WEIGHT,
        SHARES,
        h=Operand(hypothesis(k), about="learner"),
        w=Operand(w, f"w({problem.names[i]})", "data", digits),
        error=Operand(error, "error", "data", digits),
        factor=Operand(exact(s.error / (1 - s.error), problem.n), digits=4),
        after=Operand(exact(float(after[i]), problem.n), digits=4, about="data"),
        wrong_share=Operand(exact(float(after[wrong].sum()), problem.n), digits=4),
        right_share=Operand(exact(right, problem.n), digits=4),
    )


def normalise_note(problem: Problem, s: State) -> Note:
    k, after, wrong, error = s.round, s.weights, s.wrong, s.error
    i = int(np.flatnonzero(wrong)[0])
    half, count = float(after[wrong].sum()), int(wrong.sum())
    w, whole = exact(float(after[i]) * 2 * error, problem.n), exact(2 * error, problem.n)
    digits = agreeing_digits((w, whole), lambda w, whole: w / whole, float(after[i]), 4, least=4)
    return note(
        f"Divided by their sum: the {{count}} {plural(count, 'example')} that {{h}} gets wrong now "
        f"{plural(count, 'weighs', 'weigh')} {{half}}.",
        NORMALISE,
        SHARES,
        count=Operand(count, about="data"),
        h=Operand(hypothesis(k), about="learner"),
        w=Operand(w, f"w({problem.names[i]})", "data", digits),
        whole=Operand(whole, "Σ w", digits=digits),
        after=Operand(exact(float(after[i]), problem.n), digits=4, about="data"),
        half=Operand(exact(half, problem.n), digits=4),
        wrong_share=Operand(exact(half, problem.n), digits=4),
        right_share=Operand(exact(float(after[~wrong].sum()), problem.n), digits=4),
    )


def vote_note(problem: Problem, s: State, learner: Learner, z: float, errors: int, bound: float) -> Note:
    """The hypothesis of this round has got its vote z; s: with its new weights."""
    k, error, half = s.round, s.error, float(s.weights[s.wrong].sum())
    n = int(problem.labelled.sum())
    return note(
        "Round {k}: {rule} gets the vote {z}.",
        VOTE,
        HALF,
        ERRORS,
        *((PRINTED,) if k == 1 else ()),
        k=k,
        rule=Operand(learner.text(problem.features), about="learner"),
        error=Operand(exact(error, problem.n), "error", digits=agreeing_digits((error,), _log_odds, z, least=4)),
        z=Operand(z, "z", "z"),
        half=Operand(exact(half, problem.n), digits=4),
        errors=errors,
        n=n,
        bound=Operand(min(bound, n), digits=1),
        printed=float(np.log(1 - error) / error),
    )


def _log_odds(error: float) -> float:
    return log((1 - error) / error)


def perfect_note(k: int, learner: Learner, problem: Problem) -> Note:
    return note(
        "Stop: {h} ({rule}) has error 0, so z = log(1/0) = {z} and no weight would be left. It gets all the vote.",
        k=k,
        h=Operand(hypothesis(k), about="learner"),
        rule=learner.text(problem.features),
        error=0.0,
        z=Operand(float("inf"), "z", "z"),
    )


def no_edge_note(problem: Problem, k: int, error: float) -> Note:
    """Hypothesis k is not right on more than half of the weight."""
    classes = len(set(problem.codes[problem.labelled].tolist()))
    lead = "Stop: {h} is wrong on {error} of the weight. A vote z = log[(1 − error)/error] counts for something only if error < ½."
    if classes > 2:
        lead += " With {classes} classes that is more than being better than a guess; deeper trees get there sooner."
    if k == 1:
        lead += " Nothing has a vote, so nothing is classified: try another weak learner."
    return note(
        lead,
        k=k,
        h=Operand(hypothesis(k), about="learner"),
        error=Operand(exact(error, problem.n), "error", "data", 4),
        classes=classes,
    )


def return_note(problem: Problem, z: Sequence[float], errors: int, ties: int) -> Note:
    k = len(z)
    lead = "The result: the weighted majority of {learners}; the class with the larger sum of z wins. "
    if k == 0:
        lead = "No learner has a vote: the result classifies nothing. "
    elif np.isinf(z[k - 1]):
        lead = "The result: {h} decides alone, because its error is 0. "
    lead += "It gets {errors} of {n} {n:example|examples} wrong."
    if ties:
        lead += " On {ties} of the {n} the best classes have equal votes: the first of them wins."
    h = Operand(hypothesis(k), about="z")
    return note(lead, learners=counted(k, "learner"), h=h, k=k, errors=errors, n=int(problem.labelled.sum()), ties=ties)
