"""A generated table knows how it was drawn, also out of a project file, and whether it still is as
drawn.
"""

import msgspec
import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import from_plain, load_project, save_project, to_plain
from engine.table.origin import Origin


def drawn(**values: object) -> engine.Dataset:
    return engine.generate("blobs", **values)  # type: ignore[arg-type]


def test_a_generator_says_its_arguments() -> None:
    origin = drawn(n=40, noise=0.6, seed=7, classes=3).origin
    assert origin is not None
    assert {k: v for k, v in msgspec.structs.asdict(origin).items() if k != "check"} == {
        "generator": "blobs",
        "n": 40,
        "noise": 0.6,
        "seed": 7,
        "classes": 3,
    }
    usual = drawn().origin
    assert usual is not None and (usual.n, usual.noise, usual.classes) == (200, 0.7, 2)
    assert engine.Dataset.from_arrays([[0.0, 1.0]], [1]).origin is None
    assert engine.textbook("restaurant").origin is None


def test_the_same_words_draw_the_same_table_again() -> None:
    data = drawn(n=40, noise=0.6, seed=7, classes=3)
    fields = msgspec.structs.asdict(data.origin)
    check = fields.pop("check")
    again = engine.generate(fields.pop("generator"), **fields)
    assert again == data and again.origin is not None and again.origin.check == check


def test_every_change_of_the_rows_is_seen_and_its_undoing_too() -> None:
    data = drawn(n=10)
    assert data.as_drawn
    moved = data.with_values("x1", [3], [9.0])
    for changed in (
        moved,
        data.take(np.arange(9)),
        data.take(np.arange(10)[::-1]),
        data.with_rows([{"x1": 1.0}]),
    ):
        assert changed.origin == data.origin and not changed.as_drawn
    assert moved.with_values("x1", [3], [data["x1"].values[3]]).as_drawn


def test_a_project_keeps_it(tmp_path: object) -> None:
    path = f"{tmp_path}/points.learnscope"
    data = drawn(n=25, noise=1.25, seed=3)
    for table in (data, data.with_values("x2", [0], [5.0])):
        save_project(Document(table, (lane("perceptron"),)), path)
        back = load_project(path).data
        assert back == table and back.origin == table.origin and back.as_drawn == table.as_drawn


def test_projects_from_before_it_open_and_nonsense_is_refused() -> None:
    plain = to_plain(Document(drawn(n=5), (lane("perceptron"),)))
    del plain["data"]["origin"]
    assert from_plain(plain).document.data.origin is None
    good = {"generator": "blobs", "n": 5, "noise": 0.7, "seed": 0, "classes": 2, "check": 0}
    plain["data"]["origin"] = good | {"generator": "of another version"}
    assert isinstance(from_plain(plain).document.data.origin, Origin)
    for wrong in (
        good | {"n": -1},
        good | {"noise": "much"},
        good | {"seed": 0.5},
        {"generator": "blobs"},
        7,
        [],
    ):
        plain["data"]["origin"] = wrong
        with pytest.raises(EngineError, match="origin"):
            from_plain(plain)


def test_a_seed_too_large_for_a_file_is_left_out_of_it() -> None:
    document = Document(replace(drawn(n=5, seed=2**70)), (lane("perceptron"),))
    assert "origin" not in to_plain(document)["data"]
    assert from_plain(to_plain(document)).document.data == document.data
