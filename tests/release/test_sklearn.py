"""The lab's methods as estimators of scikit-learn: scikit-learn's own checks of them, and what
people do with estimators.
"""

import pickle
from pathlib import Path
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
from engine.protocol.params import params_fields

CLASSES = lab.estimators()
# Fewer rounds than usual, and hypotheses that do not grow as 3 to the power of the columns: the
# checks fit each method sixty times.
QUICK: dict[str, dict[str, Any]] = {
    "BayesNetGradient": {"rounds": 60},
    "LogisticRegression": {"steps": 100},
    "Perceptron": {"rounds": 30},
    "KernelPerceptron": {"rounds": 10},
    "MulticlassPerceptron": {"rounds": 20},
    "Backpropagation": {"epochs": 5},
    "BackpropagationRegressor": {"epochs": 5},
    "OptimalBrainDamage": {"epochs": 40, "retrain": 10},
    "Tiling": {"rounds": 5},
    "ActiveLearning": {"budget": 5},
    "ExhaustiveRules": {"literals": 2},
    "Halving": {"hypotheses": "columns"},
}
# In a checkout scikit-learn's own checks look at estimators of each sort: of classes, of values and
# of clusters; from numbers alone, also from words, also from gaps; of two classes, of several; in
# rounds, at once, and by chance. Where the package is installed they look at all.
INSTALLED = Path(lab.__file__).resolve().parents[1].name != "release"
OF_EACH_SORT = {
    "BayesNetGradient",
    "Backpropagation",
    "DecisionTree",
    "Halving",
    "Kmeans",
    "LinearRegression",
    "NaiveBayes",
    "NearestNeighbours",
    "Perceptron",
    "RandomForest",
    "RegressionTree",
    "Winnow",
}
# Check by check why it cannot hold.
FAILS = {
    "BayesNetGradient": {
        "check_positive_only_tag_during_fit": (
            "it takes a mean off the codes of categories, so that they are whole no more"
        )
    },
}


class OnForecasts:
    """An estimator of experts, whose columns hold labels, for scikit-learn's tables of numbers:
    each column is an expert who says a label by how large its number is.
    """

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
    """One estimator of each class that takes tables of any kind, in a checkout of each sort, and
    the two of experts.
    """
    kinds = [
        kind
        for name, kind in CLASSES.items()
        if not kind.method.needs.forecasts and (INSTALLED or name in OF_EACH_SORT)
    ]
    return [*(kind(**QUICK.get(kind.__name__, {})) for kind in kinds), Experts(), DrawnExperts()]


def expected_failures(estimator: Any) -> dict[str, str]:
    return FAILS.get(type(estimator).__name__, {})


@pytest.fixture(autouse=True)
def array_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it scikit-learn leaves one of its checks out."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@pytest.mark.slow
@pytest.mark.sweep
@parametrize_with_checks(checked(), expected_failed_checks=expected_failures, xfail_strict=True)
def test_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)


# -- one run, in the words of scikit-learn ----------------------------------------------------

every = pytest.mark.parametrize("kind", CLASSES.values(), ids=lambda kind: kind.__name__)
BITS = np.array(
    [[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 1]],
    np.float64,
)


def small(kind: Any) -> tuple[Any, Any]:
    """Eight rows of 0 and 1 that each method can take, and a target of its sort."""
    if kind.method.needs.forecasts:
        return BITS, BITS[:, 0]
    if get_tags(kind()).regressor_tags:
        return BITS, BITS @ [1.0, 2.0, 4.0] / 2
    return BITS, np.where(BITS[:, 0] + BITS[:, 1] > 0, "pos", "neg")


def made(kind: Any, **more: Any) -> Any:
    return kind(**QUICK.get(kind.__name__, {}), **more)


