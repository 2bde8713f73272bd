"""The absolute loss Σ |y − h(x)| over the weights: a valley with creases. AIMA 18.4.2."""

from engine.algorithms.regression.parts.least_squares import Bowl
from engine.authoring import Float, frozen, np, replace

MOST_ROWS = 1000  # of which the lines of equal loss are drawn


class Creased(Bowl):
    """The absolute loss of a linear model over k weights, flat between creases at which an example
    lies on the line.

    H, centre, least: as of a bowl; `centre` is a lowest place, H only measures lengths
    A: (n, k) the columns of these weights
    y: (n,) the values, less what the other weights say
    each: how many examples a row stands for
    """

    A: Float
    y: Float
    each: float = 1.0

    def __call__(self, W: Float) -> Float:
        """(m,) the loss at places W (m, k)."""
        return self.each * np.array([np.abs(self.y - self.A @ w).sum() for w in W])

    def section(self, pair: tuple[int, int], w: Float) -> "Creased":
        """The loss over two weights, with the others held at w (k,); its centre is that of all."""
        two = list(pair)
        rest = [k for k in range(len(w)) if k not in pair]
        y = self.y - self.A[:, rest] @ w[rest]
        H = self.H[np.ix_(two, two)]
        found = replace(self, H=H, centre=self.centre[two], A=self.A[:, two], y=y)
        return replace(found, least=float(found(found.centre[None])[0]))

    @property
    def round_bottom(self) -> bool:
        """Never: lines of equal loss have corners."""
        return False

    def reach(self, w: Float) -> float:
        """The square root of the loss at w above that of the centre."""
        return float(max(float(self(w[None])[0]) - self.least, 0.0) ** 0.5)


def creased(A: Float, y: Float) -> Creased:
    """The absolute loss of the weights of columns A (n, k) for values y (n,); of very many rows an
    even selection stands for all.
    """
    some = slice(None, None, -(-len(y) // MOST_ROWS))
    few = Creased(A.T @ A, least_absolute(A[some], y[some]), 0.0, A[some], y[some])
    found = replace(few, each=len(y) / len(few.y))
    return replace(found, least=float(found(found.centre[None])[0]))


def least_absolute(A: Float, y: Float) -> Float:
    """(k,) w of least Σ |y − A w|, by the linear programme whose prices they are: pushes u between
    −1 and 1 with Aᵀu = 0 and the largest y · u.
    """
    from scipy.optimize import linprog  # its import takes a while

    size = np.abs(A).max(axis=0)
    size = np.where(size > 0, size, 1.0)
    found = linprog(-y, A_eq=(A / size).T, b_eq=np.zeros(A.shape[1]), bounds=(-1, 1))
    return frozen(-found.eqlin.marginals / size)
