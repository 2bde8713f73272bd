"""Methods that keep the examples: nearest neighbours and the structures that find them."""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import Asked, Body, Writer, joined


def nearest_neighbours(asked: Asked) -> Body:
    p, given = asked.p, asked.given
    metric, kept = _metric(asked), ""
    if p.stretch and p.metric != "hamming":
        kept = f"SCALE = np.array({list(p.stretch)})"
    normalise = p.metric == "minkowski" and p.normalise
    weights = {"equal": '"uniform"', "1/d": '"distance"', "1/d²": "inverse_squares"}[p.weights]
    code = joined(
        kept,
        "MEAN, SPREAD = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)" if normalise else "",
        f"""


        def place(X):
            \"\"\"Where rows lie in the space in which distances are taken.\"\"\"
            X = np.asarray(X, dtype=float)
            return {_placed(bool(kept), normalise)}


        """,
        INVERSE if p.weights == "1/d²" else "",
        _kernel(p) if p.metric == "kernel" else "",
        f'model = KNeighborsClassifier({given.k}, weights={weights}, {metric}, algorithm="brute").fit(place(X), y)',
        AGREED
        if p.disagree != "vote"
        else """


        def decide(X):
            return model.predict(place(X))
        """,
    )
    return Body(
        code,
        imports=("from sklearn.neighbors import KNeighborsClassifier",),
        model=(f'print("{given.k} of", len(X), "stored rows vote")',),
        differs=(
            "Equal votes: the lab takes the class of the nearer neighbour, scikit-learn the first class.",
            "Equal distances: distances are compared to 9 digits in the lab, where the row that comes first in the table is taken.",
        ),
        share=0.75,
    )


def _placed(stretched: bool, normalise: bool) -> str:
    placed = "(X - MEAN) / SPREAD" if normalise else "X"
    return f"{placed} * SCALE" if stretched else placed


def _metric(asked: Asked) -> str:
    p = asked.p
    if p.metric == "hamming":
        return 'metric="hamming"' + (f', metric_params={{"w": np.array({list(p.stretch)})}}' if p.stretch else "")
    if p.metric == "mahalanobis":
        return 'metric="mahalanobis", metric_params={"VI": np.linalg.inv(np.cov(place(X).T))}'
    if p.metric == "kernel":
        return "metric=distance"
    return 'metric="chebyshev"' if p.p == float("inf") else f"p={p.p}"


def _kernel(p: Any) -> str:
    formula = {
        "quadratic": "(a @ b) ** 2", "polynomial": f"(1 + a @ b) ** {p.degree}",
        "rbf": f"np.exp(-{p.gamma} * ((a - b) ** 2).sum())",
    }[p.kernel]  # fmt: skip
    return f"""
    def kernel(a, b):
        return {formula}


    def distance(a, b):
        \"\"\"How far apart the kernel sees two rows.\"\"\"
        return np.sqrt(max(kernel(a, a) - 2 * kernel(a, b) + kernel(b, b), 0.0))
    """


INVERSE = """
def inverse_squares(distances):
    \"\"\"1/d²; where a row lies exactly at the place, only such rows vote.\"\"\"
    exact = distances == 0
    return np.where(exact.any(axis=1, keepdims=True), exact, 1 / np.where(exact, 1, distances) ** 2)


"""
AGREED = """


def decide(X):
    \"\"\"The class of all neighbours, −1 where they disagree.\"\"\"
    codes = y[model.kneighbors(place(X), return_distance=False)]
    return np.where((codes == codes[:, :1]).all(axis=1), codes[:, 0], -1)
"""

WRITERS: Mapping[str, Writer] = {"nearest_neighbours": nearest_neighbours}
