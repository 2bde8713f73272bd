"""The reference text of an algorithm: parameters, lines, events, metrics, and the fields of its
state.
"""

import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, get_origin, get_type_hints

from engine.base.records import Record, field_names, is_record
from engine.protocol.params import Field, params_fields

WIDTH = 100
SHAPES = {"NDArray": "array"}


def reference(algorithm: Any) -> str:
    """The text that `main.py list KEY` prints; also `engine.algorithms()[key].__doc__`."""
    return "\n".join(_sections(algorithm))


def _sections(algorithm: Any) -> Iterator[str]:
    source = ", ".join(algorithm.source) or "an extension, in none of the texts"
    yield f"{algorithm.key}: {algorithm.title} ({algorithm.family}; {source})"
    yield from ["", *textwrap.wrap(algorithm.summary, WIDTH)]
    parameters = params_fields(algorithm.params)
    yield from ["", "Parameters"] if parameters else []
    for field in parameters:
        yield f"  {parameter_line(field)}"
        yield from textwrap.wrap(
            field.help, WIDTH, initial_indent="      ", subsequent_indent="      "
        )
    yield from ["", "Pseudo-code, with the label and the level of each line"]
    for label, text in algorithm.code_lines():
        yield f"  {label:<12}{algorithm.levels[label].name.lower():<8}{text}"
    yield from ["", f"Events: {', '.join(algorithm.events) or 'none'}"]
    yield f"Metrics: {', '.join(algorithm.measures) or 'none'}"
    if algorithm.state is not None:
        yield from [
            "",
            "State, at every recorded step: trace[i].state",
            *_state_lines(algorithm.state),
        ]


def parameter_line(field: Field) -> str:
    """One parameter as a line: 'rate=0.5   Rate η, 0.0001 to 10'."""
    bounds = ""
    if field.options:
        bounds = ", one of " + ", ".join(map(str, field.options))
    elif field.range is not None:
        bounds = f", {field.range.low:g} to {field.range.high:g}"
    default = (
        ",".join(f"{v:g}" for v in field.default)
        if isinstance(field.default, tuple)
        else field.default
    )
    return (
        f"{field.name + '=' + ('' if default is None else str(default)):<24} {field.label}{bounds}"
    )


def _state_lines(state: type) -> Iterator[str]:
    # its base classes too: they describe what the states of a family share
    above = {*Record.__mro__}
    for kind in (kind for kind in state.__mro__ if is_record(kind) and kind not in above):
        for line in inspect.cleandoc(kind.__doc__ or "").splitlines():
            yield f"  {line}".rstrip()
    for name, annotation in get_type_hints(state).items():
        if name in field_names(state):
            yield f"    {name:<19} {_kind(annotation)}"
    names = (
        name
        for name, value in vars(state).items()
        if isinstance(value, property) and not name.startswith("_")
    )
    for name in names:
        meaning = inspect.getdoc(getattr(state, name)) or "computed from the others"
        yield f"    {name:<19} {meaning.splitlines()[0]}"


def _kind(annotation: Any) -> str:
    """A type for reading: 'array of float64', 'int', 'tuple'."""
    origin = get_origin(annotation)
    if getattr(origin, "__name__", "") == "ndarray":
        number = str(annotation).rpartition("numpy.")[2].rstrip("]>'")
        return f"array of {number}"
    return str(getattr(annotation, "__name__", annotation)).replace("typing.", "")
