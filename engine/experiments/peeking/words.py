"""What peeking says."""

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
from engine.base.notation import counted
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.peeking import FRESH, OPEN, TEST, Params, Setting, State, expected
from engine.fit.learners import explained, rows_of, rows_relabelled

SUMMARY = (
    "A test set tells the truth once. Here one hypothesis after the other is tried on it and the"
    " best is kept: its error falls though nothing is learnt. Fresh rows, opened once at the end,"
    " show what it is worth."
)


def chips(p: Params) -> tuple[str, ...]:
    signal = "no signal" if p.signal == "none" else "labels as given"
    return (counted(p.looks, "look"), p.hypotheses, signal)


def wording(p: Params) -> dict[str, str]:
    """Replaced texts of lines: the line that shuffles says that the labels stay, where p.signal
    keeps them.
    """
    return {} if p.signal == "none" else {"shake": "(the labels stay as they are)"}


def lock(given: Setting, s: State) -> Note:
    lead = (
        "{test} {test:row is|rows are} locked away as the test set, {fresh} more as fresh rows;"
        " {learn} {learn:stays|stay} open."
    )
    return note(
        lead,
        test=Operand(int((s.part == TEST).sum()), about="test"),
        fresh=Operand(int((s.part == FRESH).sum()), about="fresh"),
        learn=int((s.part == OPEN).sum()),
    )


def shake(given: Setting, s: State) -> Note:
    return note(
        "All labels are shuffled: no column tells anything about them any more, and no hypothesis"
        " can be good."
    )


def guess(given: Setting, s: State) -> Note:
    return note("Look {i} of {n} begins.", i=len(s.looks) + 1, n=given.p.looks)


def hyp(given: Setting, s: State) -> Note:
    if given.learner is None:
        return note("A coin says the label of every row.")
    return note("{learner} learns from another draw of the open rows.", learner=given.learner.name)


def look(given: Setting, s: State, why: str = "") -> Note | tuple[Note, Choice]:
    """The note of the look's error and number, and the choice of the best hypothesis so far."""
    if why:
        return note("This draw could not be learnt from: {why}.", why=why.rstrip("."))
    assert s.says is not None
    test = np.flatnonzero(s.part == TEST)
    wrong = int((s.says[test] != s.codes[test]).sum())
    lead = "Look {i} into the test set: {wrong} of {m} {m:row is|rows are} wrong."
    said = note(
        lead,
        Formula("e =", "{wrong} / {m}", "{e}"),
        Fact("least so far", "{best}"),
        i=Operand(len(s.looks), about="looks"),
        wrong=Operand(wrong, "wrong", "test"),
        m=len(test),
        e=Operand(s.looks.last, "e", "looks"),
        best=Operand(s.best, about="looks"),
    )
    errors = list(s.looks)
    options = tuple(Option(f"look {k + 1}", e, "looks", value=k) for k, e in enumerate(errors))
    winners = tuple(k for k, e in enumerate(errors) if e == s.best)
    prompt = "Which look was the best so far?"
    choice = Choice(prompt, options, winners, winners[0], "the first of equals", "e", True)
    return said, choice


def keep(given: Setting, s: State) -> Note:
    lead = "It is the best so far and is kept: {best} wrong on the test set."
    best = Operand(s.best, about="looks")
    luck = expected(given, s)
    if luck != luck:
        return note(lead, best=best)
    return note(lead, Fact("luck alone would make it", "{luck}"), best=best, luck=luck)


def fresh(given: Setting, s: State) -> Note:
    if s.kept is None:
        return note("No hypothesis could be tried.")
    fresh = np.flatnonzero(s.part == FRESH)
    wrong = int((s.kept[fresh] != s.codes[fresh]).sum())
    lead = (
        "On fresh rows, opened once, the kept hypothesis is wrong on {fresh}; the test set had"
        " promised {best} after {n} {n:look|looks}."
    )
    problem = rows_relabelled(given.problem, s.codes)
    learnt_from = rows_of(problem, np.flatnonzero(s.part == OPEN))
    worse, base, numbers = beside_baseline(learnt_from, s.fresh, rows_of(problem, fresh))
    return note(
        lead + worse,
        Formula("e =", "{wrong} / {m}", "{fresh}"),
        Formula("too good by", "{fresh} − {best}", "{gap}"),
        *base,
        fresh=Operand(s.fresh, "e", "fresh"),
        best=Operand(s.best, about="looks"),
        n=len(s.looks),
        wrong=Operand(wrong, "wrong", "fresh"),
        m=len(fresh),
        gap=Operand(s.fresh - s.best, "too good by", "looks"),
        **numbers,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the shown model gives its answer at x (d,), in the learner's own words."""
    return explained(given, s.model, x)
