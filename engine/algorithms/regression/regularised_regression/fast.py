"""A round of the lasso without a word: the loss is reckoned once."""

from engine.algorithms.regression.regularised_regression import Setting, State
from engine.algorithms.regression.regularised_regression.shrinkage import lasso_pass
from engine.authoring import frozen, np, replace


def each(given: Setting, s: State) -> State:
    slopes, path = np.array(s.w[1:]), s.path
    for _ in lasso_pass(given.data, slopes, given.total):
        path = path.plus(frozen(given.data.weights(slopes)))
    return replace(s, w=path[-1], loss=given.data.loss(path[-1][1:]), path=path)
