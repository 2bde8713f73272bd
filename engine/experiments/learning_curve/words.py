"""What the learning curve says."""

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note
from engine.core.notation import counted, number
from engine.experiments.learning_curve import Params, Setting, State
from engine.experiments.parts.baselines import ROUGH, beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name

SUMMARY = (
    "How much a learner gains from more rows: for each size, rows are drawn again and again, a"
    " model is learnt from them and tested on all others; mean and spread over the trials make the"
    " curve."
)
FEW = 4  # errors that are written out in their sum


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
    return note(
        "Trial {i}: {m} {m:row is|rows are} drawn.",
        i=len(s.errors) + 1,
        m=Operand(s.size, about="size"),
    )


def learn(given: Setting, s: State) -> Note:
    return note(
        "{learner} learns from the {m} {m:row|rows}.",
        learner=given.learner.name,
        m=Operand(s.size, about="size"),
    )


def test(given: Setting, s: State) -> Note:
    told = {
        "m": Operand(s.size, about="size"),
        "i": len(s.errors),
        "e": Operand(s.errors.last, "e", "curve"),
    }
    if len(s.refused) and not s.errors.count:
        return note(
            "{m} {m:row|rows} could not be learnt from: {why}.",
            m=told["m"],
            why=s.refused[-1][1].rstrip("."),
        )
    train = Fact("on the rows learnt from", "{train}")
    lead = f"Trial {{i}} with {{m}} {{m:row|rows}}: the {loss_name(given.problem)} is {{e}}."
    return note(
        lead,
        train,
        Fact("mean so far", "{mean}"),
        **told,
        train=s.train.last,
        mean=Operand(s.errors.mean, about="curve"),
    )


def mean(given: Setting, s: State) -> Note:
    """The point of the curve."""
    if not s.errors.count:
        why = s.refused[-1][1].rstrip(".")
        return note(
            "No trial with {m} {m:row|rows} could be learnt from: {why}.",
            m=Operand(s.size, about="size"),
            why=why,
        )
    name = loss_name(given.problem)
    gone = sum(size == s.size for size, _ in s.refused)
    lead = f"With {{m}} {{m:row|rows}} the {name} is {{mean}} on average"
    lead += ", give or take {sd}." if s.errors.count > 1 else "."
    lead += " {gone} {gone:draw|draws} could not be learnt from." if gone else ""
    rest = len(given.rows) - s.size
    lead += (
        " Only {rest} {rest:row was|rows were} left to test on, so this point is rough."
        if rest < ROUGH
        else ""
    )
    worse, base, numbers = beside_baseline(given.problem, s.errors.mean)
    values = [*s.errors]
    told = {
        "m": Operand(s.size, about="size"),
        "mean": Operand(s.errors.mean, "mean", "curve"),
        "k": len(values),
        "gone": gone,
        "sd": Operand(s.errors.deviation, "sd", "band"),
        "rest": rest,
        **numbers,
    }
    if len(values) > 2 * FEW:
        told |= {f"e{i}": values[i] for i in (0, 1, -1)}
        sums = "({e0} + {e1} + … + {e-1}) / {k}"
    else:
        told |= {f"e{i}": e for i, e in enumerate(values)}
        sums = f"({' + '.join(f'{{e{i}}}' for i in range(len(values)))}) / {{k}}"
    facts = Fact("on the rows learnt from", number(s.train.mean)), *base
    return note(lead + worse, Formula("mean =", sums, "{mean}"), *facts, **told)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
