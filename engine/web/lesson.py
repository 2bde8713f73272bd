"""A lesson as one HTML file: its pages with their pictures, and the tasks that need no new run."""

import base64
from pathlib import Path
from typing import Any

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.notation import listed
from engine.judge.conditions import Moment
from engine.judge.questions import Question, covered
from engine.judge.questions.blanks import read
from engine.lessons.checking import Opened, opened
from engine.lessons.conditions import first_met, unmet
from engine.lessons.drawings import Pen, places_in
from engine.lessons.hiding import hidden_scene, worded
from engine.lessons.lesson import Lesson, Page, TaskKind
from engine.lessons.overlays import Overlay, drawing, lighted, overlaid, revealed, view_of
from engine.lessons.package import Found
from engine.lessons.setting import document
from engine.lessons.sketches import Sketch
from engine.lessons.steps import lit
from engine.lessons.tasks import Asked, answers_in, likely
from engine.runs.trace import Trace
from engine.web import mathml, words
from engine.web.frame import Span
from engine.web.markup import escaped
from engine.web.page import Parts, asset, chips_of, packed, style, written
from engine.web.picture import Views
from engine.web.plain_questions import BLANK, plain

MOST_STEPS = 120  # that a page carries where a task is done by stepping
EXAMPLES = "Examples"  # the view that names the rows
IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


def lesson_page(found: Found) -> str:
    """The page of a lesson, as HTML.

    Raises EngineError where its text could not be read, or no page of it can be shown.
    """
    lesson = found.lesson
    if lesson is None:
        raise EngineError(" ".join(fault.words() for fault in found.faults))
    pictures = _Pictures(lesson, found)
    pages = [pictures.page(each, place) for place, each in enumerate(opened(lesson, found.files))]
    if not any(page["lanes"] for page in pages):
        faults = listed(dict.fromkeys(page["fault"] for page in pages if page["fault"]))
        raise EngineError(f"No page of this lesson can be shown. {faults}".strip())
    heading = {
        "title": lesson.title,
        "pages": pages,
        "parts": pictures.parts.texts,
    }
    places = {
        "TITLE": escaped(lesson.title),
        "SOURCE": escaped(lesson.source or lesson.key),
        "MINUTES": f"{lesson.minutes} min",
        "STYLE": style() + asset("lesson.css"),
        "DEFS": "".join(pictures.defs.values()),
        "STAGE": pictures.still(pages[0]),
        "PAGE": escaped(pages[0]["title"]),
        "TEXT": pages[0]["text"],
        "RUN": packed(heading),
        "SCRIPT": asset("shared.js") + asset("lesson.js"),
    }
    return written("lesson.html", places)


