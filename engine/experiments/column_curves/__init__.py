"""Learning curves by columns: the same learner on the same rows with all columns, without one, and
with columns that do not matter. LS, Performance measurement; AIMA 18.6.2.
"""

from typing import Annotated, Any, Literal, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    EngineError,
    Fits,
    Help,
    Label,
    Mapping,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    Work,
    cached_property,
    field,
    frozen,
    np,
    replace,
    when,
)
from engine.base.notation import listed, quoted
from engine.base.spelling import place_of
from engine.experiments.parts.columns import error_without_columns, with_columns
from engine.experiments.parts.examples import nine_points
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.study import StudySetting, empty_log
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    SIZES,
    UP_TO,
    Trial,
    check_able,
    draws,
    following,
    most_rows,
    spread_out,
)
from engine.fit.fits import fits
from engine.fit.learners import Studied, fitted
from engine.table.dataset import Feature, Kind

PSEUDOCODE = """
tables round:  V ← all, one less, random more
size   step:   for each number of rows m:
draw   detail:   repeat: draw m rows
test   step:       e(V) ← error of Learner on V
mean   round:    mean of e(V), for each V
"""
MISSING = "the name of the column that one table lacks; empty: the first one"
RANDOM = "columns of chance that one table has more: they tell nothing about the target"
NAMES = ("all columns", "one column missing", "irrelevant columns")


def column_named(p: Any, problem: Problem) -> int:
    """The number of the column that `p.missing` names, the first one without a name.

    Raises EngineError where there is no such column.
    """
    names = [feature.name for feature in problem.features]
    place = place_of(p.missing.strip(), names) if p.missing.strip() else 0
    if place is None:
        raise EngineError(
            f"There is no column {quoted(p.missing)}; the columns are {listed(names)}."
        )
    return place


class Params(Record, eq=True):
    learner: Studied = ""
    missing: Annotated[str, Label("Column left out"), Help(MISSING), Fits(column_named)] = ""
    irrelevant: Annotated[int, Range(1, 200), Label("Irrelevant columns"), Help(RANDOM)] = 10
    sizes: Annotated[int, Range(2, 200), Label("Sizes"), Help(SIZES)] = 8
    most: Annotated[int, Range(0, 100_000), Label("Up to"), Help(UP_TO)] = 0
    trials: Annotated[int, Range(1, 200), Label("Trials of each")] = 10
    spaced: Annotated[Literal["evenly", "in powers"], Label("Sizes lie")] = "evenly"
    show: Annotated[Literal["right", "wrong"], Label("Shown")] = "right"


class OnTable(NamedTuple):
    """A trial on one of the tables, by its number."""

    trial: Trial
    table: int


class Point(NamedTuple):
    """A size that is done: the mean errors on each table, NaN where nothing could be learnt."""

    size: int
    means: tuple[float, ...]


class State(Record):
    """What is found are the `points`; the fields after them are what this step shows.

    errors: on each table in the trials of this size so far
    points: of the sizes that are done
    size: the present number of rows
    refused: (size, table, why) of draws that could not be learnt from
    """

    errors: tuple[Tally, ...]
    points: Prefix[Point] = field(default_factory=empty_log)
    size: int = 0
    refused: Prefix[tuple[int, int, str]] = field(default_factory=empty_log)


class Setting(StudySetting[Params]):
    """The learner, the rows, and the column that one of the tables lacks."""

    @cached_property
    def left_out(self) -> int:
        """The number of the column that one table lacks."""
        return column_named(self.p, self.problem)

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers of rows to learn from, ascending, up to `most_rows`."""
        return spread_out(most_rows(len(self.rows), self.p.most), self.p.sizes, self.p.spaced)

    def tables(self, rng: Rng) -> tuple[Problem, ...]:
        """The three tables: all columns, one less, columns of chance more."""
        problem = self.problem
        others = [j for j in range(problem.d) if j != self.left_out]
        whole = with_columns(problem, range(problem.d))
        return (
            whole,
            with_columns(problem, others),
            with_irrelevant(whole, self.p.irrelevant, rng),
        )


def with_irrelevant(problem: Problem, count: int, rng: Rng) -> Problem:
    """The problem with so many more columns, drawn at random: bits beside words and bits, else
    uniform numbers between the least and the largest one.
    """
    bits = all(problem.bits) or not any(feature.numeric for feature in problem.features)
    if bits:
        noise = rng.integers(0, 2, (problem.n, count)).astype(np.float64)
        kind = [Feature(f"random {j + 1}", Kind.BOOLEAN, (0, 1)) for j in range(count)]
    else:
        low = float(np.nanmin(problem.X))
        high = float(np.nanmax(problem.X))
        noise = rng.uniform(low, high, (problem.n, count))
        kind = [Feature(f"random {j + 1}") for j in range(count)]
    return replace(
        problem,
        X=frozen(np.column_stack([problem.X, noise])),
        features=(*problem.features, *kind),
        anchor=frozen(np.append(problem.anchor, noise[0])),
        query=None,
    )


def error_on(tables: tuple[Problem, ...], job: OnTable) -> Work[float]:
    """e(V), the error on the rows that were not drawn, of what was learnt on one table.

    Without any column it is that of the commonest class of the drawn rows, or of their mean.
    Raises EngineError where nothing can be learnt.
    """
    problem = tables[job.table]
    trial = job.trial
    if not problem.d:
        return error_without_columns(problem, trial.rows, trial.test)
    h = yield from fitted(trial.learner, problem, trial.rows, trial.seed)
    return mean_loss(problem, trial.test, h.answers(problem.X[trial.test]))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(())
    tables = given.tables(rng)
    by_size = yield from draws(given.learner, given.rows, given.sizes, given.p.trials, rng, 3)
    trials = [draw for m in given.sizes for draw in by_size[m]]
    yield from check_able(given.problem, reversed(trials), "draws")
    yield from at("tables", s)
    jobs = [OnTable(draw, table) for draw in trials for table in range(len(tables))]
    errors = fits(error_on, tables, jobs)
    for m in given.sizes:
        s = replace(s, size=m, errors=(Tally(),) * len(tables))
        yield from at("size", s)
        for _ in by_size[m]:
            yield from at("draw", s)
            found = list[Tally]()
            before = len(s.refused)
            for table in range(len(tables)):
                e = yield from following(errors)
                if isinstance(e, EngineError):
                    s = replace(s, refused=s.refused.plus((m, table, str(e))))
                    e = np.nan
                found.append(s.errors[table].plus(e))
            s = replace(s, errors=tuple(found))
            yield from at("test", s, *when(refused=len(s.refused) > before))
        s = replace(s, points=s.points.plus(Point(m, tuple(e.mean for e in s.errors))))
        yield from at("mean", s, "size")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    names = ("all", "missing", "irrelevant")
    means = {name: errors.mean for name, errors in zip(names, s.errors, strict=False)}
    return {name: mean for name, mean in means.items() if mean == mean}


def example() -> Problem:
    """Nine points of two classes, one of them among the others."""
    return nine_points()


ALGORITHM = Algorithm.of(
    __name__,
    title="Learning curves by columns",
    task=Task.EVALUATE,
    source=("AIMA 18.6.2", "LS, Performance measurement"),
    needs=Needs(values=True, missing=True, min_rows=3),
    curves=(
        Curve("all", "error with all columns", about=("table 0",)),
        Curve("missing", "error without one column", about=("table 1",)),
        Curve("irrelevant", "error with irrelevant columns", about=("table 2",)),
    ),
    events=("size", "refused"),
)
