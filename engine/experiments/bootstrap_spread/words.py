"""What the spread of a learner says."""

from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np
from engine.base.notation import counted
from engine.experiments.bootstrap_spread import Params, Setting, State, shares
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.loss import loss_name
from engine.fit.learners import explained

SUMMARY = (
    "How much a model depends on the rows that happened to be there: the learner learns from many"
    " copies of the table, drawn with return. What most of its models get wrong is its bias, how"
    " much they differ from one another its variance."
)
ERRATA = (
    (
        "AIMA 18.4.2 calls the true function unrealisable and the variance two reasons of error:"
        " for squares they add up exactly; of two classes the variance is taken away where most"
        " models are wrong."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    copies = counted(p.copies, "copy", "copies")
    return (copies, f"{counted(p.size, 'row')} each") if p.size else (copies,)


def draw(given: Setting, s: State) -> Note:
    return note("Copy {b} of {B}.", b=s.copy + 1, B=given.p.copies)


def copy(given: Setting, s: State) -> Note:
    lead = "{m} {m:row is|rows are} drawn, each as likely every time, so some come twice."
    return note(lead, m=given.size)


def learn(given: Setting, s: State) -> Note:
    if len(s.refused) and s.model is None:
        lead = "Copy {b} could not be learnt from: {why}."
        return note(lead, b=s.copy + 1, why=s.refused[-1].rstrip("."))
    assert s.model is not None
    there = len(np.unique(s.model.rows))
    lead = (
        "{learner} learns copy {b}: {there} different {there:row|rows}, {out} {out:is|are} left"
        " out."
    )
    return note(
        lead,
        learner=given.learner.name,
        b=Operand(s.copy + 1, about="bundle"),
        there=there,
        out=len(given.rows) - there,
    )


def judge(given: Setting, s: State) -> Note:
    """The note of error, bias and variance so far, as means over the rows."""
    found = shares(given, s)
    if not len(found.rows):
        return note("No row is left out of any copy so far: nothing can be judged.")
    name = loss_name(given.problem)
    return note(
        f"On rows that it has not seen, the {name} of a model is so far {{error}}.",
        Fact("bias", "{bias}"),
        Fact("variance", "{variance}"),
        error=Operand(float(found.error.mean()), about="parts"),
        bias=float(found.bias.mean()),
        variance=float(found.variance.mean()),
    )


def parts(given: Setting, s: State) -> Note:
    """The note of the final result: error = bias + variance, or for classes why variance can lower
    the error.
    """
    found = shares(given, s)
    if not len(found.rows):
        why = s.refused[-1].rstrip(".") if len(s.refused) else "no row was left out"
        return note("No copy could be judged: {why}.", why=why)
    error = float(found.error.mean())
    worse, base, numbers = beside_baseline(given.problem, error)
    operands = {
        "error": Operand(error, "error", "parts"),
        "bias": Operand(float(found.bias.mean()), "bias", "parts"),
        "variance": Operand(float(found.variance.mean()), "variance", "parts"),
        **numbers,
    }
    if given.problem.regress:
        lead = (
            "A model's mean squared error is {error}: {bias} is the distance of the models' mean,"
            " {variance} their spread."
        )
        law = Formula("error =", "{bias} + {variance}", "{error}")
        return note(lead + worse, law, *base, **operands)
    lead = (
        "A model is wrong on {error} of the rows that it has not seen; most models agree on the"
        " wrong answer for {bias}."
    )
    if len(given.problem.classes) > 2:
        return note(lead + worse, Fact("variance", "{variance}"), *base, **operands)
    wrong = found.bias > 0
    plus = float(found.variance[~wrong].sum() / len(found.rows))
    minus = float(found.variance[wrong].sum() / len(found.rows))
    operands["plus"] = Operand(plus, "variance where most are right", "parts")
    operands["minus"] = Operand(minus, "where most are wrong", "parts")
    law = Formula("error =", "{bias} + {plus} − {minus}", "{error}")
    return note(lead + worse, law, *base, **operands)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
