"""Which model of scikit-learn, or few lines of numpy, does the same work as which algorithm, and
why a fit may take longer.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import Dataset, Problem, generate, prepare
from engine.base.records import Record, field

FIT, SURFACE, AHEAD, FAR_AHEAD = 2.0, 1.0, 0.5, 0.1
ROUNDS, EPOCHS, PASSES, BOOSTED = 20, 20, 1000, 100
WIDTH = 1.5  # of a kernel

SEQUENTIAL = "one visit after the other in plain Python, there in compiled code"
LEVELS = "0.4 ms of numpy calls a level, and a tree of values has 12 to 50 of them"
NODES = "the boxes of all leaves are worked out and their edges sorted, many smaller than a place"
SMALL = (
    "a dozen numpy calls a level or round, there compiled code: what is left is their fixed price"
)


def moons(n: int) -> Problem:
    return prepare(generate("moons", n, 0.3))


def apart(n: int) -> Problem:
    """Two classes on both sides of a line, and nothing near it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4 * n, 2))
    side = X @ [1.0, -0.7] - 0.2
    clear = np.flatnonzero(np.abs(side) > 0.1)[:n]
    return prepare(Dataset.from_arrays(X[clear], np.where(side[clear] > 0, "A", "B")))


def clouds(n: int) -> Problem:
    """Three classes whose borders overlap a little."""
    rng = np.random.default_rng(0)
    code = rng.integers(0, 3, n)
    centres = np.array([[0.0, 2.0], [2.0, -1.0], [-2.0, -1.0]])
    return prepare(
        Dataset.from_arrays(
            centres[code] + rng.normal(size=(n, 2)), np.array(["A", "B", "C"])[code]
        )
    )


def spread(n: int, columns: int = 20) -> Problem:
    """Two classes in many columns, half of which tell something, and no plane between them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, columns))
    side = X[:, : columns // 2].sum(axis=1) + 2 * rng.normal(size=n)
    return prepare(Dataset.from_arrays(X, np.where(side > 0, "A", "B")))


def wave(n: int) -> Problem:
    return prepare(generate("sine", n, 0.3))


def coins(n: int) -> Problem:
    """Two columns of 0 and 1 that tell something about the class."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n, 2)).astype(float)
    y = np.where(rng.random(n) < 0.2 + 0.3 * X.sum(axis=1), "Yes", "No")
    return prepare(Dataset.from_arrays(X, y))


