"""A given tree against AIMA Fig 18.2 and MIT 2.4.3, and the sentence on one that does not fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.trees.given_tree.as_list import as_list
from engine.base.errors import EngineError
from engine.scene.scene import Role, Tree
from engine.sources.stand_ins import will_wait
from engine.table.dataset import Dataset

MIT = "f3(0: f2(0: 0, 1: 1), 1: f1(0: 0, 1: f2(0: 1, 1: 0)))"  # mit B16, 2.4.3
DOGS = "height > 7(yes: Beagle, no: weight > 2.9(no: Chihuahua, yes: Dachshund))"


def test_the_tree_of_the_book_is_right_for_all_twelve_rows() -> None:
    """AIMA 18.3.1, Fig 18.2: the tree from which the twelve decisions came."""
    trace = engine.run("given_tree", engine.textbook("restaurant"))
    last = trace[-1]
    assert last.note.lines()[0] == "The tree is right for 12 of 12 examples."
    assert last.state.wrong == 0
    assert [s.line for s in trace].count("leaf") == 12
    two = [s for s in trace if s.state.row == 1]
    tested = [s.note.lines()[0].split("?")[0] for s in two if s.line == "test"]
    assert tested == ["Patrons", "Est", "Alt", "Fri"]
    (tree, *_) = trace.algorithm.scene(trace.given, two[-1]).figures
    assert [node.text for node in tree.nodes][:4] == ["Patrons", "No", "Yes", "Est"]
    assert sum(node.role.value in ("nearest", "active") for node in tree.nodes) == 5


def test_the_slides_misprint_is_the_row_that_the_tree_gets_wrong() -> None:
    """slides E51: which row is a misprint, and how can the tree tell? x4."""
    trace = engine.run("given_tree", engine.textbook("restaurant_slide"))
    (mistake,) = [s for s in trace if "mistake" in s.events]
    assert trace.problem.names[mistake.state.row] == "x₄"


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_it_is_the_tree_that_draws_the_many_rows(seed: int) -> None:
    data = engine.generate("restaurant", 200, seed=seed)
    words = {c.name: np.asarray(c.labels()) for c in data.features}
    trace = engine.run("given_tree", data, max_steps=1)
    answers = trace.algorithm.predict(trace.given, trace[-1].state, trace.problem.X)
    assert (answers == np.where(will_wait(words), 0, 1)).all()


def test_the_tree_of_the_notes() -> None:
    """mit D19 (MIT 2.4.3-2.4.4): 0110 → 0; the expression ¬f3∧f2 ∨ f3∧f1∧¬f2."""
    trace = engine.run("given_tree", engine.textbook("mit_tree"), tree=MIT)
    rows = np.array([[i >> k & 1 for k in (3, 2, 1, 0)] for i in range(16)], float)
    f1, f2, f3, _ = rows.T.astype(bool)
    expected = (~f3 & f2) | (f3 & f1 & ~f2)
    found = np.array(trace.predict(rows)) == 1
    assert (found == expected).all()
    assert not found[0b0110]


def test_cuts_of_numbers() -> None:
    """mmds A02, Ex 12.1: height above 7 is a Beagle, then weight decides."""
    trace = engine.run("given_tree", engine.textbook("dogs"), tree=DOGS)
    assert trace[-1].state.wrong == 0
    assert trace.predict([[2.9, 7.0]]).tolist() == ["Chihuahua"]


@pytest.mark.parametrize(
    ("sign", "at_three", "shown", "otherwise"),
    [
        ("<", "B", "weight < 3", "weight ≥ 3"),
        (">=", "A", "weight ≥ 3", "weight < 3"),
        ("≤", "A", "weight ≤ 3", "weight > 3"),
        (">", "B", "weight > 3", "weight ≤ 3"),
    ],
)
def test_a_cut_has_the_sign_that_is_written(
    sign: str, at_three: str, shown: str, otherwise: str
) -> None:
    """mmds A02: both inequalities are strict, so just 3 pounds is no Chihuahua."""
    data = Dataset.from_columns({"weight": [1.0, 5.0], "breed": ["A", "B"]}, "breed")
    trace = engine.run("given_tree", data, tree=f"weight {sign} 3(yes: A, no: B)")
    assert trace.predict([[3.0]]).tolist() == [at_three]
    holds = {"A": True, "B": False}[trace.predict([[2.9]])[0]]
    assert holds == (sign in "<≤") and trace.predict([[2.9]])[0] != trace.predict([[3.1]])[0]
    for branch in (0, 1):
        condition = trace.given.words.condition(0, float(trace.given.tree.point[0]), branch)
        assert condition == (shown if holds != bool(branch) else otherwise)
    (tree, *_) = trace.algorithm.scene(trace.given, trace[-1]).figures
    assert next((n.branch, n.text) for n in tree.nodes) == ("", shown)
    assert {(n.branch, n.text) for n in tree.nodes[1:]} == {("yes", "A"), ("no", "B")}


def test_a_row_without_the_value_gets_no_answer() -> None:
    trace = engine.run("given_tree", engine.textbook("restaurant_gaps"))
    stopped = [s for s in trace if "open" in s.events]
    assert stopped and all("gives no answer" in s.note.lines()[0] for s in stopped)
    assert trace[-1].state.open == len(stopped)


def test_without_a_tree_another_table_gets_its_commonest_class() -> None:
    trace = engine.run("given_tree", engine.textbook("mit_xor"))
    assert trace[-1].state.wrong == 2  # mit B09: two ones of six


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ("Patron(None: No)", "asks “Patron”, but the columns are"),
        ("Patrons(None: No, Some: Yes)", "a branch is missing: Full"),
        ("Patrons(None: No, Some: Maybe, Full: No)", "says “Maybe”, which is no class: Yes, No"),
        ("Patrons(None No)", "lacks “:” behind"),
        ("Patrons(", "lacks “:” behind"),
        ("(", "in place of a word"),
        ("Hungry(Yes: No, No: Yes", "lacks “\\)” behind the test"),
        ("Hungry(Yes: No, Yes: No)", "the value “Yes” comes twice"),
        ("Hungry > 3(no: Yes, yes: No)", "write a branch for each word"),
        ("Yes) No", "The tree ends before"),
    ],
)
def test_a_tree_that_does_not_fit_is_said(tree: str, sentence: str) -> None:
    with pytest.raises(EngineError, match=sentence):
        engine.run("given_tree", engine.textbook("restaurant"), tree=tree)


def test_a_tree_of_depth_k_is_a_list_of_tests_with_k_literals() -> None:
    """AIMA Ex 18.14: k-DL contains k-DT. The list, read from its literals alone, says what the tree
    says, of all rows and with equal or different classes at the leaves.
    """
    waiting = engine.generate("restaurant", 200, seed=2)
    for data, tree, k in (
        (waiting, "", 5),
        (waiting, "Patrons(None: No, Some: Yes, Full: Hungry(No: No, Yes: Yes))", 2),
        (engine.textbook("mit_tree"), MIT, 3),
        (engine.textbook("dogs"), DOGS, 2),
        (engine.textbook("dogs"), "Beagle", 0),
    ):
        trace = engine.run("given_tree", data, tree=tree)
        found = as_list(trace.given.tree)
        X = trace.problem.X
        says = np.full(len(X), found.rest)
        for test in reversed(found.tests):
            met = np.ones(len(X), bool)
            for column, cut, branch in test.literals:
                value = X[:, column] if cut != cut else X[:, column] > cut
                met &= value == branch
            says[met] = test.label
        assert [trace.problem.classes[code] for code in says] == trace.predict(X).tolist()
        assert (found.k, trace[-1].note["k"]) == (k, k)
    figure = trace.algorithm.scene(trace.given, trace[-1]).figures[1]
    assert [node.text for node in figure.nodes] == ["Beagle"]


def test_every_node_shows_the_rows_that_came_by_those_of_a_class_together() -> None:
    """AIMA Fig 18.4(b): six of each class at the root, 4 and 12 before 2, 5, 9, 10 under Full."""
    tree = "Patrons(None: No, Some: Yes, Full: Hungry(Yes: Yes, No: No))"
    trace = engine.run("given_tree", engine.textbook("restaurant"), tree=tree)
    nodes = trace.algorithm.scene(trace.given, trace[-1]).figures[0].nodes
    rows = {node.text: [row + 1 for row, _ in node.boxes] for node in nodes}
    assert rows["Patrons"] == [1, 3, 4, 6, 8, 12, 2, 5, 7, 9, 10, 11]
    assert rows["Hungry"] == [4, 12, 2, 5, 9, 10]


def drawn(tree: str) -> list[tuple[str, str]]:
    """(branch, text) of the nodes of the figure, in its order."""
    trace = engine.run("given_tree", engine.textbook("restaurant"), tree=tree)
    nodes = trace.algorithm.scene(trace.given, trace[-1]).figures[0].nodes
    parents = [node.parent for node in nodes]
    assert all(parent < k for k, parent in enumerate(parents)), "parents come first"
    return [(node.branch, node.text) for node in nodes]


def test_branches_are_drawn_in_the_order_in_which_they_are_written() -> None:
    """AIMA Fig 18.2: Full and 0-10 is the rightmost way, and No stands before Yes."""
    nodes = drawn("")
    assert [branch for branch, _ in nodes[4:8]] == [">60", "30-60", "10-30", "0-10"]
    assert nodes[7][1] == "Yes"
    assert [branch for branch, _ in nodes[8:]] == ["No", "Yes"] * 7
    assert [n[1] for n in drawn("Fri(Yes: Bar(No: No, Yes: Yes), No: Yes)")] == [
        "Fri",
        "Bar",
        "Yes",
        "No",
        "Yes",
    ]


def test_amber_is_the_test_that_the_words_name_and_the_example_stands_below_it() -> None:
    trace = engine.run("given_tree", engine.textbook("restaurant"))
    for step in trace:
        figure = trace.algorithm.scene(trace.given, step).figures[0]
        assert isinstance(figure, Tree)
        s = step.state
        amber = [k for k, node in enumerate(figure.nodes) if node.role is Role.ACTIVE]
        if step.line == "test":
            (lit,) = amber
            assert figure.nodes[lit].text == step.note["question"]
            here = [k for k, node in enumerate(figure.nodes) if s.row in dict(node.boxes)]
            (below,) = here
            assert figure.nodes[below].parent == lit
        assert bool(amber) == (s.node >= 0)


def test_the_node_in_amber_names_its_example_and_a_leaf_the_verdict() -> None:
    trace = engine.run("given_tree", engine.textbook("restaurant"), tree="Hungry(no: No, yes: Yes)")
    for step in trace:
        (tree, *_) = trace.algorithm.scene(trace.given, step).figures
        lit = [node for node in tree.nodes if node.role is Role.ACTIVE]
        if step.line in ("test", "leaf"):
            (node,) = lit
            row = step.state.row
            right = node.group == trace.problem.codes[row]
            mark = {"test": "", "leaf": " ✓" if right else " ✗"}[step.line]
            assert node.note == trace.problem.names[row] + mark
