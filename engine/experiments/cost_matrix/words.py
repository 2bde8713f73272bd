"""What the cost matrix says."""

from engine.authoring import Choice, Explanation, Fact, Float, Formula, Note, Operand, Option, note, np, number
from engine.core.step import verbatim
from engine.evaluation.confusion import Confusion
from engine.experiments.cost_matrix import Params, Setting, State, Sweep
from engine.experiments.parts.costs import chance_needed, total_cost
from engine.experiments.parts.learners import explained
from engine.experiments.parts.scoring import LARGEST, leads_of

SUMMARY = (
    "Mistakes need not cost the same: good mail lost is worse than spam let through. Rows that the learner has not seen are "
    "called c from a threshold of their score on; what each threshold would cost is counted, and the cheapest one is taken."
)
ERRATA = (
    "AIMA 18.4.2 prefers 0.5 % errors of the dear kind to no 1 % of the cheap kind: at 1 : 10 that holds where more than a "
    "ninth of the 0.5 % are dear.",
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"costs {p.costs}" if p.costs else "costs 10 : 1", f"{number(100 * p.share, 0)} % judged")


def learn(given: Setting, s: State) -> Note:
    assert s.model is not None
    rows = len(s.model.rows)
    lead = "{learner} learns from {rows} rows; the others are judged."
    return note(lead, learner=given.learner.name, rows=Operand(rows, about="learnt"))


def score(given: Setting, s: State) -> Note:
    sweep = told(s)
    lead = "{n} rows that it has not seen get a score: by how much {c} is ahead, from {low} to {high}."
    if sweep.silent:
        lead += " Of {silent} more {silent:row|rows} it says nothing: they are left out."
    low, high = bounded(sweep.lead.min()), bounded(sweep.lead.max())
    values = {"n": len(sweep.rows), "c": given.names[given.code], "low": low, "high": high, "silent": sweep.silent}
    return note(lead, **values)


def move(given: Setting, s: State) -> Note:
    t = threshold(s)
    lead = "Nothing is called {c}." if t == np.inf else "The threshold falls to {t}."
    return note(lead, t=Operand(bounded(t), "t", "threshold"), c=given.names[given.code])


def count(given: Setting, s: State) -> Note:
    hits, alarms, positive, others = rates(s)
    lead = "{called} {called:row is|rows are} called {c}: {hits} of the {P} that are, {alarms} of the {N} others."
    facts = [Fact("true positives, recall", "{hits} / {P} = {recall}"), Fact("false positives", "{alarms} / {N} = {fall}")]
    values = {"called": hits + alarms, "P": positive, "N": others, "c": given.names[given.code]}
    values |= {"hits": Operand(hits, about="roc"), "alarms": Operand(alarms, about="roc")}
    values |= {"recall": hits / positive, "fall": alarms / others}
    if hits + alarms:
        facts.append(Fact("precision", "{hits} / {called} = {precision}"))
        values["precision"] = Operand(hits / (hits + alarms), about="precision")
    return note(lead, *facts, **values)


def cost(given: Setting, s: State) -> Note:
    """The sum over the kinds of mistakes, those of two classes one by one."""
    sweep, counts = told(s), confusion(given, s).counts
    m, c = len(sweep.rows), given.code
    missed, alarms = counts[c].sum() - counts[c, c], counts[:, c].sum() - counts[c, c]
    values = {"missed": Operand(int(missed), about="counts"), "alarms": Operand(int(alarms), about="counts"), "m": m}
    values |= {"e": Operand(float(sweep.cost[s.now]), "cost", "cost"), "c": given.names[c]}
    values |= {"total": Operand(total_cost(counts, given.costs), "Σ", "counts")}
    lead = "{missed} {missed:row|rows} of {c} missed, {alarms} others called {c}: a row costs {e}."
    law = Formula("cost =", "{total} / {m}", "{e}")
    if len(given.names) == 2:
        values |= {"dear": Operand(float(given.costs[c, 1 - c]), about="costs")}
        values |= {"cheap": Operand(float(given.costs[1 - c, c]), about="costs")}
        law = Formula("cost =", "({missed} · {dear} + {alarms} · {cheap}) / {m}", "{e}")
    facts = [Fact("least so far", "{least}")]
    if threshold(s) == own_threshold(sweep):
        lead += " This is where the learner itself decides."
    return note(lead, law, *facts, least=Operand(float(sweep.cost[s.best]), about="best"), **values)


