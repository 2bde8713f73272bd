"""Golden traces: what every algorithm did when they were recorded, before its page was rewritten.

`python -m tests.golden.runs` records them again.

For each algorithm, each option of each parameter, three paces and several data sets, one line of
digests: of the lines, levels, events, metrics, and of each field of the states by its name. Words
and choices are not among them: a digest of a sentence tells a reviewer nothing. They hold a
refactoring to what was there; they are no proof that it was right. `python -m tests.golden.runs
KEY` prints what differs now, and `--show NAME` a run step by step.
"""

import argparse
import hashlib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import engine
from engine.base.arrays import Prefix
from engine.base.records import field_names, is_record
from engine.protocol.params import params_fields
from engine.protocol.step import Level, Pace

KEPT = Path(__file__).with_name("traces.txt")
STEPS = 60
LATER = (
    "seven_hypotheses",
    "people",
    "whole_rectangle",
    "three_in_a_row",
    "three_corners",
    "interval_pair",
    "three_bits",
    "eight_on_a_circle",
    "play_tennis",
    "enjoy_sport",
    "news",
    "restaurant_slide",
    "restaurant_exact",
    "restaurant_gaps",
    "xor_copies",
    "xor_table",
    "e_mails",
    "spam_threshold",
    "polynomial_eight_off",
    "regular_tree",
)  # sets that came after most traces were recorded, of which every n-th is taken
BITS = 2.0**30  # of a number that count: the last ones may differ between processors


def data_sets() -> Mapping[str, Any]:
    """By name: small tables of every kind, with three classes, words, gaps and held-out rows among
    them.
    """
    sets = {name: engine.textbook(name) for name in engine.TEXTBOOK if name not in LATER}
    made = {
        "moons": 40,
        "blobs": 30,
        "three_fields": 30,
        "sine": 24,
        "boolean_rule": 40,
        "houses": 20,
        "gaussians": 36,
    }
    return sets | {f"{name} {n}": engine.generate(name, n, seed=1) for name, n in made.items()}


@cache
def prepared() -> Mapping[str, engine.Problem]:
    problems = {}
    for name, data in data_sets().items():
        problems[name] = engine.prepare(data)
        if problems[name].n >= 24:
            problems[f"{name} split"] = engine.prepare(data, split=engine.Split(0.25))
    return problems


