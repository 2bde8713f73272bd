"""Cross-validation: every row is once in a test fold that its model has not seen.

AIMA 18.4, MMDS 12.1.4, MIT 2.3.5.
"""

from typing import Annotated, Any, Literal

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    When,
    cached_property,
    field,
    frozen,
    np,
    prepare,
    replace,
)
from engine.core.given import MAX_SEED
from engine.experiments.parts.folds import check_folds, dealt, labelled_rows
from engine.experiments.parts.learners import Model, Studied, answers_of, fitted, studying
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import Trial, check_able, next_model, taught
from engine.fit.fits import fits

PSEUDOCODE = """
deal  round:  deal the rows into k folds
fold  step:   for each fold i = 1 … k:
learn step:     h ← Learner(rows not in i)
test  round:    eᵢ ← error of h on fold i
mean  round:  error ← mean of e₁ … eₖ
"""
SCHEME = (
    "stratified: every fold has its share of each class; leave-one-out: k = N, each fold is one row"
)
CHEAP = (
    "learn once, and let each row be answered by all others: the same answers, for neighbours alone"
)
DEALT = ("k-fold", "stratified")


class Params(Record, eq=True):
    learner: Studied = ""
    scheme: Annotated[
        Literal["k-fold", "stratified", "leave-one-out"], Label("Folds"), Help(SCHEME)
    ] = "k-fold"
    k: Annotated[int, Range(2, 1_000, log=True), Label("Number k"), When("scheme", DEALT)] = 5
    shuffle: Annotated[
        bool, Label("Shuffle"), Help("else dealt as they stand in the table"), When("scheme", DEALT)
    ] = True
    cheap: Annotated[bool, Label("Short cut"), Help(CHEAP), When("scheme", ("leave-one-out",))] = (
        False
    )


class State(Record):
    """deal (n,): the fold of each row; fold: the current one, from 0, −1 before the first; model:
    learnt without it, None before; errors, train: of each fold so far on its rows and on the
    others, NaN where nothing could be learnt; answers: of the rows of each fold so far; refused:
    (fold, why) of those that could not be learnt.
    """

    deal: Int
    fold: int = -1
    model: Model | None = None
    errors: Tally = Tally()
    train: Tally = Tally()
    answers: Prefix[Float] = field(default_factory=lambda: Prefix([], 0))
    refused: tuple[tuple[int, str], ...] = ()


class Setting(Given[Params]):
    """learner: that is studied; rows: those with a label; k: the number of folds."""

    learner = cached_property(lambda self: studying(self.p.learner, self.problem))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    alone = property(lambda self: self.p.scheme == "leave-one-out")

    @cached_property
    def k(self) -> int:
        return len(self.rows) if self.alone else check_folds(self.p.k, len(self.rows))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    learner = given.learner
    shuffled = given.p.shuffle and not given.alone
    s = State(
        dealt(
            problem, given.rows, given.k, rng if shuffled else None, given.p.scheme == "stratified"
        )
    )
    trials = folds(given, s.deal, rng)
    yield from check_able(problem, trials, "folds")
    yield from at("deal", s)
    whole = None
    if given.p.cheap and given.alone:
        whole = yield from fitted(learner, problem, given.rows, 0)
    models = fits(taught, problem, trials if whole is None else [])
    for i, fold in enumerate(trials):
        s = replace(s, fold=i, model=None)
        yield from at("fold", s)
        h = whole or (yield from next_model(models))
        if isinstance(h, EngineError):
            nothing = np.full(len(fold.test), np.nan)
            s = tested(replace(s, refused=(*s.refused, (i, str(h)))), np.nan, np.nan, nothing)
            yield from at("learn", s, "refused")
            continue
        s = replace(s, model=h)
        yield from at("learn", s)
        answers = h.says[fold.test] if whole is None else whole.left_out[fold.test]
        error = mean_loss(problem, fold.test, answers)
        train = mean_loss(problem, fold.rows, h.says[fold.rows])
        s = tested(s, error, train, answers)
        yield from at("test", s, "fold")
    yield from at("mean", replace(s, fold=-1), "mean")


def folds(given: Setting, deal: Int, rng: Rng) -> list[Trial]:
    """A trial for each fold: the rows of all others, and its own to test on."""
    found = list[Trial]()
    for i in range(given.k):
        rest = np.flatnonzero((deal >= 0) & (deal != i))
        test = np.flatnonzero(deal == i)
        found.append(Trial(given.learner, rest, test, int(rng.integers(MAX_SEED))))
    return found


def tested(s: State, error: float, train: float, answers: Any) -> State:
    """With one fold more."""
    kept = s.answers.plus(frozen(answers, np.float64))
    return replace(s, errors=s.errors.plus(error), train=s.train.plus(train), answers=kept)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return (
        {"mean": s.errors.mean, "fold": s.errors.last, "train": s.train.last}
        if s.errors.count
        else {}
    )


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the model of the current fold says."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Nine points of two classes, one of them among the others."""
    x, y = (
        [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 4.5, 5.0, 5.5],
        [2.0, 1.0, 3.0, 2.0, 1.0, 4.0, 3.0, 5.0, 4.0],
    )
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAAABABBB")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Cross-validation",
    task=Task.EVALUATE,
    source=(
        "AIMA 18.4",
        "AIMA 18.8.4",
        "MIT 2.3.5-2.3.6",
        "ML 8.2.2",
        "MMDS 12.1.4",
        "LS, Validation",
    ),
    needs=Needs(values=True, missing=True, min_rows=2),
    curves=(
        Curve("mean", "mean error so far", about=("errors",)),
        Curve("fold", "error of the fold"),
        Curve("train", "error on the rows learnt from", about=("errors",)),
    ),
    events=("fold", "refused", "mean"),
)
