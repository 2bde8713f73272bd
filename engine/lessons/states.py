"""The state of the lab in a hand-in: a project as text, and its lanes in words."""

from typing import Any

from engine.base.notation import value_text
from engine.document.document import Document
from engine.document.lane import Lane
from engine.files.plain import parse, pieces
from engine.files.project import Project, from_plain, to_plain
from engine.protocol.params import Field, params_fields
from engine.protocol.recipe import recipe_title
from engine.protocol.step import Level


def state_text(document: Document, cursor: int | None = None, level: Level = Level.STEP) -> str:
    """The document, with the step that is shown, as a project's text; see `Answer.state`.

    cursor, level: see `engine.files.project.Project`
    """
    return b"".join(pieces(to_plain(document, cursor, level))).decode()


def state_of(text: str) -> Project:
    """The project of such a text; raises EngineError."""
    return from_plain(parse(text))


def lane_words(document: Document) -> str:
    """The lanes in words: 'Perceptron, Rate η 5, from step 40; Winnow'."""
    return "; ".join(map(_words, document.lanes))


def _words(lane: Lane) -> str:
    changed = [
        f"{field.label} {_value(field, getattr(lane.params, field.name))}"
        for field in params_fields(lane.algorithm.params)
        if getattr(lane.params, field.name) != field.default
    ]
    seed = [f"seed {lane.seed}"] if lane.seed else []
    start = [f"from step {lane.start.step}"] if lane.start is not None else []
    own = ["on other data"] if lane.data is not None else []
    return ", ".join([lane.algorithm.title, *changed, *seed, *start, *own])


def _value(field: Field, value: Any) -> str:
    if field.kind in ("learner", "learners"):
        return ", ".join(map(recipe_title, value if isinstance(value, tuple) else (value,)))
    if field.options:
        return field.written(value)
    return value_text(value, -1)
