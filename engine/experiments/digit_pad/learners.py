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
    """A trained learner: its title, its answer to one picture, its judgement of many."""

    title: str
    answer: Callable[[Float], Answer]
    judge: Judge


Teaching = Work[Taught]


class Learner(NamedTuple):
    """A learner after its test.

    tested: (m, 2) for each test picture its sureness, and 1 where the answer is right, else 0
    """

    title: str
    answer: Callable[[Float], Answer]
    tested: Float


def one_by_one(answer: Callable[[Float], Answer]) -> Judge:
    """A function of many pictures (m, d) that calls `answer` for each."""

    def judge(X: Float) -> tuple[Float, Int]:
        answers = [answer(x) for x in X]
        sure = np.array([each.sure for each in answers])
        labels = np.array([each.label for each in answers], np.intp)
        return sure, labels

    return judge


def taught_before(problem: Problem, test: Problem, seed: int) -> dict[int, Learner]:
    """The learners already trained and tested on these pictures with this seed, by their number on
    the page.

    The dict is a cache of the last few tables, and the page adds each new learner to it.
    """
    key = hash((problem.X.tobytes(), problem.codes.tobytes(), test.X.tobytes(), seed))
    known = _KNOWN.setdefault(key, {})
    _KNOWN.move_to_end(key)
    while len(_KNOWN) > KEPT:
        _KNOWN.popitem(last=False)
    return known


_KNOWN: OrderedDict[int, dict[int, Learner]] = OrderedDict()


def tested(teaching: Teaching, test: Problem) -> Work[Learner]:
    """The learner that `teaching` trains, with its answers to all test pictures."""
    title, answer, judge = yield from teaching
    found = [np.zeros((0, 2))]
    for start in range(0, test.n, PART):
        part = slice(start, start + PART)
        sure, labels = judge(test.X[part])
        found.append(np.column_stack([sure, labels == test.codes[part]]))
        yield None
    return Learner(title, answer, frozen(np.concatenate(found)))
