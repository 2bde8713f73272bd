"""Long texts without quotation marks, of which only the drawn lines are cut: all is as when every
row is read.
"""

import codecs
import gzip
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.read import plain_lines
from engine.read.cells import Cancelled, file_source, read_cells
from engine.read.sampling import sample, sample_places

ROW = st.sampled_from(
    [
        "1,2,p",
        "3.5,-1,q",
        ",,",
        " , ,\t",
        "",
        " 7 ,8, p",
        "é,ü,\u2003x",
        "\u00a0,\u2003,",
        "1,2,",
        ",2,p",
    ]
)
ODD = st.sampled_from(
    ["1,2", "1,2,3,4", "  ", '"1",2,p', '1,2,"p', "# a remark", "1,2,p\x1a", "1,2,p\r4,5,q"]
)
ABOVE = st.sampled_from(
    ["a,b,kind\n", "A title\n\na,b,kind\n", "# a remark\na,b,kind\n", "a,b\n", "x\ty\n", ""]
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(plain_lines, "LEAST", 0)
    monkeypatch.setattr(plain_lines, "BLOCK", 64)
    return monkeypatch


def outcome(path: Path, *given: Any, **named: Any) -> Any:
    """What is read of the file, or the sentence that refuses it."""
    try:
        return msgspec.structs.astuple(read_cells(file_source(path, *given), **named))
    except EngineError as sentence:
        return str(sentence)


def both(patch: pytest.MonkeyPatch, path: Path, *given: Any, **named: Any) -> tuple[Any, Any]:
    """(read as a plain text where it is one, read from row to row)."""
    found = []
    for least in (0, sys.maxsize):
        patch.setattr(plain_lines, "LEAST", least)
        found.append(outcome(path, *given, **named))
    return found[0], found[1]


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    above=ABOVE,
    rows=st.lists(ROW, max_size=60),
    odd=st.lists(ODD, max_size=1),
    at=st.integers(0, 60),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16"]),
    limit=st.sampled_from([None, 1, 7, 140, 1000]),
    seed=st.integers(0, 9),
    block=st.integers(1, 90),
)
@example("a,b,kind\n", [",,", "1,2,p", ",,"], [], 0, "\n", True, "utf-8", None, 0, 8)
def test_plain_lines_are_read_as_rows_are(
    small: Any,
    tmp_path: Path,
    above: str,
    rows: list[str],
    odd: list[str],
    at: int,
    end: str,
    last: bool,
    encoding: str,
    limit: int | None,
    seed: int,
    block: int,
) -> None:
    small.setattr(plain_lines, "BLOCK", block)
    below = [*(f"{k},{k % 7},{'pq'[k % 2]}" for k in range(130)), *rows]
    below[130 + at : 130 + at] = odd
    text = above.replace("\n", end) + end.join(below) + end * last
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding, "replace"))
    plain, slow = both(small, path, encoding, limit=limit, seed=seed)
    assert plain == slow


def test_a_text_that_is_plain_is_read_so(
    small: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the tests here would compare the slow way with itself."""
    path = tmp_path / "t.csv"
    path.write_text("a,b,kind\n" + "1,2,p\n,,\n\n2,3,q\n" * 100)
    monkeypatch.setattr("engine.read.cells.sample", None)
    found = read_cells(file_source(path), limit=50)
    assert (len(found.rows), found.total, found.numbers) == (50, 200, sorted(found.numbers))
    assert found.notices == ("100 rows are left out: all their cells are empty.",)


@pytest.mark.parametrize("wrong", [b"\xff,2,p\n", b"1,2,\xe9\n"])
def test_bytes_of_another_encoding_are_found_anywhere(
    small: Any, tmp_path: Path, wrong: bytes
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b,kind\n" + b"1,2,p\n" * 200 + wrong + b"1,2,q\n" * 200)
    plain, slow = both(small, path, "utf-8", limit=5)
    assert plain == slow == "“t.csv” cannot be read as utf-8; choose another encoding."


def test_a_packed_text_is_read_alike(small: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(
        gzip.compress(codecs.BOM_UTF8 + b"a,b\n" + b"".join(b"%d,p\n" % k for k in range(3000)))
    )
    plain, slow = both(small, path, limit=40, seed=3)
    assert plain == slow
    assert len(plain[1]) == 40


def test_a_line_that_is_too_long_is_left_to_the_other_reader(small: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,p\n" * 200 + f"2,{'x' * 150_000}\n" + "1,p\n" * 200)
    plain, slow = both(small, path)
    assert plain == slow
    assert "a cell of more than 131,072 letters" in plain


@given(total=st.integers(1, 5000), limit=st.integers(1, 3000), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_the_same_places_are_drawn(total: int, limit: int, seed: int) -> None:
    kept, many = sample(((k, []) for k in range(total)), limit, seed, lambda: None)
    places = sample_places(total, limit, seed, lambda: None)
    assert places.tolist() == [k for k, _ in kept]
    assert (many, len(places)) == (total, min(total, limit))


@pytest.mark.slow
def test_a_long_text_is_sampled_soon_and_can_be_cancelled(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    block = "".join(
        f"{a:.4f},{b:.4f},{c:.4f},yes\n" for a, b, c in rng.normal(size=(1000, 3)).tolist()
    )
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,answer\n" + block * 300)
    seen: list[float] = []
    began = time.process_time()
    found = read_cells(
        file_source(path), limit=20_000, progress=lambda share: not seen.append(share)
    )
    assert time.process_time() - began < 3
    assert (len(found.rows), found.total) == (20_000, 300_000)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    for stop in (0.2, 0.7):
        with pytest.raises(Cancelled):
            read_cells(
                file_source(path), limit=20_000, progress=lambda share, stop=stop: share < stop
            )
