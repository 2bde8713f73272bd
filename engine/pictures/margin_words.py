"""Words of the dual solver: which two multipliers move, how far, what stops them, where b lies. AIMA 18.9, MMDS 12.3."""

from collections.abc import Sequence

import numpy as np

from engine.core.arrays import Float
from engine.core.problem import Problem
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note
from engine.numerics.smo import SMALL, TIE, Pair, Solver
from engine.pictures.margins import multiplier

PARTNERS = 8

DISAGREE = Formula("too far apart by", "{wish_i} − {wish_j}", "{violation}")
NEEDS = Fact("to be right they need", "{i}: b ≥ {wish_i}, {j}: b ≤ {wish_j}")
FIRST = Fact("equally wrong", "{equal} {equal:example|examples}; the first in the table is taken")
EQUALS = Fact("equally wrong", "{equal} {equal:example|examples}; whichever rounding leaves ahead is taken")
DISTANCE = Formula("t =", "{violation} / {apart}", "{best}")
APART = Fact("d² = K(i, i) + K(j, j) − 2 K(i, j)", "{Kii} + {Kjj} − 2 · {Kij} = {apart}")
CLIP = Formula("t ←", "min({best}, {room})", "{t}")
RISE = Formula("αᵢ ←", "{ai} {si} {t}", "{ai_after}")
OTHER = Formula("αⱼ ←", "{aj} {sj} {t}", "{aj_after}")
B = Fact("b", "{b_before} → {b}")
VIOLATION = Fact("largest disagreement", "{violation_before} → {violation_after}")
MIDWAY = Formula("b ←", "({least} + {most}) / 2", "{b}")
FREE = Fact("free, one ring", "{free} with 0 < α < C")
BOUNDED = Fact("bounded, two rings", "{bounded} with α = C")
SUPPORT = Fact("support vectors, ringed", "{free} with α > 0")
WRONG = Fact("wrong points", "{errors}")
DUAL = Fact("dual objective", "{objective}")
GAMMA = Formula("margin =", "1 / {length}", "{gamma}")
KERNEL = Fact("K(x, z)", "{kernel}")
BOX = Fact("each α", "{box}")
EIGENVALUE = Fact("smallest eigenvalue of the kernel matrix", "{eigenvalue}")

WAY_OUT = "Take a finite C (soft margin), or another kernel."


def start_note(kernel: str, C: float, eigenvalue: float | None) -> Note:
    facts = [KERNEL, BOX, *([EIGENVALUE] if eigenvalue is not None else [])]
    box = f"from 0 to {C:g}" if np.isfinite(C) else "0 or more (hard margin)"
    said = "" if eigenvalue is None else eigenvalue
    lead = "All α are 0: the score is 0 everywhere, and no place has a class."
    return note(lead, *facts, kernel=kernel, box=box, eigenvalue=Operand(said, digits=4))


def directions(sign: Float, pair: Pair) -> tuple[int, int]:
    """Which way each α goes: +1 up, −1 down. β = y α of i rises, of j falls."""
    return int(sign[pair.i]), -int(sign[pair.j])


def together(sign: Float, pair: Pair) -> str:
    """How the two multipliers move, in words."""
    up_i, up_j = directions(sign, pair)
    if up_i == up_j:
        return "Their α rise together" if up_i > 0 else "Their α fall together"
    return "α of {i} rises as α of {j} falls" if up_i > 0 else "α of {j} rises as α of {i} falls"


def names(problem: Problem, pair: Pair) -> dict[str, Operand]:
    return {"i": Operand(problem.names[pair.i], about="i"), "j": Operand(problem.names[pair.j], about="j")}


