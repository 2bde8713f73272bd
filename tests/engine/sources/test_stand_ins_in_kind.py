"""Sets that stand in for data that the texts do not print: each behaves as its text says."""

import numpy as np
import pytest

import engine
from engine.sources.stand_ins import will_wait


def choice_at_root(data: engine.Dataset, **params):
    trace = engine.run("decision_tree", data, **params)
    return next(step.choice for step in trace if step.choice is not None)


def test_the_slide_prints_one_value_of_the_restaurant_wrongly() -> None:
    """slides B17, D62: x4 has Rain = F there; only T agrees with the tree of AIMA Fig 18.2."""
    book, slide = (engine.textbook(name) for name in ("restaurant", "restaurant_slide"))
    pairs = zip(book.columns, slide.columns, strict=True)
    assert [a.name for a, b in pairs if not a == b] == ["Rain"]  # noqa: SIM201
    different = np.flatnonzero(book["Rain"].values != slide["Rain"].values)
    assert different.tolist() == [3]
    for data, right in ((book, 12), (slide, 11)):
        words = {c.name: np.asarray(c.labels()) for c in data.features}
        assert (will_wait(words) == (data.target.values == 0)).sum() == right
    assert "Erratum" in slide.about


def test_the_exact_time_has_the_largest_gain_and_not_the_largest_ratio() -> None:
    """AIMA 18.3.6: a different value in every row tells all and is useless; 1 bit, and
    Patrons 0.541.
    """
    data = engine.textbook("restaurant_exact")
    gain = choice_at_root(data)
    assert gain.options[gain.chosen].label == "ExactTime"
    assert gain.options[gain.chosen].score == pytest.approx(1.0)
    ratio = choice_at_root(data, importance="ratio")
    assert ratio.options[ratio.chosen].label == "Patrons"
    assert ratio.options[-1].label == "ExactTime"
    assert ratio.options[-1].score == pytest.approx(1 / np.log2(12))


def test_the_restaurant_with_gaps_lacks_six_values() -> None:
    """AIMA Ex 18.9."""
    book, gaps = (engine.textbook(name) for name in ("restaurant", "restaurant_gaps"))
    missing = [np.isnan(column.values) for column in gaps.features]
    assert np.sum(missing) == 6
    for column, known, gone in zip(gaps.features, book.features, missing, strict=True):
        assert column.categories == known.categories
        assert (column.values[~gone] == known.values[~gone]).all()


def test_pruning_keeps_xor_where_each_row_comes_four_times() -> None:
    """AIMA 18.3.5: generate and then prune handles XOR rightly."""
    kept = engine.run("decision_tree", engine.textbook("xor_copies"), prune="chi2")
    assert not kept.wrong().any()
    assert "Pruning took no tests away" in kept[-1].note.lines()[0]


def test_the_perceptron_rule_settles_in_hundreds_of_steps() -> None:
    """AIMA Fig 18.16(a): 657 steps there; the axis of the figure goes to about 1000."""
    trace = engine.run("perceptron", engine.generate("seismic_apart"), rule="aima",
                       threshold="learned", rounds=100)  # fmt: skip
    assert 300 < len(trace) - 1 < 1000
    assert "converged" in trace[-1].events and trace[-1].metrics["errors"] == 0


@pytest.mark.slow
def test_logistic_regression_is_quicker_and_more_reliable_beside_it() -> None:
    """AIMA Fig 18.16(b), 18.18(b): three errors are the least; the one keeps jumping, the other
    stays there.
    """
    data = engine.generate("seismic_apart", 72)
    hard = engine.run("perceptron", data, rule="aima", threshold="learned", rounds=200,
                      max_steps=100_000)  # fmt: skip
    soft = engine.run("logistic_regression", data, mode="stochastic", rate=0.1, steps=20_000,
                      max_steps=100_000)  # fmt: skip
    late = {t: np.asarray(t.metrics["errors"])[len(t) // 2 :] for t in (hard, soft)}
    assert late[hard].min() == 3 and late[hard].max() > 20
    assert np.median(late[soft]) == 3 and late[soft].max() <= 4


def test_misread_values_leave_the_labels_as_they_are() -> None:
    """AIMA 18.3.5: noise in the attributes, not in the labels."""
    clean = engine.generate("restaurant_misread", 500, 0.0)
    noisy = engine.generate("restaurant_misread", 500, 0.2)
    assert noisy.target == clean.target
    shares = [
        (a.values != b.values).mean() for a, b in zip(noisy.features, clean.features, strict=True)
    ]
    assert min(shares) > 0.05 and max(shares) < 0.2  # a drawn value may be the old one
    words = {c.name: np.asarray(c.labels()) for c in clean.features}
    assert (will_wait(words) == (clean.target.values == 0)).all()


def test_ten_coins_beside_the_restaurant_tell_nothing() -> None:
    """LS, Performance measurement: irrelevant attributes."""
    data = engine.generate("restaurant_irrelevant", 2000)
    assert len(data.features) == 20
    for coin in data.features[10:]:
        table = np.zeros((2, 2))
        np.add.at(table, (coin.values.astype(int), data.target.values.astype(int)), 1)
        shares = table[:, 0] / table.sum(axis=1)
        assert abs(shares[0] - shares[1]) < 0.1


def test_a_penalty_with_corners_finds_the_two_weights() -> None:
    """AIMA 18.6.2: L1 makes the weights of irrelevant columns 0, L2 leaves them."""
    data = engine.generate("few_weights", 200)
    zeros = {}
    for q in (1, 2):
        last = engine.run("regularised_regression", data, q=q, strength=0.5)[-1].state
        zeros[q] = int((np.abs(last.w[1:]) < 1e-9).sum())
    assert zeros[1] > 20
    assert zeros[2] == 0


def test_the_disc_has_the_unit_circle_for_its_border() -> None:
    """AIMA Fig 18.31: +1 inside x₁² + x₂² ≤ 1, −1 outside, from −1.5 to 1.5."""
    data = engine.generate("disc", 400, seed=3)
    x = np.column_stack([column.values for column in data.columns[:2]])
    radius = np.hypot(*x.T)
    inside = np.array([label == "+1" for label in data.columns[2].labels()])
    assert np.abs(x).max() <= 1.5
    assert radius[inside].max() <= 0.9 and radius[~inside].min() >= 1.1
