"""What the exhaustive search says."""

from fractions import Fraction
from itertools import pairwise

from engine.algorithms.rules.exhaustive_rules import Params, Setting, State, predict
from engine.algorithms.rules.exhaustive_rules.space import Rules, literals_of
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
    short,
)
from engine.numerics.boolean import covers, to_values
from engine.scene.boolean import conjunction_text, rules_text

SUMMARY = (
    "For yes/no columns. Scores every rule there is by its wrong examples and, at a price α each,"
    " its literals. What is cheapest is best beyond doubt; but the number of rules soon grows"
    " beyond all bounds."
)
ERRATA = (
    (
        "MIT 2.2.17 counts 16 conjunctions and 65,536 Boolean functions of four features. Here the"
        " functions are written as dnf: without negations 168 of them, with “negations” as many as"
        " the literals allow."
    ),
    (
        "MIT 2.2.10 leaves ties open. Here fewer literals win, then fewer rules, then the order of"
        " the columns."
    ),
)
COST = Formula("cost =", "{wrong} + {alpha} · {size}", "{cost}")
BEST = Fact("best", "{best}")
LEAST = Fact("its cost", "{least}")
COUNT = Fact("hypotheses scored", "{count}")
TIE = "equal cost: the fewest literals"


def chips(p: Params) -> tuple[str, ...]:
    negations = ("negations",) if p.negated else ()
    return (p.hypotheses, f"α = {short(p.alpha)}", *negations)


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    tag = "cost"
    if s.rules and draws_rules(given):
        tag = "rules" if len(s.rules) > 1 else "rule 0"
    least = "none" if s.cost is None else float(s.cost)
    return {
        "best": Operand(rules_text(given.problem, s.rules), "best", tag),
        "least": Operand(least, "cost", "cost", digits=-1),
        "errors": Operand(s.errors, about="rows"),
        "count": Operand(s.count),
        "alpha": Operand(given.p.alpha, "α", "alpha", digits=-1),
        "literals": Operand(literals_of(s.rules), "c"),
        "most": Operand(given.p.literals),
    }


def draws_rules(given: Setting) -> bool:
    """Whether there is a map of the inputs, on which rules have outlines."""
    return 2 <= given.problem.d <= 4


def tried(given: Setting, s: State, rules: Rules, wrong: int) -> dict[str, Operand]:
    """The operands of the cost and of the hypothesis with it. wrong: its number of errors"""
    size = literals_of(rules)
    tag = "rule" if draws_rules(given) and len(rules) == 1 else ""
    return {
        "h": Operand(rules_text(given.problem, rules), "h", tag),
        "wrong": Operand(wrong, "E", "rows"),
        "size": Operand(size, "c", f"size {size}"),
        "cost": Operand(float(wrong + given.alpha * size), digits=-1),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "Every hypothesis of at most {most} {most:literal|literals} will be scored. A literal costs"
        " as much as {alpha} "
    )
    lead += "wrong {alpha:example|examples}."
    return note(lead, COUNT, **operands(given, s))


def size(given: Setting, s: State) -> Note:
    c = len(s.found) - 1
    found = s.found[-1]
    literals = Operand(c, about="" if found.errors is None else f"size {c}")
    if found.errors is None:
        lead = "There is no hypothesis of {c} {c:literal|literals}."
        return note(lead, BEST, LEAST, COUNT, c=literals, **operands(given, s))
    lead = "Of {c} {c:literal|literals}, {h} is best, with {wrong} {wrong:example|examples} wrong"
    lead += "." if found.ties == 1 else ", the first of {ties} that are as good."
    known = tried(given, s, found.rules, found.errors) | {"ties": Operand(found.ties)}
    known["h"] = Operand(known["h"].value, "h")
    return note(lead, COST, BEST, LEAST, COUNT, c=literals, **known, **operands(given, s))


def score(given: Setting, s: State, cost: Fraction) -> Note:
    rules = s.tried or ()
    lead = "{h} gets {wrong} {wrong:example|examples} wrong."
    if s.cost is not None and cost == s.cost:
        lead += " It costs as much as the best, which came first and stays."
    known = tried(given, s, rules, s.wrong) | operands(given, s)
    return note(lead, COST, BEST, LEAST, COUNT, **known)


def better(given: Setting, s: State, old: Fraction | None) -> Note:
    lead = "{h} is the first that is scored, and so the best so far."
    if old is not None:
        lead = "{h} costs less than the best so far: {least} instead of {old}."
    before = Operand("none" if old is None else float(old), digits=-1)
    known = operands(given, s) | tried(given, s, s.rules, s.wrong)
    known["h"] = operands(given, s)["best"]
    return note(lead, COST, COUNT, old=before, **known)


def breaks(given: Setting, s: State, found: tuple[tuple[int, Fraction], ...]) -> Note:
    """The note of the values of α at which the answer changes."""
    lead = "One answer is best for every α, of {first} {first:literal|literals}."
    if len(found) > 1:
        lead = (
            "The longer the rule, the cheaper a literal has to be: the answer changes at {n}"
            " {n:price|prices} α."
        )
    facts = list[Fact]()
    longest = found[0][0]
    known = {"first": Operand(longest, about=f"size {longest}")}
    for k, ((longer, _), (shorter, alpha)) in enumerate(pairwise(found)):
        text = f"{{s{k}}} {{s{k}:literal|literals}} from here on, {{l{k}}} below"
        facts.append(Fact(f"α = {{a{k}}}", text))
        known[f"a{k}"] = Operand(alpha, about="breaks")
        known[f"s{k}"] = Operand(shorter, about=f"size {shorter}")
        known[f"l{k}"] = Operand(longer, about=f"size {longer}")
    return note(lead, *facts, BEST, LEAST, n=len(found) - 1, **known, **operands(given, s))


def done(given: Setting, s: State) -> tuple[Note, Choice]:
    lead = (
        "Of {count} {count:hypothesis|hypotheses} {best} is the cheapest: {errors}"
        " {errors:example|examples} wrong, {literals} {literals:literal|literals}."
    )
    wrong = Fact("wrong examples", "{errors}")
    return note(lead, LEAST, wrong, COUNT, **operands(given, s)), choice(given, s)


def choice(given: Setting, s: State) -> Choice:
    """The choice among the best hypotheses of each size, by cost."""
    options = []
    costs = []
    for c, found in enumerate(s.found):
        if found.errors is None:
            continue
        cost = found.errors + given.alpha * c
        costs.append(cost)
        text = rules_text(given.problem, found.rules)
        options.append(Option(text, float(cost), f"size {c}", f"{found.errors} wrong", c))
    winners = tuple(k for k, cost in enumerate(costs) if cost == min(costs))
    rule = TIE if len(winners) > 1 else ""
    return Choice(
        "Which is the cheapest?",
        tuple(options),
        winners,
        winners[0],
        rule,
        "cost",
        smallest=True,
        digits=3,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    problem = given.problem
    label = int(predict(given, s, x[None])[0])
    values = to_values(problem.features, x[None])
    answer = problem.class_text(label)
    best = rules_text(problem, s.rules)
    first = next((rule for rule in s.rules if covers(rule, values)[0]), None)
    if first is None:
        lead = "{best} does not hold here, so the answer is {answer}."
        return Explanation(label, note(lead, best=best, answer=answer))
    lead = "{first} holds here, so {best} holds and the answer is {answer}."
    text = conjunction_text(problem, first)
    return Explanation(label, note(lead, first=text, best=best, answer=answer))
