"""Names are found without −, ² or η on the keyboard; exact words come first."""

import numpy as np
import pytest

import engine
from engine.base.spelling import place_of, typed
from engine.document.table_edits import set_cells
from engine.protocol.params import build
from engine.table.dataset import category_column
from engine.table.forecasts import class_code


@pytest.mark.parametrize(
    ("word", "keyboard"),
    [
        ("1/d²", "1/d2"),
        ("1/d²", "1/d^2"),
        ("1/d²", "1/d**2"),
        ("−1", "-1"),
        ("η", "eta"),
        ("1/n², η", "1/N^2, ETA"),
        ("∞", "inf"),
    ],
)
def test_words_as_a_keyboard_writes_them(word: str, keyboard: str) -> None:
    assert typed(word) == typed(keyboard)


def test_exact_words_come_first() -> None:
    assert place_of("-1", ("−1", "-1")) == 1
    assert place_of("−1", ("−1", "-1")) == 0
    assert place_of("some", ("Some", "some", "SOME")) == 1
    assert place_of("sOME", ("Some", "SOME")) is None
    assert place_of(-1, ("+1", "−1")) == 1
    assert place_of("-1", (1, -1)) == 1
    assert place_of(True, ("no", "yes")) == 1


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("nearest_neighbours", "weights"),
        ("neighbour_regression", "weights"),
        ("kernel_regression", "kernel"),
        ("locally_weighted_regression", "kernel"),
    ],
)
@pytest.mark.parametrize("keyboard", ["1/d2", "1/d^2", "1/D2", "1/d²"])
def test_options_with_a_power_are_typed_without(key: str, name: str, keyboard: str) -> None:
    chosen = build(engine.algorithms()[key].params, {name: keyboard})
    assert getattr(chosen, name) == "1/d²"


def test_no_option_needs_a_letter_that_keyboards_lack() -> None:
    for algorithm in engine.algorithms().values():
        for field in engine.protocol.params.params_fields(algorithm.params):
            words = [typed(str(option)) for option in field.options]
            assert all(word.isascii() for word in words)
            assert len(set(words)) == len(words)


def test_a_typed_minus_is_the_class_that_has_one() -> None:
    """one_or_five calls its classes + and −, leaning_clouds +1 and −1."""
    for data, minus, plus in (
        (engine.textbook("one_or_five"), "-", "+"),
        (engine.generate("leaning_clouds", 20), "-1", "+1"),
    ):
        target = data.target
        assert target is not None
        column = category_column(target.name, [minus, plus], target.categories)
        assert column.values.tolist() == [1.0, 0.0]
        assert set_cells(data, target.name, [0], [minus])[target.name].values[0] == 1.0
        assert class_code(column.feature, 1.0, (plus, minus)) == 1
    with pytest.raises(engine.EngineError, match="“±”"):
        category_column("y", ["±"], ("+", "−"))


def test_rows_to_predict_may_be_typed() -> None:
    columns = {"sign": ["+", "−", "+", "−"], "y": ["a", "b", "a", "b"]}
    trace = engine.run("naive_bayes", engine.Dataset.from_columns(columns, "y"), query="-")
    assert trace[-1].state.query.tolist() == [1.0]
    assert trace.predict([["-"], ["+"], ["−"]]).tolist() == ["b", "a", "b"]
    assert np.array_equal(trace.predict({"sign": ["-"]}), trace.predict({"sign": ["−"]}))


def test_words_of_a_parameter_are_kept_in_a_project(tmp_path) -> None:
    from engine.base.records import replace
    from engine.document.document import Document
    from engine.document.lane import Lane

    words = build(engine.algorithms()["naive_bayes"].params, {"query": "-"})
    assert words.query == ("-",)
    data = engine.Dataset.from_columns({"sign": ["+", "−"], "y": ["a", "b"]}, "y")
    document = Document(data, (Lane("naive_bayes", replace(words, query=("−", 1.0)), 0),))
    engine.save_project(document, tmp_path / "a.learnscope")
    assert engine.load_project(tmp_path / "a.learnscope").lanes[0].params.query == ("−", 1.0)
