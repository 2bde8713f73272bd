"""Every weight over the strength of the penalty."""

from functools import lru_cache

from engine.algorithms.regression.regularised_regression import Setting, shrunk
from engine.authoring import Float, np

_STRENGTHS = 40
_ROUNDS = 60  # of a strength, which rests before in most tables


@lru_cache(maxsize=8)
def paths(given: Setting) -> tuple[Float, Float]:
    """(strengths (m,) beside the sum of squares, slopes (m, d)) from weak to strong.

    They reach from where the penalty hardly matters to where q = 1 has let one weight after the
    other vanish, and q = 2 has made all of them small.
    """
    return lasso_paths(given) if given.p.q == 1 else ridge_paths(given)


def ridge_paths(given: Setting) -> tuple[Float, Float]:
    """(strengths (m,), slopes (m, d)) for q = 2, for all strengths at once by the eigenvectors of
    XᵀX.
    """
    strengths = (float(np.mean(given.sizes)) or 1.0) * np.geomspace(1e-3, 1e3, _STRENGTHS)
    values, axes = np.linalg.eigh(given.G)
    along = axes.T @ given.b / (np.maximum(values, 0) + strengths[:, None])
    return strengths, along @ axes.T


def lasso_paths(given: Setting) -> tuple[Float, Float]:
    """(strengths (m,), slopes (m, d)) for q = 1; each strength starts from the solution of the next
    stronger.
    """
    strengths = (given.most or 1.0) * np.geomspace(1e-3, 1.6, _STRENGTHS)
    slopes = np.zeros(len(given.b))
    found = []
    for strength in strengths[::-1].tolist():
        for _ in range(_ROUNDS):
            before = slopes.copy()
            for j, size in enumerate(given.sizes):
                slopes[j] = shrunk(given.pull(slopes, j), strength / 2, size)
            if given.still(slopes, before):
                break
        found.append(slopes.copy())
    return strengths, np.array(found[::-1])
