"""Holdout: rows laid aside judge what was learnt from the rest; made again and again, the estimate
shows how rough it is. AIMA 18.4, MIT 2.3.1-2.3.4.
"""

from itertools import product
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
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    When,
    Work,
    cached_property,
    field,
    frozen,
    np,
    prepare,
    replace,
)
from engine.data.generators import generate
from engine.experiments.parts.splits import aside, batch_size, batched
from engine.fit.fits import fits
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, Studied, answers_of, studying
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import MANY, Trial, check_able, drawn, following, tried

PSEUDOCODE = """
share    step:   for each share of test rows:
draw     detail:   repeat: lay it aside anew
learn    detail:     h ← Learner(the rest)
test     step:       e ← error of h on it
mean     round:    mean and sd of the errors
compare  round:  compare the shares
"""
SCHEME = (
    "batches: one half of them is learnt from, each by a hypothesis of its own, that is tested on a"
    " batch of the other half"
)
MOST = 6  # rows of the picture


class Params(Record, eq=True):
    learner: Studied = ""
    scheme: Annotated[Literal["random splits", "batches"], Label("Rows come in"), Help(SCHEME)] = (
        "random splits"
    )
    shares: Annotated[
        tuple[float, ...],
        Label("Test shares"),
        Help("of the rows, between 0 and 1"),
        When("scheme", ("random splits",)),
    ] = (0.5, 0.3, 0.1)
    splits: Annotated[
        int, Range(1, 1_000, log=True), Label("Splits of each"), When("scheme", ("random splits",))
    ] = 40
    batches: Annotated[
        tuple[float, ...],
        Label("Batches"),
        Help("even numbers of them"),
        When("scheme", ("batches",)),
    ] = (4, 8, 16)
    show: Annotated[Literal["right", "wrong"], Label("Shown")] = "wrong"


class Estimates(NamedTuple):
    """share: of test rows, or number of batches; m: test rows of an estimate; errors: on them;
    train: on those learnt from.
    """

    share: float
    m: int
    errors: Tally
    train: Tally


class State(Record):
    """estimates: of the shares so far, the last one grows; model: of this split, or of the first of
    the share; test (m,): the rows that judge it, none of a split whose model is not kept; refused:
    (share, why) of splits that could not be learnt from.
    """

    estimates: tuple[Estimates, ...] = ()
    model: Model | None = None
    test: Int = field(default_factory=lambda: frozen(np.zeros(0, np.intp)))
    refused: Prefix[tuple[float, str]] = field(default_factory=lambda: Prefix([], 0))

    @property
    def now(self) -> Estimates:
        """Of the present share."""
        return self.estimates[-1]


class Setting(Given[Params]):
    """learner: that is studied; rows: those with a label; shares: each with how many rows it tests
    on.
    """

    learner = cached_property(lambda self: studying(self.p.learner, self.problem))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    cut = property(lambda self: self.p.scheme == "batches")

    @cached_property
    def shares(self) -> dict[float, int]:
        asked = dict.fromkeys(self.p.batches if self.cut else self.p.shares)
        n = len(self.rows)
        if not 1 <= len(asked) <= MOST:
            raise EngineError(
                f"{'Batches' if self.cut else 'Test shares'} must be 1 to {MOST} numbers."
            )
        return {share: (batch_size if self.cut else aside)(share, n) for share in asked}

    def trials(self, rng: Rng) -> Work[dict[float, list[Trial]]]:
        learner = self.learner
        rows = self.rows
        splits = self.p.splits
        if self.cut:
            return {share: batched(learner, rows, int(share), rng) for share in self.shares}
        found: dict[float, list[Trial]] = {share: [] for share in self.shares}
        for share, i in product(self.shares, range(splits)):
            keep = not i or splits * len(self.shares) <= MANY
            found[share].append(drawn(learner, rows, len(rows) - self.shares[share], rng, keep))
            yield
        return found


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State()
    trials = yield from given.trials(rng)
    jobs = [trial for each in trials.values() for trial in each]
    yield from check_able(given.problem, jobs, "splits")
    told = fits(tried, given.problem, jobs)
    for share, m in given.shares.items():
        s = replace(s, estimates=(*s.estimates, Estimates(share, m, Tally(), Tally())))
        yield from at("share", s)
        for trial in trials[share]:
            s = replace(
                s,
                test=frozen(trial.test if trial.keep else [], np.intp),
                model=None if trial.keep else s.model,
            )
            yield from at("draw", s)
            found = yield from following(told)
            if isinstance(found, EngineError):
                s = replace(s, refused=s.refused.plus((share, str(found))))
                yield from at("test", s, "refused")
                continue
            s = replace(s, model=found.model or s.model)
            yield from at("learn", s)
            now = s.now._replace(
                errors=s.now.errors.plus(found.error), train=s.now.train.plus(found.train)
            )
            s = replace(s, estimates=(*s.estimates[:-1], now))
            yield from at("test", s)
        yield from at("mean", s, "share")
    yield from at("compare", s)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    errors = s.now.errors
    known = {"error": errors.last, "mean": errors.mean, "sd": errors.deviation}
    return {name: value for name, value in known.items() if value == value}


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the shown model says."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Twelve points of two moons."""
    return prepare(generate("moons", 12, 0.3, seed=1))


ALGORITHM = Algorithm.of(
    __name__,
    title="Holdout",
    task=Task.EVALUATE,
    source=("AIMA 18.4", "MIT 2.3.1-2.3.3", "MIT 2.3.4", "MMDS 12.1.4"),
    needs=Needs(values=True, missing=True, min_rows=2),
    curves=(
        Curve("mean", "mean error so far", about=("histogram",)),
        Curve("sd", "standard deviation", bound=True, about=("sd",)),
        Curve("error", "error of the split", about=("estimate",)),
    ),
    events=("share", "refused"),
)
