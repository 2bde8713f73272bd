"""A round of visits in plain numbers: the same sums in the same order."""

from engine.algorithms.online.uv_descent import Setting, State
from engine.authoring import Int, Work, frozen, np, replace
from engine.core.sums import add_up

PULSE = 5_000  # visits between two looks at stop


def visits(given: Setting, s: State, places: Int) -> Work[State]:
    U = s.U.tolist()
    V = s.V.T.tolist()
    M = given.entries.tolist()
    d = given.problem.d
    most = given.most
    place = -1
    for count, place in enumerate(places.tolist(), 1):
        i, j = divmod(place, d)
        u = U[i]
        v = V[j]
        U[i], V[j] = u, v = given.moved(
            u, v, M[place] - add_up(a * b for a, b in zip(u, v, strict=True))
        )
        if not all(-most < x < most for x in u) or not all(-most < x < most for x in v):
            break
        if count % PULSE == 0:
            yield
    return replace(
        s, U=frozen(np.array(U)), V=frozen(np.ascontiguousarray(np.array(V).T)), current=place
    )
