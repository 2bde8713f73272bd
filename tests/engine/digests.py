"""Digests of many runs, for comparing one Python with another: `python digests.py [--compensated]
[--compiled]`.

A digest covers the line, level, events, metrics and the whole state of every step, floats to the
last bit, and the words of every few steps. What two calls print differs only where the runs do;
numpy has to be of the same version.
"""

import builtins
import hashlib
import json
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

STEPS = {"DETAIL": 90, "ROUND": 40}
WORDS = 5  # steps for each one whose words are read
FLOAT = struct.Struct("<d").pack
PLAIN = (int, bool, str, bytes, type(None), Fraction)
FEWER = {
    "epochs": 100,
    "retrain": 20,
    "trials": 3,
    "splits": 6,
    "values": 6,
    "copies": 6,
    "repeats": 20,
    "runs": 1,
}
TABLES = {
    "labels": [("textbook", "restaurant"), ("textbook", "mit_conjunction"), ("textbook",
    "mit_harder"),
               ("textbook", "six_points"), ("textbook", "two_bit_adder"), ("textbook",
               "one_or_five"), ("real", "iris"),
               ("real", "wine"), ("generate", "spirals"), ("generate", "moons"), ("generate",
               "seismic")],
    "values": [("textbook", "regression_points"), ("textbook", "four_points_line"), ("textbook",
    "polynomial_seven"),
               ("generate", "sine"), ("generate", "houses"), ("generate", "correlated")],
    "forecasts": [("generate", "pundits"), ("generate", "expert_pool"), ("generate", "dice")],
}  # fmt: skip


def compensated(values: Iterable[Any], /, start: Any = 0) -> Any:
    """What the built-in `sum` does from Python 3.12 on: floats by Neumaier's rule, everything else
    as before.
    """
    items = iter(values)
    total = start
    for item in items:
        if type(total) is float and type(item) in (float, int):
            return _floats(total, item, items)
        total = total + item
        if type(total) is float:
            return _floats(total, 0.0, items)
    return total


def _floats(total: float, first: float, rest: Iterator[Any]) -> Any:
    lost = 0.0
    item: Any = first
    while True:
        if type(item) not in (float, int):
            return compensated(rest, total + lost + item)
        if type(item) is int:
            total += item
        else:
            both = total + item
            lost += (total - both) + item if abs(total) >= abs(item) else (item - both) + total
            total = both
        try:
            item = next(rest)
        except StopIteration:
            return total + lost if lost and np.isfinite(lost) else total


def parts(value: Any) -> list[bytes]:
    """A value as bytes that are the same for equal values, on every machine."""
    found: list[bytes] = []
    _add(found.append, value)
    return found


def _add(add: Callable[[bytes], None], value: Any) -> None:
    kind = type(value)
    if kind is float:
        add(b"f" + FLOAT(value))
    elif kind in PLAIN:
        add(repr(value).encode())
    elif kind is tuple or kind is list:
        add(b"(")
        for item in value:
            _add(add, item)
    elif kind is np.ndarray:
        add(f"array{value.shape}".encode())
        if value.dtype == object:
            _add(add, value.tolist())
        else:
            stored = {"f": np.float64, "i": np.int64, "u": np.int64, "b": np.bool_}.get(
                value.dtype.kind, value.dtype
            )
            add(np.ascontiguousarray(value, stored).tobytes())
    elif isinstance(value, np.generic):
        _add(add, value.item())
    else:
        _add_other(add, value)


def _add_other(add: Callable[[bytes], None], value: Any) -> None:
    if isinstance(value, float):
        add(b"f" + FLOAT(value))
    elif isinstance(value, (int, str, Fraction)):
        add(repr(value).encode())
    elif isinstance(value, dict):
        add(b"{")
        for pair in value.items():
            for item in pair:
                _add(add, item)
    elif isinstance(value, (tuple, list)) or type(value).__name__ == "Prefix":
        add(b"(")
        for item in value:
            _add(add, item)
    elif isinstance(value, (set, frozenset)):
        add(b"<" + b",".join(sorted(b"".join(parts(item)) for item in value)))
    elif hasattr(value, "__struct_fields__"):  # a record
        add(type(value).__name__.encode())
        for name in value.__struct_fields__:
            _add(add, getattr(value, name, None))
    else:  # made again from these
        _add(add, value.__reduce__()[1:])


