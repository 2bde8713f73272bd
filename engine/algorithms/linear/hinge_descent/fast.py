"""A round of single steps without a word: the loss is reckoned only at its end."""

from engine.algorithms.linear.hinge_descent import Setting, State
from engine.algorithms.linear.hinge_descent.loss import TOUCHING
from engine.algorithms.linear.parts.descent import within_numbers
from engine.authoring import Float, Int, np, replace
from engine.numerics.compiled import Changing, Numbers, Rows, Three, loop

NEAR = 1.0 - TOUCHING  # nobody is bad from here on, however small the terms


@loop()
def visits_of_three(
    xs: Numbers,
    ys: Numbers,
    signs: Numbers,
    pull: float,
    eta: float,
    shrink: float,
    widest: Three,
    w: Three,
) -> Three:
    """A step for each signed row of two columns and the bias, in the fewest numbers that Python can
    do with.

    pull: of a bad row; shrink: 1 where b shrinks as w does, else 0; widest: largest size in each
    column
    """
    (u, v, b), (p, q, _) = w, widest
    for x, y, sign in zip(xs, ys, signs):  # noqa: B905 the compiler's zip has no `strict`
        z = u * x + v * y + b * sign
        if z < NEAR and z < 1.0 - TOUCHING * max(1.0, p * abs(u) + q * abs(v) + abs(b)):
            u -= eta * (u - pull * x)
            v -= eta * (v - pull * y)
            b -= eta * (shrink * b - pull * sign)
        else:
            u -= eta * u
            v -= eta * v
            b -= eta * (shrink * b)
    return u, v, b


@loop()
def visits_of_many(
    rows: Rows, pull: float, eta: float, shrinks: Numbers, widest: Numbers, w: Changing
) -> None:
    """The same with any number of columns; shrinks: 1 for each weight, 0 for a b that is free."""
    for row in rows:
        z = size = 0.0
        for weight, x in zip(w, row):  # noqa: B905
            z += weight * x
        if z < NEAR:
            for weight, wide in zip(w, widest):  # noqa: B905
                size += wide * abs(weight)
        step = pull if z < 1.0 - TOUCHING * max(1.0, size) else 0.0
        for i in range(len(w)):
            w[i] -= eta * (shrinks[i] * w[i] - step * row[i])


def one_by_one(given: Setting, s: State, order: Int) -> tuple[State, str]:
    eta = given.rate(s.round - 1)

    def moved(s: State, order: Int) -> State:
        w = visited(given, s.weights, order[:-1], eta)
        with np.errstate(over="ignore", invalid="ignore"):
            slope = given.slope_of_one(w, int(order[-1]))
            w = w - eta * slope
            return replace(s, slope=slope, updates=s.updates + len(order), **given.judged(w))

    return within_numbers(moved, s, order, "f")


def visited(given: Setting, w: Float, order: Int, eta: float) -> Float:
    """The weights after a step for each of these rows."""
    signed = given.signed.take(order, axis=1)
    free = not given.p.penalise_b
    if len(w) > 3:
        compiled = visits_of_many.compiled_for(signed.size)
        shrinks = np.append(np.ones(len(w) - 1), not free)
        parts = [np.ascontiguousarray(signed.T), shrinks, given.widest, w.copy()]
        rows, *rest = parts if compiled else [part.tolist() for part in parts]
        (compiled or visits_of_many)(rows, given.pull, eta, *rest)
        return np.asarray(rest[-1])
    compiled = visits_of_three.compiled_for(signed.size)
    columns = list(signed if compiled else signed.tolist())
    weights, widest = w.tolist(), given.widest.tolist()
    if missing := len(w) == 2:
        columns.insert(1, np.zeros(len(order)) if compiled else [0.0] * len(order))
        weights.insert(1, 0.0), widest.insert(1, 0.0)
    numbers = given.pull, eta, float(not free), tuple(widest), tuple(weights)
    u, v, b = (compiled or visits_of_three)(*columns, *numbers)
    return np.asarray([u, b] if missing else [u, v, b])
