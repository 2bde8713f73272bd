"""Ensembles: votes of trees, boosting."""

from collections.abc import Mapping

from engine.scripts.body import Body, ScriptRun, Writer, filled, join_blocks, listing, refuse
from engine.scripts.classes import several_classes
from engine.scripts.networks import none
from engine.scripts.trees import IMPURITIES


def _numbers(run: ScriptRun, title: str) -> None:
    """scikit-learn's trees take numbers without gaps."""
    if run.problem.has_gaps:
        refuse(
            f"{title} with missing values has no counterpart in scikit-learn: fill them or drop the rows."
        )
    if any(not f.numeric and len(f.categories) > 2 for f in run.problem.features):
        refuse(
            f"{title} of words has no counterpart in scikit-learn: turn the columns of words into 0/1 columns."
        )


TREES_OF_BAGS = '''
def impurity(codes):
    p = np.bincount(codes) / len(codes)
    <impurity>


def split(rows, columns):
    """(column, point) of the best test, the first of equals; None where none divides the rows."""
    found = []
    for place, j in enumerate(columns):
        if found and place >= TRIED:
            break
        x = X[rows, j]
        values = np.unique(x)
        for low, high in zip(values[:-1], values[1:], strict=True):
            if len(np.unique(y[rows[(x == low) | (x == high)]])) > 1:
                point = low + (high - low) / 2
                sides = y[rows[x <= point]], y[rows[x > point]]
                left = sum(len(side) * impurity(side) for side in sides) / len(rows)
                found.append((left, j, point))
    least = min((left for left, _, _ in found), default=0)
    return min(((j, point) for left, j, point in found if left <= least + 1e-9), default=None)


def grow(rows, chance):
    """The nodes, level by level: (label,) or (column, point, number of the first of two below)."""
    nodes, waiting = [], deque([(rows, 0)])
    while waiting:
        rows, depth = waiting.popleft()
        columns = <columns>
        done = len(np.unique(y[rows])) == 1<deep>
        test = None if done else split(rows, columns)
        if test is None:
            nodes.append((np.bincount(y[rows]).argmax(),))
            continue
        nodes.append((*test, len(nodes) + len(waiting) + 1))
        above = X[rows, test[0]] > test[1]
        waiting += [(rows[~above], depth + 1), (rows[above], depth + 1)]
    return nodes


def answer(nodes, x):
    node = nodes[0]
    while len(node) > 1:
        j, point, below = node
        node = nodes[below + (x[j] > point)]
    return node[0]


trees = []
for chance in np.random.default_rng(SEED).spawn(TREES):  # every tree has chances of its own
    drawn = chance.integers(len(X), size=SIZE)  # its rows, with replacement
    trees.append(grow(np.sort(drawn), chance))


def decide(X):
    """The class that most trees say, the first of equals."""
    said = np.array([[answer(nodes, x) for x in X] for nodes in trees]).reshape(TREES, len(X))
    return np.array([(said == c).sum(axis=0) for c in range(len(CLASSES))]).argmax(axis=0)
'''


def _bags(run: ScriptRun, title: str, estimator: str, tried: int, columns: str) -> Body:
    """Trees of bags with the draws of the lab; columns: the order in which a node tries them."""
    _numbers(run, title)
    p = run.p
    code = TREES_OF_BAGS.replace("<columns>", columns)
    code = code.replace("<deep>", "" if p.depth is None else f" or depth >= {p.depth}")
    return Body(
        filled(code, impurity=IMPURITIES[p.importance]),
        (("TREES", p.members), ("SIZE", int(run.given.size)), ("TRIED", tried)),
        ("from collections import deque",),
        ('print(len(trees), "trees of", [len(nodes) for nodes in trees], "nodes")',),
        (
            f"scikit-learn's {estimator} draws other rows and columns, and another one of equal tests; so this is plain "
            "numpy, with the draws of the lab.",
        ),
    )


def bagging(run: ScriptRun) -> Body:
    return _bags(run, "Bagging", "BaggingClassifier", run.problem.d, "range(X.shape[1])")


def random_forest(run: ScriptRun) -> Body:
    pick = "chance.random(X.shape[1]).argsort().tolist()"
    return _bags(run, "A random forest", "RandomForestClassifier", int(run.given.tried), pick)


BOOSTED_VALUES = """
def predict(X):
    return model.predict(np.asarray(X, dtype=float))
"""
BOOSTED_TWO = """
def decide(X):
    F = model.decision_function(np.asarray(X, dtype=float))  # above 0: the second class
    return np.where(F <= 1e-9, 0, 1)
"""
BOOSTED_CLASSES = """
def decide(X):
    return model.predict(np.asarray(X, dtype=float))
"""


