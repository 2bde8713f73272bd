"""What the decision tree says. AIMA 18.3.2-18.3.6, MIT 2.4."""

from engine.algorithms.trees.decision_tree import Params, Setting, State, predict, worth_keeping
from engine.algorithms.trees.decision_tree.notes import (
    chi_note,
    count_word,
    end_note,
    gain_note,
    held_out_note,
    leaf_note,
    path_note,
    stopped,
    term,
    tie_note,
    tie_words,
    unit,
)
from engine.algorithms.trees.decision_tree.pruning import Deviation, HeldOut
from engine.algorithms.trees.parts.levels import OpenNode, place_of
from engine.algorithms.trees.parts.model import Why, class_shares, spread
from engine.algorithms.trees.parts.naming import first_of
from engine.algorithms.trees.parts.pictures import decided_at, figure_path, leaf_boxes, members_of
from engine.authoring import (
    Choice,
    Explanation,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    note,
    np,
    replace,
)
from engine.base.tags import class_tags
from engine.numerics.closeness import SHARE
from engine.numerics.impurity import impurity_of
from engine.scene.scene import Bars

SUMMARY = (
    "Asks one attribute after the other, each time the one that tells most about the class, until"
    " the examples that are left agree. Draws boxes on the plane; can be pruned afterwards."
)
ERRATA = (
    (
        "AIMA 18.3.5 prints v − 1 degrees of freedom with v the number of examples. They are d − 1"
        " with d the branches, as in the text's own example (4 values, 3 degrees, 7.82); taken at"
        " its word, every tree would fall to one leaf."
    ),
    "AIMA 18.3.5 prints 11.35 as the 1 % value of χ² with 3 degrees of freedom; it is 11.34.",
    (
        "AIMA's end notes say that ID3 takes the attribute of most entropy; it takes the most gain,"
        " the least entropy left."
    ),
    "MIT 2.4.19 prints ¼ as the plain mean of the entropies 0 and 1; it is ½.",
    "MIT 2.4.28 prints H = 0.92 for its example; with 3 against 3 it is 1.",
)


GAPS = {
    "weights": (
        " {missing} of them {missing:has|have} no value there and {missing:goes|go} down all"
        " branches in part, so that counts are no whole numbers."
    ),
    "largest branch": (
        " {missing} of them {missing:has|have} no value there and {missing:goes|go} down the"
        " largest branch."
    ),
}


def chips(p: Params) -> tuple[str, ...]:
    importance = {"gain": "gain in bits", "ratio": "gain ratio", "gini": "Gini (extension)"}[
        p.importance
    ]
    pruned = {
        "none": "",
        "chi2": f"χ² pruned at {100 * p.significance:g} %",
        "held-out": "pruned on held-out rows",
    }
    ties = "ties: table order" if p.ties == "first" else "ties: drawn"
    return tuple(chip for chip in (importance, ties, pruned[p.prune]) if chip)


def start(given: Setting, s: State) -> Note:
    totals = s.tree.totals[0]
    importance = given.p.importance
    size = float(totals.sum())
    bits = Operand(impurity_of(totals.tolist(), importance == "gini"), digits=4)
    body, operands = term("q", totals.tolist(), importance)
    formula = Formula(
        "I =" if importance == "gini" else "H =", body, "{bits}" + unit(importance, bits.value)
    )
    lead = "The tree is one open node with {size:|all }{size} {size:example|examples}: {counts}."
    return note(
        lead, formula, size=Operand(size), counts=given.words.counts(totals), bits=bits, **operands
    )


def branch(given: Setting, s: State) -> Note:
    totals = s.tree.totals[s.current]
    lead = (
        "Take the branch {condition}: {counts}."
        if totals.sum()
        else "Take the branch {condition}: no example has it."
    )
    condition = Operand(given.words.where(s.tree, s.current), about="current")
    return note(lead, condition=condition, counts=given.words.counts(totals))


