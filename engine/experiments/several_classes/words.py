"""What the wrapper for several classes says."""

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Mapping,
    Note,
    Operand,
    Option,
    note,
    np,
    short,
)
from engine.base.notation import listed
from engine.base.tags import class_tag
from engine.experiments.several_classes import Params, Setting, State, misplaced
from engine.experiments.several_classes.picture import problem_tag, score_bars
from engine.experiments.several_classes.voting import counted_votes, largest
from engine.table.two_classes import REST

SUMMARY = (
    "Makes a method for two classes one for any number: each class against all others, and the"
    " largest score wins; or each pair of classes has a duel, and the most votes win. What no class"
    " claims, and what several claim, is hatched."
)
ERRATA = (
    (
        "MMDS 12.2.5 accepts a largest score equal to θ, 12.2 wants it above; here a class has to"
        " be above θ."
    ),
)
TIED = "equal: the first class in order"
BY_SUM = "equal votes: the larger sum of scores"
ERROR = Formula("error =", "{errors} / {n}", "{share}")


def chips(p: Params) -> tuple[str, ...]:
    if p.scheme == "duels":
        return ("duels, most votes",)
    if p.answer == "all above the threshold":
        return ("one against the rest", f"all above {short(p.threshold)}")
    return ("one against the rest", "largest score")


def wording(p: Params) -> Mapping[str, str]:
    if p.scheme == "duels":
        return {
            "pose": "for each pair of classes i, j:",
            "relabel": "  keep the rows of i and of j",
            "learn": "  h[i, j] ← Learner(those rows)",
            "ask": "for each x: each h[i, j] has a vote",
            "answer": "x gets the class of most votes",
        }
    if p.answer == "all above the threshold":
        return {"answer": "x gets all k with a score above θ"}
    return {}


def pose(given: Setting, s: State) -> Note:
    first, second = given.sides(s.number)
    lead = "Problem {number} of {all}: {first} against {second}."
    if given.pairs[s.number].second == REST:
        lead = "Problem {number} of {all}: {first} against all other classes."
    return note(
        lead,
        number=s.number + 1,
        all=len(given.pairs),
        first=Operand(first, about="data"),
        second=Operand(second, about="data"),
    )


def relabel(given: Setting, s: State) -> Note:
    """The note of the rows on the two sides."""
    first, second = given.sides(s.number)
    own, other = given.posed(s.number).counts.tolist()
    lead = "{own} {own:row is|rows are} {first}, {other} {other:row is|rows are} {second}"
    out = len(given.classed_rows) - own - other
    lead += "; the other {out} {out:row takes|rows take} no part." if out else "."
    rest = given.pairs[s.number].second == REST
    return note(
        lead,
        own=Operand(own, about="data"),
        other=Operand(other, about="rest" if rest and given.problem.plane else "data"),
        out=out,
        first=first,
        second=second,
    )


def learn(given: Setting, s: State) -> Note:
    """The note of what the learner of this problem gets wrong on its own rows."""
    assert s.model is not None
    first, second = given.sides(s.number)
    wrong = int(np.count_nonzero(misplaced(given, s)))
    lead = "{learner} learns {first} against {second} from {m} {m:row|rows}: "
    lead += (
        "{wrong} of them {wrong:is|are} on the wrong side."
        if wrong
        else "all of them are on the right side."
    )
    return note(
        lead,
        Fact("wrong points so far", "{errors}"),
        learner=given.learner.name,
        first=first,
        second=Operand(second),
        m=Operand(len(s.model.rows), about=problem_tag(s.number) if has_lines(given) else ""),
        wrong=wrong,
        errors=s.errors,
    )


def has_lines(given: Setting) -> bool:
    """Whether there is a plane with the lines of the problems."""
    return bool(given.problem.plane)


