"""The lines of a margin, boundary and ±1, shared by two families of separators.

AIMA 18.9, MMDS 12.3.
"""

from engine.base.arrays import Float
from engine.base.notation import number
from engine.numerics.linear import plane_line
from engine.scene.scene import Layer, Line, Role
from engine.table.problem import Problem


def margin_lines(problem: Problem, w: Float, b: float) -> list[Layer]:
    """The boundary and the lines where the score is ±1; [] where w has no line on the plane."""
    normal, constant = plane_line(problem, w, b)
    if not normal.any():
        return []
    sides: list[Layer] = [
        Line(normal, constant - level, Role.MARGIN, number(level, 0, signed=True), tag="margins")
        for level in (1.0, -1.0)
    ]
    return [*sides, Line(normal, constant, label="0", tag="b")]
