"""What the reject option says."""

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
from engine.experiments.parts.scoring import MOST, bounded, leads_of
from engine.experiments.reject_option import Params, Setting, State, sureness
from engine.fit.learners import explained
from engine.numerics.closeness import more

ALIKE = (
    "The learner is equally sure of all rows that it has not seen, so that none can be refused"
    " before the others."
)
FEWER = "To refuse {share} % would be to refuse all: of the rows that are left it is equally sure."
SUMMARY = (
    "A learner that may refuse to answer is wrong less often: rows it has not seen are put in order"
    " by how sure it is of them, and the least sure are refused until what is left has the error"
    " that is allowed. Any score will do for that."
)


def chips(p: Params) -> tuple[str, ...]:
    shown = f"error ≤ {number(100 * p.allowed, 1)} %"
    if p.refused is not None:
        shown = f"{number(100 * p.refused, 1)} % refused"
    return (shown, f"{number(100 * p.share, 0)} % judged")


def learn(given: Setting, s: State) -> Note:
    lead = "{learner} learns from {rows} {rows:row|rows}; the others are judged."
    return note(lead, learner=given.learner.name, rows=Operand(len(s.model.rows), about="learnt"))


def sure(given: Setting, s: State) -> Note:
    silent = np.isneginf(s.levels.sure)
    lead = (
        "{m} {m:row|rows} that it has not seen: the best class of each is ahead by {low} to {high}."
    )
    if silent.any():
        lead += " Of {silent} it says nothing: they go first."
    known = s.levels.sure[~silent]
    return note(
        lead,
        m=Operand(len(s.levels.rows), about="judged"),
        low=bounded(known.min()) if len(known) else 0.0,
        high=bounded(known.max()) if len(known) else 0.0,
        silent=int(silent.sum()),
    )


def ask(given: Setting, s: State) -> Note:
    lead = "A lead of {level} is required."
    if s.now == 0:
        lead = "No lead is required: every row is answered."
    return note(lead, level=Operand(s.levels.needed_lead(s.now), "level", "level"))


def left(given: Setting, s: State) -> Note:
    kept, _ = s.levels.left(s.now)
    m = len(s.levels.rows)
    refused = m - kept
    return note(
        "{refused} of {m} {m:row|rows} {refused:is|are} refused, {kept} {kept:is|are} answered.",
        Formula("refused =", "{refused} / {m}", "{share}"),
        m=m,
        kept=kept,
        refused=Operand(refused, about="judged"),
        share=Operand(refused / m, about="level"),
    )


def error(given: Setting, s: State) -> Note:
    kept, wrong = s.levels.left(s.now)
    lead = "Of the {kept} {kept:row|rows} answered, {wrong} {wrong:is|are} wrong."
    if s.now == s.found:
        lead += " That is no more than allowed, for the first time."
    return note(
        lead,
        Formula("error =", "{wrong} / {kept}", "{e}"),
        Fact("refused", "{share}"),
        Fact("allowed", "{allowed}"),
        wrong=Operand(wrong, about="judged"),
        kept=kept,
        e=Operand(wrong / kept, "error", "curve"),
        share=Operand(float(s.levels.share[s.now]), about="level"),
        allowed=Operand(given.p.allowed, about="allowed", digits=3),
    )


def end(given: Setting, s: State) -> tuple[Note, Choice | None]:
    """The note and choice of the share to refuse, compared with the error without refusing."""
    levels = s.levels
    kept, wrong = levels.left(s.now)
    m, all_wrong = levels.left(0)
    _, base, numbers = beside_baseline(given.problem, all_wrong / m)
    least = int(levels.error.argmin())
    said = note(
        conclusion(given, s),
        Fact("all answered", "{all} / {m} = {before}"),
        Fact("now", "{wrong} / {kept} = {e}"),
        *base,
        percent=Operand(100 * float(levels.share[s.now]), about="level", digits=1),
        e=Operand(wrong / kept, about="curve", digits=3),
        allowed=Operand(given.p.allowed, about="allowed", digits=3),
        before=Operand(all_wrong / m, digits=3),
        share=Operand(100 * (given.p.refused or 0.0), digits=1),
        least=Operand(float(levels.error[least]), digits=3),
        most=100 * float(levels.share[least]),
        all=all_wrong,
        m=m,
        wrong=wrong,
        kept=kept,
        **numbers,
    )
    searched = given.p.refused is None and s.found >= 0
    return said, share_to_refuse(given, s) if searched else None


def conclusion(given: Setting, s: State) -> str:
    """The template of the result: what share is refused, and what error remains."""
    levels = s.levels
    refused = levels.share[s.now] > 0
    if given.p.refused is not None:
        lead = "No row is refused: the error is {before}."
        if refused:
            lead = (
                "With {percent} % refused the error of the others is {e}, without it is {before}."
            )
        if not more(given.p.refused, levels.share[s.now]):
            return lead
        return f"{lead} {ALIKE if s.now == 0 else FEWER}"
    if s.found < 0:
        if len(levels.level) == 1:
            return "The error is {before}, and only {allowed} is allowed. " + ALIKE
        least = int(levels.error.argmin())
        lead = "No level brings the error to {allowed}: it is least, {least}, "
        lead += "with {most} % refused." if levels.refused[least] else "where no row is refused."
        return lead
    if refused:
        return (
            "{percent} % have to be refused so that the others have an error of at most {allowed};"
            " without it is {before}."
        )
    return (
        "No row has to be refused: with all of them answered the error is {before}, and {allowed}"
        " is allowed."
    )


def share_to_refuse(given: Setting, s: State) -> Choice:
    """The choice among the levels that meet the criterion, the least share first."""
    options = []
    for share, e in zip(s.levels.share.tolist(), s.levels.error.tolist(), strict=True):
        if not more(e, given.p.allowed, 1.0):
            text = f"{number(100 * share, 1)} %"
            options.append(Option(text, share, "level", f"error {number(e, 3)}", share))
    prompt = "Which share is the least to be refused?"
    return Choice(prompt, tuple(options[:MOST]), (0,), 0, "the least", "refused", True)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The learner's reasons at x (d,) where its lead suffices; else how much it lacks."""
    found = explained(given, s.model, x)
    ahead = float(sureness(leads_of(s.model, x[None]))[0])
    if s.now < 1 or ahead >= s.levels.level[s.now]:
        return found
    lead = "The best class is ahead by {ahead}, less than {level}: no answer is given."
    level = Operand(s.levels.needed_lead(s.now), "level", "level")
    return Explanation(-1, note(lead, ahead=bounded(ahead), level=level))
