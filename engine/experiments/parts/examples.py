"""Tables that several experiments take for an example."""

from engine.authoring import Dataset, Problem, prepare


def nine_points() -> Problem:
    """Nine points of two classes, one of which lies among the other class."""
    x = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 4.5, 5.0, 5.5]
    y = [2.0, 1.0, 3.0, 2.0, 1.0, 4.0, 3.0, 5.0, 4.0]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAAABABBB")}, "class"))
