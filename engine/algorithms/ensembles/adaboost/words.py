"""What AdaBoost says: weighted errors, changed weights and votes, with fractions where a hand can
check them. AIMA 18.10.
"""

from fractions import Fraction
from math import log

from engine.algorithms.ensembles.adaboost import Params, Setting, State
from engine.algorithms.ensembles.parts.learners import LeafTie
from engine.algorithms.ensembles.parts.pictures import has_gaps
from engine.algorithms.ensembles.parts.stumps import Learner, Stump, Tree
from engine.algorithms.ensembles.parts.words import vote_explanation
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    Sequence,
    Words,
    note,
    np,
    number,
)
from engine.base.notation import agreeing_digits, counted, subscript
from engine.base.sums import add_up
from engine.numerics.closeness import LAST_DIGITS, equal
from engine.table.problem import Problem

BY_HAND = 40  # rows up to which weights are shown as fractions
LISTED = 6  # terms of a sum that are all written out
SOME = 2  # of a longer one
LEAVES = 4  # leaves with a tie that are named

SUMMARY = (
    "Teaches weak learners one after the other. Each round the examples that the last one got wrong"
    " gain weight, so the next one looks at them; in the end all vote, the better ones with more"
    " weight."
)
ERRATA = (
    (
        "AIMA Fig 18.34 prints z = log(1 − error)/error. With error 1/6 that is −1.09, a vote"
        " against a good learner; the bracket belongs round the fraction, z = log[(1 −"
        " error)/error] = 1.61, and that is what runs here."
    ),
    (
        "The figure is silent about error = 0 (z would be infinite, all weights 0) and error ≥ ½ (z"
        " would be 0 or less): here the first gets all the vote and both end the run."
    ),
    (
        "AIMA 18.10 promises training error 0 for enough rounds. That needs a weak learner that is"
        " right on more than half of the weight in every round, whatever the weights are."
    ),
)
RIGHT_WEIGHT = Formula("w ←", "{w} · {error} / (1 − {error})", "{after}")
NORMALISE = Formula("w ←", "{w} / {whole}", "{after}")
VOTE = Formula("z =", "log[(1 − {error}) / {error}]", "{z}")
HALF = Fact("its error on the new weights", "{half}")
PRINTED = Fact("as printed, without the bracket: log(1 − error)/error", "{printed}")
ERRORS = Fact("wrong by the vote", "{errors} of {n}, bound {bound}")
SHARES = Fact("weight in all", "wrong ones {wrong_share}, right ones {right_share}")
UNITS = {"error": "weighted error", "gain": "bits", "gini": "less impurity"}


def chips(p: Params) -> tuple[str, ...]:
    kind = {"stump": "stumps", "tree": f"trees of depth {p.depth}", "line": "lines"}[p.learner]
    return (kind, "copies") if p.copies == "replicated" else (kind,)


def exact(given: Setting, value: float) -> float | Fraction:
    """The value as a fraction where it has a small denominator and the table is small, else as a
    float.
    """
    near = Fraction(value).limit_denominator(400)
    short = given.problem.n <= BY_HAND and equal(float(near), value, 1.0, LAST_DIGITS)
    return near if short else value


def weight(given: Setting, value: float, about: str = "") -> Operand:
    """A weight as an operand, with four digits or as a fraction."""
    return Operand(exact(given, value), digits=4, about=about)


def hypothesis(s: State, about: str = "learner") -> Operand:
    """The name h[k] of this round as an operand."""
    return Operand(f"h{subscript(s.round)}", about=about)


def init(given: Setting, s: State) -> Note:
    lead = (
        "Every example starts with the same weight {w}; together they weigh 1. There is no vote"
        " yet."
    )
    n = given.known
    return note(
        lead,
        Formula("w[j] =", "1 / {n}", "{w}"),
        w=Operand(exact(given, 1 / n), "w", "data", 4),
        n=Operand(n, "N"),
    )


