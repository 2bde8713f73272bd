"""What the holdout says."""

from math import sqrt

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np
from engine.core.notation import counted
from engine.experiments.holdout import Estimates, Params, Setting, State
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name

SUMMARY = (
    "Lays a share of the rows aside, learns from the rest and tests on that share; done again with other rows, the estimate comes "
    "out differently each time. A large share leaves little to learn from, a small one gives a rough estimate."
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    return ("batches",) if p.scheme == "batches" else (counted(p.splits, "split"),)


def named(given: Setting, share: float) -> str:
    """A share as the picture and the sentences write it."""
    return counted(int(share), "batch", "batches") if given.cut else f"{100 * share:.3g} %"


def share(given: Setting, s: State) -> Note:
    n = len(given.rows)
    told = {"share": Operand(named(given, s.now.share), about="share"), "m": s.now.m, "n": n, "rest": n - s.now.m}
    if given.cut:
        lead = "The {n} {n:row is|rows are} cut into {share} of {m} or more: {half} {half:hypothesis|hypotheses}, each learnt from a batch and tested on another."
        return note(lead, half=int(s.now.share) // 2, **told)
    lead = "{share} of the {n} {n:row is|rows are} laid aside: {m} to test on, {rest} to learn from. Which ones, chance decides."
    return note(lead, **told)


def draw(given: Setting, s: State) -> Note:
    lead = "Split {i}: {m} {m:row is|rows are} laid aside."
    return note(
        lead,
        i=len(s.now.errors) + 1,
        m=Operand(len(s.test) or s.now.m, about="unseen" if given.problem.plane and len(s.test) else ""),
    )


def learn(given: Setting, s: State) -> Note:
    rest = 0 if s.model is None else len(s.model.rows)
    return note("{learner} learns from {rest} other {rest:row|rows}.", learner=given.learner.name, rest=rest)


def test(given: Setting, s: State) -> Note:
    if s.refused and s.model is None:
        return note("These rows could not be learnt from: {why}. The others go on.", why=s.refused[-1][1].rstrip("."))
    error, m = s.now.errors.last, len(s.test) or s.now.m
    told = {"i": len(s.now.errors), "m": m, "e": Operand(error, "e", "estimate"), "train": s.now.train.last}
    total = error * m if given.problem.regress else round(error * m)
    told |= {
        "total": Operand(total, about="unseen" if given.problem.plane and len(s.test) else ""),
        "mean": Operand(s.now.errors.mean, about="mean"),
    }
    lead = f"Split {{i}}: the {loss_name(given.problem)} on the {{m}} test {{m:row|rows}} is {{e}}."
    facts = Fact("on the rows learnt from", "{train}"), Fact("mean so far", "{mean}")
    return note(lead, Formula("e =", "{total} / {m}", "{e}"), *facts, **told)


def mean(given: Setting, s: State) -> Note:
    """The row of the picture."""
    if not s.now.errors.count:
        why = s.refused[-1][1].rstrip(".")
        return note("With {share} nothing could be learnt: {why}.", share=named(given, s.now.share), why=why)
    told = {
        "share": Operand(named(given, s.now.share), about="share"), "k": s.now.errors.count, "mean": Operand(s.now.errors.mean, "mean", "mean"),
        "sd": Operand(s.now.errors.deviation, "sd", "sd"), "train": Operand(s.now.train.mean, about="train"), "m": s.now.m,
    }  # fmt: skip
    gone = sum(share == s.now.share for share, _ in s.refused)
    lead = "{share}: {k} {k:estimate|estimates} of the error, {mean} on average"
    lead += ", give or take {sd}." if s.now.errors.count > 1 else "."
    lead += " {gone} {gone:split|splits} could not be learnt from." if gone else ""
    known = [e for e in s.now.errors if e == e]
    told |= {f"e{i}": known[i] for i in ([0, 1, -1] if len(known) > MOST else range(len(known)))}
    sums = "{e0} + {e1} + … + {e-1}" if len(known) > MOST else " + ".join(f"{{e{i}}}" for i in range(len(known)))
    facts = [Fact("on the rows learnt from", "{train}")]
    if not given.problem.regress:
        facts.append(Fact("of chance alone, √(e (1 − e) / {m})", "{alone}"))
        told["alone"] = sqrt(s.now.errors.mean * (1 - s.now.errors.mean) / s.now.m)
    return note(lead, Formula("mean =", f"({sums}) / {{k}}", "{mean}"), *facts, gone=gone, **told)


def compare(given: Setting, s: State) -> Note:
    known = [each for each in s.estimates if each.errors.count]
    if not known:
        return note("Nothing could be learnt: {why}.", why=s.refused[-1][1].rstrip("."))
    low = known[int(np.argmin([each.errors.mean for each in known]))]
    steady = known[int(np.argmin(np.nan_to_num([each.errors.deviation for each in known], nan=np.inf)))]
    told = {"low": named(given, low.share), "mean": Operand(low.errors.mean, about="mean"), "steady": named(given, steady.share)}  # fmt: skip
    told["sd"] = Operand(steady.errors.deviation, about="sd")
    if len(known) == 1:
        return note("{low}: the error is {mean}, give or take {sd}.", **told)
    lead = "The mean error is least with {low}, {mean}; the estimates spread least with {steady}, ±\N{NO-BREAK SPACE}{sd}. More rows to learn from make a better hypothesis, more rows to test on a steadier estimate."  # fmt: skip
    return note(lead, *(row(given, each) for each in known), **told)


def row(given: Setting, each: Estimates) -> Fact:
    return Fact(named(given, each.share), f"{each.errors.mean:.3f} ± {each.errors.deviation:.3f}")


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
