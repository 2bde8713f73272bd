"""A tree that nobody watches: the answers of all its leaves at one stroke."""

from engine.algorithms.ensembles.gradient_boosting import Setting, State
from engine.algorithms.ensembles.gradient_boosting.member import Member, divide, rooted
from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.model import Why
from engine.authoring import Float, Work, np


def grow(given: Setting, s: State) -> Work[tuple[Member, Float]]:
    top = given.root(s.residual)
    waiting = [top]
    leaves = list[Bud]()
    nodes = rooted(top)
    while waiting:
        bud = waiting.pop()
        yield from bud.weigh()
        if (test := bud.test) is not None:
            waiting += divide(nodes, bud, test)[::-1]
        else:
            leaves.append(bud)
    rows = np.concatenate([bud.rows for bud in leaves])
    many = [len(bud.rows) for bud in leaves]
    leaf = np.arange(len(leaves)).repeat(many)
    means = np.array([bud.totals[1] for bud in leaves])
    answers = given.answers(s.residual[rows], leaf, means)
    for bud, answer in zip(leaves, answers.tolist(), strict=True):
        nodes[bud.number] = nodes[bud.number]._replace(why=Why.STOPPED, answer=answer)
    member = Member.of(nodes, given.nominal, given.p.rate)
    if len(rows) < given.problem.n:
        return member, member.part(given.problem.X)
    values = np.empty(len(rows))
    values[rows] = answers[leaf]
    return member, given.p.rate * values
