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
from engine.experiments.cost_matrix import Params, Setting, State, predict
from engine.experiments.cost_matrix.sweep import Sweep
from engine.experiments.parts.costs import chance_needed, total_cost
from engine.experiments.parts.scoring import bounded, leads_of, stepped
from engine.fit.learners import explained
from engine.judge.confusion import Confusion

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
    lead = (
        "{n} {n:row|rows} that it has not seen get a score: by how much {c} is ahead, from {low} to"
        " {high}."
    )
    if s.sweep.silent:
        lead += " Of {silent} more {silent:row|rows} it says nothing: they are left out."
    return note(
        lead,
        n=Operand(len(s.sweep.rows), about="judged"),
        c=given.names[given.code],
        low=bounded(s.sweep.lead.min()),
        high=bounded(s.sweep.lead.max()),
        silent=s.sweep.silent,
    )


def move(given: Setting, s: State) -> Note:
    t = s.sweep.threshold(s.now)
    lead = "Nothing is called {c}." if t == np.inf else "The threshold falls to {t}."
    return note(lead, t=Operand(t, "t", "threshold"), c=given.names[given.code])


def count(given: Setting, s: State) -> Note:
    hits, alarms, own, others = s.sweep.counts_at(s.now)
    operands = {
        "hits": Operand(hits, about="judged"),
        "alarms": Operand(alarms, about="judged"),
        "P": own,
        "N": others,
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
        operands["precision"] = hits / (hits + alarms)
        facts.append(Fact("precision", "{hits} / {n} = {precision}"))
    lead = (
        "{n} {n:row is|rows are} called {c}: {hits} of {P} that {P:is|are}, {alarms} of {N}"
        " {N:other|others}."
    )
    return note(lead, *facts, **operands)


def cost(given: Setting, s: State) -> Note:
    """The note of the cost as a sum over all mistakes; for two classes over its two kinds."""
    hits, alarms, own, _ = s.sweep.counts_at(s.now)
    counts = Confusion(s.sweep.said(s.now), s.sweep.codes, len(given.names)).counts
    operands = {
        "missed": Operand(own - hits, about="judged"),
        "alarms": Operand(alarms, about="judged"),
        "m": len(s.sweep.rows),
        "total": Operand(total_cost(counts, given.costs), "Σ", "counts"),
        "c": given.names[given.code],
        "e": Operand(s.sweep.cost[s.now], "cost", "cost"),
        "least": Operand(s.sweep.cost[s.best], about="best"),
    }
    body = "{total}"
    if len(given.names) == 2:
        operands |= both(given)
        body = "({missed} · {miss} + {alarms} · {alarm})"
    lead = (
        "{missed} {missed:row|rows} of {c} missed, {alarms} {alarms:other|others} called {c}: a"
        " row costs {e}."
    )
    if s.now == s.sweep.own:
        lead += " The learner's own threshold, 0, calls the same rows so."
    formula = Formula("cost =", body + " / {m}", "{e}")
    return note(lead, formula, Fact("least so far", "{least}"), **operands)


def both(given: Setting) -> dict[str, float]:
    """The operands `miss` and `alarm` of two classes: the cost of missing c and of calling another
    row c.
    """
    c = given.code
    return {"miss": float(given.costs[c, 1 - c]), "alarm": float(given.costs[1 - c, c])}


def best(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the threshold of least cost, compared with the threshold for equal
    costs.
    """
    sweep = s.sweep
    c = given.code
    t = sweep.threshold(s.now)
    operands = {
        "t": Operand(t, "t", "threshold"),
        "e": Operand(sweep.cost[s.now], "cost", "cost"),
        "c": given.names[c],
        "own": Operand(sweep.cost[sweep.own], about="own"),
    }
    when = "when {c} is never said" if t == np.inf else "when {c} is said from {t} on"
    lead = f"Least cost: {{e}} a row, {when}; the learner's own threshold, 0, costs {{own}}."
    facts = []
    if len(given.names) == 2:
        operands |= both(given)
        operands["p"] = Operand(chance_needed(given.costs, c), digits=4)
        facts.append(Fact("by probability c is said from", "{alarm} / ({alarm} + {miss}) = {p}"))
    always = given.costs[sweep.codes[sweep.codes >= 0]].mean(axis=0)
    least = int(always.argmin())
    facts.append(Fact("always saying {cheapest}", "{always}"))
    operands["cheapest"] = given.names[least]
    operands["always"] = float(always[least])
    return note(lead, *facts, **operands), thresholds(s.sweep, s.now)


def thresholds(sweep: Sweep, now: int) -> Choice:
    """The choice among the thresholds by their cost; `now` is the one that is taken."""
    shown = stepped(len(sweep.cost), sweep.own, now)
    options = tuple(
        Option(named(sweep.threshold(k)), sweep.cost[k], "cost", value=sweep.threshold(k))
        for k in shown
    )
    winners = tuple(i for i, k in enumerate(shown) if sweep.cost[k] == sweep.cost[now])
    return Choice(
        "Which threshold costs least?",
        options,
        winners,
        shown.index(now),
        "the highest of equals",
        "cost",
        True,
    )


def named(threshold: float) -> str:
    return "never" if threshold == np.inf else f"from {number(threshold)}"


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The lead of c at x (d,) against the threshold; before a threshold is set, the learner's own
    reasons.
    """
    if s.now < 0:
        return explained(given, s.model, x)
    label = int(predict(given, s, x[None])[0])
    if label < 0:
        return Explanation(label, note("{learner} says nothing here.", learner=given.learner.name))
    lead = "{c} is ahead by {ahead}, below {t}: it is called {other}."
    if label == given.code:
        lead = "{c} is ahead by {ahead}, at least {t}: it is called {c}."
    why = note(
        lead,
        other=given.names[label],
        ahead=bounded(leads_of(s.model, x[None])[0, given.code]),
        t=Operand(s.sweep.threshold(s.now), "t", "threshold"),
        c=given.names[given.code],
    )
    return Explanation(label, why)
