"""What a search finds, the best first: exact words of a title before its beginnings, titles before what is said of them."""

import re
from typing import NamedTuple


class Rank(NamedTuple):
    """The smaller the closer. close: how well the words fit; kin: of those that fit alike, the one of the family that is
    called so too, then the shorter title."""

    close: tuple[float, ...]
    kin: tuple[bool, int]


def rank(wanted: str, title: str, said: str = "", family: str = "") -> Rank | None:
    """How far `wanted` is from a thing called `title` of which `said` is known; None where one of its words is in neither.
    Of `said` and `family` only beginnings of words count."""
    asked, whole = wanted.casefold().replace("_", " ").split(), title.casefold()
    parts, words, kin = _words(title), _words(f"{said} {family}"), _words(family)
    grades = [_grade(word, whole, parts, words) for word in asked]
    found = [grade for grade in grades if grade is not None]
    if len(found) < len(asked):
        return None
    strange = not any(each.startswith(word) for word in asked for each in kin)
    return Rank((whole != " ".join(asked), max(found, default=0), sum(found)), (strange, len(title)))


def _grade(word: str, title: str, parts: set[str], said: set[str]) -> int | None:
    if word in parts:
        return 0
    if any(part.startswith(word) for part in parts):
        return 1
    if word in said:
        return 2
    if any(part.startswith(word) for part in said):
        return 3
    return 4 if word in title else None


def _words(text: str) -> set[str]:
    """Those that a hyphen joins whole and apart."""
    whole = text.casefold().replace("_", " ").split()
    return {part for word in whole for part in (word, word.strip("“”(),.;:"), *re.split(r"\W+", word)) if part}
