"""What HALVING says."""

from engine.algorithms.rules.halving import Params, Setting, State, predict
from engine.algorithms.rules.halving.spaces import ANY, NEVER, RECTANGLES
from engine.algorithms.rules.parts import DELTA, EPSILON
from engine.algorithms.rules.parts.boxwords import example_operands
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Int,
    Note,
    Operand,
    Option,
    note,
    np,
    short,
)
from engine.base.notation import listed
from engine.scene.boolean import conjunction_text

SUMMARY = (
    "Lists all hypotheses and strikes out whatever was wrong once. The majority of those left"
    " answers, so that every mistake costs at least half of them. Unbiased, with all functions in"
    " the list, the examples say nothing about other inputs."
)
ERRATA = (
    "ML 7.3.2 counts |H| = 3ⁿ conjunctions. The list here has one more, which never holds.",
    (
        "ML 7.5.4 calls WEIGHTED-MAJORITY with β = 0 the same as HALVING. Ties are drawn there;"
        " here they are negative."
    ),
)
LEFT = Fact("hypotheses left", "{left} of {all}")
MISTAKES = Fact("mistakes, and their bound", "{mistakes}, {bound}")
BITS = Fact("log₂ of the hypotheses left", "{bits}")
REST = Fact("examples not taken that it gets wrong", "{wrong} of {rest}")
SHOWN = 5  # hypotheses that a sentence names
TIE = "equal votes: negative"


def chips(p: Params) -> tuple[str, ...]:
    return (f"H: {p.hypotheses}",)


def name(given: Setting, h: int) -> str:
    """Hypothesis h as text: a conjunction, the inputs at which a function is true, or a column."""
    problem = given.problem
    if given.H.kind == "columns":
        return problem.features[h].title
    if given.H.kind == "unbiased":
        inputs = [f"{c:0{problem.d}b}" for c in range(1 << problem.d) if h >> c & 1]
        return "{" + ", ".join(inputs) + "}"
    if given.H.kind == RECTANGLES:
        sides = given.H.sides(np.array([h]))
        return ", ".join(span_text(given, j, *side[0].tolist()) for j, side in enumerate(sides))
    values = given.H.ternary[h].tolist()
    literals = tuple((j, float(v)) for j, v in enumerate(values) if v != ANY)
    return "False" if NEVER in values else conjunction_text(problem, literals)


def names(given: Setting, hypotheses: Int) -> str:
    """The first few of these hypotheses as text."""
    return listed(name(given, h) for h in hypotheses[:SHOWN].tolist())


def span_text(given: Setting, j: int, a: int, b: int) -> str:
    """A condition of column j as text: "3 ≤ x ≤ 7" or "x = 3". a, b: counted from the lowest
    number
    """
    feature = given.problem.features[j]
    low = float(given.H.low + a)
    high = float(given.H.low + b)
    if low == high:
        return f"{feature.title} = {feature.text(low)}"
    return f"{feature.text(low)} ≤ {feature.title} ≤ {feature.text(high)}"


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    problem = given.problem
    left = s.left
    known: dict[str, Operand] = {}
    if s.current >= 0:
        known = example_operands(problem, s.current)
        known["said"] = Operand(problem.class_text(s.said), about="votes")
    return known | {
        "left": Operand(len(left), "|V|", "hypotheses"),
        "all": Operand(given.H.size, "|H|"),
        "bits": Operand(float(np.log2(len(left))) if len(left) else "none", about="bits"),
        "mistakes": Operand(s.mistakes, "M"),
        "bound": Operand(given.bound),
        "positive": Operand(problem.class_text(0)),
        "negative": Operand(problem.class_text(1)),
        "enough": Operand(given.enough),
        "names": Operand(names(given, left), about="hypotheses"),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "V begins with {all:|all }{all} {all:hypothesis|hypotheses}. While one of them is right,"
        " the vote makes at most {bound} "
    )
    lead += "{bound:mistake|mistakes}: log₂ {all}."
    return note(lead, LEFT, BITS, **operands(given, s))


def take(given: Setting, s: State) -> Note:
    lead = (
        "Look at {point} = {x}. What {left:does|do} the {left} {left:hypothesis|hypotheses} left"
        " say?"
    )
    return note(lead, LEFT, **operands(given, s))


def vote(given: Setting, s: State, yes: int, hand: bool = False) -> tuple[Note, Choice]:
    problem = given.problem
    no = len(s.left) - yes
    tie = yes == no
    lead = "{yes} of {left} say {positive}, {no} say {negative}. The vote says {said}."
    if tie:
        how = "By hand" if hand else "A tie is negative:"
        lead = (
            f"As many say {{positive}} as {{negative}}, {{yes}} each. {how} the vote says {{said}}."
        )
    options = tuple(
        Option(problem.class_text(code), votes, "votes", value=code)
        for code, votes in enumerate((yes, no))
    )
    winners = (0, 1) if tie else (s.said,)
    rule = TIE if tie else ""
    question = "What does the vote say?"
    choice = Choice(question, options, winners, s.said, rule, "hypotheses", digits=0)
    votes = {"yes": Operand(yes, about="votes"), "no": Operand(no, about="votes")}
    return note(lead, LEFT, MISTAKES, **votes, **operands(given, s)), choice


