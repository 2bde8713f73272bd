"""What cross-validation says."""

from typing import Any

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np, plural
from engine.core.notation import subscript
from engine.experiments.cross_validation import Params, Setting, State
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name

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
    how = p.scheme if p.scheme == "leave-one-out" else f"{p.scheme}, k = {p.k}"
    return (how, *(["short cut"] if p.cheap and p.scheme == "leave-one-out" else []))


def deal(given: Setting, s: State) -> Note:
    sizes = np.bincount(s.deal[s.deal >= 0], minlength=given.k)
    told: dict[str, Any] = {
        "n": len(given.rows),
        "k": given.k,
        "least": int(sizes.min()),
        "most": int(sizes.max()),
    }
    each = (
        "{least} {least:row|rows} each"
        if sizes.min() == sizes.max()
        else "{least} or {most} {most:row|rows} each"
    )
    lead = "{n} {n:row is|rows are} dealt into {k} {k:fold|folds} of " + each
    if given.p.scheme != "stratified" or given.problem.regress:
        return note(lead + ".", **told)
    counts = np.bincount(given.problem.codes[given.rows], minlength=len(given.problem.classes))
    rare = [c for c in np.argsort(counts, kind="stable").tolist() if 0 < counts[c] < given.k]
    if not rare:
        return note(lead + ", every class alike.", **told)
    told |= {
        "rare": given.problem.class_text(rare[0]),
        "few": int(counts[rare[0]]),
        "without": int(given.k - counts[rare[0]]),
    }
    lead += (
        ", every class as alike as can be: {rare} has {few} {few:row|rows}, so {without}"
        " {without:fold|folds} must do without it."
    )
    return note(lead, **told)


def fold(given: Setting, s: State) -> Note:
    out = np.flatnonzero(s.deal == s.fold)
    rest = len(given.rows) - len(out)
    lead = "Fold {i} is laid aside: {out} {out:row|rows} to test on, {rest} to learn from."
    return note(lead, i=Operand(s.fold + 1, about="fold"), out=len(out), rest=rest)


def learn(given: Setting, s: State) -> Note:
    if s.model is None:
        why = Operand(s.refused[-1][1].rstrip("."))
        return note(
            "Fold {i} is left out: {why}. The others go on.",
            i=Operand(s.fold + 1, about="fold"),
            why=why,
        )
    rows = len(given.rows) - int((s.deal == s.fold).sum())
    lead = "{learner} learns from the {rows} {rows:row|rows} of the other folds."
    if given.p.cheap and given.alone:
        lead = "{learner} keeps all rows; each is answered by the others."
    return note(lead, learner=given.learner.name, rows=rows)


def test(given: Setting, s: State) -> Note:
    rows = np.flatnonzero(s.deal == s.fold)
    error = s.errors.last
    told = {
        "i": Operand(s.fold + 1, about="fold"),
        "n": len(rows),
        "mean": Operand(s.errors.mean, about="errors"),
        "e": Operand(error, f"e{subscript(s.fold + 1)}", "fold"),
        "train": Operand(s.train.last, about="errors"),
    }
    if given.problem.regress:
        total = float(np.sum((s.answers[-1] - given.problem.y[rows]) ** 2))
        told["wrong"] = Operand(total, "Σ (y − h)²", "unseen")
        lead = "On the {n} {n:row|rows} of fold {i} the mean squared error is {e}."
    else:
        told["wrong"] = Operand(
            int(np.sum(s.answers[-1] != given.problem.codes[rows])), "wrong", "unseen"
        )
        lead = "Of the {n} {n:row|rows} of fold {i}, {wrong} {wrong:is|are} wrong."
    law = Formula(f"e{subscript(s.fold + 1)} =", "{wrong} / {n}", "{e}")
    facts = (
        Fact("on the rows learnt from", "{train}"),
        Fact(f"mean of {s.errors.count} {plural(s.errors.count, 'fold')}", "{mean}"),
    )
    return note(lead, law, *facts, **told)


def mean(given: Setting, s: State) -> Note:
    if not s.errors.count:
        return note(
            "No fold could be learnt from: {why}.", why=Operand(s.refused[-1][1].rstrip("."))
        )
    name = loss_name(given.problem)
    lead = f"Cross-validated, the {name} of {{learner}} is {{mean}}"
    lead += (
        ", give or take {sd}: the standard deviation of the folds." if s.errors.count > 1 else "."
    )
    told = {
        "learner": given.learner.name,
        "mean": Operand(s.errors.mean, "error", "errors"),
        "sd": s.errors.deviation,
        "k": s.errors.count,
    }
    if s.refused:
        lead += " {gone} {gone:fold was|folds were} left out."
        told["gone"] = len(s.refused)
    worse, base, numbers = beside_baseline(given.problem, s.errors.mean)
    lead = lead + worse
    told = told | numbers
    known = [e for e in s.errors if e == e]
    if len(known) > MOST:
        return note(
            lead, Fact("Σ eᵢ / k", "{total} / {k} = {mean}"), *base, total=s.errors.total, **told
        )
    told |= {f"e{i}": Operand(e, about="errors") for i, e in enumerate(known)}
    parts = " + ".join(f"{{e{i}}}" for i in range(len(known)))
    return note(lead, Formula("error =", f"({parts}) / {{k}}", "{mean}"), *base, **told)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the model of this fold says so."""
    return explained(given, s.model, x)
