"""What output units should say: the target's class, or a column aside. AIMA 18.7.2."""

from engine.authoring import Float, Problem, Record, np
from engine.table.dataset import Column, Feature


class Outputs(Record):
    """What each output unit should say.

    names: of the m units
    Y: (n, m) 1 or 0, NaN where not known
    own: how many units, the first ones, tell the target's class
    """

    names: tuple[str, ...]
    Y: Float
    own: int


def outputs_for(problem: Problem, further: bool, each: bool = False) -> Outputs:
    """One unit for two classes, one for each of several.

    each: one for each class, also of two; further: also one for every column aside of 0/1 or of a
    pair.
    """
    codes = range(own_units(problem, each))
    title = problem.target.title if problem.target is not None else "y"
    names = [title] if len(codes) == 1 else [problem.class_text(code) for code in codes]
    known = np.where(problem.labelled, 1.0, np.nan)
    columns = [known * (problem.codes == code) for code in codes]
    for column in problem.aside if further else ():
        values = ones(column)
        if values is not None:
            names.append(column.feature.title)
            columns.append(values)
    return Outputs(tuple(map(_without_braces, names)), np.column_stack(columns), len(codes))


def _without_braces(name: str) -> str:
    """Names become parts of templates, in which braces have a meaning."""
    return name.replace("{", "(").replace("}", ")")


def own_units(problem: Problem, each: bool = False) -> int:
    """The number of output units for the target's class. each: one for each class, also of two"""
    return len(problem.classes) if each or len(problem.classes) > 2 else 1


def ones(column: Column) -> Float | None:
    """(n,) a column as 0 and 1, NaN where missing; None where it has more than two values."""
    values = column.values
    gaps = np.isnan(column.values)
    if column.feature.numeric:
        pair = set(values[~gaps].tolist()) == {0.0, 1.0}
        return values if pair else None
    if len(column.feature.categories) != 2:
        return None
    return np.where(gaps, np.nan, values == positive_code(column.feature))


def positive_code(feature: Feature) -> int:
    """The code of the category that means 1: the second of False, True and of 0, 1, else the
    first.
    """
    return 1 if feature.categories in ((False, True), (0, 1)) else 0
