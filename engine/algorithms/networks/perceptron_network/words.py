"""What a layer of independent units says. AIMA 18.7.2."""

from engine.algorithms.networks.parts.figures import unit_tag, weighted_sum
from engine.algorithms.networks.parts.outputs import Outputs
from engine.algorithms.networks.perceptron_network import Params, Setting, State
from engine.algorithms.networks.perceptron_network.layer import DEFAULT
from engine.algorithms.networks.perceptron_network.picture import answers
from engine.authoring import (
    Explanation,
    Fact,
    Float,
    Formula,
    Mapping,
    Note,
    Operand,
    Sequence,
    note,
    np,
    short,
)
from engine.base.notation import counted, fixed, listed
from engine.numerics.activations import logistic, threshold
from engine.protocol.step import verbatim
from engine.scene.mistakes import weights_of

MOST_UNITS = 4  # that a note spells out
MOST_CIRCLES = 2
CIRCLE = "{unit} has {weights} again: it will go on in this circle for ever."
SUMMARY = (
    "Every output unit sees all inputs and learns its own target, as if it were alone. Of the"
    " two-bit adder the carry is learnt, because a line divides it; the sum is not, and its unit"
    " goes round in a circle."
)
ERRATA = (
    "AIMA Fig 18.20(b) has two output units; its caption speaks of one.",
    (
        "AIMA 18.7.2 gives the majority function w[i] = 1 and w[0] = −n/2. That is right for odd n;"
        " for even n a unit that fires at in ≥ 0 also fires at a draw."
    ),
)
BEGUN = {
    "zero": "All weights start at 0.",
    "as set": "The weights start as set.",
    "majority": "Each input counts 1, and the bias is −n/2 = {bias}.",
}
UPDATES = {
    "threshold": Formula("w ←", "{w} + {rate}·({y} − {h})·{x}", "{after}"),
    "sigmoid": Formula("w ←", "{w} + {rate}·({y} − {h})·{h}·(1 − {h})·{x}", "{after}"),
}
TAKEN = Fact("α, by the size of the columns", "{taken}")
SMALL = (
    " With columns of this size longer steps would overshoot. If the weights of smaller columns"
    " hardly move at this rate, standardise the columns in the data panel."
)
DIVERGED = (
    "Diverged: a weight left all bounds, because the rate α = {rate} is too large for these"
    " numbers. Take a smaller rate, or standardise the columns in the data panel."
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"{p.unit} units", f"α {short(p.rate)}" if p.rate else "α automatic")


def wording(p: Params) -> Mapping[str, str]:
    """The text of the pseudo-code's line "init" for these weights; {} to keep the page's own."""
    lines = {"as set": "w[i,j] ← start weights", "majority": "w[i] ← 1, w[0] ← −n/2"}
    return {"init": lines[p.begin]} if p.begin in lines else {}


def init(given: Setting, s: State) -> Note:
    names = given.targets.names
    count = "One output unit" if len(names) == 1 else counted(len(names), "output unit")
    begun = BEGUN[given.p.begin]
    lead = f"{{count}}: {{names}}. {begun} No unit looks at another."
    bias = Operand(float(s.W[-1, 0]), "−n/2", digits=-1)
    if given.p.begin == "majority":
        lead += " {errors} of {n} {n:row|rows} {errors:is|are} wrong before anything is learnt."
    errors = {"errors": s.errors, "n": given.problem.n, "bias": bias}
    if given.p.rate is not None or given.threshold:
        return note(lead, count=count, names=listed(names), **errors)
    taken = Operand(given.rate, "α", digits=-1)
    if given.rate < DEFAULT:
        lead += SMALL
    return note(lead, TAKEN, count=count, names=listed(names), taken=taken, **errors)