def slope(n: int, columns: int = 8) -> Problem:
    """A value that depends on half of the columns, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, columns))
    return prepare(Dataset.from_arrays(X, X[:, : columns // 2].sum(axis=1) + rng.normal(size=n)))


def bits(n: int, columns: int = 12) -> Problem:
    """A class that holds where the first of the columns of 0 and 1 do, at most three, but not in
    all of these rows.
    """
    X = np.random.default_rng(0).integers(0, 2, (n, columns)).astype(float)
    return prepare(
        Dataset.from_arrays(X, np.where(X[:, :3].all(axis=1) & (np.arange(n) % 9 > 0), "A", "B"))
    )


def pundits(n: int) -> Problem:
    return prepare(generate("pundits", n, 0.2))


class Votes:
    """Weighted majority as one would write it with numpy: the vote, or an expert drawn
    by weight.
    """

    def __init__(self, beta: float = 0.5, draws: bool = False) -> None:
        self.beta, self.draws = beta, draws

    def fit(self, X: Any, y: Any) -> "Votes":
        says = (X == 0).astype(int)
        w = np.ones(X.shape[1])
        rng = np.random.default_rng(0)
        self.mistakes = 0
        for row, truth in zip(says, y, strict=True):
            if self.draws:
                edges = np.cumsum(w)
                said = row[np.searchsorted(edges, rng.random() * edges[-1])]
            else:
                said = int(w @ row > w.sum() / 2)
            self.mistakes += int(said != truth)
            w = np.where(row != truth, self.beta * w, w)
            w /= w.max()
        return self


class Slope:
    """1,000 gradient steps on log loss as one would write them with numpy, with the curves of loss
    and mistakes.
    """

    def fit(self, X: Any, y: Any) -> "Slope":
        X, y, self.w, self.curves = (
            np.column_stack([X, np.ones(len(X))]),
            (y == 0) * 1.0,
            np.zeros(X.shape[1] + 1),
            [],
        )
        for _ in range(PASSES):
            z = X @ self.w
            h = 1 / (1 + np.exp(-z))
            self.curves.append(
                (np.logaddexp(0, np.where(y == 1, -z, z)).sum(), ((z >= 0) != (y == 1)).sum())
            )
            self.w = self.w + (y - h) @ X / len(X)
        return self


class Smoothed:
    """A mean of all examples for each place, or a line, weighted by a kernel of this width: closed
    forms as one would write them with numpy, for so many places at once as have weights in a few
    megabytes.
    """

    def __init__(self, line: bool) -> None:
        self.line = line

    def fit(self, X: Any, y: Any) -> "Smoothed":
        self.x = X[:, 0]
        self.y = y
        return self

    def predict(self, X: Any) -> Any:
        return np.concatenate(
            [self._labels(q) for q in np.array_split(X, 1 + len(X) * len(self.x) // 500_000)]
        )

    def _labels(self, q: Any) -> Any:
        away = self.x - q
        w = (
            np.maximum(0, 1 - (2 * away / WIDTH) ** 2)
            if self.line
            else np.exp(-((away / WIDTH) ** 2))
        )
        total = w.sum(axis=1)
        level = w @ self.y
        if not self.line:
            return level / total
        first = w * away
        shift = first.sum(axis=1)
        spread = (first * away).sum(axis=1)
        slope = first @ self.y
        return (spread * level - shift * slope) / (total * spread - shift**2)


class Conjunction:
    """The greedy conjunction as one would write it with numpy."""

    def fit(self, X: Any, y: Any) -> "Conjunction":
        usable = np.flatnonzero((X[y == 0] == 1).all(axis=0))
        left = X[y == 1]
        self.columns = list[int]()
        while len(left):
            removed = (left[:, usable] == 0).sum(axis=0)
            if not removed.any():
                break
            self.columns.append(int(usable[removed.argmax()]))
            left = left[left[:, self.columns[-1]] == 1]
        return self

    def predict(self, X: Any) -> Any:
        return np.where((X[:, self.columns] > 0.5).all(axis=1), 0, 1)


class Rival(Record, eq=True):
    """One algorithm beside a model of scikit-learn.

    model: makes it, knowing the number of rows; params: of ours, knowing it too; fit, surface: the
    ratios allowed, None: the fit is only printed, no surface; most: rows beyond which no person
    would wait for either; reason: what a slower fit spends its time on; laid: what the first
    picture of a new model does; compiled: whether commands and fitting processes compile its loop;
    peer: who it is
    """

    key: str
    model: Callable[[int], Any]
    params: Callable[[int], dict[str, Any]] = lambda n: {}
    title: str = ""
    data: Callable[[int], Problem] = field(default=moons)
    fit: float | None = FIT
    surface: float | None = SURFACE
    most: int = 1_000_000
    reason: str = ""
    laid: str = ""
    compiled: bool = False
    peer: str = "scikit-learn"

    @property
    def name(self) -> str:
        return f"{self.key} {self.title}".strip()

    def fitted(self, problem: Problem) -> Any:
        model = self.model(problem.n)
        target = problem.y if problem.regress else np.asarray(problem.codes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the same number of rounds, converged or not
            return model.fit(problem.X, target) if hasattr(model, "fit") else model(problem.X)


def rivals() -> tuple[Rival, ...]:
    from scipy.spatial import Voronoi
    from sklearn import linear_model as linear
    from sklearn.cluster import KMeans
    from sklearn.ensemble import (
        AdaBoostClassifier,
        BaggingClassifier,
        GradientBoostingClassifier,
        GradientBoostingRegressor,
        RandomForestClassifier,
    )
    from sklearn.mixture import GaussianMixture
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.neighbors import KDTree, KNeighborsClassifier, KNeighborsRegressor
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    def network(n: int, batch: int) -> MLPClassifier:
        return MLPClassifier(
            (8,),
            activation="logistic",
            solver="sgd",
            batch_size=batch,
            momentum=0,
            alpha=0,
            learning_rate_init=0.5,
            max_iter=EPOCHS,
            tol=0,
            n_iter_no_change=EPOCHS + 1,
        )

    return (
        *(
            Rival(
                "perceptron",
                lambda n: linear.Perceptron(max_iter=ROUNDS, tol=None, shuffle=False),
                lambda n: {"stop": "rounds", "rounds": ROUNDS, "threshold": "learned"},
                title,
                data,
                surface=surface,
                reason=SEQUENTIAL,
                compiled=True,
            )
            for title, data, surface in (
                ("a line separates", apart, SURFACE),
                ("no line separates", moons, SURFACE),
                ("20 columns", spread, None),
            )
        ),
        Rival(
            "nearest_neighbours",
            lambda n: KNeighborsClassifier(5),
            lambda n: {"k": 5},
            surface=AHEAD,
        ),
        Rival(
            "decision_tree",
            lambda n: DecisionTreeClassifier(criterion="entropy", random_state=0),
            reason="every test is a step of its own, with its words to be",
            laid="the nodes are first read out of the log, over half of the time",
        ),
        Rival(
            "regression_tree",
            lambda n: DecisionTreeRegressor(min_samples_leaf=3, random_state=0),
            data=wave,
            reason=LEVELS,
        ),
        Rival(
            "gradient_boosting",
            lambda n: GradientBoostingClassifier(n_estimators=BOOSTED, random_state=0),
            lambda n: {"members": BOOSTED, "rate": 0.1, "depth": 3},
            surface=FAR_AHEAD,
            reason=LEVELS,
            laid=NODES,
        ),
        Rival(
            "gradient_boosting",
            lambda n: GradientBoostingRegressor(n_estimators=BOOSTED, random_state=0),
            lambda n: {"members": BOOSTED, "rate": 0.1, "depth": 3},
            "values",
            data=wave,
            surface=FAR_AHEAD,
            reason=LEVELS,
        ),
        Rival(
            "adaboost",
            lambda n: AdaBoostClassifier(n_estimators=2 * ROUNDS, random_state=0),
            lambda n: {"rounds": 2 * ROUNDS},
            fit=FAR_AHEAD,
            surface=FAR_AHEAD,
            reason=(
                "the first fit of a process also runs for the first time all that it calls, and"
                " fills its records field by field"
            ),
        ),
        Rival(
            "bagging",
            lambda n: BaggingClassifier(
                DecisionTreeClassifier(criterion="entropy"), 2 * ROUNDS, random_state=0
            ),
            lambda n: {"members": 2 * ROUNDS},
            surface=FAR_AHEAD,
            reason=SMALL,
            laid=NODES,
        ),
        Rival(
            "random_forest",
            lambda n: RandomForestClassifier(2 * ROUNDS, criterion="entropy", random_state=0),
            lambda n: {"members": 2 * ROUNDS},
            surface=FAR_AHEAD,
            reason=SMALL,
            laid=NODES,
        ),
        Rival(
            "logistic_regression",
            lambda n: linear.LogisticRegression(C=np.inf),
            lambda n: {"loss": "log", "rate": 1 / n, "steps": PASSES},
            "batch, 1,000 steps",
            fit=None,
            reason=(
                "1,000 plain gradient steps as the text has them; there about ten of a second-order"
                " solver"
            ),
        ),
        Rival(
            "logistic_regression",
            lambda n: Slope(),
            lambda n: {"loss": "log", "rate": 1 / n, "steps": PASSES},
            "batch, as many steps",
            surface=None,
            peer="numpy",
            # its surface is compared in the row above
            reason="a thousand steps are recorded with their losses; there nothing is kept",
        ),
        Rival(
            "logistic_regression",
            lambda n: linear.SGDClassifier(loss="log_loss", max_iter=ROUNDS, tol=None),
            lambda n: {"loss": "log", "mode": "stochastic", "steps": ROUNDS * n},
            "stochastic",
            most=2_000,
            reason=SEQUENTIAL,
            compiled=True,
        ),
        Rival(
            "multiclass_perceptron",
            lambda n: linear.Perceptron(max_iter=ROUNDS, tol=None, shuffle=False),
            lambda n: {"rounds": ROUNDS},
            data=clouds,
            reason=SEQUENTIAL,
            compiled=True,
        ),
        *(
            Rival(
                "svm",
                lambda n, C=C, kernel=kernel: SVC(C=C, kernel=kernel, gamma=1.0),
                lambda n, C=C, kernel=kernel: {"C": C, "kernel": kernel},
                f"{kernel}, C = {C:g}",
                surface=FAR_AHEAD,
                most=2_000,
                reason="the worst pair of all a step; there some are left out (shrinking)",
            )
            for kernel in ("linear", "rbf")
            for C in (1.0, 10.0)
        ),
        Rival(
            "backpropagation",
            lambda n: network(n, n),
            lambda n: {"hidden": (8,), "epochs": EPOCHS, "mode": "batch"},
            "batch",
            surface=AHEAD,
        ),
        Rival(
            "backpropagation",
            lambda n: network(n, 1),
            lambda n: {"hidden": (8,), "epochs": EPOCHS},
            "stochastic",
            surface=AHEAD,
            most=2_000,
        ),
        Rival(
            "neighbour_regression", lambda n: KNeighborsRegressor(5), lambda n: {"k": 5}, data=wave
        ),
        Rival(
            "gaussian_mixture",
            lambda n: GaussianMixture(2, max_iter=ROUNDS, tol=0, init_params="random_from_data"),
            lambda n: {"k": 2, "rounds": ROUNDS},
        ),
        Rival("naive_bayes", lambda n: BernoulliNB(), data=coins),
        Rival("linear_regression", lambda n: linear.LinearRegression(), data=slope),
        Rival(
            "regularised_regression",
            lambda n: linear.Ridge(alpha=0.5 * n),
            lambda n: {"q": 2, "strength": 0.5},
            "ridge",
            data=slope,
        ),
        Rival(
            "regularised_regression",
            lambda n: linear.Lasso(alpha=0.25),
            lambda n: {"q": 1, "strength": 0.5},
            "lasso",
            data=slope,
            reason="coordinate descent in Python; there compiled code",
        ),
        Rival(
            "hinge_descent",
            lambda n: linear.SGDClassifier(loss="hinge", alpha=1 / n, max_iter=ROUNDS, tol=None),
            lambda n: {"mode": "stochastic", "rate": 0.1 / n, "steps": ROUNDS * n},
            "stochastic",
            most=2_000,
            compiled=True,
            reason=(
                "a round ends with the loss over all rows and a step that is recorded; there it is"
                " nothing but its visits"
            ),
        ),
        Rival(
            "gradient_descent",
            lambda n: linear.SGDRegressor(
                alpha=0, learning_rate="constant", max_iter=ROUNDS, tol=None
            ),
            lambda n: {"mode": "stochastic", "rate": 1e-4, "steps": ROUNDS * n},
            "stochastic",
            data=slope,
            most=2_000,
            reason=SEQUENTIAL,
        ),
        Rival(
            "perceptron_network",
            lambda n: linear.Perceptron(max_iter=ROUNDS, tol=None, shuffle=False),
            lambda n: {"rounds": ROUNDS},
            data=clouds,
            reason=SEQUENTIAL,
            compiled=True,
        ),
        *(
            Rival(
                key,
                lambda n, line=line: Smoothed(line),
                lambda n: {"width": WIDTH},
                data=wave,
                fit=None,
                most=2_000,
                peer="numpy",
                reason="here with the errors of examples that are left out",
            )
            for key, line in (("locally_weighted_regression", True), ("kernel_regression", False))
        ),
        Rival("weighted_majority", lambda n: Votes(), data=pundits, surface=None, peer="numpy"),
        Rival(
            "randomized_weighted_majority",
            lambda n: Votes(draws=True),
            data=pundits,
            surface=None,
            peer="numpy",
        ),
        Rival(
            "greedy_conjunction",
            lambda n: Conjunction(),
            data=bits,
            surface=None,
            peer="numpy",
            reason=(
                "to check the table, set up a run and record its rounds takes longer than so few"
                " calls of numpy; there nothing is kept"
            ),
        ),
        *(
            Rival(
                key,
                lambda n: DecisionTreeClassifier(),
                title="of two columns",
                data=lambda n: bits(n, 2),
                reason=SMALL,
            )
            for key in ("greedy_conjunction", "greedy_dnf", "decision_list")
        ),
        Rival(
            "kmeans",
            lambda n: KMeans(3, n_init=3, max_iter=ROUNDS, tol=0),
            lambda n: {"k": 3, "starts": 3, "rounds": ROUNDS},
            reason=(
                "thirty numpy calls a round; a third of them finds and adds up the examples of each"
                " cluster"
            ),
        ),
        Rival(
            "em_means",
            lambda n: GaussianMixture(
                2,
                covariance_type="spherical",
                max_iter=ROUNDS,
                tol=0,
                init_params="random_from_data",
            ),
            lambda n: {"k": 2, "rounds": ROUNDS},
        ),
        Rival(
            "voronoi_diagram",
            lambda n: Voronoi,
            fit=4.0,
            surface=None,
            most=2_000,
            peer="scipy",
            reason=(
                "every cell is a step of its own, and those without end are shut besides; the first"
                " fit of a process also reads the module of whole rounds, and runs for the first"
                " time all that it calls"
            ),
        ),
        Rival("kd_tree", lambda n: lambda X: KDTree(X, leaf_size=1), surface=None, reason=SMALL),
    )
