"""What the model selection says."""

from typing import Any

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Note,
    Operand,
    Option,
    Said,
    note,
    np,
    short,
)
from engine.core.notation import counted
from engine.experiments.model_selection import Params, Setting, State
from engine.experiments.model_selection.size import FALL, stillness
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name, lowest, mean_loss

SUMMARY = (
    "Finds how complex a model should be: sizes are tried from the simplest on, each is judged by"
    " cross-validation, and when the training error no longer falls the size with the least"
    " validation error is learnt from all rows."
)


def chips(p: Params) -> tuple[str, ...]:
    until = f"patience {p.patience}" if p.until == "errT is still" else p.until
    return (counted(p.k, "fold"), until, *([p.parameter] if p.parameter else []))


def named(given: Setting, value: float, about: str = "value") -> Operand:
    return Operand(f"{given.sweep.field.name} = {short(value)}", about=about)


def why(s: State) -> str:
    """The last reason why something could not be learnt."""
    return s.refused[-1][1].rstrip(".")


def deal(given: Setting, s: State) -> Note:
    sizes = given.sweep.simplest_first
    simplest = ", the simplest," if given.sweep.ordered else ""
    lead = (
        "{n} {n:row is|rows are} dealt into {k} {k:fold|folds}, the same for every size."
        f" The size is {{name}}, from {{low}}{simplest} to {{high}}."
    )
    told = {"n": len(given.rows), "k": given.k, "name": given.sweep.field.name}
    return note(lead, low=Operand(sizes[0], digits=-1), high=Operand(sizes[-1], digits=-1), **told)


def size(given: Setting, s: State) -> Note:
    return note("Now {learner} with {c}.", learner=given.learner.name, c=named(given, s.value))


def fold(given: Setting, s: State) -> Note:
    i = len(s.errors)
    if s.errors.last != s.errors.last:
        return note(
            "With {c} fold {i} could not be tested: {why}.",
            c=named(given, s.value),
            i=i,
            why=why(s),
        )
    lead = f"Learnt from the other folds, the {loss_name(given.problem)} is {{e}} on fold {{i}}."
    told = {"i": i, "e": Operand(s.errors.last, about="now"), "train": s.train.last}
    return note(lead, Fact("on the rows learnt from", "{train}"), **told)


def errors(given: Setting, s: State) -> Note:
    """A point of both curves."""
    if not s.errors.count:
        return note("With {c} nothing could be learnt: {why}.", c=named(given, s.value), why=why(s))
    gone = len(s.errors) - s.errors.count
    lead = "With {c} errV is {errV}, errT {errT}." + (
        " {gone} {gone:fold|folds} could not be tested." if gone else ""
    )
    told = {
        "c": named(given, s.value),
        "errV": Operand(s.errors.mean, "errV", "validation"),
        "gone": gone,
        "errT": Operand(s.train.mean, "errT", "training"),
        "sd": Operand(s.errors.deviation, "sd", "band"),
    }
    return note(
        lead, *([Fact("standard deviation of errV", "{sd}")] if s.errors.count > 1 else []), **told
    )


def until(given: Setting, s: State) -> Note:
    """Stop now?"""
    if not given.waits:
        return note(
            "All sizes are tried." if s.stopped >= 0 else "It goes on: all sizes are tried."
        )
    told = {
        "c": named(given, s.value),
        "errT": Operand(s.sizes[-1].training, "errT", "training"),
        "p": given.p.patience,
        "still": Operand(s.still, about="still"),
        "enough": FALL * next((p.training for p in s.sizes if p.training == p.training), 0.0),
    }
    lead = "errT has not fallen on {still} {still:size|sizes} in a row"
    if s.still >= given.p.patience:
        lead += ": it counts as still, no more are tried."
    else:
        first = not any(p.training == p.training for p in list(s.sizes)[:-1])
        fell = "errT begins with {errT}." if first else "errT has fallen to {errT}."
        fell = fell if s.train.count else "{c} has no errT."
        lead = lead + ", of {p} that it takes." if s.still else fell
        lead += " {c} is the last size." if s.stopped >= 0 else " It goes on."
    return note(lead, Fact("a fall counts from", "{enough}"), **told)


