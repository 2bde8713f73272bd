"""The words of a table: every column of numbers is a word with its counts, every text is cut into
words.
"""

import re

import numpy as np

from engine.base.arrays import Float
from engine.base.notation import label_text
from engine.table.problem import Problem

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")  # letters and digits, joined inside: don't, e-mail


def words_in(text: str) -> list[str]:
    """The words of a text in their order, in small letters; signs are left out."""
    return [word.casefold() for word in _WORD.findall(text)]


class Vocabulary:
    """The words of all columns, and what every value of a column holds of them.

    words: the V words, in the order in which they first come
    places: the number of each word
    """

    def __init__(self, problem: Problem) -> None:
        self.places = dict[str, int]()
        self._numbers = list[tuple[int, int]]()  # (column, word)
        self._texts = list[tuple[int, list[list[int]]]]()  # (column, words of each of its values)
        for j, feature in enumerate(problem.features):
            if feature.numeric or feature.categories in ((False, True), (0, 1)):
                self._numbers.append((j, self._place(feature.name.casefold())))
            else:
                values = [words_in(label_text(value)) for value in feature.categories]
                self._texts.append((j, [[self._place(w) for w in value] for value in values]))
        self.words = tuple(self.places) or ("",)

    def _place(self, word: str) -> int:
        return self.places.setdefault(word, len(self.places))

    def _has_word(self, texts: list[list[int]]) -> Float:
        """(values, V) how often each word comes in each text."""
        found = np.zeros((len(texts), len(self.words)))
        for value, places in enumerate(texts):
            np.add.at(found[value], places, 1.0)
        return found

    def counted(self, X: Float, members: Float) -> Float:
        """(V, c) how often each word comes in rows X (n, d), each row counted as often as `members`
        (n, c) say.
        """
        found = np.zeros((len(self.words), members.shape[1]))
        for j, w in self._numbers:
            found[w] += _known(X[:, j]) @ members
        for j, texts in self._texts:
            values = np.zeros((len(texts), members.shape[1]))
            seen = ~np.isnan(X[:, j])
            np.add.at(values, X[seen, j].astype(np.intp), members[seen])
            found += self._has_word(texts).T @ values
        return found

    def summed(self, X: Float, L: Float) -> Float:
        """(m, k) for rows X (m, d) the sum of L (V, k) over all their words; −∞ where a word that
        comes has −∞.
        """
        finite = np.where(np.isfinite(L), L, 0.0)
        never = (~np.isfinite(L)).astype(np.float64)
        total = np.zeros((len(X), L.shape[1]))
        vetoes = np.zeros_like(total)
        for j, w in self._numbers:
            times = _known(X[:, j])[:, None]
            total += times * finite[w]
            vetoes += times * never[w]
        for j, texts in self._texts:
            has_word = self._has_word(texts)
            rows = np.nan_to_num(X[:, j]).astype(np.intp)
            total += (has_word @ finite)[rows]
            vetoes += (has_word @ never)[rows]
        return np.where(vetoes > 0, -np.inf, total)


def _known(times: Float) -> Float:
    """(m,) counts, 0 where they are missing or below 0, as between the examples of a plane."""
    return np.maximum(np.nan_to_num(times), 0.0)
