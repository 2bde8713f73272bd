"""Support vector machine: the widest margin by its dual, two multipliers at a time.

AIMA 18.9, MMDS 12.3.1-12.3.3.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.margins.parts import Degree, Gamma, KernelName
from engine.algorithms.margins.svm.dual import EQUAL, TIE, Dual, Pair, first
from engine.numerics.closeness import LAST_DIGITS, settled
from engine.algorithms.margins.svm.given import Machine, feasible
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    frozen,
    leap,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.linear import signed_classes

PSEUDOCODE = """
start  round:  α ← 0, b ← 0
while  round:  while a pair breaks its condition
choose:          (i, j) ← the worst such pair
move:            move αᵢ, αⱼ along Σ α y = 0
clip:            clip both to [0, C]
b      detail:   b ← midway between the margins
return round:  sign(Σ α y K(x, ·) + b)
"""
COST = "what a point inside the margin costs; inf: none may be there (hard margin)"
PAIRS = (
    "worst: the one that breaks its condition most. in turn: the next in the table. Partner: most"
    " gain."
)
# pairs: when a hard margin is asked whether it exists, then at every doubling; the most
PROOF, LIMIT = 20, 500_000


class Params(Record, eq=True):
    kernel: KernelName = "linear"
    degree: Degree = 3
    gamma: Gamma = 1.0
    C: Annotated[float, Range(1e-4, float("inf"), log=True), Label("Cost C"), Help(COST)] = 10.0
    pair: Annotated[Literal["worst", "in turn"], Label("Pair"), Help(PAIRS)] = "worst"
    tolerance: Annotated[float, Range(1e-6, 0.1, log=True), Label("Tolerance")] = 1e-3


class State(Record):
    """alpha (n,); score = Σ α y K(x, ·) + b, plus is the first class; w = Σ α y x (d,) of the
    linear kernel, else None; violation: the largest disagreement about b; objective: of the dual;
    errors: wrong rows; support: rows with α > 0; sides (n,): signs of scores, 0 without a class.
    moves: pairs so far; pair: chosen, () between; before: their α then.
    """

    alpha: Float
    b: float
    w: Float | None
    violation: float
    objective: float
    errors: int
    support: int
    sides: Int
    moves: int
    pair: tuple[int, ...] = ()
    before: tuple[float, ...] = ()


class Setting(Machine[Params]):
    def state(self, dual: Dual) -> State:
        """With b midway between what the examples ask for at least and at most."""
        least, most = dual.demands()
        w = frozen(dual.beta @ self.X) if self.p.kernel == "linear" else None
        b = float(settled((least + most) / 2, 1.0 + dual.size * dual.longest, LAST_DIGITS))
        return State(
            frozen(np.abs(dual.beta)),
            b - self.shift(w),
            w,
            max(least - most, 0.0),
            *dual.numbers(b),
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", s := given.state(Dual(given)))
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    yield from rounds(
        given, replace(s, alpha=feasible(s.alpha, given.sign, given.p.C), moves=0), at, rng
    )


def rounds(given: Setting, s: State, at: At, rng: Rng, *known: Any) -> Steps[State]:
    # known: of those who take the run up again
    s = given.state(dual := Dual(given, s.alpha, s.moves, *known))
    while s.moves < LIMIT:
        proof = PROOF << (s.moves // PROOF).bit_length() if np.isinf(given.p.C) else LIMIT + 1
        halt = min(proof, LIMIT, s.moves + given.each - s.moves % given.each, s.moves + given.part)
        s, pair = yield from moved(given, at, s, dual, halt)
        if pair is None:
            yield from at(
                "return",
                s,
                "stopped" if dual.blurred else "converged",
                blurred=dual.blurred,
                squared=dual.squared_length,
            )
            return
        if pair.endless:
            yield from at(
                "while",
                s,
                "not separable" if (same := given.same_place(pair.i, pair.j)) else "stopped",
                same=same,
            )
            return
        if s.moves % given.each == 0:
            yield from at("while", s, "round")
        if s.moves == proof and not given.separable(s.alpha):
            yield from at("while", s, "not separable", grows=True)
            return
        yield None
    yield from at("while", s, "stopped", tired=True)


@leap
def moved(
    given: Setting, at: At, s: State, dual: Dual, until: int
) -> Part[State, tuple[State, Pair | None]]:
    """Up to a pair that may move without end, or to None where none breaks its condition."""
    while s.moves < until:
        yield from at.foothold(rounds, s, lambda: (dual.wish, dual.turn))
        if (pair := choose(given, dual)) is None:
            break
        s = replace(s, pair=(pair.i, pair.j), before=tuple(s.alpha[[pair.i, pair.j]].tolist()))
        partners, won = dual.partners(pair)
        equal = dual.equally_wrong
        yield from at(
            "choose", s, *when(tie=len(won) > 1), pair=pair, partners=partners, won=won, equal=equal
        )
        if pair.endless:
            return s, pair
        was = (s.b, s.violation)
        ends = yield from dual.move(pair.i, pair.j, min(pair.best, pair.room))
        s = replace(given.state(dual), pair=s.pair, before=s.before)
        yield from at(
            "clip" if pair.clipped else "move",
            s,
            *when(bound=bool(ends)),
            pair=pair,
            ends=ends,
            was=was,
        )
        yield from at("b", replace(s, pair=dual.asking(), before=()), demands=dual.demands())
    return replace(s, pair=(), before=()), pair


def choose(given: Setting, dual: Dual) -> Pair | None:
    """Who asks for the largest b, or is the next that breaks its condition; and by whom the dual
    then grows most.
    """
    least, most = dual.demands()
    if least - most <= given.p.tolerance:
        return None
    one, rises = (
        (first(dual.least, least - TIE), True) if given.p.pair == "worst" else dual.next_in_turn()
    )
    gains = dual.gains(one, rises)
    other = first(gains, float(gains.max()) * (1 - EQUAL))
    i, j = (one, other) if rises else (other, one)
    asks = (dual.least.item(i), dual.most.item(j))
    near = dual.near.item(dual.row(one), other)
    room = min(dual.high.item(i) - dual.beta.item(i), dual.beta.item(j) - dual.low.item(j))
    gap, d2 = asks[0] - asks[1], given.apart(i, j) if (flat := near == dual.closest) else 0.0
    best = gap * near * near if not flat else gap / d2 if d2 else np.inf
    return Pair(i, j, one, asks, best, room, d2, flat)


def predict(given: Setting, s: State, X: Float) -> Int:
    """Class indices by the sign of the score; −1 exactly on the boundary."""
    return signed_classes(given.score(s, X))


def example() -> Problem:
    """Two classes that overlap a little: some multipliers stay free, others end at C."""
    x = [1.0, 1.5, 2.0, 2.5, 3.0, 3.6, 2.2, 4.0, 4.5, 5.0, 3.4, 5.5]
    y = [1.0, 2.5, 1.2, 3.0, 2.0, 2.9, 4.1, 4.0, 2.5, 4.5, 3.1, 3.5]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "y": [-1] * 6 + [1] * 6}, "y"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Support vector machine",
    task=Task.CLASSIFY,
    source=("AIMA 18.9", "MMDS 12.3.1", "MMDS 12.3.2", "MMDS 12.3.3", "MMDS Exercise 12.3.2"),
    needs=Needs(min_classes=2, max_classes=2, numeric=True, max_rows=50_000),
    curves=(
        Curve("violation", "largest violation", log=True, about=("i", "j")),
        Curve("objective", "dual objective", about=("alpha",)),
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("support", "support vectors", of_n=True, digits=0, about=("free", "bounded")),
    ),
    scores=Setting.score,
    events=("bound", "round", "tie", "converged", "not separable", "stopped"),
)
