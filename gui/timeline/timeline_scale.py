"""How many steps the timeline has room for: while an edit makes the run anew, as many as before."""


class Scale:
    """The step at the right end.

    A run that follows a dragged point begins again with every movement: it keeps the room of the
    run before it until it needs more or has ended, so that neither cursor nor curves jump.
    """

    def __init__(self) -> None:
        self.last = 1
        self._about: object = None

    def follow(self, about: object, recorded: int, over: bool) -> None:
        """The shown run has `recorded` steps by now. about: what method on what table; another one
        begins anew.
        """
        if over or recorded > self.last or about != self._about:
            self.last = max(1, recorded)
            self._about = about


LEAST_SEEN = 10.0  # steps across the whole timeline
Span = tuple[float, float]


def zoomed(span: Span, whole: Span, at: float, factor: float) -> Span:
    """`span` so many times as long, the place `at` staying where it is, inside `whole`."""
    long = min(
        max((span[1] - span[0]) * factor, min(LEAST_SEEN, whole[1] - whole[0])), whole[1] - whole[0]
    )
    share = (at - span[0]) / ((span[1] - span[0]) or 1.0)
    return moved((at - share * long, at + (1 - share) * long), whole, 0.0)


def moved(span: Span, whole: Span, by: float) -> Span:
    """`span` so much further on, as far as `whole` reaches."""
    long = min(span[1] - span[0], whole[1] - whole[0])
    first = min(max(span[0] + by, whole[0]), whole[1] - long)
    return first, first + long


def holding(span: Span, whole: Span, step: float) -> Span:
    """`span`, or as much of the run that `step` lies in it, a tenth from the side that it comes in
    by.
    """
    long = span[1] - span[0]
    if step > span[1]:
        return moved(span, whole, step - span[0] - 0.1 * long)
    return moved(span, whole, step - span[0] - 0.9 * long) if step < span[0] else span
