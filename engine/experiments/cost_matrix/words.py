"""What the cost matrix says."""

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
    number,
)
from engine.evaluation.confusion import Confusion
from engine.experiments.cost_matrix import Params, Setting, State
from engine.experiments.cost_matrix.sweep import called
from engine.experiments.parts.costs import chance_needed, total_cost
from engine.experiments.parts.learners import explained
from engine.experiments.parts.scoring import bounded, leads_of, stepped

SUMMARY = (
    "Mistakes need not cost the same: good mail lost is worse than spam let through. Rows that the"
    " learner has not seen are called c from a threshold of their score on; what each threshold"
    " would cost is counted, and the cheapest one is taken."
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"costs {p.costs or '10 : 1'}", f"{number(100 * p.share, 0)} % judged")


def learn(given: Setting, s: State) -> Note:
    lead = "{learner} learns from {rows} {rows:row|rows}; the others are judged."
    return note(lead, learner=given.learner.name, rows=Operand(len(s.model.rows), about="learnt"))


def score(given: Setting, s: State) -> Note:
    low, high = bounded(s.sweep.lead.min()), bounded(s.sweep.lead.max())
    told = {
        "n": Operand(len(s.sweep.rows), about="judged"),
        "c": given.names[given.code],
        "low": low,
        "high": high,
    }
    lead = (
        "{n} {n:row|rows} that it has not seen get a score: by how much {c} is ahead, from {low} to"
        " {high}."
    )
    lead += (
        " Of {silent} more {silent:row|rows} it says nothing: they are left out."
        if s.sweep.silent
        else ""
    )
    return note(lead, silent=s.sweep.silent, **told)


def move(given: Setting, s: State) -> Note:
    t = s.sweep.threshold(s.now)
    lead = "Nothing is called {c}." if t == np.inf else "The threshold falls to {t}."
    return note(lead, t=Operand(t, "t", "threshold"), c=given.names[given.code])


def count(given: Setting, s: State) -> Note:
    hits, alarms, own, others = s.sweep.called(s.now)
    told = {
        "hits": Operand(hits, about="judged"),
        "alarms": Operand(alarms, about="judged"),
        "P": own,
        "N": others,
    }
    told |= {
        "n": hits + alarms,
        "recall": hits / own,
        "fall": alarms / others,
        "c": given.names[given.code],
    }
    facts = [
        Fact("recall", "{hits} / {P} = {recall}"),
        Fact("of the others", "{alarms} / {N} = {fall}"),
    ]
    if hits + alarms:
        told["precision"] = hits / (hits + alarms)
        facts.append(Fact("precision", "{hits} / {n} = {precision}"))
    lead = (
        "{n} {n:row is|rows are} called {c}: {hits} of {P} that {P:is|are}, {alarms} of {N}"
        " {N:other|others}."
    )
    return note(lead, *facts, **told)


def cost(given: Setting, s: State) -> Note:
    """The sum over all mistakes, of two classes kind by kind."""
    hits, alarms, own, _ = s.sweep.called(s.now)
    counts = Confusion(s.sweep.said(s.now), s.sweep.codes, len(given.names)).counts
    c = given.code
    m = len(s.sweep.rows)
    told = {
        "missed": Operand(own - hits, about="judged"),
        "alarms": Operand(alarms, about="judged"),
        "m": m,
    }
    told |= {"total": Operand(total_cost(counts, given.costs), "Σ", "counts"), "c": given.names[c]}
    told |= {
        "e": Operand(s.sweep.cost[s.now], "cost", "cost"),
        "least": Operand(s.sweep.cost[s.best], about="best"),
    }
    lead, body = (
        (
            "{missed} {missed:row|rows} of {c} missed, {alarms} {alarms:other|others} called {c}: a"
            " row costs {e}."
        ),
        "{total}",
    )
    if len(given.names) == 2:
        told |= both(given)
        body = "({missed} · {miss} + {alarms} · {alarm})"
    lead += (
        " The learner's own threshold, 0, calls the same rows so." if s.now == s.sweep.own else ""
    )
    return note(
        lead, Formula("cost =", body + " / {m}", "{e}"), Fact("least so far", "{least}"), **told
    )


def both(given: Setting) -> dict[str, float]:
    """Of two classes what it costs to miss c, and to call another row c."""
    c = given.code
    return {"miss": float(given.costs[c, 1 - c]), "alarm": float(given.costs[1 - c, c])}


def best(given: Setting, s: State) -> tuple[Note, Choice]:
    """Where the threshold has come to, beside where equal costs have it."""
    sweep = s.sweep
    c = given.code
    t = sweep.threshold(s.now)
    told = {
        "t": Operand(t, "t", "threshold"),
        "e": Operand(sweep.cost[s.now], "cost", "cost"),
        "c": given.names[c],
    }
    when = "when {c} is never said" if t == np.inf else "when {c} is said from {t} on"
    lead = f"Least cost: {{e}} a row, {when}; the learner's own threshold, 0, costs {{own}}."
    facts = []
    if len(given.names) == 2:
        told |= {**both(given), "p": Operand(chance_needed(given.costs, c), digits=4)}
        facts = [Fact("by probability c is said from", "{alarm} / ({alarm} + {miss}) = {p}")]
    always = given.costs[sweep.codes[sweep.codes >= 0]].mean(axis=0)
    least = int(always.argmin())
    facts.append(Fact("always saying {cheapest}", "{always}"))
    told |= {"cheapest": given.names[least], "always": float(always[least])}
    shown = stepped(len(sweep.cost), sweep.own, s.now)
    options = tuple(
        Option(named(sweep.threshold(k)), sweep.cost[k], "cost", value=sweep.threshold(k))
        for k in shown
    )
    winners = tuple(i for i, k in enumerate(shown) if sweep.cost[k] == sweep.cost[s.now])
    asked = "Which threshold costs least?"
    choice = Choice(
        asked, options, winners, shown.index(s.now), "the highest of equals", "cost", True
    )
    return note(lead, *facts, own=Operand(sweep.cost[sweep.own], about="own"), **told), choice


def named(threshold: float) -> str:
    return "never" if threshold == np.inf else f"from {number(threshold)}"


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Lead and threshold; before there is one, why h says so."""
    if s.now < 0:
        return explained(given, s.model, x)
    leads = leads_of(s.model, x[None])
    t = s.sweep.threshold(s.now)
    label = int(called(leads, given.code, s.sweep.rates.threshold[s.now])[0])
    if label < 0:
        return Explanation(label, note("{learner} says nothing here.", learner=given.learner.name))
    told = {
        "ahead": bounded(leads[0, given.code]),
        "t": Operand(t, "t", "threshold"),
        "c": given.names[given.code],
    }
    said = (
        "at least {t}: it is called {c}."
        if label == given.code
        else "below {t}: it is called {other}."
    )
    return Explanation(
        label, note("{c} is ahead by {ahead}, " + said, other=given.names[label], **told)
    )
