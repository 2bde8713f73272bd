"""Writes a run as JSON for other programs: each step's line, words, operands, metrics, events and
choice.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from engine.base.notation import Share
from engine.files.lanes import start_to_plain
from engine.files.plain import number_or_word, one_line
from engine.judge.evaluate import error_share
from engine.protocol.params import to_dict
from engine.protocol.step import Choice, Note, Step
from engine.runs.run import Run
from engine.runs.start import Start

FORMAT = "learnscope steps"
VERSION = 1
_BATCH = 500


def step_to_plain(step: Step[Any], index: int) -> dict[str, Any]:
    """One step as JSON values, without the model."""
    return {
        "step": index,
        "line": step.line,
        "level": step.level.name.lower(),
        "note": step.note.text(),
        "working": step.note.lines()[1:],
        "operands": operands_to_plain(step.note),
        "metrics": {name: plain(value) for name, value in step.metrics.items()},
        "events": list(step.events),
        "choice": choice_to_plain(step.choice),
    }


def operands_to_plain(note: Note) -> dict[str, Any]:
    """The operands of a note with value, text, symbol and tags."""
    return {
        name: {
            "value": plain(operand.value),
            "text": operand.text(),
            "symbol": operand.symbol,
            "about": operand.about,
        }
        for name, operand in note.operands.items()
    }


def choice_to_plain(choice: Choice | None) -> dict[str, Any] | None:
    """A choice with all its options; winners and chosen are indices of options."""
    if choice is None:
        return None
    options = [
        {"label": o.label, "score": plain(o.score), "detail": o.detail} for o in choice.options
    ]
    return {
        "prompt": choice.prompt,
        "options": options,
        "winners": [int(i) for i in choice.winners],
        "chosen": int(choice.chosen),
        "rule": choice.rule,
        "unit": choice.unit,
        "smallest": choice.smallest,
    }


def plain(value: Any) -> Any:
    """An operand as a JSON value: a fraction as a number, NaN as null, infinity as 'inf'."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (Fraction, Share)):
        return number_or_word(float(value))
    if isinstance(value, float):
        return number_or_word(value)
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return str(value)


def header_to_plain(run: Run) -> dict[str, Any]:
    """The algorithm, parameters, seed, start and data of a run."""
    problem = run.problem
    params = {name: number_or_word(value) for name, value in to_dict(run.params).items()}
    begun: dict[str, Any] = (
        {"start": start_to_plain(run.start)} if isinstance(run.start, Start) else {}
    )
    begun |= {"branches": [list(branch) for branch in run.branches]} if run.branches else {}
    return {
        "format": FORMAT,
        "version": VERSION,
        "algorithm": run.algorithm.key,
        "params": params,
        "seed": run.seed,
        **begun,
        "pace": run.pace.level.name.lower(),
        "rows": problem.n,
        "columns": [feature.name for feature in problem.features],
        "classes": [plain(label) for label in problem.classes],
        "held_out_rows": problem.held_out.n if problem.held_out is not None else 0,
    }


def recorded(run: Run, max_steps: int) -> Iterator[dict[str, Any]]:
    """Run to the end, or up to `max_steps`, and yield each step before the trace thins old ones."""
    done = 0
    while run.advance(max_steps=min(done + _BATCH, max_steps)):
        for index in range(done, len(run.trace)):
            yield step_to_plain(run.trace[index], index)
        done = len(run.trace)


def result_to_plain(run: Run) -> dict[str, Any]:
    """The result of a run.

    finished: False if it was cut off; errors: shares of wrong rows of the last model
    """
    trace = run.trace
    judged = run.algorithm.predict is not None and len(trace) > 0
    return {
        "step_count": len(trace),
        "finished": run.finished,
        "training_error": plain(error_share(trace)) if judged else None,
        "held_out_error": plain(error_share(trace, held_out=True)) if judged else None,
    }


def run_to_json(run: Run, max_steps: int) -> Iterator[bytes]:
    """The whole run as one JSON object, a line per step, written while it runs."""
    lead = b"{"
    for name, value in header_to_plain(run).items():
        yield lead + b"\n " + one_line(name) + b": " + one_line(value)
        lead = b","
    yield b',\n "steps": ['
    lead = b""
    for step in recorded(run, max_steps):
        yield lead + b"\n  " + one_line(step)
        lead = b","
    yield b"\n ]"
    for name, value in result_to_plain(run).items():
        yield b",\n " + one_line(name) + b": " + one_line(value)
    yield b"\n}\n"
