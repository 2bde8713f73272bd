"""What the comparison of learners says."""

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
from engine.core.notation import counted, plural
from engine.experiments.learner_comparison import Params, Setting, State
from engine.experiments.parts.baselines import ROUGH, beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.loss import loss_name

SUMMARY = (
    "The learning curves of several learners, which learn from the same rows and are tested on the"
    " same others. Their differences are taken trial by trial: an interval that leaves out 0 tells"
    " one learner from another, and the curve has a mark there."
)


def chips(p: Params) -> tuple[str, ...]:
    return (counted(p.trials, "trial"), f"sizes {p.spaced}", f"{100 * p.confidence:g} % intervals")


def learner(given: Setting, j: int) -> Operand:
    """Its name, which lights its curve."""
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
    told = {"name": learner(given, j), "m": s.size}
    if why:
        return note("{name} cannot learn from them: {why}.", **told, why=why.rstrip("."))
    return note("{name} learns from the {m} {m:row|rows}.", **told)


def test(given: Setting, s: State) -> Note:
    lasts = {f"e{j}": Operand(e.last, about=f"learner {j}") for j, e in enumerate(s.errors)}
    names = {f"name{j}": name for j, name in enumerate(given.names)}
    gone = [j for j, e in enumerate(s.errors) if e.last != e.last]
    lead = f"Trial {{i}} with {{m}} {{m:row|rows}}: the {loss_name(given.problem)} of each learner."
    if gone:
        lead += " {why}."
    facts = [
        Fact(f"{{name{j}}}", "nothing learnt" if j in gone else f"{{e{j}}}")
        for j in range(len(names))
    ]
    why = (
        {"why": next(r[2].rstrip(".") for r in reversed([*s.refused]) if r[1] == gone[-1])}
        if gone
        else {}
    )
    return note(lead, *facts, i=len(s.errors[0]), m=s.size, **lasts, **names, **why)


def mean(given: Setting, s: State) -> Note | tuple[Note, Choice]:
    """Which learner has the least mean error, whom it overtakes, and whether more rows beat a
    better learner.
    """
    now = s.points[-1]
    before = [*s.points][:-1]
    if now.best < 0:
        return note("No learner could learn from {m} {m:row|rows}.", m=s.size)
    lead = (
        f"With {{m}} {{m:row|rows}} {{best}} {plural(len(now.winners), 'is', 'and others are')}"
        " best: "
    )
    lead += f"the {loss_name(given.problem)} is {{e}} on average."
    told: dict[str, Any] = {
        "m": s.size,
        "best": learner(given, now.best),
        "e": Operand(now.means[now.best], about=f"learner {now.best}"),
    }
    rest = len(given.rows) - s.size
    lead += (
        " Only {rest} {rest:row was|rows were} left to test on, so this point is rough."
        if rest < ROUGH
        else ""
    )
    beaten, base, numbers = beside_baseline(given.problem, now.means[now.best])
    told |= {"rest": rest, **numbers}
    lead += beaten
    if before and 0 <= before[-1].best != now.best:
        lead += " {old} was before."
        told["old"] = learner(given, before[-1].best)
    worst = int(np.nanargmax(now.means))
    outdone = [p.size for p in before if p.best >= 0 and p.means[p.best] > now.means[worst]]
    if outdone:
        lead += (
            " Even {worst} is better now than the best one was with {few} {few:row|rows}: more data"
            " beat a better learner."
        )
        told |= {"worst": learner(given, worst), "few": outdone[-1]}
    options = tuple(
        Option(
            given.names[j],
            error,
            f"learner {j}",
            "" if count == max(now.counts) else f"learnt in {counted(count, 'draw')}",
            j,
        )
        for j, (error, count) in enumerate(zip(now.means, now.counts, strict=True))
        if count
    )
    places = {option.value: k for k, option in enumerate(options)}
    chosen = Choice(
        "Which learner is best with so many rows?",
        options,
        tuple(places[j] for j in now.winners),
        places[now.best],
        "the first of equals",
        "mean error",
        True,
    )
    return note(lead, *base, **told), chosen


def pair(given: Setting, s: State) -> Note:
    """The difference of each learner from the first; in full of the one that is surest."""
    now = s.points[-1]
    told: dict[str, Any] = {
        "first": learner(given, 0),
        "p": Operand(100 * given.p.confidence, digits=-1),
    }
    several = [j for j in range(1, len(given.names)) if now.apart[j].trials > 1]
    if not several:
        return note(
            "One trial that both learn from says nothing of the spread: there is no interval."
        )
    sure = [j for j in several if now.apart[j].apart]
    facts = []
    for j in several:
        d = now.apart[j]
        told |= {
            f"name{j}": given.names[j],
            f"low{j}": d.mean - d.half,
            f"high{j}": d.mean + d.half,
        }
        facts.append(
            Fact(
                f"{{name{j}}} − {{first}}",
                f"{{low{j}}} to {{high{j}}}" + ("" if j in sure else ", 0 within"),
            )
        )
    shown = max(several, key=lambda j: abs(now.apart[j].mean) / (now.apart[j].half or 1e-9))
    d = now.apart[shown]
    told |= {
        "name": learner(given, shown),
        "d": Operand(d.mean, "d", f"learner {shown}"),
        "half": Operand(d.half, about="interval"),
        "t": Operand(d.t, "t"),
        "sd": Operand(d.deviation, "sd"),
        "k": d.trials,
    }
    lead = (
        "With {m} {m:row|rows} no learner can be told from {first}: every {p} % interval has 0"
        " within."
    )
    if shown in sure:
        lead = (
            "With {m} {m:row|rows} {name} differs from {first}: 0 lies outside the {p} % interval"
            " about {d}."
        )
    return note(lead, Formula("d ±", "{t} · {sd} / √{k}", "{half}"), *facts, **told, m=s.size)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model says so."""
    return explained(given, s.model, x)
