"""What cross-validation says."""

from typing import Any

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np, plural
from engine.base.notation import subscript
from engine.experiments.cross_validation import Params, Setting, State
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sentences import last_reason, written_sum
from engine.fit.learners import explained

SUMMARY = (
    "Judges a learner on rows that its model has not seen: the rows are dealt into k folds, each"
    " fold is tested once by a model learnt from all the others, and the k errors are averaged. The"
    " folds' models are not independent."
)
ERRATA = (
    (
        "AIMA 18.4 prints the extreme as k = n, the number of attributes: it is k = N, the number"
        " of examples."
    ),
    "MIT 2.3.5 trains on all but chunk 9 and tests on chunk 2: the test is on chunk 9.",
    "LS, Validation trains on all k parts before it tests: a model is learnt from k − 1 of them.",
    (
        "AIMA 18.8.4 says that leave-one-out for neighbours costs O(k): it takes one search for"
        " each of the N examples."
    ),
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    if p.scheme != "leave-one-out":
        return (f"{p.scheme}, k = {p.k}",)
    return (p.scheme, "short cut") if p.cheap else (p.scheme,)


def deal(given: Setting, s: State) -> Note:
    sizes = np.bincount(s.deal[s.deal >= 0], minlength=given.k)
    least = int(sizes.min())
    most = int(sizes.max())
    operands: dict[str, Any] = {"n": len(given.rows), "k": given.k, "least": least, "most": most}
    each = "{least} {least:row|rows} each"
    if least < most:
        each = "{least} or {most} {most:row|rows} each"
    lead = "{n} {n:row is|rows are} dealt into {k} {k:fold|folds} of " + each
    if given.p.scheme != "stratified" or given.problem.regress:
        return note(lead + ".", **operands)
    counts = np.bincount(given.problem.codes[given.rows], minlength=len(given.problem.classes))
    fewest_first = np.argsort(counts, kind="stable").tolist()
    rare = [code for code in fewest_first if 0 < counts[code] < given.k]
    if not rare:
        return note(lead + ", every class alike.", **operands)
    few = int(counts[rare[0]])
    lead += (
        ", every class as alike as can be: {rare} has {few} {few:row|rows}, so {without}"
        " {without:fold|folds} must do without it."
    )
    name = given.problem.class_text(rare[0])
    return note(lead, rare=name, few=few, without=given.k - few, **operands)


def fold(given: Setting, s: State) -> Note:
    out = int((s.deal == s.fold).sum())
    rest = len(given.rows) - out
    lead = "Fold {i} is laid aside: {out} {out:row|rows} to test on, {rest} to learn from."
    return note(lead, i=Operand(s.fold + 1, about="fold"), out=out, rest=rest)


def learn(given: Setting, s: State) -> Note:
    if s.model is None:
        lead = "Fold {i} is left out: {why}. The others go on."
        i = Operand(s.fold + 1, about="fold")
        return note(lead, i=i, why=Operand(last_reason(s.refused)))
    rows = len(given.rows) - int((s.deal == s.fold).sum())
    lead = "{learner} learns from the {rows} {rows:row|rows} of the other folds."
    if given.p.cheap and given.alone:
        lead = "{learner} keeps all rows; each is answered by the others."
    return note(lead, learner=given.learner.name, rows=rows)


def test(given: Setting, s: State) -> Note:
    rows = np.flatnonzero(s.deal == s.fold)
    name = f"e{subscript(s.fold + 1)}"
    if given.problem.regress:
        squares = float(np.sum((s.answers[-1] - given.problem.y[rows]) ** 2))
        wrong = Operand(squares, "Σ (y − h)²", "unseen")
        lead = "On the {n} {n:row|rows} of fold {i} the mean squared error is {e}."
    else:
        count = int(np.sum(s.answers[-1] != given.problem.codes[rows]))
        wrong = Operand(count, "wrong", "unseen")
        lead = "Of the {n} {n:row|rows} of fold {i}, {wrong} {wrong:is|are} wrong."
    return note(
        lead,
        Formula(f"{name} =", "{wrong} / {n}", "{e}"),
        Fact("on the rows learnt from", "{train}"),
        Fact(f"mean of {s.errors.count} {plural(s.errors.count, 'fold')}", "{mean}"),
        i=Operand(s.fold + 1, about="fold"),
        n=len(rows),
        wrong=wrong,
        e=Operand(s.errors.last, name, "fold"),
        train=Operand(s.train.last, about="errors"),
        mean=Operand(s.errors.mean, about="errors"),
    )


def mean(given: Setting, s: State) -> Note:
    k = s.errors.count
    if not k:
        lead = "No fold could be learnt from: {why}."
        return note(lead, why=Operand(last_reason(s.refused)))
    lead = f"Cross-validated, the {loss_name(given.problem)} of {{learner}} is {{mean}}"
    spread = ", give or take {sd}: the standard deviation of the folds."
    lead += spread if k > 1 else "."
    worse, base, numbers = beside_baseline(given.problem, s.errors.mean)
    operands = {
        "learner": given.learner.name,
        "mean": Operand(s.errors.mean, "error", "errors"),
        "sd": s.errors.deviation,
        "k": k,
        **numbers,
    }
    if s.refused:
        lead += " {failed} {failed:fold was|folds were} left out."
        operands["failed"] = len(s.refused)
    if k > MOST:
        total = Fact("Σ eᵢ / k", "{total} / {k} = {mean}")
        return note(lead + worse, total, *base, total=s.errors.total, **operands)
    terms, values = written_sum([e for e in s.errors if e == e], MOST)
    errors = {name: Operand(e, about="errors") for name, e in values.items()}
    law = Formula("error =", f"({terms}) / {{k}}", "{mean}")
    return note(lead + worse, law, *base, **operands, **errors)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