def choose_note(problem: Problem, solver: Solver, pair: Pair, in_turn: bool) -> Note:
    equal = int((solver.least >= solver.least.max() - TIE).sum())
    tied = FIRST if problem.n <= SMALL else EQUALS
    facts = (NEEDS, *((tied,) if equal > 1 and not in_turn else ()))
    if in_turn:
        lead = "{first} is the next that breaks its condition. With {second} the most is gained: they disagree by {violation} about b."
    else:
        lead = (
            "{first} breaks its condition most. With {second} the most is gained: they disagree by {violation} about b."
        )
    first = solver.turn if in_turn else pair.i
    second = pair.j if first == pair.i else pair.i
    return note(
        lead,
        DISAGREE,
        *facts,
        wish_i=Operand(float(solver.least[pair.i]) - solver.shift, "bᵢ", "i"),
        wish_j=Operand(float(solver.most[pair.j]) - solver.shift, "bⱼ", "j"),
        violation=Operand(pair.violation),
        equal=equal,
        first=Operand(problem.names[first], about="i" if first == pair.i else "j"),
        second=Operand(problem.names[second], about="j" if first == pair.i else "i"),
        **names(problem, pair),
    )


def partner_choice(problem: Problem, solver: Solver, pair: Pair, first: int) -> Choice:
    """The best partners of `first` with what the dual gains if both could go all the way."""
    gains = np.maximum(solver.gains(first, first == pair.i), 0.0)
    chosen = pair.j if first == pair.i else pair.i
    best = np.argsort(-gains, kind="stable")[:PARTNERS].tolist()
    rows = [k for k in best if gains[k] > 0 or k == chosen]
    rows = rows if chosen in rows else [*rows, chosen]
    scores = [float(gains[k]) ** 2 / 2 for k in rows]
    winners = tuple(a for a, score in enumerate(scores) if score >= max(scores) * (1 - TIE))
    options = tuple(Option(problem.names[k], score, tag_of(k, pair)) for k, score in zip(rows, scores, strict=True))
    equal = "the first in the table" if problem.n <= SMALL else "whichever rounding leaves ahead"
    rule = f"equal gain: {equal}" if len(winners) > 1 else ""
    return Choice(
        f"Which partner moves with {problem.names[first]}?", options, winners, rows.index(chosen), rule, "gain"
    )


def tag_of(row: int, pair: Pair) -> str:
    return {pair.i: "i", pair.j: "j"}.get(row, "")


def move_note(problem: Problem, solver: Solver, pair: Pair, before: "Before", ends: Sequence[int]) -> Note:
    """After the move: how far and what stopped it."""
    up_i, up_j = directions(solver.sign, pair)
    flat = solver.rows.flat(pair.i, pair.j)
    limits = stopped_by(solver, pair, ends)
    stop = f" until {limits}." if pair.clipped and limits else " until they agree."
    K = solver.rows[pair.i][0]
    after = solver.alpha
    return note(
        "{i} and {j} disagree by {violation} about b. " + together(solver.sign, pair) + stop,
        RISE,
        OTHER,
        *((CLIP,) if pair.clipped else ()),
        DISTANCE,
        B,
        VIOLATION,
        *rings(solver),
        APART,
        **ringed(solver),
        violation=Operand(pair.violation, "(bᵢ − bⱼ)"),
        apart=Operand(solver.rows.apart(pair.i, pair.j), "d²"),
        Kii=Operand(float(solver.rows.diagonal[pair.i]), "K(i, i)", "i"),
        Kjj=Operand(float(solver.rows.diagonal[pair.j]), "K(j, j)", "j"),
        Kij=Operand(float(K[pair.j]), "K(i, j)"),
        best=Operand(float("inf") if flat else pair.best, "t"),
        room=Operand(pair.room, "room in the box"),
        t=Operand(pair.t, "t"),
        ai=Operand(before.alpha_i, multiplier(problem, pair.i), "i"),
        aj=Operand(before.alpha_j, multiplier(problem, pair.j), "j"),
        si="+" if up_i > 0 else "−",
        sj="+" if up_j > 0 else "−",
        ai_after=Operand(float(after[pair.i]), about="i"),
        aj_after=Operand(float(after[pair.j]), about="j"),
        b=Operand(solver.b, "b", "b"),
        b_before=before.b,
        violation_before=before.violation,
        violation_after=solver.violation,
        **names(problem, pair),
    )


class Before:
    """What a move will change."""

    def __init__(self, solver: Solver, pair: Pair) -> None:
        self.alpha_i, self.alpha_j = abs(float(solver.beta[pair.i])), abs(float(solver.beta[pair.j]))
        self.b, self.violation = solver.b, solver.violation


