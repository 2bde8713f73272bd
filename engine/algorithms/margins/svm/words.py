"""What the support vector machine says: which two multipliers move, how far, what stops them, where
b lies.
"""

from engine.algorithms.margins.parts.picture import LISTED, numbered
from engine.algorithms.margins.parts.words import explain_sum, kernel_chip
from engine.algorithms.margins.svm import Params, Setting, State
from engine.algorithms.margins.svm.dual import Pair
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    Sequence,
    note,
    np,
    short,
)
from engine.numerics.closeness import settled

SUMMARY = (
    "Finds the boundary that keeps as far as possible from both classes. Only the examples on its"
    " margin or beyond, the support vectors, have a say. A kernel bends the boundary: it is a plane"
    " in a space of more dimensions."
)
ERRATA = (
    (
        "AIMA 18.9 prints w = Σ α x. It is w = Σ α y x; without y the boundary of the margin set"
        " runs through a support vector."
    ),
    (
        "AIMA 18.9 adds b in w·x + b and subtracts it in Eq 18.14. Here it is added in both; with"
        " mixed signs all eight points of the margin set are called positive."
    ),
    "AIMA 18.9 calls the dual convex. It is concave, and it is maximised: hence one optimum.",
    (
        "AIMA 18.9 asks for a positive definite kernel matrix. Semidefinite is enough: eigenvalues"
        " may be 0."
    ),
    (
        "AIMA 18.9 says the space of the polynomial kernel grows exponentially with d. It has C(n +"
        " d, d) dimensions."
    ),
    (
        "MMDS 12.3.1 expects d + 1 support vectors in most cases. It is 2 to d + 1, and 2 are"
        " common for distant classes."
    ),
    (
        "No source gives a solver, the letter C in the dual or the rbf kernel: pairs of multipliers"
        " and rbf are extensions."
    ),
)

DISAGREE = Formula("too far apart by", "{wish_i} − {wish_j}", "{violation}")
NEEDS = Fact("to be right they need", "{i}: b ≥ {wish_i}, {j}: b ≤ {wish_j}")
FIRST = Fact("equally wrong", "{equal} {equal:example|examples}; the first in the table is taken")
DISTANCE = Formula("t =", "{violation} / {apart}", "{best}")
APART = Fact("d² = K(i, i) + K(j, j) − 2 K(i, j)", "{Kii} + {Kjj} − 2 · {Kij} = {apart}")
CLOSE = Fact(
    "d² = K(i, i) + K(j, j) − 2 K(i, j), which rounding hides: in exact numbers", "{apart}"
)
CLIP = Formula("t ←", "min({best}, {room})", "{t}")
RISE = Formula("αᵢ ←", "{ai} {si} {t}", "{ai_after}")
OTHER = Formula("αⱼ ←", "{aj} {sj} {t}", "{aj_after}")
B = Fact("b", "{b_before} → {b}")
VIOLATION = Fact("largest disagreement", "{violation_before} → {violation_after}")
MIDWAY = Formula("b ←", "({least} + {most}) / 2", "{b}")
FREE = Fact("free, one ring", "{free} with 0 < α < C")
BOUNDED = Fact("bounded, two rings", "{bounded} with α = C")
SUPPORT = Fact("support vectors, ringed", "{free} with α > 0")
TOUCHING = Fact("on the margin too, dashed ring", "{touching}: α = 0")
WRONG = Fact("wrong points", "{errors}")
DUAL = Fact("dual objective", "{objective}")
WEIGHTS, LEVEL = Fact("w", "{w}"), Fact("b", "{b}")
SPELT = 3  # weights that are written
GAMMA = Formula("margin =", "1 / {length}", "{gamma}")
WIDTH = Fact("both sides, the margin of AIMA", "2 / |w| = {width}")
KERNEL = Fact("K(x, z)", "{kernel}")
BOX = Fact("each α", "{box}")
EIGENVALUE = Fact("smallest eigenvalue of the kernel matrix", "{eigenvalue}")

WAY_OUT = "Take a finite C (soft margin), or another kernel."
TOO_COARSE = (
    "{i} and {j} have different classes, and the numbers of this kernel are too coarse to tell them"
    " apart. Standardise the columns."
)
SAME_PLACE = (
    "{i} and {j} lie at the same place and have different classes, so no plane separates them:"
    " their α would grow for ever. "
)
TIRED = (
    "After {moves} {moves:pair|pairs} the largest disagreement is still {violation}. Scale the"
    " columns, lower C or allow a larger tolerance."
)
BLURRED = (
    "No pair seems to disagree by more than {tolerance}, but the numbers of this kernel are so"
    " large that their rounding alone may be more. Standardise the columns."
)
HARD = "This is the widest margin: only the ringed examples hold it."
HELD = (
    "This is the widest margin. The examples with α > 0 hold it; {idle} {idle:lies|lie} on it too,"
    " with α = 0: by distance, {gamma},"
    " {all} {all:example is a support vector|examples are support vectors} (MMDS 12.3.1)."
)
SOFT = (
    "The margin is as wide as its cost allows: an example with one ring lies on it, one with two,"
    " α = C, on it, inside it or on the wrong side."
)


