"""What the model selection says."""

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Note,
    Operand,
    Option,
    Words,
    note,
    np,
)
from engine.base.notation import counted
from engine.experiments.model_selection import FALL, Params, Setting, State, stillness
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.loss import loss_name, lowest, mean_loss
from engine.experiments.parts.sentences import last_reason
from engine.fit.learners import explained

SUMMARY = (
    "Finds how complex a model should be: sizes are tried from the simplest on, each is judged by"
    " cross-validation, and when the training error no longer falls the size with the least"
    " validation error is learnt from all rows."
)


def chips(p: Params) -> tuple[str, ...]:
    until = f"patience {p.patience}" if p.until == "errT is still" else p.until
    parameter = (p.parameter,) if p.parameter else ()
    return (counted(p.k, "fold"), until, *parameter)


def named(given: Setting, value: float, about: str = "value") -> Operand:
    """A size in words as an operand, which highlights its mark."""
    return Operand(given.sweep.named(value), about=about)


def deal(given: Setting, s: State) -> Note:
    sizes = given.sweep.simplest_first
    simplest = ", the simplest," if given.sweep.ordered else ""
    lead = (
        "{n} {n:row is|rows are} dealt into {k} {k:fold|folds}, the same for every size."
        f" The size is {{name}}, from {{low}}{simplest} to {{high}}."
    )
    return note(
        lead,
        n=len(given.rows),
        k=given.k,
        name=given.sweep.field.name,
        low=Operand(sizes[0], digits=-1),
        high=Operand(sizes[-1], digits=-1),
    )


def size(given: Setting, s: State) -> Note:
    return note("Now {learner} with {c}.", learner=given.learner.name, c=named(given, s.value))


def fold(given: Setting, s: State) -> Note:
    i = len(s.errors)
    e = s.errors.last
    if e != e:
        lead = "With {c} fold {i} could not be tested: {why}."
        return note(lead, c=named(given, s.value), i=i, why=last_reason(s.refused))
    lead = f"Learnt from the other folds, the {loss_name(given.problem)} is {{e}} on fold {{i}}."
    train = Fact("on the rows learnt from", "{train}")
    return note(lead, train, i=i, e=Operand(e, about="now"), train=s.train.last)


def errors(given: Setting, s: State) -> Note:
    """The note of errT and errV at the present size."""
    c = named(given, s.value)
    if not s.errors.count:
        return note("With {c} nothing could be learnt: {why}.", c=c, why=last_reason(s.refused))
    failed = len(s.errors) - s.errors.count
    lead = "With {c} errV is {errV}, errT {errT}."
    if failed:
        lead += " {failed} {failed:fold|folds} could not be tested."
    spread = [Fact("standard deviation of errV", "{sd}")] if s.errors.count > 1 else []
    return note(
        lead,
        *spread,
        c=c,
        failed=failed,
        errV=Operand(s.errors.mean, "errV", "validation"),
        errT=Operand(s.train.mean, "errT", "training"),
        sd=Operand(s.errors.deviation, "sd", "band"),
    )


def until(given: Setting, s: State) -> Note:
    """The note of whether the search stops at this size."""
    if not given.waits:
        over = s.stopped >= 0
        return note("All sizes are tried." if over else "It goes on: all sizes are tried.")
    known = [size.training for size in s.sizes if size.training == size.training]
    return note(
        stop_or_go_on(given, s),
        Fact("a fall counts from", "{enough}"),
        c=named(given, s.value),
        errT=Operand(s.sizes[-1].training, "errT", "training"),
        p=given.p.patience,
        still=Operand(s.still, about="still"),
        enough=FALL * known[0] if known else 0.0,
    )


def stop_or_go_on(given: Setting, s: State) -> str:
    """A template: whether errT still falls at this size, and so whether the search goes on."""
    still = "errT has not fallen on {still} {still:size|sizes} in a row"
    if s.still >= given.p.patience:
        return f"{still}: it counts as still, no more are tried."
    on = "{c} is the last size." if s.stopped >= 0 else "It goes on."
    if s.still:
        return f"{still}, of {{p}} that it takes. {on}"
    if not s.train.count:
        return f"{{c}} has no errT. {on}"
    earlier = [size for size in s.sizes[:-1] if size.training == size.training]
    fell = "errT has fallen to {errT}." if earlier else "errT begins with {errT}."
    return f"{fell} {on}"


