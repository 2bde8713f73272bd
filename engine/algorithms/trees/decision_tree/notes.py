"""Notes of the decision tree: gains by hand, leaves and their classes, ways, what pruning weighs.

AIMA 18.3.2-18.3.6, MIT 2.4.
"""

from math import floor, log10

from engine.algorithms.trees.decision_tree import Setting, State, expected_counts, worth_keeping
from engine.algorithms.trees.decision_tree.pruning import Deviation, HeldOut
from engine.algorithms.trees.parts.model import Tree, Why
from engine.algorithms.trees.parts.naming import TreeWords
from engine.authoring import Fact, Float, Formula, Int, Note, Operand, note, np, number, plural
from engine.base.notation import Share, agreeing_digits, counted
from engine.base.sums import add_up
from engine.numerics.impurity import impurity_of
from engine.protocol.step import verbatim

MOST_TERMS = 6
MOST_RULES = 12
MOST_DIGITS = 7  # of an expected count: more would tell only whether Δ was rounded up or down
_ROUNDING = 1e-9  # of a sum of parts of examples
_DUST = 1e-12  # bits that only rounding leaves
_SMALL = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
INFORMATION = Fact("split information", "{information}{unit}")
RATIO = Fact("gain ratio", "{whole_gain} / {information} = {ratio}")
FREEDOM = Fact("degrees of freedom", "{freedom}")
CRITICAL = Fact("critical value at {level}", "{critical}")
CHANCE = Fact("p", "{p}")
HELD_OUT = Fact("held-out errors", "{kept} with the tests, {leaf} as a leaf")


def count_word(count: int) -> str:
    return _SMALL[count] if count < len(_SMALL) else str(count)


def gain_note(
    lead: str, totals: Float, branches: Float, importance: str, **operands: object
) -> Note:
    """`lead`, and the gain worked out by hand from the class weights of the branches. AIMA 18.3.4.

    totals: at the node, also of examples that lack the value.
    """
    rows = branches.tolist()
    size = float(totals.sum())
    sizes = [add_up(row) for row in rows]
    known = [add_up(column) for column in zip(*rows, strict=True)]
    share = add_up(known) / size
    before = impurity_of(known, importance == "gini")
    disorder = add_up(
        s * impurity_of(row, importance == "gini") for s, row in zip(sizes, rows, strict=True)
    )
    rest = disorder / add_up(known)
    gain = share * (before - rest)
    information = impurity_of(sizes)
    gain = gain if gain > _DUST else 0.0
    ratio = gain / information if information > 0 else 0.0
    digits = agreeing_digits(
        (before, rest), lambda before, rest: share * (before - rest), gain, 4, least=4
    )
    of_ratio = agreeing_digits((gain, information), lambda gain, of: gain / of, ratio, 4, least=4)
    parts = _decimals(add_up(known), gain)
    body, terms = _gain_body(rows, sizes, known, importance, parts)
    bits = unit(importance, gain)
    formula = Formula("Gain =", body, "{before} − {rest} = {gain}" + bits)
    if share < 1 - 1e-12:
        formula = Formula(
            "Gain =", "{share} · (" + body + ")", "{share} · ({before} − {rest}) = {gain}" + bits
        )
    facts = (INFORMATION, *((RATIO,) if information > 0 else ())) if importance == "ratio" else ()
    return note(
        lead,
        formula,
        *facts,
        before=Operand(before, digits=digits),
        rest=Operand(rest, digits=digits),
        gain=Operand(gain, digits=4),
        share=_share(add_up(known), size, parts),
        whole_gain=Operand(gain, digits=of_ratio),
        information=Operand(information, digits=of_ratio),
        unit=unit("", information),
        ratio=Operand(ratio, digits=4),
        **terms,
        **operands,
    )


