"""What the reject option says."""

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
    number,
)
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.learners import explained
from engine.experiments.parts.scoring import MOST, bounded, leads_of
from engine.experiments.reject_option import Params, Setting, State
from engine.experiments.reject_option.levels import sureness
from engine.numerics.closeness import more

ALIKE = (
    "The learner is equally sure of all rows that it has not seen, so that none can be refused"
    " before the others."
)
FEWER = "To refuse {asked} % would be to refuse all: of the rows that are left it is equally sure."
SUMMARY = (
    "A learner that may refuse to answer is wrong less often: rows it has not seen are put in order"
    " by how sure it is of them, and the least sure are refused until what is left has the error"
    " that is allowed. Any score will do for that."
)


def chips(p: Params) -> tuple[str, ...]:
    shown = (
        f"error ≤ {number(100 * p.allowed, 1)} %"
        if p.refused is None
        else f"{number(100 * p.refused, 1)} % refused"
    )
    return (shown, f"{number(100 * p.share, 0)} % judged")


def learn(given: Setting, s: State) -> Note:
    lead = "{learner} learns from {rows} {rows:row|rows}; the others are judged."
    return note(lead, learner=given.learner.name, rows=Operand(len(s.model.rows), about="learnt"))


def sure(given: Setting, s: State) -> Note:
    m = len(s.levels.rows)
    silent = int(np.isneginf(s.levels.sure).sum())
    lead = (
        "{m} {m:row|rows} that it has not seen: the best class of each is ahead by {low} to {high}."
    )
    lead += " Of {silent} it says nothing: they go first." if silent else ""
    known = s.levels.sure[~np.isneginf(s.levels.sure)]
    low, high = (bounded(known.min()), bounded(known.max())) if len(known) else (0.0, 0.0)
    return note(lead, m=Operand(m, about="judged"), low=low, high=high, silent=silent)


def ask(given: Setting, s: State) -> Note:
    lead = (
        "A lead of {level} is asked for."
        if s.now
        else "Nothing is asked for: every row is answered."
    )
    return note(lead, level=Operand(s.levels.asked(s.now), "level", "level"))


def left(given: Setting, s: State) -> Note:
    kept, _ = s.levels.left(s.now)
    m = len(s.levels.rows)
    refused = len(s.levels.rows) - kept
    lead = "{refused} of {m} {m:row|rows} {refused:is|are} refused, {kept} {kept:is|are} answered."
    part = Formula("refused =", "{refused} / {m}", "{share}")
    told = {
        "refused": Operand(refused, about="judged"),
        "share": Operand(refused / m, about="level"),
    }
    return note(lead, part, m=m, kept=kept, **told)


def error(given: Setting, s: State) -> Note:
    kept, wrong = s.levels.left(s.now)
    share = float(s.levels.share[s.now])
    told: dict[str, Any] = {
        "wrong": Operand(wrong, about="judged"),
        "kept": kept,
        "e": Operand(wrong / kept, "error", "curve"),
    }
    lead = "Of the {kept} {kept:row|rows} answered, {wrong} {wrong:is|are} wrong."
    lead += " That is no more than allowed, for the first time." if s.now == s.found else ""
    facts = (Fact("refused", "{share}"), Fact("allowed", "{allowed}"))
    told |= {
        "share": Operand(share, about="level"),
        "allowed": Operand(given.p.allowed, about="allowed", digits=3),
    }
    return note(lead, Formula("error =", "{wrong} / {kept}", "{e}"), *facts, **told)


def end(given: Setting, s: State) -> tuple[Note, Choice | None]:
    """Which share does, beside the error without refusing."""
    levels = s.levels
    percent = 100 * float(s.levels.share[s.now])
    (kept, wrong), (m, all_wrong) = levels.left(s.now), levels.left(0)
    told: dict[str, Any] = {
        "percent": Operand(percent, about="level", digits=1),
        "e": Operand(wrong / kept, about="curve", digits=3),
    }
    told |= {
        "allowed": Operand(given.p.allowed, about="allowed", digits=3),
        "before": Operand(all_wrong / m, digits=3),
    }
    _, base, numbers = beside_baseline(given.problem, all_wrong / m)
    facts = (
        Fact("all answered", "{all} / {m} = {before}"),
        Fact("now", "{wrong} / {kept} = {e}"),
        *base,
    )
    told |= numbers
    told |= {"all": all_wrong, "m": m, "wrong": wrong, "kept": kept}
    if given.p.refused is not None:
        lead = "With {percent} % refused the error of the others is {e}, without it is {before}."
        lead = lead if percent else "No row is refused: the error is {before}."
        if more(given.p.refused, levels.share[s.now]):
            lead += f" {ALIKE if s.now == 0 else FEWER}"
        return note(lead, *facts, **told, asked=Operand(100 * given.p.refused, digits=1)), None
    if s.found < 0:
        least = int(levels.error.argmin())
        lead = "No level brings the error to {allowed}: it is least, {least}, "
        lead += "with {most} % refused." if levels.refused[least] else "where no row is refused."
        if len(levels.level) == 1:
            lead = "The error is {before}, and only {allowed} is allowed. " + ALIKE
        told |= {
            "least": Operand(float(levels.error[least]), digits=3),
            "most": 100 * float(levels.share[least]),
        }
        return note(lead, *facts, **told), None
    lead = (
        "{percent} % have to be refused so that the others have an error of at most {allowed};"
        " without it is {before}."
    )
    if not percent:
        lead = (
            "No row has to be refused: with all of them answered the error is {before}, and"
            " {allowed} is allowed."
        )
    options = tuple(
        Option(f"{number(100 * share, 1)} %", share, "level", f"error {number(e, 3)}", share)
        for share, e in zip(levels.share.tolist(), levels.error.tolist(), strict=True)
        if not more(e, given.p.allowed, 1.0)
    )
    asked = "Which share is the least to be refused?"
    return note(lead, *facts, **told), Choice(
        asked, options[:MOST], (0,), 0, "the least", "refused", True
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The learner's own reasons where it is sure enough; else by how much it is not."""
    found = explained(given, s.model, x)
    ahead = float(sureness(leads_of(s.model, x[None]))[0])
    if s.now < 1 or ahead >= s.levels.level[s.now]:
        return found
    told = {"ahead": bounded(ahead), "level": Operand(s.levels.asked(s.now), "level", "level")}
    return Explanation(
        -1,
        note("The best class is ahead by {ahead}, less than {level}: no answer is given.", **told),
    )
