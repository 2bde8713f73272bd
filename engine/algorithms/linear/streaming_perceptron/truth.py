"""A line that tells the classes of a stream and moves with every arrival.

Extension: MMDS 12.2.9 only says that the truth drifts.
"""

from typing import Any

from engine.authoring import EngineError, Float, Problem, Record, np

REACH = 1.2  # how far a shifting line goes, in standard deviations of the data


class Truth(Record):
    """A line that turns by speed · t degrees in t arrivals, or lies REACH · sin(speed · t) from the
    middle.

    columns: the two of the plane, or the first two; or one
    middle: (columns,) what the line turns about
    spread: (columns,) standard deviations, the unit of length
    angle: of its normal at the start, in degrees
    turns: whether it turns; else it shifts
    speed: degrees of each arrival
    """

    columns: tuple[int, ...]
    middle: Float
    spread: Float
    angle: float
    turns: bool
    speed: float

    @classmethod
    def of(cls, problem: Problem, p: Any, free: bool) -> "Truth":
        """The truth that begins between the classes of the table, with the params p. free: it need
        not go through the origin.

        Raises EngineError where nothing can turn.
        """
        columns = (problem.plane or tuple(range(problem.d)))[:2]
        if p.drift == "turning" and len(columns) < 2:
            raise EngineError(
                "A truth that turns needs two columns, this table has one: let it shift, or add a"
                " column."
            )
        X = problem.X[:, list(columns)]
        middle = X.mean(axis=0)
        spread = X.std(axis=0)
        spread[spread == 0] = 1.0
        if not free and p.drift == "turning":
            middle = 0.0 * middle
        pull = problem.sign @ (X - middle) / spread
        if len(columns) > 1:
            angle = float(np.degrees(np.arctan2(pull[1], pull[0])))
        else:
            angle = 180.0 if pull[0] < 0 else 0.0
        return cls(columns, middle, spread, angle, p.drift == "turning", p.speed)

    def line(self, t: int) -> tuple[Float, float]:
        """(w, b) on these columns of w·x + b = 0 after t arrivals: the first class lies where it is
        positive.
        """
        moved = np.radians(self.speed * t)
        angle = np.radians(self.angle)
        shift = 0.0
        if self.turns:
            angle += moved
        else:
            shift = REACH * float(np.sin(moved))
        w = np.array([np.cos(angle), np.sin(angle)])[: len(self.columns)] / self.spread
        return w, -float(w @ self.middle) - shift

    def label(self, x: Float, t: int) -> float:
        """The class ±1 of row x (d,) at time t, +1 on the line itself."""
        w, b = self.line(t)
        return 1.0 if float(w @ x[list(self.columns)]) + b >= 0 else -1.0
