"""What is read over a figure and beside a parameter is words: code and formulas stand in
pseudo-code and on axes.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

import engine
from engine.protocol.params import params_fields
from engine.scene.views import views
from tests.engine.test_contract import every, fewer, is_experiment, quick, record

__all__ = ["quick"]  # a fixture

MOST = 24  # steps of a run, of which every fifth and the last are looked at
WORD = r"[^\W\d_]{2,}(-[^\W\d_]+)*"
NAME = r"k-(d|means)"
SYMBOL = r"[^\W\d_][₀-₉⁺⁻]*"  # one letter, as in “Rate η”
SMALL = {
    "and",
    "against",
    "at",
    "by",
    "for",
    "from",
    "in",
    "of",
    "on",
    "or",
    "over",
    "the",
    "to",
    "with",
    "when",
}


def is_words(title: str, data: frozenset[str] = frozenset()) -> bool:
    """Whether it begins with a word in a capital letter, or a name of the field, and holds nothing
    but words, letters that stand for a number and what the data are called; a letter alone beside
    “over” or “by” names nothing.
    """
    first, *rest = (part.removesuffix(",").removesuffix(":") for part in title.split())
    begins = bool((re.fullmatch(WORD, first) and first[0].isupper()) or re.fullmatch(NAME, first))
    known = (bool(re.fullmatch(f"{WORD}|{SYMBOL}|%", part)) or part in data for part in rest)
    telling = [part for part in (first, *rest) if len(part) > 1 and part.lower() not in SMALL]
    return (
        begins
        and all(known)
        and (bool(telling) or not any(re.fullmatch(SYMBOL, part) for part in rest))
    )


@pytest.mark.parametrize(
    "title",
    [
        "Rate η",
        "Weights w",
        "k-d tree",
        "Floor of n⁻",
        "Start w, b",
        "Rows in a bag, %",
        "Multi-way tests",
        "From",
    ],
)
def test_words_are_words(title: str) -> None:
    assert is_words(title)


@pytest.mark.parametrize(
    "title",
    [
        "sum",
        "E + α c",
        "law",
        "K",
        "Entropy B(q)",
        "g of hidden units",
        "Limit of |G|",
        "Over K",
        "max_depth",
        "S and G",
        "Tests A = v",
        "Memberships E[z]",
        "When w · x = 0",
    ],
)
def test_code_is_not(title: str) -> None:
    assert not is_words(title)


@every
def test_parameters_are_called_by_words(algorithm: Any) -> None:
    assert [f.label for f in params_fields(algorithm.params) if not is_words(f.label)] == []


def settings(algorithm: Any) -> Iterator[dict[str, Any]]:
    """The default parameters, and each option of each choice beside them."""
    yield fewer(algorithm)
    for field in params_fields(algorithm.params):
        others = (
            field.options
            if field.kind == "choice"
            else (not field.default,)
            if field.kind == "bool"
            else ()
        )
        for option in others:
            if option != field.default:
                yield {**fewer(algorithm), field.name: option}


def names_of(problem: Any) -> frozenset[str]:
    """What the data call their classes, columns and rows."""
    called = [
        *problem.classes,
        *(f.title for f in problem.features),
        *(f.name for f in problem.features),
        *problem.names,
    ]
    return frozenset(part for name in map(str, called) for part in name.split())


@pytest.mark.slow
@every
def test_views_are_called_by_words(algorithm: Any) -> None:
    found, data = set[str](), frozenset({"+"})  # a class of rows that the method makes itself
    problem = algorithm.example()
    most = 5 if is_experiment(algorithm) else MOST
    for params in settings(algorithm):
        try:
            trace = record(algorithm, problem, most=most, **params)
        except engine.EngineError:
            continue  # an option that these data do not take
        for step in [*trace[::5], trace[-1]]:
            found |= set(views(algorithm.scene(trace.given, step), problem))
        data |= names_of(getattr(trace.given, "problem", problem))
    assert found and sorted(name for name in found if not is_words(name, data)) == []
