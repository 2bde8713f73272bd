"""What the growth of a k-d tree says."""

from engine.algorithms.instances.kd_tree import Params, Setting, State
from engine.algorithms.instances.parts.kd import Guard
from engine.algorithms.instances.parts.kd_picture import column_name
from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, note, np
from engine.numerics.closeness import tidy

SUMMARY = (
    "Halves the examples at the lower median of one column, then each half at another, until the"
    " boxes hold one example each. The tree of the tests finds the box of a place in a few"
    " questions."
)
ERRATA = (
    (
        "AIMA 18.8.2 splits at x ≤ median until fewer than two examples are left. Identical"
        " examples would then be split for ever: here a column with one value is passed over, and a"
        " leaf keeps examples that lie at one place."
    ),
)
MEDIAN = Formula("m =", "lower median of {values}", "{median}")
MANY = Formula("m =", "value {place} of {count} in order", "{median}")
LEVEL = Formula("i =", "{level} mod {columns}", "{turn}")
SPREAD = Formula("spread =", "{high} − {low}", "{spread}")
COUNTING = Fact("columns", "counted from 0: column {turn} is {name}")
GUARDED = {
    Guard.NEXT_AXIS: "Every {name} here is {only}, so the next column {taken} is taken.",
    Guard.LOWERED: (
        "No {taken} is above the median {median}: all would go left for ever. The box is cut at"
        " {point}, the next smaller value."
    ),
    Guard.IDENTICAL: (
        "{count:|All }{count} {count:example lies|examples lie} at one place: no test can part"
        " them. One leaf keeps them."
    ),
}
_LISTED = 9  # more values are counted


def chips(p: Params) -> tuple[str, ...]:
    axis = "columns in turn" if p.axis == "cycle" else "widest column"
    leaf = "single examples in leaves" if p.leaf_size == 1 else f"leaves of {p.leaf_size}"
    return (axis, "lower median", leaf)


def start(given: Setting, s: State) -> Note:
    return note(
        "{n:|All }{n} {n:example lies|examples lie} in one box, the root of the tree.",
        n=Operand(given.problem.n, "n", "boxes"),
    )


def leaf(given: Setting, s: State) -> Note:
    rows = s.tree.rows(s.node)
    names = ", ".join(given.problem.names[i] for i in rows[:_LISTED])
    if len(rows) > _LISTED:
        names += " …"
    lead = "{count} {count:example stays|examples stay} together: {names}"
    if len(rows) == 1:
        lead = "{names} is alone"
    lead += ". The box becomes a leaf."
    return note(lead, count=len(rows), names=Operand(names, about="current"))


def axis(given: Setting, s: State) -> Note | tuple[Note, Choice]:
    if given.p.axis == "widest":
        return widest(given, s)
    lead = "Level {level} is the turn of {name}."
    return note(
        lead,
        LEVEL,
        COUNTING,
        level=Operand(int(s.tree.depth[s.node]), "level"),
        turn=Operand(s.axis, "i"),
        columns=Operand(given.problem.d, "n"),
        name=column_name(given.problem, s.axis),
    )


def widest(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the column with the largest spread."""
    problem = given.problem
    X = given.problem.X[s.tree.rows(s.node)]
    with np.errstate(over="ignore"):
        wide = np.ptp(X, axis=0)
    even = tidy(wide)  # equal up to rounding, equal here
    winners = tuple(np.flatnonzero(even == even[s.axis]).tolist())
    options = tuple(
        Option(column_name(problem, j), spread, "current", value=j)
        for j, spread in enumerate(even.tolist())
    )
    rule = "equal spread: the first column" if len(winners) > 1 else ""
    choice = Choice("Which column is spread the widest?", options, winners, s.axis, rule, "spread")
    lead = "{name} is spread the widest here."
    if len(winners) > 1:
        lead = (
            "{count} {count:column is|columns are} spread the widest here; the first of them,"
            " {name}, is taken."
        )
    values = X[:, s.axis]
    said = note(
        lead,
        SPREAD,
        count=len(winners),
        name=column_name(problem, s.axis),
        spread=float(wide[s.axis]),
        high=Operand(float(values.max()), "largest"),
        low=Operand(float(values.min()), "smallest"),
    )
    return said, choice


def median(given: Setting, s: State) -> Note:
    values = np.sort(given.problem.X[s.tree.rows(s.node), s.axis])
    name = column_name(given.problem, s.axis)
    listed = len(values) <= _LISTED
    lead = "In the order of {name} the middle of the {count} {count:example|examples} is {median}"
    lead += ": of the two middle ones the lower." if len(values) % 2 == 0 else "."
    return note(
        lead,
        MEDIAN if listed else MANY,
        name=name,
        count=len(values),
        place=(len(values) + 1) // 2,
        values=Operand(tuple(values) if listed else (), f"{name} here", "current"),
        median=Operand(s.point, "m", "cut"),
    )


def guard(given: Setting, s: State, turn: int = 0) -> Note:
    """The note of why a node is a leaf or tests another column than the rule says. turn: the column
    that has no value above its median
    """
    problem = given.problem
    why = Guard(int(s.tree.guard[s.node]))
    values = problem.X[s.tree.rows(s.node)]
    lead = " ".join(text for kind, text in GUARDED.items() if kind in why)
    return note(
        lead,
        name=column_name(problem, turn),
        only=float(values[0, turn]),
        count=len(values),
        taken=column_name(problem, max(s.axis, 0)),
        point=Operand(s.point, "m", "cut"),
        median=Operand(float(values[:, s.axis].max()), "m", "current"),
    )


def split(given: Setting, s: State) -> Note:
    tree = s.tree
    sides = [int(node) for node in (tree.left[s.node], tree.right[s.node])]
    left, right = (int(tree.stop[v] - tree.start[v]) for v in sides)
    return note(
        "{name} ≤ {point}: {left} of {count} {count:example|examples} {left:goes|go} left, {right}"
        " {right:goes|go} right.",
        name=Operand(column_name(given.problem, s.axis), about="cut"),
        point=Operand(s.point, "m", "cut"),
        left=Operand(left, about=f"node{sides[0]}"),
        right=Operand(right, about=f"node{sides[1]}"),
        count=Operand(left + right, about="current"),
    )


def done(given: Setting, s: State) -> Note:
    return note(
        "The tree is whole: {leaves} {leaves:leaf holds|leaves hold} the examples, the deepest at"
        " level {depth}.",
        leaves=s.leaves,
        depth=s.depth,
    )
