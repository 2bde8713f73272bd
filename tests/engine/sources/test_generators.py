"""Generators: deterministic, independent of numpy's global state, right in number, and the printed
facts of stand-ins.
"""

from decimal import Decimal
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.sources.generators import GENERATORS, generate
from engine.sources.stand_ins import will_wait
from engine.table.dataset import Dataset
from engine.table.prepare import prepare
from engine.table.problem import Task


def numbers(data: Dataset) -> tuple[np.ndarray, np.ndarray]:
    return np.column_stack([c.values for c in data.features]), data.target.values


@pytest.mark.parametrize("name", GENERATORS)
def test_same_seed_same_table_whatever_the_global_state(name: str) -> None:
    np.random.seed(1)  # noqa: NPY002
    first = generate(name, 40, seed=3)
    np.random.seed(2)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    assert generate(name, 40, seed=3) == first
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002
    assert generate(name, 40, seed=4) != first


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_any_number_of_rows(name: str) -> None:
    made = [generate(name, n) for n in (1, 2, 3, 7, 64, 72)]
    assert [len(data) for data in made] == [1, 2, 3, 7, 64, 72]
    assert [prepare(data).n for data in made] == [1, 2, 3, 7, 64, 72]


@pytest.mark.parametrize("name", GENERATORS)
def test_defaults_and_labels(name: str) -> None:
    recipe = GENERATORS[name]
    data = generate(name)
    assert len(data) == recipe.n
    assert data.name == recipe.title
    assert ("Lab data" in data.about) or ("ynthetic" in data.about) or ("drawn anew" in data.about)
    assert bool(data.classes) == (recipe.task is Task.CLASSIFY)
    if recipe.task is Task.CLASSIFY:
        assert len(data.classes) == recipe.classes[1]


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([n for n, r in GENERATORS.items() if r.classes[0] < r.classes[2]]), st.data()
)
def test_every_class_is_drawn_evenly(name: str, data: st.DataObject) -> None:
    recipe = GENERATORS[name]
    classes = data.draw(st.integers(recipe.classes[0], recipe.classes[2]))
    made = generate(name, 400, seed=data.draw(st.integers(0, 99)), classes=classes)
    counts = np.bincount(made.target.values.astype(int), minlength=classes)
    assert len(made.classes) == classes
    assert counts.min() >= (400 // classes if name != "checkerboard" else 50)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("moon",), "no generator “moon”.*moons"),
        (("moons", 0), "from 1 to"),
        (("moons", 10.5), "from 1 to"),
        (("moons", "10"), "from 1 to"),
        (("moons", 10, "0.1"), "0 or more"),
        (("moons", 10, 0.1, 1.5), "The seed must be a whole number"),
        (("moons", 10, -1.0), "0 or more"),
        (("moons", 10, float("nan")), "0 or more"),
    ],
)
def test_bad_numbers_are_sentences(arguments: tuple, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        generate(*arguments)
    with pytest.raises(EngineError, match="has 2 classes, not 3"):
        generate("moons", classes=3)
    with pytest.raises(EngineError, match="seed"):
        generate("moons", seed=-1)


def test_leaning_clouds_is_the_first_scene() -> None:
    data = generate("leaning_clouds")
    X, codes = numbers(data)
    assert data.classes == ("+1", "−1")
    assert np.bincount(codes.astype(int)).tolist() == [35, 36]
    # separable through the origin: one w with w · side > 0 for all
    side = np.where(codes == 0, 1, -1)[:, None] * X
    angles = np.linspace(0, 2 * np.pi, 20_000)
    margins = (side @ np.array([np.cos(angles), np.sin(angles)])).min(0)
    assert 0 < margins.max() < 0.15


def test_three_fields() -> None:
    data = generate("three_fields")
    assert data.classes == ("circle", "square", "triangle")
    assert len(data) == 46
    assert np.bincount(data.target.values.astype(int)).min() >= 10


def least_errors(data: Dataset) -> int:
    """The fewest errors that any line makes: every one can be turned until it passes through two
    points.
    """
    X, codes = numbers(data)
    y = np.where(codes == 0, 1, -1)
    best = len(X)
    for i, j in combinations(range(len(X)), 2):
        step = X[j] - X[i]
        score = (X - X[i]) @ np.array([-step[1], step[0]])
        score[[i, j]] = 0  # a small turn puts these two on either side
        wrong = int((score * y < 0).sum())
        best = min(best, wrong, int((score * y > 0).sum()))
    return best


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_seismic_63_separable_72_with_three_errors(seed: int) -> None:
    X, codes = numbers(generate("seismic", 63, seed=seed))
    # AIMA 18.6.3: explosions are positive
    assert ((-4.9 + 1.7 * X[:, 0] - X[:, 1] > 0) == (codes == 0)).all()
    more = generate("seismic", 72, seed=seed)
    X, codes = numbers(more)
    assert ((-4.9 + 1.7 * X[:, 0] - X[:, 1] > 0) != (codes == 0)).sum() == 3
    assert [5.4, 3.7] in X.tolist()
    assert least_errors(more) == 3


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_houses_fit_the_printed_line(seed: int) -> None:
    X, price = numbers(generate("houses", seed=seed))
    slope, start = np.polyfit(X[:, 0], price, 1)
    assert slope == pytest.approx(0.232, abs=1e-9)
    assert start == pytest.approx(246, abs=1e-6)
    assert np.std(price - 0.232 * X[:, 0] - 246) > 30


def test_restaurant_rows_follow_the_tree() -> None:
    data = generate("restaurant", 500)
    wait = will_wait({c.name: np.asarray(c.labels()) for c in data.features})
    assert (wait == (data.target.values == 0)).all()
    noisy = generate("restaurant", 5000, 0.2)
    wait = will_wait({c.name: np.asarray(c.labels()) for c in noisy.features})
    assert (wait != (noisy.target.values == 0)).mean() == pytest.approx(0.2, abs=0.03)


def test_boolean_rule() -> None:
    data = generate("boolean_rule", 2000)
    f = {c.name: c.values == 1 for c in data.features}
    wanted = (f["f22"] & f["f55"]) | (f["f99"] & f["f34"])
    assert len(f) == 100
    assert (wanted != (data.target.values == 0)).mean() == pytest.approx(0.1, abs=0.03)


def test_a_simple_target_in_a_thousand_columns() -> None:
    """mit B11: f344^f991 v f103^f775, no noise."""
    data = generate("boolean_rule_simple", 500)
    f = {c.name: c.values == 1 for c in data.features}
    wanted = (f["f344"] & f["f991"]) | (f["f103"] & f["f775"])
    assert len(f) == 1000
    assert (wanted == (data.target.values == 0)).all()


@pytest.mark.parametrize(("name", "columns"), [("complex", 100), ("wide", 1000)])
def test_a_complex_target_of_24_literals(name: str, columns: int) -> None:
    """mit B12: six disjoint conjunctions of four, over f1 … f24 in order."""
    data = generate(f"boolean_rule_{name}", 500)
    bits = np.column_stack([c.values for c in data.features]) == 1
    assert [c.name for c in data.features][:24] == [f"f{j}" for j in range(1, 25)]
    assert bits.shape[1] == columns
    wanted = bits[:, :24].reshape(500, 6, 4).all(axis=2).any(axis=1)
    assert (wanted == (data.target.values == 0)).all()
    assert wanted.mean() == pytest.approx(1 - (15 / 16) ** 6, abs=0.07)


@pytest.mark.slow
def test_a_million_rows_are_quick() -> None:
    assert len(generate("moons", 1_000_000)) == 1_000_000


@pytest.mark.slow
def test_pundits_differ_in_quality() -> None:
    """Expert k is wrong with probability k/20, the last one guesses; columns forecast the target's
    own labels.
    """
    data = generate("pundits", 20_000)
    up = np.asarray(data.target.labels())
    wrong = [(np.asarray(column.labels()) != up).mean() for column in data.features]
    assert wrong == pytest.approx(np.arange(1, 11) / 20, abs=0.02)
    assert data.classes == (True, False)
    surprised = generate("pundits", 20_000, 0.2)
    first = np.asarray(surprised.features[0].labels()) != np.asarray(surprised.target.labels())
    assert first.mean() == pytest.approx(0.05 * 0.8 + 0.95 * 0.2, abs=0.02)


@pytest.mark.parametrize(
    ("n", "noise", "seed"), [(3, 0.5, 0), (60, 0.5, 0), (60, 3.0, 7), (500, 0.0, 1)]
)
def test_correlated_has_the_weights_that_it_says(n: int, noise: float, seed: int) -> None:
    """For AIMA Fig 18.14: mean 0, mean square 1, correlation −½; the least-squares weights are 0,
    0.3, 1.
    """
    X, y = numbers(generate("correlated", n, noise, seed))
    assert np.allclose(X.mean(0), 0, atol=1e-12)
    assert np.allclose(X.T @ X / n, [[1, -0.5], [-0.5, 1]])
    assert np.allclose(
        np.linalg.lstsq(np.column_stack([np.ones(n), X]), y, rcond=None)[0], [0, 0.3, 1]
    )
    assert (np.abs(y - X @ [0.3, 1.0]).max() > 0.01) == (noise > 0 and n > 3)


@pytest.mark.parametrize("seed", range(5))
def test_a_hidden_conjunction_asks_for_three_values(seed: int) -> None:
    """mitchell B8: on every positive three of the ten columns are as they should be, and no
    negative has all three.
    """
    X, codes = numbers(generate("hidden_conjunction", 2000, seed=seed))
    positive = X[codes == 0]
    literals = np.flatnonzero((positive == positive[0]).all(0))
    assert len(literals) == 3
    assert ((X[:, literals] == positive[0, literals]).all(1) == (codes == 0)).all()
    assert len(positive) / 2000 == pytest.approx(1 / 8, abs=0.03)


@pytest.mark.parametrize("seed", range(5))
def test_a_hidden_rectangle_holds_the_positives_alone(seed: int) -> None:
    """mitchell B9: no negative lies in the least rectangle round the positives; all of it in [0,
    100]².
    """
    X, codes = numbers(generate("hidden_rectangle", 2000, seed=seed))
    low = X[codes == 0].min(0)
    high = X[codes == 0].max(0)
    assert (((low <= X) & (high >= X)).all(1) == (codes == 0)).all()
    assert (high - low > 28).all()
    assert X.min() >= 0 and X.max() <= 100


@pytest.mark.parametrize("name", ["moons", "pundits", "restaurant", "three_fields"])
def test_numbers_of_any_type_draw_the_same_rows(name: str) -> None:
    assert generate(name, np.uint8(200), seed=np.int8(3)) == generate(name, 200, seed=3)
    assert generate(name, np.int8(100), Decimal("0.1")) == generate(name, 100, 0.1)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"n": True}, "a number of rows from 1 to 1,000,000, not True"),
        ({"n": [5]}, "a number of rows from 1 to 1,000,000, not"),
        ({"noise": "x"}, "a noise of 0 or more, not “x”"),
        ({"noise": Decimal("NaN")}, "a noise of 0 or more, not NaN"),
        ({"noise": 10**400}, "a noise of 0 or more, not a number of too many digits"),
        ({"classes": True}, "has 2 classes, not True"),
    ],
)
def test_what_is_no_number_is_refused(said: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        generate("moons", **said)


@pytest.mark.slow
def test_the_campfire_follows_its_tables() -> None:
    """The chances that the generator is drawn from, and the share of values that are
    missing.
    """
    columns = {c.name: np.array(c.labels()) == "yes" for c in generate("campfire", 40_000).columns}
    storm, bus, lightning, fire = (
        columns[name] for name in ("Storm", "BusTourGroup", "Lightning", "Campfire")
    )
    assert storm.mean() == pytest.approx(0.3, abs=0.01)
    assert lightning[storm].mean() == pytest.approx(0.8, abs=0.02)
    for s, b, chance in (
        (True, True, 0.4),
        (True, False, 0.1),
        (False, True, 0.8),
        (False, False, 0.2),
    ):
        assert fire[(storm == s) & (bus == b)].mean() == pytest.approx(chance, abs=0.02)
    assert columns["ForestFire"][~lightning & ~fire].mean() == pytest.approx(0.02, abs=0.01)
    unseen = np.array([np.isnan(c.values) for c in generate("campfire", 5_000, 0.3).columns])
    assert unseen.mean() == pytest.approx(0.3, abs=0.02)
