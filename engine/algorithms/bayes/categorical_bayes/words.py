"""What naive Bayes with several classes says: counts, estimates, products and chances."""

from typing import Any

from engine.algorithms.bayes.categorical_bayes import Params, S, Setting, State
from engine.algorithms.bayes.parts.classes import (
    answered,
    explained,
    priors,
    products,
    shown,
)
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Mapping,
    Note,
    Operand,
    note,
    replace,
    short,
)
from engine.base.notation import cut, label_text

SUMMARY = (
    "Counts how usual each value is in each class, of which there may be many. A new example gets"
    " the class whose prior and shares have the largest product; an m-estimate keeps a value that"
    " was never seen from ruling a class out."
)


def chips(p: Params) -> tuple[str, ...]:
    named = {"shares": "raw shares", "Laplace": "Laplace", "m-estimate": f"m = {short(p.m)}"}
    return (named[p.estimate],)


def wording(p: Params) -> Mapping[str, str]:
    counted = {
        "Laplace": "  P(a|v) ← (n[a,v]+1)/(n[v]+values)",
        "m-estimate": "  P(a|v) ← (n[a,v] + m p)/(n[v] + m)",
    }
    return {"count": counted[p.estimate]} if p.estimate in counted else {}


def value_text(given: Setting, j: int, value: float) -> str:
    """A value of a column by name: "Outlook = Sunny"."""
    feature = given.problem.features[j]
    word = feature.categories[int(value)] if feature.categories else int(value)
    return f"{feature.title} = {cut(label_text(word))}"


def prior(given: Setting, s: State) -> Note:
    facts, numbers = priors(given)
    lead = "{k} classes, {n} examples with a class. How usual is each class?"
    return note(lead, *facts, k=given.k, n=int(given.problem.labelled.sum()), **numbers)


def column(given: Setting, s: State) -> Note:
    title = Operand(given.problem.features[s.column].title, about="rows")
    return note("Next column: {column}.", column=title)


def count(given: Setting, s: State) -> Note:
    """The estimate of the query's value, in each class, with its counts."""
    j = s.column
    value = int(s.query[j])
    n = given.counts(j)
    m = given.added(j)
    formulas = []
    numbers = dict[str, Any]()
    for c in shown(given, n[value]):
        body, result = f"{{n{c}}} / {{all{c}}}", f"{{r{c}}}"
        if m:
            body = f"({{n{c}}} + {{m}} · {{p}}) / ({{all{c}}} + {{m}})"
        if n[:, c].sum() + m == 0:
            continue
        formulas.append(Formula(f"P({{a}}|{{c{c}}}) =", body, result))
        numbers[f"c{c}"] = given.problem.class_text(c)
        numbers[f"n{c}"] = Operand(float(n[value, c]), "n[a,v]", "rows", 0)
        numbers[f"all{c}"] = Operand(float(n[:, c].sum()), "n[v]", digits=0)
        numbers[f"r{c}"] = Operand(float(s.tables[j][value, c]), about="factor", digits=3)
    lead = "{column}: how usual is each of its values in each class? Here for {a}."
    if (s.tables[j] == 0).any():
        lead += " A share of 0 rules a class out."
    return note(
        lead,
        *formulas,
        Fact("wrong examples", "{errors}"),
        column=Operand(given.problem.features[j].title, about="factor"),
        a=value_text(given, j, value),
        m=Operand(m, "m", digits=-1),
        p=Operand(1 / len(n), "p", digits=4),
        errors=s.errors,
        **numbers,
    )


def query(given: Setting, s: State) -> Note:
    facts, numbers = priors(given)
    values = ", ".join(value_text(given, j, v) for j, v in enumerate(s.query[:12]))
    lead = "Which class has the example with {values}? Each class begins with its prior."
    return note(lead, *facts, values=values, **numbers)


def factor(given: Setting, s: State) -> Note:
    j = s.column
    before = S(given, replace(s, used=j))
    formulas, numbers = products(
        given,
        before,
        s.tables[j][int(s.query[j])],
        "P(x|v)",
        S(given, replace(s, used=len(s.query))),
        "factor",
    )
    lead = "{value}: multiply by how usual this value is in each class."
    value = Operand(value_text(given, j, s.query[j]), about="factor")
    return note(lead, *formulas, value=value, **numbers)


def answer(given: Setting, s: State) -> tuple[Note, Choice]:
    return answered(given, S(given, s), s.errors)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the chance of every class."""
    return explained(given, given.logs(s, x[None])[0])
