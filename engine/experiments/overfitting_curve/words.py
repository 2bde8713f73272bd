"""What the overfitting curve says."""

from engine.authoring import Choice, Explanation, Fact, Float, Formula, Note, Operand, Option, Said, note, short
from engine.experiments.overfitting_curve import Params, Setting, State, least
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sweep import model_size

SUMMARY = (
    "Moves a number of the learner from simple models to complex ones. The error on the rows learnt from falls; the error on other "
    "rows falls as well, and rises again where the model follows the noise: it is overfitted."
)
MOST = 5  # errors that are written out in their sum


def chips(p: Params) -> tuple[str, ...]:
    return (f"{p.splits} splits", *([p.parameter] if p.parameter else []))


def split(given: Setting, s: State) -> Note:
    lead = "{n} times {m} of the {all} rows are laid aside to test on. {name} is moved over {values} values from {low} to {high}."
    values = given.sweep.values
    told = {
        "n": given.p.splits,
        "m": given.m,
        "all": len(given.rows),
        "name": given.sweep.field.name,
        "values": len(values),
    }
    return note(lead, low=Operand(values[0], digits=-1), high=Operand(values[-1], digits=-1), **told)


def named(given: Setting, value: float) -> Operand:
    return Operand(f"{given.sweep.field.name} = {short(value)}", about="value")


def value(given: Setting, s: State) -> Note:
    return note("Now {learner} with {c}.", learner=given.learner.name, c=named(given, s.value))


def learn(given: Setting, s: State) -> Note:
    i = len(s.errors) + 1
    if s.refused and s.errors.last != s.errors.last and len(s.errors):
        return note(
            "With {c} split {i} could not be learnt: {why}.",
            c=named(given, s.value),
            i=i - 1,
            why=s.refused[-1][1].rstrip("."),
        )
    return note("{learner} learns from the rows of split {i}.", learner=given.learner.name, i=i)


def test(given: Setting, s: State) -> Note:
    told = {"i": len(s.errors), "e": Operand(s.errors.last, about="now"), "train": s.train.last}
    return note(
        f"Split {{i}}: the {loss_name(given.problem)} is {{e}}.", Fact("on the rows learnt from", "{train}"), **told
    )


def mean(given: Setting, s: State) -> Note:
    """A point of both curves."""
    if not s.errors.count:
        return note(
            "With {c} nothing could be learnt: {why}.", c=named(given, s.value), why=s.refused[-1][1].rstrip(".")
        )
    lead = "With {c} the error is {error} on unseen rows, {train} on those learnt from."
    known = [e for e in s.errors if e == e]
    told = {
        "c": named(given, s.value), "error": Operand(s.errors.mean, "mean", "curve"), "k": len(known),
        "train": Operand(s.train.mean, about="train"),
    }  # fmt: skip
    told |= {f"e{i}": known[i] for i in ([0, 1, -1] if len(known) > MOST else range(len(known)))}
    sums = "{e0} + {e1} + … + {e-1}" if len(known) > MOST else " + ".join(f"{{e{i}}}" for i in range(len(known)))
    facts = [Fact("standard deviation", "{sd}")] if len(known) > 1 else []
    size = s.model and model_size(s.model)
    if size:
        facts.append(Fact(f"{size[1]} of the shown model", "{size}"))
        told["size"] = size[0]
    if len(known) < len(s.errors):
        lead += " {gone} {gone:split|splits} could not be learnt from."
        told["gone"] = len(s.errors) - len(known)
    told["sd"] = Operand(s.errors.deviation, "sd", "band")
    return note(lead, Formula("mean =", f"({sums}) / {{k}}", "{mean}"), *facts, mean=told["error"], **told)


def best(given: Setting, s: State) -> Said:
    if s.best < 0:
        return note("Nothing could be learnt: {why}.", why=s.refused[-1][1].rstrip("."))
    points, winners, name = [*s.points], least(given, s), given.sweep.field.name
    low, simple, complex_ = (
        points[s.best],
        *((points[-1], points[0]) if given.sweep.smoothing else (points[0], points[-1])),
    )
    lead = "The error on unseen rows is least with {best}, {error}."
    if complex_.error > low.error:
        lead += " Beyond that it rises to {over}, while that on the rows learnt from is {train}: overfitted."
    if simple.error > low.error:
        lead += " The simplest models, with {under}, are too simple."
    told = {
        "best": named(given, low.value), "error": Operand(low.error, about="curve"), "over": Operand(complex_.error, about="curve"),
        "under": Operand(simple.error, about="curve"), "train": Operand(complex_.train, about="train"),
    }  # fmt: skip
    known = [i for i, p in enumerate(points) if p.error == p.error]
    options = tuple(Option(f"{name} = {short(points[i].value)}", points[i].error, value=points[i].value) for i in known)
    rule = "of equal errors the simplest model" if len(winners) > 1 else ""
    ways = tuple(sorted(known.index(i) for i in winners))
    choice = Choice(f"Which {name} is best for unseen rows?", options, ways, known.index(s.best), rule, "error", True)
    return note(lead, **told), choice


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
