"""Feature selection by a wrapper: columns are taken or left out one by one, as cross-validation of
the learner itself finds best. AIMA 18.4.3, MMDS 12.1.4; the search is the lab's.
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
    prepare,
    replace,
)
from engine.experiments.parts.columns import (
    Subset,
    error_of,
    error_without_columns,
    other_folds,
    with_columns,
)
from engine.experiments.parts.folds import check_folds, dealt
from engine.experiments.parts.loss import lowest
from engine.experiments.parts.study import StudySetting, empty_log
from engine.experiments.parts.trials import Trial, check_able, following
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, fitted
from engine.numerics.closeness import more
from engine.sources.generators import generate
from engine.table.given import MAX_SEED

PSEUDOCODE = """
deal   round:  deal the rows into k folds
start  round:  S ← no column
look   detail: for each column c not in S:
test   step:     e ← errV of S + c
take   round:  S ← S + c, c of the least e
stop   round:  until no c makes errV less
learn  round:  return Learner(S, all rows)
"""
DIRECTION = "forward: from no column, one more each round. backward: from all, one less each round"
UNTIL = "all columns are tried: to the end, then back to the S of least errV"
MOST = 200  # columns that are tried one by one


class Params(Record, eq=True):
    learner: Studied = ""
    direction: Annotated[Literal["forward", "backward"], Label("Direction"), Help(DIRECTION)] = (
        "forward"
    )
    k: Annotated[int, Range(2, 1_000, log=True), Label("Folds k"), Help("the same for every S")] = 5
    until: Annotated[
        Literal["errV gets no better", "all columns are tried"], Label("Until"), Help(UNTIL)
    ] = "errV gets no better"


class Round(NamedTuple):
    """A round that is done.

    columns: S after it
    taken: the column that came to S or left it, −1 of the start
    error: errV of S
    tried: (d,) errV with each column that was tried, NaN for the others
    """

    columns: tuple[int, ...]
    taken: int
    error: float
    tried: Float


class State(Record):
    """What is found are `columns`; the fields after `error` are what this step shows.

    columns: S, in the order in which they came
    error: errV of S
    rounds: those that are done, the start first
    tried: (d,) errV with each column of this round so far, NaN for the others
    column: the column c at hand, −1 for none
    deal: (n,) the fold of each row, −1 without a label
    model: learnt from all rows with the columns S, at the end
    refused: (column, why) of columns that the learner could not learn from
    """

    columns: tuple[int, ...]
    deal: Int
    tried: Float
    error: float = np.nan
    rounds: Prefix[Round] = field(default_factory=empty_log)
    column: int = -1
    model: Model | None = None
    refused: tuple[tuple[int, str], ...] = ()


class Setting(StudySetting[Params]):
    """What follows from the parameters: `rows` have a label; S grows or shrinks."""

    @property
    def forward(self) -> bool:
        """Whether S grows from no column, else it shrinks from all of them."""
        return self.p.direction == "forward"

    @property
    def first(self) -> tuple[int, ...]:
        """The columns S to begin with. Raises EngineError for very many columns."""
        d = self.problem.d
        if d > MOST:
            raise EngineError(
                f"Each of {d} columns would be tried in each round: leave columns out until there"
                f" are at most {MOST}."
            )
        return () if self.forward else tuple(range(d))

    @cached_property
    def nothing(self) -> Float:
        """(d,) NaN: no column is tried yet."""
        return frozen(np.full(self.problem.d, np.nan))

    @cached_property
    def k(self) -> int:
        """The number of folds; raises EngineError for more folds than rows."""
        return check_folds(self.p.k, len(self.rows))

    def candidates(self, columns: tuple[int, ...]) -> list[int]:
        """The columns c that can come to S, or leave it; a last one stays."""
        if self.forward:
            return [c for c in range(self.problem.d) if c not in columns]
        return list(columns) if len(columns) > 1 else []

    def changed(self, columns: tuple[int, ...], c: int) -> tuple[int, ...]:
        """S + c, or S − c where S shrinks."""
        if self.forward:
            return (*columns, c)
        return tuple(j for j in columns if j != c)

    def better(self, error: float, before: float) -> bool:
        """Whether a round goes on with errV `error`: less than before, up to rounding.

        Where S shrinks as much will do, because fewer columns are simpler.
        """
        return more(before, error) if self.forward else not more(error, before)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(given.first, dealt(given.problem, given.rows, given.k, rng), given.nothing)
    folds = tuple(np.flatnonzero(s.deal == i) for i in range(given.k))
    seeds = tuple(rng.integers(MAX_SEED, size=given.k).tolist())
    yield from check_any_column(given, s, seeds)
    yield from at("deal", s)
    error = yield from error_at_first(given, s, folds, seeds)
    begun = Round(s.columns, -1, error, given.nothing)
    s = replace(s, error=error, rounds=s.rounds.plus(begun))
    yield from at("start", s)
    better = True
    while better and given.candidates(s.columns):
        subsets = [
            Subset(given.learner, given.changed(s.columns, c), folds, seeds)
            for c in given.candidates(s.columns)
        ]
        s = yield from all_tried(given, at, s, subsets)
        best = [int(c) for c in lowest(s.tried.tolist())]  # the columns c of the least e
        if not best:
            raise EngineError(f"{given.learner.name} cannot learn: {s.refused[0][1]}")
        better = given.better(float(s.tried[best[0]]), s.error)
        if better or given.p.until == "all columns are tried":
            better = True
            c = at.take(best)
            s = taken(given, s, c)
            yield from at("take", s, "taken", best=tuple(best))
    s = of_least_error(given, s)
    yield from at("stop", s)
    learnt_from = with_columns(given.problem, s.columns)
    if s.columns:
        seed = int(rng.integers(MAX_SEED))
        model = yield from fitted(given.learner, learnt_from, given.rows, seed)
        s = replace(s, model=model)
    yield from at("learn", s)


def check_any_column(given: Setting, s: State, seeds: tuple[int, ...]) -> Work[None]:
    """Raises EngineError where the learner can begin with no S of the first round: its sentence is
    that about the first of them.
    """
    folds = list[Trial]()
    for i, seed in enumerate(seeds):
        rest = np.flatnonzero((s.deal >= 0) & (s.deal != i))
        folds.append(Trial(given.learner, rest, np.flatnonzero(s.deal == i), seed, keep=False))
    refusal: EngineError | None = None
    for c in given.candidates(s.columns):
        columns = given.changed(s.columns, c)
        try:
            yield from check_able(with_columns(given.problem, columns), folds, "folds")
        except EngineError as sentence:
            refusal = refusal or sentence
        else:
            return
    if refusal:
        raise refusal


def error_at_first(
    given: Setting, s: State, folds: tuple[Int, ...], seeds: tuple[int, ...]
) -> Part[State, float]:
    """errV of the first S: of the learner on all columns, or of the best answer without any."""
    if not s.columns:
        errors = [
            error_without_columns(given.problem, other_folds(folds, i), fold)
            for i, fold in enumerate(folds)
        ]
        return float(np.mean(errors))
    return (yield from error_of(given.problem, Subset(given.learner, s.columns, folds, seeds)))


def all_tried(given: Setting, at: At, s: State, subsets: list[Subset]) -> Part[State, State]:
    """The state with e ← errV of S with every column that can come, or without it."""
    s = replace(s, tried=given.nothing, column=-1)
    errors = fits(error_of, given.problem, subsets)
    for c in given.candidates(s.columns):
        s = replace(s, column=c)
        yield from at("look", s)
        e = yield from following(errors)
        if isinstance(e, EngineError):
            s = replace(s, refused=(*s.refused, (c, str(e))))
            yield from at("test", s, "refused")
            continue
        tried = s.tried.copy()
        tried[c] = e
        s = replace(s, tried=frozen(tried))
        yield from at("test", s)
    return s


def taken(given: Setting, s: State, c: int) -> State:
    """The state with S + c, or S − c."""
    columns = given.changed(s.columns, c)
    error = float(s.tried[c])
    done = Round(columns, c, error, s.tried)
    return replace(s, columns=columns, error=error, column=c, rounds=s.rounds.plus(done))


def of_least_error(given: Setting, s: State) -> State:
    """The state with the S of least errV among all rounds; of equals that with fewest columns."""
    rounds = list(s.rounds)
    least = lowest([each.error for each in rounds])
    best = min((rounds[i] for i in least), key=size_of)
    return replace(s, columns=best.columns, error=best.error, column=-1)


def size_of(done: Round) -> int:
    """The number of columns in S after a round."""
    return len(done.columns)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if s.error != s.error:
        return {}
    return {"error": s.error, "columns": len(s.columns)}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the final model to rows X (m, d): class codes or values; where there is
    none −1, or the mean value.
    """
    if s.model is None:
        problem = given.problem
        return np.full(len(X), problem.y[given.rows].mean() if problem.regress else -1)
    return s.model.answers(X[:, list(s.columns)])


def example() -> Problem:
    """Twelve points of two moons."""
    return prepare(generate("moons", 12, 0.3, seed=1))


ALGORITHM = Algorithm.of(
    __name__,
    title="Feature selection",
    task=Task.EVALUATE,
    source=("AIMA 18.4.3", "MMDS 12.1.4"),
    needs=Needs(values=True, missing=True, min_rows=2),
    curves=(
        Curve("error", "errV of S", about=("S",)),
        Curve("columns", "columns in S", digits=0, about=("S",)),
    ),
    events=("taken", "refused"),
)
