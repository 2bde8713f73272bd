"""Golden words: what every method says, as text that a reviewer reads in a diff.

For each method the file `words/KEY.txt`, of at most 60 lines: from the run of its example with the
default parameters the first step of each line of the pseudo-code (of each line and set of events
where there is room for them) and the last step, with their sentences, formulas, facts and choices;
at the end why the first example has its label. `python -m tests.golden.words KEY…` prints what
differs now, `--record KEY…` writes the files again. They hold the words to what they were; they are
no proof that they were right.
"""

import argparse
import difflib
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import engine
from engine.base.notation import value_text
from engine.protocol.step import Choice, Step

FOLDER = Path(__file__).with_name("words")
STEPS = 400  # of a run; the contract tests see to it that the example reaches every line by then
LINES = 60  # of a file, at most
COLUMNS = 100
OPTIONS = 4  # of a choice that are written, beside those that are taken
SHORT = 7  # lines of a step where they would else not fit into the file


def words(key: str) -> list[str]:
    """The lines of a method's file: as many steps as have room in it, and their words cut to a few
    lines where not even one step of each line would have room.
    """
    algorithm = engine.algorithms()[key]
    trace = engine.run(key, algorithm.example(), max_steps=STEPS)
    head = f"{algorithm.title} ({key}): example of {trace.problem.n} rows, {len(trace)} steps"
    explained = explanation(trace)
    for marks in (line_and_events, line_alone):
        steps = [moment(number, trace[number]) for number in chosen(trace, marks)]
        whole = [head, *joined([*steps, explained])]
        if len(whole) <= LINES:
            return whole
    return [head, *joined(cut(rows) for rows in [*steps, explained])]


def chosen(trace: Any, marks: Callable[[Step[Any]], Any]) -> list[int]:
    """The first step of each kind that `marks` tells apart, and the last step."""
    first: dict[Any, int] = {}
    for number, step in enumerate(trace):
        first.setdefault(marks(step), number)
    return sorted({*first.values(), len(trace) - 1})


def line_and_events(step: Step[Any]) -> tuple[str, tuple[str, ...]]:
    return step.line, step.events


def line_alone(step: Step[Any]) -> str:
    return step.line


def moment(number: int, step: Step[Any]) -> list[str]:
    """A step: its number, line and events; below them its words and its choice."""
    events = f" [{', '.join(step.events)}]" if step.events else ""
    said = [line for text in step.note.lines() for line in wrapped(text)]
    return [f"{number} {step.line}{events}", *said, *options(step.choice)]


def options(choice: Choice | None) -> list[str]:
    """A choice: its prompt and rule, and of its options the first few; * marks the one taken, = one
    that is as good.
    """
    if choice is None:
        return []
    rows = wrapped(f"? {choice.prompt}" + (f" ({choice.rule})" if choice.rule else ""))
    for number, option in enumerate(choice.options):
        if number >= OPTIONS and number != choice.chosen:
            continue
        equal = "=" if number in choice.winners else "-"
        mark = "*" if number == choice.chosen else equal
        score = f"{value_text(option.score, choice.digits)} {choice.unit}".strip()
        detail = f"; {option.detail}" if option.detail else ""
        rows += wrapped(f"{mark} {option.label}: {score}{detail}", "    ")
    left_out = len(choice.options) - OPTIONS
    return [*rows, f"    … {left_out} more"] if left_out > 1 else rows


def explanation(trace: Any) -> list[str]:
    """Why the first example has its label at the last step; nothing of a method without labels."""
    algorithm = trace.algorithm
    if algorithm.explain is None or not trace.problem.n:
        return []
    said = algorithm.explain(trace.given, trace[-1].state, trace.problem.X[0])
    if said is None:
        return []
    return ["why the first example?", *(row for text in said.note.lines() for row in wrapped(text))]


def wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def joined(steps: Iterable[list[str]]) -> Iterator[str]:
    for rows in steps:
        yield from rows


def cut(rows: list[str]) -> list[str]:
    return rows if len(rows) <= SHORT + 1 else [*rows[:SHORT], "  …"]


def file_of(key: str) -> Path:
    return FOLDER / f"{key}.txt"


def kept(key: str) -> list[str]:
    """The lines of the recorded file; none where there is no file."""
    path = file_of(key)
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("keys", nargs="*", help="all methods when none is given")
    reader.add_argument("--record", action="store_true", help="write the files anew")
    args = reader.parse_args()
    for key in args.keys or sorted(engine.algorithms()):
        now = words(key)
        if args.record:
            file_of(key).write_text("\n".join(now) + "\n", encoding="utf-8")
        else:
            for row in difflib.unified_diff(kept(key), now, key, "now", n=1, lineterm=""):
                print(row)


if __name__ == "__main__":
    main()
