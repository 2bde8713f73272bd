"""A round without a word: from one mistake to the next."""

from engine.algorithms.margins.kernel_perceptron import Setting, State
from engine.authoring import Work, replace


def one_round(given: Setting, s: State, *_: object) -> Work[State]:
    counts = s.counts.copy()
    scores = s.scores.copy()
    sizes = s.sizes.copy()
    rows = given.rows
    while (wrong := given.wrong(scores, sizes)[rows]).any():
        first = int(wrong.argmax())
        i = int(rows[first])
        rows = rows[first + 1 :]
        K, size = given.terms(i)
        counts[i] += 1
        scores += given.sign[i] * K
        sizes += size
        yield
    return replace(s, **given.counted(counts, scores, sizes), current=int(given.rows[-1]))
