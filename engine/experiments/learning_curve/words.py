"""What the learning curve says."""

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note
from engine.base.notation import counted, number
from engine.experiments.learning_curve import Params, Setting, State
from engine.experiments.parts.baselines import ROUGH, beside_baseline
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sentences import last_reason, written_sum
from engine.fit.learners import explained

SUMMARY = (
    "How much a learner gains from more rows: for each size, rows are drawn again and again, a"
    " model is learnt from them and tested on all others; mean and spread over the trials make the"
    " curve."
)
MOST = 8  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    return (counted(p.trials, "trial"), f"sizes {p.spaced}")


def size(given: Setting, s: State) -> Note:
    rest = len(given.rows) - s.size
    lead = (
        "Now {m} of the {n} {n:row|rows} {m:is|are} learnt from; {rest} {rest:is|are} left to"
        " test on."
    )
    if rest < ROUGH:
        lead += " So few give a rough error: this end of the curve is noisy."
    return note(lead, m=Operand(s.size, about="size"), n=len(given.rows), rest=rest)


def draw(given: Setting, s: State) -> Note:
    lead = "Trial {i}: {m} {m:row is|rows are} drawn."
    return note(lead, i=len(s.errors) + 1, m=rows(s))


def rows(s: State) -> Operand:
    """The present number of rows as an operand, which highlights its place on the curve."""
    return Operand(s.size, about="size")


def learn(given: Setting, s: State) -> Note:
    lead = "{learner} learns from the {m} {m:row|rows}."
    return note(lead, learner=given.learner.name, m=rows(s))


def test(given: Setting, s: State) -> Note:
    if len(s.refused) and not s.errors.count:
        lead = "{m} {m:row|rows} could not be learnt from: {why}."
        return note(lead, m=rows(s), why=last_reason(s.refused))
    return note(
        f"Trial {{i}} with {{m}} {{m:row|rows}}: the {loss_name(given.problem)} is {{e}}.",
        Fact("on the rows learnt from", "{train}"),
        Fact("mean so far", "{mean}"),
        m=rows(s),
        i=len(s.errors),
        e=Operand(s.errors.last, "e", "curve"),
        train=s.train.last,
        mean=Operand(s.errors.mean, about="curve"),
    )


def mean(given: Setting, s: State) -> Note:
    """The note of a point of the curve: mean error and deviation at this size."""
    if not s.errors.count:
        lead = "No trial with {m} {m:row|rows} could be learnt from: {why}."
        return note(lead, m=rows(s), why=last_reason(s.refused))
    failed = sum(size == s.size for size, _ in s.refused)
    rest = len(given.rows) - s.size
    lead = f"With {{m}} {{m:row|rows}} the {loss_name(given.problem)} is {{mean}} on average"
    lead += ", give or take {sd}." if s.errors.count > 1 else "."
    if failed:
        lead += " {failed} {failed:draw|draws} could not be learnt from."
    if rest < ROUGH:
        lead += " Only {rest} {rest:row was|rows were} left to test on, so this point is rough."
    worse, base, numbers = beside_baseline(given.problem, s.errors.mean)
    terms, errors = written_sum(list(s.errors), MOST)
    return note(
        lead + worse,
        Formula("mean =", f"({terms}) / {{k}}", "{mean}"),
        Fact("on the rows learnt from", number(s.train.mean)),
        *base,
        m=rows(s),
        mean=Operand(s.errors.mean, "mean", "curve"),
        k=len(s.errors),
        failed=failed,
        sd=Operand(s.errors.deviation, "sd", "band"),
        rest=rest,
        **errors,
        **numbers,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
