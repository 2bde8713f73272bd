"""Sheets that tests of courses look at."""

from functools import cache
from typing import Any

import pytest

import engine
from engine.courses import Assignment, Sheet
from engine.courses.exercises import exercises
from engine.files.sources import Source
from engine.judge.questions import Ask
from engine.protocol.params import build
from engine.runs.run import Run, pace_of

every = pytest.mark.parametrize("algorithm", engine.algorithms().values(), ids=lambda a: a.key)
# names of columns that mean something to HTML, XML, Moodle or a path
HOSTILE = ["]]>", "<b>&amp;", "{1:MC:=yes}", "a\"b'c", "a/b", "\x00\x1b", "\ud800", "x" * 400]


def assignment(key: str, data: Any = None, **other: Any) -> Assignment:
    algorithm = engine.algorithm(key)
    table = data if data is not None else engine.textbook("restaurant")
    return Assignment(Source(table), algorithm, build(algorithm.params, {}), **other)


@cache
def of_example(key: str) -> Sheet:
    """The exercises about the example of an algorithm."""
    algorithm = engine.algorithm(key)
    problem = algorithm.example()
    run = Run(
        algorithm, problem, build(algorithm.params, {}), 0, pace_of(engine.Level.STEP, problem.n)
    )
    found = exercises(run, Ask(), 5, max_steps=120)
    return Sheet(1, 1, f"{algorithm.title} on its example", 0, run.trace, tuple(found))
