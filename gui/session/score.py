"""The score of a lane's shown step: how wrong it is on the examples and on the held-out rows."""

from math import isfinite, nan

from engine.base.notation import value_text
from engine.base.records import Record
from engine.lessons.hiding import hides_errors
from gui.session.lane_view import LaneView


class Score(Record, eq=True):
    """The errors of a step; NaN where there is none.

    train, test: how many rows are wrong, or the root of the mean squared error of values
    of, of_test: of how many rows; 0 for values
    """

    train: float = nan
    test: float = nan
    of: int = 0
    of_test: int = 0

    def words(self, test: bool = False) -> str:
        """The error as text: '6' wrong rows, '0.31' for values; "" where there is none."""
        value = self.test if test else self.train
        return "" if not isfinite(value) else f"{value:,.0f}" if self.of else value_text(value)


def score(view: LaneView) -> Score:
    """The score of the shown step; NaN for what is not judged quickly, or hidden by a lesson."""
    run, step, problem = view.run, view.step, view.problem
    if run is None or step is None or problem is None or view.algorithm.predict is None:
        return Score()
    if hides_errors(view.hidden):
        return Score()
    if not (problem.regress or problem.labelled.any()):
        return Score()
    train = run.judging.train(view.cursor)
    errors = run.judging.at(view.cursor)
    test = errors.test if errors is not None else nan
    if problem.regress:
        return Score(train, test)
    of = int(problem.labelled.sum())
    of_test = int(problem.held_out.labelled.sum()) if problem.held_out else 0
    return Score(train * of, test * of_test, of, of_test)
