"""Generators that replace textbook data whose values are not printed.

Each function names its source.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator as Random

from engine.base.arrays import Float, frozen
from engine.sources.textbook import textbook
from engine.table.dataset import Column, ColumnRole, Feature, Kind, category_column, number_column

Columns = tuple[Column, ...]
# MIT 2.3.8: f1 ∧ f2 ∧ f3 ∧ f4 ∨ … ∨ f21 ∧ f22 ∧ f23 ∧ f24
SIX_BY_FOUR = tuple(tuple(range(first, first + 4)) for first in range(1, 25, 4))


def seismic(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Earthquakes above the line x2 = 1.7 x1 − 4.9, explosions below it. AIMA 18.6.3.

    Beyond 63 rows up to three events lie on the wrong side.
    """
    return _events(rng, n, noise, 0.05, _ASTRAY)


def seismic_apart(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """As `seismic`, with a wider gap along the line: the perceptron rule settles in hundreds of
    steps. AIMA Fig 18.16, 18.18.
    """
    return _events(rng, n, noise, 0.6, _FAR_ASTRAY)


def disc(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """+1 inside the unit circle, −1 outside it, from −1.5 to 1.5; a ring of half width 0.1 around
    the circle is empty. AIMA Fig 18.31.
    """
    inside = rng.permutation(np.arange(n) % 3 == 0)  # about its share of the square
    angle = rng.uniform(0, 2 * np.pi, n)
    to_frame = 1.5 / np.maximum(np.abs(np.cos(angle)), np.abs(np.sin(angle)))
    low, high = np.where(inside, 0.0, 1.1), np.where(inside, 0.9, to_frame)
    radius = np.sqrt(rng.uniform(low**2, high**2))  # evenly over the area of each ray
    xy = np.column_stack([np.cos(angle), np.sin(angle)]) * radius[:, None]
    xy += noise * rng.standard_normal((n, 2))
    target = category_column("class", np.where(inside, "+1", "−1"), ("+1", "−1"), ColumnRole.TARGET)
    return number_column("x1", xy[:, 0]), number_column("x2", xy[:, 1]), target


def _events(rng: Random, n: int, noise: float, gap: float, astray: Float) -> Columns:
    """gap: how far from the line the nearest events may lie, along x2; astray: (3, k) x1, x2 and
    whether it is an earthquake, of the rows beyond 63
    """
    quake = rng.permutation(np.arange(n) % 2 == 0)
    x1 = np.where(quake, rng.normal(5.3, 0.45, n), rng.normal(5.9, 0.35, n))
    away = rng.gamma(2.5, 0.35, n) + gap
    x2 = 1.7 * x1 - 4.9 + np.where(quake, away, -away)
    if n > 63:
        extra = min(n - 63, astray.shape[1])
        x1[-extra:], x2[-extra:], quake[-extra:] = astray[:, :extra]
    xy = np.column_stack([x1, x2]) + noise * rng.standard_normal((n, 2))
    labels = np.where(quake, "earthquake", "explosion")
    target = category_column("event", labels, ("explosion", "earthquake"), ColumnRole.TARGET)
    return number_column("x1", xy[:, 0]), number_column("x2", xy[:, 1]), target


# three on the wrong side, and six close to the line, so that no other line does better
_CLOSE = np.array([4.9, 5.8, 6.7, 5.0, 5.9, 6.8])
_BESIDE = np.array([0.06, 0.06, 0.06, -0.06, -0.06, -0.06])
_ASTRAY = np.column_stack(
    [
        [[5.4, 6.1, 6.2], [3.7, 6.5, 5.2], [1, 0, 1]],
        [_CLOSE, 1.7 * _CLOSE - 4.9 + _BESIDE, _BESIDE > 0],
    ]
)

# three that lie among the events of the other class
_FAR_ASTRAY = np.array([[5.4, 6.4, 5.9], [2.8, 7.4, 3.6], [1, 0, 1]])


def houses(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Prices whose least-squares line is exactly the printed one, because the scatter is orthogonal
    to it.

    AIMA 18.6.1.
    """
    x = rng.uniform(500, 3500, n)
    basis = np.column_stack([np.ones(n), x / 1000])
    scatter = noise * rng.standard_normal(n)
    scatter -= basis @ np.linalg.lstsq(basis, scatter, rcond=None)[0]
    price = number_column("price", 0.232 * x + 246 + scatter, ColumnRole.TARGET)
    return number_column("floor space", x), price


def correlated(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Two columns of mean 0, mean square 1 and correlation −½, with least-squares weights 0.3 and
    1.

    The weights (and w₀ = 0) are exact for any noise; few rows only come close. For the ovals,
    diamond and circle of AIMA Fig 18.14.
    """
    normal = rng.standard_normal((n, 2))
    normal -= normal.mean(0)
    axes, sizes, turn = np.linalg.svd(normal, full_matrices=False)
    round_ = np.sqrt(n) * axes @ turn if n > 2 and sizes[-1] > 0 else normal
    X = round_ @ np.array([[1.0, -0.5], [0.0, np.sqrt(0.75)]])
    basis = np.column_stack([np.ones(n), X])
    scatter = noise * rng.standard_normal(n)
    scatter -= basis @ np.linalg.lstsq(basis, scatter, rcond=None)[0]
    return (*_numbers(X), number_column("y", X @ [0.3, 1.0] + scatter, ColumnRole.TARGET))


def restaurant(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Uniform, independent columns; WillWait by the tree that generated the twelve rows.

    AIMA 18.3.3.
    """
    known = textbook("restaurant")
    cells = {c.name: rng.integers(0, len(c.categories), n) for c in known.features}
    words = {c.name: np.asarray(c.categories)[cells[c.name]] for c in known.features}
    wait = turned(rng, will_wait(words), noise)
    target = category_column(
        "WillWait", np.where(wait, "Yes", "No"), ("Yes", "No"), ColumnRole.TARGET
    )
    return (*(Column(c.feature, frozen(cells[c.name], np.float64)) for c in known.features), target)


def restaurant_misread(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """As `restaurant`, but a share `noise` of the values of the columns, not of the labels, is
    drawn again. AIMA 18.3.5.
    """
    *columns, target = restaurant(rng, n, 0.0, classes)
    return (*(_misread(rng, column, noise) for column in columns), target)


def _misread(rng: Random, column: Column, noise: float) -> Column:
    """The column, each value with probability `noise` replaced by any of its domain."""
    other = rng.integers(0, len(column.categories), len(column.values))
    values = np.where(rng.random(len(other)) < noise, other, column.values)
    return Column(column.feature, frozen(values, np.float64), column.role)


def restaurant_irrelevant(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """As `restaurant`, with ten coins z1 … z10 beside its columns that tell nothing.

    LS, Performance measurement.
    """
    *columns, target = restaurant(rng, n, noise, classes)
    coins = (
        category_column(f"z{j + 1}", rng.choice(("Yes", "No"), n), ("Yes", "No")) for j in range(10)
    )
    return (*columns, *coins, target)


def few_weights(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Thirty columns from the standard normal; y = 3 x1 − 2 x2 and scatter, the others do not
    matter. AIMA 18.6.2.
    """
    X = rng.standard_normal((n, 30))
    y = 3 * X[:, 0] - 2 * X[:, 1] + noise * rng.standard_normal(n)
    return (*_numbers(X), number_column("y", y, ColumnRole.TARGET))


def will_wait(words: dict[str, Any]) -> Any:
    """(n,) whether the generating tree says wait, from columns of words. AIMA Fig 18.2."""

    def yes(name: str) -> Any:
        return words[name] == "Yes"

    medium = np.where(yes("Hungry"), ~yes("Alt") | yes("Rain"), True)
    long = np.where(yes("Alt"), yes("Fri"), yes("Res") | yes("Bar"))
    wait = words["Est"]
    full = np.select(
        [wait == "0-10", wait == "10-30", wait == "30-60"], [True, medium, long], False
    )
    return np.select([words["Patrons"] == "Some", words["Patrons"] == "Full"], [True, full], False)


def boolean_rule(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """A hundred random bits with the target f22 ∧ f55 ∨ f99 ∧ f34; labels flip with probability
    `noise`.

    MIT 2.3.21.
    """
    return _rule(rng, n, noise, 100, ((22, 55), (99, 34)))


def boolean_rule_simple(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """A thousand random bits with the target f344 ∧ f991 ∨ f103 ∧ f775. MIT 2.3.7."""
    return _rule(rng, n, noise, 1000, ((344, 991), (103, 775)))


def boolean_rule_complex(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """A hundred random bits with the target of 24 literals. MIT 2.3.8."""
    return _rule(rng, n, noise, 100, SIX_BY_FOUR)


def boolean_rule_wide(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """A thousand random bits with the target of 24 literals. MIT 2.3.8."""
    return _rule(rng, n, noise, 1000, SIX_BY_FOUR)


def _rule(rng: Random, n: int, noise: float, d: int, terms: Sequence[Sequence[int]]) -> Columns:
    """d random bits f1 … fd, and y = 1 where all columns of one of the terms are 1.

    noise: the probability with which a label flips
    """
    bits = rng.integers(0, 2, (n, d))
    f = bits.astype(bool)
    wanted = np.zeros(n, bool)
    for term in terms:
        wanted |= f[:, [number - 1 for number in term]].all(axis=1)
    columns = (
        Column(Feature(f"f{j + 1}", Kind.BOOLEAN, (0, 1)), frozen(bits[:, j], np.float64))
        for j in range(d)
    )
    return (*columns, _target(turned(rng, wanted, noise)))


def ten_coordinates(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Ten uniform numbers with y = [sum > 5], on which boosting keeps improving. AIMA 18.10."""
    X = rng.uniform(0, 1, (n, 10))
    return (*_numbers(X), _target(turned(rng, X.sum(1) > 5, noise)))


def irrelevant(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Twenty uniform columns; only two matter: y = [x1 + x2 > 1]. ML 8.2.2."""
    X = rng.uniform(0, 1, (n, 20))
    return (*_numbers(X), _target(turned(rng, X[:, 0] + X[:, 1] > 1, noise)))


def two_bells(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """x drawn around −2 or 2 with equal chance; z says which. ML 6.12.1, Fig 6.4."""
    left = rng.random(n) < 0.5
    x = np.where(left, -2.0, 2.0) + noise * rng.standard_normal(n)
    z = category_column("z", np.where(left, "left", "right"), ("left", "right"), ColumnRole.TARGET)
    return number_column("x", x), z


def parabola(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Points in the unit square, half of them above x2 = 0.25 + 2.2 (x1 − 0.5)² (y = 1), none
    nearer than 0.05 to it along x2. MIT 2.1.27-2.1.31.
    """
    above = rng.permutation(np.arange(n) % 2 == 0)
    x1 = rng.uniform(0, 1, n)
    curve = 0.25 + 2.2 * (x1 - 0.5) ** 2
    x2 = rng.uniform(np.where(above, curve + 0.05, 0), np.where(above, 1, curve - 0.05))
    return (*_numbers(np.column_stack([x1, x2])), _target(turned(rng, above, noise)))


def hidden_conjunction(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Ten random bits; the target is a conjunction of three literals, drawn from the seed.

    ML 7.3.2.
    """
    literals = rng.choice(10, 3, replace=False)
    values = rng.integers(0, 2, 3)
    bits = rng.integers(0, 2, (n, 10))
    columns = (
        Column(Feature(f"f{j + 1}", Kind.BOOLEAN, (0, 1)), frozen(bits[:, j], np.float64))
        for j in range(10)
    )
    return (*columns, _target(turned(rng, (bits[:, literals] == values).all(axis=1), noise)))


def hidden_rectangle(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Uniform points in [0, 100]², to one decimal; the target is a rectangle at least 30 wide and
    high.

    ML Exercise 7.6.
    """
    low = rng.uniform(0, 70, 2)
    high = rng.uniform(low + 30, 100)
    X = rng.uniform(0, 100, (n, 2)).round(1)
    return (*_numbers(X), _target(turned(rng, ((low <= X) & (high >= X)).all(axis=1), noise)))


def dice(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Columns independent of the target, a six: the right tree is one leaf. AIMA 18.3.5."""
    domains = {
        "colour": ("red", "blue", "green"),
        "weight": ("light", "heavy"),
        "time": ("morning", "noon", "evening", "night"),
        "fingers crossed": ("Yes", "No"),
    }
    columns = [
        category_column(name, rng.choice(values, n), values) for name, values in domains.items()
    ]
    six = turned(rng, rng.integers(1, 7, n) == 6, noise)
    return (
        *columns,
        category_column("six", np.where(six, "Yes", "No"), ("Yes", "No"), ColumnRole.TARGET),
    )


# parents, and the probability of yes for their values yes yes, yes no, …
_CAMPFIRE: dict[str, tuple[tuple[str, ...], tuple[float, ...]]] = {
    "Storm": ((), (0.3,)), "BusTourGroup": ((), (0.4,)), "Lightning": (("Storm",), (0.8, 0.05)),
    "Campfire": (("Storm", "BusTourGroup"), (0.4, 0.1, 0.8, 0.2)), "Thunder": (("Lightning",),
    (0.95, 0.1)),
    "ForestFire": (("Lightning", "Campfire"), (0.6, 0.4, 0.2, 0.02)),
}  # fmt: skip


def campfire(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Six variables drawn from a Bayesian network; a share `noise` of all values is missing.

    ML 6.11.5.
    """
    yes: dict[str, Any] = {}
    for name, (parents, chances) in _CAMPFIRE.items():
        case = np.zeros(n, np.intp)
        for parent in parents:
            case = 2 * case + ~yes[parent]
        yes[name] = rng.random(n) < np.array(chances)[case]
    unseen = rng.random((n, len(yes))) < noise
    cells = {name: np.where(values, "yes", "no").astype(object) for name, values in yes.items()}
    for j, values in enumerate(cells.values()):
        values[unseen[:, j]] = None
    return tuple(category_column(name, values, ("yes", "no")) for name, values in cells.items())


def turned(rng: Random, truth: Any, noise: float) -> Any:
    """(n,) the labels, each flipped with probability `noise`."""
    return truth ^ (rng.random(len(truth)) < noise)


def _numbers(X: Float) -> Columns:
    return tuple(number_column(f"x{j + 1}", X[:, j]) for j in range(X.shape[1]))


def _target(truth: Any) -> Column:
    return category_column("y", truth.astype(int), (1, 0), ColumnRole.TARGET)