def _gain_body(
    rows: list[list[float]], sizes: list[float], known: list[float], importance: str, digits: int
) -> tuple[str, dict[str, Operand]]:
    """'B({q}) − [{s0} B({q0}) + {s1} B({q1})]'; empty branches add nothing and are left out."""
    whole, operands = term("q", known, importance, digits=digits)
    filled = [b for b, size in enumerate(sizes) if size > 0]
    if len(filled) > MOST_TERMS:
        return f"{whole} − Σ of {counted(len(filled), 'branch', 'branches')}", operands
    terms = []
    for b in filled:
        part, values = term(f"q{b}", rows[b], importance, f"branch{b}", digits)
        operands |= values | {f"s{b}": _share(sizes[b], add_up(known), digits, f"branch{b}")}
        terms.append(f"{{s{b}}} {part}")
    return f"{whole} − [{' + '.join(terms)}]", operands


def _decimals(known: float, gain: float) -> int:
    """So many for parts of examples that the gain, with four decimals, follows from
    what is shown.
    """
    return (4 if gain >= 1e-3 else 5) - min(0, floor(log10(round(known, 9))))


def _share(part: float, whole: float, digits: int, about: str = "") -> Operand:
    return Operand(Share((round(part, 9), round(whole, 9))), about=about, digits=digits)


def term(
    name: str, counts: list[float], importance: str, about: str = "", digits: int = 2
) -> tuple[str, dict[str, Operand]]:
    """(template, operands) of an entropy: 'B({q})' for two classes, 'H({q_0}, …)' for more, 'I(…)'
    for the Gini impurity.
    """
    size = add_up(counts)
    if len(counts) == 2 and importance != "gini":
        return f"B({{{name}}})", {name: _share(counts[0], size, digits, about)}
    filled = [k for k, count in enumerate(counts) if count > 0]
    shares = {f"{name}_{k}": _share(counts[k], size, digits, about) for k in filled}
    return (
        f"{'I' if importance == 'gini' else 'H'}({', '.join('{' + key + '}' for key in shares)})",
        shares,
    )


def unit(importance: str, value: float) -> str:
    return "" if importance == "gini" else (" bit" if abs(value - 1) < 5e-5 else " bits")


def leaf_note(
    words: TreeWords,
    why: Why,
    where: str,
    totals: Float,
    label: int,
    tied: bool,
    rule: str,
    stop: str,
) -> Note:
    """The note of why a node is a leaf, and how its class was found. AIMA Fig 18.5."""
    leads = {
        Why.EMPTY: (
            "No example has {where}. The leaf says what most examples of its parent are: {label}."
        ),
        Why.PURE: _same(float(totals.sum())) + ": a leaf.",
        Why.NO_TEST: (
            "No attribute divides {size:this|these} {size} {size:example|examples} ({counts}). The"
            " leaf says what {size:it is|most are}: {label}."
        ),
        Why.STOPPED: "{stop}: a leaf for {counts}. It says what most are: {label}.",
    }
    lead = leads[why]
    if tied:
        lead += tie_words(rule, " in the parent" if why is Why.EMPTY else "")
    return note(
        lead,
        where=Operand(where or "this branch", about="current"),
        counts=words.counts(totals),
        stop=stop,
        size=Operand(float(totals.sum())),
        label=Operand(words.problem.class_text(label), about="current"),
    )


def tie_words(rule: str, where: str = "") -> str:
    """A sentence on how a leaf's class was found where two classes tie. AIMA Fig 18.5: at
    random.
    """
    said = "the seed draws one" if rule == "random" else "the first class is taken"
    return f" There is no majority{where}; {said}."


def _same(size: float) -> str:
    """All examples of a leaf are of one class; where values are missing parts of examples count
    too.
    """
    if size < 1 - _ROUNDING:
        return "The part of an example here, {size}, is {label}"
    if abs(size - 1) <= _ROUNDING:
        return "The one example here is {label}"
    return (
        "Both examples here are {label}"
        if abs(size - 2) <= _ROUNDING
        else "{size:|All }{size} {size:example|examples} here {size:is|are} {label}"
    )


