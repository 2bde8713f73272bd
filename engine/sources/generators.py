"""Generators of seeded tables: shapes on the plane, and stand-ins for data that textbooks do not
print.
"""

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.random import Generator as Random

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.sources import expert_streams, stand_ins
from engine.sources.bundled import Entry
from engine.table.dataset import Column, ColumnRole, Dataset, Label, category_column, number_column
from engine.table.given import check_seed, real, seen
from engine.table.origin import Origin, checksum
from engine.table.problem import Task

MAX_ROWS = 1_000_000
Columns = tuple[Column, ...]


class Recipe(Entry, eq=True):
    """A generator with the settings of its form.

    n, noise: defaults
    noise_means: what the noise does, in words
    max_noise: the end of its slider
    classes: (least, default, most) number of classes
    make: (rng, n, noise, classes) -> columns
    """

    n: int = 200
    noise: float = 0.1
    noise_means: str = "standard deviation of the scatter"
    max_noise: float = 1.0
    classes: tuple[int, int, int] = (2, 2, 2)
    make: Callable[[Random, int, float, int], Columns] = lambda rng, n, noise, k: ()


def generate(
    name: str,
    n: int | None = None,
    noise: float | None = None,
    seed: int = 0,
    *,
    classes: int | None = None,
) -> Dataset:
    """A table of n rows from the generator `name` of GENERATORS; None means its default.

    The same arguments give the same table on every machine. Raises EngineError for an unknown name
    or an invalid number.
    """
    if not isinstance(name, str) or name not in GENERATORS:
        raise EngineError(
            f"There is no generator {quoted(name)}; there are {listed(list(GENERATORS))}."
        )
    recipe = GENERATORS[name]
    n = recipe.n if n is None else n
    noise = recipe.noise if noise is None else noise
    least, usual, most = recipe.classes
    count = usual if classes is None else classes
    if isinstance(n, bool) or not (isinstance(n, Integral) and 1 <= n <= MAX_ROWS):
        raise EngineError(
            f"{recipe.title} needs a number of rows from 1 to {MAX_ROWS:,}, not {seen(n)}."
        )
    if not 0 <= real(noise) < np.inf:
        raise EngineError(f"{recipe.title} needs a noise of 0 or more, not {seen(noise)}.")
    check_seed(seed)
    if isinstance(count, bool) or not (isinstance(count, Integral) and least <= count <= most):
        raise EngineError(
            f"{recipe.title} has {least if least == most else f'{least} to {most}'} classes, not"
            f" {seen(count)}."
        )
    # Python numbers: small numpy types would overflow
    n, noise, seed, count = int(n), float(noise), int(seed), int(count)
    columns = recipe.make(np.random.default_rng(seed), n, noise, count)
    origin = Origin(name, n, noise, seed, count, checksum(c.values for c in columns))
    return Dataset(columns, recipe.title, f"{recipe.source}. {recipe.about}".strip(), origin=origin)


# -- shapes ----------------------------------------------------------------------------------------


def plane(
    xy: Any,
    codes: Any,
    labels: Sequence[Label],
    names: Sequence[str] = ("x1", "x2"),
    target: str = "y",
) -> Columns:
    """Columns for points xy (n, d) with class codes (n,)."""
    features = (number_column(name, xy[:, j]) for j, name in enumerate(names))
    marks = category_column(target, [labels[code] for code in codes], labels, ColumnRole.TARGET)
    return (*features, marks)


def letters(classes: int) -> tuple[str, ...]:
    return tuple("ABCDEFGH"[:classes])


def dealt(rng: Random, n: int, classes: int) -> Any:
    """(n,) class codes in random order, as evenly as n allows; the last classes get the surplus."""
    return rng.permutation(classes - 1 - np.arange(n) % classes)


def around(angle: Any, radius: Any = 1.0) -> Any:
    """(n, 2) points at these angles on circles around the origin."""
    return np.column_stack([np.cos(angle), np.sin(angle)]) * np.reshape(radius, (-1, 1))


def blobs(rng: Random, n: int, noise: float, classes: int) -> Columns:
    codes = dealt(rng, n, classes)
    centres = around(np.pi / 4 + 2 * np.pi * np.arange(classes) / classes, 2.0)
    return plane(centres[codes] + noise * rng.standard_normal((n, 2)), codes, letters(classes))


def gaussians(rng: Random, n: int, noise: float, classes: int) -> Columns:
    codes = dealt(rng, n, classes)
    centres = around(2 * np.pi * np.arange(classes) / classes, 1.6)
    stretch = np.array([1.0, 0.35]) * rng.standard_normal((n, 2))
    turn = np.pi * (0.2 + np.arange(classes) / classes)[codes]
    cos = np.cos(turn)
    sin = np.sin(turn)
    spread = np.column_stack(
        [cos * stretch[:, 0] - sin * stretch[:, 1], sin * stretch[:, 0] + cos * stretch[:, 1]]
    )
    return plane(centres[codes] + noise * spread, codes, letters(classes))


