"""Draw a digit: neighbours, a network, margins and a tree say which it is, why, and how sure they
are. AIMA 18.11.1.
"""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from math import isqrt
from typing import Annotated, Any

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    EngineError,
    Fits,
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
    cached_property,
    field,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.notation import counted, plural
from engine.base.work import finished
from engine.experiments.digit_pad.learners import (
    NOTHING,
    Answer,
    Taught,
    Teaching,
    one_by_one,
    taught_before,
    tested,
)
from engine.experiments.digit_pad.tables import between, grey, pictures, some
from engine.fit.learnt import learnt
from engine.numerics.activations import logistic
from engine.sources.real import real

PSEUDOCODE = """
start round:  pictures to learn from and to test
learn:        teach neighbours, net, svm, tree
look:         x: the picture that is drawn
ask:          each says which, and how sure
sure  round:  answer only if sure enough
"""
NEIGHBOURS = 3
HIDDEN = 24  # units of the net
EPOCHS = 10
NET: dict[str, Any] = {
    "hidden": (HIDDEN,),
    "outputs": "one per class",
    "scale": 0.3,
    "order": "random",
}
SAID = 6  # digits of numbers in words: the last ones of a sum are not the same on every machine
DRAWN = "its cells row by row: draw it with the pointer on the pad; empty: a test picture"


