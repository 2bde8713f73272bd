"""The lines of a margin: boundary and ±1, as separators of two families show them.

AIMA 18.9, MMDS 12.3.
"""

from engine.core.arrays import Float
from engine.core.notation import number
from engine.core.problem import Problem
from engine.core.scene import Layer, Line, Role
from engine.numerics.linear import plane_line


def margin_lines(problem: Problem, w: Float, b: float) -> list[Layer]:
    """The boundary and the lines where the score is ±1, exactly."""
    normal, constant = plane_line(problem, w, b)
    if not normal.any():
        return []
    sides: list[Layer] = [
        Line(normal, constant - level, Role.MARGIN, number(level, 0, signed=True), tag="margins")
        for level in (1.0, -1.0)
    ]
    return [*sides, Line(normal, constant, label="0", tag="b")]
