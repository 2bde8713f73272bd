"""Shipped real tables against scikit-learn's own; the counts of the voting file against
MIT 2.3.39.
"""

from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.sources.real import REAL, real
from engine.sources.votes import VOTES, open_votes
from engine.table.prepare import Transform, prepare


@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_equal_to_the_original(name: str) -> None:
    oracle = getattr(datasets, f"load_{name}")()
    data = real(name)
    assert np.array_equal(np.column_stack([c.values for c in data.features]), oracle.data)
    assert np.array_equal(data.target.values, oracle.target)


def test_labels() -> None:
    assert real("iris").classes == ("setosa", "versicolor", "virginica")
    assert real("wine").classes == (1, 2, 3)
    assert real("digits").classes == tuple(range(10))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_the_plane_shows_columns_that_tell_the_classes_apart(name: str) -> None:
    """Iris' first two columns are the sepals, in which two of the species lie in one heap; the
    petals are Fisher's.
    """
    data = real(name)
    problem = prepare(data)
    assert tuple(problem.features[j].name for j in problem.plane) == data.plane
    first = prepare(data, plane=[c.name for c in data.features[:2]])
    assert _nearest_share(problem) > 1.1 * _nearest_share(first)


def _nearest_share(problem) -> float:
    """The share of rows whose nearest other row on the plane is of their class."""
    xy = (problem.xy - problem.xy.mean(0)) / np.maximum(problem.xy.std(0), 1e-9)
    apart = ((xy[:, None] - xy[None]) ** 2).sum(-1)
    np.fill_diagonal(apart, np.inf)
    return float((problem.codes[apart.argmin(1)] == problem.codes).mean())


def test_another_plane_is_only_a_wish() -> None:
    iris = real("iris")
    named = prepare(iris, plane=("sepal length", "petal width"))
    assert [named.features[j].name for j in named.plane] == ["sepal length", "petal width"]
    polar = prepare(iris, transforms=(Transform("polar", ("sepal length", "sepal width")),))
    assert not {polar.features[j].name for j in polar.plane} & set(iris.plane)
    fewer = prepare(
        replace(iris, columns=tuple(c for c in iris.columns if c.name != "petal width"))
    )
    assert [fewer.features[j].name for j in fewer.plane] == ["sepal length", "sepal width"]


def test_attribution_is_said_and_shipped() -> None:
    shelf = Path(__file__).parents[3] / "assets" / "data"
    words = (shelf / "ATTRIBUTION.md").read_text(encoding="utf-8")
    for name, entry in REAL.items():
        if entry.file:
            assert entry.file in words
            assert "scikit-learn" in real(name).about
    assert "BSD 3-Clause License" in (shelf / "LICENSE-scikit-learn.txt").read_text(
        encoding="utf-8"
    )


def test_votes_are_not_shipped_and_the_sentence_helps() -> None:
    with pytest.raises(EngineError, match=r"house-votes-84\.data.*target"):
        real("votes84")
    with pytest.raises(EngineError, match="no real set “votes”"):
        real("votes")


def votes_file(path: Path, gaps: tuple[int, ...], rows: int = 435) -> Path:
    """A file with the counts of the real one and made-up votes."""
    rng = np.random.default_rng(0)
    cells = rng.choice(["y", "n"], (rows, 16))
    for j, count in enumerate(gaps):
        cells[rng.permutation(rows)[:count], j] = "?"
    party = np.repeat(["democrat", "republican"], [267, rows - 267])
    path.write_text("".join(f"{p},{','.join(row)}\n" for p, row in zip(party, cells, strict=True)))
    return path


GAPS = (12, 48, 11, 11, 15, 11, 14, 15, 22, 7, 21, 31, 25, 17, 28, 104)


def test_a_whole_file_of_votes_opens(tmp_path: Path) -> None:
    assert sum(GAPS) == 392
    data = open_votes(votes_file(tmp_path / "house-votes-84.data", GAPS))
    assert data.classes == ("democrat", "republican")
    assert (data.target.values == 0).sum() == 267
    assert tuple(c.name for c in data.features) == VOTES
    assert tuple(int(np.isnan(c.values).sum()) for c in data.features) == GAPS


def test_a_shortened_file_of_votes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="not the whole file"):
        open_votes(votes_file(tmp_path / "a.data", GAPS, 400))
    with pytest.raises(EngineError, match="not the whole file"):
        open_votes(votes_file(tmp_path / "b.data", (0,) * 16))


def test_a_file_of_votes_as_it_comes_is_guessed_right(tmp_path: Path) -> None:
    """No row of names, the party first, and sixteen columns of y, n and ?."""
    data = engine.open_table(votes_file(tmp_path / "house-votes-84.data", GAPS))
    assert data.target.name == "x1"
    assert data.classes == ("democrat", "republican")
    assert len(data.features) == 16
    assert tuple(int(np.isnan(c.values).sum()) for c in data.features) == GAPS
    assert engine.open_votes(tmp_path / "house-votes-84.data") == open_votes(
        tmp_path / "house-votes-84.data"
    )
