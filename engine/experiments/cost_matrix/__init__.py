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
    Int,
    Label,
    Mapping,
    Needs,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.notation import listed, quoted
from engine.base.spelling import place_of
from engine.experiments.cost_matrix.sweep import Sweep, best_other, check_both
from engine.experiments.parts.costs import read_costs, usual_costs
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.scoring import (
    Judged,
    Scoring,
    leads_of,
    parted,
    scoring,
    stepped,
    zero_line,
)
from engine.fit.learners import Model, Studying, fitted
from engine.judge.confusion import Curve as Rates
from engine.judge.confusion import curve
from engine.protocol.params import Costs
from engine.table.given import MAX_SEED

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
DECIMALS = 12  # of a cost: equal sums stay equal


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
    """What is learnt is `model`, with the threshold `best`; `now` is what this step shows.

    model: h, learnt from a part of the rows
    line: (m, 2) where its lead of c is 0 on the plane
    sweep: what comes of each threshold, of rows that h has not seen
    now: number of the present threshold, the highest is 0, −1 before
    best: number of the cheapest so far, −1 before
    """

    model: Model
    line: Float
    sweep: Sweep
    now: int = -1
    best: int = -1


class Setting(Given[Params]):
    """The learner under study, the class c and the cost of each mistake."""

    @cached_property
    def learner(self) -> Studying:
        """The learner that is studied; raises EngineError for one without scores."""
        return scoring(self.p.learner, self.problem)

    @property
    def names(self) -> tuple[str, ...]:
        """(k,) the names of the classes."""
        return self.problem.class_names

    @cached_property
    def code(self) -> int:
        """The index of class c; raises EngineError where no class has that name."""
        wanted = self.p.of.strip()
        if not wanted:
            return int(self.problem.codes[self.problem.labelled].min())
        place = place_of(wanted, self.names)
        if place is None:
            raise EngineError(
                f"There is no class {quoted(wanted)}; the classes are {listed(self.names)}."
            )
        return place

    @cached_property
    def costs(self) -> Float:
        """(k, k) the cost of each true class (row) by the class it is called (column)."""
        text = self.p.costs
        return read_costs(text, self.names) if text.strip() else usual_costs(len(self.names))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    learnt, judged = parted(problem, labelled_rows(problem), given.p.share, rng)
    seed = int(rng.integers(MAX_SEED))
    h = yield from fitted(given.learner, problem, learnt, seed)  # h ← Learner(a part of the rows)
    # (m, k) lead of class c = score of c − largest score of another class; of two classes with one
    # signed score, this score
    leads = leads_of(h, problem.X[judged])
    sweep = swept(given, judged, leads)
    s = State(h, zero_line(h, given.code), sweep)
    yield from at("learn", s)
    yield from at("score", s)
    cost = sweep.cost
    thresholds = sweep.rates.threshold  # ∞, then each lead of a row once, falling
    for t in stepped(len(thresholds), sweep.own, int(cost.argmin())):  # of many about 200, evenly
        s = replace(s, now=t)
        yield from at("move", s)  # to thresholds[t]
        yield from at("count", s)  # c where lead(x) ≥ thresholds[t], else the best other: `called`
        cheaper = s.best < 0 or cost[t] < cost[s.best]  # cost[t] = Σ counts · costs / rows
        s = replace(s, best=t if cheaper else s.best)
        own = t == sweep.own  # the lowest threshold ≥ 0, which calls the rows as h does
        yield from at("cost", s, *when(own=own))
    yield from at("best", replace(s, now=s.best), "best")


def swept(given: Setting, rows: Int, leads: Float) -> Sweep:
    """What comes of every threshold for rows (m,), whose leads (m, k) say by how much the score of
    each class is ahead of the best other.

    Raises EngineError where they are all of class c, or none of them is.
    """
    c = given.code
    known = ~np.isnan(leads[:, c])
    rows = rows[known]
    leads = leads[known]
    codes = given.problem.codes[rows]
    check_both(given.problem, codes, c)
    lead = leads[:, c]
    other = best_other(leads, c)
    rates = curve(lead, codes == c)  # by threshold, rows of c and others where lead(x) ≥ t
    return Sweep(
        c=c,
        rows=frozen(rows),
        codes=frozen(codes),
        lead=frozen(lead),
        other=frozen(other),
        rates=Rates(frozen(rates.threshold), frozen(rates.hits), frozen(rates.alarms)),
        cost=cost_of_a_row(given, codes, lead, other, rates.hits + rates.alarms),
        silent=int(np.count_nonzero(~known)),
    )


def predicted_codes(c: int, lead: Float, other: Int, threshold: float) -> Int:
    """(m,) class codes: c where lead(x) ≥ threshold, else the best other class; −1 where the
    learner gives none.
    """
    said = np.where(lead >= threshold, c, other)
    return np.where(np.isnan(lead), -1, said)


def cost_of_a_row(given: Setting, codes: Int, lead: Float, other: Int, called_c: Int) -> Float:
    """(t,) the mean cost of a row, Σ counts · costs / rows, at every threshold.

    With no row called c each costs what its best other class does; each row that the falling
    threshold passes then costs what calling it c does. called_c: (t,) rows called c
    """
    as_c = given.costs[codes, given.code]
    as_other = given.costs[codes, other]
    falling = np.argsort(-lead, kind="stable")
    passed = np.append(0.0, np.cumsum((as_c - as_other)[falling]))
    total = as_other.sum() + passed[called_c]
    return frozen((total / len(codes)).round(DECIMALS))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if s.best < 0:
        return {}
    return {"cost": s.sweep.cost[s.now], "least": s.sweep.cost[s.best]}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) class indices by the present threshold, before there is one by h; −1 where it says
    nothing.
    """
    if s.now < 0:
        return s.model.answers(X)
    leads = leads_of(s.model, X)
    c = given.code
    return predicted_codes(c, leads[:, c], best_other(leads, c), s.sweep.rates.threshold[s.now])


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
