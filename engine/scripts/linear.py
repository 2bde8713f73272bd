"""Linear learners: perceptrons, Winnow, logistic regression, hinge loss. They are plain numpy, with the draws of the lab."""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import Asked, Body, Writer, indented, joined, listing, literal

ROUNDS = 1000  # where no number of rounds is set, see engine/numerics/mistakes.py
SCORE = '''


    def score(w, A):
        """w · x for each row; what only rounding keeps from being 0 is 0."""
        exact = 1e-12 * np.abs(A) @ (np.abs(w) + REACH)
        return np.where(np.abs(A @ w) <= exact, 0.0, A @ w)


'''
SIGN = "sign = np.where(y == 0, 1, -1)  # of two classes the first is the positive one"


def perceptron(asked: Asked) -> Body:
    p = asked.p
    fires = p.rule == "aima"
    random = p.order == "random" or (p.order == "by rule" and fires)
    order = "rng.permutation(len(A))" if random else "range(len(A))"
    wrong = "(score(w, A[i]) >= 0) != (sign[i] > 0)" if fires else "sign[i] * score(w, A[i]) <= 0"
    extra = "" if p.threshold == "zero" else ("1" if fires else "-1")
    code = joined(
        extended(extra),
        SIGN,
        "REACH = RATE * np.abs(A).max(axis=0, initial=0)  # what one mistake changes at most",
        SCORE,
        decide(fires),
        start(p.start),
        "rng = np.random.default_rng(SEED)" if random else "",
        "counts, ends, visits = [], {tuple(np.round(w / np.where(REACH > 0, REACH, 1.0), 9) + 0.0)}, 0",
        f"""
        for {"t" if p.schedule == "1/(1+ct)" else "_"} in range(ROUNDS):
            mistakes = 0
            for i in {order}:
                visits += 1
                if {wrong}:
                    w = w + {rate(p)} * sign[i] * A[i]
                    mistakes += 1
        """,
        indented(_ends(p, random)),
    )
    return Body(
        code,
        (("RATE", p.rate), ("ROUNDS", p.rounds or ROUNDS)),
        model=('print("w =", w)',),
        held_out=p.stop.startswith("test"),
        differs=(
            "scikit-learn's Perceptron shuffles the rows by draws of its own, and stops by a tolerance; so this is plain numpy.",
        ),
    )


def _ends(p: Any, random: bool) -> str:
    """When the rounds are over."""
    stop = ["if mistakes == 0:", "    break"]
    if p.stop.endswith("stop changing"):
        rows = ("X_test", "y_test") if p.stop.startswith("test") else ("X", "y")
        stop += [
            f"counts.append((decide({rows[0]}) != {rows[1]}).sum())",
            f"if len(counts) >= {p.patience} and len(set(counts[-{p.patience}:])) == 1:",
            "    break  # the errors have settled",
        ]
    if p.rounds is None and not random and p.schedule == "fixed":
        stop += [
            "end = tuple(np.round(w / np.where(REACH > 0, REACH, 1.0), 9) + 0.0)",
            "if end in ends:",
            "    break  # these weights ended an earlier round: from here on all repeats itself",
            "ends.add(end)",
        ]
    return "\n".join(stop)


def extended(extra: str) -> str:
    """The rows with the feature of a threshold or bias; "" for none."""
    if not extra:
        return """


        def extended(X):
            return np.asarray(X, dtype=float)


        A = extended(X)
        """
    what = "bias" if extra == "1" else "threshold"
    return f"""


    def extended(X):
        \"\"\"The rows with the feature {extra} of the {what}, whose weight is the last.\"\"\"
        return np.column_stack([X, np.full(len(X), {extra}.0)])


    A = extended(X)
    """


def decide(fires: bool) -> str:
    if fires:
        return """
        def decide(X):
            return np.where(score(w, extended(X)) >= 0, 0, 1)


        """
    return """
    def decide(X):
        s = score(w, extended(X))
        return np.where(s > 0, 0, np.where(s < 0, 1, -1))


    """


def start(weights: tuple[float, ...]) -> str:
    return (
        listing("w = np.array", [", ".join(map(literal, weights))], "([", "])")
        if weights
        else "w = np.zeros(A.shape[1])"
    )


def rate(p: Any) -> str:
    """The rate in round t, counted from 0, or at a visit, counted from 1."""
    return {
        "1/(1+ct)": f"RATE / (1 + {getattr(p, 'decay', 1.0)} * t)",
        "1000/(1000+t)": "RATE * 1000 / (1000 + visits)",
    }.get(p.schedule, "RATE")


LOGISTIC = """


    def logistic(z):
        return 0.5 * np.tanh(0.5 * z) + 0.5  # 1 / (1 + e^−z), without overflow


"""


def logistic_regression(asked: Asked) -> Body:
    p = asked.p
    squared = p.loss == "squared"
    factor = " * h * (1 - h)" if squared else ""
    falling = p.schedule != "fixed"
    rate_now = "RATE * 1000 / (1000 + t)" if falling else "RATE"
    if p.mode == "batch":
        learn = f"""
        for {"t" if falling else "_"} in range(STEPS):
            h = logistic(A @ w)
            before, w = w, w + {rate_now} * (((target - h){factor}) @ A)
            if not np.isfinite(w).all():
                w = before
                break
            if np.abs(w - before).max() <= 1e-9 * np.abs(w).max():
                break
        """
    else:
        learn = f"""
        rng, order = np.random.default_rng(SEED), []
        for {"t" if falling else "_"} in range(STEPS):
            order = order or rng.permutation(len(A)).tolist()
            i = order.pop(0)
            h = logistic(A[i] @ w)
            w = w + {rate_now} * (target[i] - h){factor} * A[i]
        """
    code = joined(
        LOGISTIC, extended("1"), "target = np.where(y == 0, 1.0, 0.0)  # of two classes the first is 1", start(p.start), learn,
        """


        def decide(X):
            return np.where(extended(X) @ w >= 0, 0, 1)
        """,
    )  # fmt: skip
    kind = "descends on the squared loss" if squared else "takes a fixed number of steps"
    return Body(
        code,
        (("RATE", p.rate), ("STEPS", p.steps)),
        model=('print("w =", w)',),
        differs=(
            f"scikit-learn's LogisticRegression minimises the log loss to its end, with a penalty 1/(2C)·|w|² (C=np.inf: none); "
            f"the lab {kind}, so this is plain numpy.",
            "Places whose score is 0 but for rounding may get the other label.",
        ),
        share=0.99,
    )


WRITERS: Mapping[str, Writer] = {"perceptron": perceptron, "logistic_regression": logistic_regression}