def path_note(
    words: TreeWords, tree: Tree, ends: Int, weights: Float, label: int, rule: str
) -> Note:
    """Why a place gets its label: the conjunction of its way, or the mixture of ways where a value
    is missing.

    ends, weights: where it comes to, the heaviest first; rule: for plurality ties
    """
    if len(ends) == 1:
        return _way_note(words, tree, int(ends[0]), label, rule)
    lead = (
        "A value is missing: the place goes down {count} {count:way|ways}, weighted by their"
        " frequency, and is called {label}."
    )
    shown = [int(n) for n in ends[:MOST_TERMS]]
    more = len(ends) - MOST_TERMS
    facts = [Fact(f"{number(w)} of it", f"{{way{i}}}") for i, w in enumerate(weights[:MOST_TERMS])]
    if more > 0:
        rest = number(float(weights[MOST_TERMS:].sum()))
        facts.append(Fact(f"and {more} more {plural(more, 'way')}", f"{rest} of it"))
    ways = {
        f"way{i}": f"{words.rule(tree, tree.way_to(n))}: {_examples(words, tree, n)}"
        for i, n in enumerate(shown)
    }
    return note(
        lead, *facts, count=count_word(len(ends)), label=words.problem.class_text(label), **ways
    )


def _way_note(words: TreeWords, tree: Tree, end: int, label: int, rule: str) -> Note:
    way = words.rule(tree, tree.way_to(end))
    empty = not tree.totals[end].any()
    lead = "{rule} ⇒ {target}." if way else "No test: the plurality of all examples is {label}."
    if empty:
        lead += " No example came here."
    if tree.tied[end] and way:
        lead += tie_words(
            rule, " among the parent's {size} {size:example|examples}" if empty else ""
        )
    elif empty:
        lead += " Most of the parent's {size} {size:example|examples} are {label}."
    return note(
        lead,
        Fact("examples at this leaf", "{counts}"),
        rule=way,
        target=words.target(label),
        label=words.problem.class_text(label),
        counts=_examples(words, tree, end),
        size=float(tree.totals[tree.parent[end] if empty else end].sum()),
    )


def _examples(words: TreeWords, tree: Tree, end: int) -> str:
    """'2 Yes, 4 No'; the parent's behind it where there are none, as the shares are then the
    parent's.
    """
    own = words.counts(tree.totals[end])
    return (
        own
        if tree.totals[end].any()
        else f"{own}, the parent has {words.counts(tree.totals[tree.parent[end]])}"
    )


def stopped(given: Setting, depth: int) -> str:
    """The stopping rule that ended a branch, as the beginning of a sentence."""
    p = given.p
    limit = f"{given.limit:g}"
    bits = plural(given.limit, "bit")
    no_gain = {
        "gain": f"No attribute gains more than {limit} {bits}",
        "ratio": f"The test of best gain ratio gains no more than {limit} {bits}",
        "gini": f"No attribute lowers the Gini impurity by more than {limit}",
    }[p.importance]
    nodes = plural(given.limit, "node" if p.counted == "all" else "test")
    return {
        "entropy": f"The entropy is below {limit} {bits}",
        "size": f"There are fewer than {limit} {plural(given.limit, 'example')}",
        "no-gain": no_gain,
        "depth": f"The depth {depth} is reached",
        "nodes": f"A count of {limit} {nodes} has no room for the next test",
    }.get(p.stop, "")


