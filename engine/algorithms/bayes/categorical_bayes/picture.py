"""The table of each column by classes, the product of the query as chances, the examples."""

from functools import partial

from engine.algorithms.bayes.categorical_bayes import S, Setting, State, predict
from engine.algorithms.bayes.categorical_bayes.words import value_text
from engine.algorithms.bayes.parts.classes import priors_title, step_bars
from engine.authoring import Float, Grid, Step, np, replace
from engine.base.tags import class_tags
from engine.numerics.boolean import squares
from engine.scene import boolean
from engine.scene.scene import Figure, Matrix, Role, Scene, data_table

LISTED = 40  # values in the table of shares


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class of every place."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    roles = {problem.features[s.column].name: Role.ACTIVE} if s.column >= 0 else {}
    figures: list[Figure] = []
    if s.tables:
        asking = step.line in ("query", "factor", "answer")
        figures.append(share_matrix(given, s, asking))
        before = S(given, replace(s, used=max(0, s.used - 1)))
        figures.append(step_bars(given, step.line, S(given, s), before, s.used, problem.d))
    title = priors_title(given, "Examples") if step.line == "prior" else "Examples"
    figures.append(data_table(problem, title=title, roles=roles, tag="rows"))
    shown = boolean.scene(problem, partial(predict, given, s), tuple(figures))
    if problem.plane:
        return shown
    leads = ("Shares", "Chances") if s.tables else ("Examples",)
    return Scene((), tuple(figures), leads=leads)


def share_matrix(given: Setting, s: State, asking: bool) -> Matrix:
    """P(a|v): a row for each value counted so far, or for each value of the query, active where it
    is multiplied; a column for each class.
    """
    pairs = [(j, v) for j, table in enumerate(s.tables) for v in range(len(table))]
    if asking:
        pairs = [(j, v) for j, v in pairs if s.query[j] == v]
    pairs = pairs[-LISTED:] if s.column > len(s.tables) // 2 else pairs[:LISTED]
    rows = np.array([s.tables[j][v] for j, v in pairs])

    def lit(j: int, v: int) -> bool:
        return j == s.column and (not s.used or s.query[j] == v)

    active = tuple(
        (row, c) for row, (j, v) in enumerate(pairs) if lit(j, v) for c in range(given.k)
    )
    return Matrix(
        "Shares: P(a|v) of the query’s values" if asking else "Shares: P(a|v)",
        tuple(value_text(given, j, v) for j, v in pairs),
        given.problem.class_names,
        rows,
        active,
        digits=3,
        x_label="class v",
        row_tags=tuple(
            "factor" if j == s.column else given.problem.column_tags[j] for j, _ in pairs
        ),
        column_tags=class_tags(given.k),
    )
