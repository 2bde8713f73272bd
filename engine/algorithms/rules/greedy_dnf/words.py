"""What the greedy rules say."""

from engine.algorithms.rules.greedy_dnf import Counts, Params, Setting, State, predict
from engine.algorithms.rules.parts import words
from engine.algorithms.rules.parts.words import (
    HYPOTHESIS,
    LOWEST,
    RULE,
    WRONG,
    candidates,
    name,
    obstacle,
    operands,
)
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    Words,
    note,
    short,
)
from engine.base.notation import Share, counted
from engine.numerics.boolean import covers, ones, to_values
from engine.protocol.step import verbatim
from engine.scene.boolean import MISSING

SUMMARY = (
    "For yes/no columns. Builds rules one after the other: each grows by the column with the best"
    " ratio of positives to negatives until it covers no negatives, then the positives that it"
    " covers are done."
)
ERRATA = (
    (
        "MIT 2.2.38-2.2.39: the formula has the floor 0.001, the lecturer says a million times the"
        " numerator. They rank alike for fewer than 1000 positives only."
    ),
    (
        "MIT 2.2.40 joins r to h before it asks whether r covers anything. Here a useless rule"
        " never joins."
    ),
    (
        "MIT 2.2.40 lets columns with n⁺ = 0 join, so a rule can grow until it covers nothing. That"
        " is “literal”; “keep” and “drop” leave such columns out."
    ),
    (
        "MIT 2.3.20 says “fewer than” ε. It must be “at most”: else ε = 1 still builds a rule, and"
        " ε = 0 is never reached."
    ),
)
VALUE = Formula("v({name}) =", "{plus} / max({minus}, {floor})", "{score}")
OPTIONS = 40  # in a choice
SHOWN = 12  # scores beside the formula
STUCK = {
    "literal": "No column makes N smaller. r = {rule} still covers {N}.",
    "keep": "No column with n⁺ > 0 makes N smaller. r = {rule} is kept, though it covers {N}.",
    "drop": "No column with n⁺ > 0 makes N smaller. r = {rule} is discarded, and the search stops.",
}


def chips(p: Params) -> tuple[str, ...]:
    floor = () if p.floor == "0.001" else (f"floor {p.floor}",)
    return (f"ε = {short(p.epsilon)}", f"stuck: {p.stuck}", *floor)


def start(given: Setting, s: State) -> Note:
    return words.start_note(given.problem, s)


def outer(given: Setting, s: State) -> Note:
    lead = "Positives not covered yet: {P}. Another rule is needed."
    return note(lead, HYPOTHESIS, **operands(given.problem, s))


def rule(given: Setting, s: State) -> Note:
    lead = "A new rule starts as True, which covers everything: also all negatives, {N}."
    return note(lead, Fact("P", "{P}"), Fact("N", "{N}"), **operands(given.problem, s))


def inner(given: Setting, s: State) -> Note:
    lead = "r = {rule} still covers {N}: it needs another column."
    return note(lead, RULE, Fact("N", "{N}"), **operands(given.problem, s))


def score(
    given: Setting, s: State, found: Counts, winners: tuple[int, ...], hand: bool = False
) -> Words:
    problem = given.problem
    j = s.chosen
    lead = "{name} has the largest score."
    if len(winners) > 1:
        lead = f"{counted(len(winners), 'column')} have the largest score. "
        lead += "{name} is taken by hand." if hand else "The lowest, {name}, is taken."
    if found.minus[j] == len(s.N):
        lead += " It removes no row of N."
    known = {
        "name": name(problem, j),
        "plus": Operand(int(found.plus[j]), "n⁺"),
        "minus": Operand(int(found.minus[j]), "n⁻"),
        "floor": Operand(given.floor, "floor"),
        "score": Operand(s.scores[j]),
    }
    shown = candidates(s)[:SHOWN]
    facts = [Fact(f"v({verbatim(problem.features[k].title)})", f"{{v{k}}}") for k in shown]
    shares = {f"v{k}": Share((int(found.plus[k]), int(found.minus[k]))) for k in shown}
    said = note(lead, VALUE, *facts, **known, **shares, **operands(problem, s))
    return said, choice(given, s, found, winners)


def choice(given: Setting, s: State, found: Counts, winners: tuple[int, ...]) -> Choice:
    """The choice among the columns that may join; of many the first ones and those of largest
    score.
    """
    listed = sorted({*candidates(s)[:OPTIONS], *winners})
    options = tuple(
        Option(
            given.problem.features[k].title,
            float(s.scores[k] or 0),
            "scores",
            f"{found.plus[k]}/{found.minus[k]}",
            k,
        )
        for k in listed
    )
    best = tuple(listed.index(k) for k in winners)
    rule = LOWEST if len(winners) > 1 else ""
    chosen = listed.index(s.chosen)
    return Choice("Which column joins r?", options, best, chosen, rule, "v", digits=3)


def stuck(given: Setting, s: State) -> Note:
    return note(STUCK[given.p.stuck], RULE, Fact("N", "{N}"), **operands(given.problem, s))


def add(given: Setting, s: State) -> Note:
    return words.add_note(given.problem, s, s.chosen)


def drop(given: Setting, s: State) -> Note:
    return words.drop_note(given.problem, s, s.chosen)


def fail(given: Setting, s: State, dropped: bool) -> Note:
    why = "r was discarded" if dropped else "r = {rule} covers none of P"
    lead = f"Fail: {why}, so {{P}} stays uncovered. h = {{h}} is what there is."
    lead = " ".join((lead, *obstacle(given.problem, s)))
    return note(lead, HYPOTHESIS, **operands(given.problem, s))


def keep(given: Setting, s: State) -> Note:
    known = operands(given.problem, s, growing=False)
    return note("r = {rule} joins: h = {h}.", HYPOTHESIS, WRONG, **known)


def cover(given: Setting, s: State) -> Note:
    lead = "r = {rule} covers {gone} of P. Left in P: {P}."
    known = operands(given.problem, s, growing=False)
    return note(lead, HYPOTHESIS, Fact("P", "{P}"), WRONG, **known)


def done(given: Setting, s: State) -> Note:
    return words.done_note(given.problem, s, s.failed)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    label = int(predict(given, s, x[None])[0])
    if label < 0:
        return Explanation(label, MISSING)
    values = to_values(given.problem.features, x[None])
    true = next((k for k, rule in enumerate(s.rules) if covers(ones(rule), values)[0]), None)
    return Explanation(label, words.explain_note(given.problem, s, s.rules, true, label))
