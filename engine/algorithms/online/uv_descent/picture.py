"""V above, U at the left, their product where they cross; beside it M, what is left of it, and the
entries held out.
"""

from engine.algorithms.online.uv_descent import Setting, State
from engine.authoring import Float, Int, Step, np
from engine.core.dataset import Feature
from engine.core.notation import subscript
from engine.core.scene import Matrix, Points, Role, Scene, Table, TableColumn
from engine.core.tags import joined


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    left = given.errors(s.U, s.V, learnt := given.learnt(s))
    figures = [
        product(given, step),
        grid(given, s, "Matrix M: the known entries", learnt, given.entries[learnt]),
    ]
    figures.append(grid(given, s, "Errors: M − U V", learnt, left))
    drawn = (
        np.flatnonzero(~np.isnan(given.problem.xy).any(axis=1))
        if given.problem.plane
        else np.zeros(0, np.intp)
    )
    rows = Points(given.problem.xy[drawn], np.full(len(drawn), -1), Role.SAMPLE, tag="data")
    return Scene(
        (rows,) if len(drawn) else (),
        (*figures, *held_table(given, s)),
        leads=("Factors U and V", "Matrix M"),
    )


def product(given: Setting, step: Step[State]) -> Matrix:
    """The row of U, the column of V and the entry that a step speaks of are in amber."""
    s = step.state
    problem = given.problem
    r = given.p.rank
    with np.errstate(all="ignore"):
        whole = np.block([[np.full((r, r), np.nan), s.V], [s.U, s.U @ s.V]])
    i, j = (r + at for at in s.place)
    factors = (
        () if step.line == "look" else (*((i, k) for k in range(r)), *((k, j) for k in range(r)))
    )
    active = ((i, j), *factors) if s.current >= 0 else ()
    named = (tuple(f"{letter}{subscript(k + 1)}" for k in range(r)) for letter in "vu")
    rows = (*next(named), *problem.names)
    columns = (*next(named), *problem.titles)
    return Matrix(
        "Factors U and V: their product where they cross",
        rows,
        columns,
        np.where(np.isfinite(whole), whole, np.nan),
        active,
        1,
        row_tags=(*given.factors, *problem.row_tags),
        column_tags=(*given.factors, *problem.column_tags),
    )


def grid(given: Setting, s: State, title: str, places: Int, values: Float) -> Matrix:
    """Numbers at some places of the table, the rest left empty."""
    problem = given.problem
    cells = np.full(given.problem.X.shape, np.nan)
    cells.flat[places] = np.where(np.isfinite(values), values, np.nan)
    at = (s.place,) if s.current >= 0 else ()
    names, tags = tuple(problem.names), tuple(problem.row_tags)
    return Matrix(
        title, names, problem.titles, cells, at, row_tags=tags, column_tags=problem.column_tags
    )


def held_table(given: Setting, s: State) -> list[Table]:
    """Each held-out entry, what U V says of it, and the difference."""
    problem = given.problem
    m = given.entries[s.held]
    e = given.errors(s.U, s.V, s.held)
    at = [divmod(place, problem.d) for place in s.held.tolist()]
    names = tuple(f"{problem.names[i]}, {problem.titles[j]}" for i, j in at)
    tags = tuple(joined(problem.row_tags[i], problem.column_tags[j]) for i, j in at)
    columns = tuple(
        TableColumn(Feature(name), values)
        for name, values in (("m", m), ("u · v", m - e), ("error", e))
    )
    return [Table("Held out", columns, names, tags=tags)] if at else []
