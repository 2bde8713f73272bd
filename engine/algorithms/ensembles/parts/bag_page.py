"""What the pages of methods that bag trees have alike: parameters, metrics, scores, the example.

Extension.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.ensembles.parts.bags import Bagged, Bags
from engine.algorithms.ensembles.parts.votes import shares
from engine.authoring import (
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Problem,
    Range,
    Record,
    Task,
    np,
    prepare,
)


class Params(Record, eq=True):
    members: Annotated[int, Range(1, 1000, log=True), Label("Trees B")] = 9
    depth: Annotated[
        int | None,
        Range(1, 100),
        Label("Depth"),
        Empty("∞"),
        Help("tests from root to leaf, at most"),
    ] = None
    importance: Annotated[
        Literal["gain", "gini"],
        Label("Best test"),
        Help("gain in bits, or drop of the Gini impurity"),
    ] = "gain"
    size: Annotated[
        int, Range(1, 100), Label("Rows in a bag, %"), Help("of all rows; drawn with replacement")
    ] = 100


def metrics(given: Bags[Any], s: Bagged) -> Mapping[str, float]:
    """The vote's errors, and the out-of-bag error rate applied to all rows."""
    values = {}
    if s.learners:
        values["errors"] = float(s.errors)
    if s.tested:
        values["oob"] = s.oob * len(given.known)
    return values


def scores(given: Bags[Any], s: Bagged, X: Float) -> Float:
    """The votes' shares: (m,) first class less the other for two classes, else (m, k) of each
    class.
    """
    return shares(given.votes(s, X))


def example() -> Problem:
    """Seven points of two classes: six that either column separates, and one among the other
    class.
    """
    X = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, 5.0], [6.0, 6.0], [5.5, 6.5]]
    return prepare(Dataset.from_arrays(np.array(X), ["A", "A", "A", "B", "B", "B", "A"]))


ALIKE: Mapping[str, Any] = {
    "task": Task.CLASSIFY,
    "extension": True,
    "needs": Needs(missing=True),
    "curves": (
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("oob", "wrong outside their bags", of_n=True, bound=True, digits=1, about=("out",)),
    ),
    "events": ("round", "tie", "clean"),
    "metrics": metrics,
    "scores": scores,
    "example": example,
}
