"""What bagging says."""

from engine.algorithms.ensembles.bagging import Params
from engine.algorithms.ensembles.parts.bag_words import (
    draw,
    explain,
    learn,
    loop,
    out,
    return_,
    split,
    start,
    tree_chips,
    vote,
)

__all__ = ["draw", "explain", "learn", "loop", "out", "return_", "split", "start", "vote"]
SUMMARY = (
    "Grows many trees, each on a bag of rows drawn with replacement, and lets them vote: what one"
    " tree overfits the others do not share. A third of the rows is outside each bag and tests its"
    " tree for nothing."
)


def chips(p: Params) -> tuple[str, ...]:
    return ("sizes: copies in the bag", *tree_chips(p))
