"""What the support vector machine says: which two multipliers move, how far, what stops them, where b lies."""

from engine.algorithms.margins.svm import Params, Setting, State
from engine.algorithms.margins.svm.dual import FLAT, SMALL, Pair, Partners, equal_gains
from engine.algorithms.margins.svm.given import kernel_of
from engine.algorithms.margins.svm.picture import multiplier, part_bars
from engine.authoring import Choice, Explanation, Fact, Float, Formula, Note, Operand, Option, note, np, short
from engine.numerics.linear import signed_classes

BY_HAND = 4  # terms that a formula shows one by one
SUMMARY = (
    "Finds the boundary that keeps as far as possible from both classes. Only the examples on its margin or beyond, "
    "the support vectors, have a say. A kernel bends the boundary: it is a plane in a space of more dimensions."
)
ERRATA = (
    "AIMA 18.9 prints w = Σ α x. It is w = Σ α y x; without y the boundary of the margin set runs through a support "
    "vector.",
    "AIMA 18.9 adds b in w·x + b and subtracts it in Eq 18.14. Here it is added in both; with mixed signs all eight "
    "points of the margin set are called positive.",
    "AIMA 18.9 calls the dual convex. It is concave, and it is maximised: hence one optimum.",
    "AIMA 18.9 asks for a positive definite kernel matrix. Semidefinite is enough: eigenvalues may be 0.",
    "AIMA 18.9 says the space of the polynomial kernel grows exponentially with d. It has C(n + d, d) dimensions.",
    "MMDS 12.3.1 expects d + 1 support vectors in most cases. It is 2 to d + 1, and 2 are common for distant classes.",
    "No source gives a solver, the letter C in the dual or the rbf kernel: pairs of multipliers and rbf are extensions.",
)

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
TOO_COARSE = (
    "{i} and {j} have different classes, and the numbers of this kernel are too coarse to tell them apart. Standardise the "
    "columns."
)
SAME_PLACE = "{i} and {j} lie at the same place and have different classes, so no plane separates them: their α would grow for ever. "
TIRED = (
    "After {moves} {moves:pair|pairs} the largest disagreement is still {violation}. Scale the columns, lower C or allow a "
    "larger tolerance."
)
BLURRED = (
    "No pair seems to disagree by more than {tolerance}, but the numbers of this kernel are so large that their rounding "
    "alone may be more. Standardise the columns."
)
HARD = "This is the widest margin: only the ringed examples hold it."
SOFT = "The margin is as wide as its cost allows: one ring lies on it, two rings inside it or on the wrong side."


def chips(p: Params) -> tuple[str, ...]:
    kernel = f"rbf, γ = {short(p.gamma)}" if p.kernel == "rbf" else f"K = {kernel_of(p).text()}"
    return (kernel, "hard margin" if np.isinf(p.C) else f"◎ α = C = {short(p.C)}")


def start(given: Setting, s: State) -> Note:
    C, eigenvalue = given.p.C, given.eigenvalue()
    facts = [KERNEL, BOX, *([EIGENVALUE] if eigenvalue is not None else [])]
    box = f"from 0 to {C:g}" if np.isfinite(C) else "0 or more (hard margin)"
    said = "" if eigenvalue is None else eigenvalue
    lead = "All α are 0: the score is 0 everywhere, and no place has a class."
    return note(lead, *facts, kernel=given.kernel.text(), box=box, eigenvalue=Operand(said, digits=4))


def choose(given: Setting, s: State, pair: Pair, partners: Partners, equal: int) -> tuple[Note, Choice]:
    names, few = given.problem.names, given.problem.n <= SMALL
    how = "is the next that breaks its condition" if given.p.pair == "in turn" else "breaks its condition most"
    tied = [FIRST if few else EQUALS] if equal > 1 and given.p.pair != "in turn" else []
    told = note(
        f"{{first}} {how}. With {{second}} the most is gained: they disagree by {{violation}} about b.",
        DISAGREE,
        NEEDS,
        *tied,
        wish_i=Operand(pair.asks[0] - given.shift(s), "bᵢ", "i"),
        wish_j=Operand(pair.asks[1] - given.shift(s), "bⱼ", "j"),
        violation=Operand(pair.violation),
        equal=equal,
        first=Operand(names[pair.first], about=tag_of(pair.first, pair)),
        second=Operand(names[pair.second], about=tag_of(pair.second, pair)),
        **named(given, pair),
    )
    winners, chosen = equal_gains(partners), [row for row, _ in partners].index(pair.second)
    options = tuple(Option(names[k], gain**2 / 2, tag_of(k, pair), value=k) for k, gain in partners)
    equal_gain = "the first in the table" if few else "whichever rounding leaves ahead"
    rule = f"equal gain: {equal_gain}" if len(winners) > 1 else ""
    return told, Choice(f"Which partner moves with {names[pair.first]}?", options, winners, chosen, rule, "gain")


