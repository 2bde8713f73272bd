"""What the values of parameters have to fit in a table, judged without a run."""

import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.document.document import Document
from engine.document.fitting import as_before, fitting, with_data
from engine.document.lane import lane
from engine.protocol.fits import check_fits, misfit
from engine.protocol.params import Field, Length, params_fields
from engine.protocol.registry import algorithm, algorithms
from engine.runs.run import Run

# lists of any length in any table: counts written by hand, radii that are tried
FREE = {("entropy", "counts"), ("lsh", "radii")}


def table(columns: int) -> engine.Dataset:
    rng = np.random.default_rng(0)
    return engine.Dataset.from_arrays(rng.normal(size=(12, columns)), ["a", "b"] * 6)


def field_of(key: str, name: str) -> Field:
    return next(f for f in params_fields(algorithm(key).params) if f.name == name)


def test_every_list_that_is_empty_of_its_own_accord_knows_what_it_fits() -> None:
    without = {
        (key, field.name)
        for key, each in algorithms().items()
        for field in params_fields(each.params)
        if field.kind in ("numbers", "words") and field.default == () and field.fits is None
    }
    assert without == FREE


@pytest.mark.parametrize(
    ("key", "params", "name", "sentence"),
    [
        (
            "perceptron",
            {"start": (1.0,)},
            "start",
            "Start w needs 2 numbers (columns: 2); it has 1.",
        ),
        (
            "perceptron",
            {"start": (1.0, 2.0), "threshold": "learned"},
            "start",
            "Start w needs 3 numbers (columns: 2, threshold weights: 1); it has 2.",
        ),
        (
            "em_means",
            {"k": 3, "start": (1.0, 2.0)},
            "start",
            "Start means needs 6 numbers (k: 3, columns: 2); it has 2.",
        ),
        (
            "backpropagation",
            {"hidden": (2.0,), "start": (1.0,)},
            "start",
            "Start w needs 9 numbers for a 2-2-1 network; it has 1.",
        ),
        (
            "distance_balls",
            {"stretch": (1.0,)},
            "stretch",
            "Stretch axes needs 2 numbers; it has 1.",
        ),
        (
            "rbf_network",
            {"centres": "by hand", "places": (1.0, 2.0, 3.0)},
            "places",
            "Places needs a multiple of 2 numbers (columns: 2); it has 3.",
        ),
    ],
)
def test_the_sentence_says_how_many_there_have_to_be(
    key: str, params: dict[str, object], name: str, sentence: str
) -> None:
    problem = engine.prepare(table(2))
    field = field_of(key, name)
    assert misfit(field, algorithm(key).params(**params), problem) == sentence
    with pytest.raises(EngineError) as error:
        check_fits(algorithm(key).params(**params), problem)
    assert str(error.value) == sentence


def test_a_value_that_does_not_matter_fits() -> None:
    """Places by hand are looked at only while the centres are."""
    problem = engine.prepare(table(2))
    params = algorithm("rbf_network").params(centres="k-means", places=(1.0, 2.0, 3.0))
    assert misfit(field_of("rbf_network", "places"), params, problem) == ""


def test_terms_of_a_length() -> None:
    length = Length("2 * k * columns + columns + 1")
    assert length.terms == (("2", "k", "columns"), ("columns",), ("1",))
    assert length.names == ("k", "columns")


WRITTEN = {
    ("perceptron", "start"): (1.0, 2.0),
    ("logistic_regression", "start"): (1.0, 2.0, 0.0),
    ("hinge_descent", "start"): (1.0, 2.0, 0.0),
    ("gradient_descent", "start"): (0.0, 1.0, 2.0),
    ("em_means", "start"): (1.0, 2.0, 3.0, 4.0),
    ("gaussian_mixture", "start"): (1.0, 2.0, 3.0, 4.0),
    ("backpropagation", "start"): (0.5,) * 17,
    ("optimal_brain_damage", "start"): (0.5,) * 17,
    ("nearest_neighbours", "stretch"): (1.0, 2.0),
    ("naive_bayes", "query"): (0.0, 1.0),
    ("table_lookup", "columns"): ("x1",),
    ("k2_search", "order"): ("x2", "x1"),
    ("bayes_net_gradient", "hidden"): ("x2",),
    ("bayes_net_gradient", "parents"): "x2: x1",
    ("entropy", "column"): "x2",
    ("cost_matrix", "costs"): "0 1; 5 0",
}


@pytest.mark.parametrize(("key", "name"), WRITTEN)
def test_with_another_table_it_is_empty_and_nothing_is_run(
    key: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_run(*_: object) -> None:
        raise AssertionError("an edit is judged without a run")

    monkeypatch.setattr(Run, "advance", no_run)
    bits = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)
    two = engine.Dataset.from_arrays(bits, ["a", "b"] * 6)
    other = engine.Dataset.from_columns(
        {"u": [0, 1] * 6, "v": [1, 0] * 6, "w": [0, 0, 1] * 4, "y": ["a", "b", "c"] * 4}, target="y"
    )
    written = lane(key, **{name: WRITTEN[key, name]})
    assert misfit(field_of(key, name), written.params, engine.prepare(two)) == ""
    default = field_of(key, name).default
    before = Document(two, (written,))
    assert getattr(with_data(before, other).lanes[0].params, name) == default
    edited, why = fitting(before, Document(other, (written,)), Document.problem)
    assert getattr(edited.lanes[0].params, name) == default
    assert why.endswith(f"{field_of(key, name).label} is empty now; Ctrl+Z brings it back.")
    put_away = Document(other, (lane("find_s"),), put_away=(written,))
    assert getattr(as_before(put_away, key), name) == default
