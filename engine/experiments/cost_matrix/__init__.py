"""Cost matrix: mistakes of unequal cost move the threshold of a score. AIMA 18.4.2; ROC and precision–recall as usual."""

from typing import Annotated, Any, NamedTuple

from engine.authoring import (
    Algorithm, At, Curve, Dataset, EngineError, Float, Help, Int, Label, Mapping, Needs, Problem, Rng, Setting as Given,
    Steps, Task, cached_property, dataclass, frozen, np, prepare, replace,
)  # fmt: skip
from engine.core.given import MAX_SEED
from engine.core.notation import listed, quoted
from engine.core.params import Costs
from engine.core.spelling import place_of
from engine.evaluation.confusion import Curve as Rates
from engine.evaluation.confusion import curve
from engine.experiments.parts.boundary import boundary
from engine.experiments.parts.costs import read_costs, usual_costs
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, answers_of, fitted
from engine.experiments.parts.scoring import Judged, Scoring, leads_of, parted, scoring, stepped

PSEUDOCODE = """
learn step:   h ← Learner(a part of the rows)
score step:   lead(x) ← score of c − best other
move  detail: for each threshold t, falling:
count step:     call x c where lead(x) ≥ t
cost  step:     cost ← Σ counts · costs / rows
best  round:  t ← where the cost is least
"""
COSTS = "a row for each true class, a column for what it is called: 0 10; 1 0. Empty: to miss the class costs 10, other mistakes 1"


@dataclass(frozen=True)
class Params:
    learner: Scoring = ""
    costs: Annotated[str, Costs(), Label("Costs"), Help(COSTS)] = ""
    of: Annotated[str, Label("Class c"), Help("whose threshold moves, by its name; empty: the first")] = ""
    share: Judged = 0.4


class Sweep(NamedTuple):
    """rows (m,): judged, that h has not seen; lead (m,): of class c; other (m,): what else each would be called; rates: of every
    threshold; cost (t,): of each, per row; silent: rows left out, of which h says nothing."""

    rows: Int
    lead: Float
    other: Int
    rates: Rates
    cost: Float
    silent: int


@dataclass(frozen=True, slots=True)
class State:
    """model: h; line: its own boundary on the plane; sweep: what comes of each threshold, None before there are scores; now:
    number of the threshold, the highest is 0, −1 before; best: of the cheapest so far."""

    model: Model | None = None
    line: Float | None = None
    sweep: Sweep | None = None
    now: int = -1
    best: int = -1


class Setting(Given[Params]):
    """learner: that is studied; code: of class c; costs (k, k): of true class and what it is called."""

    learner = cached_property(lambda self: scoring(self.p.learner, self.problem))
    names = cached_property(lambda self: tuple(map(self.problem.class_text, range(len(self.problem.classes)))))

    @cached_property
    def code(self) -> int:
        wanted = self.p.of.strip()
        place = place_of(wanted, self.names) if wanted else int(self.problem.codes[self.problem.labelled].min())
        if place is None:
            raise EngineError(f"There is no class {quoted(wanted)}; the classes are {listed(self.names)}.")
        return place

    @cached_property
    def costs(self) -> Float:
        text = self.p.costs
        return read_costs(text, self.names) if text.strip() else usual_costs(len(self.names), self.code)

    def called(self, lead: Float, threshold: float) -> Int:
        """(m,) classes for the leads (m, k) of rows, −1 where nothing is known."""
        own, others = lead[:, self.code], lead.copy()
        others[:, self.code] = -np.inf
        said = np.where(own >= threshold, self.code, np.nan_to_num(others, nan=-np.inf).argmax(axis=1))
        return np.where(np.isnan(own), -1, said)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem, learner, _ = given.problem, given.learner, given.costs
    learnt, judged = parted(problem, labelled_rows(problem), given.p.share, rng)
    h = yield from fitted(learner, problem, learnt, int(rng.integers(MAX_SEED)))
    s = State(h, boundary(h))
    yield from at("learn", s)
    sweep = swept(given, leads_of(h, problem.X[judged]), judged)
    s = replace(s, sweep=sweep)
    yield from at("score", s)
    cheapest, own = sweep.cost.round(12), int((sweep.rates.threshold > 0).sum()) - 1
    for t in stepped(len(cheapest), own, int(cheapest.argmin())):
        s = replace(s, now=t)
        yield from at("move", s)
        yield from at("count", s)
        s = replace(s, best=t if s.best < 0 or cheapest[t] < cheapest[s.best] else s.best)
        yield from at("cost", s, *["own"] * (t == own))
    yield from at("best", replace(s, now=s.best), "best")


def swept(given: Setting, lead: Float, judged: Int) -> Sweep:
    """What comes of every threshold for the rows to judge, with their leads (m, k)."""
    known = ~np.isnan(lead[:, given.code])
    rows, lead, costs, c = judged[known], lead[known], given.costs, given.code
    codes, own = given.problem.codes[rows], lead[:, c]
    if (codes == c).all() or not (codes == c).any():
        there = "only" if len(codes) and (codes == c).all() else "no"
        raise EngineError(f"Among the rows to judge are {there} rows of class {quoted(given.names[c])}: judge a larger share.")
    other = given.called(lead, np.inf)
    rates, order = curve(own, codes == c), np.argsort(-own, kind="stable")
    more = np.cumsum((costs[codes, c] - costs[codes, other])[order])
    cost = costs[codes, other].sum() + np.concatenate([[0.0], more])[rates.hits + rates.alarms]
    kept = Rates(*map(frozen, rates))
    return Sweep(frozen(rows), frozen(own), frozen(other), kept, frozen(cost / len(rows)), int((~known).sum()))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if s.sweep is None or s.best < 0:
        return {}
    return {"cost": float(s.sweep.cost[s.now]), "least": float(s.sweep.cost[s.best])}


def predict(given: Setting, s: State, X: Float) -> Any:
    """Classes by the present threshold, before there is one by h."""
    if s.model is None or s.sweep is None or s.now < 0:
        return answers_of(given, s.model, X)
    return given.called(leads_of(s.model, X), float(s.sweep.rates.threshold[s.now]))


def example() -> Problem:
    """Twelve points of two classes that lie among each other."""
    x, y = [0.5, 1.0, 1.6, 2.2, 2.9, 3.1, 3.8, 4.4, 5.0, 5.5, 2.6, 3.4], [1.0, 2.4, 0.8, 2.0, 3.1, 1.2, 2.6, 1.5, 3.3, 2.1, 1, 3]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAABABABBBAB")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Cost matrix",
    task=Task.EVALUATE,
    source=("AIMA 18.4.2",),
    needs=Needs(min_classes=2, min_rows=4, missing=True),
    curves=(Curve("cost", "cost of a row", about=("cost",)), Curve("least", "least cost so far", about=("best",))),
    events=("own", "best"),
)