def loop(given: Setting, s: State) -> Note:
    return note("Round {k} of {rounds}.", k=s.round, rounds=given.p.rounds)


def learn(
    given: Setting, s: State, tied: tuple[int, ...], leaves: tuple[LeafTie, ...], hand: bool = False
) -> Words:
    """The note, and choice, of h[k] and the stumps it was compared with. tied: indices of the best
    ones
    """
    assert s.learner is not None
    names = candidate_names(given, s)
    taken = taken_of(s, tied)
    lead = "Round {k}: L learns {h} from the examples with their weights: {rule}."
    operands: dict[str, object] = {
        "k": s.round,
        "h": hypothesis(s),
        "rule": Operand(said(given.problem, s.learner), about="learner"),
        "ties": "",
        "leaves": leaves_text(given.problem, leaves),
    }
    if s.copies is not None:
        lead = (
            "Round {k}: L learns {h} from {copied} {copied:copy|copies}, w · {M} of each example"
            " with fractions by chance: {rule}."
        )
        operands["copied"] = int(s.copies.sum())
        operands["M"] = given.size
    facts = list[Fact]()
    if len(tied) > 1:
        facts.append(Fact("tie", "{ties}"))
        equal = ", ".join(names[i] for i in tied)
        how = "is taken by hand" if hand else "comes first in column order"
        operands["ties"] = f"{equal} are equally good, {names[taken]} {how}"
    if leaves:
        facts.append(Fact("tie in a leaf", "{leaves}"))
    say = note(lead, *facts, **operands)
    if not s.candidates:
        return say, None
    return say, stump_choice(given, s, names, tied, taken)


def candidate_names(given: Setting, s: State) -> list[str]:
    """The candidate stumps as text; the root of a tree by its test alone."""
    features = given.problem.features
    if given.p.learner == "tree":
        return [candidate.stump.question(features) for candidate in s.candidates]
    return [candidate.stump.text(features) for candidate in s.candidates]


def taken_of(s: State, tied: tuple[int, ...]) -> int:
    """The index of h[k] among the best stumps; of the first of them where h[k] is none of them."""
    for i in tied:
        if s.candidates[i].stump == s.learner:
            return i
    return tied[0] if tied else 0


def stump_choice(
    given: Setting, s: State, names: Sequence[str], tied: tuple[int, ...], taken: int
) -> Choice:
    """The choice among the stumps compared for h[k], or for the root of a tree."""
    criterion = given.p.criterion
    by_error = criterion == "error"
    columns = given.problem.column_tags
    options = list[Option]()
    for i, candidate in enumerate(s.candidates):
        stump = candidate.stump
        about = "learner" if i == taken else columns[stump.column]
        error = "" if by_error else f"weighted error {number(candidate.error, 4)}"
        value = (stump.column, stump.value)
        options.append(Option(names[i], candidate.measure, about, error, value))
    order = ""
    if len(tied) > 1:
        order = "equal: the first in column order; in a column the first cut"
    prompt = "Which test at the root?" if given.p.learner == "tree" else "Which stump?"
    return Choice(prompt, tuple(options), tied, taken, order, UNITS[criterion], by_error)


def leaves_text(problem: Problem, leaves: Sequence[LeafTie]) -> str:
    """For each tied leaf "Patrons = Full: Yes and No weigh the same, the last of them, No, wins";
    at most LEAVES of them.
    """
    texts = []
    for tie in leaves[:LEAVES]:
        *names, last = map(problem.class_text, tie.classes)
        rule = f"{', '.join(names)} and {last} weigh the same, the last of them, {last}, wins"
        texts.append(f"{leaf_name(problem, tie.stump, tie.branch)}: {rule}")
    if len(leaves) > LEAVES:
        texts.append(f"so in {len(leaves) - LEAVES} more")
    return "; ".join(texts)