def truth(given: Setting, s: State, yes: int) -> Note:
    positive = given.positive(s.current)
    wrong = len(s.left) - yes if positive else yes
    lead = "{point} is {label}, as the vote said. Still {wrong} of {left} {wrong:was|were} wrong."
    if not wrong:
        lead = "{point} is {label}, as all of them said."
    elif s.said != given.problem.codes[s.current]:
        lead = (
            "Mistake: {point} is {label}. So {wrong} of {left} {wrong:was|were} wrong, at least"
            " half of them."
        )
    known = {"wrong": Operand(wrong, about="hypotheses")} | operands(given, s)
    return note(lead, LEFT, MISTAKES, **known)


def strike(given: Setting, s: State) -> Note:
    struck = np.flatnonzero(s.before & ~s.version_space)
    lead = "{struck} {struck:hypothesis is|hypotheses are} struck out, {left} {left:stays|stay}."
    if not len(struck):
        lead = "No hypothesis was wrong, and {left:|all }{left} {left:stays|stay}."
    elif len(struck) <= SHOWN:
        lead = "Struck out: {lost}. {left} {left:stays|stay}."
    lost = Operand(names(given, struck), about="hypotheses")
    many = Operand(len(struck), about="hypotheses")
    return note(lead, LEFT, BITS, MISTAKES, struck=many, lost=lost, **operands(given, s))


def untaken(given: Setting, s: State, wrong: int) -> dict[str, Operand]:
    """The operands of how many examples are unseen, and how many of them the last hypothesis gets
    wrong.
    """
    return {"wrong": Operand(wrong), "rest": Operand(len(given.stream) - s.seen)}


def stop(given: Setting, s: State, wrong: int) -> Note:
    lead = (
        "One hypothesis is left, and every example agrees with it. It is learnt exactly: {names}."
    )
    if not len(s.left):
        lead = (
            "No hypothesis is left: none of H fits the examples. A label is wrong, or the target is"
            " not in H."
        )
    elif wrong:
        lead = (
            "One hypothesis is left, {names}, but it is wrong on {wrong} of the {rest}"
            " {rest:example|examples} not taken: none of H fits them all. A label is wrong, or the"
            " target is not in H."
        )
    checked = (REST,) if len(s.left) == 1 and s.seen < len(given.stream) else ()
    return note(lead, LEFT, MISTAKES, *checked, **untaken(given, s, wrong), **operands(given, s))


def done(given: Setting, s: State, wrong: int) -> Note:
    lead = (
        "{left} {left:hypothesis fits|hypotheses fit} the examples, and {mistakes}"
        " {mistakes:mistake was|mistakes were} made."
    )
    if wrong:
        lead = (
            "Only {names} is left, and it is wrong on {wrong} of the {rest} {rest:example|examples}"
            " not taken: nothing is learnt exactly."
        )
    elif len(s.left) == 1:
        lead = (
            "The answer is {names}. The vote made {mistakes} {mistakes:mistake|mistakes}; the bound"
            " is {bound}."
        )
    elif not len(s.left):
        lead = "V is empty, and there is no answer."
    elif given.H.kind == "unbiased":
        lead = (
            "{left} {left:function fits|functions fit} the examples. At each of the {unseen}"
            " {unseen:input|inputs} that no example has, just half of them say {positive}: nothing"
            " is learnt but the examples themselves."
        )
    unseen = (1 << given.problem.d) - len(np.unique(given.X[given.stream[: s.seen]], axis=0))
    enough = Fact(f"examples that are enough, ε = {short(EPSILON)}, δ = {short(DELTA)}", "{enough}")
    known = {"unseen": Operand(unseen)} | untaken(given, s, wrong) | operands(given, s)
    return note(lead, LEFT, MISTAKES, enough, **known)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    problem = given.problem
    label = int(predict(given, s, x[None])[0])
    left = s.left
    if not len(left):
        return Explanation(label, note("No hypothesis is left, so there is no answer."))
    yes = int(given.H.votes(given.values(x[None]), left)[0])
    lead = (
        "{yes} of the {left} {left:hypothesis|hypotheses} left {yes:says|say} {positive}, {no}"
        " {no:says|say} {negative}: the answer is {answer}."
    )
    lead += " A tie is negative." if 2 * yes == len(left) else ""
    known = operands(given, s) | {"answer": Operand(problem.class_text(label))}
    return Explanation(label, note(lead, yes=yes, no=len(left) - yes, **known))
