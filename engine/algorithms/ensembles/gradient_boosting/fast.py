"""A tree whose nodes are no steps: all of them at once, and the answers of all its leaves."""

from engine.algorithms.ensembles.gradient_boosting import Setting, State
from engine.algorithms.ensembles.gradient_boosting.member import Member
from engine.algorithms.trees.parts.grove import whole_tree
from engine.algorithms.trees.parts.model import Why, descend
from engine.authoring import Float, Work, frozen, np


def grow(given: Setting, s: State) -> Work[tuple[Member, Float]]:
    tree, _ = yield from whole_tree(given.root(s.residual))
    leaf, _ = descend(tree, given.problem.X)
    is_leaf = tree.column < 0
    answers = given.answers(s.residual[given.rows], leaf[given.rows], tree.label)
    member = Member(
        given.p.rate,
        given.nominal,
        tree.parent,
        tree.branch,
        tree.totals,
        frozen(np.where(is_leaf, answers, tree.label)),
        frozen(np.where(is_leaf, Why.STOPPED, Why.TEST)),
        tree.column,
        tree.point,
        tree.first,
    )
    return member, given.p.rate * member.answer[leaf]
