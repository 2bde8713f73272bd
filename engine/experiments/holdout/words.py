"""What the holdout says."""

from collections.abc import Callable
from functools import partial
from math import hypot, nan, sqrt

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note
from engine.base.notation import counted, listed
from engine.experiments.holdout import Estimates, Params, Setting, State
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.loss import loss_name, lowest
from engine.experiments.parts.sentences import last_reason, written_sum
from engine.fit.learners import explained

SUMMARY = (
    "Lays a share of the rows aside, learns from the rest and tests on that share; done again with"
    " other rows, the estimate comes out differently each time. A large share leaves little to"
    " learn from, a small one gives a rough estimate."
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    return ("batches",) if p.scheme == "batches" else (counted(p.splits, "split"),)


def named(given: Setting, share: float) -> str:
    """A share in words: "30 %", or "4 batches"."""
    return counted(int(share), "batch", "batches") if given.cut else f"{100 * share:.3g} %"


def share(given: Setting, s: State) -> Note:
    n = len(given.rows)
    operands = {
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
        return note(lead, half=int(s.now.share) // 2, **operands)
    lead = (
        "{share} of the {n} {n:row is|rows are} laid aside: {m} to test on, {rest} to learn from."
        " Which ones, chance decides."
    )
    return note(lead, **operands)


def draw(given: Setting, s: State) -> Note:
    lead = "Split {i}: {m} {m:row is|rows are} laid aside."
    m = Operand(len(s.test) or s.now.m, about=tag_of_test_rows(given, s))
    return note(lead, i=len(s.now.errors) + 1, m=m)


def tag_of_test_rows(given: Setting, s: State) -> str:
    """The tag that highlights the test rows on the plane, "" where they are not drawn."""
    return "unseen" if given.problem.plane and len(s.test) else ""


def learn(given: Setting, s: State) -> Note:
    rest = 0 if s.model is None else len(s.model.rows)
    lead = "{learner} learns from {rest} other {rest:row|rows}."
    return note(lead, learner=given.learner.name, rest=rest)


def test(given: Setting, s: State) -> Note:
    if s.refused and s.model is None:
        lead = "These rows could not be learnt from: {why}. The others go on."
        return note(lead, why=last_reason(s.refused))
    error = s.now.errors.last
    m = len(s.test) or s.now.m
    total = error * m if given.problem.regress else round(error * m)
    lead = f"Split {{i}}: the {loss_name(given.problem)} on the {{m}} test {{m:row|rows}} is {{e}}."
    return note(
        lead,
        Formula("e =", "{total} / {m}", "{e}"),
        Fact("on the rows learnt from", "{train}"),
        Fact("mean so far", "{mean}"),
        i=len(s.now.errors),
        m=m,
        e=Operand(error, "e", "estimate"),
        train=s.now.train.last,
        total=Operand(total, about=tag_of_test_rows(given, s)),
        mean=Operand(s.now.errors.mean, about="mean"),
    )


def mean(given: Setting, s: State) -> Note:
    """The note of the mean and deviation of the estimates of a share."""
    now = s.now
    share = Operand(named(given, now.share), about="share")
    if not now.errors.count:
        lead = "With {share} nothing could be learnt: {why}."
        return note(lead, share=named(given, now.share), why=last_reason(s.refused))
    failed = sum(share == now.share for share, _ in s.refused)
    lead = "{share}: {k} {k:estimate|estimates} of the error, {mean} on average"
    lead += ", give or take {sd}." if now.errors.count > 1 else "."
    if failed:
        lead += " {failed} {failed:split|splits} could not be learnt from."
    terms, errors = written_sum([e for e in now.errors if e == e], MOST)
    worse, base, numbers = beside_baseline(given.problem, now.errors.mean)
    facts = [Fact("on the rows learnt from", "{train}"), *base]
    if not given.problem.regress:
        facts.append(Fact("of chance alone, √(e (1 − e) / {m})", "{alone}"))
        numbers["alone"] = sqrt(now.errors.mean * (1 - now.errors.mean) / now.m)
    return note(
        lead + worse,
        Formula("mean =", f"({terms}) / {{k}}", "{mean}"),
        *facts,
        share=share,
        k=now.errors.count,
        mean=Operand(now.errors.mean, "mean", "mean"),
        sd=Operand(now.errors.deviation, "sd", "sd"),
        train=Operand(now.train.mean, about="train"),
        m=now.m,
        failed=failed,
        **errors,
        **numbers,
    )


def compare(given: Setting, s: State) -> Note:
    """The closing note: which share has the least error, which the steadiest estimate, and whether
    that agrees with the two rules of `expected`.
    """
    known = [each for each in s.estimates if each.errors.count]
    if not known:
        return note("Nothing could be learnt: {why}.", why=last_reason(s.refused))
    low = [known[i] for i in lowest([each.errors.mean for each in known])]
    steady = [known[i] for i in lowest([each.errors.deviation for each in known])]
    operands = {
        "low": listed([named(given, each.share) for each in low]),
        "mean": Operand(low[0].errors.mean, about="mean"),
        "steady": listed([named(given, each.share) for each in steady]),
        "sd": Operand(steady[0].errors.deviation if steady else nan, about="sd"),
    }
    if len(known) == 1:
        lead = "{low}: the error is {mean}"
        lead += ", give or take {sd}." if steady else "."
        return note(lead, **operands)
    lead = "The mean error is least with {low}, {mean}"
    spread = "; the estimates spread least with {steady}, ±\N{NO-BREAK SPACE}{sd}."
    lead += spread if steady else "."
    learnt_from = partial(learnt, given)
    better = most(known, low, learnt_from) and clearly(known, low, learnt_from)
    steadier = most(known, steady, tested)
    facts = [row(given, each) for each in known]
    return note(f"{lead} {expected(better, steadier)}", *facts, **operands)


def learnt(given: Setting, each: Estimates) -> int:
    """The number of rows that a hypothesis is learnt from."""
    return each.m if given.cut else len(given.rows) - each.m


def tested(each: Estimates) -> int:
    """The number of test rows of an estimate."""
    return each.m


def most(known: list[Estimates], best: list[Estimates], rows: Callable[[Estimates], int]) -> bool:
    """Whether the best are those with the most rows, and others have fewer."""
    if not best or len(best) == len(known):
        return False
    counts = [rows(each) for each in known]
    return min(map(rows, best)) == max(counts) > min(counts)


def clearly(known: list[Estimates], low: list[Estimates], rows: Callable[[Estimates], int]) -> bool:
    """Whether the least mean error is below that with the fewest rows to learn from by more than
    twice the standard error of the difference, so that chance alone hardly makes it. Single
    estimates cannot tell.
    """
    best = low[0].errors
    worst = min(known, key=rows).errors
    off = 2 * hypot(best.deviation / sqrt(best.count), worst.deviation / sqrt(worst.count))
    return worst.mean - best.mean > off


def expected(better: bool, steadier: bool) -> str:
    """The two rules about numbers of rows, and whether the measurements agree with them. better,
    steadier: whether each does
    """
    rules = (
        "more rows to learn from make a better hypothesis, more rows to test on a steadier estimate"
    )
    if better and steadier:
        return f"Here {rules}."
    if better:
        return f"As a rule {rules}; only the first is seen here."
    if steadier:
        return f"As a rule {rules}; only the second is seen here."
    return f"As a rule {rules}; neither is seen here."


def row(given: Setting, each: Estimates) -> Fact:
    """The mean error of a share, and its standard deviation where there are several estimates."""
    spread = f" ± {each.errors.deviation:.3f}" if each.errors.count > 1 else ""
    return Fact(named(given, each.share), f"{each.errors.mean:.3f}{spread}")


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
