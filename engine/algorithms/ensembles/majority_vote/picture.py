"""The cases in the colours of what the majority says; how many err, counted beside the law; the
error against K.
"""

from engine.algorithms.ensembles.majority_vote import Setting, State
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs
from engine.authoring import Float, Int, Step, frozen, np, replace
from engine.scene.scene import (
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
from engine.table.dataset import Feature, Kind

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


def count_bars(given: Setting, s: State) -> Bars:
    """Bars of the share of cases in which i members err, ticked where the law has it, amber where
    the majority is wrong.
    """
    K = given.p.members
    shares = s.counts / max(s.tallied, 1)
    roles = tuple(Role.ACTIVE if i > K / 2 else Role.PLAIN for i in range(K + 1))
    names = tuple("1 errs" if i == 1 else f"{i} err" for i in range(K + 1))
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
