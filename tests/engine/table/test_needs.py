"""What an algorithm says that it cannot take."""

import pytest

import engine
from engine.table.needs import Fault, Needs

TWO = [
    "perceptron",
    "naive_bayes",
    "greedy_dnf",
    "decision_list",
    "svm",
    "winnow",
    "logistic_regression",
]


@pytest.mark.parametrize("key", TWO)
def test_two_classes_that_are_not_the_first_two_are_refused_in_words(key: str) -> None:
    """Classes keep their places, so that their colours stay; a method of two looks at the first
    two.
    """
    whole = engine.Dataset.from_columns(
        {"f1": [0, 0, 1, 1, 1, 0], "f2": [0, 1, 0, 1, 0, 1], "y": list("aabbcc")}, "y"
    )
    assert len(engine.run(key, whole.take([0, 1, 2, 3])))
    with pytest.raises(engine.EngineError, match="“a” has no rows"):
        engine.run(key, whole.take([2, 3, 4, 5]))
    with pytest.raises(engine.EngineError, match="“b” has no rows"):
        engine.run(key, whole.take([0, 1, 4, 5]))


def refusal(needs: Needs, **columns: list) -> tuple:
    found = needs.refusal(
        engine.prepare(engine.Dataset.from_columns(columns, target="y" if "y" in columns else None))
    )
    assert found is not None
    return found.fault, found.fact, found.sentence, found.columns


NUMBERS, WORDS, BITS = [1.0, 2.5, 3.0], ["r", "g", "b"], [0, 1, 1]


def test_a_refusal_says_what_the_table_is_and_what_is_in_the_way() -> None:
    assert refusal(Needs(numeric=True), a=NUMBERS, c=WORDS, y=WORDS) == (
        Fault.WORDS,
        "holds words",
        "needs numbers, “c” holds words: turn on 0/1 columns",
        ("c",),
    )
    assert refusal(Needs(), a=[1.0, None, 2.0], y=WORDS)[:2] == (Fault.GAPS, "has gaps")
    assert refusal(Needs(min_classes=2), a=NUMBERS, y=["r", "r", "r"])[:2] == (
        Fault.FEW_CLASSES,
        "one class",
    )
    assert refusal(Needs(max_classes=2), a=NUMBERS, y=WORDS)[:2] == (Fault.TOO_MUCH, "3 classes")
    assert refusal(Needs(), a=NUMBERS)[:2] == (Fault.TARGET, "no target")
    assert refusal(Needs(), a=NUMBERS, y=NUMBERS)[:2] == (Fault.TARGET, "target is a number")
    assert refusal(Needs(labels=False, values=True), a=NUMBERS, y=WORDS)[:2] == (
        Fault.TARGET,
        "target is a class",
    )
    assert refusal(Needs(min_rows=5), a=NUMBERS, y=WORDS)[:2] == (Fault.FEW_ROWS, "3 rows")


@pytest.mark.parametrize(
    ("columns", "way", "out"),
    [
        ({"a": NUMBERS, "b": BITS}, "leave it out", ("a",)),
        (
            {"a": NUMBERS, "b": BITS, "c": WORDS},
            "turn words into 0/1 columns, leave it out",
            ("a",),
        ),
        ({"b": BITS, "c": WORDS}, "turn words into 0/1 columns", ()),
        ({"a": NUMBERS, "b": NUMBERS}, "choose other data", ("a", "b")),
        (
            {"a": NUMBERS, "b": NUMBERS, "c": BITS},
            "leave out the 2 columns of other numbers",
            ("a", "b"),
        ),
    ],
)
def test_the_way_out_of_zero_and_one_fits_the_columns(columns: dict, way: str, out: tuple) -> None:
    fault, _, sentence, names = refusal(Needs(binary=True), **columns, y=WORDS)
    assert fault is Fault.COLUMNS
    assert sentence.endswith(f": {way}") and names == out