def tag_of(row: int, pair: Pair) -> str:
    return {pair.i: "i", pair.j: "j"}.get(row, "")


def named(given: Setting, pair: Pair) -> dict[str, Operand]:
    return {letter: Operand(given.problem.names[row], about=letter) for letter, row in (("i", pair.i), ("j", pair.j))}


def move(given: Setting, s: State, pair: Pair, ends: tuple[int, ...], was: tuple[float, float]) -> Note:
    """After the move: how far, what stopped it. ends: which of both came to an end of [0, C]; was: b, violation before."""
    sign, rows = given.sign, [pair.i, pair.j]
    up_i, up_j = sign[pair.i] > 0, sign[pair.j] < 0  # β = y α of i rises, of j falls
    (Kii, Kij), (_, Kjj) = given.kernel.matrix(given.X[rows], given.X[rows]).tolist()
    (ai, aj), (ai_after, aj_after) = s.before, s.alpha[rows].tolist()
    limits = stopped_by(s, pair, ends)
    stop = f" until {limits}." if pair.clipped and limits else " until they agree."
    if up_i == up_j:
        together = "Their α rise together" if up_i else "Their α fall together"
    else:
        together = "α of {i} rises as α of {j} falls" if up_i else "α of {j} rises as α of {i} falls"
    apart = Kii + Kjj - 2 * Kij
    flat = apart <= FLAT * given.kernel.diagonal(given.X).max()  # the kernel puts both at the same place
    return note(
        "{i} and {j} disagree by {violation} about b. " + together + stop,
        RISE, OTHER, *((CLIP,) if pair.clipped else ()), DISTANCE, B, VIOLATION, *rings(given), APART,
        violation=Operand(pair.violation, "(bᵢ − bⱼ)"), apart=Operand(apart, "d²"), Kij=Operand(Kij, "K(i, j)"),
        Kii=Operand(Kii, "K(i, i)", "i"), Kjj=Operand(Kjj, "K(j, j)", "j"),
        best=Operand(np.inf if flat else pair.best, "t"), room=Operand(pair.room, "room in the box"), t=Operand(pair.t, "t"),
        ai=Operand(ai, multiplier(given.problem, pair.i), "i"), si="+" if up_i else "−",
        aj=Operand(aj, multiplier(given.problem, pair.j), "j"), sj="+" if up_j else "−",
        ai_after=Operand(ai_after, about="i"), aj_after=Operand(aj_after, about="j"),
        b=Operand(s.b, "b", "b"), b_before=was[0], violation_before=was[1], violation_after=s.violation,
        **ringed(given, s), **named(given, pair),
    )  # fmt: skip


clip = move


def stopped_by(s: State, pair: Pair, ends: tuple[int, ...]) -> str:
    """Who came to an end of [0, C], in words; '' for nobody."""
    found = [(tag_of(k, pair), "0" if s.alpha[k] == 0 else "C") for k in ends]
    if len(found) == 2 and found[0][1] == found[1][1]:
        return f"both reach {found[0][1]}"
    return " and ".join(f"α of {{{letter}}} reaches {end}" for letter, end in found)


def b(given: Setting, s: State, demands: tuple[float, float]) -> Note:
    """demands: the largest b that is asked for at least, the smallest at most, as from the origin of the rows."""
    least, most = (demand - given.shift(s) for demand in demands)
    low, high = s.pair[0], s.pair[-1]
    return note(
        "{low} asks for b ≥ {least}, {high} for b ≤ {most}. b goes midway.",
        MIDWAY,
        low=Operand(given.problem.names[low], about="i"),
        high=Operand(given.problem.names[high], about="j" if len(s.pair) > 1 else "i"),
        least=Operand(least, "largest b asked for at least"),
        most=Operand(most, "smallest b asked for at most"),
        b=Operand(s.b, "b", "b"),
    )


