"""All buckets of the query at once, where nobody watches."""

from engine.algorithms.instances.lsh import Setting, State
from engine.algorithms.instances.parts.best import joined
from engine.authoring import Work, frozen, np, replace


def searched(given: Setting, s: State) -> Work[State]:
    rows = s.candidates
    for table in s.tables:
        rows = np.union1d(rows, table.beside(s.query))
        yield
    new = np.setdiff1d(rows, s.candidates)
    s = joined(s, new, given.distances(new), given.k)
    return replace(s, opened=len(s.tables), candidates=frozen(rows), looked=-1, distance=np.nan)