def best(given: Setting, s: State) -> Said:
    if s.best < 0:
        return note("Nothing could be learnt: {why}.", why=why(s))
    name = given.sweep.field.name
    sizes = [*s.sizes]
    known = [i for i, p in enumerate(sizes) if p.validation == p.validation]
    options = tuple(
        Option(f"{name} = {short(sizes[i].value)}", sizes[i].validation, value=sizes[i].value)
        for i in known
    )
    ways = tuple(known.index(i) for i in lowest([p.validation for p in sizes]))
    rule = (
        f"of equal errors the {'simplest' if given.sweep.ordered else 'least value'}"
        if len(ways) > 1
        else ""
    )
    choice = Choice(
        f"Which {name} has the least errV?", options, ways, known.index(s.best), rule, "errV", True
    )
    told = {
        "c": named(given, sizes[s.best].value, "best"),
        "m": len(known),
        "e": Operand(sizes[s.best].validation, about="validation"),
    }
    worse, base, numbers = beside_baseline(given.problem, sizes[s.best].validation)
    lead = "Of the {m} {m:size|sizes} tried, {c} has the least errV, {e}."
    return note(lead + worse, *base, **told, **numbers), choice


def learn(given: Setting, s: State) -> Note:
    held = given.problem.held_out
    c = named(given, s.sizes[s.best].value, "best")
    if s.model is None:
        return note("With {c} all rows together could not be learnt: {why}.", c=c, why=why(s))
    lead = "{learner} with {c} learns from {n:the|all} {n} {n:row|rows}: that is the hypothesis."
    told = dict[str, Any]()
    base = tuple[Fact, ...]()
    error = np.nan if held is None else mean_loss(held, np.arange(held.n), s.model.answers(held.X))
    if error == error:
        lead += " On the rows of the test split, by which nothing was chosen, its error is {test}."
        worse, base, told = beside_baseline(given.problem, error, held)
        lead += worse
        told["test"] = error
    elif held is None:
        lead += (
            " Its errV is the least of many and so looks better than it is: judge it on a test"
            " split."
        )
    return note(lead, *base, learner=given.learner.name, c=c, n=len(given.rows), **told)


def look(given: Setting, s: State) -> Note:
    if not s.errors.count:
        return note(
            "With {c}, not tried, nothing could be learnt: {why}.",
            c=named(given, s.value, "beyond"),
            why=why(s),
        )
    told = {
        "errV": Operand(s.errors.mean, "errV", "beyond"),
        "errT": Operand(s.train.mean, "errT", "beyond"),
    }
    return note(
        "Not tried: with {c} errV would be {errV}, errT {errT}.",
        c=named(given, s.value, "beyond"),
        **told,
    )


def judge(given: Setting, s: State) -> Note:
    """The trap of a plain test for no change."""
    taken = s.sizes[s.best]
    place = lowest([p.validation for p in s.sizes])[0]
    there = s.sizes[place]
    told = {
        "m": Operand(len(s.sizes) - s.stopped - 1, about="beyond"),
        "taken": Operand(taken.validation, about="best"),
        "less": Operand(there.validation, about="beyond"),
        "c": named(given, there.value, "beyond"),
        "fits": given.k * (len(s.sizes) - s.stopped - 1),
    }
    if place <= s.stopped:
        return note(
            "It stopped in time: none of the {m} other {m:size|sizes} has an errV below {taken};"
            " {fits} {fits:fit is|fits are} saved.",
            **told,
        )
    still = stillness(s.sizes)
    told["p"] = Operand(max(still[:place]) + 1, about="still")
    on_the_way = range(s.stopped + 1, place + 1)
    fell = any(not still[i] and s.sizes[i].training == s.sizes[i].training for i in on_the_way)
    lead = "It stopped too early: with {c}, which it did not try, errV is {less}, below {taken}. "
    lead += "errT stood still before it fell on" if fell else "errT fell no more on the way there"
    lead += "; a patience of {p} would have got there."
    return note(lead, **told)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
