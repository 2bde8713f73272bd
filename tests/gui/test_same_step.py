"""Step n of the command line is step n of the window, in each unit."""

import pytest
from laboratory import Key, Lab

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.step import Level
from gui.commands.arguments import run_parser
from gui.commands.runs import prepared_run

RUNS = [
    ("perceptron", "moons:40:0.1:3"),
    ("decision_tree", "restaurant"),
    ("nearest_neighbours", "xor"),
    ("adaboost", "moons:60:0.2:1"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "data"), RUNS)
def test_a_number_means_the_same_step_in_both(open_lab, key: str, data: str) -> None:
    name, *numbers = data.split(":")
    table = (
        engine.generate(name, int(numbers[0]), float(numbers[1]), int(numbers[2]))
        if numbers
        else engine.textbook(name)
    )
    lab: Lab = open_lab(Document(table, (lane(key),)))
    for unit in ("detail", "step", "round"):
        same_steps(lab, key, data, unit)


def same_steps(lab: Lab, key: str, data: str, unit: str) -> None:
    parser = run_parser("render", "")
    with prepared_run(parser.parse_args([key, "--data", data, "--unit", unit]), shown=True) as (
        run,
        _,
    ):
        run.advance(max_steps=300)
    places = run.trace.indices(Level[unit.upper()])
    lab.session.set_unit(Level[unit.upper()])
    lab.settle()
    wanted = [n for n in (0, 3, 12, 27) if n < len(places)]
    assert len(wanted) > (0 if unit == "round" else 1)
    for n in wanted:
        lab.write(f"0{n}")
        assert lab.said() == f"Enter jumps to {unit} {n}."
        lab.key(Key.Key_Return)
        lab.until(lambda n=n: lab.session.number == n)
        lab.settle()
        here = lab.session.step
        there = run.trace[places[n]]
        assert (here.line, here.note.text(), here.metrics) == (
            there.line,
            there.note.text(),
            there.metrics,
        )
        assert f", {unit} {n}: " in lab.window.commands.step_text()
        assert (
            here.choice is not None
            or lab.window.right_dock.step.caption.full_text() == f"{unit} {n}"
        )


def test_the_unit_of_the_command_line_is_the_windows(lab: Lab) -> None:
    given = run_parser("render", "").parse_args(["perceptron", "--data", "moons"])
    assert given.unit == lab.session.unit.name.lower() == "step"
    assert (
        run_parser("run", "").parse_args(["svm", "--data", "xor", "--pace", "detail"]).unit
        == "detail"
    )


def test_another_unit_names_the_same_step_again(lab: Lab) -> None:
    for _ in range(5):
        lab.key(Key.Key_Right)
    lab.settle()
    caption = lab.window.right_dock.step.caption
    assert caption.full_text() == "step 5"
    lab.session.set_unit(Level.ROUND)
    lab.settle()
    assert caption.full_text() == f"round {lab.session.number}"
