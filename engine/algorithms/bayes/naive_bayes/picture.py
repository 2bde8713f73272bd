"""Tables and bars: shares, products, votes, and the weights of the linear rule they make.

MIT 2.5.3-2.5.29.
"""

from collections.abc import Sequence
from functools import partial

from engine.algorithms.bayes.naive_bayes import S, Setting, State, model, predict
from engine.algorithms.bayes.naive_bayes.products import Products
from engine.algorithms.bayes.naive_bayes.reading import bias_of, linear, sizes, texts, value_name
from engine.authoring import Float, Grid, Step, np, replace
from engine.base.notation import value_text
from engine.base.tags import class_tag, class_tags
from engine.numerics.boolean import squares
from engine.scene import boolean
from engine.scene.boolean import SHOWN_COLUMNS, map_figures
from engine.scene.figures import text_column
from engine.scene.scene import Bars, Figure, Role, Scene, Table, data_table

LISTED = 60  # values in the table of shares


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class of every place."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    shown = boolean.scene(given.problem, model(given, s), figures(given, s))
    if given.problem.plane or boolean.has_map(given.problem):
        return shown
    if linear(given):
        return replace(shown, leads=("Votes", "Shares R"))
    return replace(shown, leads=("Shares R", "Products")) if s.used or asked(given, s) else shown


def asked(given: Setting, s: State) -> bool:
    """Whether the query has come and no factor is multiplied yet."""
    return len(s.R) == given.problem.d and s.column < 0 and not s.used


def figures(given: Setting, s: State) -> tuple[Figure, ...]:
    """The figures beside the plane.

    While it counts, the shares above the examples; at the query, the shares above the map of all
    answers, if there is one.
    """
    problem = given.problem
    known = len(s.R)
    roles = {problem.features[s.column].name: Role.ACTIVE} if s.column >= 0 else {}
    examples = data_table(problem, roles=roles, tag="rows")
    if not known:
        return (replace(examples, title=classes_title(given)) if s.column < 0 else examples,)
    figures: list[Figure] = [share_table(given, s)]
    counting = known < problem.d or (s.column >= 0 and not s.used)
    votes = (vote_bars(given, s),) if s.used or linear(given) else ()
    if counting:
        return (*figures, examples, *votes)
    figures += map_figures(problem, (), model(given, s), query=s.query) or (examples,)
    if s.used or asked(given, s):
        figures.append(score_bars(given, s))
    figures += votes
    if linear(given):
        figures.append(weight_bars(given, s))
    return tuple(figures)


def classes_title(given: Setting) -> str:
    """The title of the examples that says how many each class has."""
    counts = zip(map(given.problem.class_text, (0, 1)), (given.P, given.N), strict=True)
    return "Examples: " + ", ".join(f"{len(rows)} of class {name}" for name, rows in counts)


def share_table(given: Setting, s: State) -> Table:
    """The table of R for every value counted so far; the values of the query are active."""
    pairs = [(j, v) for j, column in enumerate(s.R) for v in range(len(column) - 1, -1, -1)]
    pairs = pairs[:LISTED] if s.column < len(s.R) // 2 else pairs[-LISTED:]
    counting = not s.used and not asked(given, s)
    active = np.asarray([counting or s.query[j] == v for j, v in pairs])
    current = tuple(k for k, (j, v) in enumerate(pairs) if j == s.column and active[k])
    names = tuple(value_name(given.problem, j, v) for j, v in pairs)
    columns = [text_column("value", names)]
    for c in (0, 1):
        head = f"share in class {given.problem.class_text(c)}"
        column = text_column(head, [value_text(s.R[j][v][c]) for j, v in pairs])
        columns.append(replace(column, tag=class_tag(c)))
    return Table(
        "Shares R: of a value in each class",
        tuple(columns),
        names,
        active=active,
        current=current,
        tag="column",
        tags=tuple(given.problem.column_tags[j] for j, _ in pairs),
    )


def score_bars(given: Setting, s: State) -> Bars:
    """Bars of S(+) and S(−), the larger one highlighted."""
    first, second = S(given, s)
    shown, _ = texts(given, s)
    values, unit = sizes(given, s)
    labels = tuple(
        f"S({given.problem.class_text(c)}) = {value_text(text)}" for c, text in enumerate(shown)
    )
    if first == second:
        roles = (Role.GHOST, Role.GHOST)
    elif first > second:
        roles = (Role.ACTIVE, Role.PLAIN)
    else:
        roles = (Role.PLAIN, Role.ACTIVE)
    title = "Products" if unit == "S" else "Products: each as part of the larger"
    group = np.arange(2)
    return Bars(title, labels, np.asarray(values), roles, group=group, digits=4, tags=class_tags(2))


