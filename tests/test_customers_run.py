"""The table of customers on the command line: what `run` says of it, and what its
refusals advise.
"""

from collections import Counter
from pathlib import Path

import pytest

import main
from tests.customers import customers


@pytest.mark.slow
@pytest.mark.parametrize("key", ["decision_tree", "random_forest", "logistic_regression"])
@pytest.mark.parametrize(
    "changes", [["--fill", "--one-hot"], ["--one-hot", "--fill"], ["--drop-missing", "--one-hot"]]
)
def test_customers_are_learnt_after_words_and_gaps_are_mended(
    key: str, changes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "customers.csv"
    made = customers()
    file.write_text(made.text, "utf-8")
    used = [
        [row[name] for name in ("region", "plan", "newsletter", "age", "monthly spend")]
        for row in made.rows
    ]
    left = sum(all(cells) for cells in used) if "--drop-missing" in changes else len(made.rows)
    assert main.main(["run", key, "--data", str(file), *changes]) == 0
    said, notices = capsys.readouterr()
    assert f"rows       {left}; 11 columns; classes" in said
    assert "finished" in said
    assert all(f"“{name}”" in notices for name in ("name", "joined", "last order"))
    if left == len(made.rows):
        (_, most), (_, least) = Counter(row["churned"] for row in made.rows).most_common()
        assert f"always saying “no”: {100 * least / (most + least):.1f} % wrong" in said


def test_a_regression_of_words_and_gaps_says_what_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "customers.csv"
    file.write_text(customers(300).text, "utf-8")
    assert main.main(["run", "logistic_regression", "--data", str(file)]) == 2
    assert "On the command line: --fill --one-hot" in capsys.readouterr().err
