"""Support vector machine: the widest margin by its dual, two multipliers at a time.

AIMA 18.9, MMDS 12.3.1-12.3.3.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.margins.parts import Degree, Gamma, KernelName
from engine.algorithms.margins.svm.dual import Dual, Pair
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
from engine.numerics.closeness import LAST_DIGITS, settled
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
LIMIT = 500_000  # pairs


class Params(Record, eq=True):
    kernel: KernelName = "linear"
    degree: Degree = 3
    gamma: Gamma = 1.0
    C: Annotated[float, Range(1e-4, float("inf"), log=True), Label("Cost C"), Help(COST)] = 10.0
    pair: Annotated[Literal["worst", "in turn"], Label("Pair"), Help(PAIRS)] = "worst"
    tolerance: Annotated[float, Range(1e-6, 0.1, log=True), Label("Tolerance")] = 1e-3


class State(Record):
    """The model is `alpha`, `b` and `w`; `pair` and `before` are what this step shows.

    alpha: (n,) the multipliers α
    b: of the score Σ α y K(x, ·) + b, above 0 for the first class
    w: (d,) Σ α y x of the linear kernel, else None
    violation: the largest disagreement about b
    objective: of the dual, Σ α − ½ Σ Σ α α y y K
    errors: wrong rows
    support: how many rows have α > 0
    sides: (n,) the signs of their scores, 0 without a class
    moves: pairs so far
    pair: the rows i, j of the one that is chosen, () between two
    before: their α then
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
    """X (n, d) and sign (n,), which is y, ±1; the kernel.

    K(x, z) is x·z (linear), (x·z)² (quadratic), (x·z + 1)^degree (polynomial) or e^(−γ |x − z|²)
    (rbf).
    """

    def state(self, dual: Dual) -> State:
        """The state of a dual, with b midway between its bounds from the examples."""
        least, most = dual.demands()
        # (least + most) / 2, exactly 0 where only rounding keeps it from that
        b = float(settled((least + most) / 2, 1.0 + dual.size * dual.longest, LAST_DIGITS))
        w = frozen(dual.beta @ self.X) if self.p.kernel == "linear" else None  # Σ α y x
        sides = dual.sides(b)
        wrong = (self.sign * sides <= 0) & self.problem.labelled
        return State(
            alpha=frozen(np.abs(dual.beta)),
            b=b - self.shift(w),  # of the table: the rows were moved by an origin o, w · o is less
            w=w,
            violation=max(least - most, 0.0),
            objective=dual.objective,
            errors=int(np.count_nonzero(wrong)),
            support=int(np.count_nonzero(dual.beta)),
            sides=sides,
            moves=dual.moves,
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = given.state(Dual(given))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    alpha = feasible(s.alpha, given.sign, given.p.C)
    yield from rounds(given, replace(s, alpha=alpha, moves=0), at, rng)


def rounds(given: Setting, s: State, at: At, rng: Rng, *known: Any) -> Steps[State]:
    """The steps of moving pairs until no two examples disagree about b.

    known: what the dual knows beyond the state, where a run goes on in the middle of a round
    """
    dual = Dual(given, s.alpha, s.moves, *known)
    s = given.state(dual)
    while s.moves < LIMIT:
        proof = given.next_proof(s.moves)
        s, pair = yield from moved(given, at, s, dual, min(given.halt(s.moves), LIMIT))
        if pair is None:
            event = "stopped" if dual.blurred else "converged"
            squared = dual.squared_length
            yield from at("return", s, event, blurred=dual.blurred, squared=squared)
            return
        if pair.endless:  # d² is nothing but rounding, and no bound clips t
            same = given.same_place(pair.i, pair.j)
            yield from at("while", s, "not separable" if same else "stopped", same=same)
            return
        if s.moves % given.each == 0:
            yield from at("while", s, "round")
        # With C = ∞ the α of rows that no plane separates grow for ever. After 1, 2, 4 … blocks of
        # moves: do the hulls of both classes meet, of the rows with the largest α?
        if s.moves == proof and not given.separable(s.alpha):
            yield from at("while", s, "not separable", grows=True)
            return
        yield None
    yield from at("while", s, "stopped", tired=True)


@leap
def moved(
    given: Setting, at: At, s: State, dual: Dual, until: int
) -> Part[State, tuple[State, Pair | None]]:
    """(the state, the last pair) at `until` moves, or earlier at a pair that could move without
    end; None where every pair fulfils its condition.
    """
    pair: Pair | None = None
    while s.moves < until:
        yield from at.checkpoint(rounds, s, lambda: (dual.wish, dual.turn))
        pair = choose(given, dual)
        if pair is None:
            break
        s = replace(s, pair=(pair.i, pair.j), before=tuple(s.alpha[[pair.i, pair.j]].tolist()))
        partners, won = dual.partners(pair)
        equal = dual.equally_wrong
        tie = when(tie=len(won) > 1)
        yield from at("choose", s, *tie, pair=pair, partners=partners, won=won, equal=equal)
        if pair.endless:
            return s, pair
        was = (s.b, s.violation)
        t = min(pair.best, pair.room)  # clipped to [0, C]
        # with β = y α: βᵢ + t, βⱼ − t, and the b of every example k: − t (K(i, k) − K(j, k))
        ends = yield from dual.move(pair.i, pair.j, t)
        s = replace(given.state(dual), pair=s.pair, before=s.before)
        bound = when(bound=bool(ends))
        yield from at("clip" if pair.clipped else "move", s, *bound, pair=pair, ends=ends, was=was)
        asking = replace(s, pair=dual.asking(), before=())
        yield from at("b", asking, demands=dual.demands())
    return replace(s, pair=(), before=()), pair


def choose(given: Setting, dual: Dual) -> Pair | None:
    """The pair to move: the example that breaks its condition most, or the next in turn that does,
    and its partner.

    None where no two disagree about b by more than the tolerance. Each example requires b ≥ y − Σ β
    K where its β = y α can rise, for b ≤ y − Σ β K where it can fall. The partner is the one with
    which the dual grows most.
    """
    # the largest b of those whose β can rise, the smallest of those whose β can fall
    least, most = dual.demands()
    if least - most <= given.p.tolerance:
        return None
    if given.p.pair == "worst":
        one = dual.worst()  # requires b ≥ least
        rises = True
    else:
        one, rises = dual.next_in_turn()
    other = dual.partner(one, rises)  # most (bᵢ − bⱼ)² / d², twice what the dual grows by
    if rises:
        return step_of_pair(given, dual, one, other, one)
    return step_of_pair(given, dual, other, one, one)


def step_of_pair(given: Setting, dual: Dual, i: int, j: int, one: int) -> Pair:
    """How far β = y α of i rises and that of j falls, so that Σ α y = 0 stays; `one` of the two was
    chosen first.

    By t the dual grows by t (bᵢ − bⱼ) − ½ t² d², where d² = K(i, i) + K(j, j) − 2 K(i, j): most for
    t = (bᵢ − bⱼ) / d², where both ask for the same b.
    """
    b_i = dual.least.item(i)
    b_j = dual.most.item(j)
    other = j if one == i else i
    near = dual.rows.near(one).item(other)  # 1 / d
    flat = dual.rows.is_rounding(near)
    d2 = given.apart(i, j) if flat else 0.0
    if not flat:
        best = (b_i - b_j) * near * near
    elif d2:
        best = (b_i - b_j) / d2
    else:
        best = np.inf
    room = min(dual.high.item(i) - dual.beta.item(i), dual.beta.item(j) - dual.low.item(j))
    return Pair(i, j, one, (b_i, b_j), best, room, d2, flat)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class codes by the sign of Σ α y K(x, ·) + b; −1 exactly on the boundary."""
    return signed_classes(scores(given, s, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m,) Σ α y K(x, ·) + b of rows X (m, d)."""
    return given.score(s, X)


def example() -> Problem:
    """Two classes that overlap a little, so that some multipliers stay free and others reach C."""
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
    events=("bound", "round", "tie", "converged", "not separable", "stopped"),
)
