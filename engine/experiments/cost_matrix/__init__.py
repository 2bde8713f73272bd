"""Cost matrix: mistakes of unequal cost move the threshold of a score.

AIMA 18.4.2; ROC and precision–recall as usual.
"""

from typing import Annotated, Any

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Fits,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Problem,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    prepare,
    replace,
    when,
)
from engine.core.given import MAX_SEED
from engine.core.notation import listed, quoted
from engine.core.params import Costs
from engine.core.spelling import place_of
from engine.experiments.cost_matrix.sweep import Sweep, called, swept
from engine.experiments.parts.costs import read_costs, usual_costs
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, fitted
from engine.experiments.parts.scoring import (
    Judged,
    Scoring,
    leads_of,
    parted,
    scoring,
    stepped,
    zero_line,
)

PSEUDOCODE = """
learn step:   h ← Learner(a part of the rows)
score step:   lead(x) ← score of c − best other
move  detail: for each threshold t, falling:
count detail:   call x c where lead(x) ≥ t
cost  step:     cost ← Σ counts · costs / rows
best  round:  t ← where the cost is least
"""
COSTS = (
    "a row for each true class, a column for what it is called: 0 10; 1 0. Empty: to miss the first"
    " class costs 10, other mistakes 1"
)


def costs_fit(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.costs` is no table with a row and a column for each class."""
    if p.costs.strip():
        read_costs(p.costs, problem.class_names)


class Params(Record, eq=True):
    learner: Scoring = ""
    costs: Annotated[str, Costs(), Label("Costs"), Help(COSTS), Fits(costs_fit)] = ""
    of: Annotated[
        str, Label("Class c"), Help("whose threshold moves, by its name; empty: the first")
    ] = ""
    share: Judged = 0.4


class State(Record):
    """model: h; line (m, 2): where its lead of c is 0 on the plane; sweep: what comes of each
    threshold; now: number of the present one, the highest is 0, −1 before; best: of the cheapest so
    far.
    """

    model: Model
    line: Float
    sweep: Sweep
    now: int = -1
    best: int = -1


class Setting(Given[Params]):
    """learner: that is studied; names: of the classes; code: of class c; costs (k, k): of true
    class and what it is called.
    """

    learner = cached_property(lambda self: scoring(self.p.learner, self.problem))
    names = cached_property(lambda self: self.problem.class_names)

    @cached_property
    def code(self) -> int:
        wanted = self.p.of.strip()
        place = (
            place_of(wanted, self.names)
            if wanted
            else int(self.problem.codes[self.problem.labelled].min())
        )
        if place is None:
            raise EngineError(
                f"There is no class {quoted(wanted)}; the classes are {listed(self.names)}."
            )
        return place

    @cached_property
    def costs(self) -> Float:
        text = self.p.costs
        return read_costs(text, self.names) if text.strip() else usual_costs(len(self.names))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem, learner, costs, c = given.problem, given.learner, given.costs, given.code
    learnt, judged = parted(problem, labelled_rows(problem), given.p.share, rng)
    h = yield from fitted(learner, problem, learnt, int(rng.integers(MAX_SEED)))
    sweep = swept(problem, judged, leads_of(h, problem.X[judged]), costs, c)
    s = State(h, zero_line(h, c), sweep)
    yield from at("learn", s)
    yield from at("score", s)
    for t in stepped(len(sweep.cost), sweep.own, int(sweep.cost.argmin())):
        s = replace(s, now=t)
        yield from at("move", s)
        yield from at("count", s)
        s = replace(s, best=t if s.best < 0 or sweep.cost[t] < sweep.cost[s.best] else s.best)
        yield from at("cost", s, *when(own=t == sweep.own))
    yield from at("best", replace(s, now=s.best), "best")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"cost": s.sweep.cost[s.now], "least": s.sweep.cost[s.best]} if s.best >= 0 else {}


def predict(given: Setting, s: State, X: Float) -> Any:
    """Classes by the present threshold, before there is one by h."""
    if s.now < 0:
        return s.model.answers(X)
    return called(leads_of(s.model, X), given.code, s.sweep.rates.threshold[s.now])


def example() -> Problem:
    """Twelve points of two classes that lie among each other."""
    x = [0.5, 1.0, 1.6, 2.2, 2.9, 3.1, 3.8, 4.4, 5.0, 5.5, 2.6, 3.4]
    y = [1.0, 2.4, 0.8, 2.0, 3.1, 1.2, 2.6, 1.5, 3.3, 2.1, 1.0, 3.0]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAABABABBBAB")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Cost matrix",
    task=Task.EVALUATE,
    source=("AIMA 18.4.2",),
    needs=Needs(min_classes=2, min_rows=4, missing=True),
    curves=(
        Curve("cost", "cost of a row", about=("cost",)),
        Curve("least", "least cost so far", about=("best",)),
    ),
    events=("own", "best"),
)
