"""Tasks that are drawn: places and curves, judged with distances reckoned by hand."""

import numpy as np
import pytest

from engine.base.errors import EngineError
from engine.judge.conditions import Moment
from engine.lessons.checking import check, opened
from engine.lessons.drafting import sketch_line, with_sketch
from engine.lessons.drawings import Pen, curve_text, in_words, judged, places_in
from engine.lessons.handin import as_text as handin_text
from engine.lessons.handin import hand_in, read_handin
from engine.lessons.lesson import Task, TaskKind, View
from engine.lessons.library import FOLDER
from engine.lessons.marks import Marks
from engine.lessons.overlays import drawing, overlaid, revealed, view_of
from engine.lessons.package import lesson_of, open_lesson
from engine.lessons.progress import begin
from engine.lessons.sketches import COLUMNS, Sketch, shape
from engine.lessons.steps import run_lanes
from engine.lessons.tasks import Asked, asked
from engine.scene.layers import Points, Polyline
from engine.scene.scene import Plot

LINE = """
version = 1
title = "Line"
[data]
columns = ["x", "y"]
rows = [[0, 0.0], [1, 2.0], [2, 4.0], [3, 6.0]]
[view]
x = [0, 4]
[[lane]]
method = "linear_regression"
[[page]]
title = "Where?"
text = "Next."
step = "end"
[page.task]
kind = "place"
ask = "Click it."
right = ["(1, 2)", '(3, answer(3))']
within = 0.5
[page.task.wrong]
"(1, 2); (6, 3)" = "You exchanged the two."
"""


def line() -> tuple[Moment, ...]:
    lesson = lesson_of(LINE).lesson
    assert lesson is not None
    (trace,) = run_lanes(lesson, 0, {})
    return (Moment(trace, len(trace) - 1),)


def task(kind: TaskKind, view: View | None = None, **fields: object) -> Asked:
    return asked(Task(kind, "?", **fields), line(), view or View(x=(0.0, 4.0)))  # type: ignore[arg-type]


def drawn(sketch: Sketch, *corners: tuple[float, float]) -> str:
    """A stroke from corner to corner as an answer."""
    pen = Pen(sketch)
    pen.press(*corners[0])
    for corner in corners[1:]:
        pen.drag(*corner)
    pen.release()
    assert pen.whole
    return pen.text


def test_places_are_right_within_a_distance_in_any_order() -> None:
    found = lesson_of(LINE)
    assert [fault.words() for fault in check(found)] == []
    assert found.lesson is not None
    page = next(iter(opened(found.lesson, {})))
    assert page.asked is not None and page.asked.right == ("(1, 2)", "(3, 6)")
    right = page.asked.reply(["(3.3, 6.4); (1, 1.7)"])  # 0.5 = √(0.3² + 0.4²) and 0.3
    assert right.right and right.measure == "The farthest is 0.50 away; up to 0.5 is right."
    wrong = page.asked.reply(["(6, 3.1); (1, 2)"])
    assert not wrong.right and wrong.says == "You exchanged the two."
    assert in_words(wrong.kept) == "1 of 2 right"
    assert places_in(wrong.kept).tolist() == [[6, 3.1], [1, 2]]
    for text in ("(1, 2)", "(1, 2); (x, 3)", "(1, 2); (3, 6); (3, 6)", "", "(1, 2, 3); (1, 2)"):
        with pytest.raises(EngineError):
            page.asked.reply([text])
    one = task(TaskKind.PLACE, right=("(1, 2)",), within=0.5)
    said = [
        in_words(one.reply([text]).kept) for text in ("(2, 2.1)", "(1, −1)", "(0, 3)", "(1.1, 2)")
    ]
    assert said == ["too far right", "too low", "too far left and too high", "0.10 away"]


def test_a_curve_is_right_by_its_distance_or_by_its_shape() -> None:
    by_distance = task(TaskKind.CURVE, within=0.5, wrong=(("falls", "It rises."),))
    sketch = by_distance.sketch
    assert sketch is not None and sketch.curve[[0, -1]].round(9).tolist() == [[0, 0], [4, 8]]
    near = by_distance.reply([drawn(sketch, (0, 0.45), (4, 8.45))])
    assert near.right and near.measure.startswith("The largest distance is 0.45 at x = 4")
    far = by_distance.reply([drawn(sketch, (0, 0), (4, 8.9))])
    assert not far.right and far.kept == "rises, at x = 4 too high by 0.90"
    assert by_distance.reply([drawn(sketch, (4, 0), (0, 8))]).says == "It rises."  # from the right
    by_shape = task(TaskKind.CURVE)
    assert by_shape.right == ("rises",) and by_shape.sketch is not None
    assert by_shape.reply([drawn(by_shape.sketch, (0, 1), (4, 3))]).right
    assert not by_shape.reply([drawn(by_shape.sketch, (0, 1), (2, 5), (4, 1))]).right
    for text in ("", "1 2 3", curve_text(np.full(COLUMNS, np.nan))):
        with pytest.raises(EngineError):
            by_shape.reply([text])
    x = np.linspace(0, 1, COLUMNS)
    for y, words in (
        (0 * x, "stays level"),
        (-x, "falls"),
        ((x - 0.4) ** 2, "falls, then rises"),
        (np.sin(8 * x), "rises, then falls, then rises"),
        (x + 0.02 * np.sin(60 * x), "rises"),
    ):
        assert shape(y, 1.0) == words


def test_a_jump_may_be_drawn_a_little_earlier() -> None:
    steps = np.column_stack([np.linspace(0, 1, 520), np.where(np.arange(520) < 260, 0.0, 1.0)])
    sketch = Sketch("", ("x", "y"), 0.2, curve=steps, height=1.0)
    assert judged(sketch, drawn(sketch, (0, 0), (0.48, 0), (0.48, 1), (1, 1))).right
    assert not judged(sketch, drawn(sketch, (0, 0), (0.4, 0), (0.4, 1), (1, 1))).right


