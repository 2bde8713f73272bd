"""What tiling says. AIMA 18.7.5."""

from engine.algorithms.networks.parts.figures import unit_tag, weighted_sum
from engine.algorithms.networks.tiling import Params, Setting, State
from engine.algorithms.networks.tiling.picture import unit_names
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
)
from engine.base.notation import counted
from engine.base.tags import joined

SUMMARY = (
    "Starts with one unit that gets as many examples right as it can. Units are added that part the"
    " tiles in which both classes are left, only as many as needed; a further layer says which"
    " tiles belong together."
)
ERRATA = (
    (
        "AIMA 18.7.5 prints no equations. The lab's: each unit learns by the pocket algorithm;"
        " units of one layer part its tiles; the next layer's first unit is right at least where"
        " the last one's was, and in one tile more."
    ),
)
WRONG = Fact("wrong points", "{errors}")
UNITS = Fact("units", "{units}")
RIGHT = Fact("right of its examples", "{right} of {of}")
TIE = "of tiles alike the first by the answers of the units"
ENDS = {
    "clean": " Fewer cannot be, for equal rows have one answer: the end.",
    "worse": " The layer makes it worse and goes again: the end.",
    "full": " No more units are allowed.",
}


def chips(p: Params) -> tuple[str, ...]:
    return (f"at most {counted(p.units, 'unit')}", "h = 1 where in ≥ 0")


def init(given: Setting, s: State) -> Note:
    lead = (
        "One unit with w = 0: in is 0 everywhere, so it fires everywhere and calls all examples"
        " {name}."
    )
    return note(lead, WRONG, name=given.problem.class_text(0), **shared_operands(s))


def learn(given: Setting, s: State) -> Note:
    """The note of better weights of the last unit, which are kept in its pocket."""
    lead = "{unit} gets {right} of {of} right: the best so far. These weights go into the pocket."
    return note(lead, Formula("w =", "{w}"), w=_weights(s), **shared_operands(s))


def first(given: Setting, s: State) -> Note:
    lead = (
        "{unit} has learnt from {of:the|all} {of} {of:example|examples}. The threshold moves to the"
        " middle of the gap."
    )
    return note(lead, Formula("w =", "{w}"), RIGHT, WRONG, w=_weights(s), **shared_operands(s))


def until(given: Setting, s: State, was: float, now: int, ends: Sequence[str]) -> Note:
    held_out = " held-out" if given.p.stop == "more wrong held out" else ""
    wrong = f"{{now}}{held_out} {{now:example is|examples are}} wrong."
    if not now and "clean" in ends:
        lead = "No example is wrong: the end."
    elif ends:
        lead = wrong + "".join(ENDS[end] for end in ends)
    else:
        lead = wrong + " Units are added."
    return note(lead, WRONG, UNITS, now=now, **shared_operands(s))


def tile(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the tile with most examples of the rarer class, for which a unit is
    added.
    """
    problem = given.problem
    mixed = given.mixed(s)
    k = next(k for k, tile in enumerate(mixed) if np.array_equal(tile.rows, s.group))
    a, b = mixed[k].counts
    lead = (
        "{mixed} {mixed:tile has|tiles have} examples of both classes. Tile {name} is next: {n} of"
        " class {one}, {m} of class {other}."
    )
    said = note(
        lead,
        UNITS,
        mixed=len(mixed),
        name=Operand(mixed[k].name, about="group"),
        n=a,
        m=b,
        one=problem.class_text(0),
        other=problem.class_text(1),
        **shared_operands(s),
    )
    options = []
    for one in mixed:
        rows = joined(*problem.tags_of(one.rows))
        options.append(Option(f"tile {one.name}", float(min(one.counts)), rows, value=one.code))
    rarer = [min(one.counts) for one in mixed]
    winners = tuple(k for k, count in enumerate(rarer) if count == rarer[0])
    question = "Which tile gets the next unit?"
    rarer_class = "of the rarer class"
    return said, Choice(question, tuple(options), winners, 0, TIE, rarer_class, digits=0)


def part(given: Setting, s: State) -> Note:
    lead = "{unit} parts the tile: {right} of its {of} {of:example|examples} right."
    return note(lead, Formula("w =", "{w}"), UNITS, w=_weights(s), **shared_operands(s))


def layer(given: Setting, s: State) -> Note:
    lead = (
        "The units are the inputs of a new layer. {unit} begins as a copy of the first of them, but"
        " for the tile in which that is wrong most often: {errors} {errors:example is|examples are}"
        " wrong."
    )
    return note(lead, Formula("w =", "{w}"), UNITS, w=_weights(s), **shared_operands(s))


def shared_operands(s: State) -> dict[str, Operand]:
    """The operands that several notes share; `unit` is the last unit."""
    number = s.weights[-1].shape[1] - 1
    unit = Operand(unit_names(s)[-1][-1], about=unit_tag(len(s.weights), number))
    return {
        "errors": Operand(s.errors),
        "units": Operand(s.units),
        "right": Operand(s.right),
        "of": Operand(len(s.group)),
        "unit": unit,
    }


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,), with the output unit as a sum over the units before it."""
    label = int(given.predict(s, x[None])[0])
    w = s.weights[-1][:, 0]
    names = unit_names(s)
    before = given.forward(s.weights, x)[-2]
    body, used = weighted_sum(w, before, (*names[-2], "1"), (len(s.weights) - 1, 0), "")
    side = "at least 0" if label == 0 else "less than 0"
    lead = f"This is called {{label}}: in of {{unit}} is {side}."
    unit = Operand(names[-1][0], about=unit_tag(len(s.weights), 0))
    total = Operand(float(before @ w[:-1] + w[-1]), "in", digits=3)
    said = note(
        lead,
        Formula("in =", body, "{total}"),
        **used,
        label=given.problem.class_text(label),
        unit=unit,
        total=total,
    )
    return Explanation(label, said)


def _weights(s: State) -> Operand:
    """w of the last unit."""
    last = s.weights[-1]
    return Operand(last[:, -1], "w", unit_tag(len(s.weights), last.shape[1] - 1))
