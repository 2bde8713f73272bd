"""The learners that buy labels: taught again from the rows that have one, their scores and classes
of all others. MMDS 12.1.4.
"""

from typing import Any, Literal, TypeVar

from engine.authoring import (
    At,
    EngineError,
    Float,
    Grid,
    Int,
    Level,
    Pace,
    Rng,
    Setting,
    Work,
    frozen,
    np,
    replace,
)
from engine.base.sums import add_up
from engine.numerics.linear import signed_classes
from engine.protocol.params import build
from engine.protocol.registry import algorithm

Name = Literal["perceptron", "logistic regression", "svm", "nearest neighbours"]
P = TypeVar("P")
S = TypeVar("S", bound=Any)


class Asking(Setting[P]):
    """The learner whose labels are bought.

    Rows are indices into the problem; a model is the final state of the learner's own run.
    """

    p: Any

    def labels_by_chance(self, rng: Rng) -> tuple[Int, Int]:
        """(rows bought by chance until both classes are known, the others as they come).

        Where a person says the classes, the order is one of all rows and does not depend on what
        the table knows by then, so that an answer changes nothing of what came before it; the first
        labels end before the first row whose class is not known yet.
        """
        codes = self.problem.codes
        person = self.p.oracle == "person"
        order = rng.permutation(self.problem.n if person else np.flatnonzero(codes >= 0))
        known = codes[order]
        count = 1 + max(int((known == code).argmax()) for code in (0, 1))
        unknown = np.flatnonzero(known < 0)
        if len(unknown):
            count = min(count, int(unknown[0]))
        return frozen(order[:count]), frozen(order[count:])

    def both_known(self, rows: Int) -> bool:
        """Whether both classes are among the rows."""
        return len(set(self.problem.codes[rows].tolist())) == 2

    def check(self, bought: Int, chance: Int, rest: Int) -> None:
        """Raises EngineError for the rows of another table."""
        largest = max(int(rows.max(initial=0)) for rows in (bought, chance, rest))
        fits = largest < self.problem.n and self.both_known(bought) and self.both_known(chance)
        if not fits:
            raise EngineError("The labels are of other rows: start again.")

    def unsold(self, bought: Int, came: Int) -> Int:
        """(m,) the rows among those that `came` that are not bought and have a known class."""
        rows = np.setdiff1d(came, bought)
        return rows[self.problem.codes[rows] >= 0]

    # -- one learner -------------------------------------------------------------------------------

    def learner(self, rows: Int) -> tuple[Any, Any]:
        """(the learner's algorithm, its setting for these rows)."""
        problem = self.problem
        part = replace(
            problem,
            X=frozen(problem.X[rows]),
            y=problem.y[rows],
            codes=frozen(problem.codes[rows]),
            held_out=None,
            names=tuple(problem.names[i] for i in rows),
            numbers=tuple(problem.number_of(int(i)) for i in rows),
        )
        method = algorithm(self.p.learner.replace(" ", "_"))
        params = build(method.params, self.params(part.X))
        return method, method.setting(part, params)

    def params(self, X: Float) -> dict[str, Any]:
        """The learner's parameters that differ from their defaults."""
        if self.p.learner == "perceptron":
            return {"threshold": "learned", "rounds": 50}
        if self.p.learner == "logistic regression":
            rate = 4 / (float(np.square(X).sum()) + len(X))  # at this rate its loss never climbs
            return {"loss": "log", "steps": 300, "rate": min(max(rate, 1e-6), 10.0)}
        return {}

    @property
    def by_heart(self) -> bool:
        """Whether the learner is the nearest neighbour, which has no model but its rows."""
        return bool(self.p.learner == "nearest neighbours")

    def taught(self, rows: Int) -> Work[Any]:
        """The model learnt from these rows; None for the nearest neighbour, and while only one
        class is known.
        """
        if self.by_heart or not self.both_known(rows):
            return None
        method, setting = self.learner(rows)
        rounds = At(method, setting, Pace(Level.ROUND))
        state = None
        for step in method.steps(setting, rounds, np.random.default_rng(0)):
            if step is not None:
                state = step.state
            yield
        return state

    def scores_of(self, rows: Int, model: Any, X: Float) -> Float:
        """(m,) above 0 for the first class; of the nearest neighbour how much farther the second
        class is; 0 while only one class is known.
        """
        if not self.both_known(rows):
            return np.zeros(len(X))
        if self.by_heart:
            return self.distance(rows, 1, X) - self.distance(rows, 0, X)
        method, setting = self.learner(rows)
        return np.asarray(method.scores(setting, model, X))

    def distance(self, rows: Int, code: int, X: Float) -> Float:
        """(m,) the distance of rows X (m, d) to the nearest of `rows` with this class."""
        unit = float(self.problem.largest.max()) or 1.0
        near = np.full(len(X), np.inf)
        for z in self.problem.X[rows[self.problem.codes[rows] == code]]:
            squares: Float = add_up(((X[:, j] - z[j]) / unit) ** 2 for j in range(len(z)))
            near = np.minimum(near, squares)
        return np.asarray(unit * np.sqrt(near))

    def classes_of(self, rows: Int, model: Any, X: Float) -> Int:
        """(m,) the class codes that a model gives to rows X (m, d), −1 for none."""
        if self.by_heart or not self.both_known(rows):
            return signed_classes(self.scores_of(rows, model, X))
        method, setting = self.learner(rows)
        return np.asarray(method.predict(setting, model, X))

    def learnt(self, s: Any) -> tuple[Int, Any]:
        """(rows that the model of a state learnt from, the model)."""
        labels, _, _, _ = s.history[-1]
        return s.asked[:labels], s.model

    def rival(self, s: Any) -> tuple[Int, Any]:
        """(rows that the rival of a state learnt from, its model)."""
        _, _, labels, _ = s.history[-1]
        return s.chance[:labels], s.rival

    def errors_of(self, rows: Int, model: Any) -> int:
        """The number of labelled rows that a model gets wrong. rows: those it learnt from"""
        labelled = self.problem.labelled
        answers = self.classes_of(rows, model, self.problem.X[labelled])
        return int((answers != self.problem.codes[labelled]).sum())

    def with_metrics(self, s: S) -> S:
        """The state with the errors of both models and the number of labels bought."""
        errors = self.errors_of(s.asked, s.model)
        by_chance = self.errors_of(s.chance, s.rival)
        learnt_now = (len(s.asked), errors, len(s.chance), by_chance)
        return replace(
            s,
            errors=errors,
            by_chance=by_chance,
            history=s.history.plus(learnt_now),
            price=self.p.price * len(s.asked),
        )

    def surface(self, rows: Int, model: Any, grid: Grid) -> Int:
        """(ny, nx) classes on the plane, by the learner's own surface."""
        if self.by_heart or not self.both_known(rows):
            places = self.problem.from_plane(grid.points())
            return self.classes_of(rows, model, places).reshape(grid.shape)
        method, setting = self.learner(rows)
        return np.asarray(method.fields["class"](setting, model, grid), np.intp)