def ask(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the class of one row, by the scores or the votes for it."""
    problem = given.problem
    f = given.f(s, problem.X[[s.current]])
    said = answered(given, f).going_on(
        "In the table it is {own}.", own=Operand(problem.class_text(int(problem.codes[s.current])))
    )
    return said, choice(given, f)


def answered(given: Setting, f: Float) -> Note:
    """The note of the answer at one place, of the scores f (p, 1)."""
    if np.isnan(f).all():
        return note("No learner says anything about it.")
    return duels_note(given, f) if given.dueling else scores_note(given, f)


def scores_note(given: Setting, f: Float) -> Note:
    """The note of the scores of one against the rest at one place, f (p, 1)."""
    names = given.problem.class_names
    claims = np.flatnonzero(given.claims(f)[0]).tolist()
    values = given.values(f)
    best, tied = (part[0] for part in largest(values))
    most = "The largest score is that of {name}, {score}."
    if tied.sum() > 1:
        most = "The largest score is {score}, of {equal}: the first counts."
    if len(claims) == 1:
        lead = "This is called {name}: its score, {score}, is the only one above {theta}."
    elif claims:
        lead = "{claims} {claims:class claims|classes claim} it, above {theta}: {them}. " + most
    else:
        lead = "No class claims it, none is above {theta}. " + most
    return note(
        lead,
        name=names[best],
        score=Operand(float(values[0, best]), about="score"),
        theta=Operand(given.threshold, digits=-1),
        claims=len(claims),
        them=listed(names[c] for c in claims),
        equal=listed(names[c] for c in np.flatnonzero(tied).tolist()),
    )


def duels_note(given: Setting, f: Float) -> Note:
    """The note of the votes at one place, of the scores f (p, 1)."""
    names = given.problem.class_names
    votes = counted_votes(f, given.pairs, given.k)[0]
    claims = np.flatnonzero(given.claims(f)[0]).tolist()
    best, tied = (part[0] for part in largest(given.values(f)))
    lead = "This is called {name}, with {most} of {all} {all:vote|votes}."
    if not claims:
        lead = "No duel has a winner here: the first class counts, {name}."
    elif len(claims) > 1:
        lead = "{them} have {most} {most:vote|votes} each."
        lead += (
            " The sums of their scores are equal, too: the first counts, {name}."
            if tied.sum() > 1
            else " By the sum of its scores {name} is ahead."
        )
    return note(
        lead,
        name=names[best],
        most=Operand(int(votes.max()), about="score"),
        all=len(f),
        them=listed(names[c] for c in claims),
    )


def choice(given: Setting, f: Float) -> Choice:
    """The choice of the class that is ahead at one place; a sum decides between equal votes."""
    bars = score_bars(given, f)
    assert bars.group is not None
    codes = bars.group.tolist()
    _, tied = largest(bars.values[None])
    found, equal = largest(given.values(f))
    ahead = codes.index(int(found[0]))
    winners = tuple(np.flatnonzero(tied[0]).tolist())
    options = tuple(
        Option(name, value, class_tag(c), value=c)
        for name, value, c in zip(bars.labels, bars.values.tolist(), codes, strict=True)
    )
    rule = ""
    if len(winners) > 1:
        rule = BY_SUM if given.dueling and equal.sum() == 1 else TIED
    unit, digits = ("votes", 0) if given.dueling else ("score", 4)
    prompt = "Which class is ahead here?"
    return Choice(prompt, options, winners, ahead, rule, unit, digits=digits)


def answer(given: Setting, s: State) -> Note:
    """The note of the wrong rows, and of the rows that no class or several claim."""
    f = given.f(s, given.problem.X)[:, given.classed_rows]
    count = given.claims(f).sum(axis=1)
    n = len(given.classed_rows)
    none = int((count == 0).sum())
    several = int((count > 1).sum())
    lead = "{errors} of {n} {n:row|rows} {errors:is|are} wrong."
    if not s.errors:
        lead = "{n:|All }{n} {n:row is|rows are} right."
    facts = [
        Fact("claimed by no class", "{none} of {n}"),
        Fact("claimed by several", "{several} of {n}"),
    ]
    if given.dueling:
        facts = [Fact("equal votes", "{several} of {n}")]
    return note(
        lead,
        ERROR,
        *facts,
        errors=Operand(s.errors, "wrong", "errors"),
        n=Operand(n, "rows"),
        share=Operand(s.errors / n, digits=3),
        none=none,
        several=several,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,), with the score, or the votes, of each class."""
    f = given.f(s, x[None])
    if not len(f):
        return Explanation(-1, note("Nothing is learnt yet."))
    label = int(given.winners(f)[0])
    if len(f) < len(given.pairs):
        lead = "{p} of {all} problems {p:is|are} learnt; so far it is {name}."
        name = "none of the classes" if label < 0 else given.problem.class_text(label)
        said = note(lead, p=len(f), all=len(given.pairs), name=name)
        return Explanation(label, said, score_bars(given, f))
    return Explanation(label, answered(given, f), score_bars(given, f))
