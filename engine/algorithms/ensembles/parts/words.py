"""Why this label? The votes of the learners at a place, added up."""

from collections.abc import Sequence

import numpy as np

from engine.algorithms.ensembles.parts.pictures import SHOWN, learner_tag, vote_name
from engine.algorithms.ensembles.parts.votes import row_votes, tied, voting_power, winners
from engine.core.algorithm import Explanation
from engine.core.arrays import Float, frozen
from engine.core.notation import MINUS, agreeing_digits, counted, subscript
from engine.core.problem import Problem
from engine.core.scene import Bars
from engine.core.step import Fact, Formula, Note, Operand, note, verbatim
from engine.core.sums import add_up
from engine.core.tags import class_tag
from engine.algorithms.ensembles.parts.stumps import Learner
from engine.numerics.closeness import SHARE, more, settled

LISTED = 6  # terms of a sum written out


def vote_explanation(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float], x: Float
) -> Explanation:
    """Every learner's vote at the place x (d,); of many only the strongest, the rest of them in one
    bar for each class.
    """
    k = len(problem.classes)
    power = voting_power(z)
    votes = row_votes(problem, learners, z, x[None])[:, 0]
    votes = settled(votes, votes.sum(), SHARE)
    label = int(winners(votes[:, None])[0])
    if label < 0:
        return Explanation(-1, note("No learner has a vote yet."))
    shown = np.sort(np.argsort(-power, kind="stable")[:SHOWN])
    says = np.array([int(learners[int(i)].predict(x[None])[0]) for i in shown], np.intp)
    rest = votes - np.bincount(says, power[shown], k)
    others = [c for c in range(k) if len(power) > len(shown) and more(rest[c], 0.0, power.sum())]
    names = [vote_name(problem, i, learners[i], z[i]) for i in shown.tolist()]
    names += [
        f"{counted(len(power) - len(shown), 'other')} for {problem.class_text(c)}" for c in others
    ]
    group = np.concatenate([says, others]).astype(np.intp)
    sizes = np.concatenate([power[shown], rest[others]])
    values = np.where(group == 1, -sizes, sizes) if k == 2 else sizes
    title = f"Votes: + {problem.class_text(0)}, − {problem.class_text(1)}" if k == 2 else "Votes"
    tags = (*map(learner_tag, shown.tolist()), *map(class_tag, others))
    bars = Bars(title, tuple(names), frozen(values), group=frozen(group), tag="z", tags=tags)
    sure = np.flatnonzero(np.isinf(np.asarray(z)))
    told = (
        alone_note(problem, int(sure[0]), len(z), label)
        if len(sure)
        else sum_note(problem, votes, values, label)
    )
    return Explanation(label, told, bars)


def alone_note(problem: Problem, k: int, count: int, label: int) -> Note:
    """Number k from 0 of `count` learners has no error: with z = ∞ it decides alone."""
    lead = "{name} wins: {h} decides alone, because its error is 0 and so its vote z = {z}."
    if count > 1:
        lead += " Beside it the other votes count for nothing."
    h, vote = Operand(f"h{subscript(k + 1)}", about="z"), Operand(float("inf"), "z", "z")
    return note(lead, name=problem.class_text(label), h=h, z=vote)


def sum_note(problem: Problem, votes: Float, values: Float, label: int) -> Note:
    """The sum of the votes (k,) and who wins: for two classes of the signed ones `values`, where
    they are few.
    """
    equal = int(tied(votes[:, None]).sum()) > 1
    two = len(votes) == 2
    listed = len(values) <= LISTED
    lead = "{name} wins: it has {won} of {whole} {whole:vote|votes}."
    if equal:
        lead = (
            "Several classes have {won} {won:vote|votes} each; {name} is the first of them in"
            " order."
        )
    total = 0.0 if equal or not two else float(votes[0] - votes[1])
    terms = values if listed else votes
    digits = (
        agreeing_digits([*terms], lambda *t: add_up(t) if listed else t[0] - t[1], total)
        if two
        else 2
    )
    told = {f"v{c}": Operand(float(v), digits=2 if listed else digits) for c, v in enumerate(votes)}
    parts = list[Formula | Fact]()
    if two and listed:
        signs = [
            "" if i == 0 and v >= 0 else f"{'+' if v >= 0 else MINUS} "
            for i, v in enumerate(values)
        ]
        parts.append(
            Formula("vote =", " ".join(f"{sign}{{t{i}}}" for i, sign in enumerate(signs)), "{sum}")
        )
        told |= {
            f"t{i}": Operand(abs(float(v)), f"z{subscript(i + 1)}", "z", digits=digits)
            for i, v in enumerate(values)
        }
    elif two:
        parts.append(Formula("vote =", f"{{v0}} {MINUS} {{v1}}", "{sum}"))
    parts += [
        Fact(f"votes for {verbatim(problem.class_text(c))}", f"{{v{c}}}")
        for c in np.flatnonzero(votes > 0).tolist()
    ]
    told |= {
        "won": Operand(float(votes[label])),
        "whole": Operand(float(votes.sum())),
        "sum": Operand(total, "vote"),
    }
    return note(lead, *parts, name=problem.class_text(label), **told)
