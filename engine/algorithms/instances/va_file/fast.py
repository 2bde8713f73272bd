"""Both stages at once, where nobody watches."""

from engine.algorithms.instances.va_file import Setting, State
from engine.authoring import frozen, np, replace
from engine.numerics.distances import tidy


def bounded(given: Setting, s: State) -> State:
    return replace(s, bounded=s.file.size, kth=given.kth(s.bounds.high))


def judged(given: Setting, s: State) -> State:
    return replace(s, judged=s.file.size, held=int(s.file.count[s.bounds.passed].sum()))


def looked_up(given: Setting, s: State) -> State:
    rows = s.candidates
    distances = given.distances(rows)
    best = np.lexsort([rows, tidy(distances)])[: given.k]
    radius = float(distances[best[-1]]) if len(best) == given.k else np.inf
    found = frozen(rows[best]), frozen(distances[best])
    last = int(rows[-1]) if len(rows) else -1
    d = float(distances[-1]) if len(rows) else s.distance
    return replace(
        s, neighbours=found[0], distances=found[1], radius=radius, examined=len(rows), looked=last, distance=d
    )
