"""How likely a bad hypothesis is still there after m examples: the sum over the bad ones, the
bound, and a count. ML 7.3.
"""

from engine.authoring import Bool, Float, Int, Rng, Work, frozen, np, short

MOST_ROWS = 1000  # of a table, which stand for its distribution
BALANCED = 0.2  # share of both labels that a concept drawn for a run has, if one of H does


def concept(says: Bool, rng: Rng) -> int:
    """The number of one of the hypotheses that say (|H|, n) of the rows: one that is neither nearly
    empty nor nearly all.
    """
    shares = says.mean(axis=1)
    balanced = np.flatnonzero((shares >= BALANCED) & (shares <= 1 - BALANCED))
    return int(rng.choice(balanced if len(balanced) else np.arange(len(says))))


def tens(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """What stands on an axis of powers of ten between two exponents."""
    step = max(1, round((high - low) / 6))
    return tuple(
        (float(k), short(10.0**k))
        for k in range(int(np.ceil(low)), int(np.floor(high)) + 1)
        if k % step == 0
    )


def union(errors: Float, examples: int) -> Float:
    """(m + 1,) Σ (1 − error)ᵐ over hypotheses with these errors (b,), after 0 to m examples."""
    m = np.arange(examples + 1)
    return np.asarray(((1 - errors)[:, None] ** m).sum(axis=0))


def bound(hypotheses: float, epsilon: float, examples: int) -> Float:
    """(m + 1,) |H| e^(−εm), after 0 to m examples. ML Theorem 7.1."""
    return np.asarray(hypotheses * np.exp(-epsilon * np.arange(examples + 1)))


def exhausted_after(wrong: Bool, drawn: Int) -> int:
    """After how many of the rows `drawn` (m,) each of the hypotheses that are `wrong` (b, n) there
    was wrong once; m + 1 never.
    """
    if not len(wrong):
        return 0
    # one more place, where the search for the first ends
    struck = np.ones((len(wrong), len(drawn) + 1), bool)
    struck[:, :-1] = wrong[:, drawn]
    return int(struck.argmax(axis=1).max()) + 1


def counted(wrong: Bool, examples: int, repeats: int, rng: Rng) -> Work[Float]:
    """(m + 1,) in which share of so many runs one of the bad hypotheses, `wrong` (b, n), was left
    after 0 to m examples.
    """
    left = np.zeros(examples + 1)
    for drawn in rng.integers(wrong.shape[1], size=(repeats, examples)):
        left[: exhausted_after(wrong, drawn)] += 1
        yield
    return frozen(left / max(1, repeats))


def least_expected(rows: int, looks: int, chance: float) -> float:
    """The mean of the least of so many shares of errors that are each one in `chance` of the rows:
    Σ P(all ≥ i) / m.
    """
    from scipy.special import bdtr  # the binomial law, summed up

    above = 1 - bdtr(np.arange(rows), rows, chance)  # P(errors > i), i = 0 … m − 1
    return float((above**looks).sum() / rows)
