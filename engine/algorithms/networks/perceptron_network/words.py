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
from engine.core.notation import counted, fixed, listed
from engine.core.step import verbatim
from engine.numerics.activations import logistic, threshold
from engine.pictures.mistakes import weights_of

MOST_UNITS = 4  # that a note spells out
SUMMARY = (
    "Every output unit sees all inputs and learns its own target, as if it were alone. Of the"
    " two-bit adder the carry is learnt, because a line divides it; the sum is not, and its unit"
    " goes round in a circle."
)
ERRATA = ("AIMA Fig 18.20(b) has two output units; its caption speaks of one.",)
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


def init(given: Setting, s: State) -> Note:
    names = given.told.names
    count = "One output unit" if len(names) == 1 else counted(len(names), "output unit")
    lead = "{count}: {names}. All weights start at 0. No unit looks at another."
    if given.p.rate is not None or given.threshold:
        return note(lead, count=count, names=listed(names))
    taken = Operand(given.rate, "α", digits=-1)
    lead += SMALL * (given.rate < DEFAULT)
    return note(lead, TAKEN, count=count, names=listed(names), taken=taken)


def round(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def take(given: Setting, s: State) -> Note:
    """The example is taken; what each unit should say of it."""
    told = given.told
    row = s.current
    answers = ("not known" if np.isnan(y) else fixed(y, 0) for y in told.Y[row, :MOST_UNITS])
    wanted = {f"y{j}": answer for j, answer in enumerate(answers)}
    said = ", ".join(f"{verbatim(told.names[j])} {{y{j}}}" for j in range(len(wanted)))
    return note(f"Look at {{point}}. It should give {said}.", point=_point(given, s), **wanted)


def fire(given: Setting, s: State) -> Note:
    """Every unit answers."""
    problem = given.problem
    told = given.told
    said = answers(given, s)
    formulas = list[Formula]()
    operands = dict[str, Operand]()
    names = [*(f.title for f in problem.features), "1"]
    g = threshold if given.threshold else logistic
    for j in range(min(len(told.names), MOST_UNITS)):
        body, used = weighted_sum(s.W[:, j], problem.X[s.current], names, (0, j), f"_{j}")
        formulas.append(Formula(f"h({verbatim(told.names[j])}) =", f"g({body})", f"{{h{j}}}", g))
        operands |= {**used, f"h{j}": Operand(float(said[j]), "h", unit_tag(1, j))}
    wrong = [j for j in range(len(told.names)) if given.errs(s, j)]
    found = (
        f"{{wrong}} {'is' if len(wrong) == 1 else 'are'} wrong."
        if wrong
        else "every unit is right."
    )
    who = _names(told, wrong) if wrong else ""
    return note("{point}: " + found, *formulas, **operands, point=_point(given, s), wrong=who)


def update(given: Setting, s: State, broken: bool = False) -> Note:
    """A unit learns from the example; broken: a weight left all bounds in this round."""
    if broken:
        return note(DIVERGED, rate=Operand(given.rate, "α", digits=-1))
    j = s.unit
    told = given.told
    lead = (
        "Mistake at {point}: {unit} should be {y}."
        if given.errs(s, j)
        else "{unit} learns from {point}."
    )
    w, after = (Operand(W[:, j], "w", unit_tag(1, j)) for W in (s.before, s.W))
    y, h = Operand(float(told.Y[s.current, j]), "y"), Operand(float(answers(given, s)[j]), "h")
    return note(
        lead,
        UPDATES[given.p.unit],
        Fact(f"examples that {verbatim(told.names[j])} gets wrong", "{wrong}"),
        point=_point(given, s),
        unit=Operand(told.names[j], about=unit_tag(1, j)),
        w=w,
        after=after,
        y=y,
        h=h,
        rate=Operand(given.rate, "α", digits=-1),
        x=Operand(given.X[s.current], "x", "current"),
        wrong=s.wrong[j],
    )


def until(
    given: Setting, s: State, learnt: Sequence[int], cycles: Mapping[int, int], done: bool
) -> Note:
    """The round is over. learnt: units right on every example for the first time; cycles: {unit:
    round}.
    """
    told = given.told
    counts = ", ".join(
        f"{verbatim(name)} {{wrong{j}}}" for j, name in enumerate(told.names[:MOST_UNITS])
    )
    lead = [f"Round {{round}} is over. Wrong examples: {counts}."]
    are = "is" if len(learnt) == 1 else "are"
    lead += [f"{_names(told, learnt)} {are} learnt: right on every example."] if learnt else []
    circle = "{unit} has {weights} again: it will go on in this circle for ever."
    lead += [
        circle.format(unit=verbatim(told.names[j]), weights=weights_of(k))
        for j, k in list(cycles.items())[:2]
    ]
    lead += ["No unit changed: none will ever change again."] * done
    return note(
        " ".join(lead), round=s.round, **{f"wrong{j}": count for j, count in enumerate(s.wrong)}
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why this label: in of the unit that decides, term by term."""
    problem = given.problem
    W = given.own(s)
    label = int(given.predict(s, x[None])[0])
    inputs = x @ W[:-1] + W[-1]
    j = int(inputs.argmax())
    body, used = weighted_sum(W[:, j], x, [*(f.title for f in problem.features), "1"], (0, j), "")
    alone = "in is at least 0." if label == 0 else "in is less than 0."
    lead = "This is called {label}: " + (
        "its unit has the largest in." if len(inputs) > 1 else alone
    )
    told = Operand(problem.class_text(label))
    return Explanation(
        label,
        note(lead, Formula("in =", body, "{total}"), **used, label=told, total=float(inputs[j])),
    )


def _names(told: Outputs, units: Sequence[int]) -> str:
    *first, last = (told.names[j] for j in units)
    return f"{', '.join(first)} and {last}" if first else last


def _point(given: Setting, s: State) -> Operand:
    return Operand(given.problem.names[s.current], about="current")