def moons(rng: Random, n: int, noise: float, classes: int) -> Columns:
    codes = dealt(rng, n, 2)
    upper = around(rng.uniform(0, np.pi, n))
    xy = np.where(codes[:, None] == 0, upper, [1.0, 0.5] - upper)
    return plane(xy + noise * rng.standard_normal((n, 2)), codes, letters(2))


def circles(rng: Random, n: int, noise: float, classes: int) -> Columns:
    codes = dealt(rng, n, classes)
    xy = around(rng.uniform(0, 2 * np.pi, n), (codes + 1) / classes)
    return plane(xy + noise * rng.standard_normal((n, 2)), codes, letters(classes))


def spirals(rng: Random, n: int, noise: float, classes: int) -> Columns:
    codes = dealt(rng, n, classes)
    reach = np.sqrt(rng.uniform(0.01, 1.0, n))
    xy = around(1.75 * 2 * np.pi * reach + 2 * np.pi * codes / classes, 3 * reach)
    return plane(xy + noise * rng.standard_normal((n, 2)), codes, letters(classes))


def xor(rng: Random, n: int, noise: float, classes: int) -> Columns:
    xy = rng.uniform(-1, 1, (n, 2))
    codes = ((xy[:, 0] > 0) == (xy[:, 1] > 0)).astype(int)
    return plane(xy + noise * rng.standard_normal((n, 2)), codes, letters(2))


def checkerboard(rng: Random, n: int, noise: float, classes: int) -> Columns:
    xy = rng.uniform(0, 4, (n, 2))
    codes = np.floor(xy).astype(int).sum(1) % classes
    return plane(xy + noise * rng.standard_normal((n, 2)), codes, letters(classes))


