"""A line that tells the classes of a stream and moves with every arrival.

Extension: MMDS 12.2.9 only says that the truth drifts.
"""

from typing import Any

from engine.authoring import EngineError, Float, Problem, Record, np

REACH = 1.2  # how far a shifting line goes, in standard deviations of the data


class Truth(Record):
    """In the two columns of the plane, or the first two, in their standard deviations from a
    middle, the line has a normal at `angle` degrees, and at t arrivals has turned by speed · t, or
    lies REACH · sin(speed · t) from the middle.
    """

    columns: tuple[int, ...]
    middle: Float
    spread: Float
    angle: float
    turns: bool
    speed: float

    @classmethod
    def of(cls, problem: Problem, p: Any, free: bool) -> "Truth":
        """It begins between the classes of the table. free: it need not go through the origin.

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
        middle = middle if free or p.drift == "shifting" else 0.0 * middle
        pull = problem.sign @ (X - middle) / spread
        angle = (
            float(np.degrees(np.arctan2(pull[1], pull[0])))
            if len(columns) > 1
            else float(pull[0] < 0) * 180.0
        )
        return cls(columns, middle, spread, angle, p.drift == "turning", p.speed)

    def line(self, t: int) -> tuple[Float, float]:
        """(w, b) on these columns of w·x + b = 0 after t arrivals: the first class lies where it is
        positive.
        """
        turned = np.radians(self.speed * t)
        angle = np.radians(self.angle) + (turned if self.turns else 0.0)
        w = np.array([np.cos(angle), np.sin(angle)])[: len(self.columns)] / self.spread
        return w, -float(w @ self.middle) - (0.0 if self.turns else REACH * float(np.sin(turned)))

    def label(self, x: Float, t: int) -> float:
        """±1 of a row, on the line itself +1."""
        w, b = self.line(t)
        return 1.0 if float(w @ x[list(self.columns)]) + b >= 0 else -1.0
