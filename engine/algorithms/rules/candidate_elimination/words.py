"""What candidate elimination says."""

from engine.algorithms.rules.candidate_elimination import Params, Setting, State, predict
from engine.algorithms.rules.parts.boxwords import box_text, example_operands, moves, outside, term
from engine.authoring import Explanation, Fact, Float, Note, Operand, note, np
from engine.base.notation import listed, subscript

SUMMARY = (
    "Keeps all hypotheses that fit the examples so far, by their narrowest one, S, and their widest"
    " ones, G. A positive example widens S and drops what is too narrow from G; a negative one cuts"
    " G. Between S and G nothing is known yet."
)
ERRATA = (
    (
        "ML 7.5.2 only names the method. Over numbers the borders of S belong to it; those of G lie"
        " on negative examples and do not."
    ),
    (
        "ML Exercises 7.4 and 7.6 leave open which consistent interval or rectangle is taken:"
        " “tightest” is S, “loosest” the first of G."
    ),
)
NARROW = Fact("S", "{S}")
WIDE = Fact("hypotheses in G", "{G}")
ANSWERS = {"tightest": "S", "loosest": "the first of G", "random": "the one that is drawn"}
SHOWN = 3  # hypotheses of G that a note lists


def chips(p: Params) -> tuple[str, ...]:
    return () if p.answer == "unanimous" else (p.answer,)


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    problem = given.problem
    known = {} if s.current < 0 else example_operands(problem, s.current)
    S = Operand("none") if s.S is None else Operand(box_text(problem, s.S), "S", "S")
    some = "G" if len(s.G) + len(s.gone) else ""
    return known | {
        "S": S,
        "G": Operand(len(s.G), "|G|", some),
        "gone": Operand(len(s.gone), about=some),
        "was": Operand(len(s.G) - s.fresh + len(s.gone), about=some),
        "unsure": Operand(s.unsure),
        "seen": Operand(s.seen),
        "n": Operand(len(given.stream)),
        "limit": Operand(given.p.limit),
    }


def shown(s: State, first: int = 0) -> range:
    """The indices of the hypotheses of G that a note lists, from `first` on."""
    return range(first, min(len(s.G), first + SHOWN))


def wide(s: State, first: int = 0) -> tuple[Fact, ...]:
    """A fact for each hypothesis of G that `shown` gives."""
    return tuple(Fact(f"G{subscript(k + 1)}", f"{{g{k}}}") for k in shown(s, first))


def texts(given: Setting, s: State, first: int = 0) -> dict[str, Operand]:
    """The operands of the facts of `wide`: hypotheses as text."""
    return {
        f"g{k}": Operand(box_text(given.problem, s.G.box(k), closed=False), about="G")
        for k in shown(s, first)
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "Every hypothesis is still possible, from the one that never holds to the one that always"
        " does."
    )
    return note(lead, NARROW, *wide(s), **operands(given, s), **texts(given, s))


def take(given: Setting, s: State) -> Note:
    label = int(predict(given, s, given.X[[s.current]])[0])
    says = "the hypotheses left disagree about it"
    if label >= 0:
        says = f"{given.problem.class_text(label)} is the answer"
    return note("Look at {point} = {x}: {says}.", NARROW, WIDE, says=says, **operands(given, s))


def agree(given: Setting, s: State) -> Note:
    lead = "{point} is {label}, and every hypothesis left says so. Nothing changes."
    return note(lead, NARROW, WIDE, **operands(given, s))


def drop(given: Setting, s: State) -> Note:
    """The note of the hypotheses removed from G, and why the first of them is."""
    x = given.X[s.current]
    why = listed(outside(given.problem, s.gone.low[0], s.gone.high[0], x, closed=False))
    lead = (
        "{point} is {label}, but {gone} of the {was} in G {gone:does|do} not hold there ({why}) and"
        " {gone:is|are} dropped."
    )
    known = {"why": Operand(why, about="G")} | operands(given, s) | texts(given, s)
    return note(lead, WIDE, *wide(s), **known)


def grow(given: Setting, s: State) -> Note:
    assert s.S is not None and s.before is not None
    why = listed(outside(given.problem, s.before.low, s.before.high, given.X[s.current]))
    lead = (
        "{point} is {label}, but S did not hold there: {why}. It widens just so far that it does."
    )
    if s.before.empty:
        lead = "{point} is the first example of class {label}: S holds there and nowhere else."
    changed = moves(given.problem, s.before, s.S)
    return note(lead, NARROW, *changed, WIDE, why=Operand(why, about="S"), **operands(given, s))


