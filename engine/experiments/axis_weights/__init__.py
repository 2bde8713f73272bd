"""Axis weights: each axis is stretched by the factor with which nearest neighbours err least on
rows that they have not stored; a factor of 0 drops the column. ML 8.2.2.
"""

from typing import Annotated, Any, Literal, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    Work,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    short,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.loss import lowest, mean_loss
from engine.experiments.parts.splits import aside
from engine.experiments.parts.trials import following
from engine.fit.fits import fits
from engine.fit.learners import Model, Studying, answers_of, fitted, studying
from engine.numerics.closeness import more
from engine.sources.generators import generate

PSEUDOCODE = """
start  round:  z ← 1 for every axis
axis   detail: for each axis j:
test   step:     e ← error with another z[j]
set    step:     z[j] ← that of least e
until  round:  until no z[j] changes
"""
JUDGED = (
    "leave-one-out: each row by all others. random splits: the same parts of the rows are held out"
    " for every z"
)
VALUES = "what each z[j] may be: 0 drops the column; 0 and 1 alone only drop columns"
MOST = 8  # values
SPLITS = When("judged", ("random splits",))


class Params(Record, eq=True):
    k: Annotated[int, Range(1, 200), Label("Neighbours k")] = 1
    judged: Annotated[
        Literal["leave-one-out", "random splits"], Label("Judged by"), Help(JUDGED)
    ] = "leave-one-out"
    splits: Annotated[int, Range(1, 100), Label("Splits"), SPLITS] = 10
    share: Annotated[float, Range(0.05, 0.95), Label("Held-out share"), SPLITS] = 0.3
    values: Annotated[tuple[float, ...], Label("Values of z"), Help(VALUES)] = (0, 0.5, 1, 2)
    rounds: Annotated[int, Range(1, 50), Label("Rounds at most")] = 10


class Weighted(NamedTuple):
    """Neighbours with stretched axes, and how they are judged.

    splits: (rows to store, rows to test on) of each split; () for leave-one-out
    """

    learner: Studying
    rows: Int
    splits: tuple[tuple[Int, Int], ...]


class State(Record):
    """The model is `z`; the fields after `error` are what this step shows.

    z: (d,) the factor of each axis
    error: with z
    tried: (d, v) the error with each value of each axis, as tried last; NaN where it was not
    axis: the axis j at hand, −1 for none
    value: number of the value at hand, −1 for none
    round: from 1
    model: neighbours with the z of the start or of the last round's end
    before: (d,) z at the beginning of the round
    """

    z: Float
    tried: Float
    before: Float
    error: float = np.nan
    axis: int = -1
    value: int = -1
    round: int = 0
    model: Model | None = None


