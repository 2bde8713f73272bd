"""The algorithms with their parameters, and the data sets, as plain values and as text."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.files.steps_json import plain
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import Field, params_fields
from engine.protocol.reference import parameter_line
from engine.protocol.registry import algorithms, broken
from engine.sources.bundled import Entry
from engine.sources.generators import GENERATORS, Recipe
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK


def algorithms_to_plain() -> list[dict[str, Any]]:
    """All algorithms with their parameters, ordered by family and title."""
    return [algorithm_to_plain(algorithm) for algorithm in algorithms().values()]


def algorithm_to_plain(algorithm: Algorithm[Any, Any]) -> dict[str, Any]:
    return {
        "key": algorithm.key,
        "title": algorithm.title,
        "family": algorithm.family,
        "task": algorithm.task.value,
        "source": list(algorithm.source),
        "extension": algorithm.extension,
        "summary": algorithm.summary,
        "params": [field_to_plain(field) for field in params_fields(algorithm.params)],
    }


def field_to_plain(field: Field) -> dict[str, Any]:
    """A parameter with its label, kind, default, bounds, options and condition."""
    found: dict[str, Any] = {
        "name": field.name,
        "label": field.label,
        "kind": field.kind,
        "default": plain(field.default),
        "help": field.help,
        "optional": field.optional,
    }
    if field.range is not None:
        found |= {"low": plain(field.range.low), "high": plain(field.range.high)}
    if field.options:
        found["options"] = plain(field.options)
    if field.when is not None:
        found["when"] = {"name": field.when.name, "values": plain(field.when.values)}
    return found


def data_to_plain() -> dict[str, list[dict[str, Any]]]:
    """The bundled data sets by origin: textbook, real, generators."""
    return {
        "textbook": _entries(TEXTBOOK),
        "real": _entries(REAL),
        "generators": _entries(GENERATORS),
    }


def _entries(bundled: Mapping[str, Entry]) -> list[dict[str, Any]]:
    return [entry_to_plain(name, entry) for name, entry in bundled.items()]


def entry_to_plain(name: str, entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": name,
        "title": entry.title,
        "task": entry.task.value,
        "source": entry.source,
        "about": entry.about,
    }
    if isinstance(entry, Recipe):
        found |= {
            "n": entry.n,
            "noise": entry.noise,
            "noise_means": entry.noise_means,
            "classes": list(entry.classes),
        }
    return found


def catalogue_to_plain() -> dict[str, Any]:
    """All algorithms and data sets as plain values."""
    return {"algorithms": algorithms_to_plain(), "data": data_to_plain()}


def catalogue_lines() -> list[str]:
    """The catalogue as lines of text."""
    lines = ["Algorithms"]
    wide = _width(algorithms())
    for algorithm in algorithms().values():
        source = ", ".join(algorithm.source) or "an extension, in none of the texts"
        lines += ["", f"  {algorithm.key:<{wide}}{algorithm.title} ({algorithm.family}; {source})"]
        lines += [f"    {parameter_line(field)}" for field in params_fields(algorithm.params)]
    lines += [f"  {key:<{wide}}cannot be loaded: {why}" for key, why in broken().items()]
    shelves = data_to_plain()
    wide = _width(entry["name"] for entries in shelves.values() for entry in entries)
    for title, entries in shelves.items():
        lines += ["", f"Data sets: {title}", ""]
        lines += [_entry_line(entry, wide) for entry in entries]
    return lines


def _width(keys: Iterable[str]) -> int:
    """The width of a column of keys: the longest one and two blanks."""
    return max(map(len, keys)) + 2


def _entry_line(entry: Mapping[str, Any], wide: int) -> str:
    return f"  {entry['name']:<{wide}}{entry['title']} ({entry['source']})"
