"""Several classes by a method for two: its script once for each class, or for each pair."""

from typing import Any

import numpy as np

from engine.fit.learners import rows_of
from engine.scripts.body import Body, ScriptRun, indented, join_blocks, listing, literal, refuse

LARGEST = """
def decide(X):
    \"\"\"The class that scores most against the rest, of equal ones the first.\"\"\"
    said = np.full((len(X), len(CLASSES)), -np.inf)
    for score, (first, _) in zip(scores, PAIRS, strict=True):
        said[:, first] = np.nan_to_num(score(X), nan=-np.inf)
    return np.where(said.max(axis=1) > -np.inf, said.argmax(axis=1), -1)
"""
ABOVE = """
def decide(X):
    \"\"\"The class that scores most among those above the threshold, −1 for none.\"\"\"
    said = np.full((len(X), len(CLASSES)), -np.inf)
    for score, (first, _) in zip(scores, PAIRS, strict=True):
        said[:, first] = np.nan_to_num(score(X), nan=-np.inf)
    return np.where(said.max(axis=1) > THRESHOLD, said.argmax(axis=1), -1)
"""
SETTLES = "A learner that never settles may be stopped in another round than in the lab."
DUELS = """
def decide(X):
    \"\"\"The class that wins most duels; of equal ones that which is ahead by more in all.\"\"\"
    votes = np.zeros((len(X), len(CLASSES)))
    ahead = np.zeros_like(votes)
    for score, (first, second) in zip(scores, PAIRS, strict=True):
        s = np.nan_to_num(score(X))
        votes[:, first] += s > 0
        votes[:, second] += s < 0
        ahead[:, first] += s
        ahead[:, second] -= s
    best = (votes + ahead / (3 * (np.abs(ahead) + 1))).argmax(axis=1)
    return np.where(votes.any(axis=1), best, -1)
"""
FITS = """
rng = np.random.default_rng(SEED)
scores = []
for (first, second), setting in zip(PAIRS, SETTINGS, strict=True):
    rows = np.ones(len(X), dtype=bool) if second < 0 else (y == first) | (y == second)
    sides = np.where(y[rows] == first, 0, 1)
    scores.append(learn(X[rows], sides, int(rng.integers(2**31 - 1)), *setting))
"""
BY_LABEL = "np.select([decide(X) == 0, decide(X) == 1], [1.0, -1.0], np.nan)"


def several_classes(run: ScriptRun) -> Body:
    """The script of the learner as a function `learn` that returns a function of scores, above 0
    for the first side; what differs from one problem of two classes to another is an argument.
    """
    given = run.given
    studied = given.learner
    bodies = [_body(run, number) for number in range(len(given.pairs))]
    one = bodies[0]
    if any(each.code != one.code for each in bodies):
        refuse(f"The script of {studied.name} differs from class to class.")
    values = {name: [dict(each.settings)[name] for each in bodies] for name, _ in one.settings}
    same = {name: found[0] for name, found in values.items() if _equal(found)}
    own = [name for name in values if name not in same]
    score = one.score if studied.algorithm.scores is not None else BY_LABEL
    inside = join_blocks(
        *(_setting(name, value) for name, value in same.items()),
        one.code,
        f"\n\ndef lead(X):\n    return {score}\n\n\nreturn lead",
    )
    head = f"def learn({', '.join(['X', 'y', 'SEED', *own])}):\n"
    head += '    """What scores rows for the first of two sides, learnt from these."""'
    decide = DUELS if given.dueling else ABOVE if given.several else LARGEST
    code = join_blocks(head + "\n" + indented(inside), "\n\n" + FITS, "\n\n" + decide)
    settings: list[tuple[str, Any]] = [
        ("PAIRS", [(pair.first, pair.second) for pair in given.pairs]),
        ("SETTINGS", [tuple(values[name][k] for name in own) for k in range(len(bodies))]),
    ]
    if given.several:
        settings.append(("THRESHOLD", float(given.threshold)))
    return Body(
        code,
        tuple(settings),
        one.imports,
        ('print(len(scores), "problems of two classes")',),
        (f"The learner is {studied.name}; −1 in a pair is the rest.", SETTLES, *one.differs),
        share=min(one.share, 0.95),
    )


def _body(run: ScriptRun, number: int) -> Body:
    """The script of the learner for one problem of two classes; raises EngineError without one."""
    studied = run.given.learner
    chosen = studied.algorithm
    writer = run.writers.get(chosen.family, {}).get(chosen.key)
    if writer is None:
        refuse(f"The learner {studied.name} has no script.")
    posed = run.given.posed(number)
    problem = rows_of(posed, np.flatnonzero(posed.labelled))
    own = chosen.given(problem, studied.params)
    body = writer(ScriptRun(problem, studied.params, own, 0, studied.name, run.writers))
    if body.held_out or not body.answers or (chosen.scores is not None and not body.score):
        refuse(
            f"The classes are compared by scores, which the script of {studied.name} does not give: take logistic regression, "
            "a perceptron, a support vector machine or the soft margin by gradient descent as the learner."
        )
    return body


def _equal(values: list[Any]) -> bool:
    return all(literal(each) == literal(values[0]) for each in values)


def _setting(name: str, value: Any) -> str:
    if isinstance(value, list):
        return listing(f"{name} = ", map(literal, value), width=90)
    return f"{name} = {literal(value)}"