@every
def test_an_estimator_predicts_what_the_run_of_the_lab_does(kind: Any) -> None:
    X, y = small(kind)
    found = made(kind, random_state=5).fit(X, y)
    target = None if kind.method.component is not None else y
    data = engine.Dataset.from_arrays(
        X, target, task="regress" if get_tags(found).regressor_tags else None
    )
    run = engine.run(kind.method.key, data, seed=5, **QUICK.get(kind.__name__, {}))
    answers = run.predict(X)
    if get_tags(found).classifier_tags:
        usual = max(np.unique(y), key=lambda label: (y == label).sum())
        answers = [usual if label is None else label for label in answers.tolist()]
    elif get_tags(found).regressor_tags:
        answers = np.where(np.isnan(answers), y.mean(), answers)
    assert np.array_equal(found.predict(X), answers)
    assert found.n_features_in_ == 3
    assert found.trace_.finished
    assert found.trace_.seed == 5
    assert len(found.trace_) == len(run.indices(engine.Level.STEP))


@every
def test_the_arguments_are_the_parameters_of_the_method(kind: Any) -> None:
    one = made(kind, random_state=5)
    names = {field.name for field in params_fields(kind.method.params)}
    assert {kind.parameters[here] for here in one.get_params() if here in kind.parameters} == names
    assert clone(one).get_params() == one.get_params()
    assert one.set_params(random_state=6).random_state == 6
    assert getattr(lab, kind.__name__) is kind
    with pytest.raises(TypeError, match="no_such"):
        kind(no_such=1)
    with pytest.raises(NotFittedError):
        _ = one.trace_


@every
def test_a_fitted_estimator_comes_back_from_its_pickle(kind: Any) -> None:
    X, y = small(kind)
    found = made(kind, random_state=5).fit(X, y)
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.predict(X), found.predict(X))
    assert len(again.trace_) == len(found.trace_)


@every
def test_what_cannot_be_learnt_from_is_a_value_error(kind: Any) -> None:
    X, y = small(kind)
    tags = get_tags(kind())
    gaps = X.copy()
    gaps[0, 0] = np.nan
    if tags.input_tags.allow_nan:
        assert len(made(kind).fit(gaps, y).predict(gaps)) == len(X)
    else:
        with pytest.raises(ValueError, match="NaN"):
            made(kind).fit(gaps, y)
        with pytest.raises(ValueError, match="NaN"):
            made(kind).fit(X, y).predict(gaps)
    with pytest.raises(ValueError, match="infinity"):
        made(kind).fit(np.where(gaps == gaps, gaps, np.inf), y)
    words = np.array(X, dtype=object)
    words[0, 0] = "blue"
    if kind.method.needs.numeric:
        with pytest.raises(ValueError, match="could not convert string to float: 'blue'"):
            made(kind).fit(words, y)


@every
def test_one_class_is_learnt_or_refused(kind: Any) -> None:
    X, y = small(kind)
    if get_tags(kind()).classifier_tags is None:
        assert not hasattr(kind, "decision_function")
        return
    one = np.full(len(y), y[0])
    if kind.method.needs.min_classes > 1:
        with pytest.raises(ValueError, match="contains only one class"):
            made(kind).fit(X, one)
    elif not kind.method.needs.forecasts:  # their columns would hold another label
        assert made(kind).fit(X, one).predict(X).tolist() == one.tolist()


def test_a_method_of_two_classes_says_so() -> None:
    X, y = load_iris(return_X_y=True)
    for kind in CLASSES.values():
        if get_tags(kind()).classifier_tags and kind.method.needs.max_classes == 2:
            with pytest.raises(ValueError, match="Only binary classification is supported"):
                kind().fit(np.round(X), y)


labels = st.sampled_from(
    [("no", "yes"), ("yes", "no"), (-1, 1), (0, 1), (True, False), (7.0, 2.0), ("b", "a")]
)


@given(
    labels=labels,
    shift=st.integers(-3, 3),
    key=st.sampled_from(["svm", "perceptron", "decision_tree", "naive_bayes"]),
)
def test_a_decision_above_zero_is_the_second_class(
    labels: tuple[Any, Any], shift: int, key: str
) -> None:
    X = np.roll(BITS, shift, axis=0)
    y = np.array([labels[int(row[0] > 0)] for row in X])
    found = lab.estimator(key)(random_state=0).fit(X, y)
    assert found.classes_.tolist() == sorted(labels)
    decided = found.decision_function(X)
    assert np.array_equal(found.predict(X), found.classes_[(decided > 0).astype(int)])
    if key != "perceptron":  # its line goes through the origin
        assert np.array_equal(found.predict(X), y)  # one column tells the two apart
        assert set(found.trace_.predict(X).tolist()) == set(labels)


