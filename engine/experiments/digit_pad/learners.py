"""Four learners of the lab that read small pictures, and how sure each is: votes, output, least
lead, share of the leaf.
"""

from collections import OrderedDict
from collections.abc import Callable, Generator
from itertools import combinations
from typing import Any, NamedTuple

from engine.authoring import Float, Int, Problem, Work, frozen, np, replace
from engine.core.work import finished
from engine.experiments.parts.learnt import learnt
from engine.numerics.activations import logistic

NEIGHBOURS, HIDDEN, EPOCHS, PART = 5, 24, 10, 50
SAID = 6  # digits of what is said: the last ones of a sum are not the same on every machine
KEPT = 3  # tables whose learners are remembered: a drawn line changes none of them
NOTHING = frozen(np.zeros(0))


class Answer(NamedTuple):
    """label: class index; sure, from 0 to 1; parts (k,): what speaks for each class, from 0 to 1;
    rows: the nearest pictures, with their distances in `inner`, or for a net there what its hidden
    units say; path: (column, threshold, value) of tests, and the counts (k,) of the leaf.
    """

    label: int
    sure: float
    parts: Float
    rows: Int = frozen(np.zeros(0, np.intp))
    inner: Float = NOTHING
    path: tuple[tuple[int, float, float], ...] = ()


class Learner(NamedTuple):
    """tested (m, 2): of each test picture how sure the learner is, and 1 where it is right."""

    title: str
    answer: Callable[[Float], Answer]
    tested: Float


def taught(
    problem: Problem, test: Problem, most: float, seed: int
) -> Generator[Learner | None, None, None]:
    """One learner after the other, None while one learns; those of a table that was seen lately at
    once.
    """
    key = hash((problem.X.tobytes(), problem.codes.tobytes(), test.X.tobytes(), seed))
    if key in _KNOWN:
        _KNOWN.move_to_end(key)
        yield from _KNOWN[key]
        return
    learners = []
    plain = replace(problem, held_out=None)
    small = replace(plain, X=frozen(problem.X / most))
    for teaching in (
        neighbours(plain),
        network(small, most, seed),
        duels(small, most),
        tree(plain),
    ):
        title, answer, judge = yield from teaching
        told = []
        for start in range(0, test.n, PART):
            sure, labels = judge(test.X[start : start + PART])
            told.append(np.column_stack([sure, labels == test.codes[start : start + PART]]))
            yield None
        learners.append(Learner(title, answer, frozen(np.concatenate([np.zeros((0, 2)), *told]))))
        yield learners[-1]
    _KNOWN[key] = tuple(learners)
    while len(_KNOWN) > KEPT:
        _KNOWN.popitem(last=False)


_KNOWN: OrderedDict[int, tuple[Learner, ...]] = OrderedDict()
Judge = Callable[[Float], tuple[Float, Int]]  # rows (m, d) -> how sure (m,), and of what
Teaching = Work[tuple[str, Callable[[Float], Answer], Judge]]


def one_by_one(answer: Callable[[Float], Answer]) -> Judge:
    def judge(X: Float) -> tuple[Float, Int]:
        told = [answer(x) for x in X]
        return np.array([each.sure for each in told]), np.array(
            [each.label for each in told], np.intp
        )

    return judge


def neighbours(problem: Problem) -> Teaching:
    k = min(NEIGHBOURS, problem.n)
    codes = problem.codes
    size = len(problem.classes)
    trace = yield from learnt("nearest_neighbours", problem, k=k)

    def answer(x: Float) -> Answer:
        last = finished(learnt("nearest_neighbours", problem, k=k, query=tuple(x.tolist())))[
            -1
        ].state
        parts = np.bincount(codes[last.neighbours], minlength=size) / k
        return Answer(
            last.label, float(parts.max()), frozen(parts), last.neighbours, last.distances
        )

    def judge(X: Float) -> tuple[Float, Int]:
        near = codes[trace.given.index.scan(trace.given.space.embed(X), k)[1]]
        return np.max([(near == c).mean(axis=1) for c in range(size)], axis=0), trace.codes(X)

    return f"{k} {'neighbour' if k == 1 else 'neighbours'}", answer, judge


def network(problem: Problem, most: float, seed: int) -> Teaching:
    options: dict[str, Any] = {
        "hidden": (HIDDEN,),
        "outputs": "one per class",
        "scale": 0.3,
        "order": "random",
        "epochs": EPOCHS,
    }
    trace = yield from learnt("backpropagation", problem, seed, **options)
    inner, outer = trace[-1].state.weights

    def answer(x: Float) -> Answer:
        hidden = np.round(logistic(np.append(x / most, 1.0) @ inner), SAID)
        parts = np.round(logistic(np.append(hidden, 1.0) @ outer), SAID)
        return Answer(int(parts.argmax()), float(parts.max()), frozen(parts), inner=frozen(hidden))

    return f"Network {problem.d}-{HIDDEN}-{len(problem.classes)}", answer, one_by_one(answer)


def duels(problem: Problem, most: float) -> Teaching:
    """A margin between any two classes; whoever wins the most duels is the answer, as sure as its
    least lead beside the margin.
    """
    size = len(problem.classes)
    lines = list[tuple[int, int, Float, float]]()
    for a, b in combinations(range(size), 2):
        rows = np.flatnonzero((problem.codes == a) | (problem.codes == b))
        pair = replace(
            problem,
            X=frozen(problem.X[rows]),
            y=problem.y[rows],
            codes=frozen((problem.codes[rows] == b).astype(np.intp)),
            classes=(problem.classes[a], problem.classes[b]),
            names=tuple(problem.names[i] for i in rows.tolist()),
            numbers=(),
        )
        if len(np.unique(pair.codes)) == 2:
            state = (yield from learnt("svm", pair, C=1.0))[-1].state
            lines.append((a, b, state.w / most, state.b))

    def answer(x: Float) -> Answer:
        wins = np.zeros(size)
        least = np.full(size, np.inf)
        for a, b, w, bias in lines:
            lead = float(w @ x + bias)
            wins[a if lead >= 0 else b] += 1
            least[[a, b]] = np.minimum(least[[a, b]], [lead, -lead])
        label = max(range(size), key=lambda c: (wins[c], least[c]))
        return Answer(
            label, round(float(np.clip(least[label], 0, 1)), SAID), frozen(wins / max(size - 1, 1))
        )

    many = len(lines)
    return f"SVM, {many} {'duel' if many == 1 else 'duels'}", answer, one_by_one(answer)


def tree(problem: Problem) -> Teaching:
    nodes = (yield from learnt("decision_tree", problem))[-1].state.nodes

    def answer(x: Float) -> Answer:
        node = nodes[0]
        path = []
        while node.children:
            path.append((node.column, float(node.point), float(x[node.column])))
            node = nodes[node.children[int(x[node.column] > node.point)]]
        counts = np.asarray(node.counts, np.float64)
        parts = counts / counts.sum()
        return Answer(int(node.label), float(parts[node.label]), frozen(parts), path=tuple(path))

    return "Decision tree", answer, one_by_one(answer)
