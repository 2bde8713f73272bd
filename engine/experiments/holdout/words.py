"""What the holdout says."""

from collections.abc import Callable
from functools import partial
from math import hypot, nan, sqrt

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note
from engine.core.notation import counted, listed
from engine.experiments.holdout import Estimates, Params, Setting, State
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name, lowest

SUMMARY = (
    "Lays a share of the rows aside, learns from the rest and tests on that share; done again with"
    " other rows, the estimate comes out differently each time. A large share leaves little to"
    " learn from, a small one gives a rough estimate."
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    return ("batches",) if p.scheme == "batches" else (counted(p.splits, "split"),)


def named(given: Setting, share: float) -> str:
    """A share as the picture and the sentences write it."""
    return counted(int(share), "batch", "batches") if given.cut else f"{100 * share:.3g} %"


def share(given: Setting, s: State) -> Note:
    n = len(given.rows)
    told = {
        "share": Operand(named(given, s.now.share), about="share"),
        "m": s.now.m,
        "n": n,
        "rest": n - s.now.m,
    }
    if given.cut:
        lead = (
            "The {n} {n:row is|rows are} cut into {share} of {m} or more: {half}"
            " {half:hypothesis|hypotheses}, each learnt from a batch and tested on another."
        )
        return note(lead, half=int(s.now.share) // 2, **told)
    lead = (
        "{share} of the {n} {n:row is|rows are} laid aside: {m} to test on, {rest} to learn from."
        " Which ones, chance decides."
    )
    return note(lead, **told)


def draw(given: Setting, s: State) -> Note:
    lead = "Split {i}: {m} {m:row is|rows are} laid aside."
    return note(
        lead,
        i=len(s.now.errors) + 1,
        m=Operand(
            len(s.test) or s.now.m, about="unseen" if given.problem.plane and len(s.test) else ""
        ),
    )


def learn(given: Setting, s: State) -> Note:
    rest = 0 if s.model is None else len(s.model.rows)
    return note(
        "{learner} learns from {rest} other {rest:row|rows}.", learner=given.learner.name, rest=rest
    )


def test(given: Setting, s: State) -> Note:
    if s.refused and s.model is None:
        return note(
            "These rows could not be learnt from: {why}. The others go on.",
            why=s.refused[-1][1].rstrip("."),
        )
    error = s.now.errors.last
    m = len(s.test) or s.now.m
    told = {
        "i": len(s.now.errors),
        "m": m,
        "e": Operand(error, "e", "estimate"),
        "train": s.now.train.last,
    }
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
        return note(
            "With {share} nothing could be learnt: {why}.", share=named(given, s.now.share), why=why
        )
    told = {
        "share": Operand(named(given, s.now.share), about="share"),
        "k": s.now.errors.count,
        "mean": Operand(s.now.errors.mean, "mean", "mean"),
        "sd": Operand(s.now.errors.deviation, "sd", "sd"),
        "train": Operand(s.now.train.mean, about="train"),
        "m": s.now.m,
    }
    gone = sum(share == s.now.share for share, _ in s.refused)
    lead = "{share}: {k} {k:estimate|estimates} of the error, {mean} on average"
    lead += ", give or take {sd}." if s.now.errors.count > 1 else "."
    lead += " {gone} {gone:split|splits} could not be learnt from." if gone else ""
    known = [e for e in s.now.errors if e == e]
    told |= {f"e{i}": known[i] for i in ([0, 1, -1] if len(known) > MOST else range(len(known)))}
    sums = (
        "{e0} + {e1} + … + {e-1}"
        if len(known) > MOST
        else " + ".join(f"{{e{i}}}" for i in range(len(known)))
    )
    worse, base, numbers = beside_baseline(given.problem, s.now.errors.mean)
    lead = lead + worse
    told = told | numbers
    facts = [Fact("on the rows learnt from", "{train}"), *base]
    if not given.problem.regress:
        facts.append(Fact("of chance alone, √(e (1 − e) / {m})", "{alone}"))
        told["alone"] = sqrt(s.now.errors.mean * (1 - s.now.errors.mean) / s.now.m)
    return note(lead, Formula("mean =", f"({sums}) / {{k}}", "{mean}"), *facts, gone=gone, **told)


def compare(given: Setting, s: State) -> Note:
    """Where the error is least and where the estimates spread least, and whether that is what the
    numbers of rows let expect.
    """
    known = [each for each in s.estimates if each.errors.count]
    if not known:
        return note("Nothing could be learnt: {why}.", why=s.refused[-1][1].rstrip("."))
    low = [known[i] for i in lowest([each.errors.mean for each in known])]
    steady = [known[i] for i in lowest([each.errors.deviation for each in known])]
    told = {
        "low": listed([named(given, each.share) for each in low]),
        "mean": Operand(low[0].errors.mean, about="mean"),
        "steady": listed([named(given, each.share) for each in steady]),
        "sd": Operand(steady[0].errors.deviation if steady else nan, about="sd"),
    }
    if len(known) == 1:
        return note(
            "{low}: the error is {mean}" + (", give or take {sd}." if steady else "."), **told
        )
    lead = "The mean error is least with {low}, {mean}"
    lead += (
        "; the estimates spread least with {steady}, ±\N{NO-BREAK SPACE}{sd}." if steady else "."
    )
    better = most(known, low, partial(learnt, given)) and clearly(
        known, low, partial(learnt, given)
    )
    steadier = most(known, steady, tested)
    return note(
        f"{lead} {expected(better, steadier)}", *(row(given, each) for each in known), **told
    )


def learnt(given: Setting, each: Estimates) -> int:
    """Rows that a hypothesis is learnt from."""
    return each.m if given.cut else len(given.rows) - each.m


def tested(each: Estimates) -> int:
    """Rows that an estimate is made on."""
    return each.m


def most(known: list[Estimates], best: list[Estimates], rows: Callable[[Estimates], int]) -> bool:
    """Whether the best are those with the most rows, and others have fewer."""
    counts = [rows(each) for each in known]
    return (
        bool(best)
        and min(map(rows, best)) == max(counts)
        and len(best) < len(known)
        and min(counts) < max(counts)
    )


def clearly(known: list[Estimates], low: list[Estimates], rows: Callable[[Estimates], int]) -> bool:
    """Whether the least mean error is below that with the fewest rows to learn from by more than
    twice the standard error of the difference, so that chance alone hardly makes it. Single
    estimates cannot tell.
    """
    best, worst = low[0].errors, min(known, key=rows).errors
    off = 2 * hypot(best.deviation / sqrt(best.count), worst.deviation / sqrt(worst.count))
    return worst.mean - best.mean > off


def expected(better: bool, steadier: bool) -> str:
    """The two rules on numbers of rows, and whether they are what was measured."""
    rules = (
        "more rows to learn from make a better hypothesis",
        "more rows to test on a steadier estimate",
    )
    if better and steadier:
        return f"Here {rules[0]}, {rules[1]}."
    seen = "only the first is" if better else "only the second is" if steadier else "neither is"
    return f"As a rule {rules[0]}, {rules[1]}; {seen} seen here."


def row(given: Setting, each: Estimates) -> Fact:
    """The mean error of a share, and its standard deviation where there are several estimates."""
    spread = f" ± {each.errors.deviation:.3f}" if each.errors.count > 1 else ""
    return Fact(named(given, each.share), f"{each.errors.mean:.3f}{spread}")


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
