"""The corners of the class markers around (0, 0), of equal optical area for equal radius."""

from math import cos, pi, sin

# sizes in units of the radius
SQUARE_HALF, TRIANGLE, DIAMOND = 0.89, 1.40, 1.27
PLUS_ARM, PLUS_HALF = 1.20, 0.42
STAR_OUTER, STAR_INNER = 1.50, 0.66
HOURGLASS_HALF_WIDTH, HOURGLASS_HALF_HEIGHT = 1.00, 1.15
CROSS_ARM = 1.0


def _ring(radii: tuple[float, ...], start: float, count: int) -> tuple[tuple[float, float], ...]:
    """`count` corners around the centre from angle `start` on, taking the radii in turn."""
    angles = [start + 2 * pi * i / count for i in range(count)]
    return tuple(
        (radii[i % len(radii)] * cos(a), radii[i % len(radii)] * sin(a))
        for i, a in enumerate(angles)
    )


_A, _H = PLUS_ARM, PLUS_HALF
_W, _T = HOURGLASS_HALF_WIDTH, HOURGLASS_HALF_HEIGHT
CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": tuple(
        (SQUARE_HALF * x, SQUARE_HALF * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ),
    "triangle": _ring((TRIANGLE,), -pi / 2, 3),
    "triangle_down": _ring((TRIANGLE,), pi / 2, 3),
    "diamond": _ring((DIAMOND,), -pi / 2, 4),
    "plus": (
        (-_H, -_A),
        (_H, -_A),
        (_H, -_H),
        (_A, -_H),
        (_A, _H),
        (_H, _H),
        (_H, _A),
        (-_H, _A),
        (-_H, _H),
        (-_A, _H),
        (-_A, -_H),
        (-_H, -_H),
    ),
    "star": _ring((STAR_OUTER, STAR_INNER), -pi / 2, 10),
    "hourglass": ((-_W, -_T), (_W, -_T), (-_W, _T), (_W, _T)),
}