def best(given: Setting, s: State) -> tuple[Note, Choice]:
    """Where the threshold has come to, beside where equal costs have it."""
    sweep, c = told(s), given.code
    own = int((sweep.rates.threshold > 0).sum()) - 1
    values = {"t": Operand(bounded(threshold(s)), "t", "threshold"), "e": Operand(float(sweep.cost[s.now]), "cost", "cost")}
    values |= {"own": Operand(float(sweep.cost[own]), about="cost"), "c": given.names[c]}
    lead = "Least cost: {e} a row, when {c} is said from {t} on; the learner's own threshold, 0, costs {own}."
    if threshold(s) == np.inf:
        lead = "Least cost: {e} a row, when {c} is never said; the learner's own threshold, 0, costs {own}."
    facts = []
    if len(given.names) == 2 and (needed := chance_needed(given.costs, c)) == needed:
        values |= {"dear": float(given.costs[c, 1 - c]), "cheap": float(given.costs[1 - c, c])}
        values |= {"p": Operand(needed, digits=4)}
        facts = [Fact(f"by probability: say {verbatim(given.names[c])} from", "{cheap} / ({cheap} + {dear}) = {p}")]
    options, costs = tuple(options_of(sweep)), sweep.cost.round(12)
    winners = tuple(np.flatnonzero(costs == costs.min()).tolist())
    rule = "the highest of equals"
    return note(lead, *facts, **values), Choice("Which threshold costs least?", options, winners, s.now, rule, "cost", True)


def options_of(sweep: Sweep) -> list[Option]:
    pairs = zip(sweep.rates.threshold.tolist(), sweep.cost.tolist(), strict=True)
    return [Option("never" if t == np.inf else f"from {number(bounded(t))}", e, "cost", value=t) for t, e in pairs]


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Lead and threshold; before there is one, why h says so."""
    if s.model is None or s.sweep is None or s.now < 0:
        return explained(given, s.model, x)
    leads, t = leads_of(s.model, x[None]), threshold(s)
    label, own = int(given.called(leads, t)[0]), float(leads[0, given.code])
    if label < 0:
        return Explanation(label, note("{learner} says nothing here.", learner=given.learner.name))
    values = {"lead": bounded(own), "t": Operand(bounded(t), "t", "threshold"), "c": given.names[given.code]}
    said = "The lead of {c} is {lead}, at least {t}: it is called {c}."
    if label != given.code:
        said = "The lead of {c} is {lead}, below {t}: it is called {other}."
    return Explanation(label, note(said, other=given.names[label], **values))


def told(s: State) -> Sweep:
    assert s.sweep is not None
    return s.sweep


def threshold(s: State) -> float:
    return float(told(s).rates.threshold[s.now])


def own_threshold(sweep: Sweep) -> float:
    """The lowest one above 0."""
    return float(sweep.rates.threshold[int((sweep.rates.threshold > 0).sum()) - 1])


def bounded(value: float) -> float:
    """Beyond all is ∞."""
    return float(value) if abs(value) < LARGEST else float(np.copysign(np.inf, value))


def rates(s: State) -> tuple[int, int, int, int]:
    """Of class c called so, of the others; how many there are of c, and of the others."""
    found = told(s).rates
    return int(found.hits[s.now]), int(found.alarms[s.now]), int(found.hits[-1]), int(found.alarms[-1])


def confusion(given: Setting, s: State) -> Confusion:
    sweep = told(s)
    said = np.where(sweep.lead >= threshold(s), given.code, sweep.other)
    return Confusion(said, given.problem.codes[sweep.rows], len(given.names))