def test_what_is_drawn_lies_over_the_picture_and_the_reveal_measures_it() -> None:
    moment = line()[0]
    trace = moment.trace
    scene = trace.algorithm.scene(trace.given, trace[moment.cursor])
    place = task(TaskKind.PLACE, right=("(1, 2)",), within=0.5).sketch
    curve = task(TaskKind.CURVE, on="rmse").sketch
    assert place is not None and curve is not None and curve.plot is not None
    assert view_of("", scene, trace.problem) == "Plane" and not view_of("x", scene, trace.problem)
    pen = Pen(place)
    pen.press(0, 0)
    pen.release()
    pen.press(1, 1)  # once all places are there, another click moves the nearest
    shown = overlaid(scene, drawing(pen)).layers[-1]
    assert isinstance(shown, Points) and shown.xy.tolist() == [[1, 1]]
    reveal = {layer.tag: layer for layer in revealed(place, "(1, 1)").layers}
    assert reveal["distance"].label == ("1.00 away",) and reveal["right"].xy.tolist() == [[1, 2]]
    assert {layer.tag for layer in revealed(place, "nonsense").layers} == {"counts", "right"}
    plot = overlaid(scene, revealed(curve, drawn(curve, (0, 9), (9, 9)))).figures[0]
    assert isinstance(plot, Plot) and plot.title == curve.title
    assert sum(isinstance(layer, Polyline) for layer in plot.layers) == 2


def test_a_drawing_that_cannot_be_asked_for_is_a_sentence() -> None:
    for kind, fields, said in (
        (TaskKind.PLACE, {"right": ("(1, 2)",)}, "up to which it is right"),
        (TaskKind.PLACE, {"within": 1.0}, "needs the right one"),
        (TaskKind.PLACE, {"right": ("line()",), "within": 1.0}, "is no place"),
        (TaskKind.PLACE, {"right": (3,), "within": 1.0}, "has two numbers"),
        (TaskKind.PLACE, {"right": ("(1, 2, 3)",), "within": 1.0}, "is no place"),
        (TaskKind.PLACE, {"right": ("(1, 2)",) * 9, "within": 1.0}, "at most 8 places"),
        (
            TaskKind.PLACE,
            {"right": ("(1, 2)",), "within": 1.0, "on": "Nowhere"},
            "There is no plot",
        ),
        (TaskKind.CURVE, {"on": "Nowhere"}, "There is no plot"),
    ):
        with pytest.raises(EngineError, match=said):
            task(kind, **fields)  # type: ignore[arg-type]
    faults = "\n".join(
        fault.sentence for fault in check(lesson_of(LINE.replace("within = 0.5", 'on = "Space"')))
    )
    assert "needs the distance" in faults
    hidden = LINE.replace("within = 0.5", 'within = 1\non = "Space"').replace(
        'step = "end"', 'step = "end"\nhide = ["figures"]'
    )
    assert "with them “Space" in "\n".join(f.sentence for f in check(lesson_of(hidden)))
    curved = LINE.replace('"place"', '"curve"').replace("within = 0.5", "within = 1")
    assert "is no shape of a curve" in "\n".join(f.sentence for f in check(lesson_of(curved)))


def test_a_line_of_a_figure_is_drawn_before_it_is_shown() -> None:
    """AIMA Fig 18.9: errV falls and then rises, with its least at four tests."""
    found = open_lesson(FOLDER / "aima" / "how_large_a_tree.toml")
    assert found.lesson is not None
    sketch = next(
        page.asked.sketch for page in opened(found.lesson, {}) if page.asked and page.asked.sketch
    )
    assert sketch.title == "Errors by size" and sketch.right == ("falls, then rises",)
    least = sketch.curve[np.argmin(sketch.curve[:, 1])]
    assert least.round(1).tolist() == [4.0, 0.1]


def test_drawings_are_handed_in_and_counted_in_words() -> None:
    found = lesson_of(LINE)
    assert found.lesson is not None
    page = next(iter(opened(found.lesson, {}))).asked
    assert page is not None
    made = []
    for name, text in (
        ("Ada", "(6, 3); (1, 2)"),
        ("Bob", "(7, 7); (1, 2)"),
        ("Cy", "(1,2); (3,6)"),
    ):
        reply = page.reply([text])
        done = begin(found.lesson).tried(0, (reply.kept,), reply.right)
        read, faults = read_handin(handin_text(hand_in(done, name, "now")))
        assert read is not None and not faults and not read.misfits
        made.append(read)
    marks = Marks(tuple(made))
    assert marks.wrong(0) == [("1 of 2 right", 2)] and marks.at_once(0) == 1
    assert [each.name for each in marks.gave(0, "1 of 2 right")] == ["Ada", "Bob"]


def test_the_author_writes_what_is_right_in_one_line() -> None:
    for line_, right, within, on in (
        ("(8, 6.2) within 0.4", ("(8, 6.2)",), 0.4, ""),
        ("(1, 2); (3, 4) within 0,5 in Space", ("(1, 2)", "(3, 4)"), 0.5, "Space"),
        ("errV in Errors by size", ("errV",), None, "Errors by size"),
        ("in loss", (), None, "loss"),
        ("within 2", (), 2.0, ""),
        ("within nan", (), None, ""),
        ("", (), None, ""),
    ):
        made = with_sketch(Task(TaskKind.CURVE), line_)
        assert (made.right, made.within, made.on) == (right, within, on)
        assert with_sketch(Task(TaskKind.CURVE), sketch_line(made)) == made
