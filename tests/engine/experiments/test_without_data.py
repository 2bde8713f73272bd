"""Experiments that declare to look at no data say the same of every table, and no other does."""

import pytest

import engine
from engine.protocol.registry import algorithms
from engine.table.dataset import Dataset
from engine.table.problem import Task

TABLES = (
    Dataset.from_columns({"a": [1.0, 2, 3, 4], "b": [2.0, 1, 5, 3], "c": list("xxyy")}, "c"),
    Dataset.from_columns({"a": [5.0, 2, 9], "c": list("zxz")}, "c"),
)
# of those that need columns of another kind
OWN = {
    "distance_balls": (
        TABLES[0],
        Dataset.from_columns({"a": [5.0, 2, 9], "b": [1.0, 8, 3], "c": list("zxz")}, "c"),
    ),
    "regret_bounds": (
        Dataset.from_columns({"one": list("xyxy"), "other": list("yyxx"), "c": list("xxyy")}, "c"),
        Dataset.from_columns({"one": list("yyy"), "other": list("xyx"), "c": list("xyy")}, "c"),
    ),
}
KEYS = [key for key, each in algorithms().items() if each.task is Task.THEORY]
SET = {"ensemble_error": [{"cases": 50}]}  # settings that make a difference
# tables of pictures are looked at, and the plane shows the examples
ELSEWHERE = {"digit_pad", "vc_bounds"}


def said(key: str, data: Dataset, **params: object) -> list[str]:
    return [line for step in engine.run(key, data, **params) for line in step.note.lines()]


@pytest.mark.parametrize("key", KEYS)
def test_who_looks_at_no_data_says_so(key: str) -> None:
    method = algorithms()[key]
    for params in [{}, *SET.get(key, [])]:
        one, other = (said(key, data, **params) for data in OWN.get(key, TABLES))
        idle = method.without_data is not None and method.without_data(method.params(**params))
        assert idle == (one == other and key not in ELSEWHERE)
