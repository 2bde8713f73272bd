"""Both stages at once, where nobody watches."""

from engine.algorithms.instances.va_file import Setting, State
from engine.algorithms.instances.parts.best import joined
from engine.authoring import replace


def bounded(given: Setting, s: State) -> State:
    return replace(s, bounded=s.file.size, kth=given.kth(s.bounds.high))


def judged(given: Setting, s: State) -> State:
    return replace(s, judged=s.file.size, held=int(s.file.count[s.bounds.passed].sum()))


def looked_up(given: Setting, s: State) -> State:
    rows = s.candidates
    return joined(s, rows, given.distances(rows), given.k)  # type: ignore[no-any-return]