def best(given: Setting, s: State) -> Words:
    """The note and choice of the size of least errV."""
    if s.best < 0:
        return note("Nothing could be learnt: {why}.", why=last_reason(s.refused))
    name = given.sweep.field.name
    errors = [size.validation for size in s.sizes]
    known = [i for i, e in enumerate(errors) if e == e]
    options = []
    for i in known:
        value = s.sizes[i].value
        options.append(Option(given.sweep.named(value), errors[i], value=value))
    winners = tuple(known.index(i) for i in lowest(errors))
    first = "simplest" if given.sweep.ordered else "least value"
    rule = f"of equal errors the {first}" if len(winners) > 1 else ""
    prompt = f"Which {name} has the least errV?"
    taken = known.index(s.best)
    choice = Choice(prompt, tuple(options), winners, taken, rule, "errV", True)
    least = errors[s.best]
    worse, base, numbers = beside_baseline(given.problem, least)
    lead = "Of the {m} {m:size|sizes} tried, {c} has the least errV, {e}."
    said = note(
        lead + worse,
        *base,
        c=named(given, s.sizes[s.best].value, "best"),
        m=len(known),
        e=Operand(least, about="validation"),
        **numbers,
    )
    return said, choice


def learn(given: Setting, s: State) -> Note:
    """The note of the final hypothesis, with its error on the held-out rows where there are any."""
    c = named(given, s.sizes[s.best].value, "best")
    if s.model is None:
        lead = "With {c} all rows together could not be learnt: {why}."
        return note(lead, c=c, why=last_reason(s.refused))
    lead = "{learner} with {c} learns from {n:the|all} {n} {n:row|rows}: that is the hypothesis."
    operands = {"learner": given.learner.name, "c": c, "n": len(given.rows)}
    held = given.problem.held_out
    if held is None:
        lead += (
            " Its errV is the least of many and so looks better than it is: judge it on a test"
            " split."
        )
        return note(lead, **operands)
    error = mean_loss(held, np.arange(held.n), s.model.answers(held.X))
    if error != error:
        return note(lead, **operands)
    lead += " On the rows of the test split, by which nothing was chosen, its error is {test}."
    worse, base, numbers = beside_baseline(given.problem, error, held)
    return note(lead + worse, *base, test=error, **operands, **numbers)


def look(given: Setting, s: State) -> Note:
    c = named(given, s.value, "beyond")
    if not s.errors.count:
        lead = "With {c}, not tried, nothing could be learnt: {why}."
        return note(lead, c=c, why=last_reason(s.refused))
    validation = Operand(s.errors.mean, "errV", "beyond")
    training = Operand(s.train.mean, "errT", "beyond")
    lead = "Not tried: with {c} errV would be {errV}, errT {errT}."
    return note(lead, c=c, errV=validation, errT=training)


def judge(given: Setting, s: State) -> Note:
    """Whether it stopped too early, the trap of a plain test for no change."""
    beyond = len(s.sizes) - s.stopped - 1
    least = lowest([size.validation for size in s.sizes])[0]
    taken = Operand(s.sizes[s.best].validation, about="best")
    if least <= s.stopped:
        lead = (
            "It stopped in time: none of the {m} other {m:size|sizes} has an errV below {taken};"
            " {fits} {fits:fit is|fits are} saved."
        )
        m = Operand(beyond, about="beyond")
        return note(lead, m=m, taken=taken, fits=given.k * beyond)
    still = stillness(s.sizes)
    on_the_way = range(s.stopped + 1, least + 1)
    fell = any(not still[i] and s.sizes[i].training == s.sizes[i].training for i in on_the_way)
    lead = "It stopped too early: with {c}, which it did not try, errV is {less}, below {taken}. "
    lead += "errT stood still before it fell on" if fell else "errT fell no more on the way there"
    lead += "; a patience of {p} would have got there."
    return note(
        lead,
        c=named(given, s.sizes[least].value, "beyond"),
        less=Operand(s.sizes[least].validation, about="beyond"),
        taken=taken,
        p=Operand(max(still[:least]) + 1, about="still"),
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
