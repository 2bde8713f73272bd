"""How closely the words of a search match a thing's title, other names and description."""

import re
from functools import lru_cache
from typing import NamedTuple

SHORTEST_SLIP = 4  # letters: with one letter changed a shorter word is often another word
KNOWN = 4096  # cached texts: more than the lab has titles, other names and descriptions
_FIRST_AS_GIVEN = 0.5  # another name, word for word: behind the title itself
_BEGUN = 1.5  # the beginning of another name
# separators of words: all marks except a point within a number
_PIECES = re.compile(r"[^\w.]+|(?<!\d)\.|\.(?!\d)")


class Rank(NamedTuple):
    """A sort key: the smaller, the closer.

    close: how well the words match;
    kin: decides between equal matches: a thing whose family matches too, then the shorter title.
    """

    close: tuple[float, ...]
    kin: tuple[bool, int]


def rank(
    wanted: str,
    title: str,
    said: str = "",
    family: str = "",
    also: str = "",
    *,
    slips: bool = False,
) -> Rank | None:
    """The rank of a thing in the search for `wanted`; None if one of its words matches nothing.

    title: matches anywhere in it;
    said, family: its description; only whole words and beginnings of words match;
    also: other names, separated by commas;
    slips: whether one letter may differ from a word of the title or of another name.
    """
    words = wanted.casefold().replace("_", " ").split()
    whole = title.casefold()
    known = _Known(whole, _words(title), _words(also), _words(f"{said} {family}"), slips)
    grades = [_grade(word, known) for word in words]
    found = [grade for grade in grades if grade is not None]
    if len(found) < len(words):
        return None
    phrase = " ".join(words)
    kin = _words(family)
    strange = not any(each.startswith(word) for word in words for each in kin)
    if whole != phrase and phrase in _names(also):
        return Rank((False, _FIRST_AS_GIVEN, _FIRST_AS_GIVEN), (strange, len(title)))
    return Rank((whole != phrase, max(found, default=0), sum(found)), (strange, len(title)))


class _Known(NamedTuple):
    """What is known of a thing: its title, and the words of title, other names and description."""

    title: str
    parts: frozenset[str]
    others: frozenset[str]
    said: frozenset[str]
    slips: bool


def _grade(word: str, known: _Known) -> float | None:
    """The distance of a word, from 0 (a word of the title) to 5 (a slip); None if it matches
    nothing.

    A word with a hyphen that does not match whole gets the worst grade of its pieces.
    """
    found = _grade_whole(word, known)
    pieces = [piece for piece in re.split(r"[-–/+]+", word) if piece]
    if found is not None or pieces in ([], [word]):
        return found
    grades = [_grade_whole(piece, known) for piece in pieces]
    return None if None in grades else max(grade for grade in grades if grade is not None)


def _grade_whole(word: str, known: _Known) -> float | None:
    if word in known.parts:
        return 0
    if word in known.others:
        return _FIRST_AS_GIVEN
    if any(part.startswith(word) for part in known.parts):
        return 1
    if any(part.startswith(word) for part in known.others):
        return _BEGUN
    if word in known.said:
        return 2
    if any(part.startswith(word) for part in known.said):
        return 3
    if word in known.title:
        return 4
    if known.slips and any(is_slip(word, part) for part in known.parts | known.others):
        return 5
    return None


def is_slip(word: str, meant: str) -> bool:
    """Whether `word` is `meant`, or a beginning of it, but for one slip at most.

    A slip is one letter too many, too few or wrong, or two neighbours exchanged. Short words and
    words that are not all letters are never slips.
    """
    if len(word) < SHORTEST_SLIP or not word.isalpha():
        return False
    return any(
        _one_edit(word, meant[:length]) for length in {len(word) - 1, len(word), len(word) + 1}
    )


def _one_edit(one: str, other: str) -> bool:
    """Whether at most one insertion, deletion, replacement or exchange of neighbours turns `one`
    into `other`.
    """
    at = next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    one = one[at:]
    other = other[at:]
    changed = one[1:] == other[1:] or one[1:] == other or one == other[1:]
    return changed or (one[:2] == other[1::-1] and one[2:] == other[2:])


def _names(also: str) -> frozenset[str]:
    return frozenset(name.strip() for name in also.casefold().split(","))


@lru_cache(KNOWN)
def _words(text: str) -> frozenset[str]:
    """The words of a text, in lower case: hyphenated ones whole and in pieces, numbers such as 18.2
    whole.

    Cached: the search reads the same titles and descriptions at every letter that is typed.
    """
    whole = text.casefold().replace("_", " ").split()
    return frozenset(
        part
        for word in whole
        for part in (word, word.strip("“”(),.;:"), *_PIECES.split(word))
        if part
    )
