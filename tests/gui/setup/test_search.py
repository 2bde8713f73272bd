"""What Ctrl+K finds: the words of the field, numbers of figures and exercises, slips of a letter,
and what people begin with.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import CTRL, Key, Lab

from engine.files.books import in_my_book
from engine.protocol.registry import algorithms
from gui.setup import known_as
from gui.setup.data_section import TRANSFORMS
from gui.setup.picker_catalogue import bundled_sets
from gui.setup.ranking import is_slip, rank
from gui.setup.search import FIRST

FIELD = {
    "knn": {"Nearest neighbours", "Neighbour regression"},
    "k-NN": {"Nearest neighbours", "Neighbour regression"},
    "roc": {"Hold rows out to test"},
    "confusion": {"Hold rows out to test", "Cost matrix"},
    "confusion matrix": {"Hold rows out to test", "Cost matrix"},
    "accuracy": {"Hold rows out to test", "Holdout", "Cross-validation"},
    "standardise": {"Standardise numbers"},
    "standardize": {"Standardise numbers"},
    "ridge": {"Regularised regression"},
    "lasso regression": {"Regularised regression"},
    "overfit": {"Overfitting curve"},
    "overfitting": {"Overfitting curve"},
    "gini": {"Decision tree"},
    "k-fold": {"Cross-validation"},
    "k fold": {"Cross-validation"},
    "kfold": {"Cross-validation"},
    "cross validation": {"Cross-validation"},
    "crossvalidation": {"Cross-validation"},
    "naive-bayes": {"Naive Bayes"},
    "least squares": {"Linear regression"},
    "backprop": {"Back-propagation"},
    "one-hot": {"Words as 0/1 columns"},
    "svm": {"Support vector machine"},
    "nearest neighbor": {"Nearest neighbours"},
    "roc curve": {"Hold rows out to test"},
    "f1 score": {"Hold rows out to test"},
    "regularization": {"Regularised regression"},
    "decision trees": {"Decision tree"},
    "sigmoid function": {"Logistic regression"},
    "pac learning": {"PAC bounds"},
    "underfitting": {"Overfitting curve"},
    "two moons": {"Moons"},
    "iris data": {"Iris"},
    "dark mode": {"Dark theme"},
    "font size": {"Larger type", "Smaller type"},
    "speed": {"Slower", "Faster"},
    "next step": {"One step on"},
    "help": {"Keys", "Books and topics"},
}


@pytest.mark.slow
def test_the_words_of_the_field_are_known(lab: Lab) -> None:
    for words, meant in FIELD.items():
        found = [each.text for each in lab.window.search.results(words)]
        assert meant <= set(found[: len(meant) + 2]), (words, found)
        for begun in range(5, len(words)):  # “one-” begins many titles
            assert meant & {each.text for each in lab.window.search.results(words[:begun])}, words[
                :begun
            ]


def test_every_other_name_is_that_of_something() -> None:
    assert known_as.METHODS.keys() <= {method.title for method in algorithms().values()}
    assert known_as.CHANGES.keys() == TRANSFORMS.keys()
    assert known_as.DATA.keys() <= {title for _, _, title in bundled_sets()}


def test_commands_with_other_names_exist(lab: Lab) -> None:
    assert known_as.COMMANDS.keys() <= lab.window.search.actions_.keys()


@pytest.mark.parametrize(
    "title", ["Perceptron", "Decision tree", "Naive Bayes", "Winnow", "Cross-validation"]
)
@given(st.data())
def test_one_letter_wrong_finds_the_title(title: str, data: st.DataObject) -> None:
    word = max(title.casefold().replace("-", " ").split(), key=len)
    at = data.draw(st.integers(0, len(word) - 2))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    slips = [
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    ]
    for slip in slips:
        assert rank(slip, title, slips=True) is not None, slip


def test_slips_are_of_one_letter_in_words_long_enough() -> None:
    assert not is_slip("wimow", "perceptron")
    assert not is_slip("pecreptorn", "perceptron"), "two exchanges"
    assert not is_slip("tre", "tree"), "too short to tell"
    assert not is_slip("1826", "1827"), "numbers are no slips of each other"
    exact, slip = rank("tree", "tree", slips=True), rank("teee", "tree", slips=True)
    assert exact is not None and slip is not None and exact < slip


@pytest.mark.slow
def test_slips_are_found_in_the_window_and_in_the_pickers(lab: Lab) -> None:
    for slip, title in (
        ("perceptorn", "Perceptron"),
        ("decison tree", "Decision tree"),
        ("restarant", "Restaurant"),
    ):
        assert lab.window.search.results(slip)[0].text == title
    lab.window.left_dock.picker.open()
    lab.write("perceptorn")
    assert "perceptron" in lab.window.left_dock.picker.listed()
    assert [each.text for each in lab.window.search.results("tree")].count("Streets") == 0
    assert lab.window.search.results("qqqqqq") == []


@pytest.mark.slow
def test_a_number_of_a_place_opens_just_that(lab: Lab) -> None:
    search = lab.window.search
    for words, name in (
        ("Fig 18.26", "AIMA Fig 18.26"),
        ("fig. 18.26", "AIMA Fig 18.26"),
        ("figure 18.26", "AIMA Fig 18.26"),
        ("fig18.3", "AIMA Fig 18.3"),
        ("AIMA Fig 18.1(b)", "AIMA Fig 18.1(b)"),
        ("Ex 7.5", "ML Ex 7.5"),
        ("exercise 12.4.1", "MMDS Exercise 12.4.1"),
        ("2.1.16", "MIT 2.1.15-2.1.17"),
        ("table 7.1", "ML Table 7.1"),
    ):
        found = search.results(words)
        assert found[0].text == name, words
        assert {each.text for each in found} <= {name, f"All of {name}"}, words
    assert {each.text for each in search.results("fig 18.1")} >= {
        f"AIMA Fig 18.1({part})" for part in "abcd"
    }
    assert search.results("fig 99.1") == []


@pytest.mark.slow
def test_enter_opens_a_place_by_its_first_opening(lab: Lab) -> None:
    for words, name in (("Fig 18.26", "AIMA Fig 18.26"), ("Ex 7.5", "ML Ex 7.5")):
        _, ways = next(
            row for rows in in_my_book().values() for row in rows if row[0].citation == name
        )
        before = lab.session.document
        lab.key(Key.Key_K, CTRL)
        lab.write(words)
        lab.key(Key.Key_Return)
        assert lab.session.lane.key == ways[0].key
        assert lab.session.document.data == ways[0].document(before, lab.session.active).data
        assert lab.said().startswith(f"{name} is open; Ctrl+Z brings back what was there before.")


@pytest.mark.slow
def test_what_a_word_of_the_field_leads_to_is_done(lab: Lab) -> None:
    def take(words: str) -> None:
        found = lab.window.search.results(words)
        found[0].effect()

    take("standardise")
    assert [each.kind for each in lab.session.document.transforms] == ["standardise"]
    take("standardise")
    assert lab.session.document.transforms == ()
    take("roc")
    assert lab.session.document.split.share > 0
    share = lab.session.document.split.share
    take("roc")
    assert lab.session.document.split.share == share


@pytest.mark.slow
def test_an_experiment_is_called_one(lab: Lab) -> None:
    for method in algorithms().values():
        found = next(
            each for each in lab.window.search.results(method.title) if each.key == method.key
        )
        assert found.kind == ("experiment" if method.family == "experiments" else "algorithm")


def test_the_empty_list_leads_with_what_people_begin_with(lab: Lab) -> None:
    found = lab.window.search.results("")
    assert {each.name or each.text for each in found} == set(FIRST)
    assert [bool(each.why) for each in found] == sorted(bool(each.why) for each in found)


def test_the_pickers_open_at_the_top(lab: Lab) -> None:
    lab.session.choose("regression_tree")
    for picker in (lab.window.left_dock.picker, lab.window.left_dock.data.picker):
        picker.open()
        bar = picker.list.verticalScrollBar()
        assert bar.maximum() > 0 and bar.value() == 0
        assert not picker.entries()[0].why
        picker.fold()
