"""All the distances between some places: found column by column, and how alike they are."""

from engine.authoring import Float, Work, np

BINS = np.linspace(0, 2, 41)  # of distances, in parts of their mean
WORK = 4  # columns between two looks whether to go on


def add_columns(squares: Float, X: Float, first: int, end: int) -> Work[None]:
    """Add to the squares (m, m) of distances, in place, what the columns first … end − 1 of X
    (m, d) make of them; d may be less.
    """
    for j in range(first, min(end, X.shape[1])):
        squares += np.subtract.outer(X[:, j], X[:, j]) ** 2
        if j % WORK == 0:
            yield None


def shares(D: Float) -> Float:
    """(bins,) the share of the distances D (m, m) in each bin, by size relative to the mean; 0 for
    no places.
    """
    d = D[np.triu_indices(len(D), 1)]
    if not len(d):
        return np.zeros(len(BINS) - 1)
    size = np.clip(d / (d.mean() or 1.0), 0, BINS[-1])
    counts, _ = np.histogram(size, BINS)
    return np.asarray(counts / len(d))
