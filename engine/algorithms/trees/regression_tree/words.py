"""What the regression tree says: why a node is a leaf, and what it answers. AIMA 18.3.6."""

from operator import mul

from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.model import Why, descend
from engine.algorithms.trees.parts.pictures import decided_at, figure_path, leaf_boxes
from engine.algorithms.trees.parts.value_words import chosen_note, figures, node_terms, tried_note
from engine.algorithms.trees.regression_tree import Params, Setting, State, predict
from engine.algorithms.trees.regression_tree.log import lines_of
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Mapping,
    Note,
    Operand,
    note,
    np,
    number,
    replace,
)
from engine.base.notation import agreeing_digits, counted, subscript
from engine.base.sums import add_up
from engine.protocol.step import verbatim

SUMMARY = (
    "Cuts the examples where their values differ most, again and again, until the leaves are small."
    " A leaf answers with the mean of its examples, or with a line through them: steps or slanted"
    " pieces, boxes over two columns."
)
ERRATA = (
    (
        "AIMA 18.3.6 leaves it to the learner when to fit a line instead of dividing on, and names"
        " no measure. Here tests are chosen by variance reduction, a leaf keeps a least number of"
        " examples, and a line that leaves no error is a leaf."
    ),
)
MEAN = " {n:Its value is|Their mean is} {mean}, the squares around it are {squares} in all."
RMSE = Fact("root mean square error", "√({squares} / {n}) = {rmse}")


def wording(p: Params) -> Mapping[str, str]:
    return {"leaf": "  if none, or stop: return a line"} if p.leaf == "linear" else {}


def chips(p: Params) -> tuple[str, ...]:
    return (
        f"{'lines' if p.leaf == 'linear' else 'means'} in the leaves",
        f"{counted(p.min_leaf, 'example')} in a leaf",
    )


def start(given: Setting, s: State) -> Note:
    return note(
        "The tree is one open node with {n:|all }{n} {n:example|examples}." + MEAN,
        **node_terms(s.tree, 0),
    )


def branch(given: Setting, s: State) -> Note:
    lead = "Take the branch {condition}: " + (
        "{n} {n:example|examples}." + MEAN if s.tree.totals[s.current, 0] else "no example has it."
    )
    return note(
        lead,
        condition=Operand(given.words.where(s.tree, s.current), about="current"),
        **node_terms(s.tree, s.current),
    )


def empty(given: Setting, s: State) -> Note:
    lead = "No example has {where}. The leaf answers with the mean of its parent, {label}."
    return note(lead, where=given.words.where(s.tree, s.current), **node_terms(s.tree, s.current))


def score(given: Setting, s: State, node: OpenNode) -> Note:
    return tried_note(given.words, node, s.column, given.p.min_leaf)


def choose(given: Setting, s: State, node: OpenNode, hand: bool = False) -> tuple[Note, Choice]:
    point = float("nan") if s.point is None else s.point
    by_seed = given.p.ties == "random"
    said, choice = chosen_note(given.words, node, s.column, point, given.p.min_leaf, by_seed, hand)
    return said, decided_at(choice, given.problem, s.tree, s.current)


def leaf(given: Setting, s: State) -> Note:
    """The note of why a node is a leaf, and of its answer."""
    line = lines_of(s).get(s.current)
    operands = node_terms(s.tree, s.current)
    lead = reason(given, s, s.current)
    if line is None:
        return note(
            lead
            + " The leaf answers with {label}"
            + (", the mean." if operands["squares"].value else "."),
            **operands,
        )
    left = Operand(line.squares, "Σ (y − h)²", "current", figures(line.squares))
    lead += " The line leaves squares of {left}, the mean {squares}."
    formula = Formula(
        "h(x) =", line_body(given, [verbatim(given.words.names[j]) for j in given.lines])
    )
    return note(lead, formula, left=left, **operands, **weights(line.w, 2))


def reason(given: Setting, s: State, node: int) -> str:
    """The template that says why a node is a leaf; {n} and {label} are its terms."""
    line = lines_of(s).get(node)
    why = Why(s.tree.why[node])
    p = given.p
    these = "{n:this|these} {n} {n:example|examples}"
    if line is not None and line.exact:
        return (
            "One line runs through {n:the|all} {n} {n:example|examples}, so that {n:it needs|they"
            " need} no test."
        )
    if why is Why.STOPPED and p.stop == "no-gain":
        return (
            f"The best test takes away no more than {number(100 * p.least_gain)} % of the squares"
            f" of {these}."
        )
    return {
        Why.PURE: "{n:The one example|Each example} here has the value {label}.",
        Why.NO_TEST: f"No test divides {these} into branches of at least {p.min_leaf}.",
        Why.STOPPED: f"The depth {p.depth} is reached with {{n}} {{n:example|examples}}.",
    }[why]


def line_body(given: Setting, factors: list[str]) -> str:
    """The template w₀ + w₁ · … of a linear leaf."""
    return " + ".join(["{w0}", *(f"{{w{k}}} · {factor}" for k, factor in enumerate(factors, 1))])


def weights(w: Float, least: int) -> dict[str, Operand]:
    return {
        f"w{j}": Operand(v, "w" + subscript(j), "current", max(least, figures(v)))
        for j, v in enumerate(w.flat)
    }


def end(given: Setting, s: State) -> Note:
    """The note of the finished tree; of one without a test, why it has none."""
    digits = agreeing_digits((s.squares,), lambda q: (q / s.n) ** 0.5, s.rmse)
    operands = {
        "squares": Operand(s.squares, digits=digits),
        "n": Operand(s.n),
        "rmse": Operand(s.rmse),
    }
    lead = "The tree is complete: {tests} {tests:test|tests}, {leaves} {leaves:leaf|leaves}."
    if not s.tests:
        lead = reason(given, s, 0) + " The tree is one leaf."
        operands["label"] = node_terms(s.tree, 0)["label"]
    return note(lead, RMSE, tests=s.tests, leaves=Operand(s.leaves, about="leaves"), **operands)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the path as a conjunction, and the answer of its leaf."""
    tree = s.tree
    node = int(descend(s.tree, x[None])[0][0])
    way = tree.way_to(node)
    line = lines_of(s).get(node)
    many = float(tree.totals[node, 0])
    value = float(predict(given, s, x[None])[0])
    target = given.problem.target
    lead = ("{rule} ⇒ " if len(way) > 1 else "No test: ") + "{target} = {value}"
    operands = {
        "rule": given.words.rule(tree, way),
        "target": target.title if target else "y",
        "n": Operand(many),
    }
    if line is None:
        whose = "{n} {n:example|examples}" if many else "the parent’s examples, for none came here"
        said = note(f"{lead}, the mean of {whose}.", value=Operand(value, "h(x)"), **operands)
    else:
        w, at = line.w.tolist(), x[given.lines].tolist()
        digits = agreeing_digits(
            [*w, *at], lambda *t: t[0] + add_up(map(mul, t[1 : len(w)], t[len(w) :])), value
        )
        operands |= {
            f"x{j}": Operand(v, given.words.names[j], digits=digits)
            for j, v in zip(given.lines, at, strict=True)
        }
        formula = Formula("h(x) =", line_body(given, [f"{{x{j}}}" for j in given.lines]), "{value}")
        operands |= {k: replace(o, about="") for k, o in weights(line.w, digits).items()}
        said = note(
            lead + ", by the line of {n} {n:example|examples}.",
            formula,
            value=Operand(value, "h(x)"),
            **operands,
        )
    path = figure_path(tree, s.current, way)
    return Explanation(-1, said, None, leaf_boxes(given.problem, tree, np.array([node])), path)