def runs(
    algorithm: Any, problems: Mapping[str, engine.Problem]
) -> Iterator[tuple[str, engine.Problem, dict[str, Any]]]:
    """(name, problem, params): the defaults on all sets it takes, every other option on two of
    them.
    """
    taken = {
        name: problem
        for name, problem in problems.items()
        if algorithm.needs.reason(problem) is None
    }
    chosen = list(taken.items())[:: max(1, len(taken) // 5)]
    for name, problem in [("example", algorithm.example()), *chosen]:
        yield name, problem, {}
    for number, field in enumerate(params_fields(algorithm.params)):
        options = field.options or (
            (not field.default,) if field.kind == "bool" else other_number(field)
        )
        few = [*chosen[number % 3 :: 3]][:2] or chosen[:1]
        for option in options:
            for name, problem in [("example", algorithm.example()), *few]:
                if option != field.default:
                    yield f"{name} {field.name}={option}", problem, {field.name: option}


def other_number(field: Any) -> tuple[Any, ...]:
    """Another value of a parameter that is a number; none for vectors and texts."""
    if field.kind not in ("int", "float"):
        return ()
    value = (
        3
        if field.default is None
        else field.default + 1
        if field.kind == "int"
        else field.default / 2 or 0.25
    )
    return (value,) if field.range is None or field.range.low <= value <= field.range.high else ()


def recorded(key: str, every: int = 1) -> dict[str, str]:
    """Digests by 'key | run | pace'; of every so many-th run."""
    algorithm = engine.algorithms()[key]
    cases = [(run, level) for run in runs(algorithm, prepared()) for level in Level]
    return {
        f"{key} | {name} | {level.name}": digest_of(algorithm.key, problem, params, level)
        for (name, problem, params), level in cases[::every]
    }


def digest_of(key: str, problem: engine.Problem, params: dict[str, Any], level: Level) -> str:
    try:
        trace = engine.run(key, problem, seed=7, pace=Pace(level), max_steps=STEPS, **params)
    except engine.EngineError as sentence:
        return f"refused {short(str(sentence))}"
    steps = list(trace)
    parts: dict[str, Any] = {
        "lines": [s.line for s in steps],
        "levels": [int(s.level) for s in steps],
        "events": [sorted(s.events) for s in steps],
        "metrics": trace.metrics,
    }
    for name in field_names(steps[0].state) if steps else ():
        parts[f".{name}"] = [getattr(s.state, name) for s in steps]
    return " ".join(f"{name}:{short(value)}" for name, value in sorted(parts.items()))


def short(value: Any) -> str:
    made = hashlib.sha256()
    feed(made.update, value)
    return made.hexdigest()[:6]


def feed(update: Callable[[bytes], None], value: Any) -> None:
    """Hand the value on as bytes that depend on nothing but its contents."""
    if value is None or isinstance(value, (str, bool, np.bool_, bytes)):
        update(repr(value).replace("np.", "").encode())
    elif isinstance(value, (int, float, np.number)):
        feed(update, np.asarray([value], np.float64))
    elif isinstance(value, Fraction):
        update(repr(value).encode())
    elif isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        mantissa, power = np.frexp(np.asarray(value, np.float64) + 0.0)
        update(
            repr(value.shape).encode()
            + (np.rint(mantissa * BITS) + 0.0).tobytes()
            + power.astype(np.int32).tobytes()
        )
    elif isinstance(value, (list, tuple, Prefix, np.ndarray)):
        update(f"[{len(value)}".encode())
        for item in value:
            feed(update, item)
    elif isinstance(value, Mapping):
        for name in sorted(value, key=repr):
            update(repr(name).encode())
            feed(update, value[name])
    elif is_record(value) and not isinstance(value, type):
        for name in field_names(value):
            update(name.encode())
            feed(update, getattr(value, name))
    elif isinstance(value, (set, frozenset)):
        feed(update, sorted(value, key=repr))
    else:
        update(type(value).__name__.encode())


def kept() -> dict[str, str]:
    rows = (
        row.split(" = ", 1)[:2]
        for row in KEPT.read_text(encoding="utf-8").splitlines()
        if " = " in row
    )
    return dict(rows)


def differences(before: str, now: str) -> list[str]:
    """The parts that both have and that differ, and those that one lacks."""
    if before.startswith("refused") or now.startswith("refused"):
        return [] if before == now else ["refused"]
    old, new = (dict(part.split(":") for part in digests.split()) for digests in (before, now))
    return [part for part in old if part in new and old[part] != new[part]] + sorted(
        f"{part} {'new' if part in new else 'gone'}" for part in old.keys() ^ new.keys()
    )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("keys", nargs="*")
    reader.add_argument(
        "--record",
        action="store_true",
        help="write the digests of these algorithms (all without keys)",
    )
    reader.add_argument("--show", default="", help="'key | run | pace': print the run step by step")
    args = reader.parse_args()
    if args.show:
        show(args.show)
        return
    keys, before = args.keys or sorted(engine.algorithms()), kept() if KEPT.exists() else {}
    for key in keys:
        now = recorded(key)
        if args.record:
            before = {
                name: digests for name, digests in before.items() if not name.startswith(f"{key} |")
            } | now
        for name, digests in now.items():
            if found := (
                differences(before.get(name, ""), digests) if name in before else ["unknown run"]
            ):
                print(name, "differs:", ", ".join(found), flush=True)
    if args.record:
        KEPT.write_text(
            "".join(f"{name} = {digests}\n" for name, digests in sorted(before.items())),
            encoding="utf-8",
        )


def show(name: str) -> None:
    key, run, pace = name.split(" | ")
    problem, params = next(
        (p, given) for n, p, given in runs(engine.algorithms()[key], prepared()) if n == run
    )
    trace = engine.run(key, problem, seed=7, pace=Pace(Level[pace]), max_steps=STEPS, **params)
    for number, step in enumerate(trace):
        print(number, step.line, step.level.name, step.events, dict(step.metrics))
        print("   ", *step.note.lines(), sep="\n    ")
        print("   ", step.choice)
        print("   ", {name: getattr(step.state, name) for name in field_names(step.state)})


if __name__ == "__main__":
    main()
