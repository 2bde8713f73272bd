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
from engine.core.notation import counted
from engine.experiments.parts.baselines import beside_baseline
from engine.experiments.parts.learners import explained, rows_of, rows_relabelled
from engine.experiments.peeking import Params, Setting, State, expected

SUMMARY = (
    "A test set tells the truth once. Here one hypothesis after the other is tried on it and the"
    " best is kept: its error falls though nothing is learnt. Fresh rows, opened once at the end,"
    " show what it is worth."
)


def chips(p: Params) -> tuple[str, ...]:
    return (
        counted(p.looks, "look"),
        p.hypotheses,
        "no signal" if p.signal == "none" else "labels as given",
    )


def wording(p: Params) -> dict[str, str]:
    """With the labels as they are nothing is shuffled."""
    return {"shake": "(the labels stay as they are)"} if p.signal != "none" else {}


def lock(given: Setting, s: State) -> Note:
    learn, test, fresh = (int((s.part == part).sum()) for part in range(3))
    lead = (
        "{test} {test:row is|rows are} locked away as the test set, {fresh} more as fresh rows;"
        " {learn} {learn:stays|stay} open."
    )
    return note(
        lead, test=Operand(test, about="test"), fresh=Operand(fresh, about="fresh"), learn=learn
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
    """The count on the padlock, and which hypothesis of all so far is the best there."""
    if why:
        return note("This draw could not be learnt from: {why}.", why=why.rstrip("."))
    test = np.flatnonzero(s.part == 1)
    assert s.says is not None
    wrong = int((s.says[test] != s.codes[test]).sum())
    i = len(s.looks)
    lead = "Look {i} into the test set: {wrong} of {m} {m:row is|rows are} wrong."
    told = {
        "i": Operand(i, about="looks"),
        "wrong": Operand(wrong, "wrong", "test"),
        "m": len(test),
    }
    told |= {"e": Operand(s.looks.last, "e", "looks"), "best": Operand(s.best, about="looks")}
    said = note(
        lead, Formula("e =", "{wrong} / {m}", "{e}"), Fact("least so far", "{best}"), **told
    )
    errors = [*s.looks]
    options = tuple(Option(f"look {k + 1}", e, "looks", value=k) for k, e in enumerate(errors))
    winners = tuple(k for k, e in enumerate(errors) if e == s.best)
    return said, Choice(
        "Which look was the best so far?",
        options,
        winners,
        winners[0],
        "the first of equals",
        "e",
        True,
    )


def keep(given: Setting, s: State) -> Note:
    lead = "It is the best so far and is kept: {best} wrong on the test set."
    luck = expected(given, s)
    facts = () if luck != luck else (Fact("luck alone would make it", "{luck}"),)
    return note(lead, *facts, best=Operand(s.best, about="looks"), luck=luck)


def fresh(given: Setting, s: State) -> Note:
    if s.kept is None:
        return note("No hypothesis could be tried.")
    rows = np.flatnonzero(s.part == 2)
    wrong = int((s.kept[rows] != s.codes[rows]).sum())
    lead = (
        "On fresh rows, opened once, the kept hypothesis is wrong on {fresh}; the test set had"
        " promised {best} after {n} {n:look|looks}."
    )
    told = {
        "fresh": Operand(s.fresh, "e", "fresh"),
        "best": Operand(s.best, about="looks"),
        "n": len(s.looks),
    }
    told |= {
        "wrong": Operand(wrong, "wrong", "fresh"),
        "m": len(rows),
        "gap": Operand(s.fresh - s.best, "too good by", "looks"),
    }
    problem = rows_relabelled(given.problem, s.codes)
    worse, base, numbers = beside_baseline(
        rows_of(problem, np.flatnonzero(s.part == 0)), s.fresh, rows_of(problem, rows)
    )
    gap = Formula("too good by", "{fresh} − {best}", "{gap}")
    return note(
        lead + worse, Formula("e =", "{wrong} / {m}", "{fresh}"), gap, *base, **told, **numbers
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the present model says so."""
    return explained(given, s.model, x)