def leaf_name(problem: Problem, stump: Stump, branch: int) -> str:
    """The condition of a branch: 'x₂ > 0.36', 'x₂ ≤ 0.36', 'Patrons = Full', 'x₂ missing'."""
    if stump.test == "none":
        return "all examples"
    feature = problem.features[stump.column]
    if branch == len(stump.classes) - 1:
        return f"{feature.title} missing"
    if stump.test == "values":
        return f"{feature.title} = {feature.text(float(branch))}"
    question = stump.question(problem.features)
    rest = question.removeprefix(feature.title)
    sign, other = ">≤" if stump.test == "threshold" else "=≠"
    return question if branch else feature.title + rest.replace(sign, other, 1)


def said(problem: Problem, learner: Learner) -> str:
    """A learner as text, with the classes that it gives."""
    if isinstance(learner, Stump):
        classes = [problem.class_text(c) for c in range(len(problem.classes))]
        return learner.rule(problem.features, classes, has_gaps(problem, learner))
    if isinstance(learner, Tree):
        return (
            f"a tree of {counted(len(learner.tests), 'test')} with"
            f" {learner.tests[0].question(problem.features)} at the root"
        )
    return "a line across the direction of least weighted squares"


def error(given: Setting, s: State) -> Note:
    """The note of h[k]'s error: the sum of the weights of the examples that it gets wrong."""
    wrong = np.flatnonzero(s.wrong)
    operands = {
        "h": hypothesis(s),
        "count": Operand(len(wrong), about="data"),
        "n": given.known,
        "error": Operand(exact(given, s.error), "error", "data", 4),
    }
    if not len(wrong):
        return note("{h} is right on every example: its error is 0.", **operands)
    listed = wrong if len(wrong) <= LISTED else wrong[:SOME]
    weights = [exact(given, w) for w in s.weights[listed].tolist()]
    digits = 4
    if len(listed) == len(wrong):
        digits = agreeing_digits(weights, lambda *w: add_up(w), s.error, 4, least=4)
    terms = []
    for k, (w, i) in enumerate(zip(weights, listed.tolist(), strict=True)):
        terms.append(f"{{w{k}}}")
        operands[f"w{k}"] = Operand(w, f"w({given.problem.names[i]})", "data", digits)
    if len(wrong) > len(listed):
        terms.append(f"… ({counted(len(wrong), 'weight')})")
    lead = (
        "{h} is wrong on {count} of {n} {n:example|examples}. Its error is what {count:it"
        " weighs|they weigh together}: {error}."
    )
    return note(lead, Formula("error =", " + ".join(terms), "{error}"), **operands)


def stop(given: Setting, s: State) -> Note:
    """The note of a last round: error 0 decides alone; error ≥ ½ would vote with weight 0 or
    less.
    """
    assert s.learner is not None
    if s.error == 0:
        lead = (
            "Stop: {h} ({rule}) has error 0, so z = log(1/0) = {z} and no weight would be left. It"
            " gets all the vote."
        )
        rule = s.learner.text(given.problem.features)
        vote = Operand(float("inf"), "z", "z")
        return note(lead, k=s.round, h=hypothesis(s), rule=rule, error=0.0, z=vote)
    classes = len(set(given.problem.codes[given.problem.labelled].tolist()))
    lead = (
        "Stop: {h} is wrong on {error} of the weight. A vote z = log[(1 − error)/error] counts for"
        " something only if error < ½."
    )
    if classes > 2:
        lead += (
            " With {classes} {classes:class|classes} that is more than being better than a guess;"
            " deeper trees get there sooner."
        )
    if s.round == 1:
        lead += " Nothing has a vote, so nothing is classified: try another weak learner."
    err = Operand(exact(given, s.error), "error", "data", 4)
    return note(lead, k=s.round, h=hypothesis(s), error=err, classes=classes)


