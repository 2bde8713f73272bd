"""Model selection: sizes are tried, the simplest first, each cross-validated, until the training
error is still; the best is learnt from all rows. AIMA Fig 18.8, MIT 2.3.33.
"""

from collections.abc import Iterable, Sequence
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
    When,
    cached_property,
    field,
    np,
    prepare,
    replace,
    when,
)
from engine.experiments.parts.folds import check_folds, dealt
from engine.experiments.parts.loss import lowest, mean_loss
from engine.experiments.parts.splits import folded
from engine.experiments.parts.study import StudySetting, empty_log
from engine.experiments.parts.sweep import High, Low, Moved, Sweep, Values, swept
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    MANY,
    Hypotheses,
    Hypothesis,
    Trial,
    check_able,
    hypothesis,
    next_hypothesis,
    one_trial,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, answers_of
from engine.sources.generators import generate

PSEUDOCODE = """
deal    round:  deal the rows into k folds
size    detail: for each size, simplest first:
fold    detail:   h ← Learner(size, other folds)
errors  step:     errT, errV ← mean errors of h
until   step:     stop when errT is still
best    step:   best ← size of least errV
learn   round:  return Learner(best, all rows)
look    step:   then look at the other sizes
judge   round:  was it too early to stop?
"""
PATIENCE = (
    "sizes in a row on which errT does not fall, before it counts as still; 1 stops at the first"
    " flat stretch"
)
FALL = 0.01  # of the first errT, less of which is no fall
LOOK = "when it has stopped, try the other sizes as well, to see whether that was too early"


class Params(Record, eq=True):
    learner: Studied = ""
    parameter: Moved = ""
    low: Low = None
    high: High = None
    values: Values = 21
    k: Annotated[
        int, Range(2, 1_000, log=True), Label("Folds k"), Help("the same for every size")
    ] = 5
    until: Annotated[
        Literal["errT is still", "all are tried"], Label("Until"), Help("MIT tries all")
    ] = "errT is still"
    patience: Annotated[
        int, Range(1, 100), Label("Patience"), Help(PATIENCE), When("until", ("errT is still",))
    ] = 3
    look: Annotated[bool, Label("Look beyond"), Help(LOOK), When("until", ("errT is still",))] = (
        True
    )


class Size(NamedTuple):
    """What cross-validation has found of a size; NaN where nothing could be learnt.

    value: of the number that is the size
    validation: errV, the mean of the errors on the folds
    deviation: the standard deviation of these errors
    training: errT, the mean of the errors on the rows learnt from
    """

    value: float
    validation: float
    deviation: float
    training: float


class State(Record):
    """What is found are the `sizes`; the fields after them are what this step shows.

    deal: (n,) the fold of each row, −1 without a label
    sizes: those that are done
    value: the present size
    errors: of its hypotheses on their folds, NaN where nothing could be learnt
    train: of its hypotheses on the rows learnt from
    model: of the fold, at `errors` of the first one, from `learn` on of all rows
    still: on how many sizes in a row errT has not fallen
    stopped: number of the last size before it stopped, −1 before
    best: number of the size of least errV, −1 before
    refused: (size, why) of what could not be learnt
    """

    deal: Int
    sizes: Prefix[Size] = field(default_factory=empty_log)
    value: float = np.nan
    errors: Tally = Tally()
    train: Tally = Tally()
    model: Model | None = None
    still: int = 0
    stopped: int = -1
    best: int = -1
    refused: Prefix[tuple[float, str]] = field(default_factory=empty_log)

    @property
    def size(self) -> Size:
        """errV ← Σ e / k of the k errors on the folds so far, with their standard deviation
        √(Σ (e − errV)² / (k − 1)); errT ← the mean error on the rows learnt from.
        """
        return Size(self.value, self.errors.mean, self.errors.deviation, self.train.mean)


