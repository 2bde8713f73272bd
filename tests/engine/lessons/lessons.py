"""Lessons for tests: made by hypothesis, and small ones by hand."""

import re
from random import Random

from hypothesis import strategies as st

from engine.lessons.lesson import (
    HIDDEN,
    LOCKED,
    Data,
    Digest,
    Lesson,
    LessonLane,
    Page,
    Task,
    TaskKind,
    View,
    Where,
)
from engine.protocol.step import Level

WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
NAMES = WORDS.filter(bool)
NUMBERS = st.floats(-1e9, 1e9)
PAIRS = st.just(()) | st.tuples(NUMBERS, NUMBERS)


def many(of: st.SearchStrategy, most: int = 3) -> st.SearchStrategy:
    return st.lists(of, max_size=most).map(tuple)


@st.composite
def tables(draw: st.DrawFn) -> Data:
    columns = draw(st.lists(WORDS, min_size=1, max_size=3).map(tuple))
    cell = WORDS | NUMBERS | st.integers(-(2**53), 2**53) | st.booleans()
    rows = draw(many(st.tuples(*[cell] * len(columns))))
    return Data(columns=columns, rows=rows, target=draw(WORDS))


DATA = tables() | st.builds(Data, name=WORDS) | st.builds(Data, file=WORDS)
SETTINGS = st.dictionaries(WORDS, WORDS, max_size=3).map(lambda d: tuple(d.items()))
LANES = st.builds(
    LessonLane, NAMES, SETTINGS, st.integers(0, 2**32 - 1), st.none() | DATA.filter(bool)
)
SPLIT = st.floats(0, 0.99) | many(st.integers(1, 99)).filter(bool)
VIEWS = st.builds(
    View,
    WORDS,
    SPLIT,
    st.integers(0, 99),
    PAIRS,
    many(WORDS, 2),
    st.sampled_from(Level),
    many(WORDS),
    PAIRS,
    PAIRS,
)
WHERES = st.builds(Where, st.integers(-1, 99), WORDS, WORDS, st.integers(1, 9), st.booleans())
TASKS = st.builds(
    Task,
    st.sampled_from(TaskKind),
    WORDS,
    many(WORDS | NUMBERS),
    st.none() | st.floats(0, 9),
    many(WORDS),
    WORDS,
    SETTINGS,
    WORDS,
    WORDS,
    WORDS,
    SETTINGS,
)
PAGES = st.builds(
    Page,
    WORDS,
    st.text(st.characters(exclude_categories=("Cs",)), max_size=60),
    WHERES,
    many(st.integers(1, 8)),
    many(WORDS),
    many(st.sampled_from(HIDDEN)),
    many(st.sampled_from(LOCKED)),
    WORDS,
    WORDS,
    st.none() | TASKS,
    st.none() | WHERES,
)
LESSONS = st.builds(
    Lesson,
    WORDS,
    WORDS,
    WORDS,
    WORDS,
    st.integers(1, 600),
    DATA,
    many(LANES),
    VIEWS,
    many(PAGES),
    st.none() | st.builds(Digest, WORDS, many(many(NUMBERS))),
)

SMALL = """
version = 1
title = "Small"
[data]
name = "spam"
[[lane]]
method = "perceptron"
[[page]]
title = "First"
text = "w is {w}"
[[page]]
event = "mistake"
number = 2
before = true
[page.task]
kind = "step"
[page.task.wrong]
"(0.5, 0.5, 0.5, 1, 0.5)" = "You added."
"""

PUT = (
    "", "", "-1", "9" * 30, '"', "[", "]", "\n[[page]]\n", "\n[[answer]]\n", "\n[data]\n", "{w}",
    "=", "nan", "inf", "true", "\\u0000", "..", "/", "\n", "0x" + "f" * 5000, "1e999", "open(1)",
)  # fmt: skip


VALUES = (
    "0", "-1", "3", "1e999", "nan", "true", '""', '"end"', '"class"', '"../x.csv"', "[]", "[[]]",
    "[1, 2]", '["a", "x1"]', "{ a = 1 }", "{}", "2026-11-29", '"""\n{w}\n"""', '"moons:9999:9"',
    '"decision_tree"', '"state"', '"number"', '"column"', "99999999999999999999", '"wrong() < 3"',
    '"place"', '"curve"', '"(1, 2)"', '"(1, 1e999)"',
)  # fmt: skip


PAIR = re.compile(r'[\w"]+ = (?!""")[^\[\n]*[^\[]')  # a key with a value on the same line


def mutated(text: str, random: Random) -> str:
    """The text after one to four changes, most of which leave it a TOML text: lines left out or
    with other values or keys, lines and letters replaced.
    """
    for _ in range(random.randint(1, 4)):
        lines = text.split("\n")
        pairs = [k for k, line in enumerate(lines) if PAIR.fullmatch(line)] or [0]
        at, other = random.choice(pairs), random.choice(pairs)
        key, value = lines[at].partition(" = ")[::2]
        way = random.random()
        if way < 0.2:
            lines[at : at + 1] = []
        elif way < 0.65:
            lines[at] = f"{key} = {random.choice(VALUES)}"
        elif way < 0.9:
            lines[at] = f"{lines[other].partition(' = ')[0]} = {value}"
        else:
            at = random.randrange(len(lines))
            begin = random.randint(0, len(lines[at]))
            end = begin + random.choice((0, 1, 3, 20))
            lines[at] = lines[at][:begin] + random.choice(PUT) + lines[at][end:]
        text = "\n".join(lines)
    return text
