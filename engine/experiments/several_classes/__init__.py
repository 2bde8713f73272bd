"""Several classes by a method for two: each class against the rest, or each pair in a duel. MMDS
12.2.5.
"""

from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Callable,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Int,
    Label,
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
    when,
)
from engine.authoring import Setting as Given
from engine.base.notation import quoted
from engine.experiments.parts.study import empty_log
from engine.experiments.parts.trials import following
from engine.experiments.several_classes.voting import (
    counted_votes,
    largest,
    score_of,
    scored,
    sums,
    with_sums,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studying, fitted, studying
from engine.protocol.params import Learner, Written
from engine.protocol.registry import algorithm
from engine.table.given import MAX_SEED
from engine.table.two_classes import Pair, against_rest, duels, posed, sides

T = TypeVar("T")
PSEUDOCODE = """
pose   detail: for each class k:
relabel step:    y ← k, or the rest
learn  step:     h[k] ← Learner(X, y)
ask    detail: for each x: score every h[k]
answer round:  x gets the k of the largest
"""
USUAL = "logistic_regression"  # the learner where it suits
OTHERWISE = "decision_tree"
LEARNER = (
    "any method for two classes; auto: logistic regression, of words or with gaps a decision tree"
)
SCHEME = "a learner for each class against all others, or one for each pair of classes"
ANSWER = "all above the threshold: an example can have several classes, or none"


class Params(Record, eq=True):
    learner: Annotated[str, Learner(two_classes=True), Label("Learner"), Help(LEARNER)] = ""
    scheme: Annotated[
        Literal["one against the rest", "duels"],
        Label("Scheme"),
        Help(SCHEME),
        Written((("one against the rest", "against the rest"),)),
    ] = "one against the rest"
    answer: Annotated[
        Literal["largest score", "all above the threshold"],
        Label("Answer"),
        Help(ANSWER),
        When("scheme", ("one against the rest",)),
    ] = "largest score"
    threshold: Annotated[
        float, Range(-1e6, 1e6), Label("Threshold θ"), When("answer", ("all above the threshold",))
    ] = 0.0


class State(Record):
    """The model is `models`.

    models: h of each problem of two classes that is learnt, in their order
    said: (n,) the scores of each of them for the rows of the table
    errors: wrong training rows by `models`
    number: of the problem of this step, from 0; −1 for none
    model: its h, None before it is learnt
    current: the row that is the query, or −1
    """

    models: tuple[Model, ...] = ()
    said: Prefix[Float] = field(default_factory=empty_log)
    errors: int = 0
    number: int = -1
    model: Model | None = None
    current: int = -1


class Job(NamedTuple):
    """One of the problems of two classes, for a learner with its seed."""

    learner: Studying
    pair: Pair
    seed: int


class Setting(Given[Params]):
    """The problems of two classes, and the rule that makes one answer of theirs."""

    @cached_property
    def learner(self) -> Studying:
        """The learner; raises EngineError for one that does not suit the problems."""
        text = self.p.learner.strip()
        first = posed(self.problem, self.pairs[0])
        if not text:
            suits = algorithm(USUAL).needs.refusal(first) is None
            text = USUAL if suits else OTHERWISE
        found = studying(text, first)
        if found.algorithm.wraps:
            raise EngineError(
                f"{quoted(found.name)} needs a method for two classes: choose another learner."
            )
        return found

    @property
    def dueling(self) -> bool:
        """Whether each class meets each other class, not all of them together."""
        return self.p.scheme == "duels"

    @property
    def several(self) -> bool:
        """Whether the answer is every class above the threshold."""
        return not self.dueling and self.p.answer == "all above the threshold"

    @property
    def threshold(self) -> float:
        """The score above which a class claims an example."""
        return self.p.threshold if self.several else 0.0

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The problems of two classes, in order."""
        return duels(self.problem) if self.dueling else against_rest(self.problem)

    @cached_property
    def k(self) -> int:
        """The number of classes, also of those without rows."""
        return len(self.problem.classes)

    def sides(self, number: int) -> tuple[str, str]:
        """The names of the two sides of a problem."""
        return sides(self.problem, self.pairs[number])

    def posed(self, number: int) -> Problem:
        """A problem of two classes, from 0."""
        return posed(self.problem, self.pairs[number])

    @cached_property
    def classed_rows(self) -> Int:
        """(m,) the rows with a class, which the learners classify one by one."""
        return np.flatnonzero(self.problem.labelled)

    def f(self, s: State, X: Float) -> Float:
        """(p, m) the scores of the p learnt problems for rows X (m, d)."""
        known = X is self.problem.X
        found = [*s.said] if known else [score_of(h, X) for h in s.models]
        return np.array(found, np.float64).reshape(len(found), len(X))

    def kept(self, name: str, of: Any, make: Callable[[], T]) -> T:
        """What `make` returns for the model, or models, `of`; made once while these stay the
        same.
        """
        key = (name, id(of))
        if key not in self._kept:
            self._kept[key] = of, make()  # `of` is kept alive, so that its id stays its own
        found: T = self._kept[key][1]
        return found

    @cached_property
    def _kept(self) -> dict[tuple[str, int], tuple[Any, Any]]:
        return {}

    def values(self, f: Float) -> Float:
        """(m, k) what the classes are compared by, of the scores f (p, m): their scores, or their
        votes, where equal ones are ranked by the sums of the scores.
        """
        if not self.dueling:
            return scored(f, self.pairs, self.k)
        return with_sums(counted_votes(f, self.pairs, self.k), sums(f, self.pairs, self.k))

    def claims(self, f: Float) -> Bool:
        """(m, k) the classes that claim each place by the scores f (p, m): those above the
        threshold, or those with the most votes.
        """
        if not self.dueling:
            return np.asarray(scored(f, self.pairs, self.k) > self.threshold)
        votes = counted_votes(f, self.pairs, self.k)
        most = votes.max(axis=1, keepdims=True)
        return np.asarray((votes == most) & (most > 0))

    def winners(self, f: Float) -> Int:
        """(m,) the class that wins each place, −1 for none, by the scores f (p, m).

        Until all problems are learnt a class wins no place that it does not claim.
        """
        found, _ = largest(self.values(f))
        free = not self.several and len(f) == len(self.pairs)
        silent = np.isnan(f).all(axis=0)
        won = ~silent if free else self.claims(f).any(axis=1)
        return np.where(won, found, -1)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    learner = given.learner
    jobs = [Job(learner, pair, int(rng.integers(MAX_SEED))) for pair in given.pairs]
    found = fits(learnt, given.problem, jobs)
    s = judged(given, State())
    for k in range(len(given.pairs)):
        s = replace(s, number=k, model=None)
        yield from at("pose", s)
        yield from at("relabel", s)  # given.posed(k): y is 0 on the first side, 1 on the second
        h = yield from following(found)  # h[k] ← Learner(X, y)
        if isinstance(h, EngineError):
            raise EngineError(f"{' against '.join(given.sides(k))}: {h}")
        h = replace(h, problem=given.posed(k))
        said = frozen(score_of(h, given.problem.X))
        s = replace(s, models=(*s.models, h), said=s.said.plus(said), model=h)
        s = judged(given, s)
        yield from at("learn", s)
    s = replace(s, number=-1, model=None)
    for i in given.classed_rows.tolist() if at.records("ask") else ():
        yield from at("ask", replace(s, current=i))
    yield from at("answer", s, *when(round=True, clean=s.errors == 0))


def learnt(problem: Problem, job: Job) -> Work[Model]:
    """h ← Learner(X, y) of one of the problems; it comes back with the whole `problem`.

    Raises EngineError where the learner refuses the problem.
    """
    two = posed(problem, job.pair)
    h = yield from fitted(job.learner, two, np.flatnonzero(two.labelled), job.seed)
    return replace(h, problem=problem)


def judged(given: Setting, s: State) -> State:
    """The state with its number of errors."""
    problem = given.problem
    wrong = (predict(given, s, problem.X) != problem.codes) & problem.labelled
    return replace(s, errors=int(np.count_nonzero(wrong)))


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m, k) the score of each class for rows X (m, d), or its votes; NaN without an answer."""
    f = given.f(s, X)
    values = given.values(f)
    values[np.isnan(f).all(axis=0)] = np.nan
    return values


def misplaced(given: Setting, s: State) -> Bool:
    """(n,) the rows of the present problem that lie on the wrong side of its line, or on it."""
    y = given.posed(s.number).codes
    f = s.said[s.number]
    right = np.where(y == 0, f > 0, f < 0)
    return np.asarray(~right & (y >= 0))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of the largest score, or of the most votes, for rows X (m, d).

    −1 without an answer, and where no class is above the threshold if all above it count.
    """
    f = given.f(s, X)  # the score of every h[k] at x
    return given.winners(f)  # argmax over the classes of their scores, or of their votes


def example() -> Problem:
    """Nine points, three of each of three classes, each class on its own side."""
    x = [0.0, 0.5, -0.5, 2.0, 2.5, 1.5, -2.0, -2.5, -1.5]
    y = [2.0, 2.5, 3.0, -1.0, -0.5, -1.5, -1.0, -1.5, -2.0]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAABBBCCC")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Several classes",
    family="ensembles",  # it learns; its page lies among those that fit learners
    task=Task.CLASSIFY,
    source=("MMDS 12.2.5",),
    needs=Needs(min_classes=2, missing=True),
    curves=(Curve("errors", "wrong points", of_n=True, digits=0),),
    events=("round", "clean"),
)
