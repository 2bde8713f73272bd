"""Conjunctions, Gray codes and the map of all inputs. MIT 2.2.31."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.rules.decision_list import of_one_class
from engine.base.grid import Grid
from engine.base.work import Work, finished
from engine.numerics import boolean
from engine.numerics.boolean import (
    GRAY,
    Literals,
    Uniform,
    any_covers,
    covers,
    gray_runs,
    ones,
    squares,
    to_values,
)
from engine.scene.karnaugh import inputs, karnaugh_map
from engine.table.dataset import Feature, Kind

CUBE = np.array(list(product([0.0, 1.0], repeat=4)))


def test_neighbours_on_the_map_differ_in_one_bit() -> None:
    for codes in (GRAY[1], GRAY[2]):
        for a, b in zip(codes, codes[1:] + codes[:1], strict=True):
            assert sum(x != y for x, y in zip(a, b, strict=True)) == 1


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_the_map_shows_every_input_once(columns: int) -> None:
    assert {tuple(x) for x in inputs(columns)} == set(product([0.0, 1.0], repeat=columns))


def test_covers() -> None:
    assert covers((), CUBE).all()
    assert not any_covers((), CUBE).any()
    assert (covers(ones((0, 2)), CUBE) == (CUBE[:, 0] * CUBE[:, 2] == 1)).all()
    assert (covers(((1, 0.0),), CUBE) == (CUBE[:, 1] == 0)).all()


def test_a_block_may_go_round_the_edge() -> None:
    """f2 = 0 across: 00 and 10 stand at the two ends."""
    assert gray_runs((None, 0)) == [(0, 1), (3, 4)]
    assert gray_runs((None, 1)) == [(1, 3)]
    assert gray_runs((None, None)) == [(0, 4)]
    assert gray_runs((1, 1)) == [(2, 3)]


@pytest.mark.parametrize("rule", [(), (0,), (1,), (2, 3), (0, 1), (0, 1, 2, 3)])
def test_blocks_cover_the_cells_where_the_rule_holds(rule: tuple[int, ...]) -> None:
    problem = engine.prepare(engine.textbook("mit_harder"))
    plot = karnaugh_map(problem, [ones(rule)], ["r"], np.zeros(16, np.intp), None)
    blocks = next(layer for layer in plot.layers if layer.tag == "rule 0").bounds
    cells = inputs(4)
    for k, cell in enumerate(cells):
        x = k % 4 + 0.5
        y = 3.5 - k // 4
        inside = any(a < x < c and b < y < d for a, b, c, d in blocks)
        assert inside == bool(covers(ones(rule), cell[None])[0])


def test_examples_lie_in_their_cells() -> None:
    problem = engine.prepare(engine.textbook("mit_bayes"))
    plot = karnaugh_map(problem, [], [], np.zeros(16, np.intp), None)
    points = plot.layers[-1]
    for (x, y), row in zip(points.xy, problem.X, strict=True):
        assert tuple(inputs(4)[int(3 - np.floor(y)) * 4 + int(x)]) == tuple(row)


def test_numbers_between_zero_and_one_are_taken_to_the_nearer() -> None:
    values = to_values(
        (Feature("a"), Feature("b", Kind.BOOLEAN, (0, 1))), np.array([[0.7, 1.0], [0.2, 0.0]])
    )
    assert values.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert np.isnan(to_values((Feature("a"),), np.array([[np.nan]]))).all()


def plain_uniform(
    domains: list[int], X: np.ndarray, codes: np.ndarray, rows: np.ndarray, size: int
) -> list[Uniform]:
    """One conjunction after the other, in the order of the columns and then of their values."""
    literals = [(j, float(v)) for j, count in enumerate(domains) for v in range(count)]
    found = []
    for test in combinations(literals, size):
        held = covers(test, X) & rows
        if len({j for j, _ in test}) == size and held.any() and len(set(codes[held])) == 1:
            found.append(Uniform(test, int(codes[held][0]), int(held.sum())))
    return found


def plain_best(
    domains: list[int], X: np.ndarray, codes: np.ndarray, rows: np.ndarray, most: int, widest: bool
) -> list[Uniform]:
    found: list[Uniform] = []
    for size in range(most + 1):
        least = max((u.count for u in found), default=1)
        found += [u for u in plain_uniform(domains, X, codes, rows, size) if u.count >= least]
        if found and not widest:
            break
    return sorted(found, key=lambda u: -u.count)


@settings(max_examples=120, deadline=None)
@given(
    domains=st.lists(st.integers(1, 4), min_size=1, max_size=6),
    n=st.integers(1, 200),
    most=st.integers(0, 4),
    widest=st.booleans(),
    seed=st.integers(0, 2**20),
    noise=st.sampled_from([0.0, 0.1, 0.5]),
)
def test_uniform_conjunctions_like_a_plain_search(
    domains: list[int], n: int, most: int, widest: bool, seed: int, noise: float
) -> None:
    """The same conjunctions with the same class, count and place.

    More than 64 rows are more than one word of bits.
    """
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, count, n) for count in domains]).astype(np.float64)
    codes = ((X[:, 0] > 0) ^ (X[:, -1] == 0) ^ (rng.random(n) < noise)).astype(np.intp)
    rows = rng.random(n) < rng.choice([0.3, 0.9, 1.0])
    features = tuple(
        Feature(f"f{j}", Kind.CATEGORICAL, tuple("abcd"[:count])) for j, count in enumerate(domains)
    )
    found = finished(of_one_class(Literals(features, X, codes), rows, most, widest))
    plain = plain_best(domains, X, codes, rows, most, widest)
    assert list(found) == found[:] == plain
    assert found.ties == sum(u.count == plain[0].count for u in plain)


def test_many_conjunctions_are_tried_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the pairs are cut into blocks, the same ones come in the same order, with a pulse for
    each block.
    """
    rng = np.random.default_rng(4)
    X = (rng.random((150, 7)) < 0.5).astype(float)
    codes = (rng.random(150) < 0.5).astype(np.intp)
    table = Literals(tuple(Feature(f"f{j}") for j in range(7)), X, codes)
    rows = rng.random(150) < 0.7
    plain = plain_best([2] * 7, X, codes, rows, 4, True)
    counted = []
    for cells in (1, 7, 60):
        monkeypatch.setattr(boolean, "CELLS", cells)
        pulses: list[None] = []

        def counting() -> Work[None]:
            found = yield from of_one_class(table, rows, 4, True)
            assert list(found) == plain

        pulses += counting()
        counted.append(len(pulses))
    assert counted[0] > counted[1] > counted[2] > 80  # there are 98 pairs of literals to begin with


