"""What all the distances between some places come to: how near the nearest is, and how alike they
are.
"""

from engine.authoring import Float, np

BINS = np.linspace(0, 2, 41)  # of distances, in parts of their mean


def contrast(D: Float) -> float:
    """The mean over all places of how far its nearest is beside its farthest; NaN of no places, 1
    where all are at one.
    """
    if not len(D):
        return np.nan
    far = D.max(axis=1)
    near = (D + np.diag(np.full(len(D), np.inf))).min(axis=1)
    return float(np.where(far > 0, near / np.where(far > 0, far, 1.0), 1.0).mean())


def shares(D: Float) -> Float:
    """(bins,) of all distances, by their size beside the mean."""
    d = D[np.triu_indices(len(D), 1)]
    counts = (
        np.histogram(np.clip(d / (d.mean() or 1.0), 0, BINS[-1]), BINS)[0]
        if len(d)
        else np.zeros(len(BINS) - 1)
    )
    return np.asarray(counts / max(len(d), 1))
