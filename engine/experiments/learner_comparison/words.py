"""What the comparison of learners says."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    note,
    np,
)
from engine.base.notation import counted, plural
from engine.experiments.learner_comparison import Paired, Params, Setting, State
from engine.experiments.parts.baselines import ROUGH, beside_baseline
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sentences import last_reason
from engine.fit.learners import explained

SUMMARY = (
    "The learning curves of several learners, which learn from the same rows and are tested on the"
    " same others. Their differences are taken trial by trial: an interval that leaves out 0 tells"
    " one learner from another, and the curve has a mark there."
)


def chips(p: Params) -> tuple[str, ...]:
    return (counted(p.trials, "trial"), f"sizes {p.spaced}", f"{100 * p.confidence:g} % intervals")


def learner(given: Setting, j: int) -> Operand:
    """The name of learner j as an operand, which highlights its curve."""
    return Operand(given.names[j], about=f"learner {j}")


def size(given: Setting, s: State) -> Note:
    rest = len(given.rows) - s.size
    lead = (
        "Now {m} of the {n} {n:row|rows} {m:is|are} learnt from; {rest} {rest:is|are} left to"
        " test on."
    )
    if rest < ROUGH:
        lead += " So few give a rough error: this end of the curves is noisy."
    return note(lead, m=s.size, n=len(given.rows), rest=rest)


def draw(given: Setting, s: State) -> Note:
    lead = (
        "Trial {i}: {m} {m:row is|rows are} drawn, the same for {k:the|all} {k}"
        " {k:learner|learners}."
    )
    return note(lead, i=len(s.errors[0]) + 1, m=s.size, k=len(given.names))


def learn(given: Setting, s: State, j: int, why: str) -> Note:
    operands = {"name": learner(given, j), "m": s.size}
    if why:
        return note("{name} cannot learn from them: {why}.", **operands, why=why.rstrip("."))
    return note("{name} learns from the {m} {m:row|rows}.", **operands)


def test(given: Setting, s: State) -> Note:
    lead = f"Trial {{i}} with {{m}} {{m:row|rows}}: the {loss_name(given.problem)} of each learner."
    operands: dict[str, Any] = {"i": len(s.errors[0]), "m": s.size}
    facts = []
    gone = -1
    for j, errors in enumerate(s.errors):
        e = errors.last
        operands[f"name{j}"] = given.names[j]
        if e == e:
            operands[f"e{j}"] = Operand(e, about=f"learner {j}")
            facts.append(Fact(f"{{name{j}}}", f"{{e{j}}}"))
        else:
            gone = j
            facts.append(Fact(f"{{name{j}}}", "nothing learnt"))
    if gone < 0:
        return note(lead, *facts, **operands)
    own = [entry for entry in s.refused if entry[1] == gone]
    return note(lead + " {why}.", *facts, **operands, why=last_reason(own))


def mean(given: Setting, s: State) -> Note | tuple[Note, Choice]:
    """The note, and choice, of the learner of least mean error, which learner it overtakes, and
    whether more rows beat a better learner.
    """
    now = s.points[-1]
    if now.best < 0:
        return note("No learner could learn from {m} {m:row|rows}.", m=s.size)
    are = plural(len(now.winners), "is", "and others are")
    lead = f"With {{m}} {{m:row|rows}} {{best}} {are} best: "
    lead += f"the {loss_name(given.problem)} is {{e}} on average."
    rest = len(given.rows) - s.size
    if rest < ROUGH:
        lead += " Only {rest} {rest:row was|rows were} left to test on, so this point is rough."
    worse, base, numbers = beside_baseline(given.problem, now.means[now.best])
    overtaken, names = overtakes(given, s)
    operands = {
        "m": s.size,
        "best": learner(given, now.best),
        "e": Operand(now.means[now.best], about=f"learner {now.best}"),
        "rest": rest,
        **numbers,
        **names,
    }
    return note(lead + worse + overtaken, *base, **operands), best_of(given, s)


def overtakes(given: Setting, s: State) -> tuple[str, dict[str, Any]]:
    """(sentences, their operands): which learner was best before, and whether the worst one now is
    better than the best one was with fewer rows.
    """
    now = s.points[-1]
    before = list(s.points)[:-1]
    lead = ""
    operands: dict[str, Any] = {}
    if before and 0 <= before[-1].best != now.best:
        lead += " {old} was before."
        operands["old"] = learner(given, before[-1].best)
    worst = int(np.nanargmax(now.means))
    outdone = [
        point.size
        for point in before
        if point.best >= 0 and point.means[point.best] > now.means[worst]
    ]
    if outdone:
        lead += (
            " Even {worst} is better now than the best one was with {few} {few:row|rows}: more data"
            " beat a better learner."
        )
        operands["worst"] = learner(given, worst)
        operands["few"] = outdone[-1]
    return lead, operands


def best_of(given: Setting, s: State) -> Choice:
    """The choice among the learners that could learn, by mean error."""
    now = s.points[-1]
    options = []
    for j, count in enumerate(now.counts):
        if count:
            part = "" if count == max(now.counts) else f"learnt in {counted(count, 'draw')}"
            options.append(Option(given.names[j], now.means[j], f"learner {j}", part, j))
    places = {option.value: place for place, option in enumerate(options)}
    return Choice(
        "Which learner is best with so many rows?",
        tuple(options),
        tuple(places[j] for j in now.winners),
        places[now.best],
        "the first of equals",
        "mean error",
        True,
    )


def pair(given: Setting, s: State) -> Note:
    """The note of each learner's difference from the first, with the working of the most certain
    one.
    """
    apart = s.points[-1].apart
    several = [j for j in range(1, len(given.names)) if apart[j].trials > 1]
    if not several:
        return note(
            "One trial that both learn from says nothing of the spread: there is no interval."
        )
    shown = max(several, key=partial(sureness, apart))
    d = apart[shown]
    lead = (
        "With {m} {m:row|rows} no difference from {first} is certain: every {p} % interval has 0"
        " within."
    )
    if d.apart:
        lead = (
            "With {m} {m:row|rows} {name} differs from {first}: 0 lies outside the {p} % interval"
            " about {d}."
        )
    operands: dict[str, Any] = {
        "m": s.size,
        "first": learner(given, 0),
        "p": Operand(100 * given.p.confidence, digits=-1),
        "name": learner(given, shown),
        "d": Operand(d.mean, "d", f"learner {shown}"),
        "half": Operand(d.half, about="interval"),
        "t": Operand(d.t, "t"),
        "sd": Operand(d.deviation, "sd"),
        "k": d.trials,
    }
    facts = []
    for j in several:
        operands[f"name{j}"] = given.names[j]
        operands[f"low{j}"] = apart[j].mean - apart[j].half
        operands[f"high{j}"] = apart[j].mean + apart[j].half
        within = "" if apart[j].apart else ", 0 within"
        facts.append(Fact(f"{{name{j}}} − {{first}}", f"{{low{j}}} to {{high{j}}}{within}"))
    return note(lead, Formula("d ±", "{t} · {sd} / √{k}", "{half}"), *facts, **operands)


def sureness(apart: Sequence[Paired], j: int) -> float:
    """|difference| of learner j from the first, in half widths of its interval: above 1 it is
    significant.
    """
    return abs(apart[j].mean) / (apart[j].half or 1e-9)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
