"""Nothing ever says “1 leaves hold”: one thing has no plural, in no note, fact, formula, choice,
notice or remark.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.base.notation import counted, cut, listed, plural, quoted
from engine.base.records import field_names, is_record
from engine.protocol.params import build, params_fields
from engine.protocol.step import Fact, note, verbatim
from engine.runs.run import Run
from tests.engine.digests import fewer

# steps of a run; of one over a table of one to three rows, which soon says the same again
MOST, FEW = 400, 30
# a 1 that counts: not 11, 0.1, −1, x₁, 1/3, 1·10³, “1 to 5”, “step 1 finds”
ONE = re.compile(r"(?<![\w.,·/^−+=≤≥<>#–-])(?<![=≤≥<>−+·×/] )1 ((?:[a-z-]+ )?)([A-Za-z-]+)\b(?! 1)")
# nouns that stand alone in the pages: of the window, of the tables, of the books
FEW_NOUNS = (
    "attributes boundaries boxes categories components cuts degrees errata features groups"
    " hypotheses layers letters moves perceptrons places planes products queries remarks squares"
    " stumps updates words"
)
# "line 1 fits better"
ALSO_VERBS = {"changes", "estimates", "fits", "looks", "names", "shares", "starts", "ties"}
ONE_OR_MORE = re.compile(r"\{\w+:([^{}|]*)\|([^{}|]*)\}")
COUNTED = re.compile(r"""(?:counted|plural)\(.*?, ["']([\w ]+)["'](?:, ["']([\w ]+)["'])?\)""")


@cache
def nouns() -> re.Pattern[str]:
    """Any noun that the engine counts: what stands for several in '{n:row|rows}', and in
    counted(n, "row").
    """
    found = set(FEW_NOUNS.split())
    for path in Path(engine.__file__).parent.rglob("*.py"):
        source = path.read_text("utf-8")
        for one, several in ONE_OR_MORE.findall(source):
            found |= set(re.findall(r"[a-z]+", several.lower())) - set(one.lower().split())
        for one, several in COUNTED.findall(source):
            found.add((several or f"{one}s").split()[-1])
    words = (
        word for word in found - ALSO_VERBS if word.endswith(("s", "errata")) and len(word) > 2
    )
    return re.compile("|".join(sorted(words)), re.IGNORECASE)


VERBS = ("are", "were", "have", "hold", "lie", "vote", "weigh", "do", "go", "measure", "disagree")


def slips(text: str) -> list[str]:
    """Where a sentence gives a single thing a plural."""
    found = [
        m[0]
        for m in ONE.finditer(text)
        if nouns().fullmatch(m[2]) or nouns().fullmatch(m[1].strip())
    ]
    found += [
        m[0]
        for m in re.finditer(rf"(?<![\w.−·/])1 (?!may |can )[a-z]+ (?:{'|'.join(VERBS)})\b", text)
    ]
    found += re.findall(
        r"\b[Tt]here are 1\b(?![.,]\d)|(?<![<>=≤≥] )(?<![\w.])1 (?:are|were|have)\b|\b[Aa]ll"
        r" 1\b(?![.,]\d)",
        text,
    )
    return found


def test_the_test_knows_a_slip() -> None:
    for text in (
        "All 1 steps are taken.",
        "1 leaves hold the examples",
        "1 mistakes",
        "there are 1",
        "1 wrong points",
        "all 1 hypotheses",
    ):
        assert slips(text), text
    for text in (
        "1 leaf holds them",
        "11 leaves hold",
        "0.1 bits",
        "x1 examples",
        "1/3 of 12 rows",
        "1 more in each",
    ):
        assert not slips(text), text


def words(value: Any) -> Iterator[str]:
    """Every text in a scene, a choice or a note."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from words(item)
    elif isinstance(value, (tuple, list)) and len(value) < 5000:
        for item in value:
            yield from words(item)
    elif is_record(value) and not isinstance(value, type):
        for name in field_names(value):
            yield from words(getattr(value, name))


def said(algorithm: Any, problem: Any, params: Any, scenes: int, most: int = MOST) -> Iterator[str]:
    """All that a run of `algorithm` says: its steps, and the pictures of about `scenes` of them."""
    run = Run(algorithm, problem, params, 0)
    run.advance(max_steps=most)
    yield from problem.notices
    yield from algorithm.chips(params) if algorithm.chips is not None else ()
    steps = list(run.trace)
    for k, step in enumerate(steps):
        yield from step.note.lines()
        if step.choice is not None:
            yield from (step.choice.prompt, step.choice.rule)
            yield from (
                text for option in step.choice.options for text in (option.label, option.detail)
            )
        if k % max(1, len(steps) // scenes) == 0 or k == len(steps) - 1:
            yield from words(algorithm.scene(run.trace.given, step).figures)
            if algorithm.explain is not None and problem.n and problem.d:
                explained = algorithm.explain(run.trace.given, step.state, problem.X[0])
                yield from explained.note.lines() if explained is not None else ()


ALGORITHMS = list(engine.algorithms().values())


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.key)
def test_no_example_gives_one_thing_a_plural(algorithm: Any) -> None:
    problem = algorithm.example()
    found = {
        slip: text
        for text in said(algorithm, problem, algorithm.params(), 6)
        for slip in slips(text)
    }
    assert found == {}


@cache
def tables() -> dict[str, engine.Dataset]:
    """Tables of one row, one column, one class, one of everything."""
    one = engine.Dataset.from_arrays
    return {
        "one row": one([[0.5, 1.5]], ["a"]),
        "one row, one column": one([[0.5]], ["a"]),
        "one column": one([[0.0], [1.0], [3.0]], ["a", "b", "b"]),
        "one class": one([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]], ["a", "a", "a"]),
        "two rows": one([[0.0, 0.0], [1.0, 2.0]], [1, -1]),
        "two columns of bits": engine.Dataset.from_columns({"p": [0, 1], "y": [False, True]}, "y"),
        "two rows at one place": one([[1.0, 1.0], [1.0, 1.0]], [1, -1]),
        "one number to predict": one([[0.0]], [2.5], task="regress"),
        "two numbers to predict": one([[0.0], [1.0]], [2.5, 1.5], task="regress"),
        "one word": engine.Dataset.from_columns({"p": ["u"], "y": ["no"]}, "y"),
        "three words": engine.Dataset.from_columns(
            {"p": ["u", "v", "v"], "y": ["no", "yes", "yes"]}, "y"
        ),
        "three classes": one([[0.0], [1.0], [2.0]], ["a", "b", "c"]),
        "one category": engine.Dataset.from_columns(
            {"p": ["u"] * 3, "q": ["v"] * 3, "y": ["no", "yes", "yes"]}, "y"
        ),
        "one row of bits": engine.Dataset.from_columns({"p": [1], "y": [True]}, "y"),
        "three rows of bits": engine.Dataset.from_columns(
            {"p": [0, 1, 1], "q": [1, 0, 1], "y": [False, True, True]}, "y"
        ),
        "three numbers to predict": one(
            [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [2.5, 1.5, 2.0], task="regress"
        ),
        "a gap": engine.Dataset.from_columns(
            {"p": ["u", "v", ""], "q": [1.0, 2.0, np.nan], "y": ["no", "yes", "yes"]}, "y"
        ),
        "no target": engine.Dataset.from_columns(
            {"p": [0.0, 1.0, 1.5], "q": [1.0, 0.0, 2.0]}, None
        ),
    }


def ones(algorithm: Any) -> dict[str, int]:
    """Every parameter that counts something at 1, as far as the method takes that: members, k,
    depth, rounds, splits.
    """
    found: dict[str, int] = {}
    for field in params_fields(algorithm.params):
        try:
            if field.kind == "int":
                build(algorithm.params, fewer(algorithm) | found | {field.name: 1})
                found[field.name] = 1
        except EngineError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("few_digits")
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.key)
def test_no_small_table_gives_one_thing_a_plural(algorithm: Any) -> None:
    """Every second table, the next method the others."""
    texts: dict[str, str] = {}  # each is read once; where it was found
    once = ones(algorithm)
    for name, table in list(tables().items())[ALGORITHMS.index(algorithm) % 2 :: 2]:
        try:
            problem = engine.run(algorithm.key, table, max_steps=1).problem
        except EngineError as sentence:
            texts[str(sentence)] = name
            continue
        for params in [{}, *[once] * bool(once)]:
            try:
                texts |= dict.fromkeys(
                    said(
                        algorithm,
                        problem,
                        build(algorithm.params, fewer(algorithm) | params),
                        4,
                        FEW,
                    ),
                    name,
                )
            except EngineError as sentence:
                texts[str(sentence)] = name
    assert [(name, text) for text, name in texts.items() if slips(text)] == []


def test_words_agree_with_the_number_as_it_is_read() -> None:
    lead = "{n:|All }{n} {n:leaf holds|leaves hold} {m} {m:row|rows}."
    assert note(lead, n=1, m=2).text() == "1 leaf holds 2 rows."
    assert note(lead, n=np.int64(3), m=1.0).text() == "All 3 leaves hold 1 row."
    assert note("{a} {a:part|parts}", a=0).text() == "0 parts"
    assert note("", Fact("left", "{a} {a:part|parts}"), a=1).lines()[1] == "left: 1 part"


def test_a_name_that_looks_like_a_place_stays_a_name() -> None:
    name = "{n:one|two}"
    assert note(f"{verbatim(name)}: {{n}} {{n:row|rows}}", n=1).text() == f"{name}: 1 row"


def test_counts_and_their_nouns() -> None:
    assert [counted(n, "row") for n in (0, 1, 2, 2000)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "2,000 rows",
    ]
    assert (
        counted(1, "class", "classes") == "1 class"
        and counted(3, "class", "classes") == "3 classes"
    )
    assert plural(1, "is", "are") == "is" and plural(2, "is", "are") == "are"


def test_names_are_cut_at_sixty_letters() -> None:
    assert quoted("a" * 60) == f"“{'a' * 60}”"
    assert quoted("a" * 61) == f"“{'a' * 59}…”"
    assert cut("two\nlines") == "two lines"
    assert listed("abc") == "a, b, c"
    assert listed(["n" * 100] * 5) == ", ".join([f"{'n' * 59}…"] * 2) + " and 3 more"
    assert listed(range(20)).endswith(", 11 and 8 more")
