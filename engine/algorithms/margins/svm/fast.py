"""Pairs that nobody watches: the same choice and the same move number by number, where a compiler
has them.
"""

from math import inf

from engine.algorithms.margins.svm import Setting, State, choose
from engine.algorithms.margins.svm.dual import EQUAL, REFRESH, TIE, Dual, Pair, put
from engine.authoring import Work, np, replace
from engine.numerics.compiled import Changing, Numbers, Places, Rows, loop

SOME: Pair | None = Pair(
    -1, -1, -1, (0.0, 0.0), 0.0, 0.0, 0.0, False
)  # which one the compiled loop moved last nobody asks
PRICE = 200  # turns of a plain loop, and a twentieth of the examples: what a pair costs here


def moved(given: Setting, s: State, dual: Dual, until: int) -> Work[tuple[State, Pair | None]]:
    pair = SOME
    turns = (until - dual.moves) * (PRICE + given.problem.n // 20)
    if compiled := worst_pairs.compiled_for(turns) if given.p.pair == "worst" else None:
        gains = np.empty(given.problem.n)
        move = compiled.holding(
            *dual.box, dual.K, dual.near, dual.slot, gains, dual.closest, given.p.tolerance
        )
    while dual.moves < until:
        if compiled:  # up to a pair at which something ends, or that is followed by a refresh
            made, missing = move(
                min(until, dual.moves // REFRESH * REFRESH + REFRESH - 1) - dual.moves
            )
            dual.moves += made
            if missing >= 0:
                dual.row(missing)
                yield
            if missing >= 0 or dual.moves == until:
                continue
        if (pair := choose(given, dual)) is None or pair.endless:
            break
        yield from dual.move(pair.i, pair.j, min(pair.best, pair.room))
    s = given.state(dual)
    if pair and pair.endless:
        s = replace(s, pair=(pair.i, pair.j), before=tuple(s.alpha[[pair.i, pair.j]].tolist()))
    return s, pair


def largest(values: Numbers, sign: float) -> float:
    """Of sign · values: four at a time, since a comparison waits for the one before."""
    best = -inf
    few = len(values) % 4
    for k in range(few):
        best = max(best, sign * values[k])
    for k in range(few, len(values), 4):
        one, other = (
            max(sign * values[k], sign * values[k + 1]),
            max(sign * values[k + 2], sign * values[k + 3]),
        )
        best = max(best, max(one, other))
    return best


@loop(put, largest)
def worst_pairs(
    least: Changing,
    most: Changing,
    beta: Changing,
    low: Numbers,
    high: Numbers,
    K: Rows,
    near: Rows,
    slot: Places,
    gains: Changing,
    closest: float,
    tolerance: float,
    pairs: int,
) -> tuple[int, int]:
    """`choose` and `move` of so many pairs at most. → moves, the row of the kernel matrix that is
    not there, or −1
    """
    for made in range(pairs):
        highest = largest(least, 1.0)
        if highest + largest(most, -1.0) <= tolerance:
            return made, -1
        i = j = 0
        while least[i] < highest - TIE:
            i += 1
        if slot[i] < 0:
            return made, i
        asks = least[i]
        nearness = near[slot[i]]
        for k in range(len(beta)):
            gains[k] = (asks - most[k]) * nearness[k]
        least_gain = largest(gains, 1.0) * (1 - EQUAL)
        while gains[j] < least_gain:
            j += 1
        room = min(high[i] - beta[i], beta[j] - low[j])
        t = min((asks - most[j]) * nearness[j] * nearness[j], room)
        if slot[j] < 0 or nearness[j] == closest:  # how far apart those are, only `choose` can tell
            return made, j if slot[j] < 0 else -1
        one, other = K[slot[i]], K[slot[j]]
        for k in range(len(beta)):
            change = t * (one[k] - other[k])
            least[k] -= change
            most[k] -= change
        put(least, most, beta, low, high, i, t)
        put(least, most, beta, low, high, j, -t)
    return pairs, -1
