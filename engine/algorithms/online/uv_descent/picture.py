"""V above, U at the left, their product where they cross; beside it M, what is left of it, and the
entries held out.
"""

from engine.algorithms.online.uv_descent import Setting, State
from engine.authoring import Float, Int, Step, np
from engine.base.notation import subscript
from engine.base.tags import joined
from engine.scene.scene import Figure, Layer, Matrix, Points, Role, Scene, Table, TableColumn
from engine.table.dataset import Feature


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    learnt = given.learnt(s)
    errors = given.errors(s.U, s.V, learnt)
    figures: tuple[Figure, ...] = (
        product(given, step),
        grid(given, s, "Matrix M: the known entries", learnt, given.entries[learnt]),
        grid(given, s, "Errors: M − U V", learnt, errors),
        *held_out_table(given, s),
    )
    layers: tuple[Layer, ...] = ()
    if problem.plane:
        known = np.flatnonzero(~np.isnan(problem.xy).any(axis=1))
        if len(known):
            no_class = np.full(len(known), -1)
            layers = (Points(problem.xy[known], no_class, Role.SAMPLE, tag="data"),)
    return Scene(layers, figures, leads=("Factors U and V", "Matrix M"))


def product(given: Setting, step: Step[State]) -> Matrix:
    """A matrix with V above, U at the left and U V where they cross; the row, column and entry of
    the step in amber.
    """
    s = step.state
    problem = given.problem
    r = given.p.rank
    with np.errstate(all="ignore"):  # of numbers that run away
        whole = np.block([[np.full((r, r), np.nan), s.V], [s.U, s.U @ s.V]])
    active: list[tuple[int, int]] = []
    if s.current >= 0:
        row, column = s.place
        active.append((r + row, r + column))
        if step.line != "look":
            active += [(r + row, k) for k in range(r)]
            active += [(k, r + column) for k in range(r)]
    names_of_v = [f"v{subscript(k + 1)}" for k in range(r)]
    names_of_u = [f"u{subscript(k + 1)}" for k in range(r)]
    return Matrix(
        "Factors U and V: their product where they cross",
        (*names_of_v, *problem.names),
        (*names_of_u, *problem.titles),
        np.where(np.isfinite(whole), whole, np.nan),
        tuple(active),
        1,
        row_tags=(*given.factors, *problem.row_tags),
        column_tags=(*given.factors, *problem.column_tags),
    )


def grid(given: Setting, s: State, title: str, places: Int, values: Float) -> Matrix:
    """A matrix figure of numbers at some places of the table, empty elsewhere."""
    problem = given.problem
    cells = np.full(problem.X.shape, np.nan)
    cells.flat[places] = np.where(np.isfinite(values), values, np.nan)
    return Matrix(
        title,
        tuple(problem.names),
        problem.titles,
        cells,
        (s.place,) if s.current >= 0 else (),
        row_tags=tuple(problem.row_tags),
        column_tags=problem.column_tags,
    )


def held_out_table(given: Setting, s: State) -> list[Table]:
    """A table of the held-out entries with U V and the difference; [] without any."""
    if not len(s.held):
        return []
    problem = given.problem
    m = given.entries[s.held]
    e = given.errors(s.U, s.V, s.held)
    places = [divmod(place, problem.d) for place in s.held.tolist()]
    names = tuple(f"{problem.names[i]}, {problem.titles[j]}" for i, j in places)
    tags = tuple(joined(problem.row_tags[i], problem.column_tags[j]) for i, j in places)
    columns = (
        TableColumn(Feature("m"), m),
        TableColumn(Feature("u · v"), m - e),
        TableColumn(Feature("error"), e),
    )
    return [Table("Held out", columns, names, tags=tags)]
