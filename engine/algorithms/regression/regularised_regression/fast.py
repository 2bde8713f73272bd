"""A round of the lasso without a word: the loss is reckoned once."""

from engine.algorithms.regression.regularised_regression import Setting, State
from engine.algorithms.regression.regularised_regression.shrinkage import shrunk
from engine.authoring import np, replace


def each(given: Setting, s: State) -> State:
    w = np.array(s.w)
    W = np.empty((len(s.w) - 1, len(s.w)))
    threshold = given.total / 2
    slopes = w[1:]
    mean = given.x_mean
    level = given.y_mean
    for j, (whole, row, size) in enumerate(given.parts):
        slopes[j] = shrunk(whole - float(row @ slopes) + size * float(slopes[j]), threshold, size)
        w[0] = level - slopes @ mean
        W[j] = w
    w.flags.writeable = False
    return replace(s, w=w, loss=given.loss(w), path=s.path.joined(W))
