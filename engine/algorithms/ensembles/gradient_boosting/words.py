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
from engine.base.notation import agreeing_digits, counted
from engine.scene.scene import Bars

SUMMARY = (
    "Adds up small regression trees. Each learns what the sum of the earlier ones leaves of the"
    " examples, and a part of it is added: values by their squares, classes by the log-loss of"
    " their chances."
)
SHOWN = 40  # trees with a bar of their own
LISTED = 6  # classes whose constants are listed
LEFT = Formula("r =", "{y} − {p}", "{r}")
CHANCE = Formula("p =", "1 / (1 + e^(−{F}))", "{p}")
LOGIT = Formula("F =", "log({yes} / {no})", "{start}")
NEWTON = Formula("γ =", "{over} / {under}", "{answer}")
SUM = Formula("F =", "{start} + {trees}", "{value}")
P_OF_CLASS = Fact("its chance p", "{p}")
OF_CLASSES = Fact("Σ r", "times (k − 1)/k, for k classes")
ADD = Formula("F ←", "{before} + {rate} · {answer}", "{after}")


def chips(p: Params) -> tuple[str, ...]:
    return (counted(p.members, "tree"), f"depth {p.depth}", f"ν = {short(p.rate)}")


def start(given: Setting, s: State) -> Note:
    problem = given.problem
    n = len(given.rows)
    F = Operand(float(s.start[0]), "F", "F")
    if problem.regress:
        return note("F begins as the mean of {n} {n:value|values}, {start}.", n=n, start=F)
    if given.outputs > 1:
        return start_of_classes(given, s)
    yes = int(given.Y[0, given.rows].sum())
    lead = (
        "F begins as the log-odds of {name}: {yes} {yes:example has|examples have} it, {no}"
        " {no:does|do} not."
    )
    return note(lead, LOGIT, name=problem.class_text(0), yes=yes, no=n - yes, start=F)


def start_of_classes(given: Setting, s: State) -> Note:
    """The note of the initial constants for more than two classes, the first of which are
    listed.
    """
    lead = "Each class has an F of its own. They begin as the logarithms of their shares."
    listed = range(min(given.outputs, LISTED))
    facts = [Fact(f"{{c{k}}}", f"{{s{k}}}") for k in listed]
    names = {f"c{k}": given.problem.class_text(k) for k in range(given.outputs)}
    values = {f"s{k}": float(F) for k, F in enumerate(s.start)}
    return note(lead, *facts, **values, **names)


def loop(given: Setting, s: State) -> Note:
    return note("Tree {round} of {members} begins.", round=s.round, members=given.p.members)


def residual(given: Setting, s: State) -> Note:
    """The note of the largest residual: y − p of a class, or y − F of a value."""
    regress = given.problem.regress
    i = s.current
    k = s.output
    F = float(s.F[k, i])
    y = float(given.Y[k, i])
    r = float(s.residual[i])
    p = F if regress else float(given.chances(s.F)[k, i])
    digits = agreeing_digits((y, p), lambda y, p: y - p, r)
    digits_of_F = agreeing_digits((F,), lambda F: (1 + np.tanh(F / 2)) / 2, p, digits)
    operands = {
        "x": Operand(given.problem.names[i], about="current"),
        "r": Operand(r, "r", "errors"),
        "y": Operand(y, "y", digits=digits),
        "p": Operand(p, "F" if regress else "p", "F", digits),
        "F": Operand(F, "F", "F", digits_of_F),
    }
    if given.outputs > 1:
        lead = (
            "What F leaves of class {class} is what the next tree learns. Most is left of {x}: {r}."
        )
        operands["class"] = Operand(given.problem.class_text(k))
        return note(lead, LEFT, **operands)
    lead = "What F leaves is what the next tree learns. Most is left of {x}: {r}."
    if regress:
        return note(lead, LEFT, **operands)
    return note(lead, CHANCE, LEFT, **operands)


def score(given: Setting, s: State, node: OpenNode) -> Note:
    assert s.growing is not None
    return tried_note(given.words, node, s.growing.column, given.p.min_leaf)


def split(given: Setting, s: State, node: OpenNode, hand: bool = False) -> tuple[Note, Choice]:
    assert s.growing is not None
    return chosen_note(
        given.words, node, s.growing.column, s.growing.point, given.p.min_leaf, hand=hand
    )