def gradient_boosting(run: ScriptRun) -> Body:
    p = run.p
    regress = run.problem.regress
    _numbers(run, "Gradient boosting")
    kind = "GradientBoostingRegressor" if regress else "GradientBoostingClassifier"
    options = [
        f"n_estimators={p.members}",
        f"learning_rate={p.rate}",
        f"max_depth={p.depth}",
        f"min_samples_leaf={p.min_leaf}",
        'criterion="squared_error"',
        "random_state=SEED",
    ]
    code = join_blocks(
        listing(f"model = {kind}", options, "(", ").fit(X, y)"),
        BOOSTED_VALUES if regress else BOOSTED_TWO if run.k == 2 else BOOSTED_CLASSES,
    )
    return Body(
        code,
        imports=(f"from sklearn.ensemble import {kind}",),
        model=('print(len(model.estimators_), "rounds; loss after each:", model.train_score_)',),
        differs=(
            "Tests that are as good: the lab takes the first of the table, scikit-learn one drawn by random_state.",
            "The lab stops where nothing is left to learn; scikit-learn goes on.",
        ),
        share=0.6,
        close=1e-3,
    )


BOOSTED_STUMPS = '''
def stump(w):
    """(column, point, class up to it, class above) of least weighted error, the first one."""
    best, found = np.inf, None
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for low, high in zip(values[:-1], values[1:], strict=True):
            point = low + (high - low) / 2
            sides = X[:, j] <= point, X[:, j] > point
            sums = [np.bincount(y[side], w[side], len(CLASSES)) for side in sides]
            says = [np.flatnonzero(s >= s.max() - 1e-9)[-1] for s in sums]  # the last of equals
            error = sum(s.sum() - s[c] for s, c in zip(sums, says, strict=True))
            if error < best - 1e-9:
                best, found = error, (j, point, *says)
    if found is None:  # no column has two values: one class for all
        c = np.flatnonzero(np.bincount(y, w) >= np.bincount(y, w).max() - 1e-9)[-1]
        return 0, np.inf, c, c
    return found


def says(stump, X):
    j, point, below, above = stump
    return np.where(X[:, j] > point, above, below)


w = np.full(len(X), 1 / len(X))
stumps, z = [], []
for _ in range(ROUNDS):
    h = stump(w)
    wrong = says(h, X) != y
    error = w[wrong].sum()
    if error == 0:
        stumps, z = [h], [1.0]  # without an error it has all the vote
        break
    if error >= 0.5 - 1e-9:
        break
    w = np.where(wrong, w, w * error / (1 - error))
    w = w / w.sum()
    stumps.append(h)
    z.append(np.log((1 - error) / error))


def decide(X):
    """The class with most votes, the first of equals; −1 without any vote."""
    votes = np.zeros((len(CLASSES), len(X)))
    for h, vote in zip(stumps, z, strict=True):
        votes[says(h, X), np.arange(len(X))] += vote
    leads = votes >= votes.max(axis=0) - 1e-9 * votes.sum(axis=0)
    return np.where(votes.any(axis=0), leads.argmax(axis=0), -1)
'''.strip("\n")


def adaboost(run: ScriptRun) -> Body:
    p = run.p
    _numbers(run, "AdaBoost")
    if p.learner != "stump" or p.criterion != "error" or p.copies != "weights":
        refuse(
            "AdaBoost has a script for stumps of least weighted error, with weights: choose these."
        )
    return Body(
        BOOSTED_STUMPS,
        (("ROUNDS", p.rounds),),
        model=("for h, vote in zip(stumps, z, strict=True):", "    print(h, vote)"),
        differs=(
            "scikit-learn's AdaBoostClassifier takes stumps of least Gini impurity; the lab's are of least weighted error, so this "
            "is plain numpy. Its votes are half of these for two classes, which changes no answer.",
        ),
        share=0.9,
    )


def majority_vote(run: ScriptRun) -> Body:
    code = """
rng = np.random.default_rng(SEED)
counts = np.zeros(MEMBERS + 1, dtype=int)  # cases in which so many members erred
for _ in range(CASES):
    chance = rng.random(2 * MEMBERS + 1)
    copies = chance[:MEMBERS] < np.sqrt(CORRELATION)  # who copies a source that all share
    errs = np.where(copies, chance[-1] < ERROR, chance[MEMBERS:-1] < ERROR)
    counts[errs.sum()] += 1
most = np.arange(MEMBERS + 1) > MEMBERS / 2
"""
    p = run.p
    settings = (
        ("MEMBERS", p.members),
        ("ERROR", p.error),
        ("CORRELATION", p.correlation),
        ("CASES", int(run.given.cases)),
    )
    model = ('print("the majority errs in", counts[most].sum(), "of", CASES, "cases")',)
    return Body(code.strip("\n"), settings, model=model, answers=False)


WRITERS: Mapping[str, Writer] = {
    "bagging": bagging,
    "random_forest": random_forest,
    "gradient_boosting": gradient_boosting,
    "adaboost": adaboost,
    "majority_vote": majority_vote,
    "several_classes": several_classes,
    "half_plane_and": none(
        "The AND of half-planes is an extension of the lab: scikit-learn has nothing that learns lines for an AND."
    ),
}
