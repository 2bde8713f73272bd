"""Active learning: labels cost something, and are bought where the learner is in doubt.

MMDS 12.1.4, ML 7.1.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.online.active_learning.learning import Asking, Name
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
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
    frozen,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start round: buy labels until both are known
look:        x ← the most doubtful row
ask:           buy the label of x
learn round:   learn anew; chance buys one too
end round:   until the budget is spent
"""
UNSURE = (
    "a row that comes is asked for if less than this share of those before it are nearer to the"
    " boundary"
)
ORACLE = (
    "table: rows without a class are left out. person: they are asked for too, and the run waits"
    " for their class"
)


class Params(Record, eq=True):
    learner: Annotated[Name, Label("Learner")] = "svm"
    mode: Annotated[
        Literal["pool", "stream"],
        Label("Rows"),
        Help("pool: all at hand. stream: one after the other"),
    ] = "pool"
    budget: Annotated[
        int, Range(2, 1000, log=True), Label("Budget"), Help("labels that are bought at most")
    ] = 20
    unsure: Annotated[
        float, Range(0.01, 1), Label("In doubt"), Help(UNSURE), When("mode", ("stream",))
    ] = 0.25
    price: Annotated[float, Range(0, 1000), Label("Price of a label")] = 1.0
    oracle: Annotated[Literal["table", "person"], Label("Who says the class"), Help(ORACLE)] = (
        "table"
    )


class State(Record):
    """asked: the rows whose labels were bought, in turn; chance: those that a rival bought by
    chance; model and rival: what either has learnt from them; rest: the other rows as they come,
    the first `seen` of which are gone by; errors, by_chance: wrong rows of the model and of the
    rival, history: (labels, errors, labels, errors) of each time they learnt.
    """

    asked: Int
    chance: Int
    model: Any
    rival: Any
    rest: Int
    history: Prefix[tuple[int, int, int, int]]
    seen: int = 0
    current: int = -1
    errors: int = 0
    by_chance: int = 0
    price: float = 0.0


class Setting(Asking[Params]):
    """Learners, and how much in doubt they are."""

    def in_doubt(self, s: State) -> bool:
        """Whether less than the share that is set of the rows before it are nearer to
        the boundary.
        """
        return bool(self.p.mode == "pool" or self.nearer(s) < self.p.unsure)

    def nearer(self, s: State) -> float:
        """The share of the rows that came before the current one of which the learner is
        less sure.
        """
        doubt = self.doubt(s, np.append(self.came(s), s.current))
        return float((doubt[:-1] < doubt[-1]).mean())

    def came(self, s: State) -> Int:
        """The rows that chance may choose from: in a pool all, of a stream those that came."""
        return np.concatenate(
            [s.asked[: self.begun(s)], s.rest if self.p.mode == "pool" else s.rest[: s.seen]]
        )

    def begun(self, s: State) -> int:
        """With how many labels both began."""
        return s.history[0][0]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    first, rest = given.dealt(rng)
    model = yield from given.taught(first)
    s = given.judged(State(first, first, model, model, rest, Prefix([], 0)))
    if given.ready(first):
        yield from at("start", s)
        yield from asked(given, s, at, rng)
    else:
        yield from at("start", s := replace(s, current=int(rest[0])), "waiting")
        yield from at("end", s, "waiting", ending="waiting")


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.check(s.asked, s.chance, s.rest)
    given.dealt(rng)
    for many in range(given.begun(s), len(s.chance)):
        if len(others := given.unsold(s.chance[:many], given.came(s))):
            rng.choice(others)  # what chance bought so far
    if len(s.asked) > s.history[-1][0]:  # bought, and not learnt from yet
        s = yield from learnt(given, at, s, rng)
    yield from asked(given, s, at, rng)


def asked(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """One label after the other, until the budget is spent."""
    ending = "spent"
    while len(s.asked) < given.p.budget:
        left = s.rest[s.seen :] if given.p.mode == "stream" else np.setdiff1d(s.rest, s.asked)
        if not len(left):
            ending = "nothing left"
            break
        equals = (
            left[:1]
            if given.p.mode == "stream"
            else left[(doubt := given.doubt(s, left)) == doubt.min()]
        )
        s = replace(s, current=(x := at.take(equals.tolist())))
        wanted = given.in_doubt(s)
        yield from at("look", s, *when(passed=not wanted), wanted=wanted)
        s = replace(s, seen=s.seen + (given.p.mode == "stream"))
        if not wanted:
            continue
        if given.problem.codes[x] < 0:
            ending = "waiting"
            yield from at("ask", s, ending)
            break
        s = replace(s, asked=frozen(np.append(s.asked, x)))
        s = replace(s, price=given.p.price * len(s.asked))
        yield from at("ask", s)
        s = yield from learnt(given, at, s, rng)
    yield from at(
        "end", s if ending == "waiting" else replace(s, current=-1), ending, ending=ending
    )


def learnt(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """From the label that was bought; chance buys one too, and its rival learns."""
    if len(others := given.unsold(s.chance, given.came(s))):
        s = replace(s, chance=frozen(np.append(s.chance, rng.choice(others))))
    model = yield from given.taught(s.asked)
    rival = yield from given.taught(s.chance)
    s = given.judged(replace(s, model=model, rival=rival))
    yield from at("learn", s, "label")
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"errors": s.errors, "chance": s.by_chance, "price": s.price}


def predict(given: Setting, s: State, X: Float) -> Int:
    return given.said(*given.learnt(s), X)


def scores(given: Setting, s: State, X: Float) -> Float:
    return given.scored(*given.learnt(s), X)


def example() -> Problem:
    """Two classes on a line between 3 and 4."""
    x, y = [0.5, 1.0, 2.0, 2.8, 4.1, 5.0, 6.0, 6.5], [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "y": [-1] * 4 + [1] * 4}, "y"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Active learning",
    task=Task.ONLINE,
    source=("MMDS 12.1.4", "ML 7.1"),
    needs=Needs(min_classes=2, max_classes=2, numeric=True, max_rows=20_000),
    curves=(
        Curve("errors", "wrong points, asked near the boundary", of_n=True, digits=0),
        Curve("chance", "wrong points, asked by chance", of_n=True, digits=0),
        Curve("price", "price of the labels", about=("asked",)),
    ),
    events=("label", "passed", "waiting", "spent", "nothing left"),
)