def chi_note(
    question: str, label: str, tie: str, branches: Float, found: Deviation, level: float
) -> Note:
    """The note of the χ² test of a node, Δ with its numbers. tie: sentence on tied classes of the
    new leaf. AIMA 18.3.5.
    """
    kept = "{question}: Δ is above the critical value, chance does not explain it. The test stays."
    cut = "{question}: chance explains a Δ of this size. The test becomes the leaf {label}." + tie
    expected = expected_counts(branches)
    cells = [(b, k) for b, k in np.ndindex(*branches.shape) if expected[b, k] > 0]
    counts = [float(counted[cell]) for cell in cells for counted in (branches, expected)]
    digits = min(agreeing_digits(counts, _deviation, found.delta, 3), MOST_DIGITS)
    terms = {
        f"n{b}_{k}": Operand(float(branches[b, k]), about=f"branch{b}", digits=digits)
        for b, k in cells
    }
    terms |= {
        f"e{b}_{k}": Operand(float(expected[b, k]), about=f"branch{b}", digits=digits)
        for b, k in cells
    }
    body = " + ".join(f"({{n{b}_{k}}} − {{e{b}_{k}}})²/{{e{b}_{k}}}" for b, k in cells)
    if len(cells) > 2 * MOST_TERMS:
        body = f"Σ (counted − expected)²/expected over {counted(len(cells), 'cell')}"
    return note(
        kept if worth_keeping(found) else cut,
        Formula("Δ =", body, "{delta}"),
        FREEDOM,
        Fact(CRITICAL.caption.format(level=f"{number(100 * level)} %"), CRITICAL.text),
        CHANCE,
        question=Operand(question, about="current"),
        label=label,
        delta=Operand(found.delta, digits=3),
        freedom=found.freedom,
        critical=Operand(found.critical),
        p=Operand(found.p, digits=4),
        **terms,
    )


def _deviation(*counts: float) -> float:
    """Δ of (counted, expected, counted, …)."""
    return add_up((n - e) ** 2 / e for n, e in zip(counts[::2], counts[1::2], strict=True))


def held_out_note(question: str, label: str, tie: str, found: HeldOut) -> Note:
    """The note of the errors on held-out rows with and without the tests. tie: sentence on tied
    classes. MIT 2.4.42.
    """
    if not found.rows:
        lead = (
            "No held-out row comes to {question}: nothing speaks for it. It becomes the leaf"
            " {label}." + tie
        )
    elif worth_keeping(found):
        lead = "{question} saves errors on held-out rows. The test stays."
    elif found.tied:
        lead = "{question} saves no error on held-out rows; on a tie the smaller tree wins."
        lead += " It becomes the leaf {label}." + tie
    else:
        lead = (
            "A leaf makes fewer errors on held-out rows than {question}. The test becomes the leaf"
            " {label}." + tie
        )
    values = {"kept": Operand(found.kept), "leaf": Operand(found.leaf), "rows": Operand(found.rows)}
    return note(lead, HELD_OUT, question=Operand(question, about="current"), label=label, **values)


def tie_note(words: TreeWords, totals: Float, label: int, rule: str) -> Note:
    """The note of how the class of a leaf made by pruning was found."""
    lead = "The new leaf has {counts}." + tie_words(rule) + " It says {label}."
    said = Operand(words.problem.class_text(label), about="current")
    return note(lead, counts=words.counts(totals), label=said)


def end_note(given: Setting, s: State, pruned: int | None) -> Note:
    """The note of the finished tree; for a small one of two classes also as logic. pruned: number
    of tests that pruning removed, None where it did not run
    """
    said = (
        "{tests} {tests:test|tests}, {leaves} {leaves:leaf|leaves}, {wrong}"
        " {wrong:example|examples} wrong."
    )
    lead = f"The tree is complete: {said}"
    if pruned is not None:
        lead = f"Pruning took {count_word(pruned)} {plural(pruned, 'test')} away. " + lead.replace(
            "complete", "now"
        )
    counts = {"tests": s.tests, "leaves": s.leaves, "wrong": Operand(s.errors)}
    if s.leaves > MOST_RULES or len(given.problem.classes) != 2 or s.tests == 0:
        return note(lead, **counts)
    formula = Fact(f"{verbatim(given.words.target(0))} ⇔", "{formula}")
    return note(lead, formula, formula=given.words.formula(s.tree, 0) or "never", **counts)
