"""What makes a table fit a method, as the buttons of the window offer it."""

import itertools

import pytest

from engine.document.document import Document
from engine.document.lane import lane
from engine.document.mending import mends
from engine.table.dataset import Dataset
from engine.table.needs import is_binary

ROWS = list(itertools.product(["red", "blue", "green", None], ["yes", "no", None], range(6)))


def survey() -> Dataset:
    """Words of three kinds, a yes and no, both with gaps, in front of two columns of measured
    numbers.
    """
    return Dataset.from_columns(
        {
            "colour": [colour for colour, _, _ in ROWS],
            "member": [member for _, member, _ in ROWS],
            "age": [20.5 + 3 * k for _, _, k in ROWS],
            "spend": [float(k * k) for k in range(len(ROWS))],
            "stays": ["p" if k % 5 < 2 else "q" for k in range(len(ROWS))],
        },
        target="stays",
    )


@pytest.mark.parametrize(
    "key", ["logistic_regression", "perceptron", "kmeans", "nearest_neighbours"]
)
def test_filled_words_give_each_row_one_of_the_0_1_columns_and_leave_the_plane_to_numbers(
    key: str,
) -> None:
    words, changed = next(mends(Document(survey(), (lane(key),)), 0))
    problem = changed.problem()
    assert set(words.casefold().split(", ")) == {"use 0/1 columns", "fill missing values"}
    assert [problem.features[j].name for j in problem.plane] == ["age", "spend"]
    colours = [j for j, f in enumerate(problem.features) if f.name.startswith("colour = ")]
    assert len(colours) == 3
    assert (problem.X[:, colours].sum(axis=1) == 1).all()


def test_0_1_columns_for_a_plane_of_words() -> None:
    data = Dataset.from_columns(
        {"colour": ["red", "blue", "green"], "kind": ["p", "q", "p"]}, target="kind"
    )
    refused = Document(data, (lane("distance_balls"),))
    assert [words for words, _ in mends(refused, 0)] == ["Use 0/1 columns"]
    pair = Dataset.from_columns({"colour": ["red", "blue"], "kind": ["p", "q"]}, target="kind")
    assert list(mends(Document(pair, (lane("distance_balls"),)), 0)) == []


def test_gaps_in_columns_of_0_and_1_are_filled_for_methods_of_these() -> None:
    bits = {
        f"x{j}": [None if (k + j) % 7 == 0 else float(k >> j & 1) for k in range(16)]
        for j in range(3)
    }
    data = Dataset.from_columns(
        {**bits, "y": ["p" if k & 1 else "q" for k in range(16)]}, target="y"
    )
    found = dict(mends(Document(data, (lane("winnow"),)), 0))
    assert set(found) == {"Fill missing values", "Drop rows with missing values"}
    assert is_binary(found["Fill missing values"].problem())
