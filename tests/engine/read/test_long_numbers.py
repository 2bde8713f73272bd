"""Whole numbers of more digits than Python reads (4,300), wherever a file may hold one."""

from pathlib import Path

import pytest

import engine
from engine.base.errors import EngineError

FILES = {
    "records.json": '[{"a": N, "y": "u"}, {"a": 2, "y": "v"}]',
    "columns.json": '{"a": [N, 2], "y": ["u", "v"]}',
    "lines.jsonl": '{"a": N, "y": "u"}\n{"a": 2, "y": "v"}\n',
    "lists.json": "[[N, 1], [2, 3]]",
    "number.json": "N",
    "nested.json": '[{"a": {"b": N}}, {"a": 2}]',
    "table.csv": "a,y\nN,u\n2,v\n",
    "table.arff": "@relation x\n@attribute a numeric\n@attribute y {u,v}\n@data\nN,u\n2,v\n",
    "sparse.arff": (
        "@relation x\n@attribute a numeric\n@attribute y {u,v}\n@data\n{N 1, 1 u}\n{0 2, 1 v}\n"
    ),
    "values.svm": "1 1:N\n-1 1:2\n",
    "places.svm": "1 N:1\n-1 1:2\n",
    "table.tab": "a\ty\nc\td\n\tclass\nN\tu\n2\tv\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "number", ["9" * 4300, "9" * 4301, "7" * 20_000], ids=["4300", "4301", "20000"]
)
def test_they_are_refused_with_a_sentence(tmp_path: Path, name: str, number: str) -> None:
    path = tmp_path / name
    path.write_text(FILES[name].replace("N", number), "utf-8")
    with pytest.raises(EngineError) as refused:
        engine.open_table(path)
    assert str(refused.value).endswith(".")
    assert len(str(refused.value)) < 400


def test_a_project_too(tmp_path: Path) -> None:
    path = tmp_path / "old.learnscope"
    path.write_text('{"format": ' + "9" * 5000 + "}", "utf-8")
    with pytest.raises(EngineError, match="more digits"):
        engine.load_project(path)
