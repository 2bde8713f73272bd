"""Parameters: one declaration, checked everywhere with sentences that name bounds and value."""

from typing import Annotated, Any, Literal

import numpy as np
import pytest

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.protocol.params import (
    Costs,
    Help,
    Label,
    Learner,
    Place,
    Range,
    When,
    build,
    params_fields,
    to_dict,
)


class Params(Record, eq=True):
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η"), Help("how far")] = 0.5
    rounds: Annotated[int, Range(1, 100), When("rule", ("b",))] = 20
    rule: Literal["a", "b"] = "a"
    start: Annotated[tuple[float, ...], Place()] = ()
    exact: bool = False
    limit: Annotated[int | None, Range(1, 9)] = None


def test_a_form_can_be_built_from_the_declaration() -> None:
    fields = {f.name: f for f in params_fields(Params)}
    assert [f.kind for f in fields.values()] == ["float", "int", "choice", "numbers", "bool", "int"]
    assert fields["rate"].label == "Rate η"
    assert fields["rate"].range == Range(1e-4, 10, log=True)
    assert fields["rule"].options == ("a", "b")
    assert fields["rounds"].when == When("rule", ("b",))
    assert fields["start"].place
    assert fields["limit"].optional


def test_texts_of_a_command_line_are_understood() -> None:
    made = build(
        Params,
        {
            "rate": "2",
            "rounds": "7",
            "rule": "b",
            "start": "(−1, 0.5)",
            "exact": "yes",
            "limit": "none",
        },
    )
    assert made == Params(2.0, 7, "b", (-1.0, 0.5), True, None)
    assert build(Params, to_dict(made)) == made


@pytest.mark.parametrize("three", [3, 3.0, "3", np.float64(3), np.int64(3), [3], np.array([3])])
def test_a_single_number_is_a_list_of_one(three: object) -> None:
    assert build(Params, {"start": three}) == Params(start=(3.0,))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("rate", 20, "Rate η must lie between 0.0001 and 10; it is 20."),
        ("rate", 0.00004, "Rate η must lie between 0.0001 and 10; it is 4·10⁻⁵."),
        ("rate", 10.00000001, "it is 10.00000001."),
        ("rate", "-0,5", "must be a number; it is “-0,5”"),
        ("rate", "-0.5", "it is −0.5."),
        ("rate", float("-inf"), "it is −∞."),
        ("rounds", 10**9, "Rounds must lie between 1 and 100; it is 1000000000."),
        ("rounds", 1e9, "it is 1000000000."),
        ("rounds", 0.5, "Rounds must be a whole number; it is 0.5."),
        ("start", True, "numbers separated by commas"),
        ("rate", "fast", "“fast”"),
        ("rate", float("nan"), "undefined"),
        ("rate", 10**400, "number"),
        ("rounds", 2.5, "whole number"),
        ("rule", "c", "one of a, b"),
        ("start", "1; x", "numbers separated by commas"),
        ("start", (float("inf"),), "finite"),
        ("exact", "perhaps", "yes or no"),
        ("rate", None, "needs a value"),
        ("colour", 1, "no parameter “colour”"),
    ],
)
def test_what_does_not_fit_gets_a_sentence(name: str, value: object, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        build(Params, {name: value})


class Texts(Record, eq=True):
    learner: Annotated[str, Learner()] = ""
    learners: Annotated[tuple[str, ...], Learner(most=2)] = ()
    costs: Annotated[str, Costs()] = ""
    column: str = ""


@pytest.mark.parametrize("name", ["learner", "learners", "costs", "column"])
@pytest.mark.parametrize(
    "value",
    [("decision_tree", 3), [["decision_tree"]], {"decision_tree": 3}, b"decision_tree", len],
)
def test_what_is_no_text_is_refused_by_its_type(name: str, value: Any) -> None:
    """Not taken for a text of brackets, quotes and commas."""
    with pytest.raises(
        EngineError,
        match=rf"^{name.capitalize()} must be .*text.*of the type {type(value).__name__}\.$",
    ):
        build(Texts, {name: value})


def test_one_learner_is_no_tuple_and_several_are_no_number() -> None:
    with pytest.raises(
        EngineError,
        match=r"Learner must be one text such as “nearest_neighbours\(k=3\)”; it is .*type tuple",
    ):
        build(Texts, {"learner": ("decision_tree",)})
    with pytest.raises(EngineError, match=r"Learners must be texts .*; it is 5, of the type int"):
        build(Texts, {"learners": 5})
    made = Texts("decision_tree", ("kmeans", "svm"), "0 1; 5 0", "5")
    given = {
        "learner": " decision_tree",
        "learners": ["kmeans ", "svm"],
        "costs": "0 1; 5 0",
        "column": 5,
    }
    assert build(Texts, given) == build(Texts, given | {"learners": "kmeans; svm"}) == made


@pytest.mark.parametrize("kind", [Params, Texts])
@pytest.mark.parametrize(
    "value",
    [10**5000, -(10**5000), (10**5000,), [1, 10**5000], {10**5000: 1}],
    ids=["positive", "negative", "one", "list", "mapping"],
)
def test_a_number_that_python_does_not_write_is_refused_with_a_sentence(
    kind: type[Any], value: Any
) -> None:
    for field in params_fields(kind):
        with pytest.raises(
            EngineError, match=r"too many digits|too large|of the type|finite|beyond"
        ):
            build(kind, {field.name: value})
