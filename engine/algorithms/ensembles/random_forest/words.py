"""What the random forest says."""

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
from engine.algorithms.ensembles.random_forest import Params
from engine.base.notation import counted

__all__ = ["draw", "explain", "learn", "loop", "out", "return_", "split", "start", "vote"]
SUMMARY = (
    "Bagging whose trees differ more: every node may ask for a few columns only, drawn for it"
    " alone, so that no strong column leads in every tree. What the trees get wrong, they then get"
    " wrong in different places, and the vote is better."
)


def chips(p: Params) -> tuple[str, ...]:
    tried = "√d columns" if p.features is None else counted(p.features, "column")
    return ("sizes: copies in the bag", f"{tried} a node", *tree_chips(p))