class Setting(Given[Params]):
    """The stored rows, the values that each z[j] may have, and the neighbours with any z."""

    @cached_property
    def rows(self) -> Int:
        """(m,) the rows with a label."""
        return labelled_rows(self.problem)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The values of z[j], ascending. Raises EngineError for too few, too many or negative
        ones.
        """
        values = tuple(sorted({float(value) for value in self.p.values}))
        if not 2 <= len(values) <= MOST or values[0] < 0:
            raise EngineError(
                f"Values of z must be 2 to {MOST} different numbers from 0 on; they are"
                f" {', '.join(map(short, self.p.values)) or 'none'}."
            )
        return values

    @cached_property
    def neighbours(self) -> Studying:
        """k nearest neighbours; raises EngineError where the data do not suit them."""
        return studying(f"nearest_neighbours(k={self.p.k})", self.problem)

    def stretched(self, z: Float) -> Studying:
        """Neighbours whose distance is √Σ (z[j] (x[j] − q[j]))²."""
        params = replace(self.neighbours.params, stretch=tuple(z.tolist()))
        return Studying(self.neighbours.key, params)

    def parts(self, rng: Rng) -> tuple[tuple[Int, Int], ...]:
        """(rows to store, rows to test on) of each random split; () for leave-one-out."""
        if self.p.judged == "leave-one-out":
            return ()
        m = aside(self.p.share, len(self.rows))
        found = []
        for _ in range(self.p.splits):
            order = rng.permutation(self.rows)
            found.append((np.sort(order[m:]), np.sort(order[:m])))
        return tuple(found)

    def possible(self, z: Float, j: int) -> list[int]:
        """The numbers of the values that z[j] may take: not 0 where all other axes are dropped."""
        alone = not np.delete(z, j).any()
        return [i for i, value in enumerate(self.values) if value or not alone]


def error_of(problem: Problem, job: Weighted) -> Work[float]:
    """The share of wrong answers to rows that are not stored, over all splits."""
    if not job.splits:
        model = yield from fitted(job.learner, problem, job.rows, 0)
        return mean_loss(problem, job.rows, model.left_out[job.rows])
    found = list[float]()
    for stored, held_out in job.splits:
        model = yield from fitted(job.learner, problem, stored, 0)
        found.append(mean_loss(problem, held_out, model.answers(problem.X[held_out])))
    return float(np.mean(found))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    d = given.problem.d
    z = frozen(np.ones(d))
    splits = given.parts(rng)
    s = State(z, frozen(np.full((d, len(given.values)), np.nan)), z)
    error = yield from error_of(given.problem, Weighted(given.stretched(z), given.rows, splits))
    s = yield from with_model(given, replace(s, error=error))
    yield from at("start", s)
    while s.round < given.p.rounds:
        s = replace(s, round=s.round + 1, before=s.z)
        for j in range(d):
            s = replace(s, axis=j, value=-1)
            yield from at("axis", s)
            s = yield from tried(given, at, s, splits)
            least = lowest(s.tried[j].tolist())
            s = chosen(given, at, s, least)
            yield from at("set", s, *when(changed=s.value >= 0), least=tuple(least))
        s = yield from with_model(given, replace(s, axis=-1, value=-1))
        unchanged = bool((s.z == s.before).all())
        yield from at("until", s, *when(converged=unchanged))
        if unchanged:
            return


def tried(
    given: Setting, at: At, s: State, splits: tuple[tuple[Int, Int], ...]
) -> Part[State, State]:
    """The state with e ← error for each value of z[j], the other factors as they are."""
    j = s.axis
    errors = s.tried.copy()
    errors[j] = np.nan
    s = replace(s, tried=frozen(errors))
    values = given.possible(s.z, j)
    jobs = [
        Weighted(given.stretched(with_factor(s.z, j, given.values[i])), given.rows, splits)
        for i in values
    ]
    found = fits(error_of, given.problem, jobs)
    for i in values:
        e = yield from following(found)
        if isinstance(e, EngineError):
            raise e
        errors = s.tried.copy()
        errors[j, i] = e
        s = replace(s, tried=frozen(errors), value=i)
        yield from at("test", s)
    return s


def chosen(given: Setting, at: At, s: State, least: list[int]) -> State:
    """The state with z[j] ← the value of least e.

    Unless e falls the present one stays, but 0 is taken where the column can be spared.
    """
    j = s.axis
    falls = more(s.error, float(s.tried[j, least[0]]))
    dropped = given.values[least[0]] == 0
    if not falls and not (dropped and s.z[j] > 0):
        return replace(s, value=-1)
    taken = at.take(least)
    z = with_factor(s.z, j, given.values[taken])
    return replace(s, z=z, error=float(s.tried[j, taken]), value=taken)


def with_factor(z: Float, j: int, value: float) -> Float:
    """(d,) z with another factor of axis j."""
    changed = z.copy()
    changed[j] = value
    return frozen(changed)


def with_model(given: Setting, s: State) -> Part[State, State]:
    """The state with all rows stored, at the present z."""
    model = yield from fitted(given.stretched(s.z), given.problem, given.rows, 0)
    return replace(s, model=model)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"error": s.error, "dropped": int((s.z == 0).sum())}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the class codes that the neighbours of the shown model give to rows X (m, d)."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Twelve points of two moons."""
    return prepare(generate("moons", 12, 0.3, seed=1))


ALGORITHM = Algorithm.of(
    __name__,
    title="Axis weights",
    task=Task.EVALUATE,
    source=("ML 8.2.2",),
    needs=Needs(numeric=True, min_rows=3, max_columns=40),
    curves=(
        Curve("error", "error on rows not stored", about=("z",)),
        Curve("dropped", "columns dropped", digits=0, about=("z",)),
    ),
    events=("changed", "converged"),
)
