"""The steps on the time axis: how many it has room for, and which part of them is visible."""

from bisect import bisect_left

from engine.protocol.step import Level
from engine.runs.trace import Trace


def nearest_step(trace: Trace, unit: Level, wanted: float) -> int:
    """The step of `unit` or coarser nearest to the place `wanted`, counted in steps."""
    indices = trace.indices(unit)
    if not indices:
        return min(max(round(wanted), 0), len(trace) - 1)
    place = bisect_left(indices, wanted)
    return min(indices[max(0, place - 1) : place + 1], key=lambda index: abs(index - wanted))


class Scale:
    """The step at the right end of the time axis, `last`.

    While a point is dragged every movement starts a new run. The axis keeps the length of the run
    before until the new run is longer or has ended, so that neither cursor nor curves jump.
    """

    def __init__(self) -> None:
        self.last = 1
        self._about: object = None

    def follow(self, about: object, recorded: int, over: bool) -> None:
        """Adapt the axis to the shown run.

        about: identifies the method and its table; another value lets the axis begin again;
        recorded: the last recorded step;
        over: whether the run has ended.
        """
        if over or recorded > self.last or about != self._about:
            self.last = max(1, recorded)
            self._about = about


LEAST_SEEN = 10.0  # steps across the whole timeline
Span = tuple[float, float]


def zoomed(span: Span, whole: Span, at: float, factor: float) -> Span:
    """`span` with its length times `factor`, inside `whole` and at least LEAST_SEEN steps long.

    The step `at` keeps its place.
    """
    long = min(
        max((span[1] - span[0]) * factor, min(LEAST_SEEN, whole[1] - whole[0])), whole[1] - whole[0]
    )
    share = (at - span[0]) / ((span[1] - span[0]) or 1.0)
    return moved((at - share * long, at + (1 - share) * long), whole, 0.0)


def moved(span: Span, whole: Span, by: float) -> Span:
    """`span` moved on by `by` steps, as far as `whole` reaches."""
    long = min(span[1] - span[0], whole[1] - whole[0])
    first = min(max(span[0] + by, whole[0]), whole[1] - long)
    return first, first + long


def holding(span: Span, whole: Span, step: float) -> Span:
    """`span`, moved inside `whole` only if `step` lies outside it.

    It moves as pages turn: a step beyond the right end is then a tenth of the span from the left
    end, and the other way round.
    """
    long = span[1] - span[0]
    if step > span[1]:
        return moved(span, whole, step - span[0] - 0.1 * long)
    return moved(span, whole, step - span[0] - 0.9 * long) if step < span[0] else span
