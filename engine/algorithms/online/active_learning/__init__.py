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
    "the label of a row that comes is bought if less than this share of those before it are nearer"
    " to the boundary"
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
    """The model is `model`, learnt from the labels of `asked`; its rival buys labels by chance.

    asked: rows whose labels were bought, in this order
    chance: rows whose labels the rival bought
    model: what the learner has learnt from `asked`; None while one class is known
    rival: what it would have learnt from `chance`
    rest: the rows after the first labels, in the order in which they come
    history: (labels, errors, labels of the rival, its errors) of each time both learnt
    seen: how many of `rest` have come; 0 in a pool
    errors: labelled rows that the model gets wrong
    by_chance: labelled rows that the rival gets wrong
    price: of the labels of `asked`
    current: the row that this step shows, or −1
    """

    asked: Int
    chance: Int
    model: Any
    rival: Any
    rest: Int
    history: Prefix[tuple[int, int, int, int]]
    seen: int = 0
    errors: int = 0
    by_chance: int = 0
    price: float = 0.0
    current: int = -1


class Setting(Asking[Params]):
    """The learner whose labels are bought, and the rows that it may ask for."""

    @property
    def stream(self) -> bool:
        """Whether rows arrive one by one; else all are available."""
        return bool(self.p.mode == "stream")

    def doubt(self, s: State, rows: Int) -> Float:
        """(k,) |score| of these rows: the smaller, the nearer to the boundary."""
        return np.abs(self.scores_of(*self.learnt(s), self.problem.X[rows]))

    def nearer(self, s: State) -> float:
        """The share of the earlier rows that are nearer to the boundary than the current one."""
        doubt = self.doubt(s, np.append(self.came(s), s.current))
        return float((doubt[:-1] < doubt[-1]).mean())

    def came(self, s: State) -> Int:
        """(m,) the rows from which chance may choose: all of a pool, those of a stream that have
        arrived.
        """
        first = s.asked[: self.begun(s)]
        rest = s.rest[: s.seen] if self.stream else s.rest
        return np.concatenate([first, rest])

    def begun(self, s: State) -> int:
        """The number of labels with which both learners began."""
        return s.history[0][0]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    first, rest = given.labels_by_chance(rng)  # until both classes are known
    model = yield from given.taught(first)  # by the learner's own page, on these rows
    s = given.with_metrics(State(first, first, model, model, rest, Prefix([], 0)))
    if given.both_known(first):
        yield from at("start", s)
        yield from buy_labels(given, s, at, rng)
    else:
        s = replace(s, current=int(rest[0]))
        yield from at("start", s, "waiting")
        yield from at("end", s, "waiting", ending="waiting")


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.check(s.asked, s.chance, s.rest)
    given.labels_by_chance(rng)
    for count in range(given.begun(s), len(s.chance)):
        others = given.unsold(s.chance[:count], given.came(s))
        if len(others):
            rng.choice(others)  # what chance bought so far
    learnt_from = s.history[-1][0]
    if len(s.asked) > learnt_from:
        s = yield from learn(given, at, s, rng)
    yield from buy_labels(given, s, at, rng)


def buy_labels(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """The steps of buying one label after another until the budget is spent. MMDS 12.1.4."""
    ending = "spent"
    while len(s.asked) < given.p.budget:
        rows = most_doubtful(given, s)
        if not rows:
            ending = "nothing left"
            break
        x = at.take(rows)
        s = replace(s, current=x)
        wanted = not given.stream or given.nearer(s) < given.p.unsure
        yield from at("look", s, *when(passed=not wanted), wanted=wanted)
        if given.stream:
            s = replace(s, seen=s.seen + 1)
        if not wanted:
            continue
        if given.problem.codes[x] < 0:  # the person has not said its class yet
            ending = "waiting"
            yield from at("ask", s, "waiting")
            break
        asked = frozen(np.append(s.asked, x))  # the table says the class of x from here on
        s = replace(s, asked=asked, price=given.p.price * len(asked))
        yield from at("ask", s)
        s = yield from learn(given, at, s, rng)
    if ending != "waiting":
        s = replace(s, current=-1)
    yield from at("end", s, ending, ending=ending)


def most_doubtful(given: Setting, s: State) -> list[int]:
    """The rows without a label that tie for nearest to the boundary; of a stream the next row. []
    when no row is left.
    """
    if given.stream:
        return list(s.rest[s.seen : s.seen + 1].tolist())
    rows = np.setdiff1d(s.rest, s.asked)
    if not len(rows):
        return []
    doubt = given.doubt(s, rows)  # |score|
    return list(rows[doubt == doubt.min()].tolist())


def learn(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """The state after both learners, this one and its rival with labels by chance, have learnt
    again.
    """
    others = given.unsold(s.chance, given.came(s))
    if len(others):  # chance buys one too
        s = replace(s, chance=frozen(np.append(s.chance, rng.choice(others))))
    former = given.learnt(s)
    model = yield from given.taught(s.asked)  # from the start, by the learner's own page
    rival = yield from given.taught(s.chance)
    s = given.with_metrics(replace(s, model=model, rival=rival))
    yield from at("learn", s, "label", former=former)
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"errors": s.errors, "chance": s.by_chance, "price": s.price}


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices by the learner's own rule, −1 for none."""
    return given.classes_of(*given.learnt(s), X)


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m,) scores, above 0 for the first class; all 0 while only one class is known."""
    return given.scores_of(*given.learnt(s), X)


def example() -> Problem:
    """Eight points of two classes whose boundary lies between 3 and 4."""
    x1 = [0.5, 1.0, 2.0, 2.8, 4.1, 5.0, 6.0, 6.5]
    x2 = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]
    y = [-1, -1, -1, -1, 1, 1, 1, 1]
    return prepare(Dataset.from_columns({"x1": x1, "x2": x2, "y": y}, "y"))


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
