"""Peeking: a choice by the error on the test set takes luck for learning. AIMA 18.4."""

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
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.notation import counted, plural
from engine.base.work import Work
from engine.experiments.parts.chance import least_expected
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.splits import bootstrapped
from engine.experiments.parts.study import known
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    Hypothesis,
    Trial,
    check_able,
    hypothesis,
    next_hypothesis,
)
from engine.fit.fits import fits
from engine.fit.learners import (
    Model,
    Studied,
    Studying,
    answers_of,
    rows_relabelled,
    studying,
)

PSEUDOCODE = """
lock  round:  lock test rows and fresh rows away
shake round:  (no signal: shuffle all labels)
guess detail: for each look:
hyp   detail:   h ← another hypothesis
look  step:     open the test set: e of h there
keep  round:    keep h if e is the least so far
fresh round:  open the fresh rows, once: e of h
"""
FROM = (
    "coins: each row's label is tossed, nothing is learnt; copies: the learner on other draws of"
    " the rows"
)
OPEN, TEST, FRESH = range(3)  # the parts of the table
SIGNAL = (
    "none: all labels are shuffled first, so that nothing can be known; as given: the labels of the"
    " table"
)


class Params(Record, eq=True):
    looks: Annotated[int, Range(1, 1_000, log=True), Label("Looks")] = 50
    share: Annotated[
        float, Range(0.05, 0.45), Label("Test share"), Help("as many rows again are fresh")
    ] = 0.3
    hypotheses: Annotated[Literal["coins", "copies"], Label("Hypotheses"), Help(FROM)] = "coins"
    learner: Annotated[Studied, When("hypotheses", ("copies",))] = ""
    signal: Annotated[Literal["none", "as given"], Label("Signal"), Help(SIGNAL)] = "none"


class State(Record):
    """What is kept is the best hypothesis so far; the last two fields are what this step shows.

    part: (n,) OPEN to learn from, TEST, FRESH, or −1 without a label
    codes: (n,) the labels that count
    looks: errors on the test set so far
    best: the least of them
    kept: (n,) what the hypothesis with this error says of all rows
    fresh: its error on the fresh rows, NaN while they are locked
    says: (n,) of the present hypothesis
    model: that says so, None for coins
    """

    part: Int
    codes: Int
    looks: Tally = Tally()
    best: float = np.nan
    kept: Int | None = None
    says: Int | None = None
    fresh: float = np.nan
    model: Model | None = None


class Setting(Given[Params]):
    """The table in three parts, with its labels shuffled where the parameters say so."""

    @cached_property
    def rows(self) -> Int:
        """(m,) the rows with a label."""
        return labelled_rows(self.problem)

    @cached_property
    def learner(self) -> Studying | None:
        """The learner whose hypotheses are tested; None where coins are tossed."""
        if self.p.hypotheses == "coins":
            return None
        return studying(self.p.learner, self.problem)

    @property
    def no_signal(self) -> bool:
        """Whether all labels are shuffled, so that nothing can be known."""
        return self.p.signal == "none"

    @cached_property
    def classes(self) -> Int:
        """(k,) the codes of the classes that occur, among which a coin decides."""
        return np.unique(self.problem.codes[self.rows])

    @property
    def chance(self) -> float:
        """The expected share of rows on which a coin is wrong, 1 − 1/k."""
        return 1 - 1 / len(self.classes)

    def dealt(self, rng: Rng) -> Int:
        """(n,) the part of each row; raises EngineError where a part would be empty."""
        n = len(self.rows)
        m = round(self.p.share * n)
        if m < 1 or n - 2 * m < 1:
            raise EngineError(
                f"{counted(n, 'row')} {plural(n, 'makes', 'make')} no three parts with a share of"
                f" {self.p.share:g}: at least one row each is needed."
            )
        order = rng.permutation(self.rows)
        part = np.full(self.problem.n, -1)
        part[order[:m]] = TEST
        part[order[m : 2 * m]] = FRESH
        part[order[2 * m :]] = OPEN
        return frozen(part)

    def labels(self, rng: Rng) -> Int:
        """(n,) the classes that count: as given, or those of the labelled rows in another order."""
        if not self.no_signal:
            return self.problem.codes
        codes = self.problem.codes.copy()
        codes[self.rows] = rng.permutation(codes[self.rows])
        return frozen(codes)

    def copies(self, rows: Int, rng: Rng) -> Work[list[Trial]]:
        """For each look a bootstrap copy of these rows to learn from; [] for coins."""
        if self.learner is None:
            return []
        return (yield from bootstrapped(self.learner, rows, len(rows), self.p.looks, rng))

    def coins(self, rng: Rng) -> Int:
        """(n,) a class for each row by chance."""
        return rng.choice(self.classes, self.problem.n)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    learner = given.learner
    s = State(given.dealt(rng), given.problem.codes)
    opened = np.flatnonzero(s.part == OPEN)
    test = np.flatnonzero(s.part == TEST)
    fresh = np.flatnonzero(s.part == FRESH)
    codes = given.labels(rng)
    problem = rows_relabelled(given.problem, codes)
    copies = yield from given.copies(opened, rng)
    yield from check_able(problem, copies, "draws")
    yield from at("lock", s)
    if given.no_signal:
        s = replace(s, codes=codes)
        yield from at("shake", s)
    hypotheses = fits(hypothesis, problem, copies)
    for _ in range(given.p.looks):
        yield from at("guess", s)
        if learner is None:
            h: Hypothesis | EngineError = Hypothesis(given.coins(rng), None)
        else:
            h = yield from next_hypothesis(hypotheses)
        if isinstance(h, EngineError):
            yield from at("look", s, "refused", why=str(h))
            continue
        s = replace(s, says=frozen(h.says), model=h.model)
        yield from at("hyp", s)
        # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
        e = mean_loss(problem, test, h.says[test])
        least = s.kept is None or e < s.best
        s = replace(s, looks=s.looks.plus(e))
        if least:
            s = replace(s, best=e, kept=s.says)
        yield from at("look", s, "look")
        if least:
            yield from at("keep", s, "better")
    if s.kept is not None:
        s = replace(s, fresh=mean_loss(problem, fresh, s.kept[fresh]))
    yield from at("fresh", s, "fresh")


def expected(given: Setting, s: State) -> float:
    """The least error that luck alone gives in so many looks, for coins; else NaN."""
    if given.learner is not None or not len(s.looks):
        return float("nan")
    rows = int((s.part == TEST).sum())
    return least_expected(rows, len(s.looks), given.chance)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return known(best=s.best, look=s.looks.last, luck=expected(given, s), fresh=s.fresh)


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the class codes that the present model gives to rows X (m, d); −1 for coins."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Nine points of two classes."""
    x = [1.0, 2.0, 3.0, 4.0, 1.5, 2.5, 3.5, 4.5, 1.2]
    y = [1.0, 2.0, 1.5, 2.5, 3.0, 1.2, 2.2, 3.2, 2.8]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AABBABABA")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Peeking",
    task=Task.EVALUATE,
    source=("AIMA 18.4",),
    needs=Needs(min_classes=2, min_rows=3, missing=True),
    curves=(
        Curve("best", "least error on the test set so far", about=("looks",)),
        Curve("look", "error of the present look", about=("looks",)),
        Curve("luck", "what luck alone makes of it", bound=True, about=("looks",)),
    ),
    events=("look", "better", "refused", "fresh"),
)