def rings(given: Setting) -> tuple[Fact, ...]:
    """What the rings on the plane mean, with their numbers."""
    return (FREE, BOUNDED) if np.isfinite(given.p.C) else (SUPPORT,)


def ringed(given: Setting, s: State) -> dict[str, object]:
    bounded = len(given.bounded(s.alpha))
    counts = (("free", s.support - bounded), ("bounded", bounded))
    return {name: Operand(count, about=name if count else "") for name, count in counts}


def tally(given: Setting, s: State) -> dict[str, object]:
    return {
        **ringed(given, s), "errors": s.errors, "moves": s.moves,
        "objective": Operand(s.objective, digits=4), "violation": Operand(s.violation, digits=4),
        "tolerance": Operand(given.p.tolerance, digits=-1),
    }  # fmt: skip


def while_(given: Setting, s: State, same: bool | None = None, grows: bool = False, tired: bool = False) -> Note:
    """A round is over, or the run. same: two classes lie at one place, or False: at two that the numbers of the kernel make
    one; grows: no plane separates the classes; tired: so many pairs have moved."""
    if same is not None:
        names = {letter: Operand(given.problem.names[k], about=letter) for letter, k in zip("ij", s.pair, strict=True)}
        return note(SAME_PLACE + WAY_OUT if same else TOO_COARSE, **names)
    if grows:
        lead = "No plane separates the classes in the space of this kernel: α would grow for ever. " + WAY_OUT
        return note(lead, Fact("Σ α by now", "{sum}"), sum=float(s.alpha.sum()))
    if tired:
        return note(TIRED, moves=s.moves, violation=Operand(s.violation, digits=4))
    lead = "{moves} {moves:pair has|pairs have} moved. The largest disagreement about b is {violation}."
    return note(lead, *rings(given), WRONG, DUAL, **tally(given, s))


def return_(given: Setting, s: State, blurred: bool, squared: float) -> Note:
    """squared: |w|² in the lifted space; blurred: the rounding of the scores may be larger than the tolerance."""
    hard = np.isinf(given.p.C)
    lead = BLURRED if blurred else "No pair disagrees by more than {tolerance}. " + (HARD if hard else SOFT)
    formulas = (GAMMA,) if squared > 0 else ()
    gamma = squared**-0.5 if squared > 0 else 0.0
    numbers = {"length": Operand(squared**0.5, "|w|", digits=4), "gamma": Operand(gamma, "margin", "margins", 4)}
    return note(lead, *formulas, *rings(given), WRONG, DUAL, **tally(given, s), **numbers)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The score Σ α y K(x, ·) + b term by term: each support vector pulls to its own class."""
    problem, score, rows = given.problem, float(given.score(s, x[None])[0]), np.flatnonzero(s.alpha)
    near = given.kernel.matrix(x[None], problem.X[rows])[0]
    label = int(signed_classes(np.asarray(score)))
    if not len(rows):
        return Explanation(label, note("No multiplier has moved yet: the score is 0 everywhere."))
    few = len(rows) <= BY_HAND
    body = " + ".join(f"{{a{k}}} · {{y{k}}} · {{K{k}}}" for k in range(len(rows))) + " + {b}" if few else "{sum} + {b}"
    operands: dict[str, Operand] = {}
    for k, row in enumerate(rows.tolist() if few else ()):
        operands[f"a{k}"] = Operand(float(s.alpha[row]), multiplier(problem, row), "alpha")
        operands[f"y{k}"] = Operand("(+1)" if given.sign[row] > 0 else "(−1)", "y")
        operands[f"K{k}"] = Operand(float(near[k]), f"K({problem.names[row]}, x)")
    told = note(
        "The score is {score}: this is called {name}." if label >= 0 else "The score is 0: this is on the boundary.",
        Formula("score =", body, "{score}"),
        score=Operand(score, "score", "margins"),
        name=problem.class_text(label) if label >= 0 else "on the boundary",
        b=Operand(s.b, "b", "b"),
        sum=Operand(score - s.b, "Σ α y K"),
        **operands,
    )
    return Explanation(label, told, part_bars(problem, rows, s.alpha[rows] * given.sign[rows] * near, s.b))
