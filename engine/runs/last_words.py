"""The closing words of a run: they say where the baseline would do better than the model."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.protocol.algorithm import Algorithm
from engine.protocol.step import Note, Operand, Step, Teller, Words
from engine.table.baseline import Baseline, baseline, error_of
from engine.table.problem import Problem, Task

# rows to answer × rows learnt from; with more the slowest methods would block the window
MOST_PAIRS = 10_000_000
JUDGED = (Task.CLASSIFY, Task.REGRESS)


class LastWords:
    """Makes the words of the last step of an ended run: those of its page, and the comparison with
    the baseline where the model does worse.
    """

    def __init__(self, teller: Teller, algorithm: Algorithm[Any, Any], given: Any) -> None:
        self._teller, self._algorithm, self._given = teller, algorithm, given

    def measured(self, state: Any) -> Mapping[str, float]:
        return self._teller.measured(state)

    def say(self, line: str, state: Any, details: Mapping[str, Any]) -> Words:
        said = self._teller.say(line, state, details)
        words, choice = said if isinstance(said, tuple) else (said, None)
        counted = float(self.measured(state).get("errors", np.nan))
        return worse(words, self._algorithm, self._given, state, counted), choice


def closing(step: Step[Any], algorithm: Algorithm[Any, Any], given: Any) -> Step[Any]:
    """The last step of an ended run: `step` with `LastWords` where it predicts classes or values,
    else `step` itself.
    """
    if algorithm.predict is None or algorithm.task not in JUDGED:
        return step
    teller = LastWords(step.teller, algorithm, given)
    return Step(teller, step.line, step.state, step.level, step.events, step.details, step.tie)


def worse(
    words: Note, algorithm: Algorithm[Any, Any], given: Any, state: Any, counted: float
) -> Note:
    """`words`, with a sentence added where the model does worse than the baseline.

    Compared on the rows learnt from, then on those held out.

    counted: wrong rows among those learnt from, as the run counted them; NaN: not counted
    """
    problem = given.problem
    found = baseline(given.problem)
    if found is None:
        return words
    for rows, name in ((problem, "rows learnt from"), (problem.held_out, "rows held out")):
        if rows is None:
            continue
        known = counted if rows is problem and rows.classes else np.nan
        error = (
            known / rows.labelled.sum() if known == known else _error(algorithm, given, state, rows)
        )
        own = found.error(rows)
        if error > own * (1 + 1e-9):
            return _with_sentence(words, found, rows, name, error, own)
    return words


def _error(algorithm: Algorithm[Any, Any], given: Any, state: Any, rows: Problem) -> float:
    """The error of the model on `rows`, see `error_of`; NaN where that would be slow or fails."""
    if rows.n * max(rows.n, given.problem.n) > MOST_PAIRS:
        return float("nan")
    assert algorithm.predict is not None
    try:
        return error_of(rows, np.asarray(algorithm.predict(given, state, rows.X)))
    except Exception:  # a model that cannot answer leaves the words of its page as they are
        return float("nan")


def _with_sentence(
    words: Note, found: Baseline, rows: Problem, name: str, error: float, own: float
) -> Note:
    """`words` with the sentence that compares with the baseline on `rows`.

    error, own: of the model and of the baseline, see `error_of`
    """
    operands = {"always_said": Operand(found.name)}
    if rows.regress:
        sentence = (
            "The model does worse than always saying {always_said}, the mean: the root mean square"
            " error on the "
        )
        sentence += name + " is {error_here}, by that answer {error_always}."
        return words.going_on(
            sentence, error_here=Operand(error), error_always=Operand(own), **operands
        )
    count = int(rows.labelled.sum())
    operands |= {
        "wrong_here": Operand(round(error * count)),
        "wrong_always": Operand(round(own * count)),
    }
    sentence = (
        f"The model does worse than always saying {{always_said}}, {found.kind}: of the"
        " {rows_here} " + name
    )
    sentence += " {wrong_here} {wrong_here:is|are} wrong, by that answer {wrong_always}."
    return words.going_on(sentence, rows_here=Operand(count), **operands)
