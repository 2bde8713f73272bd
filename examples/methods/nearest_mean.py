"""Nearest mean: each class is known by its mean, and a new example gets the class of the nearest.

Source: write here which book and section the method is from.
"""

from typing import Annotated, Literal

from engine.authoring import (
    Algorithm,
    Curve,
    Dataset,
    Explanation,
    Field,
    Float,
    Formula,
    Help,
    Label,
    Needs,
    Points,
    Record,
    Role,
    Scene,
    Task,
    data_points,
    data_table,
    frozen,
    note,
    np,
    prepare,
)

# What it does, in one or two sentences, for the list of methods.
SUMMARY = "Takes the mean of each class. A new example gets the class whose mean is nearest."

# One line each, `label level: text`. The label names the line below, in `steps` and in `say_…`. The
# level is how coarse the line is in a run: round, step (where none is named) or detail.
# A text has at most 37 letters, so that it fits beside the plane; two spaces indent it.
PSEUDOCODE = """
start round: no mean is known
mean:        for each class: m ← its mean
done  round: x gets the nearest m's class
"""


# What a person can set: the form, its checks and the command line are made from it.
class Params(Record, eq=True):
    distance: Annotated[
        Literal["straight", "city block"],
        Label("Distance"),
        Help("the straight way, or along the axes only"),
    ] = "straight"


# The whole model at one step. A Record never changes, so that stepping back is exact.
class State(Record):
    """means (k, d): one for each class, infinite until it is known."""

    means: Float


# The algorithm, as the pseudo-code tells it. `at(label, state)` is one step that can be seen; names
# behind the state are handed to the words of the line. Chance comes from `rng` alone.
def steps(given, at, rng):
    problem = given.problem  # X (n, d): the numbers of the examples; codes (n,): their classes
    means = np.full((len(problem.classes), problem.d), np.inf)
    yield from at("start", state_of(means))
    for label in range(len(means)):
        rows = problem.codes == label
        means[label] = problem.X[rows].mean(axis=0)
        yield from at("mean", state_of(means), label=label, count=rows.sum())
    yield from at("done", state_of(means))


# Arrays in a state are copied and frozen: nothing may change them later.
def state_of(means):
    return State(frozen(means.copy()))


# The distance |x − m| of each row x of X (m, d) to each mean, (m, k).
def distances(given, s, X):
    apart = np.abs(X[:, None] - s.means)
    if given.p.distance == "city block":
        return apart.sum(axis=2)
    return np.linalg.norm(apart, axis=2)


# The class of each row of X as a number, −1 where there is none yet. It holds for every state.
def predict(given, s, X):
    found = distances(given, s, X)
    return np.where(np.isfinite(found.min(axis=1)), found.argmin(axis=1), -1)


# Numbers to record at each step; the curve under the timeline is one of them.
def metrics(given, s):
    problem = given.problem
    return {"errors": int((predict(given, s, problem.X) != problem.codes).sum())}


# The words of each line, made when a step is shown. Each {name} is filled in, and a
# Formula is shown once with its symbols and once with its numbers.
def say_start(given, s):
    return note("No mean is known yet: no place has a class.")


def say_mean(given, s, label, count):
    return note(
        "The mean of {label} is {mean}; it is taken from {count} {count:example|examples}.",
        label=given.problem.class_text(label),
        mean=s.means[label],
        count=count,
    )


def say_done(given, s):
    return note(
        "All means are known. They give {errors} {errors:example|examples} a wrong class.",
        errors=metrics(given, s)["errors"],
    )


# Why does the place x (d,) have its label? The label is the one that `predict` gives.
def explain(given, s, x):
    label = int(predict(given, s, x[None])[0])
    if label < 0:
        return Explanation(label, note("No mean is known yet: this place has no class."))
    return Explanation(
        label,
        note(
            "The nearest mean is that of {label}.",
            Formula("|x − m| =", "|{x} − {m}|", "{apart}"),
            label=given.problem.class_text(label),
            x=x,
            m=s.means[label],
            apart=distances(given, s, x[None])[0, label],
        ),
    )


# The picture of a step: which classes the plane has, the examples, and the means that are known.
# Roles say what a thing is; the window knows how it looks.
def scene(given, step):
    problem, s = given.problem, step.state
    if not problem.plane:
        return Scene((), (data_table(problem),))
    known = np.flatnonzero(np.isfinite(s.means).all(axis=1))
    means = Points(problem.to_plane(s.means[known]), known, Role.ACCEPTED, known)
    return Scene((Field("class"), data_points(problem, predict(given, s, problem.X)), means))


# The data that it is shown with at first. They must lead it through every line.
def example():
    return prepare(
        Dataset.from_arrays([[0.0, 0.0], [1.0, 0.0], [4.0, 4.0], [5.0, 4.0]], ["a", "a", "b", "b"])
    )


# extension: it is in none of the lab's books; else `source=("MMDS 12.2",)`. needs: from which data
# it can learn. authoring: the version of engine.authoring that the page is written for.
ALGORITHM = Algorithm.of(
    __name__,
    authoring=2,
    title="Nearest mean",
    task=Task.CLASSIFY,
    extension=True,
    needs=Needs(numeric=True, min_classes=2),
    curves=(Curve("errors", "wrong points"),),
)
