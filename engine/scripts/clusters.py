"""Groups: k-means and mixtures."""

from collections.abc import Mapping

from engine.scripts.body import Asked, Body, Writer, joined


def kmeans(asked: Asked) -> Body:
    p = asked.p
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
    code = joined(
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
        model=('print("centres:")', "print(model.cluster_centers_)", 'print("sum of squares:", model.inertia_)'),
        groups=True,
        differs=(
            "A row that is equally near to two centres: the lab keeps it where it was, scikit-learn takes the first centre.",
            "A group that loses all rows: the lab keeps its centre, scikit-learn moves it to the row farthest from its own.",
            "scikit-learn's own k-means++ tries several rows for each centre; the starts are drawn here as the lab draws them.",
        ),
        share=0.9,
    )


WRITERS: Mapping[str, Writer] = {"kmeans": kmeans}