class _Pictures:
    """Draws the pages of a lesson one after another. defs: definitions of markers by name"""

    def __init__(self, lesson: Lesson, found: Found) -> None:
        self.lesson, self.found = lesson, found
        self.parts = Parts()
        self.defs: dict[str, str] = {}
        self._views: dict[int, Views] = {}  # by the number of the lane's run

    def page(self, each: Opened, index: int) -> dict[str, Any]:
        """A page as plain values.

        lanes: [title, settings] of each run; open, done: what is shown before and after its task
        text: paragraphs as HTML; picture: a data address or ""; fault: why it cannot be shown
        task: see `_task`
        """
        page, stand = each.page, each.stand
        made: dict[str, Any] = {
            "title": page.title or page.where.words(),
            "text": _paragraphs(each.text),
            "picture": _address(page.picture, self.found.files.get(page.picture)),
            "fault": each.fault,
            "lanes": [],
        }
        if stand is None:
            return made
        view = self._range(index)
        traces = [lane.trace for lane in stand.shown]
        made["lanes"] = [
            [trace.algorithm.title, ", ".join(chips_of(trace, seed=False))] for trace in traces
        ]
        lights = lit(page, stand.asked)
        before, after = _over(each)
        made["open"] = [
            self._row(lane, page, view, lights, None if k else before)
            for k, lane in enumerate(stand.shown)
        ]
        bare = Page(task=page.task)
        made["done"] = [
            self._row(lane, bare, view, lights, None if k else after)
            for k, lane in enumerate(stand.then)
        ]
        if page.task is not None:
            made["task"] = self._task(each, view)
        return made

    def _range(self, index: int) -> tuple[Span, Span] | None:
        """The ranges of the plane that the lesson declares."""
        return document(self.lesson, index, self.found.files).view

    def _row(
        self,
        lane: Moment,
        page: Page,
        view: tuple[Span, Span] | None,
        lights: frozenset[str] = frozenset(),
        over: Question | Overlay | None = None,
    ) -> dict[str, Any]:
        """A step of a lane as plain values: v the parts of each view by its name, w those that
        lead, t the sentence, f the formulas.

        lights: the tags of what the page lights
        over: what lies over the picture, whose view leads; or a question that it must not answer
        """
        trace = lane.trace
        views = self._of(trace, view)
        scene = hidden_scene(views.scene(lane.cursor), page.hide, trace.problem)
        scene = lighted(scene, lights, trace.problem)
        first = ""
        if isinstance(over, Overlay):
            scene = overlaid(scene, over)
            first = view_of(over.title, scene, trace.problem)
        bare = False
        if isinstance(over, Question):
            scene = covered(scene, over)
            bare = over.surfaces_give_away or over.asks_for_class
        drawn = views.of_step(lane.cursor, scene, bare)
        note = worded(trace[lane.cursor], page.hide).note
        leads = [first, *self.lesson.view.pictures, *views.leads(lane.cursor)]
        if page.task is not None and page.task.kind is TaskKind.POINT:
            leads.insert(2, EXAMPLES)  # where the names of points stand
        return {
            "v": {name: self.parts.numbers(parts) for name, parts in drawn.items()},
            "w": [name for name in dict.fromkeys(leads) if name in drawn],
            "t": self.parts.number("" if "sentence" in page.hide else words.sentence(note)),
            "f": self.parts.numbers(mathml.formulas(note)),
        }

    def _of(self, trace: Trace, view: tuple[Span, Span] | None) -> Views:
        found = self._views.get(id(trace))  # a Views keeps its trace, so that the number stays
        if found is None:
            found = self._views[id(trace)] = Views(trace, self.defs, view)
        return found

    def still(self, page: dict[str, Any]) -> str:
        """The leading views of a page as they stand in the file before its script runs."""
        if not page["lanes"]:
            return ""
        row = page["open"][0]
        return '<div class="lane">{}</div>'.format(
            "".join(
                f'<div class="view"><h3>{escaped(name)}</h3>'
                f"{''.join(self.parts.texts[k] for k in row['v'][name])}</div>"
                for name in row["w"][:2]
            )
        )

    # -- tasks -------------------------------------------------------------------------------------

    def _task(self, each: Opened, view: tuple[Span, Span] | None) -> dict[str, Any]:
        """A task as plain values.

        kind: pick, type, place, step, write, or lab where only the lab can do it
        right: the answer in words; explains: the lesson's sentence about it
        """
        task, asked = each.page.task, each.asked
        assert task is not None
        if asked is None:
            return {"kind": "lab", "ask": task.ask, "hint": "", "right": "", "explains": ""}
        made: dict[str, Any] = {
            "kind": "lab",
            "ask": asked.prompt,
            "hint": asked.hint,
            "right": " or ".join(asked.right) if asked.choices else ", ".join(asked.right),
            "explains": asked.answer,
        }
        if asked.blanks:
            made |= {"kind": "type"} | _blanks(asked)
        elif asked.choices:
            made |= {"kind": "pick"} | _options(asked)
        elif task.kind is TaskKind.PLACE and asked.sketch is not None:
            made |= self._places(each, asked.sketch, view)
        elif task.kind is TaskKind.TEXT:
            made |= {"kind": "write"}
        elif task.kind is TaskKind.STATE and (steps := self._steps(each, view)):
            made |= {"kind": "step", "steps": steps}
        return made

    def _places(
        self, each: Opened, sketch: Sketch, view: tuple[Span, Span] | None
    ) -> dict[str, Any]:
        """Places to click; {} where the view that they lie in has no drawing.

        view: its name; x, y: its ranges; size: of its drawing
        places, wrong: the right places, and (places, reply) of wrong ones; [x] where x alone counts
        """
        assert each.stand is not None
        lane = each.stand.shown[0]
        views = self._of(lane.trace, view)
        scene = hidden_scene(views.scene(lane.cursor), each.page.hide, lane.trace.problem)
        name = view_of(sketch.title, scene, lane.trace.problem)
        if not name:
            return {}
        frame = views.frame_of(scene, sketch.title)
        wrong = []
        for answer, reply in each.asked.task.wrong if each.asked else ():
            try:
                wrong.append([_numbers(places_in(answer)), reply])
            except EngineError:
                continue
        return {
            "kind": "place",
            "view": name,
            "x": list(frame.x),
            "y": list(frame.y),
            "size": [frame.wide, frame.high],
            "places": _numbers(sketch.places),
            "within": sketch.within,
            "wrong": wrong,
        }

    def _steps(self, each: Opened, view: tuple[Span, Span] | None) -> list[dict[str, Any]]:
        """The steps of the run from where the page stands, where going on is enough to meet the
        condition; [] where something has to be changed in the lab.

        rows: of each lane, met: whether the condition holds
        """
        assert each.stand is not None and each.page.task is not None
        unit, condition = self.lesson.view.unit, each.page.task.condition
        lanes = each.stand.shown
        met = first_met(condition, lanes, unit=unit)
        places = [lane.trace.indices(unit) for lane in lanes]
        first = next(k for k, at in enumerate(places[0]) if at >= lanes[0].cursor)
        if met is None or not first < met < first + MOST_STEPS:
            return []
        made = []
        for number in range(first, min(first + MOST_STEPS, max(map(len, places)))):
            at = [
                Moment(lane.trace, int(steps[min(number, len(steps) - 1)]))
                for lane, steps in zip(lanes, places, strict=True)
            ]
            rows = [self._row(lane, Page(), view) for lane in at]
            made.append({"rows": rows, "met": not unmet(condition, at)})
        return made


