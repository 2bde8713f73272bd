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
    Words,
    note,
)
from engine.base.notation import counted
from engine.experiments.overfitting_curve import Params, Point, Setting, State, least
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sentences import last_reason, written_sum
from engine.experiments.parts.sweep import model_size
from engine.fit.learners import explained

SUMMARY = (
    "Moves a number of the learner from simple models to complex ones. The error on the rows learnt"
    " from falls; the error on other rows falls as well, and rises again where the model follows"
    " the noise: it is overfitted."
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    splits = counted(p.splits, "split")
    return (splits, p.parameter) if p.parameter else (splits,)


def split(given: Setting, s: State) -> Note:
    sweep = given.sweep
    values = sweep.simplest_first
    lead = (
        "{n} {n:time|times} {m} of the {all} {all:row|rows} {m:is|are} laid aside to test on."
        " {name} takes {values} {values:value|values}"
    )
    if sweep.ordered:
        lead += ": {simple} makes the simplest models, {complex} the most complex."
    else:
        lead += " from {simple} to {complex}."
    return note(
        lead,
        n=given.p.splits,
        m=given.m,
        all=len(given.rows),
        name=sweep.field.name,
        values=len(values),
        simple=Operand(values[0], digits=-1),
        complex=Operand(values[-1], digits=-1),
    )


def named(given: Setting, value: float) -> Operand:
    """A complexity in words as an operand, which highlights its line."""
    return Operand(given.sweep.named(value), about="value")


def value(given: Setting, s: State) -> Note:
    return note("Now {learner} with {c}.", learner=given.learner.name, c=named(given, s.value))


def learn(given: Setting, s: State) -> Note:
    lead = "{learner} learns from the rows of split {i}."
    return note(lead, learner=given.learner.name, i=len(s.errors) + 1)


def test(given: Setting, s: State) -> Note:
    i = len(s.errors)
    e = s.errors.last
    if e != e:
        lead = "With {c} split {i} could not be learnt: {why}."
        return note(lead, c=named(given, s.value), i=i, why=last_reason(s.refused))
    lead = f"Split {{i}}: the {loss_name(given.problem)} is {{e}}."
    train = Fact("on the rows learnt from", "{train}")
    return note(lead, train, i=i, e=Operand(e, about="now"), train=s.train.last)


def mean(given: Setting, s: State) -> Note:
    """The note of both errors at the present complexity."""
    c = named(given, s.value)
    if not s.errors.count:
        return note("With {c} nothing could be learnt: {why}.", c=c, why=last_reason(s.refused))
    k = s.errors.count
    failed = len(s.errors) - k
    lead = "With {c} the error is {mean} on unseen rows, {train} on those learnt from."
    if failed:
        lead += " {failed} {failed:split|splits} could not be learnt from."
    terms, errors = written_sum([e for e in s.errors if e == e], MOST)
    operands = {
        "c": c,
        "mean": Operand(s.errors.mean, "mean", "curve"),
        "k": k,
        "failed": failed,
        "train": Operand(s.train.mean, about="train"),
        "sd": Operand(s.errors.deviation, "sd", "band"),
    }
    facts = [Fact("standard deviation", "{sd}")] if k > 1 else []
    size = None if s.model is None else model_size(s.model)
    if size is not None:
        count, unit = size
        facts.append(Fact(f"{unit} of the shown model", "{size}"))
        operands["size"] = Operand(count, about="size")
    law = Formula("mean =", f"({terms}) / {{k}}", "{mean}")
    return note(lead, law, *facts, **operands, **errors)


def best(given: Setting, s: State) -> Words:
    """The note and choice of the complexity of least error, compared with both ends of the
    curve.
    """
    if s.best < 0:
        return note("Nothing could be learnt: {why}.", why=last_reason(s.refused))
    points = [point for point in s.points if point.error == point.error]
    order = points[::-1] if given.sweep.smoothing else points
    low = s.points[s.best]
    under = order[0]
    over = order[-1]
    worse, base, numbers = beside_baseline(given.problem, low.error)
    lead = "The error on unseen rows is least with {best}, {error}."
    lead += too_simple(given, low, under) + too_complex(given, low, over) + worse
    said = note(
        lead,
        *base,
        best=named(given, low.value),
        error=Operand(low.error, about="curve"),
        over=Operand(over.error, about="curve"),
        under=Operand(under.error, about="curve"),
        train=Operand(over.train, about="train"),
        **numbers,
    )
    return said, chosen(given, s, points)


def too_simple(given: Setting, low: Point, under: Point) -> str:
    """A sentence on how much worse the simplest models are; "" where they are the best."""
    if under.error <= low.error:
        return ""
    unsure = doubt(given, low, under)
    if not given.sweep.ordered:
        return f" At the lower end it is {{under}}{unsure}."
    if unsure:
        return f" With the simplest models it is {{under}}{unsure}."
    return " The simplest models, with {under}, are too simple."


def too_complex(given: Setting, low: Point, over: Point) -> str:
    """A sentence on how much worse the most complex models are; "" where they are the best."""
    if over.error <= low.error:
        return ""
    end = "most complex" if given.sweep.ordered else "largest"
    why = doubt(given, low, over)
    if not why and over.train <= low.train:
        why = ": overfitted"
    return (
        f" With the {end} it rises to {{over}}, while it is {{train}} on the rows learnt from{why}."
    )


def doubt(given: Setting, low: Point, other: Point) -> str:
    """A sentence on why the mean error of a point may exceed the least one by chance; "" where it
    is clearly larger.

    Clearly is by more than twice the standard error of the difference. Both are means over the same
    splits, of which only the deviations are known, so they are treated as independent.
    """
    off = 2 * hypot(low.deviation, other.deviation) / sqrt(given.p.splits)
    if off != off:
        return ", which a single split cannot tell from chance"
    return "" if other.error - low.error > off else ", hardly more than chance makes"


def chosen(given: Setting, s: State, points: list[Point]) -> Choice:
    """The choice among these points, by their error on unseen rows."""
    best = {s.points[i] for i in least(given, s)}
    winners = tuple(i for i, point in enumerate(points) if point in best)
    first = "simplest model" if given.sweep.ordered else "least value"
    options = tuple(
        Option(given.sweep.named(point.value), point.error, value=point.value) for point in points
    )
    return Choice(
        f"Which {given.sweep.field.name} is best for unseen rows?",
        options,
        winners,
        points.index(s.points[s.best]),
        f"of equal errors the {first}" if len(winners) > 1 else "",
        "error",
        True,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
