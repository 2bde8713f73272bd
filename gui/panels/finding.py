"""What a search finds, the best first: exact words of a title before its beginnings, titles before what is said of them."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
Rank = tuple[float, ...]


def closeness(wanted: str, title: str, said: str = "") -> Rank | None:
    """How far `wanted` is from a thing called `title` of which `said` is known, the smaller the closer; None where one of
    its words is in neither. In `said` only beginnings of words count."""
    words, parts = _words(said), _words(title)
    asked = wanted.casefold().split()
    grades = [_grade(word, title.casefold(), parts, words) for word in asked]
    if None in grades:
        return None
    known = [float(grade) for grade in grades if grade is not None]
    exact = title.casefold() == " ".join(asked)
    missed = sum(word not in words for word in asked)  # of two that are called so, the one of which it is said too
    return (float(not exact), max(known, default=0.0), sum(known), float(missed))


def found(wanted: str, things: Iterable[T], names: Callable[[T], tuple[str, str]]) -> list[tuple[Rank, T]]:
    """The things that fit, each with its rank; `names` gives title and description."""
    ranked = [(closeness(wanted, *names(thing)), thing) for thing in things]
    return [(rank, thing) for rank, thing in ranked if rank is not None]


def _words(text: str) -> set[str]:
    """Also those that a hyphen joins, whole and apart."""
    whole = text.casefold().replace("_", " ").split()
    return {part for word in whole for part in (word, word.strip("“”(),.;:"), *re.split(r"[\W]+", word)) if part}


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
