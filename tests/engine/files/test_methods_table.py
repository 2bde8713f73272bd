"""The table of methods: what its cells say is tried on tables of that kind, and what MMDS 12.5 and
AIMA 18.11.2 say of trees, neighbours and lines holds of them.
"""

import pytest

import engine
from engine.files.methods_table import method_rows, table_lines, table_to_plain

ROWS = {row.key: row for row in method_rows()}
MISSES = "needs every value"  # how a refusal of gaps begins


def refusal(key: str, problem: engine.Problem) -> str:
    return engine.algorithms()[key].needs.reason(problem) or ""


def test_every_method_that_learns_has_a_row_and_no_experiment() -> None:
    methods = engine.algorithms()
    assert set(ROWS) == {key for key, each in methods.items() if each.family != "experiments"}
    said = "\n".join(table_lines())
    assert all(methods[key].title in said for key in ROWS)
    assert [row["key"] for row in table_to_plain()] == list(ROWS)


def test_a_method_that_tells_two_classes_apart_refuses_three_flowers() -> None:
    iris = engine.prepare(engine.real("iris"))
    for key, row in ROWS.items():
        if row.classes == "2":
            assert "this table has 3" in refusal(key, iris), key
        elif row.classes != "–":
            assert "this table has 3" not in refusal(key, iris), key


def test_a_method_of_numbers_refuses_words_and_one_of_words_does_not() -> None:
    words = engine.prepare(engine.textbook("restaurant"))
    for key, row in ROWS.items():
        if row.columns == "numbers" and row.learns.startswith("classes"):
            assert refusal(key, words), key
        if row.columns == "numbers and words" and row.learns.startswith("classes"):
            assert "holds words" not in refusal(key, words), key


def test_gaps_are_refused_where_the_table_says_so() -> None:
    gaps = engine.prepare(
        engine.Dataset.from_columns(
            {"a": [0, 1, None, 1, 0, 1], "b": [1, 0, 1, 0, 1, 0], "y": list("ABABAB")}, "y"
        )
    )
    for key, row in ROWS.items():
        if row.learns.startswith("classes"):
            assert (MISSES in refusal(key, gaps)) <= (row.gaps == "no"), key
            assert not (row.gaps == "yes" and MISSES in refusal(key, gaps)), key


@pytest.mark.parametrize(
    ("key", "columns", "reasons"),
    [
        ("decision_tree", "numbers and words", "yes"),  # MMDS 12.5: any features, understood
        ("perceptron", "numbers", "yes"),  # MMDS 12.5: categories must become numbers first
        ("svm", "numbers", "yes"),
        ("nearest_neighbours", "numbers and words", "yes"),  # MMDS 12.4.6: any distance
    ],
)
def test_what_the_texts_say_of_methods(key: str, columns: str, reasons: str) -> None:
    row = ROWS[key]
    assert row.columns == columns
    assert row.reasons == reasons


def test_values_are_learnt_by_regression() -> None:
    assert ROWS["linear_regression"].learns == "values"
    assert ROWS["linear_regression"].classes == "–"
    assert ROWS["kmeans"].learns == "clusters"
