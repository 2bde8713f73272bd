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
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.splits import aside, batch_size
from engine.experiments.parts.study import StudySetting, empty_log, known
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    MANY,
    Trial,
    check_able,
    hypothesis,
    next_hypothesis,
    trial,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, answers_of
from engine.sources.generators import generate

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


def no_rows() -> Int:
    """(0,) an empty set of rows."""
    return frozen(np.zeros(0, np.intp))


class Estimates(NamedTuple):
    """The estimates of the error that one share has given so far.

    share: of test rows, or number of batches
    m: test rows of an estimate
    errors: on the test rows, one for each split
    train: on the rows learnt from, one for each split
    """

    share: float
    m: int
    errors: Tally
    train: Tally


class State(Record):
    """What is learnt are the `estimates`; the fields after them are what this step shows.

    estimates: of the shares so far; those of the last one grow
    model: of this split, or of the first of the share
    test: (m,) the rows that judge it, none of a split whose model is not kept
    refused: (share, why) of splits that could not be learnt from
    """

    estimates: tuple[Estimates, ...] = ()
    model: Model | None = None
    test: Int = field(default_factory=no_rows)
    refused: Prefix[tuple[float, str]] = field(default_factory=empty_log)

    @property
    def now(self) -> Estimates:
        """The estimates of the present test share."""
        return self.estimates[-1]

    def with_estimate(self, error: float, train: float) -> "State":
        """The state with one more estimate of the present share: the errors on the test rows and on
        the rows learnt from.
        """
        errors = self.now.errors.plus(error)
        trains = self.now.train.plus(train)
        now = self.now._replace(errors=errors, train=trains)
        return replace(self, estimates=(*self.estimates[:-1], now))


class Setting(StudySetting[Params]):
    """Which rows are held out, over and over, to estimate the error."""

    @property
    def cut(self) -> bool:
        """Whether the rows come in batches, each of which is used once."""
        return self.p.scheme == "batches"

    @cached_property
    def shares(self) -> dict[float, int]:
        """{share: number of test rows}: round(share · n), or for each number of batches ⌊n /
        batches⌋.

        Raises EngineError where no rows are left to test on or to learn from.
        """
        name = "Batches" if self.cut else "Test shares"
        size = batch_size if self.cut else aside
        shares = dict.fromkeys(self.p.batches if self.cut else self.p.shares)
        if not 1 <= len(shares) <= MOST:
            raise EngineError(f"{name} must be 1 to {MOST} numbers.")
        return {share: size(share, len(self.rows)) for share in shares}

    def splits(self, rng: Rng) -> Work[dict[float, list[Trial]]]:
        """For each share its splits, each a trial with the rows to learn from and the test rows."""
        if self.cut:
            return {count: self.batches(int(count), rng) for count in self.shares}
        few = self.p.splits * len(self.shares) <= MANY
        found: dict[float, list[Trial]] = {share: [] for share in self.shares}
        for (share, m), i in product(self.shares.items(), range(self.p.splits)):
            order = rng.permutation(self.rows)
            rest = order[: len(order) - m]
            test = order[len(order) - m :]
            found[share].append(trial(self.learner, rest, test, rng, keep=few or i == 0))
            yield
        return found

    def batches(self, count: int, rng: Rng) -> list[Trial]:
        """Half as many splits as batches: the i-th learns from batch i of the first half, and its
        test rows are batch i of the other half.
        """
        batches = np.array_split(rng.permutation(self.rows), count)
        halves = zip(batches[: count // 2], batches[count // 2 :], strict=True)
        return [trial(self.learner, learn, test, rng) for learn, test in halves]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    s = State()
    splits = yield from given.splits(rng)
    trials = [split for each in splits.values() for split in each]
    yield from check_able(problem, trials, "splits")
    hypotheses = fits(hypothesis, problem, trials)
    for share, m in given.shares.items():
        s = replace(s, estimates=(*s.estimates, Estimates(share, m, Tally(), Tally())))
        yield from at("share", s)
        for split in splits[share]:
            s = laid_aside(s, split)  # split.test; split.rows are the rest
            yield from at("draw", s)
            h = yield from next_hypothesis(hypotheses)  # h ← Learner(the rest)
            if isinstance(h, EngineError):
                s = replace(s, refused=s.refused.plus((share, str(h))))
                yield from at("test", s, "refused")
                continue
            s = replace(s, model=h.model or s.model)
            yield from at("learn", s)
            # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
            e = mean_loss(problem, split.test, h.says[split.test])
            train = mean_loss(problem, split.rows, h.says[split.rows])
            s = s.with_estimate(e, train)
            yield from at("test", s)
        # s.now.errors.mean = Σ e / k and .deviation = √(Σ (e − mean)² / (k − 1)) of k errors
        yield from at("mean", s, "share")
    yield from at("compare", s)


def laid_aside(s: State, split: Trial) -> State:
    """The state with the test rows of a split, without rows where the split's model is not kept."""
    if not split.keep:
        return replace(s, test=no_rows())
    return replace(s, test=frozen(split.test, np.intp), model=None)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    errors = s.now.errors
    return known(error=errors.last, mean=errors.mean, sd=errors.deviation)


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
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
