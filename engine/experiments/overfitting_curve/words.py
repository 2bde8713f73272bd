"""What the overfitting curve says."""

from math import hypot, sqrt

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    Said,
    note,
    short,
)
from engine.core.notation import counted
from engine.experiments.overfitting_curve import Params, Point, Setting, State, least
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sweep import model_size

SUMMARY = (
    "Moves a number of the learner from simple models to complex ones. The error on the rows learnt"
    " from falls; the error on other rows falls as well, and rises again where the model follows"
    " the noise: it is overfitted."
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    return (counted(p.splits, "split"), *([p.parameter] if p.parameter else []))


def split(given: Setting, s: State) -> Note:
    values = given.sweep.simplest_first
    told = {
        "n": given.p.splits,
        "m": given.m,
        "all": len(given.rows),
        "name": given.sweep.field.name,
        "values": len(values),
        "simple": Operand(values[0], digits=-1),
        "complex": Operand(values[-1], digits=-1),
    }
    lead = (
        "{n} {n:time|times} {m} of the {all} {all:row|rows} {m:is|are} laid aside to test on."
        " {name} takes {values} {values:value|values}"
    )
    lead += (
        ": {simple} makes the simplest models, {complex} the most complex."
        if given.sweep.ordered
        else " from {simple} to {complex}."
    )
    return note(lead, **told)


def named(given: Setting, value: float) -> Operand:
    return Operand(f"{given.sweep.field.name} = {short(value)}", about="value")


def why(s: State) -> str:
    """The last reason why something could not be learnt."""
    return s.refused[-1][1].rstrip(".")


def value(given: Setting, s: State) -> Note:
    return note("Now {learner} with {c}.", learner=given.learner.name, c=named(given, s.value))


def learn(given: Setting, s: State) -> Note:
    return note(
        "{learner} learns from the rows of split {i}.",
        learner=given.learner.name,
        i=len(s.errors) + 1,
    )


def test(given: Setting, s: State) -> Note:
    i = len(s.errors)
    if s.errors.last != s.errors.last:
        return note(
            "With {c} split {i} could not be learnt: {why}.",
            c=named(given, s.value),
            i=i,
            why=why(s),
        )
    told = {"i": i, "e": Operand(s.errors.last, about="now"), "train": s.train.last}
    name = loss_name(given.problem)
    return note(
        f"Split {{i}}: the {name} is {{e}}.", Fact("on the rows learnt from", "{train}"), **told
    )


def mean(given: Setting, s: State) -> Note:
    """A point of both curves."""
    if not s.errors.count:
        return note("With {c} nothing could be learnt: {why}.", c=named(given, s.value), why=why(s))
    lead = "With {c} the error is {mean} on unseen rows, {train} on those learnt from."
    known = [e for e in s.errors if e == e]
    told = {
        "c": named(given, s.value),
        "mean": Operand(s.errors.mean, "mean", "curve"),
        "k": len(known),
        "gone": len(s.errors) - len(known),
        "train": Operand(s.train.mean, about="train"),
        "sd": Operand(s.errors.deviation, "sd", "band"),
    }
    lead += " {gone} {gone:split|splits} could not be learnt from." if told["gone"] else ""
    told |= {f"e{i}": known[i] for i in ([0, 1, -1] if len(known) > MOST else range(len(known)))}
    sums = (
        "{e0} + {e1} + … + {e-1}"
        if len(known) > MOST
        else " + ".join(f"{{e{i}}}" for i in range(len(known)))
    )
    facts = [Fact("standard deviation", "{sd}")] if len(known) > 1 else []
    size = s.model and model_size(s.model)
    if size:
        facts.append(Fact(f"{size[1]} of the shown model", "{size}"))
        told["size"] = Operand(size[0], about="size")
    return note(lead, Formula("mean =", f"({sums}) / {{k}}", "{mean}"), *facts, **told)


def best(given: Setting, s: State) -> Said:
    if s.best < 0:
        return note("Nothing could be learnt: {why}.", why=why(s))
    points = [p for p in s.points if p.error == p.error]
    low = s.points[s.best]
    order = points[::-1] if given.sweep.smoothing else points
    under = order[0]
    over = order[-1]
    ordered = given.sweep.ordered
    lead = "The error on unseen rows is least with {best}, {error}."
    if under.error > low.error:
        end = "With the simplest models" if ordered else "At the lower end"
        unsure = doubt(given, low, under)
        simple = " The simplest models, with {under}, are too simple."
        lead += simple if ordered and not unsure else f" {end} it is {{under}}{unsure}."
    if over.error > low.error:
        lead += (
            f" With the {'most complex' if ordered else 'largest'} it rises to {{over}}, while it"
            " is {train} on the rows learnt from"
        )
        unsure = doubt(given, low, over)
        lead += (unsure or ": overfitted" * (over.train <= low.train)) + "."
    worse, base, numbers = beside_baseline(given.problem, low.error)
    told = {
        "best": named(given, low.value),
        "error": Operand(low.error, about="curve"),
        "over": Operand(over.error, about="curve"),
        "under": Operand(under.error, about="curve"),
        "train": Operand(over.train, about="train"),
    }
    return note(lead + worse, *base, **told, **numbers), chosen(given, s, points)


def doubt(given: Setting, low: Point, other: Point) -> str:
    """Why the mean error of a point may be above the least one by chance alone; empty where it is
    clearly above.

    It is, by more than twice the standard error of the difference. Both are means over the same
    splits, of which only the deviations are known: they are taken as independent.
    """
    off = 2 * hypot(low.deviation, other.deviation) / sqrt(given.p.splits)
    if off != off:
        return ", which a single split cannot tell from chance"
    return "" if other.error - low.error > off else ", hardly more than chance makes"


def chosen(given: Setting, s: State, points: list[Point]) -> Choice:
    name = given.sweep.field.name
    winners = {s.points[i] for i in least(given, s)}
    taken = s.points[s.best]
    options = tuple(Option(f"{name} = {short(p.value)}", p.error, value=p.value) for p in points)
    ways = tuple(i for i, p in enumerate(points) if p in winners)
    rule = (
        f"of equal errors the {'simplest model' if given.sweep.ordered else 'least value'}"
        if len(ways) > 1
        else ""
    )
    return Choice(
        f"Which {name} is best for unseen rows?",
        options,
        ways,
        points.index(taken),
        rule,
        "error",
        True,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
