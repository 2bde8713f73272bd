"""The cases in the colours of what the majority says; how many err, counted beside the law; the
error against K.
"""

from engine.algorithms.ensembles.majority_vote import Setting, State
from engine.authoring import Int, Step, frozen, np, replace
from engine.core.dataset import Feature, Kind
from engine.core.scene import (
    Bars,
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
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs

COLUMNS = 9  # members whose answers have a column
FURTHEST = 15  # members on the axis, or as many as there are


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    said, votes = answers(given, s)
    figures = (count_bars(given, s), error_plot(given, s), case_table(given, s, said, votes))
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = [data_points(problem, said)]
    if s.current >= 0:
        layers.append(active_point(problem, s.current, said))
    return Scene(tuple(layers), figures)


def answers(given: Setting, s: State) -> tuple[Int, Int]:
    """(what the majority said of each row (n,) when it was asked last, −1 before or without one;
    the votes (K, n), −1 too).
    """
    votes = np.full((given.p.members, given.problem.n), -1)
    for case in range(max(0, len(s.votes) - len(given.rows)), len(s.votes)):
        votes[:, given.row(case)] = s.votes[case]
    seconds = np.count_nonzero(votes == 1, axis=0)
    firsts = np.count_nonzero(votes == 0, axis=0)
    return np.where(firsts == seconds, -1, (seconds > firsts).astype(np.intp)), votes


def count_bars(given: Setting, s: State) -> Bars:
    """In what share of the cases so many members err, with a tick where the law has it; a wrong
    majority in amber.
    """
    K = given.p.members
    shares = s.counts / max(s.asked, 1)
    roles = tuple(Role.ACTIVE if 2 * i > K else Role.PLAIN for i in range(K + 1))
    names = tuple(f"{i} err" if i != 1 else "1 errs" for i in range(K + 1))
    return Bars(
        "How many err: expected shares as ticks",
        names,
        frozen(shares),
        roles,
        frozen(given.law),
        unit="of the cases",
        digits=4,
        tag="counts",
        beside=True,
    )


def error_plot(given: Setting, s: State) -> Plot:
    """The sum for as many members as one likes, odd numbers of them, beside one member alone; what
    was counted at K.
    """
    p, copying = given.p, given.copying
    sizes = np.arange(1, max(FURTHEST, p.members) + 1, 2)
    lines = [
        ("formula", copying, Role.BOUNDARY, "by the sum"),
        *[("independent", 0.0, Role.MARGIN, "independent")] * (copying > 0),
    ]
    layers: list[Layer] = [
        Polyline(
            frozen([[1.0, p.error], [float(sizes[-1]), p.error]]),
            Role.GHOST,
            tag="member",
            label="one member",
        )
    ]
    for tag, shared, role, label in lines:
        errs = [majority_errs(counts_law(int(K), p.error, shared)) for K in sizes]
        layers.append(Polyline(frozen(np.column_stack([sizes, errs])), role, tag=tag, label=label))
    if s.asked:
        here = frozen([[float(p.members), s.errors / s.asked]])
        layers.append(Points(here, np.array([-1]), Role.ACTIVE, label=("counted",), tag="errors"))
    top = 1.1 * max(p.error, given.errs, s.errors / max(s.asked, 1), 0.05)
    return Plot(
        "Error by members", "members K", "error", tuple(layers), y_range=(0.0, min(top, 1.05))
    )


def case_table(given: Setting, s: State, said: Int, votes: Int) -> Table:
    """The rows, each by its class, with what the members and the majority say of them."""
    problem = given.problem
    table = data_table(problem, current=looked_at(s), tag="current")
    columns = [(f"h{k + 1}", votes[k]) for k in range(min(len(votes), COLUMNS))] + [
        ("majority", said)
    ]
    added = (
        TableColumn(
            Feature(name, Kind.CATEGORICAL, problem.classes), np.where(codes < 0, np.nan, codes)
        )
        for name, codes in columns
    )
    return replace(table, columns=(table.columns[-1], *added))
