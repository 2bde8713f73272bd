"""Draw a digit: neighbours, a network, margins and a tree say which it is, why, and how sure they
are. AIMA 18.11.1.
"""

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
    Label,
    Mapping,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
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
from engine.core.notation import counted
from engine.data.real import real
from engine.experiments.digit_pad.learners import NOTHING, Answer, Learner, taught
from engine.experiments.digit_pad.tables import grey, parted, some

PSEUDOCODE = """
start round:  pictures to learn from and to test
learn:        teach neighbours, net, svm, tree
look:         x: the picture that is drawn
ask:          each says which, and how sure
sure  round:  answer only if sure enough
"""
DRAWN = "its cells row by row: draw it with the pointer on the pad; empty: a test picture"


def drawn_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.drawn` has not one number for each cell of a picture."""
    cells = parted(problem)[0].d
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
    """learners: those that have learnt, their titles; tested: for each (m, 2), how sure it is of
    each test picture, and whether it is right; x (d,): what is on the pad, () before; answers: so
    far.
    """

    learners: tuple[str, ...] = ()
    tested: tuple[Float, ...] = ()
    x: Float = field(default_factory=lambda: NOTHING)
    answers: tuple[Answer, ...] = ()


class Setting(Given[Params]):
    """shipped: the pictures are the lab's digits, for the table holds none; learn, test: pictures;
    side: of each in cells; most: its darkest cell.
    """

    shipped = property(lambda given: not grey(given.problem))
    test = property(lambda given: given.parts[1])
    side = property(lambda given: isqrt(given.learn.d))

    @cached_property
    def parts(self) -> tuple[Problem, Problem]:
        return parted(self.problem)

    @property
    def learn(self) -> Problem:
        return self.parts[0]

    @cached_property
    def most(self) -> float:
        return float(self.learn.X.max(initial=0)) or 1.0

    @cached_property
    def x(self) -> Float:
        """(d,) what is on the pad."""
        if not self.p.drawn:
            # and not all pictures with it
            return frozen(np.array(self.test.X[(self.p.picture - 1) % self.test.n]))
        return frozen(np.clip(self.p.drawn, 0, self.most))

    def rejects(self, answer: Answer) -> bool:
        return answer.sure < self.p.reject


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State()
    x = given.x
    learners = list[Learner]()
    yield from at("start", s)
    for learner in taught(given.learn, given.test, given.most, int(rng.integers(2**31))):
        if learner is None:
            yield None
            continue
        learners.append(learner)
        s = replace(s, learners=(*s.learners, learner.title), tested=(*s.tested, learner.tested))
        yield from at("learn", s)
    s = replace(s, x=x)
    yield from at("look", s, *when(empty=not x.any()))
    if x.any():
        s = yield from asked(given, at, s, learners)
    yield from at("sure", s)


def asked(given: Setting, at: At, s: State, learners: list[Learner]) -> Part[State, State]:
    for learner in learners:
        s = replace(s, answers=(*s.answers, learner.answer(s.x)))
        yield from at("ask", s, *when(rejected=given.rejects(s.answers[-1])))
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """Of the learner that learnt or was asked last."""
    if not s.learners:
        return {}
    sure, right = s.tested[len(s.answers) - 1].T
    answered = sure >= given.p.reject
    told = {"rejected": 100 * float(1 - answered.mean())} if len(sure) else {}
    return told | ({"wrong": 100 * float(1 - right[answered].mean())} if answered.any() else {})


def example() -> Problem:
    """Eight each of three, five and eight."""
    digits = prepare(real("digits"))
    rows = [i for c in (3, 5, 8) for i in np.flatnonzero(digits.codes == c)[:8]]
    few = some(digits, np.isin(np.arange(digits.n), rows))
    codes = np.searchsorted([3, 5, 8], few.codes)
    return replace(
        few, codes=frozen(codes), classes=tuple(digits.classes[c] for c in (3, 5, 8)), numbers=()
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Digit pad",
    task=Task.THEORY,
    source=("AIMA 18.11.1", "AIMA Fig 18.36"),
    needs=Needs(labels=False, missing=True),
    curves=(Curve("wrong", "wrong of the answered, %"), Curve("rejected", "rejected, %")),
    events=("empty", "rejected"),
)
