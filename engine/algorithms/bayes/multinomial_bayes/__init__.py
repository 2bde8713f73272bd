"""Naive Bayes for texts: how often every word comes in each class, wherever it stands. ML 6.13."""

from typing import Annotated

from engine.algorithms.bayes.multinomial_bayes.texts import Vocabulary, words_in
from engine.algorithms.bayes.parts.classes import Counted, lead, ln, winner
from engine.authoring import (
    LINEAR_ROWS,
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
vocab   round:  V ← all words of the examples
class   detail: for each class v:
prior   detail:   P(v) ← n[v] / n
words   detail:   n[w,v] ← how often w comes in v
share:            P(w|v) ← (n[w,v]+a) / (Σn + a|V|)
query   round:  at a text x: S(v) ← P(v)
factor:           for each word: S(v) ← S(v) P(w|v)
answer  round:  return the v of the largest S(v)
"""
ADDED = "a in every count: 1 keeps a word that was never seen from ruling a class out; 0: none"
QUERY = "a text; words that no example has are left out. Empty: the first row"


class Params(Record, eq=True):
    added: Annotated[float, Range(0, 10), Label("Added a"), Help(ADDED)] = 1.0
    query: Annotated[str, Label("Query"), Help(QUERY)] = ""


class State(Record):
    """The model is `shares` and `prior`; the other fields are the query and what this step shows.

    counts: (V, k) n[w,v]
    shares: (V, k) P(w|v), NaN for classes not counted yet
    prior: (k,) P(v)
    query: (V,) how often each word comes in x
    order: (q,) the words of x, in their order
    used: how many of them are multiplied
    label: the class that is counted, or −1
    errors: examples that get another class than their own
    """

    counts: Float
    shares: Float
    prior: Float
    query: Float
    order: Int
    used: int
    label: int
    errors: int


class Setting(Counted):
    """The words of the table, and those of the query."""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the columns, with what each text of a column holds."""
        return Vocabulary(self.problem)

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The words of the query that no example has."""
        places = self.vocabulary.places
        return tuple(dict.fromkeys(w for w in words_in(self.p.query) if w not in places))

    @cached_property
    def query_words(self) -> tuple[Int, Float]:
        """(words of x in their order (q,), how often each word comes in x (V,))."""
        V = len(self.vocabulary.words)
        if self.p.query.strip():
            places = self.vocabulary.places
            found = [places[w] for w in words_in(self.p.query) if w in places]
            times = np.bincount(np.array(found, np.intp), minlength=V).astype(np.float64)
            return np.array(list(dict.fromkeys(found)), np.intp), times
        row = self.problem.X[0] if self.problem.query is None else self.problem.query
        times = self.vocabulary.counted(row[None], np.ones((1, 1)))[:, 0]
        return np.flatnonzero(times), times

    def logs(self, s: State, X: Float) -> Float:
        """(m, k) ln S(v) of rows X (m, d), over the classes counted so far; the others have −∞."""
        known = ~np.isnan(s.shares[0])
        terms = self.vocabulary.summed(X, ln(np.where(known, s.shares, 1.0)))
        return np.where(known, ln(s.prior) + terms, -np.inf)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    k = given.k
    V = len(given.vocabulary.words)
    order, times = given.query_words
    s = State(
        counts=frozen(np.zeros((V, k))),
        shares=frozen(np.full((V, k), np.nan)),
        prior=given.prior,
        query=frozen(times),
        order=frozen(order, np.intp),
        used=0,
        label=-1,
        errors=int(given.problem.labelled.sum()),
    )
    yield from at("vocab", s)
    for v in range(k):
        yield None
        s = yield from one_class(given, at, replace(s, label=v))
    s = replace(s, label=-1)
    yield from at("query", s)  # S(v) ← P(v)
    for number in range(len(s.order)):
        s = replace(s, used=number + 1)  # S(v) ← S(v) · P(w|v), as often as w comes, see `S`
        yield from at("factor", s)
    best = winner(S(given, s)[None])[0]
    yield from at("answer", s, *when(none=best < 0))


def one_class(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state with the shares of all words in class `s.label`."""
    v = s.label
    yield from at("class", s)
    yield from at("prior", s)  # P(v) ← n[v] / n, see `Counted.prior`
    n = given.vocabulary.counted(given.problem.X, given.members[:, [v]])[:, 0]
    s = replace(s, counts=with_column(s.counts, v, n))
    yield from at("words", s)
    s = replace(s, shares=with_column(s.shares, v, shares_of(n, given.p.added)))
    s = replace(s, errors=given.wrong(given.logs(s, given.problem.X)))
    yield from at("share", s)
    return s


def shares_of(n: Float, a: float) -> Float:
    """(V,) P(w|v) = (n[w] + a) / (Σ n + a |V|); even where there are neither words nor a."""
    whole = n.sum() + a * len(n)
    return (n + a) / whole if whole else np.full(len(n), 1 / len(n))


def with_column(table: Float, v: int, column: Float) -> Float:
    """The table (V, k) with another column v."""
    changed = table.copy()
    changed[:, v] = column
    return frozen(changed)


def factors(s: State, number: int) -> Float:
    """(k,) what the word of x with this number multiplies S(v) by: P(w|v), as often as it
    comes.
    """
    w = int(s.order[number])
    return np.asarray(s.shares[w] ** s.query[w])


def S(given: Setting, s: State) -> Float:
    """(k,) ln S(v) of the query by the words used so far."""
    found = ln(s.prior).copy()
    for w in s.order[: s.used].tolist():
        found += s.query[w] * ln(s.shares[w])
    return found


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices of rows X (m, d); −1 where every product is 0."""
    return winner(given.logs(s, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    """ln S of each class (m, k); of two classes (m,) the first less the second."""
    return lead(given.logs(s, X))


def example() -> Problem:
    """Six short texts in three groups."""
    texts = ["the goal of the team", "a late goal", "the rocket and the moon"]
    texts += ["a rocket to mars", "salt and a pan", "heat the pan"]
    group = ["sport"] * 2 + ["space"] * 2 + ["kitchen"] * 2
    return prepare(Dataset.from_columns({"text": texts, "group": group}, "group"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Naive Bayes, words of a text",
    task=Task.CLASSIFY,
    source=("ML 6.13",),
    needs=Needs(min_classes=2, counts=True, sample=LINEAR_ROWS),
    curves=(Curve("errors", "wrong examples", of_n=True, digits=0),),
    events=("none",),
)