def digest(trace: Any) -> str:
    """Of every step; then, behind a point, of its line and events alone."""
    whole, moments = hashlib.sha256(), hashlib.sha256()
    for at, step in enumerate(trace):
        if at % WORDS == 0:
            for part in parts(
                (step.note.lines(), step.choice and (step.choice.options, step.choice.chosen))
            ):
                whole.update(part)
        for part in parts(
            (step.line, int(step.level), step.events, dict(step.metrics), step.state)
        ):
            whole.update(part)
        moments.update(f"{step.line}{step.events}".encode())
    return f"{whole.hexdigest()[:16]}.{moments.hexdigest()[:16]}"


def fewer(algorithm: Any) -> dict[str, int]:
    """Parameters of one that repeats itself often: the same code in less time, where no example is
    asked for.
    """
    from engine.protocol.params import params_fields

    return {
        f.name: FEWER[f.name]
        for f in params_fields(algorithm.params)
        if f.name in FEWER
        and f.range is not None
        and f.range.low <= FEWER[f.name] < (f.default or 0)
    }


def options(algorithm: Any) -> Iterator[dict[str, Any]]:
    """The defaults, and every other value of each parameter that is chosen from a list."""
    from engine.protocol.params import params_fields

    yield {}
    for field in params_fields(algorithm.params):
        values = (True, False) if field.kind == "bool" else field.options
        for value in values:
            if value != field.default:
                needed = {field.when.name: field.when.values[0]} if field.when else {}
                yield {**needed, field.name: value}


def cases(all_options: bool) -> Iterator[tuple[str, str, tuple[str, str], dict[str, Any], str]]:
    import engine

    for number, (key, algorithm) in enumerate(engine.algorithms().items()):
        needs = algorithm.needs
        kind = (
            "forecasts"
            if needs.forecasts
            else "values"
            if needs.values and not needs.labels
            else "labels"
        )
        kinds = (
            ["labels", "values"]
            if not needs.labels and not needs.values and not needs.forecasts
            else [kind]
        )
        tables = [t for k in kinds for t in TABLES[k]]
        for at, table in enumerate(tables):
            for other, chosen in enumerate(options(algorithm)):
                if not all_options and (
                    (at + other) % 9 if other else len(tables) > 3 and (at // 2 + number) % 3
                ):
                    # the defaults on every third pair of tables, so at both paces; each option on
                    # some of them
                    continue
                pace = ("DETAIL", "ROUND")[(at + other) % 2]
                yield f"{key} {table[1]} {chosen} {pace}", key, table, chosen, pace


def collect(all_options: bool = False) -> dict[str, str]:
    import engine

    found: dict[str, str] = {}
    for name, key, (where, table), chosen, pace in cases(all_options):
        try:
            data = getattr(engine, where)(table)
            level = engine.Pace(engine.Level[pace])
            if all_options:
                trace = engine.run(key, data, pace=level, max_steps=STEPS[pace], **chosen)
            else:
                given = fewer(engine.algorithms()[key]) | chosen
                trace = engine.run(key, data, pace=level, max_steps=STEPS[pace] // 4, **given)
        except engine.EngineError:
            continue
        found[name] = digest(trace)
    return found


def compile_at_once() -> None:
    """Loops run compiled from the first call on."""
    from engine.numerics import jit

    jit.allow_compiling()
    jit.WORTH = 0.0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    if "--compensated" in sys.argv:
        builtins.sum = compensated
    if "--compiled" in sys.argv:
        compile_at_once()
    print(json.dumps(collect("--all" in sys.argv)))
