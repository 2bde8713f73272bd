"""The new columns as rows, 0 or 1 for every example, pale once they are dropped; the map of the
inputs; the examples.
"""

from functools import partial

from engine.algorithms.rules.k_cnf import Setting, State, model, predict
from engine.algorithms.rules.k_cnf.clauses import true
from engine.algorithms.rules.k_cnf.words import clause_text
from engine.algorithms.rules.parts.boxfigures import stream_table
from engine.authoring import Float, Grid, Int, Role, Scene, Step, Table, frozen, np, replace
from engine.numerics.boolean import squares
from engine.scene import boolean
from engine.scene.boolean import map_figures
from engine.scene.figures import text_column

ROWS = 60  # of the table of clauses: those that S still has first where there are more
COLUMNS = 12


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class by S at every place of the grid."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    inputs = map_figures(problem, [], model(given, s))
    taken = s.seen + (step.line == "take")
    examples = stream_table(problem, given.stream[taken:], s.current)
    figures = (*inputs, clause_table(given, s, step.line == "make"), examples)
    shown = boolean.scene(problem, model(given, s), figures)
    if inputs or shown.layers or problem.n <= COLUMNS:
        return shown
    return replace(shown, leads=("New columns",))  # it has the examples that matter


def left_at(given: Setting, begun: list[int], clauses: Int) -> list[str]:
    """For each clause the name of the first positive at which it is 0 and leaves S; “–” while it
    is in S. begun: the positives taken so far
    """
    names = ["–"] * len(clauses)
    for row in reversed(begun):  # the first one last
        for clause in np.flatnonzero(~true(given.X[[row]], clauses)[0]).tolist():
            names[clause] = given.problem.names[row]
    return names


def clause_table(given: Setting, s: State, making: bool) -> Table:
    """A table of the clauses' values on the examples, of many clauses on the current one; removed
    ones in amber. making: the clauses are made, and there is no S yet
    """
    problem = given.problem
    chosen = np.arange(len(s.S))
    if len(chosen) > ROWS:
        chosen = np.argsort(~s.before, kind="stable")[:ROWS]
    clauses = given.clauses[chosen]
    names = tuple(clause_text(problem, clause) for clause in clauses)
    columns = [text_column("clause", names)]
    if not making:
        columns.append(text_column("in S", ["✓" if own else "" for own in s.S[chosen].tolist()]))
    rows = list(range(problem.n))
    if problem.n > COLUMNS:  # the positives so far, which alone make clauses leave
        begun = [row for row in given.stream[: s.seen].tolist() if given.positive(row)]
        rows = begun[-COLUMNS:]
        if s.current >= 0 and s.current not in rows:
            rows.append(s.current)
        if not making:
            columns.append(text_column("left S at", left_at(given, begun, clauses)))
    for i in rows:
        values = ["1" if v else "0" for v in true(given.X[[i]], clauses)[0]]
        title = f"{problem.names[i]}: {problem.class_text(int(problem.codes[i]))}"
        columns.append(text_column(title, values, Role.ACTIVE if i == s.current else Role.PLAIN))
    dropped = np.flatnonzero((s.before & ~s.S)[chosen])
    title = "New columns: pale once dropped"
    if len(s.S) > ROWS:
        title += f", {ROWS} of {len(s.S)}"
    return Table(
        title,
        tuple(columns),
        names,
        active=None if making else frozen(s.S[chosen]),
        current=tuple(dropped.tolist()),
        tag="S",
        tags=("S",) * len(names),
    )
