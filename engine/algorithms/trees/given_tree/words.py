"""What a tree that is given says of each example."""

from engine.algorithms.trees.given_tree import Setting, State, predict
from engine.algorithms.trees.given_tree.as_list import as_list
from engine.algorithms.trees.parts.model import descend
from engine.authoring import Explanation, Fact, Float, Note, Operand, note

SUMMARY = (
    "A tree that was written by hand: nothing is learnt. Each example begins at the root and"
    " follows, at every test, the branch of its own value; the leaf where it ends says the class."
)
WAY = Fact("the way", "{way}")
AS_LIST = Fact(
    "as a decision list", "{tests} {tests:test|tests} of at most {k} {k:literal|literals}"
)
COUNT = Fact("wrong so far", "{wrong} of {seen}")


def name(given: Setting, s: State) -> Operand:
    return Operand(given.problem.names[s.row], about="current")


def way(given: Setting, node: int) -> Operand:
    tree = given.tree
    return Operand(given.words.where(tree, node) or "the root is a leaf", about="tree")


def start(given: Setting, s: State) -> Note:
    tests = int((given.tree.column >= 0).sum())
    leaves = len(given.tree.column) - tests
    lead = "The tree is given: {tests} {tests:test|tests}, {leaves} {leaves:leaf|leaves}."
    return note(lead, tests=tests, leaves=Operand(leaves, about="tree"))


def take(given: Setting, s: State) -> Note:
    return note("{x} begins at the root.", x=name(given, s))


def test(given: Setting, s: State, before: int) -> Note:
    tree, words = given.tree, given.words
    column, point = int(tree.column[before]), float(tree.point[before])
    return note(
        "{question}? For {x} it is {value}: down that branch.",
        WAY,
        question=Operand(words.question(column, point), about="tree"),
        x=name(given, s),
        value=Operand(given.problem.features[column].text(float(given.problem.X[s.row, column]))),
        way=way(given, s.node),
    )


def leaf(given: Setting, s: State, stuck: bool) -> Note:
    problem = given.problem
    label = problem.class_text(int(problem.codes[s.row]))
    says = problem.class_text(int(given.tree.label[s.node]))
    lead = "The leaf says {says}, and {x} is {label}."
    if stuck:
        lead = "{x} has no value for the test {question}: the tree gives no answer."
    elif says != label:
        lead = "The leaf says {says}, but {x} is {label}."
    question = given.words.question(int(given.tree.column[s.node]), float(given.tree.point[s.node]))
    return note(
        lead,
        WAY,
        COUNT,
        says=Operand(says, about="tree"),
        x=name(given, s),
        label=label,
        question=question if stuck else "",
        way=way(given, s.node),
        wrong=s.wrong,
        seen=s.seen,
    )


def done(given: Setting, s: State) -> Note:
    lead = "The tree is right for {right} of {seen} {seen:example|examples}."
    if s.open:
        lead += " {open} {open:lacks|lack} a value that it asks for."
    known = as_list(given.tree)
    return note(
        lead,
        AS_LIST,
        right=s.seen - s.wrong - s.open,
        seen=s.seen,
        open=s.open,
        tests=len(known.tests),
        k=known.k,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    label = int(predict(given, s, x[None])[0])
    end = int(descend(given.tree, x[None])[0][0])
    lead = "The tree says {says}." if label >= 0 else "A value that the tree asks for is missing."
    says = given.problem.class_text(label) if label >= 0 else ""
    return Explanation(label, note(lead, WAY, says=says, way=way(given, end)))
