"""How many functions of n bits a line makes: the labellings of the corners of a cube.

AIMA Ex 18.20.
"""

from itertools import product

from engine.authoring import Float, np

# the largest weight that a function of n bits needs, in whole numbers
LARGEST = {1: 1, 2: 1, 3: 2, 4: 3}


def separable(bits: int) -> int:
    """The number of functions of `bits` ≤ 4 bits that a half-space makes, both constants included:
    those of w · x ≥ t with whole w and t.
    """
    most = LARGEST[bits]
    corners = np.array(list(product((0, 1), repeat=bits)))
    weights = np.array(list(product(range(-most, most + 1), repeat=bits)))
    sums = weights @ corners.T  # (weights, corners)
    place = 1 << np.arange(len(corners))
    thresholds = range(-most * bits, most * bits + 2)
    return len({number for t in thresholds for number in ((sums >= t) @ place).tolist()})


def is_cube(points: Float) -> bool:
    """Whether the points (n, d) are the corners of a cube of 0 and 1, each once."""
    corners = set(product((0.0, 1.0), repeat=points.shape[1]))
    return len(points) == len(corners) and set(map(tuple, points.tolist())) == corners