def test_squares_of_the_plane_like_every_place_by_itself() -> None:
    """Two numeric columns of four are the axes; the other two stay at their anchor."""
    rng = np.random.default_rng(3)
    X = (rng.random((30, 4)) < 0.5).astype(float)
    problem = engine.prepare(engine.Dataset.from_arrays(X, (X[:, 0] > 0).astype(int)))
    grid = Grid(np.linspace(-0.4, 1.4, 9), np.linspace(-0.2, 1.3, 7))
    weights = np.array([1, 2, 4, 8])

    def predict(rows: np.ndarray) -> np.ndarray:
        return to_values(problem.features, rows).astype(int) @ weights

    places = predict(problem.from_plane(grid.points())).reshape(grid.shape)
    assert squares(problem, grid, predict).tolist() == places.tolist()


def test_names_of_rules_stand_in_their_blocks_and_off_the_examples() -> None:
    problem = engine.prepare(engine.textbook("mit_harder"))
    rules = [ones((2, 3)), ones((0, 1))]
    plot = karnaugh_map(
        problem, rules, ["a", "a name that is too long"], np.zeros(16, np.intp), None
    )
    layers = [layer for layer in plot.layers if layer.tag == "rules"]
    names = {text: place for each in layers for text, place in zip(each.text, each.xy, strict=True)}
    points = plot.layers[-1].xy
    for k, text in enumerate(("a", "r₂")):
        place = names.pop(text)
        blocks = next(layer for layer in plot.layers if layer.tag == f"rule {k}").bounds
        assert any(a < place[0] < c and b < place[1] <= d for a, b, c, d in blocks), "or on its top"
        assert np.abs(points - place).max(1).min() > 0.2
    assert not names


def test_a_crowd_in_one_cell_is_counted() -> None:
    X = np.repeat([[0.0, 1.0], [1.0, 1.0]], [300, 5], axis=0)
    problem = engine.prepare(engine.Dataset.from_arrays(X, [1] * 200 + [0] * 105))
    marks = karnaugh_map(problem, [], [], np.zeros(4, np.intp), None).layers[-1]
    assert sorted(marks.label) == ["100 times", "200 times", "5 times"]
    assert len(marks.xy) == 3