def chips(p: Params) -> tuple[str, ...]:
    margin = "hard margin" if np.isinf(p.C) else f"◎ α = C = {short(p.C)}"
    return (kernel_chip(p), margin)


def start(given: Setting, s: State) -> Note:
    C = given.p.C
    eigenvalue = given.eigenvalue()
    box = f"from 0 to {C:g}" if np.isfinite(C) else "0 or more (hard margin)"
    lead = "All α are 0: the score is 0 everywhere, and no place has a class."
    facts = [KERNEL, BOX]
    operands = {"kernel": Operand(given.kernel.text()), "box": Operand(box)}
    if eigenvalue is not None:
        facts.append(EIGENVALUE)
        operands["eigenvalue"] = Operand(eigenvalue, digits=4)
    return note(lead, *facts, **operands)


def choose(
    given: Setting,
    s: State,
    pair: Pair,
    partners: Sequence[tuple[int, float]],
    won: tuple[int, ...],
    equal: int,
) -> tuple[Note, Choice]:
    names = given.problem.names
    about = {pair.i: "i", pair.j: "j"}
    facts = [NEEDS]
    if given.p.pair == "in turn":
        how = "is the next that breaks its condition"
    else:
        how = "breaks its condition most"
        if equal > 1:
            facts.append(FIRST)
    b_i, b_j = pair.asks
    shift = given.shift(s.w)
    said = note(
        f"{{first}} {how}. With {{second}} the most is gained: they disagree by {{violation}}"
        " about b.",
        DISAGREE,
        *facts,
        wish_i=Operand(b_i - shift, "bᵢ", "i"),
        wish_j=Operand(b_j - shift, "bⱼ", "j"),
        violation=Operand(b_i - b_j),
        equal=equal,
        first=Operand(names[pair.first], about=about[pair.first]),
        second=Operand(names[pair.second], about=about[pair.second]),
        **named(given, s),
    )
    options = tuple(Option(names[k], gain, about.get(k, ""), value=k) for k, gain in partners)
    chosen = [k for k, _ in partners].index(pair.second)
    rule = "equal gain: the first in the table" if len(won) > 1 else ""
    question = f"Which partner moves with {names[pair.first]}?"
    return said, Choice(question, options, won, chosen, rule, "gain")


def named(given: Setting, s: State) -> dict[str, Operand]:
    """The names of the pair as operands i and j."""
    return {
        letter: Operand(given.problem.names[k], about=letter)
        for letter, k in zip("ij", s.pair, strict=True)
    }


def move(
    given: Setting, s: State, pair: Pair, ends: tuple[int, ...], was: tuple[float, float]
) -> Note:
    """The note of a pair's move and of what stopped it. ends: rows that reached 0 or C; was: b and
    violation before
    """
    rows = list(s.pair)
    i_rises = given.sign[pair.i] > 0  # β = y α of i rises, of j falls
    j_rises = given.sign[pair.j] < 0
    if i_rises and j_rises:
        together = "Their α rise together"
    elif i_rises:
        together = "α of {i} rises as α of {j} falls"
    elif j_rises:
        together = "α of {j} rises as α of {i} falls"
    else:
        together = "Their α fall together"
    limits = stopped_by(s, ends)
    stop = f" until {limits}." if pair.clipped and limits else " until they agree."
    (Kii, Kij), (_, Kjj) = given.kernel.matrix(given.X[rows], given.X[rows]).tolist()
    d2 = pair.d2 if pair.flat else Kii + Kjj - 2 * Kij
    violation = pair.asks[0] - pair.asks[1]
    ai, aj = s.before
    ai_after, aj_after = s.alpha[rows].tolist()
    return note(
        "{i} and {j} disagree by {violation} about b. " + together + stop,
        RISE,
        OTHER,
        *([CLIP] if pair.clipped else []),
        DISTANCE,
        B,
        VIOLATION,
        *rings(given),
        CLOSE if pair.flat and pair.d2 else APART,
        violation=Operand(violation, "(bᵢ − bⱼ)"),
        apart=Operand(d2, "d²"),
        Kii=Operand(Kii, "K(i, i)", "i"),
        Kjj=Operand(Kjj, "K(j, j)", "j"),
        Kij=Operand(Kij, "K(i, j)"),
        best=Operand(pair.best, "t"),
        room=Operand(pair.room, "room in the box"),
        t=Operand(min(pair.best, pair.room), "t"),
        ai=Operand(ai, numbered(given.problem, pair.i, "α"), "i"),
        si="+" if i_rises else "−",
        aj=Operand(aj, numbered(given.problem, pair.j, "α"), "j"),
        sj="+" if j_rises else "−",
        ai_after=Operand(ai_after, about="i"),
        aj_after=Operand(aj_after, about="j"),
        b=Operand(s.b, "b", "b"),
        b_before=was[0],
        violation_before=was[1],
        violation_after=s.violation,
        **ringed(given, s),
        **named(given, s),
    )


clip = move


