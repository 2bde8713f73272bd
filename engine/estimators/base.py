"""What the estimators of all methods share: how scikit-learn's calls become a run of the lab."""

import warnings
from functools import partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from engine.base.arrays import Float, Int
from engine.base.errors import EngineError
from engine.estimators.rows import (
    Domains,
    Rows,
    class_target,
    domains_of,
    has_gaps,
    rows_of,
    target_name,
    value_target,
)
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import MAX_STEPS, Run
from engine.runs.trace import Trace
from engine.table.dataset import Column
from engine.table.given import MAX_SEED
from engine.table.needs import Needs
from engine.table.prepare import Split

LEAST = float(np.nextafter(0, 1))  # the smallest number above 0


class Method(BaseEstimator):
    """One method of the lab.

    `making.py` derives a class of its own for each, with the parameters as constructor arguments.

    method: the algorithm; parameters: what it calls the constructor arguments, by their names here
    """

    method: ClassVar[Algorithm[Any, Any]]
    parameters: ClassVar[dict[str, str]]

    @property
    def trace_(self) -> Trace:
        """The run step by step (`trace_[4].note.text()`, `trace_.metrics`); recorded on first use.

        Raises NotFittedError before `fit`.
        """
        check_is_fitted(self)
        if "_trace" not in vars(self):
            found = self._run
            run = Run(found.algorithm, found.problem, found.params, found.seed, Pace(Level.STEP))
            run.advance()
            self._trace = run.trace
        return self._trace

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_run")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        needs = self.method.needs
        tags.input_tags.allow_nan = needs.missing
        tags.input_tags.categorical = needs.discrete or needs.binary
        tags.input_tags.string = _takes_words(needs)
        # scikit-learn has no tag for columns that hold the target's labels: no table of numbers
        # will do
        tags.input_tags.two_d_array = not needs.forecasts
        return tags

    def _checked(self, X: Any, reset: bool, **target: Any) -> Any:
        """X, and y where one is given, checked as scikit-learn does; refuses gaps that the method
        cannot take.
        """
        needs = self.method.needs
        words = _takes_words(self.method.needs)
        gaps = "allow-nan" if needs.missing or words else True
        kind = None if words else np.float64
        found = validate_data(self, X, reset=reset, dtype=kind, ensure_all_finite=gaps, **target)
        # of cells scikit-learn sees NaN alone
        if not needs.missing and has_gaps(found[0] if target else found):
            raise ValueError(
                f"Input X contains NaN.\n{type(self).__name__} does not accept missing values, such"
                " as NaN and None: fill or drop them before, for example with sklearn.impute."
            )
        return found

    def _learn(self, X: Any, domains: Domains, target: Column | None) -> None:
        """Run the method to its end on checked rows; domains: the categories that the caller
        declared.
        """
        seed = _seed(self.random_state)
        params = build(
            self.method.params,
            {name: getattr(self, here) for here, name in self.parameters.items()},
        )
        split = Split()
        if self.method.uses_held_out is not None and self.method.uses_held_out(params):
            split = Split(self.validation_fraction, seed)
        rows, run = self._run_on(
            partial(rows_of, X, self._names(), domains, target, self.method.needs, split),
            params,
            seed,
        )
        if not run.finished:
            cut = (
                f"{type(self).__name__} was cut after {MAX_STEPS:,} rounds: it does not end by"
                " itself."
            )
            warnings.warn(cut, ConvergenceWarning, stacklevel=3)
        self.__dict__.pop("_trace", None)
        self._rows = rows
        self._run = run.trace

    def _run_on(self, read: Any, params: Any, seed: int) -> tuple[Rows, Run]:
        """The rows as the method can take them, and its finished run.

        Where columns of whole numbers will do, they are tried as numbers, then as categories: that
        depends on the parameters. Raises ValueError where neither will do.
        """
        for whole in (True, False) if self.method.needs.whole else (False,):
            try:
                rows = read(whole=whole)
                run = Run(self.method, rows.problem, params, seed, Pace(Level.ROUND, end=True))
                run.advance()
                return rows, run
            except EngineError as fault:
                why = fault
        size = f"n_samples={read.args[0].shape[0]}, n_features={self.n_features_in_}"
        raise ValueError(f"{type(self).__name__} cannot learn from X with {size}. {why}")

    def _names(self) -> tuple[str, ...]:
        """What the columns are called: as in the caller's frame, or x1, x2, …"""
        named = getattr(self, "feature_names_in_", None)
        return (
            tuple(f"x{j + 1}" for j in range(self.n_features_in_))
            if named is None
            else tuple(map(str, named))
        )

    def _answers(self, function: Any, X: Any) -> Any:
        """What a function of the method (given, state, rows) says of the caller's rows at the end
        of the run.
        """
        rows: Rows = self._rows
        return function(self._run.given, self._run[-1].state, rows.encode(X))


def _has_scores(estimator: Method) -> bool:
    return estimator.method.scores is not None