def round(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def take(given: Setting, s: State) -> Note:
    """The note of the current example and the targets of the units."""
    targets = given.targets
    row = s.current
    answers = ("not known" if np.isnan(y) else fixed(y, 0) for y in targets.Y[row, :MOST_UNITS])
    wanted = {f"y{j}": answer for j, answer in enumerate(answers)}
    said = ", ".join(f"{verbatim(targets.names[j])} {{y{j}}}" for j in range(len(wanted)))
    return note(f"Look at {{point}}. It should give {said}.", point=_point(given, s), **wanted)


def fire(given: Setting, s: State) -> Note:
    """The note of the units' outputs."""
    problem = given.problem
    targets = given.targets
    said = answers(given, s)
    formulas = list[Formula]()
    operands = dict[str, Operand]()
    columns = [*(f.title for f in problem.features), "1"]
    g = threshold if given.threshold else logistic
    for j in range(min(len(targets.names), MOST_UNITS)):
        body, used = weighted_sum(s.W[:, j], problem.X[s.current], columns, (0, j), f"_{j}")
        formulas.append(Formula(f"h({verbatim(targets.names[j])}) =", f"g({body})", f"{{h{j}}}", g))
        operands |= used
        operands[f"h{j}"] = Operand(float(said[j]), "h", unit_tag(1, j))
    wrong = [j for j in range(len(targets.names)) if given.errs(s, j)]
    if not wrong:
        lead = "{point}: every unit is right."
    elif len(wrong) == 1:
        lead = "{point}: {wrong} is wrong."
    else:
        lead = "{point}: {wrong} are wrong."
    names = _names(targets, wrong) if wrong else ""
    return note(lead, *formulas, **operands, point=_point(given, s), wrong=names)


def update(given: Setting, s: State, broken: bool = False) -> Note:
    """The note of a unit's update. broken: whether a weight diverged in this round"""
    if broken:
        return note(DIVERGED, rate=Operand(given.rate, "α", digits=-1))
    j = s.unit
    targets = given.targets
    lead = "{unit} learns from {point}."
    if given.errs(s, j):
        lead = "Mistake at {point}: {unit} should be {y}."
    return note(
        lead,
        UPDATES[given.p.unit],
        Fact(f"examples that {verbatim(targets.names[j])} gets wrong", "{wrong}"),
        point=_point(given, s),
        unit=Operand(targets.names[j], about=unit_tag(1, j)),
        w=Operand(s.before[:, j], "w", unit_tag(1, j)),
        after=Operand(s.W[:, j], "w", unit_tag(1, j)),
        y=Operand(float(targets.Y[s.current, j]), "y"),
        h=Operand(float(answers(given, s)[j]), "h"),
        rate=Operand(given.rate, "α", digits=-1),
        x=Operand(given.X[s.current], "x", "current"),
        wrong=s.wrong[j],
    )


def until(
    given: Setting, s: State, learnt: Sequence[int], cycles: Mapping[int, int], done: bool
) -> Note:
    """The note of a round's end.

    learnt: units right on every example for the first time
    cycles: {unit: round at which it had the same weights}
    """
    targets = given.targets
    shown = enumerate(targets.names[:MOST_UNITS])
    counts = ", ".join(f"{verbatim(name)} {{wrong{j}}}" for j, name in shown)
    lead = [f"Round {{round}} is over. Wrong examples: {counts}."]
    if learnt:
        are = "is" if len(learnt) == 1 else "are"
        lead.append(f"{_names(targets, learnt)} {are} learnt: right on every example.")
    for j, previous in list(cycles.items())[:MOST_CIRCLES]:
        lead.append(CIRCLE.format(unit=verbatim(targets.names[j]), weights=weights_of(previous)))
    if done:
        lead.append("No unit changed: none will ever change again.")
    wrong = {f"wrong{j}": count for j, count in enumerate(s.wrong)}
    return note(" ".join(lead), round=s.round, **wrong)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,), with in of the deciding unit term by term."""
    problem = given.problem
    W = given.own(s)
    label = int(given.predict(s, x[None])[0])
    inputs = x @ W[:-1] + W[-1]
    j = int(inputs.argmax())
    body, used = weighted_sum(W[:, j], x, [*(f.title for f in problem.features), "1"], (0, j), "")
    if len(inputs) > 1:
        lead = "This is called {label}: its unit has the largest in."
    elif label == 0:
        lead = "This is called {label}: in is at least 0."
    else:
        lead = "This is called {label}: in is less than 0."
    formula = Formula("in =", body, "{total}")
    name = Operand(problem.class_text(label))
    return Explanation(label, note(lead, formula, **used, label=name, total=float(inputs[j])))


def _names(targets: Outputs, units: Sequence[int]) -> str:
    *first, last = (targets.names[j] for j in units)
    return f"{', '.join(first)} and {last}" if first else last


def _point(given: Setting, s: State) -> Operand:
    return Operand(given.problem.names[s.current], about="current")