def empty(given: Setting, s: State) -> tuple[Note, Choice | None]:
    tree, node = s.tree, s.current
    totals = tree.totals[node]
    label = int(tree.label[node])
    tied = bool(tree.tied[node])
    rule = given.p.plurality
    why = Why(tree.why[node])
    stop = stopped(given, int(tree.depth[node]))
    said = leaf_note(
        given.words, why, given.words.where(tree, node), totals, label, tied, rule, stop
    )
    voters = totals if totals.any() else tree.totals[tree.parent[node]]
    return said, plurality(given, voters, label) if tied else None


pure = none = empty


def plurality(given: Setting, totals: Float, label: int) -> Choice:
    options = tuple(
        Option(given.problem.class_text(k), float(c), value=k) for k, c in enumerate(totals)
    )
    winners = tuple(int(k) for k in np.flatnonzero(totals >= totals.max() - SHARE))
    said = "equal counts: " + (
        "drawn by the seed" if given.p.plurality == "random" else "the first class in order"
    )
    return Choice(
        "Which class do most examples have?", options, winners, label, said, "examples", digits=2
    )


def score(given: Setting, s: State, node: OpenNode) -> Note:
    """The note of one attribute that is scored."""
    tried = option(given, node, s.column, _point(s))
    counts = node.counts(s.column, _point(s))
    question = Operand(tried.label, about=about(given, s.column, _point(s)))
    if tried.detail and not counts.sum():
        return note("Try {question}: no example here has a value, so it is out.", question=question)
    lead = "Try {question}: {skipped}, so it is out." if tried.detail else "Try {question}."
    made = gain_note(
        lead, np.array(node.totals, np.float64), counts, given.p.importance, skipped=tried.detail
    )
    plain = {name: replace(operand, about="") for name, operand in made.operands.items()}
    return replace(made, operands=plain | {"question": question})


def option(given: Setting, node: OpenNode, column: int, point: float) -> Option:
    """The best test of a column as an option; one that does not divide the examples says why it is
    out.
    """
    worth = float(node.scores.worth[column])
    label = given.words.question(column, point)
    value = (column, point)
    if worth > -np.inf:
        return Option(label, worth, value=value)
    out = "split information is 0" if given.p.importance == "ratio" else "all in one branch"
    return Option(label, float("nan"), "", out, value=value)


def about(given: Setting, column: int, point: float, otherwise: str = "") -> str:
    """The tag of a test: "cut" where the plane draws its split point, else `otherwise`."""
    return "cut" if column in given.problem.plane and not np.isnan(point) else otherwise


def _point(s: State) -> float:
    return float("nan") if s.point is None else s.point


def choose(given: Setting, s: State, node: OpenNode, hand: bool = False) -> tuple[Note, Choice]:
    """The note and choice of a node's test: 'Split the 6 examples with … on Hungry. Five attributes
    tie; …'. hand: whether a person chose it
    """
    column = s.column
    point = _point(s)
    importance = given.p.importance
    name = given.words.question(column, point)
    question = Operand(name, about=about(given, column, point, "current"))
    way = given.words.where(s.tree, s.current)
    lead = (
        "Split the {size} {size:example|examples}"
        + (" with {where}" if way else "")
        + " on {question}."
    )
    lead += tied_tests(given, node, hand)
    lead += GAPS[given.p.missing] if (missing := lacking(given, s, column)) else ""
    totals = np.array(node.totals, np.float64)
    gains = gain_note(
        lead,
        totals,
        node.counts(column, point),
        importance,
        size=Operand(float(totals.sum())),
        missing=missing,
        where=Operand(way, about="current"),
        question=question,
    )
    return gains, decided_at(
        importances(given, node, (column, point), question.about), given.problem, s.tree, s.current
    )


