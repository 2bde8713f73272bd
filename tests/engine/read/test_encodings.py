"""Which letters a text file holds, and files that break off inside one."""

from pathlib import Path

import pytest

from engine.base.errors import EngineError
from engine.read.tables import TableOptions, guess_table, open_noticed, read_table

TOWNS = "x,y,town\n1,2,Köln\n3,4,Düren\n5,6,K"
CUT = (
    "The file ends in the middle of a letter, which is left out: it may be half-written. Check its"
    " last row."
)


def written(folder: Path, raw: bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("letter", ["ö", "€", "😀"])
def test_a_file_cut_inside_a_letter_keeps_its_encoding(
    tmp_path: Path, encoding: str, letter: str
) -> None:
    begun = len(TOWNS.encode(encoding))
    whole = (TOWNS + letter).encode(encoding)
    for end in range(begun + 1, len(whole), 2 if "16" in encoding else 1):
        path = written(tmp_path, whole[:end])
        data, said = open_noticed(path)
        assert data["town"].labels() == ["Köln", "Düren", "K"]
        assert said == (CUT,)
        guess = guess_table(path)
        assert (guess.encoding, guess.notices) == (encoding, said)
        assert read_table(path, guess).columns == data.columns


@pytest.mark.slow
def test_a_large_file_cut_inside_a_letter(tmp_path: Path) -> None:
    path = written(
        tmp_path, b"x,town\n" + "1,Köln am Rhein von Süden\n".encode() * 44_000 + b"2,K\xc3"
    )
    assert path.stat().st_size > 2**20
    data, said = open_noticed(path, limit=300_000)
    assert (len(data), data["town"].labels()[-1], said[-1]) == (44_001, "K", CUT)


def test_a_row_that_is_cut_as_well_is_refused_as_before(tmp_path: Path) -> None:
    with pytest.raises(
        EngineError, match=r"Line 3 of “t.csv” has 2 cells.* half-written. Complete or delete it.$"
    ):
        open_noticed(written(tmp_path, "town,y,z\nKöln,2,3\nKöln,".encode() + b"\xc3"))


def test_the_only_accent_may_be_one_of_windows(tmp_path: Path) -> None:
    """Without another letter beyond ASCII nothing speaks for UTF-8."""
    data, said = open_noticed(written(tmp_path, b"x,drink\n1,tea\n2,tea\n3,caf\xe9"))
    assert data["drink"].labels() == ["tea", "tea", "café"]
    assert said == ("The file is not UTF-8; it is read as Windows-1252. Check the accents.",)


@pytest.mark.parametrize("raw", [b"1,K\xc3\n", b"1,K\xc3l", b"1,\xff", b"1,\x80"])
def test_wrong_letters_that_are_no_end_stay_wrong(tmp_path: Path, raw: bytes) -> None:
    path = written(tmp_path, "x,town\n1,Köln\n2,Ulm\n".encode() + raw)
    assert open_noticed(path)[1] == (
        "The file is not UTF-8; it is read as Windows-1252. Check the accents.",
    )
    with pytest.raises(EngineError, match="cannot be read as utf-8"):
        open_noticed(path, options=TableOptions(encoding="utf-8"))
