"""A script says of a file whatever the dialog lets a person say; what is not said is guessed."""

from pathlib import Path

import pytest

import engine
from engine.base.errors import EngineError


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_text(text, encoding=encoding)
    return path


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("party,a,b,sex\nd,y,n,m\nr,n,n,f\nd,y,y,f\nr,n,y,m\n", "party"),
        ("diagnosis,size,shape\nill,1.5,round\nwell,2.5,flat\nill,3.5,flat\n", "diagnosis"),
        ("who,a,b,c\nann,y,n,?\nbob,n,n,y\nann,y,y,n\nbob,n,?,y\n", "who"),
        ("a,b,c\nred,y,n\nblue,n,n\nred,y,y\n", "a"),
        ("answer,b,c\ny,y,n\nn,n,n\ny,y,y\nn,n,y\n", "c"),  # all three answer alike: the last one
        ("colour,size,class\nred,y,1\nblue,n,2\nred,n,2\n", "class"),
        ("colour,shape,eatable\nred,round,y\nblue,flat,n\nred,long,y\n", "eatable"),
    ],
)
def test_the_classes_come_first_where_a_convention_says_so(
    tmp_path: Path, text: str, target: str
) -> None:
    assert engine.open_table(written(tmp_path / "t.csv", text)).target.name == target


def test_every_option_of_reading_has_its_word(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.txt",
        "größe;wert;gut\n1,5;3;ja\n2,5;–;nein\n",
        "latin-1".replace("latin-1", "cp1252"),
    )
    data = engine.open_table(
        path,
        "gut",
        separator=";",
        encoding="cp1252",
        decimal=",",
        header=True,
        missing=["–"],
        kinds={"wert": "categorical"},
    )
    assert data["größe"].values.tolist() == [1.5, 2.5]
    assert data["wert"].labels() == [3, None]
    assert data.target.name == "gut"
    bare = engine.open_table(
        path,
        separator=";",
        encoding="cp1252",
        header=False,
        roles={"x1": "ignored", "x2": "target"},
    )
    assert len(bare) == 3
    assert bare.target.name == "x2"
    assert [c.name for c in bare.features] == ["x3"]


def test_a_word_overrules_the_record(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "1,2\n3,-9\n")
    options = engine.TableOptions(header=True, missing=("?",))
    data = engine.open_table(path, options=options, header=False, missing="-9")
    assert data["x2"].labels() == [2.0, None]
    assert len(engine.open_table(path, options=options)) == 1


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            {"kinds": {"a": "float"}},
            "kind of “a” must be one of numeric, categorical, boolean; it is “float”",
        ),
        ({"roles": {"a": "y"}}, "role of “a” must be one of feature, target, name, ignored"),
        ({"roles": {"z": "target"}}, "no column “z”"),
    ],
)
def test_what_does_not_fit_gets_a_sentence(
    tmp_path: Path, said: dict[str, dict[str, str]], sentence: str
) -> None:
    with pytest.raises(EngineError, match=sentence):
        engine.open_table(written(tmp_path / "t.csv", "a,b\n1,2\n3,4\n"), **said)
