"""What entropy says: bits of the whole, of the branches, and what is gained, by hand."""

from engine.authoring import (
    Choice,
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
from engine.base.notation import Share, agreeing_digits, counted, number, parting
from engine.experiments.entropy import Params, Setting, State, plain_mean
from engine.numerics.closeness import OF_TERMS, tied_with_best
from engine.numerics.impurity import entropy, remainder

SUMMARY = (
    "Measures in bits how uncertain a class is, and what a split of one column tells about it: step"
    " through the thresholds, or set one by hand. The gain in bits rises where errors and eye see"
    " nothing yet."
)
ERRATA = (
    (
        "MIT 2.4.19 prints ¼ for the plain mean of the entropies 0 and 1; it is ½. Its point"
        " stands: the plain mean counts a branch of one row as much as a branch of two hundred, so"
        " the lab weighs the branches by their rows."
    ),
)
FEW = 5  # branches that are written out
SHOWN = 8  # splits in the choice, or as many as are best
GINI = Fact("Gini’s impurity falls by (extension)", "{gini}")
ERROR = Fact("the errors of the larger class fall by", "{error} of the rows")
BY_GINI = Fact("Gini’s impurity would take (extension)", "{by_gini}")
BY_ERROR = Fact("the error would take", "{by_error}")
PLAIN = Fact("plain mean of the branches, not used", "{plain} {plain:bit|bits}")


def chips(p: Params) -> tuple[str, ...]:
    if p.counts:
        return ("counts by hand",)
    if p.threshold is not None:
        return (f"threshold {short(p.threshold)}",)
    return ()


def wording(p: Params) -> Mapping[str, str]:
    if p.counts or p.threshold is not None:
        return {"split": "for the split as given:"}
    return {}


def threshold(given: Setting, k: int) -> str:
    """The threshold of split k with as few digits as tell it from the values on both sides."""
    at = given.splits[k].at
    values = given.problem.X[:, given.splits[k].column]
    low = values[values <= at].max(initial=-np.inf)
    high = values[values > at].min(initial=np.inf)
    return parting(at, low, high, number(at)) if low < at else number(at)


def branch_names(given: Setting, k: int) -> tuple[str, ...]:
    """The names of the branches of split k: values of a column of words, or "≤ t" and "> t"."""
    split = given.splits[k]
    if np.isnan(split.at):
        return split.branches
    return tuple(f"{sign} {threshold(given, k)}" for sign in split.branches)


def named(given: Setting, k: int) -> str:
    """A split as a condition: x ≤ 2.5, Patrons, Patrons = Full."""
    split = given.splits[k]
    if given.p.counts:
        return "The split as given"
    feature = given.problem.features[split.column]
    if not np.isnan(split.at):
        return f"{feature.title} ≤ {threshold(given, k)}"
    if split.branches[-1:] == ("others",):
        return f"{feature.title} = {split.branches[0]}"
    return feature.title


def bits(name: str, counts: Float, about: str) -> tuple[str, dict[str, Operand]]:
    """(template 'B({q})' for two classes or 'H({q_0}, …)' for more, its operands) of counts (k,).

    Classes without rows are left out.
    """
    size = float(counts.sum())
    if len(counts) == 2:
        share = Share((float(counts[0]), size))
        return f"B({{{name}}})", {name: Operand(share, about=about)}
    shares = dict[str, Operand]()
    for c in np.flatnonzero(counts).tolist():
        share = Share((float(counts[c]), size))
        shares[f"{name}_{c}"] = Operand(share, about=about)
    body = ", ".join("{" + key + "}" for key in shares)
    return f"H({body})", shares


def whole(given: Setting, s: State) -> Note:
    counts = given.whole(s.current)
    n = float(counts.sum())
    H = float(entropy(counts))
    named_counts = zip(counts, given.classes, strict=True)
    parts = ", ".join(f"{number(count)} {name}" for count, name in named_counts if count)
    lead = "Before any split: {n} {n:row|rows}, {parts}. "
    if H == 0:
        lead += "There is nothing left to learn: {H} {H:bit|bits}."
    else:
        lead += "To learn the class of one of them tells {H} {H:bit|bits}."
    formulas, shares = sum_of_terms(given, counts)
    left_out = given.left_out
    return note(
        lead + left_out.sentence,
        *(formulas if H else []),
        n=Operand(n, about="whole"),
        parts=Operand(parts),
        H=Operand(H, "H", "whole", 4),
        **left_out.operands,
        **(shares if H else {}),
    )


def sum_of_terms(given: Setting, counts: Float) -> tuple[list[Formula], dict[str, Operand]]:
    """(the formula −Σ P(v) log₂ P(v), its operands) of counts (k,); of many classes the first
    terms.
    """
    n = float(counts.sum())
    there = np.flatnonzero(counts).tolist()
    terms = list[str]()
    shares = dict[str, Operand]()
    for c in there[:FEW]:
        symbol = f"P({given.classes[c]})"
        if len(counts) == 2:
            symbol = ("q", "(1 − q)")[c]
        shares[f"q{c}"] = Operand(Share((float(counts[c]), n)), symbol, "whole")
        terms.append(f"{{q{c}}} log₂ {{q{c}}}")
    if len(there) > FEW:
        terms.append("…")
    left = "B(q) =" if len(counts) == 2 else "H ="
    return [Formula(left, f"−({' + '.join(terms)})", "{H}")], shares


def split(given: Setting, s: State) -> Note:
    sizes = given.splits[s.current].counts.sum(axis=1)
    lead = "Split by {name}: {b} {b:branch|branches}."
    if len(sizes) == 2 and not sizes.all():
        lead = "Split by {name}: no row on one side."
    return note(lead, name=Operand(named(given, s.current), about="split"), b=len(sizes))


def means(given: Setting, s: State) -> tuple[str, dict[str, Operand]]:
    """(template '{s0} B({q0}) + {s1} B({q1})', its operands) of the current split; of many branches
    only that it is a sum.
    """
    counts = given.splits[s.current].counts
    n = float(counts.sum())
    there = [b for b, row in enumerate(counts) if row.sum()]
    if len(there) > FEW or np.count_nonzero(given.whole(s.current)) > FEW:
        return f"Σ of {counted(len(there), 'branch', 'branches')}", {}
    terms = []
    operands = dict[str, Operand]()
    for b in there:
        body, shares = bits(f"q{b}", counts[b], f"branch {b}")
        operands |= shares
        size = Share((float(counts[b].sum()), n))
        operands[f"s{b}"] = Operand(size, about=f"branch {b}")
        terms.append(f"{{s{b}}} {body}")
    return " + ".join(terms), operands


def rest(given: Setting, s: State) -> Note:
    counts = given.splits[s.current].counts
    body, operands = means(given, s)
    lead = (
        "After the split {rest} {rest:bit is|bits are} missing, the mean of the branches by their"
        " rows."
    )
    return note(
        lead,
        Formula("rest =", body, "{rest}"),
        PLAIN,
        rest=Operand(remainder(counts), "rest", "rest", 4),
        plain=plain_fact(given, s),
        **operands,
    )


def plain_fact(given: Setting, s: State) -> Operand:
    """The unweighted mean entropy of the branches of the current split, as an operand."""
    return Operand(plain_mean(given.splits[s.current].counts), about="plain", digits=4)


def gain(given: Setting, s: State) -> Note:
    """The note of a split's gain: entropy of all rows less the mean entropy of the branches."""
    counts = given.splits[s.current].counts
    found = s.tried[s.current]
    before = float(entropy(given.whole(s.current)))
    after = remainder(counts)
    digits = agreeing_digits((before, after), lambda a, b: a - b, found.gain, 4, least=4)
    lead = "{name} gains {gain} {gain:bit|bits}."
    if found.gain == 0:
        lead = "{name} gains nothing: the branches are as mixed as the whole."
    elif s.best == s.current and len(given.splits) > 1:
        lead = "{name} gains {gain} {gain:bit|bits}, the most so far."
    body, operands = means(given, s)
    return note(
        lead,
        Formula("rest =", body, "{after}"),
        Formula("gain =", "{before} − {after}", "{gain}"),
        GINI,
        ERROR,
        PLAIN,
        name=Operand(named(given, s.current), about="split"),
        before=Operand(before, "H", "whole", digits),
        after=Operand(after, "rest", "rest", digits),
        gain=Operand(found.gain, "gain", "gain", 4),
        gini=Operand(found.gini, about="gini", digits=4),
        error=Operand(found.error, about="error", digits=4),
        plain=plain_fact(given, s),
        **operands,
    )


def best(given: Setting, s: State) -> tuple[Note, Choice]:
    gains = np.array([found.gain for found in s.tried])
    by_gini = int(np.argmax([found.gini for found in s.tried]))
    by_error = int(np.argmax([found.error for found in s.tried]))
    lead = "Of {n} {n:split|splits} {name} gains most: {gain} {gain:bit|bits}."
    if len(gains) == 1:
        lead = "{name} gains {gain} {gain:bit|bits}."
    if gains.max() == 0:
        lead = "No split gains anything: all the branches are as mixed as the whole."
    words = note(
        lead,
        *((BY_GINI, BY_ERROR) if len(gains) > 1 and gains.max() else ()),
        n=len(gains),
        name=Operand(named(given, s.best), about="split"),
        gain=Operand(float(gains.max()), about="gain", digits=4),
        by_gini=named(given, by_gini),
        by_error=named(given, by_error),
    )
    return words, candidates(given, s, gains)


def candidates(given: Setting, s: State, gains: Float) -> Choice:
    """The choice among the splits of largest gain, ties with the best first. gains: (m,) in bits"""
    winners = np.flatnonzero(tied_with_best(gains, size=1.0, share=OF_TERMS)).tolist()
    order = np.argsort(-gains, kind="stable")[: max(SHOWN, len(winners))].tolist()
    shown = [*winners, *(k for k in order if k not in winners)]
    options = tuple(
        Option(named(given, k), float(gains[k]), "split" if k == s.best else "", value=k)
        for k in shown
    )
    rule = "the first of equals" if len(winners) > 1 else ""
    taken = tuple(range(len(winners)))
    return Choice("Which split gains most?", options, taken, 0, rule, "bits")