class Classifier(ClassifierMixin, Method):
    """Learns classes.

    A row to which the method gives no class gets the most frequent one of those it learnt from.
    """

    def fit(self, X: Any, y: Any) -> "Classifier":
        """Learn from rows X (n, d) and their labels y (n,).

        Raises ValueError for what the method cannot take.
        """
        domains = domains_of(X)
        X, y = self._checked(X, True, y=y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self._check_classes()
        target, self._order = class_target(target_name(self._names()), self.classes_, codes)
        self._usual = int(np.bincount(codes).argmax())
        self._learn(X, domains, target)
        return self

    def predict(self, X: Any) -> Any:
        """(m,) the label of each row of X (m, d)."""
        check_is_fitted(self)
        return self.classes_[self._codes(self._checked(X, False))]

    @available_if(_has_scores)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Float:
        """The scores that the method decides by: (m,) for two classes, positive for `classes_[1]`,
        else (m, k), of which the largest wins.
        """
        check_is_fitted(self)
        X = self._checked(X, False)
        scores = np.asarray(self._answers(self.method.scores, X), np.float64)
        scores = np.where(np.isnan(scores), 0.0, scores)
        codes = self._codes(X)
        if len(self.classes_) <= 2:
            return _agreeing_pair(self._toward_second(scores), codes)
        return _agreeing(scores[:, np.argsort(self._order)], codes)

    def _toward_second(self, scores: Float) -> Float:
        """(m,) the scores of two classes, or of one, positive for the second of `classes_`."""
        if scores.ndim == 2:
            scores = scores[:, 0] - scores[:, -1] if scores.shape[1] > 1 else scores[:, 0]
        return scores if self._order[0] == 1 else -scores

    def _codes(self, X: Any) -> Int:
        """(m,) indices into `classes_` for checked rows."""
        found = np.asarray(self._answers(self.method.predict, X), np.intp)
        return np.array([*self._order, self._usual])[found]  # −1, no class, takes the last

    def _check_classes(self) -> None:
        needs = self.method.needs
        name = type(self).__name__
        count = len(self.classes_)
        if count > max(2, needs.max_classes) and needs.max_classes <= 2:
            raise ValueError(
                f"Only binary classification is supported by {name}. The type of the target is"
                f" multiclass: it holds {count} classes."
            )
        if count < needs.min_classes:
            raise ValueError(
                f"{name} needs samples of at least {needs.min_classes} classes in the data, but the"
                f" data contains only one class: {self.classes_[0]!r}"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.method.needs.max_classes > 2
        tags.classifier_tags.poor_score = self.method.narrow
        return tags


class Regressor(RegressorMixin, Method):
    """Learns values.

    A row to which the method gives no value gets the mean of those it learnt from.
    """

    def fit(self, X: Any, y: Any) -> "Regressor":
        """Learn from rows X (n, d) and their values y (n,).

        Raises ValueError for what the method cannot take.
        """
        domains = domains_of(X)
        X, y = self._checked(X, True, y=y, y_numeric=True)
        self._usual = float(np.mean(y))
        self._learn(X, domains, value_target(target_name(self._names()), y))
        return self

    def predict(self, X: Any) -> Float:
        """(m,) the value of each row of X (m, d)."""
        check_is_fitted(self)
        found = np.asarray(self._answers(self.method.predict, self._checked(X, False)), np.float64)
        return np.where(np.isnan(found), self._usual, found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self.method.narrow
        return tags


class Clusterer(ClusterMixin, Method):
    """Finds groups.

    labels_: (n,) the group of each row from 0, −1 where several are tied
    """

    def fit(self, X: Any, y: Any = None) -> "Clusterer":
        """Learn from rows X (n, d); y is not looked at.

        Raises ValueError for what the method cannot take.
        """
        domains = domains_of(X)
        X = self._checked(X, True)
        self._learn(X, domains, None)
        self.labels_ = self._groups(X)
        return self

    def predict(self, X: Any) -> Int:
        """(m,) the group of each row of X (m, d) from 0, −1 where several are tied."""
        check_is_fitted(self)
        return self._groups(self._checked(X, False))

    def _groups(self, X: Any) -> Int:
        return np.asarray(self._answers(self.method.component, X), np.intp)


def _takes_words(needs: Needs) -> bool:
    return not needs.numeric


def _seed(random_state: Any) -> int:
    """A whole number is the lab's own seed, so that the run is the one of the window; anything else
    draws one.
    """
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(MAX_SEED))


def _agreeing_pair(scores: Float, codes: Int) -> Float:
    """Scores (m,) whose sign is that of the predicted class: where they are 0 or unknown the method
    decides otherwise.
    """
    scores = np.where((scores <= 0) & (codes == 1), LEAST, scores)
    return np.where((scores > 0) & (codes == 0), 0.0, scores)


def _agreeing(scores: Float, codes: Int) -> Float:
    """Scores (m, k) of which the predicted class has the first largest one, also where several are
    equal.
    """
    rows = np.flatnonzero(scores.argmax(axis=1) != codes)
    scores[rows, codes[rows]] = np.nextafter(scores[rows].max(axis=1), np.inf)
    return scores
