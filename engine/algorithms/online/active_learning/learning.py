"""The learners that buy labels: taught anew from the rows that have one, and how much in doubt they
are about the others.
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
from engine.core.params import build
from engine.core.registry import algorithm
from engine.core.sums import add_up
from engine.numerics.linear import signed_classes

Name = Literal["perceptron", "logistic regression", "svm", "nearest neighbours"]
P = TypeVar("P")
S = TypeVar("S", bound=Any)


class Asking(Setting[P]):
    """Rows by their numbers in the problem; a learner's model is the state that its own run ends
    with.
    """

    p: Any

    def dealt(self, rng: Rng) -> tuple[Int, Int]:
        """(rows bought by chance until both classes are known, the others as they come).

        A person is asked for them in the same order, whatever the table knows by then, so that an
        answer changes nothing of what came before it.
        """
        codes = self.problem.codes
        order = rng.permutation(
            self.problem.n if self.p.oracle == "person" else np.flatnonzero(codes >= 0)
        )
        known = codes[order]
        many = 1 + max(int((known == k).argmax()) for k in (0, 1))
        many = min(many, *np.flatnonzero(known < 0)[:1].tolist(), many)
        return frozen(order[:many]), frozen(order[many:])

    def ready(self, rows: Int) -> bool:
        """Whether both classes are among the rows."""
        return len(set(self.problem.codes[rows].tolist())) == 2

    def check(self, *rows: Int) -> None:
        """EngineError for the rows of another table."""
        most = max(int(part.max(initial=0)) for part in rows)
        if most >= self.problem.n or not all(map(self.ready, rows[:2])):
            raise EngineError("The labels are of other rows: start again.")

    def unsold(self, chance: Int, came: Int) -> Int:
        """The rows that chance can still buy."""
        rows = np.setdiff1d(came, chance)
        return rows[self.problem.codes[rows] >= 0]

    # -- one learner -------------------------------------------------------------------------------

    def given(self, rows: Int) -> tuple[Any, Any]:
        """The learner, and what it is given when it is taught these rows."""
        problem = self.problem
        key = self.p.learner.replace(" ", "_")
        part = replace(
            problem,
            X=frozen(problem.X[rows]),
            y=problem.y[rows],
            codes=frozen(problem.codes[rows]),
            held_out=None,
            names=tuple(problem.names[i] for i in rows),
            numbers=tuple(problem.number_of(int(i)) for i in rows),
        )
        method = algorithm(key)
        return method, method.setting(part, build(method.params, self.params(part.X)))

    def params(self, X: Float) -> dict[str, Any]:
        """What the learner is set to; the logistic one never climbs at this rate."""
        rate = (
            4 / (float(np.square(X).sum()) + len(X))
            if self.p.learner.startswith("logistic")
            else 1.0
        )
        return {
            "perceptron": {"threshold": "learned", "rounds": 50},
            "logistic regression": {
                "loss": "log",
                "steps": 300,
                "rate": min(max(rate, 1e-6), 10.0),
            },
        }.get(self.p.learner, {})

    @property
    def by_heart(self) -> bool:
        """The nearest neighbour has no model but its rows."""
        return bool(self.p.learner == "nearest neighbours")

    def taught(self, rows: Int) -> Work[Any]:
        """The state that the learner's own run ends with."""
        if self.by_heart or not self.ready(rows):
            return None
        method, given = self.given(rows)
        state = None
        for step in method.steps(
            given, At(method, given, Pace(Level.ROUND)), np.random.default_rng(0)
        ):
            state = state if step is None else step.state
            yield
        return state

    def scored(self, rows: Int, model: Any, X: Float) -> Float:
        """(m,) above 0 for the first class; of the nearest neighbour how much farther the second
        class is; 0 while only one class is known.
        """
        if not self.ready(rows):
            return np.zeros(len(X))
        if not self.by_heart:
            method, given = self.given(rows)
            return np.asarray(method.scores(given, model, X))
        return np.asarray(self.distance(rows, 1, X) - self.distance(rows, 0, X))

    def distance(self, rows: Int, code: int, X: Float) -> Float:
        """(m,) to the nearest of the rows of a class."""
        unit = float(self.problem.largest.max()) or 1.0
        near = np.full(len(X), np.inf)
        for z in self.problem.X[rows[self.problem.codes[rows] == code]]:
            squares: Float = add_up(((X[:, j] - z[j]) / unit) ** 2 for j in range(len(z)))
            near = np.minimum(near, squares)
        return np.asarray(unit * np.sqrt(near))

    def said(self, rows: Int, model: Any, X: Float) -> Int:
        if self.by_heart or not self.ready(rows):
            return signed_classes(self.scored(rows, model, X))
        method, given = self.given(rows)
        return np.asarray(method.predict(given, model, X))

    def learnt(self, s: Any) -> tuple[Int, Any]:
        """The rows that the model of a state was taught, and the model."""
        return s.asked[: s.history[-1][0]], s.model

    def rival(self, s: Any) -> tuple[Int, Any]:
        return s.chance[: s.history[-1][2]], s.rival

    def doubt(self, s: Any, rows: Int) -> Float:
        """(k,) how far the scores of rows are from the boundary."""
        return np.abs(self.scored(*self.learnt(s), self.problem.X[rows]))

    def judged(self, s: S) -> S:
        """What both have wrong of all rows whose class the table knows, which they do not."""
        problem = self.problem
        truth = problem.codes[problem.labelled]
        X = problem.X[problem.labelled]
        wrong = [
            int((self.said(rows, model, X) != truth).sum())
            for rows, model in ((s.asked, s.model), (s.chance, s.rival))
        ]
        history = s.history.plus((len(s.asked), wrong[0], len(s.chance), wrong[1]))
        return replace(
            s,
            errors=wrong[0],
            by_chance=wrong[1],
            history=history,
            price=self.p.price * len(s.asked),
        )

    def surface(self, rows: Int, model: Any, grid: Grid) -> Int:
        """(ny, nx) classes on the plane, by the learner's own surface."""
        if self.by_heart or not self.ready(rows):
            return self.said(rows, model, self.problem.from_plane(grid.points())).reshape(
                grid.shape
            )
        method, given = self.given(rows)
        return np.asarray(method.fields["class"](given, model, grid), np.intp)