def _over(each: Opened) -> tuple[Question | Overlay | None, Overlay | None]:
    """What lies over the picture of a page, or is not answered by it: before and after its task."""
    if each.asked is None:
        return None, None
    sketch = each.asked.sketch
    if sketch is not None:
        return drawing(Pen(sketch)), revealed(sketch)
    return each.asked.question if each.page.where.before else None, None


def _numbers(places: Float) -> list[list[float]]:
    """Places (k, 2) as lists, without a y that does not count."""
    return [[number for number in place if number == number] for place in places.tolist()]


def _paragraphs(text: str) -> str:
    pieces = (" ".join(piece.split()) for piece in text.split("\n\n"))
    return "".join(f"<p>{escaped(piece)}</p>" for piece in pieces if piece)


def _address(name: str, content: bytes | None) -> str:
    """A picture as a data address, so that the page loads nothing."""
    kind = IMAGES.get(Path(name).suffix.lower())
    if content is None or kind is None:
        return ""
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def _options(asked: Asked) -> dict[str, Any]:
    """options: [label, whether it is right, the lesson's reply]; more: how many are not listed"""
    shown = likely(asked)
    made = []
    for label in shown:
        reply = asked.reply((label,))
        made.append([label, reply.right, reply.says])
    return {"options": made, "more": len(asked.choices) - len(shown)}


def _blanks(asked: Asked) -> dict[str, Any]:
    """rows: formulas or blanks with inputs; blanks: [right number, tolerance]; wrong: [numbers,
    reply] of the lesson
    """
    if asked.question is not None:
        rows = plain(asked.question)["rows"]
    else:
        count = len(asked.blanks)
        rows = [
            BLANK.format(about=f"number {k + 1}" if count > 1 else "number") for k in range(count)
        ]
        rows = [" ".join(rows)]
    wrong = []
    for answer, reply in asked.task.wrong:
        try:
            numbers = [read(text) for text in answers_in(answer, len(asked.blanks))]
        except EngineError:
            continue
        wrong.append([numbers, reply])
    hint = "; ".join(dict.fromkeys(blank.tolerance for blank in asked.blanks))
    return {
        "rows": rows,
        "blanks": [[blank.value, blank.within] for blank in asked.blanks],
        "tolerance": hint,
        "wrong": wrong,
    }
