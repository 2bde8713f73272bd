"""Model selection: sizes are tried, the simplest first, each cross-validated, until the training
error is still; the best is learnt from all rows. AIMA Fig 18.8, MIT 2.3.33.
"""

from typing import Annotated, Any, Literal

from engine.authoring import (
    Algorithm,
    At,
    Curve,
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
    np,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate
from engine.experiments.model_selection.size import Size, stillness
from engine.fit.fits import fits
from engine.experiments.parts.folds import check_folds, dealt, labelled_rows
from engine.experiments.parts.learners import Model, Studied, answers_of, studying
from engine.experiments.parts.loss import lowest
from engine.experiments.parts.splits import folded
from engine.experiments.parts.sweep import High, Low, Moved, Values, swept
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import MANY, Outcome, check_able, drawn, outcome, tried

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


class State(Record):
    """deal (n,): the fold of each row; sizes: those done; value: the present one; errors, train: of
    its folds; model: of the fold, at the errors of the first one, once there is a best size that
    learnt from all rows; still: sizes in a row without a fall of errT; stopped, best: numbers of
    sizes, −1 before; refused: (size, why) of what could not be learnt.
    """

    deal: Int
    sizes: Prefix[Size] = field(default_factory=lambda: Prefix([], 0))
    value: float = np.nan
    errors: Tally = Tally()
    train: Tally = Tally()
    model: Model | None = None
    still: int = 0
    stopped: int = -1
    best: int = -1
    refused: Prefix[tuple[float, str]] = field(default_factory=lambda: Prefix([], 0))

    def plus(self, found: Outcome) -> "State":
        """With one fold more of this size."""
        refused = self.refused.plus((self.value, found.why)) if found.why else self.refused
        return replace(
            self,
            errors=self.errors.plus(found.error),
            train=self.train.plus(found.train),
            refused=refused,
        )


class Setting(Given[Params]):
    """learner: that is studied; sweep: its number that is the size; rows: those with a label; k:
    the number of folds.
    """

    learner = cached_property(lambda self: studying(self.p.learner, self.problem))
    sweep = cached_property(lambda self: swept(self.learner, self.p, self.problem))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    k = cached_property(lambda self: check_folds(self.p.k, len(self.rows)))
    waits = property(lambda self: self.p.until == "errT is still")


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    sizes = given.sweep.simplest_first
    k = given.k
    s = State(dealt(given.problem, given.rows, k, rng))
    folds = folded(given.learner, s.deal, k, rng, len(sizes) * k <= MANY)
    jobs = [trial._replace(learner=given.sweep.at(size)) for size in sizes for trial in folds]
    yield from check_able(given.problem, jobs, "folds")
    yield from at("deal", s)
    told = fits(tried, given.problem, jobs)
    for size in sizes:
        s = replace(s, value=size, errors=Tally(), train=Tally(), model=None)
        first = None
        yield from at("size", s)
        for _ in range(k):
            found = yield from outcome(told)
            first = first or found.model
            s = replace(s.plus(found), model=None if found.why else found.model or first)
            yield from at("fold", s, *when(refused=bool(found.why)))
        s = replace(s, sizes=s.sizes.plus(Size.of(s.value, s.errors, s.train)), model=first)
        yield from at("errors", s)
        s = replace(s, still=stillness(s.sizes)[-1])
        if len(s.sizes) == len(sizes) or (given.waits and s.still >= given.p.patience):
            break
        yield from at("until", s)
    s = replace(s, stopped=len(s.sizes) - 1)
    yield from at("until", s, "stop")
    s = replace(s, best=next(iter(lowest([p.validation for p in s.sizes])), -1))
    yield from at("best", s, "best")
    if s.best < 0:
        return
    c = s.sizes[s.best].value
    whole = drawn(given.sweep.at(c), given.rows, len(given.rows), rng)
    found = yield from outcome(fits(tried, given.problem, [whole]))
    s = replace(
        s, model=found.model, refused=s.refused.plus((c, found.why)) if found.why else s.refused
    )
    yield from at("learn", s, "refused" if found.why else "learnt")
    for size in sizes[s.stopped + 1 :] if given.p.look else ():
        s = replace(s, value=size, errors=Tally(), train=Tally())
        for _ in range(k):
            s = s.plus((yield from outcome(told)))
        s = replace(s, sizes=s.sizes.plus(Size.of(s.value, s.errors, s.train)))
        yield from at("look", s)
    if len(s.sizes) > s.stopped + 1:
        yield from at("judge", s, "judge")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """Of the present size, and of the one that is taken as soon as there is one."""
    size = s.sizes[s.best] if s.best >= 0 else Size.of(s.value, s.errors, s.train)
    return (
        {}
        if size.training != size.training
        else {"validation": size.validation, "training": size.training}
    )


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the shown model says."""
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
