"""The words by class, those that tell most first; the chances of the query; the examples."""

from engine.algorithms.bayes.multinomial_bayes import S, Setting, State, predict
from engine.algorithms.bayes.multinomial_bayes.words import shown_word
from engine.algorithms.bayes.parts.classes import ln, step_bars
from engine.authoring import Int, Step, np, replace
from engine.base.notation import counted, cut
from engine.base.tags import class_tags
from engine.scene.scene import Field, Figure, Matrix, Scene, data_points, data_table

LISTED = 18  # words in the table
NAMED = 6  # words of a query in the title


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    before = S(given, replace(s, used=max(0, s.used - 1)))
    used, whole = s.used, len(s.order)
    bars = step_bars(given, step.line, S(given, s), before, used, whole, s.label)
    words = word_matrix(given, s, step.line)
    if step.line == "query":
        words = replace(words, title=asked(given, s))
    if step.line == "vocab":
        count = counted(len(given.vocabulary.words), "different word")
        words = replace(words, title=f"Words: {count} in {counted(problem.n, 'text')}")
    figures: list[Figure] = [words, bars]
    figures.append(data_table(problem, tag="rows"))
    leads = ("Words", "Chances")
    if not problem.plane:
        return Scene((), tuple(figures), leads=leads)
    points = data_points(problem, predict(given, s, problem.X))
    return Scene((Field("class", boundary=True), points), tuple(figures), leads=leads)


def asked(given: Setting, s: State) -> str:
    """The title of the table of words that names those of the query."""
    words = [cut(given.vocabulary.words[w]) for w in s.order[:NAMED].tolist()]
    more = len(s.order) - len(words)
    return "Words: asked are " + ", ".join(words) + (f" and {more} more" if more else "")


def word_matrix(given: Setting, s: State, line: str) -> Matrix:
    """P(w|v): a row for each listed word, the query's first and then those whose shares differ most
    between the classes; a column for each class, empty while it is not counted.
    """
    rows = listed_words(s)
    known = s.label >= 0
    now = shown_word(s) if known else int(s.order[s.used - 1]) if line == "factor" else -1
    at = np.flatnonzero(rows == now)
    columns = (s.label,) if known else range(given.k)
    active = tuple((int(r), c) for r in at for c in columns)
    names = given.vocabulary.words
    return Matrix(
        "Words: P(w|v)",
        tuple(cut(names[w]) + times(s, w) for w in rows.tolist()),
        given.problem.class_names,
        s.shares[rows],
        active,
        digits=3,
        x_label="class v",
        row_tags=("words",) * len(rows),
        column_tags=class_tags(given.k),
    )


def times(s: State, word: int) -> str:
    """How often a word is to be multiplied, where that is more than once; "" before any is."""
    return f" × {s.query[word]:g}" if s.used and s.query[word] > 1 else ""


def listed_words(s: State) -> Int:
    """The numbers of the words in the table; those of the query alone once they are multiplied."""
    known = ~np.isnan(s.shares[0])
    if known.sum() < 2:
        differ = s.counts.max(axis=1)
    else:
        L = np.maximum(ln(s.shares[:, known]), -50.0)
        differ = L.max(axis=1) - L.min(axis=1)
    first = s.order[:LISTED]
    if s.used and len(first):
        return first  # only these are multiplied
    others = [w for w in np.argsort(-differ, kind="stable").tolist() if w not in first]
    return np.array([*first.tolist(), *others][:LISTED], np.intp)
