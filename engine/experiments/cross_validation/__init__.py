"""Cross-validation: every row is once in a test fold that its model has not seen.

AIMA 18.4, MMDS 12.1.4, MIT 2.3.5.
"""

from typing import Annotated, Any, Literal

from numpy.typing import NDArray

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
    frozen,
    np,
    replace,
)
from engine.experiments.parts.examples import nine_points
from engine.experiments.parts.folds import check_folds, dealt
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.splits import folded
from engine.experiments.parts.study import StudySetting, empty_log
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    Hypothesis,
    check_able,
    hypothesis,
    next_hypothesis,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, answers_of, fitted

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
    """What is found are the errors of the folds; `fold` and `model` are what this step shows.

    deal: (n,) the fold of each row, −1 without a label
    fold: the present one, from 0; −1 before the first and at the end
    model: learnt without it, None before
    errors: of each fold so far on its rows, NaN where nothing could be learnt
    train: of each fold so far on all others
    answers: of the model to the rows of each fold so far
    refused: (fold, why) of those whose others could not be learnt from
    """

    deal: Int
    fold: int = -1
    model: Model | None = None
    errors: Tally = Tally()
    train: Tally = Tally()
    answers: Prefix[Float] = field(default_factory=empty_log)
    refused: tuple[tuple[int, str], ...] = ()


class Setting(StudySetting[Params]):
    """How `rows`, the rows with a label, are dealt into folds."""

    @property
    def alone(self) -> bool:
        """Whether each row is a fold by itself: leave-one-out."""
        return self.p.scheme == "leave-one-out"

    @cached_property
    def k(self) -> int:
        """The number of folds; raises EngineError for more folds than rows."""
        if self.alone:
            return len(self.rows)
        return check_folds(self.p.k, len(self.rows))

    def deal(self, rng: Rng) -> Int:
        """(n,) the fold of each row, −1 without a label.

        Of N rows with a label, shuffled, the i-th, from 0, is in fold ⌊i k / N⌋: runs of equal
        length. Stratified: they are sorted by class first, and the i-th is in fold i mod k.
        """
        shuffled = self.p.shuffle and not self.alone
        stratified = self.p.scheme == "stratified"
        return dealt(self.problem, self.rows, self.k, rng if shuffled else None, stratified)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    learner = given.learner
    s = State(given.deal(rng))
    folds = folded(learner, s.deal, given.k, rng)
    yield from check_able(problem, folds, "folds")
    yield from at("deal", s)
    whole = yield from short_cut(given)
    to_learn = folds if whole is None else []  # the short cut has learnt once, from all rows
    hypotheses = fits(hypothesis, problem, to_learn)
    for i, fold in enumerate(folds):
        s = replace(s, fold=i, model=None)
        yield from at("fold", s)
        if whole is None:
            h = yield from next_hypothesis(hypotheses)  # h ← Learner(rows not in i)
        else:
            h = Hypothesis(whole.says, whole)
        if isinstance(h, EngineError):
            s = not_tested(s, str(h), len(fold.test))
            yield from at("learn", s, "refused")
            continue
        s = replace(s, model=h.model)
        yield from at("learn", s)
        answers = h.says[fold.test] if whole is None else whole.left_out[fold.test]
        # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
        error = mean_loss(problem, fold.test, answers)
        train = mean_loss(problem, fold.rows, h.says[fold.rows])
        s = tested(s, error, train, answers)
        yield from at("test", s, "fold")
    # s.errors.mean = (e₁ + … + eₖ) / k, of the folds whose others could be learnt from
    yield from at("mean", replace(s, fold=-1), "mean")


def short_cut(given: Setting) -> Part[State, Model | None]:
    """One model of all rows, which answers each row by all others; None without the short cut.

    AIMA 18.8.4.
    """
    if not (given.p.cheap and given.alone):
        return None
    return (yield from fitted(given.learner, given.problem, given.rows, 0))


def tested(s: State, error: float, train: float, answers: NDArray[Any]) -> State:
    """The state with the errors of one more fold, on the fold and on the rows learnt from.

    answers: (m,) to the rows of the fold
    """
    return replace(
        s,
        errors=s.errors.plus(error),
        train=s.train.plus(train),
        answers=s.answers.plus(frozen(answers, np.float64)),
    )


def not_tested(s: State, why: str, rows: int) -> State:
    """The state with one more fold of `rows` rows whose learner refused the other folds: its errors
    and answers are NaN.
    """
    s = replace(s, refused=(*s.refused, (s.fold, why)))
    return tested(s, np.nan, np.nan, np.full(rows, np.nan))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if not s.errors.count:
        return {}
    return {"mean": s.errors.mean, "fold": s.errors.last, "train": s.train.last}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Nine points of two classes, one of them among the others."""
    return nine_points()


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
