"""Groups: k-means and mixtures."""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import Body, ScriptRun, Writer, join_blocks


def kmeans(run: ScriptRun) -> Body:
    p = run.p
    if p.start:
        begin = "STARTS = [np.array(START).reshape(K, -1)]"
    else:
        begin = f"""


        def drawn(rng):
            \"\"\"k-means++: a random row, then rows drawn by their squared distance from the others.\"\"\"
            centres = X[[rng.integers(len(X))]]
            while len(centres) < K:
                squares = ((X[:, None] - centres) ** 2).sum(axis=2).min(axis=1)
                chances = squares / squares.sum() if squares.any() else None
                centres = np.vstack([centres, X[rng.choice(len(X), p=chances)]])
            return centres


        rng = np.random.default_rng(SEED)
        STARTS = [drawn(rng) for _ in range({p.starts})]
        """
    code = join_blocks(
        begin,
        f"""
        models = [
            KMeans(K, init=start, n_init=1, tol=0, max_iter={p.rounds or 100_000}, algorithm="lloyd").fit(X)
            for start in STARTS
        ]
        model = min(models, key=lambda model: model.inertia_)  # the first of the best


        def predict(X):
            return model.predict(np.asarray(X, dtype=float))
        """,
    )
    return Body(
        code,
        (("K", p.k), *((("START", list(p.start)),) if p.start else ())),
        imports=("from sklearn.cluster import KMeans",),
        model=(
            'print("centres:")',
            "print(model.cluster_centers_)",
            'print("sum of squares:", model.inertia_)',
        ),
        groups=True,
        differs=(
            "A row that is equally near to two centres: the lab keeps it where it was, scikit-learn takes the first centre.",
            "A group that loses all rows: the lab keeps its centre, scikit-learn moves it to the row farthest from its own.",
            "scikit-learn's own k-means++ tries several rows for each centre; the starts are drawn here as the lab draws them.",
        ),
        share=0.9,
    )


def _start(p: Any) -> str:
    """The start means, drawn as the lab draws them: k rows at different places."""
    if p.start:
        return "means = np.array(START, dtype=float).reshape(K, -1)"
    return """
    places = np.unique(X, axis=0)
    places = places if len(places) >= K else X
    means = places[np.random.default_rng(SEED).choice(len(places), K, replace=False)]
    """


def _settings(p: Any) -> tuple[tuple[str, Any], ...]:
    return (("K", p.k), *((("START", list(p.start)),) if p.start else ()))


def em_means(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    most = p.rounds or 100_000
    code = join_blocks(
        _start(p),
        f"""
        def owners(X):
            \"\"\"Of every row how much of it each Gaussian owns.\"\"\"
            logs = -((X[:, None] - means) ** 2).sum(axis=2) / (2 * SIGMA**2)
            parts = np.exp(logs - logs.max(axis=1, keepdims=True))
            return parts / parts.sum(axis=1, keepdims=True)


        for _ in range({most}):
            shares = owners(X)
            mass = shares.sum(axis=0)
            new = (shares.T @ X) / np.maximum(mass, 1e-12)[:, None]
            before, means = means, np.where(mass[:, None] > 1e-12, new, means)
            if np.abs(means - before).max() < {given.least!r}:
                break


        def predict(X):
            return owners(np.asarray(X, dtype=float)).argmax(axis=1)
        """,
    )
    return Body(
        code,
        (*_settings(p), ("SIGMA", float(given.sigma))),
        model=('print("means:")', "print(means)"),
        groups=True,
        differs=(
            "scikit-learn's GaussianMixture learns the widths as well; here they are known, so this is plain numpy.",
            "Where no mean is ahead the lab answers −1, the script with the first; two means on one place are none in the lab.",
        ),
        share=0.9,
    )


def gaussian_mixture(run: ScriptRun) -> Body:
    p = run.p
    code = join_blocks(
        _start(p),
        f"""
        centre, unit = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
        narrow = np.eye(X.shape[1]) * K ** (2 / X.shape[1])  # the inverse of the covariances at the start
        model = GaussianMixture(
            K,
            means_init=(means - centre) / unit,
            weights_init=np.full(K, 1 / K),
            precisions_init=np.tile(narrow, (K, 1, 1)),
            tol=1e-6,
            max_iter={p.rounds or 100_000},
        ).fit((X - centre) / unit)


        def predict(X):
            return model.predict((np.asarray(X, dtype=float) - centre) / unit)
        """,
    )
    return Body(
        code,
        _settings(p),
        ("from sklearn.mixture import GaussianMixture",),
        (
            'print("means:")',
            "print(model.means_ * unit + centre)",
            'print("shares:", model.weights_)',
        ),
        groups=True,
        differs=(
            "The lab keeps every variance above a millionth of the columns' own; scikit-learn adds reg_covar = 10⁻⁶ to all of them.",
            "Where no Gaussian is ahead the lab answers −1, scikit-learn with the first.",
        ),
        share=0.85,
    )


WRITERS: Mapping[str, Writer] = {
    "kmeans": kmeans,
    "em_means": em_means,
    "gaussian_mixture": gaussian_mixture,
}
