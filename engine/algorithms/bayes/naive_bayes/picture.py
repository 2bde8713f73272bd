"""Tables and bars: shares, products, votes, and the weights of the linear rule they make.

MIT 2.5.3-2.5.29.
"""

from collections.abc import Iterable

from engine.algorithms.bayes.naive_bayes import S, Setting, State, model, predict
from engine.algorithms.bayes.naive_bayes.reading import bias_of, linear, sizes, texts, value_name
from engine.authoring import Float, Step, np, replace
from engine.core.notation import value_text
from engine.core.scene import Bars, Figure, Role, Scene, Table, data_table
from engine.core.tags import class_tag, class_tags
from engine.numerics.boolean import squares
from engine.pictures import boolean
from engine.pictures.boolean import SHOWN_COLUMNS, map_figures
from engine.pictures.text_columns import text_column

LISTED = 60  # values in the table of shares
FIELDS = {
    "class": lambda given, s, grid: squares(given.problem, grid, lambda X: predict(given, s, X))
}


def scene(given: Setting, step: Step[State]) -> Scene:
    return boolean.scene(given.problem, model(given, step.state), figures(given, step.state))


def figures(given: Setting, s: State) -> tuple[Figure, ...]:
    """While it counts: the shares above the examples.

    At the query: the shares above the map of all answers, if there is one.
    """
    problem = given.problem
    known = len(s.R)
    roles = {problem.features[s.column].name: Role.ACTIVE} if s.column >= 0 else {}
    examples = data_table(problem, roles=roles, tag="rows")
    if not known:
        return (examples,)
    shown: list[Figure] = [share_table(given, s)]
    if known < problem.d or (s.column >= 0 and not s.used):
        return (*shown, examples)
    shown += map_figures(problem, (), model(given, s), asked=s.query) or (examples,)
    shown += [score_bars(given, s), vote_bars(given, s)] if s.used else []
    return (*shown, *([weight_bars(given, s)] if linear(given) else []))


def share_table(given: Setting, s: State) -> Table:
    """R for every value counted so far; the values of the query are in play."""
    pairs = [(j, v) for j, column in enumerate(s.R) for v in range(len(column) - 1, -1, -1)]
    pairs = pairs[:LISTED] if s.column < len(s.R) // 2 else pairs[-LISTED:]
    active = np.asarray([not s.used or s.query[j] == v for j, v in pairs])
    current = tuple(k for k, (j, v) in enumerate(pairs) if j == s.column and active[k])
    names = tuple(value_name(given.problem, j, v) for j, v in pairs)
    columns = [text_column("value", names)]
    tags = tuple(given.problem.column_tags[j] for j, _ in pairs)
    for c in (0, 1):
        head = f"share in class {given.problem.class_text(c)}"
        columns.append(
            replace(
                text_column(head, [value_text(s.R[j][v][c]) for j, v in pairs]), tag=class_tag(c)
            )
        )
    title = "Shares R: of a value in each class"
    return Table(title, tuple(columns), names, None, active, current, tag="column", tags=tags)


def score_bars(given: Setting, s: State) -> Bars:
    first, second = S(given, s)
    shown, _ = texts(given, s)
    values, unit = sizes(given, s)
    labels = tuple(
        f"S({given.problem.class_text(c)}) = {value_text(text)}" for c, text in enumerate(shown)
    )
    larger = (first > second, second > first)
    roles = tuple(
        Role.GHOST if first == second else Role.ACTIVE if lit else Role.PLAIN for lit in larger
    )
    title = "Products" if unit == "S" else "Products: each as part of the larger"
    return Bars(
        title, labels, np.asarray(values), roles, group=np.arange(2), digits=4, tags=class_tags(2)
    )


def vote_bars(given: Setting, s: State) -> Bars:
    """ln R(x, first class) − ln R(x, second class) of each column: its sign is the class, its size
    the importance.
    """
    shares = np.array(
        [[float(r) for r in s.R[j][int(s.query[j])]] for j in range(min(s.used, SHOWN_COLUMNS))]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        votes = np.subtract(*np.log(shares).T)
    votes[(shares == 0).all(1)] = 0.0
    ends = ["" if np.isfinite(v) else " (veto)" for v in votes]
    names = tuple(value_name(given.problem, j, s.query[j]) + end for j, end in enumerate(ends))
    return signed_bars(given, s, range(len(votes)), "Votes", names, votes, "column")


def weight_bars(given: Setting, s: State) -> Bars:
    """The linear rule of the counts: the vote of x = 1 in each column, largest first, and the bias.

    MIT 2.5.22, 2.5.29.
    """
    problem = given.problem
    weights = s.weights
    largest = np.argsort(-np.abs(np.nan_to_num(weights)), kind="stable")[:SHOWN_COLUMNS]
    order = largest[np.argsort(-np.nan_to_num(weights[largest]), kind="stable")].tolist()
    names = (*(value_name(problem, j, s.ones[j]) for j in order), "bias")
    title = "Weights: for class {} to the right, for class {} to the left".format(
        *map(problem.class_text, (0, 1))
    )
    values = np.append(weights[order], bias_of(given, s))
    return signed_bars(given, s, order, title, names, values, "weights")


def signed_bars(
    given: Setting,
    s: State,
    columns: Iterable[int],
    title: str,
    names: tuple[str, ...],
    votes: Float,
    tag: str,
) -> Bars:
    """Votes of these columns as bars: one without end is longer than all others, one that is
    undefined is none.
    """
    tags = (
        *(own := [given.problem.column_tags[j] for j in columns]),
        *[""] * (len(votes) - len(own)),
    )
    marked = [Role.ACTIVE if j == s.column else Role.PLAIN for j in columns]
    # what is no column's, the bias, stays pale
    roles = (*marked, *[Role.GHOST] * (len(votes) - len(marked)))
    largest = 1 + float(np.abs(votes[np.isfinite(votes)]).max(initial=1.0))
    values = np.clip(
        np.nan_to_num(votes, nan=0.0, posinf=largest, neginf=-largest), -largest, largest
    )
    return Bars(title, names, values, roles, group=np.where(values >= 0, 0, 1), tag=tag, tags=tags)