def stopped_by(s: State, ends: tuple[int, ...]) -> str:
    """The bounds that stopped the move, as text; "" for none."""
    found = dict[str, str]()
    for row in ends:
        letter = "ij"[s.pair.index(row)]
        found[letter] = "0" if s.alpha[row] == 0 else "C"
    if len(found) == 2 and found["i"] == found["j"]:
        return f"both reach {found['i']}"
    return " and ".join(f"α of {{{letter}}} reaches {end}" for letter, end in found.items())


def b(given: Setting, s: State, demands: tuple[float, float]) -> Note:
    """The note of b. demands: (largest lower bound, smallest upper bound) of b, measured from the
    origin of the rows
    """
    least, most = demands
    names = given.problem.names
    shift = given.shift(s.w)
    return note(
        "{low} asks for b ≥ {least}, {high} for b ≤ {most}. b goes midway.",
        MIDWAY,
        low=Operand(names[s.pair[0]], about="i"),
        high=Operand(names[s.pair[-1]], about="j" if len(s.pair) > 1 else "i"),
        least=Operand(least - shift, "largest b asked for at least"),
        most=Operand(most - shift, "smallest b asked for at most"),
        b=Operand(s.b, "b", "b"),
    )


def rings(given: Setting) -> tuple[Fact, ...]:
    """The facts that explain the rings on the plane, with their numbers."""
    return (FREE, BOUNDED) if np.isfinite(given.p.C) else (SUPPORT,)


def ringed(given: Setting, s: State) -> dict[str, object]:
    """The operands of how many support vectors are free and how many at C."""
    bounded = len(given.bounded(s.alpha))
    free = s.support - bounded
    return {
        "free": Operand(free, about="free" if free else ""),
        "bounded": Operand(bounded, about="bounded" if bounded else ""),
    }


def tally(given: Setting, s: State) -> dict[str, object]:
    """The operands of the progress of a run."""
    return {
        **ringed(given, s),
        "errors": s.errors,
        "moves": s.moves,
        "objective": Operand(s.objective, digits=4),
        "violation": Operand(s.violation, digits=4),
        "tolerance": Operand(given.p.tolerance, digits=-1),
    }


def while_(
    given: Setting, s: State, same: bool | None = None, grows: bool = False, tired: bool = False
) -> Note:
    """The note of a finished round, or of the end of the run.

    same: whether two classes lie at one place; False: at two places that K does not tell apart
    grows: no plane separates the classes
    tired: the limit of moves is reached
    """
    if same is not None:
        return note(SAME_PLACE + WAY_OUT if same else TOO_COARSE, **named(given, s))
    if grows:
        lead = (
            "No plane separates the classes in the space of this kernel: α would grow for ever. "
            + WAY_OUT
        )
        return note(lead, Fact("Σ α by now", "{sum}"), sum=float(s.alpha.sum()))
    if tired:
        return note(TIRED, moves=s.moves, violation=Operand(s.violation, digits=4))
    lead = (
        "{moves} {moves:pair has|pairs have} moved. The largest disagreement about b is"
        " {violation}."
    )
    return note(lead, *rings(given), WRONG, DUAL, **tally(given, s))


def return_(given: Setting, s: State, blurred: bool, squared: float) -> Note:
    """The note of the finished machine.

    squared: |w|² in the lifted space
    blurred: whether the rounding of the scores can exceed the tolerance
    """
    # a cost that no multiplier reaches changes nothing
    holds = SOFT if len(given.bounded(s.alpha)) else HARD
    operands = tally(given, s)
    touching = given.touching(s) if squared > 0 and not blurred else ()
    if len(touching) and np.isinf(given.p.C):
        holds = HELD
        operands["idle"] = Operand(len(touching), about="touching")
        operands["all"] = Operand(s.support + len(touching))
    lead = BLURRED if blurred else f"No pair disagrees by more than {{tolerance}}. {holds}"
    facts: list[Fact | Formula] = [*rings(given), WRONG, DUAL]
    if len(touching):
        facts.insert(-2, TOUCHING)
        names = ", ".join(given.problem.names[k] for k in touching[:LISTED])
        more = f" and {len(touching) - LISTED} more" if len(touching) > LISTED else ""
        operands["touching"] = Operand(names + more, about="touching")
    if s.w is not None and len(s.w) <= SPELT:
        facts = [WEIGHTS, LEVEL, *facts]
        operands["w"] = Operand(settled(s.w, float(np.abs(s.w).max())), "w", "margins")
        operands["b"] = Operand(s.b, "b", "margins")
    if squared > 0:
        facts.insert(0, GAMMA)
        facts.insert(-2, WIDTH)
        operands["length"] = Operand(squared**0.5, "|w|", digits=4)
        operands["gamma"] = Operand(squared**-0.5, "margin", "margins", 4)
        operands["width"] = Operand(2 * squared**-0.5, about="margins", digits=4)
    return note(lead, *facts, **operands)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    nothing = "No multiplier has moved yet: the score is 0 everywhere."
    return explain_sum(given, s, x, "α", "score", ("alpha", "margins", "b"), True, nothing)
