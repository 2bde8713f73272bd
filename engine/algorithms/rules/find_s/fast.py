"""All examples at once: the borders of S after each of them are running minima and maxima."""

from engine.algorithms.rules.find_s import Setting, State
from engine.algorithms.rules.parts.boxes import Box
from engine.authoring import frozen, np, replace


def examples(given: Setting, s: State) -> State:
    rows = given.stream[s.seen :]
    if not len(rows):
        return s
    X = given.X[rows]
    positive = given.problem.codes[rows] == 0
    low = np.minimum.accumulate(np.vstack([s.S.low, np.where(positive[:, None], X, np.inf)]))
    high = np.maximum.accumulate(np.vstack([s.S.high, np.where(positive[:, None], X, -np.inf)]))
    wide = given.words & (low < high)
    low, high = np.where(wide, given.least, low), np.where(wide, given.most, high)
    held = ((low[:-1] <= X) & (high[:-1] >= X)).all(axis=1)  # by S as it was when each came
    before, S = (Box(frozen(low[k]), frozen(high[k])) for k in (-2, -1))
    mistakes = s.mistakes + int((held != positive).sum())
    return replace(
        s,
        S=S,
        before=before,
        current=int(rows[-1]),
        seen=len(given.stream),
        mistakes=mistakes,
        errors=given.wrong(S),
    )
