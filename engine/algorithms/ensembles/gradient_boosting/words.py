"""What gradient boosting says: the constant, what is left of an example, the answer of a leaf, the
sum with its new tree.
"""

from engine.algorithms.ensembles.gradient_boosting import Params, Setting, State, predict
from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.value_words import chosen_note, figures, node_terms, tried_note
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    note,
    np,
    short,
)
from engine.core.notation import agreeing_digits, counted
from engine.core.scene import Bars

SUMMARY = (
    "Adds up small regression trees. Each learns what the sum of the earlier ones leaves of the"
    " examples, and a part of it is added: values by their squares, classes by the log-loss of"
    " their chances."
)
SHOWN = 40  # trees with a bar of their own
LEFT = Formula("r =", "{y} − {p}", "{r}")
CHANCE = Formula("p =", "1 / (1 + e^(−{F}))", "{p}")
LOGIT = Formula("F =", "log({yes} / {no})", "{start}")
NEWTON = Formula("γ =", "{over} / {under}", "{answer}")
ADD = Formula("F ←", "{before} + {rate} · {answer}", "{after}")


def chips(p: Params) -> tuple[str, ...]:
    return counted(p.members, "tree"), f"depth {p.depth}", f"ν = {short(p.rate)}"


def start(given: Setting, s: State) -> Note:
    problem = given.problem
    F = Operand(float(s.start[0]), "F", "F")
    if problem.regress:
        return note(
            "F begins as the mean of {n} {n:value|values}, {start}.", n=len(given.rows), start=F
        )
    yes = int(given.Y[0, given.rows].sum())
    if given.outputs > 1:
        shares = [Fact(f"{{c{k}}}", f"{{s{k}}}") for k in range(min(given.outputs, 6))]
        told = {f"s{k}": float(v) for k, v in enumerate(s.start)} | {
            f"c{k}": problem.class_text(k) for k in range(given.outputs)
        }
        return note(
            "Each class has an F of its own. They begin as the logarithms of their shares.",
            *shares,
            **told,
        )
    lead = (
        "F begins as the log-odds of {name}: {yes} {yes:example has|examples have} it, {no}"
        " {no:does|do} not."
    )
    return note(lead, LOGIT, name=problem.class_text(0), yes=yes, no=len(given.rows) - yes, start=F)


def loop(given: Setting, s: State) -> Note:
    return note("Tree {round} of {members} begins.", round=s.round, members=given.p.members)


def residual(given: Setting, s: State) -> Note:
    """y − p of the row with most left."""
    i, k = s.current, s.output
    y, r, F = float(given.Y[k, i]), float(s.residual[i]), float(s.F[k, i])
    p = float(given.chances(s.F)[k, i])
    told = {"x": Operand(given.problem.names[i], about="current"), "r": Operand(r, "r", "errors")}
    digits = agreeing_digits((y, p), lambda y, p: y - p, r)
    told |= {
        "y": Operand(y, "y", digits=digits),
        "p": Operand(p, "F" if given.problem.regress else "p", "F", digits),
    }
    told |= {
        "F": Operand(
            F, "F", "F", agreeing_digits((F,), lambda F: (1 + np.tanh(F / 2)) / 2, p, digits)
        )
    }
    of = " of class {class}" if given.outputs > 1 else ""
    told |= {"class": Operand(given.problem.class_text(k))} if of else {}
    lead = "What F leaves" + of + " is what the next tree learns. Most is left of {x}: {r}."
    return note(lead, *([CHANCE] if not of and not given.problem.regress else []), LEFT, **told)


def score(given: Setting, s: State, node: OpenNode) -> Note:
    assert s.growing is not None
    return tried_note(given.words, node, s.growing.column, given.p.min_leaf)


def split(given: Setting, s: State, node: OpenNode, hand: bool = False) -> tuple[Note, Choice]:
    assert s.growing is not None
    return chosen_note(
        given.words, node, s.growing.column, s.growing.point, given.p.min_leaf, hand=hand
    )


