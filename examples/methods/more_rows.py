"""An experiment: how does the error on other rows fall when a learner gets more of them?

Look at it in the lab:  uv run main.py --algorithms examples/methods
"""

import engine
from engine.authoring import (
    NO_GROUP,
    Algorithm,
    Curve,
    Field,
    Needs,
    Plot,
    Points,
    Polyline,
    Record,
    Scene,
    Setting,
    Task,
    data_points,
    data_table,
    field,
    frozen,
    note,
    np,
    replace,
)
from engine.fit.learners import Model, Studied, answers_of, explained, fitted, studying

SUMMARY = (
    "A learner gets 2, 4, 8 … rows. What it has learnt is tried on the half of the table that it"
    " never gets."
)
PSEUDOCODE = """
part  round:  lay half of the rows aside
grow  detail: for m = 2, 4, 8, …
learn step:     h ← Learner(the first m rows)
judge round:    e(m) ← error of h on the half
"""


class Params(Record, eq=True):
    learner: Studied = (
        ""  # any method of the lab that suits the table, as “nearest_neighbours(k=3)”
    )


class State(Record):
    """errors: (m, error on the half laid aside) so far; model: h, None before the first."""

    errors: tuple[tuple[int, float], ...] = field(default=())
    model: Model | None = None


class Fitting(Setting):
    """The table and the learner that is studied."""

    @property
    def learner(self):
        """Raises EngineError for a learner that the data do not suit."""
        return studying(self.p.learner, self.problem)


def steps(given, at, rng):
    problem = given.problem
    rows = rng.permutation(np.flatnonzero(problem.labelled))
    aside, learnt_from = np.split(rows, [len(rows) // 2])
    s = State()
    yield from at("part", s, aside=len(aside))
    m = 2
    while m <= len(learnt_from):
        yield from at("grow", s, m=m)
        h = yield from fitted(given.learner, problem, learnt_from[:m], seed=m)
        s = replace(s, model=h)
        yield from at("learn", s, m=m)
        error = float(np.mean(h.says[aside] != problem.codes[aside]))
        s = replace(s, errors=(*s.errors, (m, error)))
        yield from at("judge", s, m=m, error=error)
        m *= 2


def predict(given, s, X):
    """What the latest h says, (m,) classes; −1 before there is one."""
    return answers_of(given, s.model, X)


def metrics(given, s):
    return {"error": s.errors[-1][1]} if s.errors else {}


def explain(given, s, x):
    """What the learner itself says of the place x (d,)."""
    return explained(given, s.model, x)


def say_part(given, s, aside):
    return note("{aside} rows are laid aside: nothing is learnt from them.", aside=aside)


def say_grow(given, s, m):
    return note("The learner gets {m} rows.", m=m)


def say_learn(given, s, m):
    return note("h is learnt from {m} rows.", m=m)


def say_judge(given, s, m, error):
    return note("With {m} rows h is wrong on {error} of the rows laid aside.", m=m, error=error)


def scene(given, step):
    """The classes that h gives the plane, and the errors so far over log₂ of the rows."""
    problem, s = given.problem, step.state
    found = np.array(s.errors, float).reshape(-1, 2)  # (steps, 2) rows, error
    curve = frozen(np.column_stack([np.log2(found[:, 0]), found[:, 1]]))
    ticks = tuple((np.log2(m), str(m)) for m, _ in s.errors)
    layers = (Polyline(curve), Points(curve, np.full(len(curve), NO_GROUP)))
    plot = Plot("Errors", "rows", "error", layers, beside=True, y_range=(0, 1), x_ticks=ticks)
    plane = (Field("class"), data_points(problem)) if problem.plane else ()
    return Scene(plane, (plot, data_table(problem)) if s.errors else (data_table(problem),))


def example():
    return engine.prepare(engine.generate("moons", 60, seed=1))


ALGORITHM = Algorithm.of(
    __name__,
    authoring=2,
    title="More rows",
    family="experiments",
    task=Task.EVALUATE,
    setting=Fitting,
    extension=True,
    needs=Needs(min_classes=2, min_rows=8),
    curves=(Curve("error", "error on the half laid aside"),),
)
