"""What the pictures of linear learners share: the line, and where it was before this step."""

from collections.abc import Container, Iterable
from typing import Any

from engine.authoring import Float, Step
from engine.core.scene import Layer, Line, Role
from engine.numerics.linear import plane_line


def separator(given: Any, w: Float, role: Role = Role.BOUNDARY, tag: str = "w") -> Line:
    """The line of these weights on the plane."""
    return Line(*plane_line(given.problem, w, given.bias(w)), role, tag=tag)


def lines(given: Any, step: Step[Any], changing: Container[str], between: Iterable[Layer] = ()) -> list[Layer]:
    """The line of a state; at a line of the page that is `changing` it, the former one too, and what lies between them."""
    former = [separator(given, given.former(step.state), Role.GHOST, "before")] if step.line in changing else []
    return [*former, *between, separator(given, given.line(step.state))]
