"""How good the shown step of a lane is: what it gets wrong of the examples and of the rows held
out.
"""

from math import isfinite, nan

from engine.base.notation import value_text
from engine.base.records import Record
from gui.session.lane_view import LaneView


class Score(Record, eq=True):
    """train, test: how many rows are wrong, of how many of each; of values roots of mean squared
    errors, `of` is 0 then. NaN where there is none.
    """

    train: float = nan
    test: float = nan
    of: int = 0
    of_test: int = 0

    def words(self, test: bool = False) -> str:
        """'6', or '0.31' of values; "" where there is none."""
        value = self.test if test else self.train
        return "" if not isfinite(value) else f"{value:,.0f}" if self.of else value_text(value)


def score(view: LaneView) -> Score:
    """Of the shown step, as far as it is found quickly."""
    run, step, problem = view.run, view.step, view.problem
    if run is None or step is None or problem is None or view.algorithm.predict is None:
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
