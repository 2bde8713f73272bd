"""The cases in the colours of what the majority says; how many err, counted beside the law; the
error against K.
"""

from engine.algorithms.ensembles.majority_vote import Setting, State
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs
from engine.authoring import Float, Int, Step, frozen, np, replace
from engine.base.notation import subscript
from engine.scene.scene import (
    Bars,
    Boxes,
    Labels,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.table.dataset import Feature, Kind

COLUMNS = 9  # members whose answers have a column
ROWS = 12  # cases with a row of votes
GAP = 1.4  # from the members to their majority, and from that to how many err
MOST_NAMED = 9  # members that all have a name
FURTHEST = 15  # members on the axis, or as many as there are


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    said, votes = answers(given, s)
    figures = (
        vote_plot(given, s, step.line),
        count_bars(given, s, step.line),
        error_plot(given, s),
        case_table(given, s, said, votes),
    )
    leads = ("How many err", "Votes")
    if not problem.plane:
        return Scene((), figures, leads=leads)
    layers: list[Layer] = [data_points(problem, said)]
    if s.current >= 0:
        layers.append(active_point(problem, s.current, said))
    return Scene(tuple(layers), figures, leads=leads)


def vote_plot(given: Setting, s: State, line: str) -> Plot:
    """A row for each case, in pages of `ROWS`: what each member and the majority say, crossed where
    it is wrong, and how many err; cases to come are hollow. In amber the members that answer, or
    the majority with how many err.
    """
    K = given.p.members
    tallied = len(s.votes)
    now = s.current >= 0
    last = tallied if line == "case" else tallied - 1  # the case that the step is about
    first = max(0, last) // ROWS * ROWS
    first = min(first, (given.cases - 1) // ROWS * ROWS)
    cases = range(first, min(first + ROWS, given.cases))
    rows = [given.row(case) for case in cases]
    y = -np.arange(len(rows), dtype=float)
    codes = given.problem.codes[rows]
    votes = np.array([s.votes[case] if case < tallied else np.full(K, -1) for case in cases])
    x = np.arange(1.0, K + 1)
    places = np.column_stack([np.tile(x, len(rows)), np.repeat(y, K)])
    members = Points(places, np.repeat(codes, K), Role.POINT, votes.ravel(), tag="votes")
    firsts, seconds = (np.count_nonzero(votes == code, axis=1) for code in (0, 1))
    majority = np.where(firsts == seconds, -1, np.where(seconds > firsts, 1, 0))
    at = np.column_stack([np.full(len(rows), K + GAP), y])
    layers: list[Layer] = []
    if line == "ask":
        majority = np.where(np.arange(first, first + len(rows)) == last, -1, majority)
    if now and last in cases:
        height = -float(last - first)
        ends = {"ask": (0.4, K + 0.6), "vote": (K + GAP - 0.5, K + 2 * GAP + 0.6)}
        left, right = ends.get(line, (0.4, K + 2 * GAP + 0.6))
        box = frozen([[left, height - 0.45, right, height + 0.45]])
        layers.append(Boxes(box, np.array([-1]), Role.ACTIVE, tag="current"))
    if not now and tallied > first:  # the tally counts what the majority said
        column = frozen([[K + GAP - 0.45, first - tallied + 0.55, K + GAP + 0.45, 0.45]])
        layers.append(Boxes(column, np.array([-1]), Role.ACTIVE, tag="majority"))
    layers += [members, Points(at, codes, Role.POINT, majority, tag="majority")]
    layers.append(err_labels(votes, codes, K + 2 * GAP, y, min(tallied, cases.stop) - first))
    first_class, second_class = (given.problem.class_text(code) for code in (0, 1))
    ticks = [(float(k), f"h{subscript(k)}") for k in range(1, K + 1, 1 + K // MOST_NAMED)]
    return Plot(
        f"Votes: ● {first_class}, ■ {second_class}, × wrong",
        "",
        "",
        tuple(layers),
        beside=True,
        x_range=(0.2, K + 2 * GAP + 0.8),
        y_range=(-ROWS + 0.4, 0.6),
        small=K > MOST_NAMED,
        x_ticks=(*ticks, (K + GAP, "most"), (K + 2 * GAP, "err")),
        y_ticks=tuple(
            (float(at), given.problem.names[row]) for at, row in zip(y, rows, strict=True)
        ),
    )


def err_labels(votes: Int, codes: Int, x: float, y: Float, count: int) -> Labels:
    """How many members err in each of the first `count` cases, at x."""
    errs = np.count_nonzero(votes != codes[:, None], axis=1)[:count]
    return Labels(
        np.column_stack([np.full(count, x), y[:count]]),
        tuple(map(str, errs.tolist())),
        tag="counts",
    )


def answers(given: Setting, s: State) -> tuple[Int, Int]:
    """((n,) the last vote of the majority on each row, (K, n) the votes).

    −1 before its first vote, and where there is no majority.
    """
    votes = np.full((given.p.members, given.problem.n), -1)
    count = len(s.votes)
    for case in range(max(0, count - len(given.rows)), count):
        votes[:, given.row(case)] = s.votes[case]
    firsts = np.count_nonzero(votes == 0, axis=0)
    seconds = np.count_nonzero(votes == 1, axis=0)
    majority = np.where(seconds > firsts, 1, 0)
    return np.where(firsts == seconds, -1, majority), votes


def heading(given: Setting, s: State, line: str) -> str:
    """What happens at a line, in a few words."""
    K = given.p.members
    if line == "start":
        return f"by the sum, ✗ the majority in {percent(given.errs)}"
    if s.current < 0:
        return f"the majority in {s.errors} of {s.tallied}, by the sum {percent(given.errs)}"
    name = given.problem.names[s.current]
    if line == "case":
        return f"case {s.tallied + 1} is {name}"
    wrong = given.wrong(s)
    if line == "ask":
        return f"{wrong} of {K} about {name}"
    said = (
        "no majority" if 2 * wrong == K else "majority wrong" if 2 * wrong > K else "majority right"
    )
    return f"{wrong} of {K} about {name}, {said}"


def percent(share: float) -> str:
    """A share as text in per cent: whole, "20 %", or with two decimals below 10 %."""
    digits = 2 if 0 < share < 0.1 else 0
    return f"{100 * share:.{digits}f} %"


def count_bars(given: Setting, s: State, line: str) -> Bars:
    """Bars of the share of cases in which i members err, ticked where the law has it, ✗ where the
    majority is wrong; before the first case the law itself. In amber where this case is counted, or
    all that the majority gets wrong.
    """
    K = given.p.members
    i = np.arange(K + 1)
    by_law = not s.tallied
    lit = (i > K / 2) & (line in ("start", "tally"))
    if line == "vote":
        lit = i == given.wrong(s)
    return Bars(
        f"How many err: {heading(given, s, line)}",
        tuple(f"{k} wrong{' ✗' if k > K / 2 else ''}" for k in i.tolist()),
        frozen(given.law if by_law else s.counts / s.tallied),
        tuple(Role.ACTIVE if here else Role.PLAIN for here in lit.tolist()),
        None if by_law else frozen(given.law),
        unit="of the cases",
        digits=4,
        tag="counts",
        beside=True,
        ticks="" if by_law else "expected by the sum",
        checked=False,
    )


def error_plot(given: Setting, s: State) -> Plot:
    """A plot of the majority's error by the formula over odd numbers of members, with the error of
    one member and the count at K.
    """
    p = given.p
    sizes = np.arange(1, max(FURTHEST, p.members) + 1, 2)
    alone = frozen([[1.0, p.error], [float(sizes[-1]), p.error]])
    layers: list[Layer] = [Polyline(alone, Role.GHOST, tag="member", label="one member")]
    by_sum = error_curve(sizes, p.error, given.copying)
    layers.append(Polyline(by_sum, Role.BOUNDARY, tag="formula", label="by the sum"))
    if given.copying:
        independent = error_curve(sizes, p.error, 0.0)
        layers.append(Polyline(independent, Role.MARGIN, tag="independent", label="independent"))
    counted = s.errors / max(s.tallied, 1)
    if s.tallied:
        here = frozen([[float(p.members), counted]])
        layers.append(Points(here, np.array([-1]), Role.ACTIVE, label=("counted",), tag="errors"))
    top = min(1.1 * max(p.error, given.errs, counted, 0.05), 1.05)
    return Plot("Error by members", "members K", "error", tuple(layers), y_range=(0.0, top))


def error_curve(sizes: Int, p: float, copying: float) -> Float:
    """(m, 2) numbers of members, and the chance that their majority errs."""
    errs = [majority_errs(counts_law(K, p, copying)) for K in sizes.tolist()]
    return frozen(np.column_stack([sizes, errs]))


def case_table(given: Setting, s: State, said: Int, votes: Int) -> Table:
    """The rows with their class and the answers of the members and the majority. said: (n,); votes:
    of the members
    """
    problem = given.problem
    table = data_table(problem, current=looked_at(s), tag="current")
    columns = [class_column(given, f"h{k + 1}", votes[k]) for k in range(min(len(votes), COLUMNS))]
    columns.append(class_column(given, "majority", said))
    return replace(table, columns=(table.columns[-1], *columns))


def class_column(given: Setting, name: str, codes: Int) -> TableColumn:
    """A column of class codes (n,), −1 shown as missing."""
    feature = Feature(name, Kind.CATEGORICAL, given.problem.classes)
    return TableColumn(feature, np.where(codes < 0, np.nan, codes))