def strike(given: Setting, s: State) -> Note:
    lead = (
        "{point} is {label}, but S holds there, and so do all hypotheses wider than S. None of them"
        " is left."
    )
    return note(lead, NARROW, WIDE, **operands(given, s))


def cut(given: Setting, s: State) -> Note:
    """The note of the specialisations of G: each new hypothesis excludes the example in one
    column.
    """
    x = given.X[s.current]
    first = len(s.G) - s.fresh
    new = s.G[first:]
    columns = (~((new.low < x) & (x < new.high))).argmax(axis=1)
    ways = [
        side(given, x, j, float(new.low[k, j]), float(new.high[k, j]))
        for k, j in enumerate(columns.tolist())
    ]
    lead = (
        "{point} is {label}, but {gone} of G {gone:holds|hold} there. Cut {gone:it|each} where S"
        " allows: {ways}."
    )
    if not s.fresh:
        lead = (
            "{point} is {label}, but {gone} of G {gone:holds|hold} there. {gone:It is|They are}"
            " dropped: "
        )
        lead += (
            "whatever is narrower lies in others of G." if len(s.G) else "no cut leaves anything."
        )
    different = Operand(listed(dict.fromkeys(ways)), about="G")
    known = {"ways": different} | operands(given, s) | texts(given, s, first)
    return note(lead, WIDE, *wide(s, first), NARROW, **known)


def side(given: Setting, x: Float, column: int, low: float, high: float) -> str:
    """The condition of a new hypothesis that excludes x (d,): a border of numbers or a value of
    words.
    """
    if not given.words[column]:
        if high == x[column]:
            low = -np.inf
        else:
            high = np.inf
    return term(given.problem, column, low, high, closed=False)


def empty(given: Setting, s: State, full: bool) -> Note:
    lead = (
        "No hypothesis of H fits the {seen} {seen:example|examples} so far: a label is wrong, or"
        " the target is not in H."
    )
    if full:
        lead = (
            "With {point} G would hold more than {limit} {limit:hypothesis|hypotheses}. The search"
            " stops after {seen} of {n} {n:example|examples}."
        )
    return note(lead, NARROW, WIDE, **operands(given, s))


def done(given: Setting, s: State) -> Note:
    lead = (
        "S and G border all hypotheses that fit the examples. Where they disagree more examples"
        " would teach something."
    )
    if not s.left:
        lead = "The version space is empty: it has no answer anywhere."
    elif alone(given, s):
        lead = "S and G are the same: one hypothesis is left, and it is learnt exactly."
    elif s.seen < len(given.stream):
        lead = "S and G border all hypotheses that fit {seen} of the {n} {n:example|examples}."
    unsure = Fact("examples they disagreed on", "{unsure} of {seen}")
    return note(lead, NARROW, *wide(s), WIDE, unsure, **operands(given, s), **texts(given, s))


def alone(given: Setting, s: State) -> bool:
    """Whether one hypothesis is left: S and the only member of G require the same columns, none of
    them numeric.
    """
    if s.S is None or s.S.empty or len(s.G) != 1 or not given.words.all():
        return False
    return given.asks(s.S) == int(np.isfinite(s.G.low).sum())


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): by S where it holds, by the first of G where none holds."""
    problem = given.problem
    label = int(predict(given, s, x[None])[0])
    answer = problem.class_text(label)
    if s.S is None or not s.left:
        return Explanation(label, note("No hypothesis is left, so there is no answer."))
    holds = s.G.covers(x)
    if s.S.covers(x):
        lead = "S = {S} holds here, and so do all hypotheses left: {answer}."
        return Explanation(label, note(lead, answer=answer, **operands(given, s)))
    if not holds.any():
        why = listed(outside(problem, s.G.low[0], s.G.high[0], x, closed=False))
        lead = "No hypothesis of G holds here, the first because {why}: {answer}."
        return Explanation(label, note(lead, why=why, answer=answer))
    why = "it never holds" if s.S.empty else listed(outside(problem, s.S.low, s.S.high, x))
    lead = (
        "S does not hold here ({why}), but {count} of the {G} in G {count:does|do}: the"
        " hypotheses left disagree."
    )
    if label >= 0:
        lead += f" By {ANSWERS[given.p.answer]} the answer is {{answer}}."
    count = int(np.count_nonzero(holds))
    return Explanation(label, note(lead, why=why, count=count, answer=answer, **operands(given, s)))
