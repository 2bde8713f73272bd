"""A round of the lasso without a word: the loss is reckoned once."""

from engine.algorithms.regression.regularised_regression import Setting, State
from engine.algorithms.regression.regularised_regression.shrinkage import shrunk
from engine.authoring import np, replace


def each(given: Setting, s: State) -> State:
    w, W, threshold = np.array(s.w), np.empty((len(s.w) - 1, len(s.w))), given.total / 2
    slopes, mean, level = w[1:], given.x_mean, given.y_mean
    for j, (whole, row, size) in enumerate(given.parts):
        slopes[j] = shrunk(whole - float(row @ slopes) + size * float(slopes[j]), threshold, size)
        w[0] = level - slopes @ mean
        W[j] = w
    w.flags.writeable = False
    return replace(s, w=w, loss=given.loss(w), path=s.path.joined(W))
