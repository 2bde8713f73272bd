"""What naive Bayes for texts says: counts of words, their shares, products and chances."""

from typing import Any

from engine.algorithms.bayes.multinomial_bayes import Params, S, Setting, State, factors
from engine.algorithms.bayes.parts.classes import answered, explained, priors, products
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
    np,
    replace,
    short,
)
from engine.base.notation import cut, listed
from engine.base.tags import class_tag

SUMMARY = (
    "Takes a text as a bag of words: counts how often each word comes in each class, wherever it"
    " stands. A new text gets the class whose prior and words have the largest product."
)
WRONG = Fact("wrong examples", "{errors}")
NAMED = 6  # words that a sentence names


def chips(p: Params) -> tuple[str, ...]:
    return ("Laplace" if p.added == 1 else f"a = {short(p.added)}",)


def wording(p: Params) -> Mapping[str, str]:
    return {} if p.added else {"share": "  P(w|v) ← n[w,v] / Σn"}


def named(given: Setting, s: State) -> Operand:
    return Operand(given.problem.class_text(s.label), about=class_tag(s.label))


def vocab(given: Setting, s: State) -> Note:
    words = given.vocabulary.words
    lead = "{n} {n:text|texts} with a class, {V} different {V:word|words}: {words}."
    shown = ", ".join(map(cut, words[:NAMED])) + (", …" if len(words) > NAMED else "")
    return note(lead, n=int(given.problem.labelled.sum()), V=len(words), words=shown)


def class_(given: Setting, s: State) -> Note:
    return note("Next class: {v}.", v=named(given, s))


def prior(given: Setting, s: State) -> Note:
    rows = int((given.problem.codes == s.label).sum())
    n = int(given.problem.labelled.sum())
    law = Formula("P({v}) =", "{rows} / {n}", "{P}")
    P = Operand(float(s.prior[s.label]), digits=3)
    return note("How usual is class {v}?", law, v=named(given, s), rows=rows, n=n, P=P)


def words(given: Setting, s: State) -> Note:
    n = s.counts[:, s.label]
    often = [given.vocabulary.words[w] for w in np.argsort(-n, kind="stable")[:3] if n[w] > 0]
    lead = "Class {v} has {whole} {whole:word|words}, most often {often}."
    if not often:
        lead = "Class {v}: no word in its texts."
    whole = Operand(float(n.sum()), digits=-1)
    return note(lead, v=named(given, s), whole=whole, often=listed(often))


def shown_word(s: State) -> int:
    """The word whose share is written out: the first of the query, else the most usual one."""
    return int(s.order[0]) if len(s.order) else int(s.counts[:, s.label].argmax())


def share(given: Setting, s: State) -> Note:
    w = shown_word(s)
    n = s.counts[:, s.label]
    law = Formula("P({w}|{v}) =", "({n} + {a}) / ({whole} + {a} · {V})", "{P}")
    if not given.p.added:
        law = Formula("P({w}|{v}) =", "{n} / {whole}", "{P}")
    laws = (law,) if n.sum() + given.p.added > 0 else ()
    return note(
        "How usual is each word in class {v}? Here for “{w}”.",
        *laws,
        WRONG,
        v=named(given, s),
        w=cut(given.vocabulary.words[w]),
        n=Operand(float(n[w]), "n[w,v]", digits=-1),
        whole=Operand(float(n.sum()), "Σn", digits=-1),
        a=Operand(given.p.added, "a", digits=-1),
        V=Operand(len(n), "|V|"),
        P=Operand(float(s.shares[w, s.label]), about="words", digits=4),
        errors=s.errors,
    )


def query(given: Setting, s: State) -> Note:
    facts, numbers = priors(given)
    shown = [given.vocabulary.words[w] for w in s.order[:NAMED].tolist()]
    lead = "Which class has a text with the words {words}? Each class begins with its prior."
    if not shown:
        lead = "The text has no word that was seen: only the priors decide."
    if given.unknown:
        lead += " Left out, as no example has it: {unknown}."
    return note(lead, *facts, words=listed(shown), unknown=listed(given.unknown), **numbers)


def factor(given: Setting, s: State) -> Note:
    w = int(s.order[s.used - 1])
    before = S(given, replace(s, used=s.used - 1))
    formulas, numbers = products(
        given,
        before,
        factors(s, s.used - 1),
        "P(w|v)",
        S(given, replace(s, used=len(s.order))),
        "words",
    )
    lead = "“{word}”: multiply by how usual this word is in each class."
    if s.query[w] != 1:
        lead = "“{word}” comes {times} times: multiply by its share as often."
    said: dict[str, Any] = {
        "word": Operand(cut(given.vocabulary.words[w]), about="words"),
        "times": Operand(float(s.query[w]), digits=-1),
    }
    return note(lead, *formulas, **said, **numbers)


def answer(given: Setting, s: State) -> tuple[Note, Choice]:
    return answered(given, S(given, s), s.errors)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the chance of every class."""
    return explained(given, given.logs(s, x[None])[0])