def test_each_of_several_classes_has_its_column_of_decisions() -> None:
    X, y = make_blobs(60, centers=[[0, 0], [6, 0], [0, 6]], random_state=1)
    names = np.array(["oak", "ash", "elm"])[y]
    found = lab.MulticlassPerceptron(random_state=0).fit(X, names)
    assert found.classes_.tolist() == ["ash", "elm", "oak"]
    decided = found.decision_function(X)
    assert decided.shape == (60, 3)
    assert np.array_equal(found.classes_[decided.argmax(axis=1)], found.predict(X))
    assert (found.predict(X) == names).all()


# -- tables with words -----------------------------------------------------------------------------


def weather() -> tuple[pd.DataFrame, list[str]]:
    sky = pd.Categorical(
        ["sun", "sun", "rain", "rain", "sun", "rain"], categories=["rain", "snow", "sun"]
    )
    frame = pd.DataFrame(
        {
            "sky": sky,
            "wind": ["low", "high", "low", "high", "low", "high"],
            "warm": [True, True, False, True, False, False],
        }
    )
    return frame, ["go", "go", "stay", "stay", "go", "stay"]


@pytest.mark.parametrize(
    "key", ["decision_tree", "naive_bayes", "nearest_neighbours", "greedy_dnf", "random_forest"]
)
def test_a_frame_keeps_the_kinds_of_its_columns(key: str) -> None:
    frame, y = weather()
    # the other distances are of numbers
    how = {"metric": "hamming"} if key == "nearest_neighbours" else {}
    found = lab.estimator(key)(random_state=0, **how).fit(frame, y)
    assert found.feature_names_in_.tolist() == ["sky", "wind", "warm"]
    assert found.predict(frame).tolist() == y
    features = {feature.name: feature for feature in found.trace_.problem.features}
    if key == "greedy_dnf":  # of columns of 0 and 1
        assert list(features) == [
            "sky = rain",
            "sky = snow",
            "sky = sun",
            "wind = high",
            "warm = yes",
        ]
    else:
        assert features["sky"].categories == ("rain", "snow", "sun")
        assert features["warm"].kind is engine.Kind.BOOLEAN
    # declared, though no row had it
    new = pd.DataFrame({"sky": ["snow"], "wind": ["low"], "warm": [True]})
    assert found.predict(new)[0] in y
    with pytest.raises(ValueError, match="hail"):
        found.predict(new.assign(sky="hail"))
    with pytest.raises(ValueError, match="feature names"):
        found.predict(new.rename(columns={"sky": "roof"}))


def test_missing_words_are_gaps_only_where_a_method_can_take_them() -> None:
    frame, y = weather()
    for gap in (None, np.nan, pd.NA):
        holes = frame.astype({"wind": object})
        holes.loc[0, "wind"] = gap
        assert lab.DecisionTree().fit(holes, y).predict(holes).tolist() == y
        for kind in (lab.NearestNeighbours, lab.NaiveBayes, lab.GreedyDnf):
            with pytest.raises(ValueError, match=r"Input X contains NaN"):
                kind().fit(holes, y)


def test_whole_numbers_are_categories_for_methods_of_categories() -> None:
    X = np.array([[3, 7], [5, 7], [3, 9], [5, 9], [3, 8]])
    found = lab.NaiveBayes(laplace=True).fit(X, [0, 1, 0, 1, 0])
    assert [feature.categories for feature in found.trace_.problem.features] == [(5, 3), (7, 8, 9)]
    assert found.predict([[5, 8], [3, 7]]).tolist() == [1, 0]
    with pytest.raises(ValueError, match="holds other numbers"):
        lab.NaiveBayes().fit(X + 0.5, [0, 1, 0, 1, 0])


# -- what people do with estimators ----------------------------------------------------------------


