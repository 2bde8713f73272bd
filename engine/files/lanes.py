"""Lanes in project files: algorithm, parameters, seed, and the step of another run to go on
from.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.base.errors import EngineError
from engine.document.lane import Lane
from engine.document.lane_run import HARD_LIMIT
from engine.files.plain import MAX_WHOLE, WORDS, Part, bare, number_or_word, optional
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import Branches
from engine.protocol.params import Field, build, params_fields, to_dict
from engine.protocol.registry import algorithm
from engine.protocol.step import Level
from engine.runs.start import MAX_BRANCHES, MAX_STARTS, Change, Start
from engine.table.dataset import Dataset
from engine.table.given import MAX_SEED

LEVELS = {level.name.lower(): level for level in Level}
Recipe = Lane | Start


def lane_to_plain(recipe: Recipe) -> dict[str, Any]:
    """A lane, or the run that one goes on from, as JSON values."""
    params = {name: number_or_word(value) for name, value in to_dict(recipe.params).items()}
    plain = {"key": recipe.key, "seed": int(recipe.seed), "params": params}
    if recipe.branches:
        plain |= {"branches": [[int(number), int(taken)] for number, taken in recipe.branches]}
    return plain if recipe.start is None else plain | {"start": start_to_plain(recipe.start)}


def start_to_plain(start: Start) -> dict[str, Any]:
    """The run to go on from, as a lane, with its step."""
    plain = lane_to_plain(start) | {"step": int(start.step), "level": start.level.name.lower()}
    if start.own:
        plain |= {"own": True}
    if start.change is None:
        return plain
    place, value = start.change
    return plain | {"change": {"place": [int(i) for i in place], "value": float(value)}}


def _no_table(part: Part) -> Dataset:
    part.fail("nothing: no examples are expected here")


def read_lane(part: Part, table: Callable[[Part], Dataset] = _no_table) -> Lane:
    """The lane that JSON values describe; raises EngineError at the first fault, as all readers
    here.

    table: reads the lane's own examples
    """
    parts = part.record(("key",), ("params", "seed", "start", "data", "branches"))
    chosen = algorithm(parts["key"].text())
    start = optional(parts, "start", lambda given: _start(given, chosen, 1), None)
    return Lane(
        chosen.key,
        _params(part, parts, chosen),
        optional(parts, "seed", read_seed, 0),
        start,
        optional(parts, "data", table, None),
        optional(parts, "branches", _branches, ()),
    )


def read_flag(part: Part) -> bool:
    return part.value if isinstance(part.value, bool) else part.fail("true or false")


def read_seed(part: Part) -> int:
    return part.whole(0, MAX_SEED)


def _start(part: Part, chosen: Algorithm[Any, Any], depth: int) -> Start:
    parts = part.record(
        ("key", "step"), ("params", "seed", "level", "change", "start", "own", "branches")
    )
    if parts["key"].text() != chosen.key:
        parts["key"].fail(f"{chosen.key} as that of the lane")
    if depth > MAX_STARTS:
        raise EngineError(f"lanes go on from one another more than {MAX_STARTS} times")
    start = Start(
        chosen.key,
        _params(part, parts, chosen),
        parts["step"].whole(0, HARD_LIMIT - 1),
        optional(parts, "seed", read_seed, 0),
        optional(parts, "level", read_level, Level.STEP),
        optional(parts, "start", lambda given: _start(given, chosen, depth + 1), None),
        optional(parts, "change", _change, None),
        optional(parts, "own", read_flag, False),
        optional(parts, "branches", _branches, ()),
    )
    try:
        start.check(chosen)
    except EngineError as fault:
        raise EngineError(f"{part.place}: {bare(fault)}") from None
    return start


def read_level(part: Part) -> Level:
    """The level with this name; raises EngineError."""
    return (
        LEVELS[part.value]
        if isinstance(part.value, str) and part.value in LEVELS
        else part.fail("one of " + ", ".join(LEVELS))
    )


def _change(part: Part) -> Change:
    parts = part.record(("place", "value"))
    return (
        tuple(entry.whole(0, HARD_LIMIT) for entry in parts["place"].items(1, 8)),
        parts["value"].finite(),
    )


def _branches(part: Part) -> Branches:
    """(number of a tie, index of the equal taken) pairs, each tie once, ascending."""
    pairs = [entry.items(2, 2) for entry in part.items(1, MAX_BRANCHES)]
    found = tuple(
        (number.whole(0, HARD_LIMIT), taken.whole(0, HARD_LIMIT)) for number, taken in pairs
    )
    if [number for number, _ in found] != sorted({number for number, _ in found}):
        part.fail("each tie once, by number")
    return found


def _params(part: Part, parts: Mapping[str, Part], chosen: Algorithm[Any, Any]) -> Any:
    fields = {field.name: field for field in params_fields(chosen.params)}
    given = parts["params"].record((), tuple(fields)) if "params" in parts else {}
    values = {name: _param(fields[name], value) for name, value in given.items()}
    try:
        return build(chosen.params, values)
    except EngineError as fault:
        raise EngineError(f"{part.place}.params: {bare(fault)}") from None


def _param(field: Field, part: Part) -> Any:
    """A parameter as its declared type; `build` then checks its bounds."""
    value = part.value
    if value is None and field.optional:
        return None
    if field.kind == "float":
        return WORDS[value] if isinstance(value, str) and value in WORDS else part.finite()
    if field.kind == "int":
        return (
            value if type(value) is int and abs(value) <= MAX_WHOLE else part.fail("a whole number")
        )
    if field.kind == "numbers":
        return tuple(entry.finite() for entry in part.items())
    if field.kind == "words":
        return tuple(
            entry.text() if isinstance(entry.value, str) else entry.finite()
            for entry in part.items()
        )
    if field.kind in ("text", "costs", "learner"):
        return part.text()
    if field.kind == "learners":
        return tuple(entry.text() for entry in part.items())
    options = (False, True) if field.kind == "bool" else field.options
    if not any(type(value) is type(option) and value == option for option in options):
        part.fail(
            "one of "
            + ", ".join("true" if o is True else "false" if o is False else str(o) for o in options)
        )
    return value
