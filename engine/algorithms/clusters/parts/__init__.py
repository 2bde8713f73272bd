"""What methods share that find the components of a mixture by EM: where they start, which component
owns a place, their surfaces. ML 6.12.
"""

from typing import Annotated, Any, TypeVar

from engine.algorithms.clusters.parts.mixtures import LARGEST, leaders
from engine.authoring import (
    EngineError,
    Float,
    Grid,
    Help,
    Int,
    Label,
    Length,
    Needs,
    Range,
    Rng,
    Setting,
    frozen,
    np,
)
from engine.base.notation import counted, plural

P = TypeVar("P")
Components = Annotated[int, Range(1, 20), Label("Components k")]
StartMeans = Annotated[
    tuple[float, ...],
    Label("Start means"),
    Help("one mean after the other, a number for each column; empty: k examples drawn at random"),
    Length("k * columns"),
]
NO_CLASSES = Needs(labels=False, numeric=True)


class Mixing(Setting[P]):
    """A mixture of k Gaussians.

    kind: the name of one component in sentences
    term: the formula of one component's share · density
    """

    p: Any
    kind = "Gaussian"
    term = "p(x|{})"

    def joint(self, s: Any, X: Float) -> Float:
        """(k, m) ln (share · density) at rows X."""
        raise NotImplementedError

    def raster(self, s: Any, grid: Grid) -> Float:
        """(k, ny, nx) ln (share · density) at every place of the grid."""
        return self.joint(s, self.problem.from_plane(grid.points())).reshape(-1, *grid.shape)

    def component(self, s: Any, joint: Float) -> Int:
        """(…) the component with the largest joint (k, …) at each place, −1 where several tie."""
        return leaders(joint)

    def start(self, rng: Rng) -> Float:
        """(k, d) start means: the given numbers, or k examples drawn at random, at different places
        if there are enough.
        """
        return start_places(self.problem.X, self.p.k, self.p.start, rng)

    @property
    def even_shares(self) -> Float:
        """(n, k) equal memberships, as before the first E step."""
        return frozen(np.full((self.problem.n, self.p.k), 1 / self.p.k))

    def check(self, means: Float) -> None:
        """Raises EngineError for the means of a run with another k."""
        if means.shape != (self.p.k, self.problem.d):
            many = counted(len(means), self.kind)
            raise EngineError(f"EM cannot go on from {many} with k = {self.p.k}: start again.")


def start_places(X: Float, k: int, given: tuple[float, ...], rng: Rng) -> Float:
    """(k, d) the given numbers, one place after the other; or k rows of X (n, d) drawn at random,
    at different places if there are enough.

    Raises EngineError where there are fewer rows than k, or numbers too large to be squared.
    """
    check_start(X, 0 if given else k)
    if given:
        return np.asarray(given, np.float64).reshape(k, X.shape[1])
    places = np.unique(X, axis=0)
    places = places if len(places) >= k else X
    return np.asarray(places[rng.choice(len(places), k, replace=False)])


def check_start(X: Float, k: int) -> None:
    """Raises EngineError where k of the examples cannot be drawn to start from."""
    if float(np.abs(X).max()) > LARGEST:
        raise EngineError(
            "Some numbers are too large to be squared: standardise the columns in the data panel."
        )
    if k > len(X):
        there_are = plural(len(X), "there is", "there are")
        raise EngineError(
            f"For k = {k} {there_are} only {counted(len(X), 'example')} to start from: lower k or"
            " set the means."
        )


def membership_surface(given: Mixing[Any], s: Any, grid: Grid) -> Float:
    """How far the first component is ahead of the second: ln of the quotient of their memberships,
    whose level lines are smooth however steep these are; 0 for any other number of components.
    """
    if given.p.k != 2:
        return np.zeros(grid.shape)
    first, second = given.raster(s, grid)
    return np.asarray(first - second)


def class_surface(given: Mixing[Any], s: Any, grid: Grid) -> Int:
    """(ny, nx) the component with the largest membership at each place, −1 where several tie."""
    return given.component(s, given.raster(s, grid))


SURFACES = {"class": class_surface, "membership": membership_surface}
