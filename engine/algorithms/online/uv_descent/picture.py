"""V above, U at the left, their product where they cross; beside it M, what is left of it, and the entries held out."""

from engine.algorithms.online.uv_descent import Setting, State
from engine.algorithms.online.uv_descent.entries import factor_tag
from engine.authoring import Float, Int, Step, np
from engine.core.dataset import Feature
from engine.core.notation import subscript
from engine.core.scene import Matrix, Points, Role, Scene, Table, TableColumn
from engine.core.tags import joined

PRODUCT, KNOWN = "U and V: their product where they cross", "M: the known entries"


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    left = given.errors(s.U, s.V, learnt := given.learnt(s))
    figures = [product(given, step), grid(given, s, KNOWN, learnt, given.entries[learnt])]
    figures.append(grid(given, s, "Errors: M − U V", learnt, left))
    drawn = np.flatnonzero(~np.isnan(given.problem.xy).any(axis=1)) if given.problem.plane else np.zeros(0, np.intp)
    rows = Points(given.problem.xy[drawn], np.full(len(drawn), -1), Role.SAMPLE, tag="data")
    return Scene((rows,) if len(drawn) else (), (*figures, *held_table(given, s)), leads=("U and V", "M"))


def product(given: Setting, step: Step[State]) -> Matrix:
    """The row of U, the column of V and the entry that a step speaks of are in amber."""
    s, problem, r = step.state, given.problem, given.p.rank
    with np.errstate(all="ignore"):
        whole = np.block([[np.full((r, r), np.nan), s.V], [s.U, s.U @ s.V]])
    active: list[tuple[int, int]] = []
    if s.current >= 0:
        i, j = (r + at for at in divmod(s.current, problem.d))
        active = [(i, j), *([] if step.line == "look" else [*((i, k) for k in range(r)), *((k, j) for k in range(r))])]
    tags = tuple(map(factor_tag, range(r)))
    named = (tuple(f"{letter}{subscript(k + 1)}" for k in range(r)) for letter in "vu")
    rows, columns = (*next(named), *problem.names), (*next(named), *(f.title for f in problem.features))
    return Matrix(
        PRODUCT, rows, columns, np.where(np.isfinite(whole), whole, np.nan), tuple(active), 1,
        row_tags=(*tags, *problem.row_tags), column_tags=(*tags, *problem.column_tags),
    )  # fmt: skip


def grid(given: Setting, s: State, title: str, places: Int, values: Float) -> Matrix:
    """Numbers at some places of the table, the rest left empty."""
    problem, cells = given.problem, np.full(given.problem.X.size, np.nan)
    cells[places] = np.where(np.isfinite(values), values, np.nan)
    return Matrix(
        title, problem.names, tuple(f.title for f in problem.features), cells.reshape(problem.X.shape),
        (divmod(s.current, problem.d),) if s.current >= 0 else (),
        row_tags=problem.row_tags, column_tags=problem.column_tags,
    )  # fmt: skip


def held_table(given: Setting, s: State) -> list[Table]:
    """Each held-out entry, what U V says of it, and the difference."""
    problem, m, e = given.problem, given.entries[s.held], given.errors(s.U, s.V, s.held)
    at = [divmod(place, problem.d) for place in s.held.tolist()]
    names = tuple(f"{problem.names[i]}, {problem.features[j].title}" for i, j in at)
    tags = tuple(joined(problem.row_tags[i], problem.column_tags[j]) for i, j in at)
    columns = tuple(TableColumn(Feature(name), values) for name, values in (("m", m), ("u · v", m - e), ("error", e)))
    return [Table("Held out", columns, names, tags=tags)] if at else []