def drawn_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.drawn` has not one number for each cell of a picture."""
    cells = pictures(problem).d
    if len(p.drawn) != cells:
        raise EngineError(
            f"The pad has {counted(cells, 'cell')}; {counted(len(p.drawn), 'number')} came from it."
        )


class Params(Record, eq=True):
    reject: Annotated[
        float, Range(0, 1), Label("Answer if sure"), Help("at least so much; else it is rejected")
    ] = 0.7
    picture: Annotated[
        int,
        Range(1, 100_000, log=True),
        Label("Test picture"),
        Help("on the pad while nothing is drawn"),
    ] = 1
    drawn: Annotated[tuple[float, ...], Label("Drawn"), Help(DRAWN), Fits(drawn_fits)] = ()


class State(Record):
    """How the learners do, whose models stand in `steps`; the fields after `tested` are what this
    step shows.

    learners: the titles of those that have learnt so far
    tested: for each of them (m, 2), how sure it is of each test picture, and 1 where it is right
    x: (d,) the cells on the pad, () before
    answers: of the learners that have answered so far
    """

    learners: tuple[str, ...] = ()
    tested: tuple[Float, ...] = ()
    x: Float = field(default_factory=lambda: NOTHING)
    answers: tuple[Answer, ...] = ()


class Setting(Given[Params]):
    """The pictures to learn from and to test, d cells each."""

    @property
    def shipped(self) -> bool:
        """Whether the pictures are the bundled digits, because the table has none."""
        return not grey(self.problem)

    @cached_property
    def parts(self) -> tuple[Problem, Problem]:
        """(pictures to learn from, pictures to test): the held-out ones are tested, else every
        fourth.
        """
        every = pictures(self.problem)
        if every.held_out is not None:
            return every, some(every.held_out, every.held_out.labelled)
        fourth = np.arange(every.n) % 4 == 3
        return some(every, ~fourth), some(every, fourth)

    @property
    def learn(self) -> Problem:
        """The pictures to learn from."""
        return self.parts[0]

    @property
    def test(self) -> Problem:
        """The pictures to test."""
        return self.parts[1]

    @property
    def side(self) -> int:
        """The side of a picture in cells, √d."""
        return isqrt(self.learn.d)

    @cached_property
    def most(self) -> float:
        """The value of the darkest cell of all pictures, 1 where all are empty."""
        return float(self.learn.X.max(initial=0)) or 1.0

    @cached_property
    def x(self) -> Float:
        """(d,) the cells on the pad."""
        if not self.p.drawn:
            row = (self.p.picture - 1) % self.test.n
            return frozen(np.array(self.test.X[row]))  # a copy: a view would keep all pictures
        return frozen(np.clip(self.p.drawn, 0, self.most))

    def rejects(self, answer: Answer) -> bool:
        """Whether the learner is not sure enough to answer."""
        return answer.sure < self.p.reject


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    learn, test = given.parts
    s = State()
    yield from at("start", s)

    seed = int(rng.integers(2**31))
    taught = taught_before(learn, test, seed)
    for k, teach in enumerate(teachings(given, seed)):
        if k not in taught:
            taught[k] = yield from tested(teach(), test)
        learner = taught[k]
        s = replace(s, learners=(*s.learners, learner.title), tested=(*s.tested, learner.tested))
        yield from at("learn", s)

    x = given.x
    s = replace(s, x=x)
    yield from at("look", s, *when(empty=not x.any()))

    if x.any():
        for k in range(len(s.learners)):
            answer = taught[k].answer(x)  # which, and how sure: see below, one function a learner
            s = replace(s, answers=(*s.answers, answer))
            yield from at("ask", s, *when(rejected=given.rejects(answer)))
    yield from at("sure", s)  # those with answer.sure < p.reject do not answer, see `rejects`


def teachings(given: Setting, seed: int) -> list[Callable[[], Teaching]]:
    """For each learner a function that starts its training, in the order of the page.

    The network and the margins learn from cells scaled to 0 … 1.
    """
    plain = replace(given.learn, held_out=None)
    shades = replace(plain, X=frozen(plain.X / given.most))
    return [
        partial(neighbours, plain),
        partial(network, shades, given.most, seed),
        partial(duels, shades, given.most),
        partial(tree, plain),
    ]


def neighbours(problem: Problem) -> Teaching:
    """Trains nearest neighbours: the k pictures z of least |x − z| = √Σ (x[j] − z[j])² vote,
    sureness is votes / k.
    """
    k = min(NEIGHBOURS, problem.n)
    codes = problem.codes
    size = len(problem.classes)
    trace = yield from learnt("nearest_neighbours", problem, k=k)

    def answer(x: Float) -> Answer:
        query = tuple(x.tolist())
        near = finished(learnt("nearest_neighbours", problem, k=k, query=query))[-1].state
        # near.neighbours: the rows z of the k least |x − z|
        votes = np.bincount(codes[near.neighbours], minlength=size)
        parts = votes / k
        sure = float(parts.max())
        return Answer(near.label, sure, frozen(parts), near.neighbours, near.distances)

    def judge(X: Float) -> tuple[Float, Int]:
        index = trace.given.index
        Z = trace.given.space.embed(X)  # as distances are measured
        _, rows = index.scan(Z, k)  # (m, k) of each x the rows z of the k least |x − z|
        shares = [(codes[rows] == c).mean(axis=1) for c in range(size)]
        return np.max(shares, axis=0), trace.codes(X)

    return Taught(f"{k} {plural(k, 'neighbour')}", answer, judge)


def network(problem: Problem, most: float, seed: int) -> Teaching:
    """Trains a network with one output for each class; sureness is the largest output."""
    trace = yield from learnt("backpropagation", problem, seed, epochs=EPOCHS, **NET)
    inner, outer = trace[-1].state.weights

    def answer(x: Float) -> Answer:
        hidden = np.round(logistic(np.append(x / most, 1.0) @ inner), SAID)
        parts = np.round(logistic(np.append(hidden, 1.0) @ outer), SAID)
        label = int(parts.argmax())
        return Answer(label, float(parts[label]), frozen(parts), inner=frozen(hidden))

    title = f"Network {problem.d}-{HIDDEN}-{len(problem.classes)}"
    return Taught(title, answer, one_by_one(answer))


def duels(problem: Problem, most: float) -> Teaching:
    """Trains a maximal margin between any two classes.

    The class that wins most duels is the answer; sureness is the least of its leads w · x + b,
    which is 1 on the margin.
    """
    size = len(problem.classes)
    lines = list[tuple[int, int, Float, float]]()
    for a, b in combinations(range(size), 2):
        pair = between(problem, a, b)
        if len(np.unique(pair.codes)) == 2:
            trace = yield from learnt("svm", pair, C=1.0)
            svm = trace[-1].state
            lines.append((a, b, svm.w / most, svm.b))

    def answer(x: Float) -> Answer:
        wins = np.zeros(size)
        least = np.full(size, np.inf)
        for a, b, w, bias in lines:
            lead = float(w @ x + bias)  # of a; that of b is −lead
            wins[a if lead >= 0 else b] += 1
            least[a] = min(least[a], lead)
            least[b] = min(least[b], -lead)
        label = max(range(size), key=lambda c: (wins[c], least[c]))
        sure = round(float(np.clip(least[label], 0, 1)), SAID)
        return Answer(label, sure, frozen(wins / max(size - 1, 1)))

    title = f"SVM, {len(lines)} {plural(len(lines), 'duel')}"
    return Taught(title, answer, one_by_one(answer))


def tree(problem: Problem) -> Teaching:
    """Trains a decision tree; sureness is the share of the answered class in the leaf."""
    trace = yield from learnt("decision_tree", problem)
    nodes = trace[-1].state.nodes

    def answer(x: Float) -> Answer:
        node = nodes[0]
        path = []
        while node.children:
            value = float(x[node.column])
            path.append((node.column, float(node.point), value))
            node = nodes[node.children[int(value > node.point)]]
        counts = np.asarray(node.counts, np.float64)
        parts = counts / counts.sum()
        label = int(node.label)
        return Answer(label, float(parts[label]), frozen(parts), path=tuple(path))

    return Taught("Decision tree", answer, one_by_one(answer))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """Per cent of the test pictures that are rejected and that are wrong, of the learner that
    learnt or answered last; {} before the first.
    """
    if not s.learners:
        return {}
    sure, right = s.tested[len(s.answers) - 1].T
    answered = sure >= given.p.reject
    found = {}
    if len(sure):
        found["rejected"] = 100 * float(1 - answered.mean())
    if answered.any():
        found["wrong"] = 100 * float(1 - right[answered].mean())
    return found


def example() -> Problem:
    """Twenty-four pictures: eight each of the digits 3, 5 and 8."""
    digits = prepare(real("digits"))
    kinds = (3, 5, 8)
    rows = [i for c in kinds for i in np.flatnonzero(digits.codes == c)[:8]]
    few = some(digits, np.isin(np.arange(digits.n), rows))
    codes = np.searchsorted(kinds, few.codes)
    classes = tuple(digits.classes[c] for c in kinds)
    return replace(few, codes=frozen(codes), classes=classes, numbers=())


ALGORITHM = Algorithm.of(
    __name__,
    title="Digit pad",
    task=Task.THEORY,
    source=("AIMA 18.11.1", "AIMA Fig 18.36"),
    needs=Needs(labels=False, missing=True),
    curves=(Curve("wrong", "wrong of the answered, %"), Curve("rejected", "rejected, %")),
    events=("empty", "rejected"),
)
