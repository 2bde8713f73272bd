"""What a page of a lesson hides: parts of the picture and of the words; see `lesson.HIDDEN`."""

from collections.abc import Collection, Mapping
from typing import Any

from engine.base.records import Record, replace
from engine.lessons.lesson import Lesson, Page, TaskKind
from engine.protocol.step import Note, Step, Teller, Words
from engine.scene.figures import Figure, Table
from engine.scene.layers import Boxes, Field, Layer, Points, Polygons, Polyline, Role, Segments
from engine.scene.scene import Scene
from engine.scene.views import short_names
from engine.table.problem import Problem

BORDERS = (Role.BOUNDARY, Role.SAME, Role.DIFFERENT)
AREAS = (Field, Polygons)
TELLING = {"future", "regions", "curves"}  # with one of them hidden, errors give it away
LEFT_OUT = "This page of the lesson hides what the step says."


def hidden_scene(scene: Scene, hidden: Collection[str], problem: Problem | None) -> Scene:
    """The scene without the regions, figures and examples that a page hides; with words or errors
    hidden its headings are names alone.
    """
    if {"sentence", "formula"} & set(hidden) or hides_errors(hidden):
        scene = _named_only(scene)
    if not {"regions", "figures", "examples"} & set(hidden):
        return scene
    figures = tuple(each for each in scene.figures if not _is_hidden(each, hidden, problem))
    gone = {each.title for each in scene.figures} - {each.title for each in figures}
    layers = without_regions(scene.layers) if "regions" in hidden else scene.layers
    leads = tuple(title for title in scene.leads if title not in gone)
    return replace(scene, layers=layers, figures=figures, leads=leads)


def _named_only(scene: Scene) -> Scene:
    """The scene without what the headings of its plane and figures say of the step."""
    names = short_names([each.title for each in scene.figures])
    pairs = zip(scene.figures, names, strict=True)
    return replace(scene, plane="", figures=tuple(replace(each, title=n) for each, n in pairs))


def without_regions(layers: Collection[Layer]) -> tuple[Layer, ...]:
    """Layers without areas and their borders, in which each example looks like its own class.

    A line that is the model itself stays.
    """
    return tuple(_with_own_class(layer) for layer in layers if not _is_region(layer))


def hides_errors(hidden: Collection[str]) -> bool:
    """Whether a page hides how many examples are wrong: the number tells what it asks about."""
    return not TELLING.isdisjoint(hidden)


def asks_about_future(lesson: Lesson, page: int, done: Collection[int]) -> int | None:
    """The later page, from 0, that asks about what comes after the step of page `page`; None where
    none does.

    Such a page hides the future or the curves: shown before, they would answer it. What a page in
    between shows to the end is known, and so is what a task to be done in the lab runs through.

    done: the pages whose tasks are done
    """
    own, lanes = lesson.pages[page], set(lesson.shown(page))
    if _plays(own) and page not in done:
        return None
    for number in range(page, len(lesson.pages)):
        each = lesson.pages[number]
        if not lanes & set(lesson.shown(number)):
            continue
        hides = not {"future", "curves"}.isdisjoint(each.hide)
        asks = each.task is not None and not _plays(each) and number not in done
        if number > page and hides and asks:
            return number
        if each.where.is_end and not each.where.before and not (hides and asks):
            return None
    return None


def _plays(page: Page) -> bool:
    """Whether its task is done in the lab, by going on in the run or changing it."""
    return page.task is not None and page.task.kind is TaskKind.STATE


def hides_end(hidden: Collection[str]) -> bool:
    """Whether a page hides how long the run is."""
    return "future" in hidden


def worded(step: Step[Any], hidden: Collection[str]) -> Step[Any]:
    """The step without the words that a page hides: its sentence, or formulas and candidates."""
    if "sentence" not in hidden and "formula" not in hidden:
        return step
    note = step.note
    if "sentence" in hidden:
        note = Note(LEFT_OUT, note.formulas, note.facts, note.operands)
    if "formula" in hidden:
        note = replace(note, formulas=(), facts=())
    return replace(step, teller=_Worded(step.teller, note), tie=None)


class _Worded(Record):
    """Says the same words of every step, and measures as `teller`."""

    teller: Teller
    note: Note

    def say(self, line: str, state: Any, details: Mapping[str, Any]) -> Words:
        return self.note

    def measured(self, state: Any) -> Mapping[str, float]:
        return self.teller.measured(state)


def _is_region(layer: Layer) -> bool:
    if isinstance(layer, AREAS):
        return True
    if isinstance(layer, Boxes):
        return layer.role is Role.REGION
    return isinstance(layer, (Segments, Polyline)) and layer.role in BORDERS


def _with_own_class(layer: Layer) -> Layer:
    return replace(layer, shown=None) if isinstance(layer, Points) else layer


def _is_hidden(figure: Figure, hidden: Collection[str], problem: Problem | None) -> bool:
    examples = isinstance(figure, Table) and problem is not None and figure.names == problem.names
    return ("examples" if examples else "figures") in hidden
