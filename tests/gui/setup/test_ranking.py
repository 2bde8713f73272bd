"""The order of what a search finds."""

import pytest

from engine.protocol.registry import algorithms
from gui.setup.picker_catalogue import bundled_sets
from gui.setup.ranking import rank


def first(wanted: str, titles: list[str]) -> str:
    ranked = [(found, title) for title in titles if (found := rank(wanted, title)) is not None]
    return min(ranked)[1]


def test_exact_words_come_before_beginnings_before_what_is_said_before_parts_of_words() -> None:
    grades = [
        rank("tree", title, said)
        for title, said in (
            ("tree", ""),
            ("Decision tree", ""),
            ("Treeless", ""),
            ("Forest", "of one tree"),
            ("Forest", "of treetops"),
            ("Streets", ""),
        )
    ]
    assert None not in grades
    assert grades == sorted(grades, key=lambda found: found.close)
    assert len({found.close for found in grades}) == len(grades)
    assert rank("tree", "Forest", "of elms") is None
    assert rank("tree elm", "Tree", "of oaks") is None, "every word has to be somewhere"


def test_marks_and_underscores_part_words() -> None:
    assert rank("means", "k-means").close[1] == rank("k-means", "k-means of three").close[1] == 0
    assert rank("k_means", "k means").close == rank("k means", "k means").close
    assert rank("xor", "“XOR” rows").close[1] == 0


@pytest.mark.parametrize(
    ("wanted", "title"),
    [("restau", "Restaurant"), ("spam", "Spam"), ("iri", "Iris"), ("moon", "Moons")],
)
def test_the_shorter_title_of_two_that_fit_alike(wanted: str, title: str) -> None:
    assert first(wanted, [known for _, _, known in bundled_sets()]) == title


def test_tree_is_the_decision_tree() -> None:
    """Its family is called so too; the k-d tree has the shorter name."""
    found = {a.title: rank("tree", a.title, a.key, a.family) for a in algorithms().values()}
    known = {title: each for title, each in found.items() if each is not None}
    assert min(known, key=known.__getitem__) == "Decision tree"
    assert "k-d tree" in known
