"""1R: the one column whose values alone give the fewest wrong classes.

Source: R. C. Holte, Very simple classification rules perform well on most commonly used datasets,
Machine Learning 11 (1993).

Look at it in the lab:  uv run main.py --algorithms examples/methods
"""

import engine
from engine.authoring import (
    Algorithm,
    Bars,
    Choice,
    Curve,
    Explanation,
    Int,
    Needs,
    Option,
    Record,
    Scene,
    Task,
    data_table,
    frozen,
    note,
    np,
    replace,
)

SUMMARY = (
    "For each column: each of its values gets the class that is most frequent there. The column"
    " whose rule is wrong least often is kept, and it alone decides."
)
PSEUDOCODE = """
start  round: no column is tried
rule:         for each column
errors:         each value ← its usual class
keep   round: keep the column of least errors
"""


class State(Record):
    """The model is the rule of `column`.

    classes: for each tried column, (values,) the class of each of its values
    errors: for each tried column, how many examples its rule gets wrong
    column: the column that decides, −1 before one is kept
    """

    classes: tuple[Int, ...] = ()
    errors: tuple[int, ...] = ()
    column: int = -1


def steps(given, at, rng):
    problem = given.problem
    s = State()
    yield from at("start", s)
    for column in range(problem.d):
        yield from at("rule", s, column=column)
        usual = usual_classes(problem, column)  # each value ← its usual class
        said = usual[values(problem.X, column)]
        wrong = int((said != problem.codes)[problem.labelled].sum())
        s = replace(s, classes=(*s.classes, frozen(usual)), errors=(*s.errors, wrong))
        yield from at("errors", s, column=column)
    least = min(s.errors)
    equals = [column for column in range(problem.d) if s.errors[column] == least]
    kept = at.take(equals)
    yield from at("keep", replace(s, column=kept))


def values(X, column):
    """(n,) the values of a column of words as numbers."""
    return X[:, column].astype(int)


def usual_classes(problem, column):
    """(values,) the most frequent class of the rows with each value, the first of equals."""
    many = len(problem.features[column].categories) or 2  # a column of numbers holds 0 and 1
    counts = np.zeros((many, len(problem.classes)), int)
    known = problem.labelled
    np.add.at(counts, (values(problem.X[known], column), problem.codes[known]), 1)
    return counts.argmax(axis=1)


def predict(given, s, X):
    """(m,) the class of each row's value in the column that was kept; −1 before."""
    if s.column < 0:
        return np.full(len(X), -1)
    return s.classes[s.column][values(X, s.column)]


def metrics(given, s):
    problem = given.problem
    wrong = predict(given, s, problem.X) != problem.codes
    return {"errors": int(wrong[problem.labelled].sum())}


def say_start(given, s):
    return note("No column is tried yet: no row has a class.")


def say_rule(given, s, column):
    return note("Take the column {name}.", name=given.problem.titles[column])


def say_errors(given, s, column):
    return note(
        "Where each value of {name} gets its most frequent class, {wrong} of {n} examples"
        " {wrong:is|are} wrong.",
        name=given.problem.titles[column],
        wrong=s.errors[column],
        n=given.problem.n,
    )


def say_keep(given, s):
    least = min(s.errors)
    options = tuple(
        Option(title, wrong, about=tag, value=column)
        for column, (title, wrong, tag) in enumerate(
            zip(given.problem.titles, s.errors, given.problem.column_tags, strict=True)
        )
    )
    winners = tuple(column for column, wrong in enumerate(s.errors) if wrong == least)
    return (
        note(
            "{name} is kept: its rule gets {least} {least:example|examples} wrong.",
            name=given.problem.titles[s.column],
            least=least,
        ),
        Choice(
            "Which column is kept?",
            options,
            winners,
            s.column,
            rule="equal: the first column" if len(winners) > 1 else "",
            unit="errors",
            smallest=True,
            digits=0,
        ),
    )


def explain(given, s, x):
    label = int(predict(given, s, x[None])[0])
    if s.column < 0:
        return Explanation(label, note("No column is kept yet: this row has no class."))
    feature = given.problem.features[s.column]
    return Explanation(
        label,
        note(
            "{name} is {value}: most of these examples are {label}.",
            name=feature.title,
            value=str((feature.categories or (0, 1))[int(x[s.column])]),
            label=given.problem.class_text(label),
        ),
    )


def scene(given, step):
    problem, s = given.problem, step.state
    tried = len(s.errors)
    bars = Bars(
        "Errors of each column's rule",
        problem.titles[:tried],
        frozen(np.array(s.errors, float)),
        tags=problem.column_tags[:tried],
        digits=0,
    )
    figures = (bars, data_table(problem)) if tried else (data_table(problem),)
    return Scene((), figures)


def example():
    return engine.prepare(engine.textbook("restaurant"))


ALGORITHM = Algorithm.of(
    __name__,
    authoring=2,
    title="1R",
    task=Task.RULES,
    extension=True,
    needs=Needs(discrete=True, min_classes=2),
    curves=(Curve("errors", "wrong rows", of_n=True),),
)
