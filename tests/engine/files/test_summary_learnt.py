"""What `run` prints of a model: the book's tree, weights that part the examples, and never too many
lines.
"""

import re

import pytest

import engine
from engine.base.notation import read_number
from engine.files.summary import MOST, learnt_lines

NUMBER = re.compile(r"−?[\d.]+")


def learnt(key: str, data: engine.Dataset, **params: object) -> list[str]:
    trace = engine.run(key, data, **params)
    return learnt_lines(trace.algorithm.scene(trace.given, trace[-1]).figures)


def test_the_restaurants_tree_is_the_books() -> None:
    """AIMA figure 18.6, branch by branch."""
    lines = learnt("decision_tree", engine.textbook("restaurant"))
    bare = [re.sub(r" \(.*\)", "", line) for line in lines]
    assert bare[:5] == ["Tree", "  Patrons", "    None: No", "    Some: Yes", "    Full: Hungry"]
    assert {
        "      No: No",
        "      Yes: Type",
        "        French: Yes",
        "        Italian: No",
        "        Burger: Yes",
    } <= set(bare)
    assert {"        Thai: Fri", "          Yes: Yes", "          No: No"} <= set(bare)
    assert len(bare) == 1 + 12


def test_the_perceptrons_weights_part_the_examples() -> None:
    lines = learnt("perceptron", engine.textbook("and"), threshold="learned")
    first, second, theta = (read_number(NUMBER.findall(line)[-1]) for line in lines[1:])
    for a in (0, 1):
        for b in (0, 1):
            assert (first * a + second * b - theta > 0) == bool(a and b)


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(engine.algorithms()))
def test_every_method_is_reported_in_few_lines(key: str) -> None:
    algorithm = engine.algorithms()[key]
    trace = engine.run(key, algorithm.example(), max_steps=200)
    lines = learnt_lines(trace.algorithm.scene(trace.given, trace[-1]).figures)
    assert len(lines) <= MOST + 2
    assert all(line.strip() for line in lines)


def test_a_large_tree_breaks_off_and_says_so() -> None:
    lines = learnt("decision_tree", engine.generate("moons", 400, 1.0))
    assert len(lines) == MOST + 2
    assert re.fullmatch(r"  … and \d+ more lines", lines[-1])