def leaf(given: Setting, s: State) -> Note:
    """The note of a leaf's answer γ, with its formula."""
    assert s.growing is not None
    node = s.growing.current
    tree = s.growing.tree
    gamma = float(tree.label[node])
    way = given.words.where(tree, node)
    operands = {
        "where": Operand(way or "all examples", about="current"),
        "answer": Operand(gamma, "γ", "current"),
        **node_terms(tree, node),
    }
    if given.problem.regress:
        lead = (
            "{where}: the leaf answers with the mean of what is left of {n} {n:example|examples},"
            " {answer}."
        )
        return note(lead, **operands)
    over, under = given.newton(s.residual[given.rows_of(tree, node)])
    digits = 2
    if under:
        least = max(2, min(figures(under), 6))
        digits = agreeing_digits((over, under), lambda a, b: a / b, gamma, least=least)
    operands["over"] = Operand(over, "Σ r", "errors", digits)
    operands["under"] = Operand(under, "Σ p (1 − p)", "errors", digits)
    lead = (
        "{where}: {n} {n:example|examples}. One Newton step down their log-loss is the answer of"
        " the leaf, {answer}."
    )
    if given.outputs > 1:
        return note(lead, NEWTON, OF_CLASSES, **operands)
    return note(lead, NEWTON, **operands)


def add(given: Setting, s: State) -> Note:
    """The note of the new F of the row with the largest residual before, and of the loss."""
    i = s.current
    k = s.output
    tree = s.learners[-1]
    before = float(s.before[k, i])
    after = float(s.F[k, i])
    gamma = float(tree.gamma(given.problem.X[[i]])[0])
    digits = agreeing_digits((before, gamma), lambda b, a: b + tree.rate * a, after)
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
        rate=Operand(tree.rate, "ν", digits=-1),
        answer=Operand(gamma, "γ", digits=digits),
        after=Operand(after, "F", "F"),
        loss=Operand(s.loss, about="F", digits=4),
    )


def return_(given: Setting, s: State) -> Note:
    lead = "F is the sum of a constant and {members} {members:tree|trees}."
    if not s.off:
        lead += " Nothing is left to learn."
    fact = Fact("wrong examples", "{errors}")
    if given.problem.regress:
        fact = Fact("root mean square error", "{off}")
    return note(lead, fact, members=len(s.learners), off=Operand(s.off), errors=s.errors)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the constant and what each tree adds to the deciding F; of many trees
    the largest parts.
    """
    problem = given.problem
    F = given.sum_of(s, x[None])[:, 0]
    label = -1 if problem.regress else int(predict(given, s, x[None])[0])
    k = max(label, 0) if given.outputs > 1 else 0
    parts = np.array([float(m.part(x[None])[0]) for m in s.learners[k :: given.outputs]])
    start = float(s.start[k])
    trees = float(parts.sum())
    value = float(F[k])
    digits = agreeing_digits((start, trees), lambda a, b: a + b, value)
    operands = {
        "value": Operand(value, "F"),
        "start": Operand(start, "constant", digits=digits),
        "trees": Operand(trees, "trees", digits=digits),
    }
    bars = part_bars(start, parts)
    if problem.regress:
        name = problem.target.title if problem.target else "the value"
        said = note("{name} = {value}.", SUM, name=name, **operands)
        return Explanation(label, said, bars)
    p = float(given.chances(F[:, None])[k, 0])
    if given.outputs == 1 and label == 1:
        p = 1 - p
    lead = "This place is called {name}."
    said = note(lead, SUM, P_OF_CLASS, name=problem.class_text(label), p=p, **operands)
    return Explanation(label, said, bars)


def part_bars(start: float, parts: Float) -> Bars:
    """Bars of the constant and the trees' parts of F (trees,); of many the largest and the sum of
    the rest.
    """
    shown = np.sort(np.argsort(-np.abs(parts), kind="stable")[:SHOWN])
    rest = np.delete(parts, shown)
    names = ["constant", *(f"tree {i + 1}" for i in shown.tolist())]
    values = [start, *parts[shown].tolist()]
    if len(rest):
        names.append(counted(len(rest), "other"))
        values.append(float(rest.sum()))
    return Bars("Part of each tree", tuple(names), np.array(values))