def reweight(given: Setting, s: State, before: Float) -> Note:
    """The note of the lowered weights, on the first example that h[k] gets right. before: (n,)
    weights until now
    """
    i = int(np.flatnonzero(~s.wrong & given.problem.labelled)[0])
    w = exact(given, float(before[i]))
    err = exact(given, s.error)
    after = float(s.weights[i])
    digits = agreeing_digits((w, err), lambda w, e: w * e / (1 - e), after, 4, least=4)
    lead = "Every example that {h} gets right loses weight: times {factor}."
    return note(
        lead,
        RIGHT_WEIGHT,
        SHARES,
        h=hypothesis(s),
        error=Operand(err, "error", "data", digits),
        factor=weight(given, s.error / (1 - s.error)),
        **weighed(given, s, i, w, digits),
    )


def weighed(
    given: Setting, s: State, i: int, w: float | Fraction, digits: int
) -> dict[str, Operand]:
    """The operands of example i, of weight w before, and of the sums of weights of wrong and right
    examples.
    """
    return {
        "w": Operand(w, f"w({given.problem.names[i]})", "data", digits),
        "after": weight(given, float(s.weights[i]), "data"),
        "wrong_share": weight(given, float(s.weights[s.wrong].sum())),
        "right_share": weight(given, float(s.weights[~s.wrong].sum())),
    }


def normalise(given: Setting, s: State) -> Note:
    """The note of the normalised weights, on the first example that h[k] gets wrong."""
    i = int(np.flatnonzero(s.wrong)[0])
    after = s.weights[s.wrong]
    whole = exact(given, 2 * s.error)  # Σ w before: right and wrong ones weighed the same
    w = exact(given, float(after[0]) * 2 * s.error)
    digits = agreeing_digits((w, whole), lambda w, whole: w / whole, float(after[0]), 4, least=4)
    lead = (
        "Divided by their sum: the {count} {count:example|examples} that {h} gets wrong now"
        " {count:weighs|weigh} {half}."
    )
    return note(
        lead,
        NORMALISE,
        SHARES,
        h=hypothesis(s),
        half=weight(given, float(after.sum())),
        count=Operand(len(after), about="data"),
        whole=Operand(whole, "Σ w", digits=digits),
        **weighed(given, s, i, w, digits),
    )


def z(given: Setting, s: State) -> Note:
    """The note of the vote z of h[k]; the weights are already the new ones."""
    assert s.learner is not None
    n = given.known
    vote = s.z[-1]
    digits = agreeing_digits((s.error,), lambda e: log((1 - e) / e), vote, least=4)
    facts = (HALF, ERRORS, PRINTED) if s.round == 1 else (HALF, ERRORS)
    return note(
        "Round {k}: {rule} gets the vote {z}.",
        VOTE,
        *facts,
        k=s.round,
        rule=Operand(s.learner.text(given.problem.features), about="learner"),
        error=Operand(exact(given, s.error), "error", digits=digits),
        z=Operand(vote, "z", "z"),
        half=weight(given, float(s.weights[s.wrong].sum())),
        errors=s.errors,
        n=n,
        bound=Operand(min(s.bound, n), digits=1),
        printed=float(np.log(1 - s.error) / s.error),
    )


def return_(given: Setting, s: State, ties: int) -> Note:
    k = len(s.z)
    lead = (
        "The result: the weighted majority of {learners}; the class with the larger sum of z wins. "
    )
    if k == 0:
        lead = "No learner has a vote: the result classifies nothing. "
    elif np.isinf(s.z[-1]):
        lead = "The result: {h} decides alone, because its error is 0. "
    lead += "It gets {errors} of {n} {n:example|examples} wrong."
    if ties:
        lead += " On {ties} of the {n} the best classes have equal votes: the first of them wins."
    h = Operand(f"h{subscript(k)}", about="z")
    return note(
        lead, learners=counted(k, "learner"), h=h, k=k, errors=s.errors, n=given.known, ties=ties
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    return vote_explanation(given.problem, s.learners, s.z, x)