class Setting(StudySetting[Params]):
    """What follows from the parameters: `rows` have a label, `sweep` makes the learner of each
    size.
    """

    @cached_property
    def sweep(self) -> Sweep:
        """The number of the learner that is the size, and its values.

        The number is p.parameter, say the nodes of a tree, the degree of a polynomial or the k of
        neighbours; it goes from p.low to p.high in even steps or in powers.
        """
        return swept(self.learner, self.p, self.problem)

    @cached_property
    def k(self) -> int:
        """The number of folds; raises EngineError for more folds than rows."""
        return check_folds(self.p.k, len(self.rows))

    @property
    def waits(self) -> bool:
        """Whether it stops when errT is still; else all sizes are tried."""
        return self.p.until == "errT is still"

    def folds(self, deal: Int, rng: Rng) -> list[Trial]:
        """A trial for each fold: learn from all others, test on it."""
        few = len(self.sweep.values) * self.k <= MANY
        return folded(self.learner, deal, self.k, rng, few)

    def of_sizes(self, sizes: Sequence[float], folds: Sequence[Trial]) -> list[Trial]:
        """The trials of the same folds for each of these sizes."""
        return [fold._replace(learner=self.sweep.at(size)) for size in sizes for fold in folds]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    sizes = given.sweep.simplest_first
    # of N rows, shuffled, the i-th, from 0, is in fold ⌊i k / N⌋
    s = State(dealt(problem, given.rows, given.k, rng))
    folds = given.folds(s.deal, rng)
    trials = given.of_sizes(sizes, folds)
    yield from check_able(problem, trials, "folds")
    yield from at("deal", s)
    hypotheses = fits(hypothesis, problem, trials)
    for size in sizes:
        s = replace(s, value=size, errors=Tally(), train=Tally(), model=None)
        yield from at("size", s)
        s = yield from cross_validated(given, at, s, folds, hypotheses)
        yield from at("errors", s)
        s = replace(s, still=stillness(s.sizes)[-1])
        converged = given.waits and s.still >= given.p.patience
        if converged or len(s.sizes) == len(sizes):
            break
        yield from at("until", s)
    s = replace(s, stopped=len(s.sizes) - 1)
    yield from at("until", s, "stop")
    least = lowest([size.validation for size in s.sizes])  # the sizes of least errV
    s = replace(s, best=least[0] if least else -1)
    yield from at("best", s, "best")
    if not least:
        return
    s, learnt = yield from learnt_from_all(given, s, rng)
    yield from at("learn", s, *when(refused=not learnt, learnt=learnt))
    if not given.p.look:
        return
    for size in sizes[s.stopped + 1 :]:
        s = replace(s, value=size, errors=Tally(), train=Tally())
        for fold in folds:
            h = yield from next_hypothesis(hypotheses)
            s = tested(given, s, fold, h)
        s = replace(s, sizes=s.sizes.plus(s.size))
        yield from at("look", s)
    # too early: a size that was only looked at has a smaller errV than the best one
    if len(s.sizes) > s.stopped + 1:
        yield from at("judge", s, "judge")


def cross_validated(
    given: Setting, at: At, s: State, folds: Sequence[Trial], hypotheses: Hypotheses
) -> Part[State, State]:
    """The state with errT and errV of the present size, by CROSS-VALIDATION of AIMA Fig 18.8."""
    first = None
    for fold in folds:
        h = yield from next_hypothesis(hypotheses)  # h ← Learner(size, other folds)
        s = tested(given, s, fold, h)
        if isinstance(h, EngineError):
            yield from at("fold", replace(s, model=None), "refused")
            continue
        first = first or h.model
        yield from at("fold", replace(s, model=h.model or first))
    return replace(s, sizes=s.sizes.plus(s.size), model=first)


def tested(given: Setting, s: State, fold: Trial, h: Hypothesis | EngineError) -> State:
    """The state with the errors of h on a fold and on the rows it learnt from; NaN and the reason
    where h is an error.
    """
    if isinstance(h, EngineError):
        s = replace(s, refused=s.refused.plus((s.value, str(h))))
        return replace(s, errors=s.errors.plus(np.nan), train=s.train.plus(np.nan))
    # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
    validation = mean_loss(given.problem, fold.test, h.says[fold.test])
    training = mean_loss(given.problem, fold.rows, h.says[fold.rows])
    return replace(s, errors=s.errors.plus(validation), train=s.train.plus(training))


def stillness(sizes: Iterable[Size]) -> list[int]:
    """(m,) after each size, on how many in a row errT has not fallen below where it fell to last.

    A fall is at least FALL of the first errT; a size without errT counts as none.
    """
    errors = [size.training for size in sizes]
    enough = FALL * next((e for e in errors if e == e), 0.0)
    low = np.inf
    count = 0
    found = list[int]()
    for e in errors:
        if e < low - enough:
            low = e
            count = 0
        elif e == e:
            count += 1
        found.append(count)
    return found


def learnt_from_all(given: Setting, s: State, rng: Rng) -> Part[State, tuple[State, bool]]:
    """(the state with the model Learner(best, all rows), whether there is one)."""
    best = s.sizes[s.best].value
    whole = one_trial(given.sweep.at(best), given.rows, len(given.rows), rng)
    h = yield from next_hypothesis(fits(hypothesis, given.problem, [whole]))
    if isinstance(h, EngineError):
        return replace(s, model=None, refused=s.refused.plus((best, str(h)))), False
    return replace(s, model=h.model), True


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """The errors of the present size, later of the size that is chosen; {} where they are
    unknown.
    """
    size = s.sizes[s.best] if s.best >= 0 else s.size
    if size.training != size.training:
        return {}
    return {"validation": size.validation, "training": size.training}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Ten points of two moons."""
    return prepare(generate("moons", 10, 0.3, seed=1))


ALGORITHM = Algorithm.of(
    __name__,
    title="Model selection",
    task=Task.EVALUATE,
    source=("AIMA Fig 18.8", "AIMA 18.4.1", "AIMA 18.7.5", "MIT 2.3.33"),
    needs=Needs(values=True, missing=True, min_rows=2),
    curves=(
        Curve("validation", "errV, mean over the folds", about=("validation",)),
        Curve("training", "errT, on rows learnt from", bound=True, about=("training",)),
    ),
    events=("refused", "stop", "best", "learnt", "judge"),
)
