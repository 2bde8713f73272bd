"""What the pictures of linear learners share: the line, and where it was before this step."""

from collections.abc import Container, Iterable
from typing import Any

from engine.authoring import Float, Problem, Step, np
from engine.core.scene import Layer, Line, Role
from engine.numerics.linear import plane_line


def separator(given: Any, w: Float, role: Role = Role.BOUNDARY, tag: str = "w") -> Line:
    """The line of these weights on the plane."""
    return Line(*plane_line(given.problem, w, given.bias(w)), role, tag=tag)


def weight_tags(given: Any) -> tuple[str, ...]:
    """What each of `given.names` weighs: a column, the last may be none."""
    return (*given.problem.column_tags, *[""] * (len(given.names) - given.problem.d))


def nearest_to_middle(problem: Problem, w: Float, b: float) -> Float:
    """Of a line on the plane the place nearest to the middle of the data; the middle where w is 0."""
    middle, most = problem.xy.mean(0), float(np.abs(w).max())
    across = w / most if most else w  # the square of w itself may be beyond all numbers
    return np.asarray(
        middle - across * (float(across @ middle) + b / most) / float(across @ across) if most else middle
    )


def lines(given: Any, step: Step[Any], changing: Container[str], between: Iterable[Layer] = ()) -> list[Layer]:
    """The line of a state; at a line of the page that is `changing` it, the former one too, and what lies between them."""
    former = [separator(given, given.former(step.state), Role.GHOST, "before")] if step.line in changing else []
    return [*former, *between, separator(given, given.line(step.state))]
