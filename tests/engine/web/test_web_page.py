"""The page that steps, of every method and experiment: whole, small, and alone in the world."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import as_xml, check, unpacked

import engine
from engine.base.errors import EngineError
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.step import Level, Pace
from engine.runs.run import run_problem
from engine.runs.trace import Trace
from engine.sources.generators import generate
from engine.web.lanes import page_of as lanes_page
from engine.web.page import Shown, chips_of, page, style
from gui.look.theme import DARK, LIGHT
from tests.benchmarks.paging import page_of

ALGORITHMS = list(engine.algorithms().values())
MOST = 1_000_000  # bytes
TOKENS = (
    "window", "dock", "plane", "line", "strong", "ink", "ink2", "ink3", "sel", "sel_ink", "hover",
    "grid", "now", "now_soft",
    "ghost", "error",
)  # fmt: skip


@cache
def perceptron() -> Trace:
    X = np.array([[2.0, 1.0], [1.0, 2.5], [-1.0, -0.5], [-2.0, -1.5], [1.5, -0.25], [-0.5, 1.0]])
    return engine.run("perceptron", (X, np.array([1, 1, -1, -1, 1, -1])), pace=Pace(Level.STEP))


def made(trace: Trace, **more: Any) -> str:
    return page([Shown(trace, "points", chips_of(trace))], **more)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.key)
def test_every_method_makes_a_whole_page(algorithm: Any) -> None:
    trace = run_problem(algorithm.key, algorithm.example(), pace=Pace(Level.STEP), max_steps=15)
    run = check(made(trace))
    steps = run["lanes"][0]["steps"]
    assert len(steps) == len(trace.indices(Level.STEP))
    assert all(any(step["v"]) for step in steps)
    assert all(step["l"] >= 0 for step in steps)


# The largest pages, of different kinds of picture; `python -m tests.benchmarks paging` makes those
# of all methods.
LARGEST = ("hinge_descent", "adaboost")


@pytest.mark.sweep
@pytest.mark.parametrize("key", LARGEST)
def test_two_hundred_steps_at_five_hundred_points_stay_under_a_megabyte(key: str) -> None:
    assert len(page_of(key).encode()) < MOST


def test_equal_parts_are_kept_once() -> None:
    """The grid and the points of a plane are those of the first step at the last one too."""
    run = unpacked(made(perceptron()))
    steps = run["lanes"][0]["steps"]
    shared = set(steps[0]["v"][0]) & set(steps[-1]["v"][0])
    assert any('class="gr"' in run["parts"][k] for k in shared)


def test_the_page_says_what_the_steps_say() -> None:
    trace = perceptron()
    run = unpacked(made(trace))
    for step, place in zip(run["lanes"][0]["steps"], trace.indices(Level.STEP), strict=True):
        assert "".join(as_xml(run["parts"][step["t"]]).itertext()) == trace[place].note.text()
        assert (
            run["lanes"][0]["code"][step["l"]][1]
            == dict(trace.algorithm.code_lines(trace.params))[trace[place].line].strip()
        )


def test_a_range_of_steps_and_rounds() -> None:
    trace = perceptron()
    run = unpacked(made(trace, steps=range(2, 5)))
    assert len(run["lanes"][0]["steps"]) == 3
    rounds = unpacked(made(trace, unit=Level.ROUND))
    assert len(rounds["lanes"][0]["steps"]) == len(trace.indices(Level.ROUND))
    assert rounds["unit"] == "round"


def test_answers_are_not_readable_in_the_source() -> None:
    """Neither the right number nor the sentence of the step that the question is about, but for the
    step that stands in the page.
    """
    text = made(perceptron(), still=0)
    steps = [step for step in unpacked(text)["lanes"][0]["steps"] if "q" in step]
    assert steps
    numbers = [
        blank[2] for step in steps for blank in step["q"].get("blanks", []) if "." in blank[2]
    ]
    assert numbers
    head = text[: text.index('<script type="text/plain"')]
    css = head[head.index("<style>") : head.index("</style>")]
    still = unpacked(text)["lanes"][0]["steps"][0]
    shown = "".join(unpacked(text)["parts"][k] for k in [*still["f"], still["n"], still["t"]])
    assert not [
        n for n in numbers if n in head.replace(css, "") and n not in shown and f">{n}<" in head
    ]


def test_a_question_shows_the_step_before_without_what_answers() -> None:
    run = unpacked(made(perceptron()))
    steps = run["lanes"][0]["steps"]
    for before, step in pairwise(steps):
        if "q" in step:
            assert step["c"]
            assert set(step["c"][0]) - set(before["v"][0]) == set()


def test_too_many_steps_say_the_size_first() -> None:
    trace = engine.run(
        "perceptron", engine.textbook("four_points_cycle"), rounds=1000, max_steps=3000
    )
    with pytest.raises(EngineError, match=r"3,\d+ steps are too many for one page, about \d+ MB"):
        made(trace, unit=Level.DETAIL)
    with pytest.raises(EngineError, match="nothing to step through"):
        made(perceptron(), steps=range(900, 950))


def test_lanes_step_together() -> None:
    document = Document(
        generate("leaning_clouds", 20, seed=2), (lane("perceptron"), lane("decision_tree"))
    )
    run = check(lanes_page(document, last=30))
    assert [one["title"] for one in run["lanes"]] == ["Perceptron", "Decision tree"]


NASTY = ('<script>alert("x")</script>', "a & b", "]]>", "\x00\x1b", "{{TITLE}}", "naïve – ‘x’")


@pytest.mark.parametrize("name", NASTY)
def test_names_from_files_are_text(name: str) -> None:
    data = engine.Dataset.from_columns(
        {
            name + "1": [0.0, 1.0, 2.0, 3.0],
            name + "2": [1.0, 0.0, 1.5, 2.5],
            "y": [name, "b", name, "b"],
        },
        target="y",
    )
    trace = engine.run("decision_tree", data, pace=Pace(Level.STEP))
    text = page([Shown(trace, name, (name,))])
    check(text)
    assert text.count("<script") == 2


def test_the_colours_are_those_of_the_window() -> None:
    css = style()
    parts = (css[: css.index("@media")], css[css.index("@media") :])
    for theme, part in zip((LIGHT, DARK), parts, strict=True):
        found = dict(
            re.findall(
                r"--(\w+): (#\w{6})",
                part[: part.index("/* drawings") if "/* drawings" in part else None],
            )
        )
        assert {name: getattr(theme, name) for name in TOKENS} == {
            name: found[name] for name in TOKENS
        }
        assert tuple(found[f"c{k}"] for k in range(8)) == theme.classes


def test_a_trace_saves_its_page(tmp_path: Path) -> None:
    trace = perceptron()
    trace.save(tmp_path / "run.html")
    check((tmp_path / "run.html").read_text("utf-8"))
    with pytest.raises(EngineError, match="could not be saved"):
        trace.save(tmp_path / "no" / "run.html")
    assert trace.show(steps=3)._repr_html_().startswith("<iframe srcdoc=")
    as_xml(trace.plane(0))


def test_a_long_run_says_that_it_shows_its_first_steps() -> None:
    trace = engine.run("perceptron", engine.textbook("four_points_cycle"), rounds=200)
    steps = len(trace.indices(Level.STEP))
    assert steps > 400
    said = f"<p>The first 200 of {steps:,} steps; trace.show(steps=(200, 400)) shows the next.</p>"
    assert trace._repr_html_().endswith(said)
    assert trace.show(steps=20)._repr_html_().endswith("</iframe>")