def leaning_clouds(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Two clouds close to a line through the origin, one on each side."""
    codes = rng.permutation((np.arange(n) >= n // 2).astype(int))
    normal = np.array([0.48, 0.88]) / np.hypot(0.48, 0.88)
    along = 1.0 * rng.standard_normal(n) + np.where(codes == 0, -0.55, 0.55)
    away = np.where(codes == 0, 1.0, -1.0) * (0.05 + rng.gamma(1.5, 0.45, n))
    xy = along[:, None] * [normal[1], -normal[0]] + away[:, None] * normal
    return plane(xy + noise * rng.standard_normal((n, 2)), codes, ("+1", "−1"))


def three_fields(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Evenly scattered points; the nearest of three centres gives the class."""
    columns = max(1, round(np.sqrt(2 * n)))
    rows = -(-n // columns)
    cells = np.sort(rng.permutation(rows * columns)[:n])
    xy = np.column_stack([cells % columns, cells // columns]) + rng.uniform(0.12, 0.88, (n, 2))
    xy *= [6.4 / columns, 3.3 / rows]
    middles = np.array([[1.2, 3.1], [5.2, 3.1], [3.3, 0.5]])
    seen = xy + noise * rng.standard_normal((n, 2))
    codes = ((seen[:, None] - middles) ** 2).sum(2).argmin(1)
    return plane(xy, codes, ("circle", "square", "triangle"))


def sine(rng: Random, n: int, noise: float, classes: int) -> Columns:
    x = np.sort(rng.uniform(0, 1, n))
    y = np.sin(2 * np.pi * x) + noise * rng.standard_normal(n)
    return number_column("x", x), number_column("y", y, ColumnRole.TARGET)


_LAB = "Lab data"
_STAND_IN = "Synthetic, a stand-in for"
_FLIP = "share of labels that are turned"
_SEVERAL = (2, 2, 8)

GENERATORS: Mapping[str, Recipe] = {
    "leaning_clouds": Recipe(
        "Leaning clouds",
        Task.CLASSIFY,
        _LAB,
        "Without noise a line through the origin separates the classes, narrowly.",
        71,
        0.0,
        make=leaning_clouds,
    ),
    "three_fields": Recipe(
        "Three fields",
        Task.CLASSIFY,
        _LAB,
        "",
        46,
        0.0,
        "how far points stray over the borders",
        classes=(3, 3, 3),
        make=three_fields,
    ),
    "blobs": Recipe(
        "Blobs", Task.CLASSIFY, _LAB, "", 200, 0.7, max_noise=3.0, classes=(1, 2, 8), make=blobs
    ),
    "gaussians": Recipe(
        "Gaussians",
        Task.CLASSIFY,
        _LAB,
        "Each class is stretched in a direction of its own.",
        200,
        1.0,
        "width of the clouds",
        3.0,
        _SEVERAL,
        gaussians,
    ),
    "moons": Recipe("Moons", Task.CLASSIFY, _LAB, "", 200, 0.15, make=moons),
    "circles": Recipe(
        "Circles", Task.CLASSIFY, _LAB, "", 200, 0.08, classes=(2, 2, 5), make=circles
    ),
    "spirals": Recipe(
        "Spirals", Task.CLASSIFY, _LAB, "", 300, 0.05, classes=(2, 2, 5), make=spirals
    ),
    "xor": Recipe(
        "XOR clouds", Task.CLASSIFY, _LAB, "A: the signs of x1 and x2 differ.", 200, 0.0, make=xor
    ),
    "checkerboard": Recipe(
        "Checkerboard",
        Task.CLASSIFY,
        _LAB,
        "Four by four squares.",
        400,
        0.0,
        classes=(2, 2, 4),
        make=checkerboard,
    ),
    "sine": Recipe("Sine", Task.REGRESS, _LAB, "y = sin 2πx.", 60, 0.2, make=sine),
    "seismic": Recipe(
        "Seismic events",
        Task.CLASSIFY,
        f"{_STAND_IN} AIMA Fig 18.15",
        "Body-wave and surface-wave magnitude; below x2 = 1.7 x1 − 4.9 are explosions. Up to 63"
        " events the line makes no error; with more, three events lie on the wrong side of it.",
        63,
        0.0,
        "error of both magnitudes",
        make=stand_ins.seismic,
    ),
    "seismic_apart": Recipe(
        "Seismic, far apart",
        Task.CLASSIFY,
        f"{_STAND_IN} AIMA Fig 18.16, AIMA Fig 18.18",
        "As the seismic events, with a wider gap along the line, so that the perceptron rule and"
        " logistic regression settle in about as many steps as the figures show.",
        63,
        0.0,
        "error of both magnitudes",
        make=stand_ins.seismic_apart,
    ),
    "disc": Recipe(
        "Disc",
        Task.CLASSIFY,
        f"{_STAND_IN} AIMA Fig 18.31",
        "+1 inside x1² + x2² ≤ 1, −1 outside it. No example lies nearer than 0.1 to the circle.",
        120,
        0.0,
        make=stand_ins.disc,
    ),
    "houses": Recipe(
        "House prices",
        Task.REGRESS,
        f"{_STAND_IN} AIMA Fig 18.13",
        "Square feet and price in $1000. The least-squares line is exactly y = 0.232 x + 246.",
        60,
        60.0,
        "standard deviation of the price, in $1000",
        300.0,
        make=stand_ins.houses,
    ),
    "correlated": Recipe(
        "Two correlated columns",
        Task.REGRESS,
        f"{_STAND_IN} AIMA Fig 18.14",
        "Both columns have mean 0 and mean square 1, their correlation is −½. The least-squares"
        " weights are exactly 0.3 and 1; a penalty with corners makes the first of them 0.",
        60,
        0.5,
        "standard deviation of the value",
        3.0,
        make=stand_ins.correlated,
    ),
    "restaurant": Recipe(
        "Restaurant, many rows",
        Task.CLASSIFY,
        f"{_STAND_IN} the data of AIMA Fig 18.7",
        "Every value equally likely; WillWait by the tree of AIMA Fig 18.2.",
        100,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.restaurant,
    ),
    "restaurant_misread": Recipe(
        "Restaurant, values misread",
        Task.CLASSIFY,
        f"{_LAB} for AIMA 18.3.5",
        "As the restaurant with many rows; the noise is in the columns, the labels are those of the"
        " true values.",
        100,
        0.1,
        "share of the columns' values that are drawn anew",
        1.0,
        make=stand_ins.restaurant_misread,
    ),
    "restaurant_irrelevant": Recipe(
        "Restaurant, irrelevant columns",
        Task.CLASSIFY,
        f"{_LAB} for LS, Performance measurement",
        "As the restaurant with many rows, with ten coins that have nothing to do with WillWait.",
        100,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.restaurant_irrelevant,
    ),
    "few_weights": Recipe(
        "Thirty columns, two weights",
        Task.REGRESS,
        f"{_LAB} for AIMA 18.6.2",
        "y = 3 x1 − 2 x2 and scatter; the other 28 columns do not matter. An L1 penalty makes their"
        " weights 0, an L2 penalty only small.",
        60,
        1.0,
        "standard deviation of the scatter",
        5.0,
        make=stand_ins.few_weights,
    ),
    "boolean_rule": Recipe(
        "Noisy Boolean rule",
        Task.CLASSIFY,
        "MIT 2.3.21, drawn anew",
        "A hundred features of 0 and 1; y = 1 where f22 and f55, or f99 and f34. Erratum: the"
        " slide's title says 200 features, its narration 100.",
        100,
        0.1,
        _FLIP,
        0.5,
        make=stand_ins.boolean_rule,
    ),
    "boolean_rule_simple": Recipe(
        "Simple Boolean rule, 1,000 columns",
        Task.CLASSIFY,
        "MIT 2.3.7, drawn anew",
        "A thousand features of 0 and 1; y = 1 where f344 and f991, or f103 and f775.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.boolean_rule_simple,
    ),
    "boolean_rule_complex": Recipe(
        "Complex Boolean rule",
        Task.CLASSIFY,
        "MIT 2.3.8, drawn anew",
        "y = 1 where f1, f2, f3 and f4, or f5, f6, f7 and f8, and so on to f21, f22, f23 and f24:"
        " 24 literals. The slide does not say how many features there are; here a hundred.",
        400,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.boolean_rule_complex,
    ),
    "boolean_rule_wide": Recipe(
        "Complex Boolean rule, 1,000 columns",
        Task.CLASSIFY,
        "MIT 2.3.8, drawn anew",
        "As the complex Boolean rule of 24 literals, with a thousand features.",
        400,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.boolean_rule_wide,
    ),
    "ten_coordinates": Recipe(
        "Ten coordinates",
        Task.CLASSIFY,
        f"{_LAB} for AIMA 18.10",
        "y = 1 where ten uniform numbers add up to more than 5.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.ten_coordinates,
    ),
    "irrelevant": Recipe(
        "Twenty columns, two relevant",
        Task.CLASSIFY,
        "ML 8.2.2, drawn anew",
        "y = 1 where x1 + x2 > 1.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.irrelevant,
    ),
    "pundits": Recipe(
        "Pundits",
        Task.CLASSIFY,
        f"{_LAB} for AIMA 18.10.1",
        "Each day ten experts forecast whether the market goes up; expert k is wrong with"
        " probability k/20.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=expert_streams.pundits,
    ),
    "pundits_turn": Recipe(
        "Pundits, half-way turn",
        Task.CLASSIFY,
        f"{_LAB} for AIMA 18.10.1",
        "As the pundits, but half-way the best expert becomes the worst and the worst the best.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=expert_streams.turn,
    ),
    "pundits_adversary": Recipe(
        "Pundits, adversary",
        Task.CLASSIFY,
        f"{_LAB} for AIMA 18.10.1",
        "Ten experts guess, and every day the opposite of the weighted vote with β = ½ comes true.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=expert_streams.adversary,
    ),
    "expert_pool": Recipe(
        "Sixteen predictors",
        Task.CLASSIFY,
        f"{_LAB} for ML 7.5.4",
        "Predictors 1, 2 and 3 are right in 90, 70 and 60 of a hundred examples, the other thirteen"
        " guess.",
        200,
        0.0,
        _FLIP,
        0.5,
        make=expert_streams.pool,
    ),
    "campfire": Recipe(
        "Campfire",
        Task.STRUCTURE,
        f"{_LAB} for ML 6.11.5",
        "Storm, BusTourGroup, Lightning, Campfire, Thunder and ForestFire, drawn from a network of"
        " six arcs.",
        200,
        0.0,
        "share of values that are not seen",
        0.5,
        make=stand_ins.campfire,
    ),
    "two_bells": Recipe(
        "Two bells",
        Task.CLASSIFY,
        f"{_STAND_IN} ML Fig 6.4",
        "Thirty numbers round −2 and 2. Which bell each is from stands beside it; the"
        " search for the means does without it.",
        30,
        1.0,
        "width σ of both bells",
        3.0,
        make=stand_ins.two_bells,
    ),
    "parabola": Recipe(
        "Parabola",
        Task.CLASSIFY,
        f"{_STAND_IN} MIT 2.1.27-2.1.31",
        "y = 1 above the curve x2 = 0.25 + 2.2 (x1 − 0.5)². Labels that are turned are intruders.",
        30,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.parabola,
    ),
    "hidden_conjunction": Recipe(
        "Hidden conjunction",
        Task.CLASSIFY,
        "ML 7.3.2, drawn anew",
        "y = 1 where three of ten columns have the values that the seed asks for.",
        60,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.hidden_conjunction,
    ),
    "hidden_rectangle": Recipe(
        "Hidden rectangle",
        Task.CLASSIFY,
        "ML Exercise 7.6, drawn anew",
        "y = 1 in a rectangle that the seed draws; the points are uniform.",
        60,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.hidden_rectangle,
    ),
    "dice": Recipe(
        "Dice rolls",
        Task.CLASSIFY,
        "AIMA 18.3.5, drawn anew",
        "No column tells whether the die shows 6.",
        100,
        0.0,
        _FLIP,
        0.5,
        make=stand_ins.dice,
    ),
}
