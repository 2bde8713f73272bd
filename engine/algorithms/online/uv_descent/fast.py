"""A round of visits in plain numbers, compiled where that is due: the same sums in the same order."""

from engine.algorithms.online.uv_descent import Setting, State
from engine.algorithms.online.uv_descent.entries import LOST
from engine.authoring import Int, Work, frozen, np, replace
from engine.numerics.compiled import Numbers, Places, Table, loop

PULSE = 5_000  # visits between two looks at stop


@loop()
def descend(
    entries: Numbers, rows: Places, columns: Places, U: Table, V: Table, rate: float, printed: bool, most: float
) -> int:
    """Changes the rows of U and of V (turned) that each entry asks for. → visits, up to numbers that are not below `most`"""
    for t in range(len(entries)):
        u, v = U[rows[t]], V[columns[t]]
        said = 0.0
        for k in range(len(u)):
            said += u[k] * v[k]
        e, lost = entries[t] - said, False
        for k in range(len(u)):
            a, b = u[k], v[k]
            if not printed:
                u[k], v[k] = a + rate * e * b, b + rate * e * a
            else:
                if b != 0.0:
                    u[k] = a + rate * (e / b)
                if a != 0.0:
                    v[k] = b + rate * (e / a)
            if not (-most < u[k] < most and -most < v[k] < most):
                lost = True
        if lost:
            return t + 1
    return len(entries)


def visits(given: Setting, s: State, places: Int) -> Work[State]:
    p, (rows, columns) = given.p, np.divmod(places, given.problem.d)
    entries, U, V = given.problem.X.ravel()[places], np.array(s.U), np.array(s.V.T, order="C")
    told = float(p.rate), p.step == "printed", LOST * given.size
    compiled, seen, done = descend.compiled_for(len(places) * p.rank), 0, False
    plain = U.tolist(), V.tolist()
    while seen < len(places) and not done:
        part = slice(seen, seen + PULSE)
        if compiled:
            visited = compiled(entries[part], rows[part], columns[part], U, V, *told)
        else:
            visited = descend(entries[part].tolist(), rows[part].tolist(), columns[part].tolist(), *plain, *told)
        seen, done = seen + visited, visited < len(entries[part])
        yield
    U, V = (U, V) if compiled else (np.array(plain[0]), np.array(plain[1]))
    return replace(s, U=frozen(U), V=frozen(np.ascontiguousarray(V.T)), current=int(places[seen - 1]))
