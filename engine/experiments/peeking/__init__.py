"""Peeking: whoever chooses by the test set believes in luck. AIMA 18.4."""

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
    Setting as Given,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.core.given import MAX_SEED
from engine.core.notation import counted, plural
from engine.core.work import Work
from engine.experiments.parts.chance import least_expected
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import (
    Model,
    Studied,
    Studying,
    answers_of,
    rows_relabelled,
    studying,
)
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import Trial, check_able, next_model, taught
from engine.fit.fits import fits

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
    """part (n,): 0 to learn from, 1 the test set, 2 fresh, −1 without a label; codes (n,): the
    labels that count; looks: errors on the test set so far; best, kept: the least of them, and what
    that hypothesis says of all rows; fresh: its error on the fresh rows, NaN while they are locked;
    says: of the present hypothesis; model: that said so, if any.
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
    """rows: those with a label; learner: whose hypotheses are tried, None for coins."""

    rows = cached_property(lambda self: labelled_rows(self.problem))

    @cached_property
    def learner(self) -> Studying | None:
        return studying(self.p.learner, self.problem) if self.p.hypotheses == "copies" else None

    def dealt(self, rng: Rng) -> Int:
        """(n,) the part of each row; raises EngineError where a part would be empty."""
        n = len(self.rows)
        m = round(self.p.share * n)
        if m < 1 or n - 2 * m < 1:
            raise EngineError(
                f"{counted(n, 'row')} {plural(n, 'makes', 'make')} no three parts with a share of"
                f" {self.p.share:g}: at least one row each is needed."
            )
        part = np.full(self.problem.n, -1)
        order = rng.permutation(self.rows)
        part[order[:m]], part[order[m : 2 * m]], part[order[2 * m :]] = 1, 2, 0
        return frozen(part)

    def shaken(self, rng: Rng) -> Int:
        """(n,) the classes of the labelled rows in another order."""
        codes = self.problem.codes.copy()
        codes[self.rows] = rng.permutation(codes[self.rows])
        return frozen(codes)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    learner = given.learner
    classes = np.unique(given.problem.codes[given.rows])
    s = State(given.dealt(rng), problem.codes)
    codes = given.shaken(rng) if given.p.signal == "none" else s.codes
    told = rows_relabelled(problem, codes)
    learn, test, fresh = (np.flatnonzero(s.part == part) for part in range(3))
    copies = [] if learner is None else (yield from copied(learner, learn, given.p.looks, rng))
    yield from check_able(told, copies, "draws")
    yield from at("lock", s)
    if given.p.signal == "none":
        yield from at("shake", s := replace(s, codes=codes))
    models = fits(taught, told, copies)
    for _ in range(given.p.looks):
        yield from at("guess", s)
        h = None if learner is None else (yield from next_model(models))
        if isinstance(h, EngineError):
            yield from at("look", s, "refused", why=str(h))
            continue
        says = rng.choice(classes, problem.n) if h is None else h.says
        s = replace(s, says=frozen(says), model=h)
        yield from at("hyp", s)
        error = mean_loss(told, test, says[test])
        better = not s.best <= error
        s = replace(
            s,
            looks=s.looks.plus(error),
            best=error if better else s.best,
            kept=s.says if better else s.kept,
        )
        yield from at("look", s, "look")
        if better:
            yield from at("keep", s, "better")
    worth = np.nan if s.kept is None else mean_loss(told, fresh, s.kept[fresh])
    yield from at("fresh", replace(s, fresh=worth), "fresh")


def copied(learner: Studying, rows: Int, count: int, rng: Rng) -> Work[list[Trial]]:
    """So many draws of as many of these rows, with return, to learn from."""
    found = list[Trial]()
    for _ in range(count):
        found.append(
            Trial(
                learner, np.sort(rng.choice(rows, len(rows))), rows[:0], int(rng.integers(MAX_SEED))
            )
        )
        yield
    return found


def expected(given: Setting, s: State) -> float:
    """What luck alone would have made of the looks so far, for coins without a signal; else NaN."""
    if given.p.hypotheses != "coins" or not len(s.looks):
        return float("nan")
    kinds = len(np.unique(given.problem.codes[given.rows]))
    return least_expected(int((s.part == 1).sum()), len(s.looks), 1 - 1 / kinds)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = {"best": s.best, "look": s.looks.last, "luck": expected(given, s), "fresh": s.fresh}
    return {name: value for name, value in known.items() if value == value}


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the present model says; coins say nothing of other places."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Nine points of two classes."""
    x, y = (
        [1.0, 2.0, 3.0, 4.0, 1.5, 2.5, 3.5, 4.5, 1.2],
        [1.0, 2.0, 1.5, 2.5, 3.0, 1.2, 2.2, 3.2, 2.8],
    )
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