def vote_bars(given: Setting, s: State) -> Bars:
    """Bars of ln R(x, first class) − ln R(x, second class) of each column: the sign votes for a
    class, the length is its weight.

    At a query of its values, with their sum first, which decides, and no bars before a factor is
    multiplied; before it of the value that counts as 1.
    """
    asking = asked(given, s)
    known = s.used or len(s.R)
    columns = range(max(0, known - SHOWN_COLUMNS), known)
    x = s.query if s.used or asking else s.ones
    shares = np.array([[float(share) for share in s.R[j][int(x[j])]] for j in columns])
    with np.errstate(divide="ignore", invalid="ignore"):
        votes = np.subtract(*np.log(shares).T)
    votes[(shares == 0).all(1)] = 0.0
    names = [
        value_name(given.problem, j, x[j]) + ("" if np.isfinite(vote) else " (veto)")
        for j, vote in zip(columns, votes.tolist(), strict=True)
    ]
    title = "Votes: for class {} to the right, for class {} to the left".format(
        *map(given.problem.class_text, (0, 1))
    )
    if s.column >= 0:
        title += f"; column {s.column + 1} of {given.problem.d}"
    bars = signed_bars(given, s, columns, title, tuple(names), votes, "column")
    if not s.used and not asking:
        return bars
    factors = Products(s.query[None], given.begin, "fractions").times(*s.R[: s.used])
    most = 1 + float(np.nanmax(np.abs(bars.values), initial=1.0))  # longer than an infinite vote
    total = float(np.nan_to_num(factors.log_odds(), posinf=most, neginf=-most)[0])
    name = "sum so far" if asking or s.column >= 0 else "sum"
    if asking:  # no vote is counted yet
        title = "Votes: the query is asked, both classes begin with their prior"
        title = title if given.p.prior else "Votes: the query is asked, both classes begin with 1"
        bars = replace(bars, title=title, values=np.full(len(columns), np.nan))
    return replace(
        bars,
        checked=not asking and s.column < 0,
        labels=(f"{name}, with the class prior" if given.p.prior else name, *bars.labels),
        values=np.array([total, *bars.values]),
        roles=(Role.PLAIN if s.column >= 0 else Role.ACTIVE, *bars.roles),
        group=np.append(np.intp(total < 0), np.where(bars.values >= 0, 0, 1)),
        tags=("", *bars.tags),
    )


def weight_bars(given: Setting, s: State) -> Bars:
    """Bars of the linear rule: the vote of x = 1 in each column, largest first, then the bias. MIT
    2.5.22, 2.5.29.
    """
    problem = given.problem
    weights = s.weights
    largest = np.argsort(-np.abs(np.nan_to_num(weights)), kind="stable")[:SHOWN_COLUMNS]
    order = largest[np.argsort(-np.nan_to_num(weights[largest]), kind="stable")].tolist()
    names = (*(value_name(problem, j, s.ones[j]) for j in order), "bias")
    right, left = problem.class_text(0), problem.class_text(1)
    title = f"Weights: for class {right} to the right, for class {left} to the left"
    values = np.append(weights[order], bias_of(given, s))
    return signed_bars(given, s, order, title, names, values, "weights")


def signed_bars(
    given: Setting,
    s: State,
    columns: Sequence[int],
    title: str,
    names: tuple[str, ...],
    votes: Float,
    tag: str,
) -> Bars:
    """Votes of these columns as bars; an infinite vote is the longest bar, an undefined one has
    none.
    """
    rest = len(votes) - len(columns)  # what is no column's: the bias
    marked = [Role.ACTIVE if j == s.column else Role.PLAIN for j in columns]
    roles = (*marked, *[Role.PLAIN] * rest)
    tags = (*[given.problem.column_tags[j] for j in columns], *[""] * rest)
    largest = 1 + float(np.abs(votes[np.isfinite(votes)]).max(initial=1.0))
    values = np.nan_to_num(votes, nan=0.0, posinf=largest, neginf=-largest)
    values = np.clip(values, -largest, largest)
    group = np.where(values >= 0, 0, 1)
    return Bars(title, names, values, roles, group=group, tag=tag, tags=tags, checked=False)