def leaf(given: Setting, s: State) -> Note:
    """γ of a leaf, and how it was found."""
    assert s.growing is not None
    tree, node = s.growing.tree, s.growing.current
    told = node_terms(tree, node)
    answer = float(tree.label[node])
    way = given.words.where(tree, node)
    where = Operand(way or "all examples", about="current")
    if given.problem.regress:
        lead = (
            "{where}: the leaf answers with the mean of what is left of {n} {n:example|examples},"
            " {answer}."
        )
        return note(lead, where=where, answer=Operand(answer, "γ", "current"), **told)
    r = s.residual[given.rows_of(tree, node)]
    over, under = (float(part[0]) for part in given.newton(r, np.zeros(len(r), np.intp), 1))
    digits = (
        agreeing_digits(
            (over, under), lambda a, b: a / b, answer, least=max(2, min(figures(under), 6))
        )
        if under
        else 2
    )
    told |= {
        "over": Operand(over, "Σ r", "errors", digits),
        "under": Operand(under, "Σ p (1 − p)", "errors", digits),
    }
    lead = (
        "{where}: {n} {n:example|examples}. One Newton step down their log-loss is the answer of"
        " the leaf, {answer}."
    )
    few = (Fact("Σ r", "times (k − 1)/k, for k classes"),) if given.outputs > 1 else ()
    return note(lead, NEWTON, *few, where=where, answer=Operand(answer, "γ", "current"), **told)


def add(given: Setting, s: State) -> Note:
    """F of the row that had most left before, and the loss of all."""
    i, k = s.current, s.output
    before = float(s.before[k, i])
    after = float(s.F[k, i])
    rate = s.learners[-1].rate
    answer = float(s.learners[-1].values(given.problem.X[[i]])[0])
    digits = agreeing_digits((before, answer), lambda b, a: b + rate * a, after)
    each = "trees, one a class, are" if given.outputs > 1 else "tree is"
    lead = (
        f"The {each} added, shrunk by {{rate}}. {{x}} goes from {{before}} to {{after}}; the loss"
        " is {loss}."
    )
    return note(
        lead,
        ADD,
        x=Operand(given.problem.names[i], about="current"),
        before=Operand(before, "F", "F", digits),
        rate=Operand(rate, "ν", digits=-1),
        answer=Operand(answer, "γ", digits=digits),
        after=Operand(after, "F", "F"),
        loss=Operand(s.loss, about="F", digits=4),
    )


def return_(given: Setting, s: State) -> Note:
    lead = "F is the sum of a constant and {members} {members:tree|trees}."
    if not s.off:
        lead += " Nothing is left to learn."
    fact = (
        Fact("root mean square error", "{off}")
        if given.problem.regress
        else Fact("wrong examples", "{errors}")
    )
    return note(lead, fact, members=len(s.learners), off=Operand(s.off), errors=s.errors)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The constant and what every tree adds, of the output that decides; of many trees the largest
    parts.
    """
    problem = given.problem
    F = given.sum_of(s, x[None])[:, 0]
    label = -1 if problem.regress else int(predict(given, s, x[None])[0])
    k = max(label, 0) if given.outputs > 1 else 0
    parts = np.array(
        [float(m.part(x[None])[0]) for m in s.learners[k :: given.outputs]], np.float64
    )
    shown = np.sort(np.argsort(-np.abs(parts), kind="stable")[:SHOWN])
    rest = np.delete(parts, shown)
    names = (
        "constant",
        *(f"tree {i + 1}" for i in shown.tolist()),
        *[counted(len(rest), "other")] * bool(len(rest)),
    )
    values = np.concatenate([[s.start[k]], parts[shown], [rest.sum()] * bool(len(rest))])
    start, trees, value = float(s.start[k]), float(parts.sum()), float(F[k])
    p = float(given.chances(F[:, None])[k, 0])
    name = (
        problem.class_text(label)
        if label >= 0
        else problem.target.title
        if problem.target
        else "the value"
    )
    lead = "{name} = {value}." if problem.regress else "This place is called {name}."
    digits = agreeing_digits((start, trees), lambda a, b: a + b, value)
    said = note(
        lead,
        Formula("F =", "{start} + {trees}", "{value}"),
        *([] if problem.regress else [Fact("its chance p", "{p}")]),
        name=name,
        value=Operand(value, "F"),
        p=1 - p if label == 1 and given.outputs == 1 else p,
        start=Operand(start, "constant", digits=digits),
        trees=Operand(trees, "trees", digits=digits),
    )
    return Explanation(label, said, Bars("Part of each tree", names, values))
