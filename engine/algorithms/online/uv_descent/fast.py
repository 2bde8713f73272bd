"""A round in plain numbers, whose moments are not recorded: the same sums in the same order."""

from engine.algorithms.online.uv_descent import Setting, State, moved
from engine.algorithms.online.uv_descent.entries import dot
from engine.authoring import Int, Work, frozen, np, replace

PULSE = 5_000  # visits between two looks at stop


def visits(given: Setting, s: State, order: Int) -> Work[State]:
    """The state after an unrecorded step for each of these places; ends early where numbers
    diverge.
    """
    U = s.U.tolist()
    V = s.V.T.tolist()  # its columns
    M = given.entries.tolist()
    d = given.problem.d
    bound = given.bound
    place = -1
    for count, place in enumerate(order.tolist(), 1):
        i, j = divmod(place, d)
        u = U[i]
        v = V[j]
        u, v = moved(given, u, v, M[place] - dot(u, v))
        U[i] = u
        V[j] = v
        if not all(-bound < number < bound for number in (*u, *v)):
            break
        if count % PULSE == 0:
            yield
    V_after = np.ascontiguousarray(np.array(V).T)
    return replace(s, U=frozen(np.array(U)), V=frozen(V_after), current=place)
