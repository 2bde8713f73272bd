"""Learners of small pictures: what they answer, how they do on the test pictures, and those of the
tables that were seen last.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from engine.authoring import Float, Int, Problem, Work, frozen, np

PART = 50  # test pictures between two looks whether to go on
KEPT = 3  # tables whose learners are remembered: a drawn line changes none of them
NOTHING = frozen(np.zeros(0))


class Answer(NamedTuple):
    """What a learner says of a picture.

    label: class index
    sure: how sure it is, from 0 to 1
    parts: (k,) what speaks for each class, from 0 to 1
    rows: the nearest pictures, of neighbours
    inner: their distances, or of a net what its hidden units say
    path: of a tree (column, threshold, value) of the tests on the way
    """

    label: int
    sure: float
    parts: Float
    rows: Int = frozen(np.zeros(0, np.intp))
    inner: Float = NOTHING
    path: tuple[tuple[int, float, float], ...] = ()


Judge = Callable[[Float], tuple[Float, Int]]  # rows (m, d) -> how sure (m,), and of what


class Taught(NamedTuple):
    """A learner that has learnt: its title, what it says of one picture, and of many."""

    title: str
    answer: Callable[[Float], Answer]
    judge: Judge


Teaching = Work[Taught]


class Learner(NamedTuple):
    """A learner that was tested.

    tested: (m, 2) of each test picture how sure it is, and 1 where it is right
    """

    title: str
    answer: Callable[[Float], Answer]
    tested: Float


def one_by_one(answer: Callable[[Float], Answer]) -> Judge:
    """Judges many pictures by answering to each."""

    def judge(X: Float) -> tuple[Float, Int]:
        answers = [answer(x) for x in X]
        sure = np.array([each.sure for each in answers])
        labels = np.array([each.label for each in answers], np.intp)
        return sure, labels

    return judge


def taught_before(problem: Problem, test: Problem, seed: int) -> dict[int, Learner]:
    """The learners of these pictures that have learnt and were tested already, by their number in
    the order of the page, which adds to them. Those of the last few tables are remembered.
    """
    key = hash((problem.X.tobytes(), problem.codes.tobytes(), test.X.tobytes(), seed))
    known = _KNOWN.setdefault(key, {})
    _KNOWN.move_to_end(key)
    while len(_KNOWN) > KEPT:
        _KNOWN.popitem(last=False)
    return known


_KNOWN: OrderedDict[int, dict[int, Learner]] = OrderedDict()


def tested(teaching: Teaching, test: Problem) -> Work[Learner]:
    """A learner when it has learnt and was tested."""
    title, answer, judge = yield from teaching
    found = [np.zeros((0, 2))]
    for start in range(0, test.n, PART):
        part = slice(start, start + PART)
        sure, labels = judge(test.X[part])
        found.append(np.column_stack([sure, labels == test.codes[part]]))
        yield None
    return Learner(title, answer, frozen(np.concatenate(found)))
