"""What naive Bayes with bells says: means, spreads, densities and chances."""

from typing import Any

from engine.algorithms.bayes.gaussian_bayes import Params, S, Setting, State, bell_logs
from engine.algorithms.bayes.parts.classes import answered, explained, priors, products
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Mapping,
    Note,
    Operand,
    note,
    np,
    number,
    replace,
)
from engine.base.tags import class_tag
from engine.protocol.step import verbatim

SUMMARY = (
    "Gives each class a bell over every column, as if the columns did not depend on each other:"
    " together an oval. A place gets the class with the largest prior times density; the borders"
    " are conics."
)
WRONG = Fact("wrong examples", "{errors}")
COLUMNS = 4  # whose numbers are written out


def chips(p: Params) -> tuple[str, ...]:
    return ("σ² of each class" if p.variances == "each" else "one σ² for all",)


def wording(p: Params) -> Mapping[str, str]:
    return {"spread": "  σ²[j] ← mean of (x[j]−μ)², of all"} if p.variances == "shared" else {}


def named(given: Setting, s: State) -> Operand:
    return Operand(given.problem.class_text(s.label), about=class_tag(s.label))


def prior(given: Setting, s: State) -> Note:
    facts, numbers = priors(given)
    lead = "{k} {k:class|classes}, {n} {n:example|examples} with a class. How usual is each class?"
    return note(lead, *facts, k=given.k, n=int(given.problem.labelled.sum()), **numbers)


def class_(given: Setting, s: State) -> Note:
    own = int((given.problem.codes == s.label).sum())
    return note("Next class: {v}, {n} {n:example|examples}.", v=named(given, s), n=own)


def mean(given: Setting, s: State) -> Note:
    lead = "The middle of class {v} is the mean of its examples in each column."
    return note(lead, *values(given, "μ", s.means[s.label]), v=named(given, s))


def values(given: Setting, letter: str, row: Float) -> list[Fact]:
    """Facts with the numbers of a class in the first columns."""
    titles = given.problem.titles[:COLUMNS]
    found = [
        Fact(f"{letter} of {verbatim(title)}", verbatim(number(float(value), 3)))
        for title, value in zip(titles, row, strict=False)
    ]
    return found


def spread(given: Setting, s: State) -> Note:
    lead = "How far do the examples of {v} lie from that middle? σ² is the mean of the squares."
    if given.p.variances == "shared" and s.label > 0:
        lead = (
            "How far do the examples of {v} lie from that middle? All classes so far share one σ²."
        )
    if (s.variances[s.label] <= given.least).any():
        lead += " Where all its values are equal, σ² is held above 0."
    rows = values(given, "σ", np.sqrt(s.variances[s.label]))
    return note(lead, *rows, WRONG, v=named(given, s), errors=s.errors)


def query(given: Setting, s: State) -> Note:
    facts, numbers = priors(given)
    lead = "Which class has the place {x}? Each class begins with its prior."
    x = Operand(tuple(s.query[:COLUMNS].tolist()), about="query")
    return note(lead, *facts, x=x, **numbers)


def factor(given: Setting, s: State) -> Note:
    j = s.column
    before = S(given, replace(s, used=j))
    density = np.exp(bell_logs(s.query[j], s.means[:, j], s.variances[:, j]))
    formulas, numbers = products(
        given, before, density, "N(x)", S(given, replace(s, used=len(s.query))), "query"
    )
    lead = "{column} = {x}: multiply by the height of each class's bell there."
    column: dict[str, Any] = {
        "column": Operand(given.problem.titles[j], about="query"),
        "x": Operand(float(s.query[j])),
    }
    return note(lead, *formulas, **column, **numbers)


def answer(given: Setting, s: State) -> tuple[Note, Choice]:
    return answered(given, S(given, s), s.errors)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the chance of every class."""
    return explained(given, given.logs(s, x[None])[0])