def tied_tests(given: Setting, node: OpenNode, hand: bool) -> str:
    """A sentence on how the test was chosen among tied ones, "" without a tie. Cuts of one column
    can tie, too.
    """
    assert node.test is not None
    if node.test.equals < 2:
        return ""
    cuts = node.test.cuts
    first = "{question} comes first" if cuts else "{question} comes first in the table"
    by_seed = "the seed draws {question}" if given.p.ties == "random" else first
    said = f"{count_word(node.test.equals).capitalize()} {'tests' if cuts else 'attributes'} tie"
    return f" {said}; {'{question} was taken by hand' if hand else by_seed}."


def lacking(given: Setting, s: State, column: int) -> int:
    """The number of labelled examples of the current node without a value in a column."""
    gaps = given.problem.labelled & np.isnan(given.problem.X[:, column])
    return int((gaps & members_of(s.tree, s.current, given.problem)).sum()) if gaps.any() else 0


def importances(given: Setting, node: OpenNode, taken: tuple[int, float], tag: str) -> Choice:
    assert node.test is not None
    tests = node.candidates
    importance = given.p.importance
    options = [option(given, node, *test) for test in tests]
    chosen = place_of(tests, *taken)
    options[chosen] = replace(options[chosen], about=tag)
    winners = tuple(i for i, (column, _) in enumerate(tests) if node.winners[column])
    by_seed = "drawn by the seed" if given.p.ties == "random" else first_of(node.test)
    prompt = {"gain": "Gain", "ratio": "Gain ratio", "gini": "Drop of impurity"}[importance]
    rule = f"equal importance: {by_seed}" if len(winners) > 1 else ""
    return Choice(
        prompt, tuple(options), winners, chosen, rule, "bits" if importance == "gain" else ""
    )


def prune(
    given: Setting, s: State, found: Deviation | HeldOut | None = None, **end: int | None
) -> Note | tuple[Note, Choice]:
    """The note, and choice, of a test that stays (1) or becomes a leaf (0), of the class of that
    leaf, or of the end.
    """
    if end:
        return end_note(given, s, end["pruned"])
    tree = s.tree
    node = s.current
    p = given.p
    problem = given.problem
    totals = tree.totals[node]
    label = int(tree.label[node])
    if found is None:
        return tie_note(given.words, totals, label, p.plurality), plurality(given, totals, label)
    question = given.words.question(s.column, _point(s))
    name = problem.class_text(label)
    tie = tie_words(p.plurality, " among its examples") if tree.tied[node] else ""
    cut = int(not worth_keeping(found))
    if isinstance(found, Deviation):
        branches = tree.totals[tree.first[node] : tree.first[node] + tree.width[node]]
        stays = Option(f"Δ of {question}", found.delta, value=1)
        goes = Option("critical value", found.critical, value=0)
        choice = Choice("Is it more than chance?", (stays, goes), (cut,), cut, digits=3)
        return chi_note(question, name, tie, branches, found, p.significance), choice
    options = (
        Option(f"keep {question}", found.kept, value=1),
        Option(f"leaf {name}", found.leaf, value=0),
    )
    rule, winners = ("equal errors: the smaller tree", (0, 1)) if found.tied else ("", (cut,))
    choice = Choice(
        "Which makes fewer held-out errors?", options, winners, cut, rule, "errors", True, 2
    )
    return held_out_note(question, name, tie, found), choice


def explain(given: Setting, s: State, x: Float) -> Explanation:
    tree = s.tree
    problem = given.problem
    row = np.asarray(x, np.float64)[None]
    label = int(predict(given, s, row)[0])
    _, ends, weights = spread(tree, row)
    order = np.argsort(-weights, kind="stable")
    ends = ends[order]
    weights = weights[order]
    names = given.words.classes
    shares = class_shares(tree, row)[0]
    group = np.arange(len(names))
    tags = class_tags(len(names))
    bars = Bars("Share of each class", names, shares, group=group, tags=tags)
    path = figure_path(tree, s.current, tree.way_to(int(ends[0])))
    said = path_note(given.words, tree, ends, weights, label, given.p.plurality)
    return Explanation(label, said, bars, leaf_boxes(problem, tree, ends), path)
