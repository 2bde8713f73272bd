"""Why this label? The votes of the learners at a place, added up."""

from collections.abc import Sequence

import numpy as np

from engine.algorithms.ensembles.parts.pictures import SHOWN, learner_tag, vote_name
from engine.algorithms.ensembles.parts.stumps import Learner
from engine.algorithms.ensembles.parts.votes import row_votes, tied, voting_power, winners
from engine.base.arrays import Float, frozen
from engine.base.notation import MINUS, agreeing_digits, counted, subscript
from engine.base.sums import add_up
from engine.base.tags import class_tag
from engine.numerics.closeness import SHARE, more, settled
from engine.protocol.algorithm import Explanation
from engine.protocol.step import Fact, Formula, Note, Operand, note, verbatim
from engine.scene.scene import Bars
from engine.table.problem import Problem

LISTED = 6  # terms of a sum written out


def vote_explanation(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float], x: Float
) -> Explanation:
    """The answer at x (d,) with every learner's vote; of many only the strongest, the rest in one
    bar for each class.
    """
    votes = row_votes(problem, learners, z, x[None])[:, 0]
    votes = settled(votes, votes.sum(), SHARE)
    label = int(winners(votes[:, None])[0])
    if label < 0:
        return Explanation(-1, note("No learner has a vote yet."))
    bars = learner_bars(problem, learners, z, x, votes)
    sure = np.flatnonzero(np.isinf(np.asarray(z)))
    if len(sure):
        said = alone_note(problem, int(sure[0]), len(z), label)
    else:
        said = sum_note(problem, votes, bars.values, label)
    return Explanation(label, said, bars)


def learner_bars(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float], x: Float, votes: Float
) -> Bars:
    """The votes of the strongest learners at x, then those of all others for each class.

    Of two classes the votes for the second are drawn to the other side. votes (k,): of all for each
    class
    """
    k = len(votes)
    power = voting_power(z)
    shown = np.sort(np.argsort(-power, kind="stable")[:SHOWN])
    says = np.array([int(learners[i].predict(x[None])[0]) for i in shown.tolist()], np.intp)
    names = [vote_name(problem, i, learners[i], z[i]) for i in shown.tolist()]
    tags = [learner_tag(i) for i in shown.tolist()]
    sizes = power[shown].tolist()
    group = says.tolist()
    hidden = len(power) - len(shown)
    rest = votes - np.bincount(says, power[shown], k)
    for c in range(k):
        if hidden and more(rest[c], 0.0, power.sum()):
            names.append(f"{counted(hidden, 'other')} for {problem.class_text(c)}")
            tags.append(class_tag(c))
            sizes.append(float(rest[c]))
            group.append(c)
    values = np.array(sizes)
    groups = np.array(group, np.intp)
    title = "Votes"
    if k == 2:
        values = np.where(groups == 1, -values, values)
        title = f"Votes: + {problem.class_text(0)}, − {problem.class_text(1)}"
    return Bars(
        title, tuple(names), frozen(values), group=frozen(groups), tag="z", tags=tuple(tags)
    )


def alone_note(problem: Problem, k: int, count: int, label: int) -> Note:
    """The note of a learner with error 0: its vote z = ∞ decides alone.

    k: index among `count` learners; label: the class code it gives here
    """
    lead = "{name} wins: {h} decides alone, because its error is 0 and so its vote z = {z}."
    if count > 1:
        lead += " Beside it the other votes count for nothing."
    return note(
        lead,
        name=problem.class_text(label),
        h=Operand(f"h{subscript(k + 1)}", about="z"),
        z=Operand(float("inf"), "z", "z"),
    )


def sum_note(problem: Problem, votes: Float, values: Float, label: int) -> Note:
    """The note of the sum of the votes (k,) and the winner.

    For two classes with few learners it is the sum of the single votes `values`, positive for the
    first class and negative for the second.
    """
    equal = int(tied(votes[:, None]).sum()) > 1
    lead = "{name} wins: it has {won} of {whole} {whole:vote|votes}."
    if equal:
        lead = (
            "Several classes have {won} {won:vote|votes} each; {name} is the first of them in"
            " order."
        )
    parts = list[Formula | Fact]()
    digits = 2  # of the votes of each class
    operands = dict[str, Operand]()
    if len(votes) == 2:
        total = 0.0 if equal else float(votes[0] - votes[1])
        operands["sum"] = Operand(total, "vote")
        if len(values) <= LISTED:
            parts.append(signed_sum(values))
            operands |= signed_operands(values, total)
        else:
            parts.append(Formula("vote =", f"{{v0}} {MINUS} {{v1}}", "{sum}"))
            digits = agreeing_digits([*votes], lambda a, b: a - b, total)
    for c in np.flatnonzero(votes > 0).tolist():
        parts.append(Fact(f"votes for {verbatim(problem.class_text(c))}", f"{{v{c}}}"))
    operands |= {f"v{c}": Operand(float(v), digits=digits) for c, v in enumerate(votes)}
    operands["won"] = Operand(float(votes[label]))
    operands["whole"] = Operand(float(votes.sum()))
    return note(lead, *parts, name=problem.class_text(label), **operands)


def signed_sum(values: Float) -> Formula:
    """The formula of a sum of votes, each with its sign."""
    text = ""
    for i, value in enumerate(values.tolist()):
        sign = "+" if value >= 0 else MINUS
        if i == 0:
            text = f"{{t{i}}}" if value >= 0 else f"{sign} {{t{i}}}"
        else:
            text += f" {sign} {{t{i}}}"
    return Formula("vote =", text, "{sum}")


def signed_operands(values: Float, total: float) -> dict[str, Operand]:
    """The operands of `signed_sum`, with enough digits that the shown numbers add up to `total`."""
    digits = agreeing_digits([*values], lambda *terms: add_up(terms), total)
    return {
        f"t{i}": Operand(abs(value), f"z{subscript(i + 1)}", "z", digits=digits)
        for i, value in enumerate(values.tolist())
    }
