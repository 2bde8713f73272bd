"""The new columns as rows, 0 or 1 for every example, pale once they are dropped; the map of the
inputs; the examples.
"""

from engine.algorithms.rules.k_cnf import Setting, State, model, predict
from engine.algorithms.rules.k_cnf.words import clause_text
from engine.algorithms.rules.k_cnf.clauses import true
from engine.algorithms.rules.parts.boxfigures import stream_table
from engine.authoring import Role, Scene, Step, Table, frozen, np
from engine.numerics.boolean import squares
from engine.pictures import boolean
from engine.pictures.boolean import map_figures
from engine.pictures.text_columns import text_column

FIELDS = {
    "class": lambda given, s, grid: squares(given.problem, grid, lambda X: predict(given, s, X))
}
ROWS, COLUMNS = 60, 12  # of the table of clauses: those that S still has first where there are more


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    inputs = map_figures(problem, [], model(given, s))
    unseen = given.stream[s.seen + (step.line == "take") :]
    figures = (*inputs, clause_table(given, s), stream_table(problem, unseen, s.current))
    return boolean.scene(problem, model(given, s), figures)


def clause_table(given: Setting, s: State) -> Table:
    """What every clause is on the examples, of many on the one that is looked at; those that go now
    in amber.
    """
    problem = given.problem
    chosen = np.arange(len(s.S))
    if len(chosen) > ROWS:
        chosen = np.argsort(~s.before, kind="stable")[:ROWS]
    rows = range(problem.n) if problem.n <= COLUMNS else [s.current] * (s.current >= 0)
    clauses = given.clauses[chosen]
    names = tuple(clause_text(problem, clause) for clause in clauses)
    columns = [text_column("clause", names)]
    for i in rows:
        values = ["1" if v else "0" for v in true(given.X[[i]], clauses)[0]]
        title = f"{problem.names[i]}: {problem.class_text(int(problem.codes[i]))}"
        columns.append(text_column(title, values, Role.ACTIVE if i == s.current else Role.PLAIN))
    gone = np.flatnonzero((s.before & ~s.S)[chosen])
    title = "New columns: pale once dropped" + (
        f", {ROWS} of {len(s.S)}" if len(s.S) > ROWS else ""
    )
    return Table(
        title,
        tuple(columns),
        names,
        active=frozen(s.S[chosen]),
        current=tuple(gone.tolist()),
        tag="S",
        tags=("S",) * len(names),
    )
