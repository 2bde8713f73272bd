"""The reference of an algorithm names all there is to know about it, for all algorithms."""

import re
from typing import Any

import pytest

import engine
from engine.base.records import field_names
from engine.protocol.params import params_fields
from engine.protocol.reference import reference

every = pytest.mark.parametrize("algorithm", engine.algorithms().values(), ids=lambda a: a.key)


def section(text: str, heading: str) -> list[str]:
    """The indented lines below a heading."""
    lines = text.splitlines()
    (at,) = [k for k, line in enumerate(lines) if line.startswith(heading)]
    found = []
    for line in lines[at + 1 :]:
        if line and not line.startswith("  "):
            break
        found += [line] if line else []
    return found


def every_parameter_with_its_default_and_help(algorithm: Any) -> None:
    known = params_fields(algorithm.params)
    said = section(reference(algorithm), "Parameters") if known else []
    for field in known:
        (line,) = [line for line in said if line.strip().startswith(field.name + "=")]
        assert field.label in line
        assert all(str(option) in line for option in field.options or ())
        assert " ".join(field.help.split()) in " ".join(" ".join(said).split())


def every_line_with_its_level_in_order(algorithm: Any) -> None:
    said = [line.split()[:2] for line in section(reference(algorithm), "Pseudo-code")]
    assert said == [
        [label, algorithm.levels[label].name.lower()] for label, _ in algorithm.code_lines()
    ]


def every_event_metric_and_field(algorithm: Any) -> None:
    text = reference(algorithm)
    (events,) = [line for line in text.splitlines() if line.startswith("Events: ")]
    (metrics,) = [line for line in text.splitlines() if line.startswith("Metrics: ")]
    assert all(event in events for event in algorithm.events)
    assert all(curve.metric in metrics for curve in algorithm.curves)
    state = [line.split()[0] for line in section(text, "State")]
    assert set(field_names(algorithm.state)) <= set(state)


def a_state_says_what_its_arrays_hold(algorithm: Any) -> None:
    """Its docstring names each field that is an array; the reference prints it."""
    state = section(reference(algorithm), "State")
    assert not any("serializable" in line or "frozen record" in line for line in state)
    names = set(field_names(algorithm.state))
    for line in state:
        name = line.split()[0]
        if name in names and "array of" in line:
            assert len(re.findall(rf"\b{name}\b", " ".join(state))) > 1, name


def the_documentation_is_the_reference(algorithm: Any) -> None:
    assert engine.algorithms()[algorithm.key].__doc__ == reference(algorithm)


@every
def test_the_reference_names_all_there_is(algorithm: Any) -> None:
    for check in (
        every_parameter_with_its_default_and_help,
        every_line_with_its_level_in_order,
        every_event_metric_and_field,
        a_state_says_what_its_arrays_hold,
        the_documentation_is_the_reference,
    ):
        check(algorithm)
