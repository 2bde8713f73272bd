"""The first rows of every part of the benchmarks, on next to nothing: no time is judged here."""

import math
from itertools import islice
from pathlib import Path

import pytest

from engine.numerics import jit
from tests.benchmarks import fitting, showing
from tests.benchmarks.__main__ import PARTS, main, measured
from tests.benchmarks.fitting import first_fits
from tests.benchmarks.measure import HEAD, Row, Sizes, alternated, p95, ratios, table, worse
from tests.benchmarks.rivals import rivals

pytestmark = [pytest.mark.slow, pytest.mark.sweep]

FEW = 1  # rows of a part
TINY = Sizes(
    passes=1,
    repeats=1,
    firsts=0,
    starts=1,
    acts=2,
    rest=20,
    points=40,
    methods=1,
    themes=1,
    frames=3,
    run_steps=20,
    scrubs=3,
    dragged=20,
    drags=3,
    rows=(20,),
    side=4,
    table_rows=300,
    kept_rows=300,
    sheet_rows=50,
)


@pytest.mark.usefixtures("few_digits")
# stalls opens four windows before its first row
@pytest.mark.parametrize("part", [part for part in PARTS if part != "stalls"])
def test_every_part_measures_something(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # tests/engine/numerics/test_jit.py compiles
    monkeypatch.setattr(jit, "compiled", lambda loop: None)
    monkeypatch.setattr(fitting, "LONGEST", 0.05)
    rows = list(islice(measured(TINY, [part]), FEW))
    assert rows
    assert all(row.ours > 0 and math.isfinite(row.ratio) for row in rows)


def test_one_scrubs_over_two_steps_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the first one is there nothing would be painted, and nothing would be ready."""
    monkeypatch.setattr(showing, "WHILE", 0.0)
    monkeypatch.setattr(showing, "PATIENCE", 20.0)
    steps, *ways = showing.scrubbing("bagging", TINY)
    assert steps >= 2
    assert [[len(part) for part in times] for times in ways] == [[TINY.scrubs]] * 3


def test_a_first_fit_is_timed_in_a_process_of_its_own() -> None:
    rival = next(rival for rival in rivals() if rival.key == "linear_regression")
    both = first_fits(rival, 40, 1)
    assert 0 < both.ours < 10
    assert 0 < both.theirs < 10


def test_table_is_aligned_and_tells_what_is_kept() -> None:
    lines = table(
        [
            Row("a", 2.0, 4.0, "ms", "limit", 1.0),
            Row("longer", 5.0, 1.0, "ms", "limit", 2.0),
            Row("watched", 5.0, 1.0, "ms", "limit", 2.0, "small", watched=True),
        ]
    ).splitlines()
    assert [line.find("limit") for line in lines[2:]] == [lines[2].find("limit")] * 3
    assert all(word in lines[0] for word in HEAD)
    assert lines[2].endswith("0.50         1.00     yes")
    assert lines[3].endswith("5.00         2.00     NO")
    assert lines[4].endswith("5.00         2.00     watched: small")


def test_an_earlier_table_tells_what_got_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = [
        Row("a fit, n = 2,000", 2.0, 4.0, "ms", "scikit-learn", 1.0),
        Row("a frame", 5.0, 1.0, "ms", "limit", wall=5.1),
        Row("a watched fit", 0.5, 1.0, "ms", "scikit-learn"),
        Row("a slow watched fit", 0.5, 1.0, "ms", "scikit-learn"),
    ]
    assert ratios(table(before))["a fit, n = 2,000"] == 0.5
    assert ratios(table(before))["a frame"] == 5.0
    now = [
        Row("a fit, n = 2,000", 2.7, 4.0, "ms", "scikit-learn", 1.0),
        Row("a watched fit", 0.9, 1.0, "ms", "scikit-learn", 1.0, watched=True),
        Row("a slow watched fit", 1.1, 1.0, "ms", "scikit-learn", 1.0, watched=True),
        Row("a frame", 6.0, 1.0, "ms", "limit"),
        Row("new", 9.0, 1.0, "ms", "limit"),
    ]
    assert [*worse(now, ratios(table(before)))] == [
        "a fit, n = 2,000: 0.50 before, 0.68 now",
        "a slow watched fit: 0.50 before, 1.10 now",
    ]
    assert main(["starting", "--against", str(tmp_path / "none.txt")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_both_sides_take_turns_on_new_things() -> None:
    seen: list[tuple[str, int]] = []
    made = iter(range(100))
    alternated(
        lambda thing: seen.append(("ours", thing)),
        lambda thing: seen.append(("theirs", thing)),
        lambda: next(made),
        3,
    )
    assert seen == [
        ("ours", 0),
        ("theirs", 1),
        ("ours", 2),
        ("theirs", 3),
        ("ours", 4),
        ("theirs", 5),
    ]


def test_p95_leaves_out_one_of_twenty() -> None:
    assert p95([1.0] * 95 + [9.0] * 5) == 9.0
    assert p95([1.0] * 96 + [9.0] * 4) == 1.0


def test_unknown_parts_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err
