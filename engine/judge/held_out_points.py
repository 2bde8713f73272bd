"""The held-out examples on the plane and the predictions of a step for them."""

from engine.base.arrays import Int
from engine.base.faults import of_the_user
from engine.base.tags import HELD_OUT_POINTS
from engine.runs.trace import Trace
from engine.scene.layers import Layer, Points, Role
from engine.scene.scene import thinned
from engine.table.problem import Problem, Task


def held_out(problem: object, says: Int | None = None) -> tuple[Layer, ...]:
    """The layer of held-out examples on the plane; () without any.

    says: their predicted classes (m,), which cross the wrong ones
    """
    rows = getattr(problem, "held_out", None)
    if not isinstance(rows, Problem):
        return ()
    return (
        thinned(rows, Points(rows.xy, rows.codes, Role.HELD_OUT, shown=says, tag=HELD_OUT_POINTS)),
    )


def predicted_codes(trace: Trace, at: int) -> Int | None:
    """The classes (m,) that step `at` predicts for the held-out examples.

    None if it predicts none, and for clusters, whose numbers are no classes.
    """
    problem, method = trace.problem, trace.algorithm
    if (
        problem.held_out is None
        or not problem.classes
        or method.predict is None
        or method.task is Task.CLUSTER
    ):
        return None
    try:
        return trace.codes(problem.held_out.X, at)
    except (
        BaseException
        # a state that cannot predict yet, or a bug: paint the points all the same
    ) as fault:
        if of_the_user(fault):
            raise
        return None