def stopped_by(solver: Solver, pair: Pair, ends: Sequence[int]) -> str:
    """Who came to an end of [0, C], in words; '' for nobody."""
    found = [("i" if k == pair.i else "j", limit(solver, k)) for k in ends]
    if len(found) == 2 and found[0][1] == found[1][1]:
        return f"both reach {found[0][1]}"
    return " and ".join(f"α of {{{letter}}} reaches {end}" for letter, end in found)


def limit(solver: Solver, row: int) -> str:
    return "0" if solver.beta[row] == 0 else "C"


def b_note(problem: Problem, solver: Solver) -> Note:
    least, most = (demand - solver.shift for demand in solver.demands())
    low, high = (asking := solver.asking())[0], asking[-1]
    lead = "{low} asks for b ≥ {least}, {high} for b ≤ {most}. b goes midway."
    return note(
        lead,
        MIDWAY,
        low=Operand(problem.names[low], about="i"),
        high=Operand(problem.names[high], about="j" if len(asking) > 1 else "i"),
        least=Operand(least, "largest b asked for at least"),
        most=Operand(most, "smallest b asked for at most"),
        b=Operand(solver.b, "b", "b"),
    )


def rings(solver: Solver) -> tuple[Fact, ...]:
    """What the rings on the plane mean, with their numbers."""
    return (FREE, BOUNDED) if np.isfinite(solver.C) else (SUPPORT,)


def ringed(solver: Solver) -> dict[str, object]:
    bounded = len(solver.bounded())
    free = int(np.count_nonzero(solver.beta)) - bounded
    rings = (("free", free), ("bounded", bounded))
    return {name: Operand(count, about=name if count else "") for name, count in rings}


def tally(solver: Solver, errors: int) -> dict[str, object]:
    return {
        **ringed(solver), "errors": errors,
        "objective": Operand(solver.objective, digits=4), "violation": Operand(solver.violation, digits=4),
        "tolerance": Operand(solver.tolerance, digits=-1), "moves": solver.moves,
    }  # fmt: skip


def while_note(solver: Solver, errors: int) -> Note:
    lead = "{moves} {moves:pair has|pairs have} moved. The largest disagreement about b is {violation}."
    return note(lead, *rings(solver), WRONG, DUAL, **tally(solver, errors))


def return_note(solver: Solver, errors: int) -> Note:
    lead = "No pair disagrees by more than {tolerance}. "
    if np.isfinite(solver.C):
        lead += (
            "The margin is as wide as its cost allows: one ring lies on it, two rings inside it or on the wrong side."
        )
    else:
        lead += "This is the widest margin: only the ringed examples hold it."
    if solver.blurred:
        lead = "No pair seems to disagree by more than {tolerance}, but the numbers of this kernel are so large that their "
        lead += "rounding alone may be more. Standardise the columns."
    squared = solver.squared_length
    formulas = (GAMMA,) if squared > 0 else ()
    gamma = squared**-0.5 if squared > 0 else 0.0
    numbers = {"length": Operand(squared**0.5, "|w|", digits=4), "gamma": Operand(gamma, "margin", "margins", 4)}
    return note(lead, *formulas, *rings(solver), WRONG, DUAL, **tally(solver, errors), **numbers)


def grows_note(solver: Solver) -> Note:
    lead = "No plane separates the classes in the space of this kernel: α would grow for ever. " + WAY_OUT
    return note(lead, Fact("Σ α by now", "{sum}"), sum=float(solver.alpha.sum()))


def same_place_note(problem: Problem, pair: Pair, same: bool) -> Note:
    """Two classes at one place, or at two that the numbers of the kernel make one."""
    if not same:
        lead = "{i} and {j} have different classes, and the numbers of this kernel are too coarse to tell them apart. "
        return note(lead + "Standardise the columns.", **names(problem, pair))
    lead = "{i} and {j} lie at the same place and have different classes, so no plane separates them: their α would grow for ever. "
    return note(lead + WAY_OUT, **names(problem, pair))


def tired_note(solver: Solver) -> Note:
    lead = (
        "After {moves} {moves:pair|pairs} the largest disagreement is still {violation}. Scale the columns, lower C or allow a larger "
        "tolerance."
    )
    return note(lead, moves=solver.moves, violation=Operand(solver.violation, digits=4))