def test_pipelines_frames_and_cross_validation() -> None:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    scaled = StandardScaler().set_output(transform="pandas")
    line = make_pipeline(scaled, lab.NearestNeighbours(k=5))
    assert cross_val_score(line, frame, y, cv=3).min() > 0.8
    assert line.fit(frame, y)[-1].feature_names_in_.tolist() == list(frame.columns)
    binary = y[y > 0]
    areas = cross_val_score(lab.Svm(random_state=0), frame[y > 0], binary, cv=3, scoring="roc_auc")
    assert areas.min() > 0.9  # by its decisions


@pytest.mark.slow
def test_a_grid_is_searched_by_two_processes() -> None:
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(lab.NearestNeighbours(), {"k": [1, 5, 149]}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_params_["k"] in (1, 5)  # of nearly all rows the vote tells nothing
    assert search.best_score_ > 0.9


def test_the_display_of_borders_draws_a_method() -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    X, y = make_blobs(30, centers=[[0, 0], [5, 5]], random_state=0)
    names = np.array(["low", "high"])[y]
    for kind in (lab.Perceptron, lab.DecisionTree, lab.CandidateElimination):
        shown = DecisionBoundaryDisplay.from_estimator(
            kind(random_state=0).fit(X, names), X, grid_resolution=8
        )
        assert shown.response.shape == (8, 8)
    groups = lab.Kmeans(k=2, random_state=0).fit(X)
    shown = DecisionBoundaryDisplay.from_estimator(
        groups, X, grid_resolution=8, response_method="predict"
    )
    assert len(np.unique(shown.response)) == 2
    assert len(set(zip(groups.labels_.tolist(), y.tolist(), strict=True))) == 2  # heap by heap


def test_rows_are_held_out_where_a_method_judges_itself_by_them() -> None:
    X, y = load_iris(return_X_y=True)
    plain = lab.DecisionTree(random_state=1).fit(X, y)
    assert plain.trace_.problem.n == 150
    pruned = lab.DecisionTree(prune="held-out", validation_fraction=0.2, random_state=1).fit(X, y)
    assert (pruned.trace_.problem.n, pruned.trace_.problem.held_out.n) == (120, 30)


def test_the_seed_is_the_random_state() -> None:
    X, y = load_iris(return_X_y=True)
    assert lab.RandomForest(random_state=7).fit(X, y).trace_.seed == 7
    drawn = [
        lab.RandomForest(random_state=np.random.RandomState(3)).fit(X, y).trace_.seed
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]


def test_a_parameter_out_of_bounds_is_reported_when_it_is_used() -> None:
    one = lab.Perceptron(rate=-3)
    with pytest.raises(ValueError, match="Rate η must lie between"):
        one.fit(BITS, BITS[:, 0])


# -- the door --------------------------------------------------------------------------------------


def test_each_method_that_predicts_has_its_class_and_no_other() -> None:
    known = {kind.method.key for kind in CLASSES.values()}
    for key, method in engine.algorithms().items():
        predicts = not method.is_experiment and (
            method.predict is not None or method.component is not None
        )
        assert (key in known) == predicts
        if not predicts:
            with pytest.raises(
                engine.EngineError,
                match=f"{method.title} makes no predictions; these do: .*perceptron",
            ):
                lab.estimator(key)


def test_a_method_of_classes_and_of_values_is_two_classes() -> None:
    assert lab.estimator("gradient_boosting") is lab.GradientBoosting
    assert lab.estimator("gradient_boosting", "regress") is lab.GradientBoostingRegressor
    with pytest.raises(engine.EngineError, match="Linear regression predicts values only"):
        lab.estimator("linear_regression", "classify")
    with pytest.raises(engine.EngineError, match="“guess” is neither"):
        lab.estimator("linear_regression", "guess")


def test_a_misspelt_key_is_answered_as_the_registry_does() -> None:
    with pytest.raises(engine.EngineError, match="did you mean “perceptron”"):
        lab.estimator("perseptron")
    with pytest.raises(AttributeError, match="Perseptron"):
        _ = lab.Perseptron
