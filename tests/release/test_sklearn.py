"""The lab's methods as estimators of scikit-learn: scikit-learn's own checks of all of them, and what people do with estimators."""

import pickle
from typing import Any

import learnscope.sklearn as lab
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import engine

CLASSES = lab.estimators()
# Fewer rounds than usual, and hypotheses that do not grow as 3 to the power of the columns: the checks fit each method sixty times.
QUICK: dict[str, dict[str, Any]] = {
    "BayesNetGradient": {"rounds": 20},
    "LogisticRegression": {"steps": 100},
    "Perceptron": {"rounds": 30},
    "KernelPerceptron": {"rounds": 10},
    "MulticlassPerceptron": {"rounds": 20},
    "Backpropagation": {"epochs": 5},
    "BackpropagationRegressor": {"epochs": 5},
    "OptimalBrainDamage": {"epochs": 40, "retrain": 10},
    "Tiling": {"rounds": 5},
    "ActiveLearning": {"budget": 5},
    "Halving": {"hypotheses": "columns"},
}
# Check by check why it cannot hold.
FAILS = {
    "BayesNetGradient": {
        "check_positive_only_tag_during_fit": "it takes a mean off the codes of categories, so that they are whole no more"
    },
}


class OnForecasts:
    """An estimator of experts, whose columns hold labels, for scikit-learn's tables of numbers: each column is an expert who
    says a label by how large its number is."""

    def _checked(self, X: Any, reset: bool, **target: Any) -> Any:
        found = super()._checked(X, reset, **target)  # type: ignore[misc]
        X, *y = found if target else (found,)
        X = X.astype(float)
        if reset:
            self._labels = np.unique(y[0])
            self._cuts = np.quantile(X, np.linspace(0, 1, len(self._labels) + 1)[1:-1], axis=0)
        said = self._labels[(X[None] > self._cuts[:, None]).sum(axis=0)]
        return (said, *y) if y else said

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.two_d_array, tags.input_tags.string = True, False
        tags.classifier_tags.poor_score = True  # such experts know nothing of the classes
        return tags


class Experts(OnForecasts, lab.WeightedMajority):  # type: ignore[name-defined,misc]
    """Weighted majority."""


class DrawnExperts(OnForecasts, lab.RandomizedWeightedMajority):  # type: ignore[name-defined,misc]
    """Randomized weighted majority."""


def checked() -> list[Any]:
    """One estimator of each class that takes tables of any kind, and the two of experts."""
    kinds = [kind for kind in CLASSES.values() if not kind.method.needs.forecasts]
    return [*(kind(**QUICK.get(kind.__name__, {})) for kind in kinds), Experts(), DrawnExperts()]


def expected_failures(estimator: Any) -> dict[str, str]:
    return FAILS.get(type(estimator).__name__, {})


@pytest.fixture(autouse=True)
def array_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it scikit-learn leaves one of its checks out."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@pytest.mark.slow
@parametrize_with_checks(checked(), expected_failed_checks=expected_failures, xfail_strict=True)
def test_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)
