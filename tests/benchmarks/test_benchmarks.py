"""Every benchmark runs, on next to nothing: no time is judged here."""

import math

import pytest

from tests.benchmarks.__main__ import PARTS, main, measured
from tests.benchmarks.measure import HEAD, Row, Sizes, p95, table

pytestmark = pytest.mark.slow

TINY = Sizes(
    passes=1, starts=1, points=60, frames=3, run_steps=60, scrubs=3, dragged=20, drags=3, rows=(40,), side=8, table_rows=300,
    sheet_rows=50,
)  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_every_part_measures_something(part: str) -> None:
    rows = list(measured(TINY, [part]))
    assert rows
    assert all(row.ours > 0 and math.isfinite(row.ratio) for row in rows)


def test_table_is_aligned_and_tells_what_is_kept() -> None:
    lines = table([Row("a", 2.0, 4.0, "ms", "limit", 1.0), Row("longer", 5.0, 1.0, "ms", "limit", 2.0)]).splitlines()
    assert [line.find("limit") for line in lines[2:]] == [lines[2].find("limit")] * 2
    assert all(word in lines[0] for word in HEAD)
    assert lines[2].endswith("0.50   1.00     yes")
    assert lines[3].endswith("5.00   2.00     NO")


def test_p95_leaves_out_one_of_twenty() -> None:
    assert p95([1.0] * 95 + [9.0] * 5) == 9.0
    assert p95([1.0] * 96 + [9.0] * 4) == 1.0


def test_unknown_parts_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err
