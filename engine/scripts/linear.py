"""Linear learners: perceptrons, Winnow, logistic regression, hinge loss.

They are plain numpy, with the draws of the lab.
"""

from collections.abc import Mapping
from typing import Any

from engine.base.records import replace
from engine.scripts.body import (
    Body,
    ScriptRun,
    Writer,
    block,
    filled,
    indented,
    join_blocks,
    listing,
    literal,
)

ROUNDS = 1000  # where no number of rounds is set, see engine/numerics/mistakes.py
SCORE = '''


    def score(w, A):
        """w · x for each row; what only rounding keeps from being 0 is 0."""
        exact = 1e-12 * np.abs(A) @ (np.abs(w) + REACH)
        return np.where(np.abs(A @ w) <= exact, 0.0, A @ w)


'''
SIGN = "sign = np.where(y == 0, 1, -1)  # of two classes the first is the positive one"


def perceptron(run: ScriptRun) -> Body:
    p = run.p
    fires = p.rule == "aima"
    random = p.order == "random" or (p.order == "by rule" and fires)
    order = "rng.permutation(len(A))" if random else "range(len(A))"
    wrong = "(score(w, A[i]) >= 0) != (sign[i] > 0)" if fires else "sign[i] * score(w, A[i]) <= 0"
    extra = "" if p.threshold == "zero" else ("1" if fires else "-1")
    code = join_blocks(
        extended(extra),
        SIGN,
        "REACH = RATE * np.abs(A).max(axis=0, initial=0)  # what one mistake changes at most",
        SCORE,
        decide(fires),
        start(p.start),
        "rng = np.random.default_rng(SEED)" if random else "",
        "counts, ends, visits = [], {tuple(np.round(w / np.where(REACH > 0, REACH, 1.0), 9) + 0.0)}, 0",
        filled(
            f"""
            for {"t" if p.schedule == "1/(1+ct)" else "_"} in range(ROUNDS):
                mistakes = 0
                for i in {order}:
                    visits += 1
                    if {wrong}:
                        w = w + {rate(p)} * sign[i] * A[i]
                        mistakes += 1
                <ends>
            """,
            ends=_ends(p, random),
        ),
    )
    return Body(
        code,
        (("RATE", p.rate), ("ROUNDS", p.rounds or ROUNDS)),
        model=('print("w =", w)',),
        held_out=p.stop.startswith("test"),
        differs=(
            "scikit-learn's Perceptron shuffles the rows by draws of its own, and stops by a tolerance; so this is plain numpy.",
        ),
        score="score(w, extended(X))",
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
    """The code of `extended(X)` and of A = extended(X), which appends the column `extra` for a
    threshold or bias; "" appends none.
    """
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
    """The learning rate of a schedule as a Python expression, of the round `t` from 0 or the number
    of `visits` from 1.
    """
    return {
        "1/(1+ct)": f"RATE / (1 + {getattr(p, 'decay', 1.0)} * t)",
        "1000/(1000+t)": "RATE * 1000 / (1000 + visits)",
    }.get(p.schedule, "RATE")


LOGISTIC = """


    def logistic(z):
        return 0.5 * np.tanh(0.5 * z) + 0.5  # 1 / (1 + e^−z), without overflow


"""


def penalty(p: Any, rate_now: str, part: str) -> tuple[str, str]:
    """(what a ridge penalty takes off the pull, the line in which a lasso shrinks w), "" for none.

    part: of α that a step takes, " / len(A)"; the bias, the last weight of w, is not penalised
    """
    if p.penalty == "ridge":
        return f" - 2 * ALPHA{part} * w * COUNTED", ""
    if p.penalty == "lasso":
        cut = f"{rate_now} * ALPHA{part}"
        return "", f"w = w - np.clip(w, -{cut}, {cut}) * COUNTED"
    return "", ""


def strength(p: Any) -> tuple[tuple[str, Any], ...]:
    """The setting ALPHA, where there is a penalty."""
    return () if p.penalty == "none" else (("ALPHA", p.strength),)


def counted(p: Any) -> str:
    """The line that tells the penalised weights from the bias."""
    if p.penalty == "none":
        return ""
    return "COUNTED = np.append(np.ones(X.shape[1]), 0)  # the bias is not penalised"


def logistic_regression(run: ScriptRun) -> Body:
    p = run.p
    squared = p.loss == "squared"
    factor = " * h * (1 - h)" if squared else ""
    falling = p.schedule != "fixed"
    rate_now = "RATE * 1000 / (1000 + t)" if falling else "RATE"
    back, cut = penalty(p, rate_now, "" if p.mode == "batch" else " / len(A)")
    if p.mode == "batch":
        learn = f"""
        for {"t" if falling else "_"} in range(STEPS):
            h = logistic(A @ w)
            before, w = w, w + {rate_now} * (((target - h){factor}) @ A{back})
            <cut>
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
            w = w + {rate_now} * ((target[i] - h){factor} * A[i]{back})
            <cut>
        """
    code = join_blocks(
        LOGISTIC,
        extended("1"),
        "target = np.where(y == 0, 1.0, 0.0)  # of two classes the first is 1",
        counted(p),
        start(p.start),
        filled(learn, cut=cut),
        """


        def decide(X):
            return np.where(extended(X) @ w >= 0, 0, 1)
        """,
    )
    kind = "descends on the squared loss" if squared else "takes a fixed number of steps"
    return Body(
        code,
        (("RATE", run.given.base_rate), ("STEPS", p.steps), *strength(p)),
        model=('print("w =", w)',),
        differs=(
            f"scikit-learn's LogisticRegression minimises the log loss to its end, with a penalty 1/(2C)·|w|² (C=np.inf: none); "
            f"the lab {kind}, so this is plain numpy.",
            "Places whose score is 0 but for rounding may get the other label.",
        ),
        share=0.99,
        score="extended(X) @ w",
    )


WILD = 4.0  # times the automatic rate: from about twice on steps overshoot for ever
OVERSHOT = (
    "This η is so much larger than the columns bear that the steps overshoot for ever: after many of them rounding decides "
    "where they are, and the script may end elsewhere than the lab."
)


def softmax_regression(run: ScriptRun) -> Body:
    p = run.p
    falling = p.schedule != "fixed"
    rate_now = "RATE * 1000 / (1000 + t)" if falling else "RATE"
    number = "t" if falling else "_"
    whole = p.mode == "batch"
    back, cut = penalty(p, rate_now, "" if whole else " * len(rows) / len(A)")
    cut = cut.replace("w = w - np.clip(w,", "W = W - np.clip(W,")
    back = back.replace(" * w *", " * W *")
    if whole:
        learn = f"""
        for {number} in range(STEPS):
            before, W = W, W + {rate_now} * ((Y - softmax(A @ W.T)).T @ A{back})
            <cut>
            if not np.isfinite(W).all():
                W = before
                break
            if np.abs(W - before).max() <= 1e-9 * np.abs(W).max():
                break
        """
    else:
        learn = f"""
        rng, parts = np.random.default_rng(SEED), []
        for {number} in range(STEPS):
            if not parts:
                order = rng.permutation(len(A))
                parts = [order[i : i + SIZE] for i in range(0, len(A), SIZE)]
            rows = parts.pop(0)
            W = W + {rate_now} * ((Y[rows] - softmax(A[rows] @ W.T)).T @ A[rows]{back})
            <cut>
        """
    code = join_blocks(
        """


        def softmax(Z):
            terms = np.exp(Z - Z.max(axis=1, keepdims=True))
            return terms / terms.sum(axis=1, keepdims=True)


        """,
        extended("1"),
        "Y = (y[:, None] == np.arange(len(CLASSES))).astype(float)  # 1 for the own class",
        counted(p),
        "W = np.zeros((len(CLASSES), A.shape[1]))",
        filled(learn, cut=cut),
        """


        def decide(X):
            \"\"\"The class with the largest score, of equal ones the first.\"\"\"
            A = extended(X)
            scores = A @ W.T
            rounding = 2e-12 * np.abs(W).max() * np.abs(A).sum(axis=1, keepdims=True)
            return (scores >= scores.max(axis=1, keepdims=True) - rounding).argmax(axis=1)
        """,
    )
    wild = (
        p.rate is not None and p.rate > WILD * replace(run.given, p=replace(p, rate=None)).base_rate
    )
    size = () if whole else (("SIZE", run.given.together),)
    return Body(
        code,
        (("RATE", run.given.base_rate), ("STEPS", p.steps), *size, *strength(p)),
        model=("print(W)",),
        differs=(
            "scikit-learn's LogisticRegression minimises the same loss to its end, with a penalty of 1/(2C)·|W|²; "
            "the lab takes a fixed number of steps, so this is plain numpy.",
            *([OVERSHOT] if wild else []),
        ),
        share=0.0 if wild else 0.99,
    )


def winnow(run: ScriptRun) -> Body:
    p = run.p
    d = run.problem.d
    learned = p.threshold == "learned"
    decided = (
        "0 if s >= 0 else 1" if p.equality == "positive" else "0 if s > 0 else 1 if s < 0 else -1"
    )
    code = filled(
        f"""
        {SIGN}


        def score(x):
            \"\"\"w · x less the threshold, without rounding.\"\"\"
            return sum((weight * Fraction(float(v)) for weight, v in zip(w, x, strict=True) if v), -theta)


        def called(s):
            return {decided}


        def decide(X):
            return np.array([called(score(x)) for x in X], dtype=int)


        w, theta = [Fraction(1)] * X.shape[1], Fraction(FIRST)
        ends = {{(*w, theta)}}
        for _ in range(ROUNDS):
            mistakes = 0
            for x, label in zip(X, y, strict=True):
                if called(score(x)) != label:
                    mistakes += 1
                    factor = FACTOR if label == 0 else 1 / FACTOR
                    w = [weight * factor if v > 0 else weight for weight, v in zip(w, x, strict=True)]
                    <opposite>
            if mistakes == 0 or (*w, theta) in ends:
                break  # all are right; or these weights ended an earlier round: all repeats itself
            ends.add((*w, theta))
        """.replace(SIGN, ""),
        opposite="theta /= factor  # the threshold goes the opposite way" if learned else "",
    )
    model = ('print("w =", [float(weight) for weight in w], "threshold =", float(theta))',)
    code = code.replace("FACTOR", "GROWTH")
    settings = (("FIRST", 1 if learned else d), ("ROUNDS", p.rounds))
    return Body(
        f"GROWTH = Fraction({str(p.factor)!r})\n" + code,
        settings,
        ("from fractions import Fraction",),
        model,
        (
            "scikit-learn has no Winnow: this is plain Python.",
            "Places of other numbers than 0 and 1 on the line itself but for rounding.",
        ),
        0.95,
    )


OF_DISTANCES = """
size = np.linalg.norm(V[:, :-1], axis=1, keepdims=True)
size = np.where(size > 0, size, 1.0)  # scores as distances
s = scores(V / size, extended(X), REACH / size)
"""


def multiclass_perceptron(run: ScriptRun) -> Body:
    p = run.p
    learned = p.threshold == "learned"
    code = join_blocks(
        extended("-1"),
        """
        Y = np.where(y[:, None] == np.arange(len(CLASSES)), 1, -1)  # +1 for the own class
        """,
        "MOVES = np.ones(A.shape[1])"
        if learned
        else "MOVES = np.append(np.ones(X.shape[1]), 0)  # the shared threshold stays",
        """
        REACH = RATE * MOVES * np.abs(A).max(axis=0, initial=0)  # what one mistake changes at most


        def scores(V, A, reach=REACH):
            \"\"\"A row for each row of A, a column for each class; what only rounding keeps from 0 is 0.\"\"\"
            exact = 1e-12 * np.abs(A) @ np.where(V == 0, 0.0, np.abs(V) + reach).T
            return np.where(np.abs(A @ V.T) <= exact, 0.0, A @ V.T)


        def decide(X):
            \"\"\"The class with the largest score, −1 where none is above 0.\"\"\"
        """,
        indented(block(OF_DISTANCES if p.normalise else "s = scores(V, extended(X))")),
        f"""
            return np.where(s.max(axis=1) > 0, s.argmax(axis=1), -1)


        V = np.zeros((len(CLASSES), A.shape[1]))
        V[:, -1] = {0.0 if learned else p.theta}
        for _ in range(ROUNDS):
            mistakes = 0
            for i in range(len(A)):
                wrong = np.flatnonzero(Y[i] * scores(V, A[i]) <= 0)
                V[wrong] += RATE * Y[i, wrong, None] * MOVES * A[i]
                mistakes += len(wrong)
            if mistakes == 0:
                break
        """,
    )
    return Body(code, (("RATE", p.rate), ("ROUNDS", p.rounds)), model=("print(V)",))


def streaming_perceptron(run: ScriptRun) -> Body:
    p = run.p
    truth = run.given.truth
    extra = "" if p.threshold == "zero" else "-1"
    if truth is None:
        head = SIGN
        label = "sign[t]"
    else:
        label = "truth(X[t], t) * (-1 if rng.random() < NOISE else 1)"
        columns = list(truth.columns)
        turned = "np.radians(SPEED * t)"
        angle = f"np.radians(ANGLE) + {turned}" if truth.turns else "np.radians(ANGLE)"
        shift = "0.0" if truth.turns else f"1.2 * np.sin({turned})"
        head = f"""
        def truth(x, t):
            \"\"\"The class by a line that moves with every arrival: +1 or −1.\"\"\"
            angle = {angle}
            w = np.array([np.cos(angle), np.sin(angle)])[:{len(columns)}] / SPREAD
            return 1 if w @ (x[{columns}] - MIDDLE) - {shift} >= 0 else -1


        rng = np.random.default_rng(SEED)
        """
    fading = ["        w = w / (np.linalg.norm(w) or 1.0)"] if p.memory != "all" else []
    code = join_blocks(
        extended(extra),
        head,
        "REACH = RATE * np.abs(A).max(axis=0, initial=0)  # what one mistake changes at most",
        SCORE,
        decide(False),
        "w, mistakes = np.zeros(A.shape[1]), 0",
        f"""
        for t in range(len(A)):  # each row is seen once, in the order of the table
            label = {label}
            if label * score(w, A[t]) <= 0:
                w = w + RATE * label * A[t]
                mistakes += 1
        """,
        *fading,
    )
    settings: tuple[tuple[str, Any], ...] = (("RATE", p.rate),)
    if truth is not None:
        settings += (
            ("ANGLE", truth.angle),
            ("SPEED", truth.speed),
            ("NOISE", p.noise),
            ("MIDDLE", list(truth.middle.tolist())),
            ("SPREAD", list(truth.spread.tolist())),
        )
    return Body(
        code, settings, model=('print("w =", w)', 'print("mistakes when the rows came:", mistakes)')
    )


def mapreduce_perceptron(run: ScriptRun) -> Body:
    p = run.p
    local = p.combine == "average of changes"
    sign = "<" if p.zero == "agrees" and not local else "<="
    if local:
        job = """
            changes = []
            for rows in np.array_split(np.arange(len(A)), min(CHUNKS, len(A))):
                own = w  # a mapper goes a round of its own
                for i in rows:
                    if sign[i] * score(own, A[i]) <= 0:
                        own = own + RATE * sign[i] * A[i]
                changes.append(own - w)
            change = np.mean(changes, axis=0)
        """
    else:
        parts = " / max(1, wrong.sum())" if p.combine == "average" else ""
        job = f"""
            wrong = sign * score(w, A) {sign} 0  # all mappers look with the same w
            change = RATE * (sign[wrong, None] * A[wrong]).sum(axis=0){parts}
        """
    code = join_blocks(
        extended("" if p.threshold == "zero" else "-1"),
        SIGN,
        "REACH = RATE * np.abs(A).max(axis=0, initial=0)  # what one mistake changes at most",
        SCORE,
        decide(False),
        "UNIT = np.where(REACH > 0, REACH, 1.0)",
        filled(
            """
            w = np.zeros(A.shape[1])
            ends = {tuple(np.round(w / UNIT, 9) + 0.0)}
            for _ in range(ROUNDS):
                <job>
                w = np.where(np.abs(w + change) <= 1e-14 * REACH, 0.0, w + change)
                end = tuple(np.round(w / UNIT, 9) + 0.0)
                if not change.any() or end in ends:
                    break  # nothing changes, or these weights ended an earlier job: all repeats itself
                ends.add(end)
            """,
            job=job,
        ),
    )
    settings = (("RATE", p.rate), ("ROUNDS", p.rounds), *((("CHUNKS", p.chunks),) if local else ()))
    return Body(code, settings, model=('print("w =", w)',))


BAD = """
def bad(w, rows):
    \"\"\"Which of the rows do not reach the margin: y (w · x + b) < 1.\"\"\"
    near = 1e-12 * max(1.0, np.abs(A).max(axis=0) @ np.abs(w))
    return rows[sign[rows] * (A[rows] @ w) < 1 - near]


def slope(w, rows, times):
    \"\"\"Of ½ |w|² + C Σ max(0, 1 − y (w · x + b)), as these rows alone tell it.\"\"\"
    wrong = bad(w, rows)
    return w * SHRINKS - times * C * (sign[wrong, None] * A[wrong]).sum(axis=0)
"""


def hinge_descent(run: ScriptRun) -> Body:
    p = run.p
    rate_now = f"RATE / (1 + {p.decay} * round)" if p.schedule != "fixed" else "RATE"
    if p.mode == "stochastic":
        learn = f"""
        rng, order, round = np.random.default_rng(SEED), [], -1
        for _ in range(STEPS):
            if not order:
                order, round = rng.permutation(len(A)).tolist(), round + 1
            few, order = np.array(order[: {p.size}]), order[{p.size} :]
            w = w - {rate_now} * slope(w, few, len(A) / len(few))
        """
    else:
        if p.mode == "average-of-changes":
            step = f"""
            drafts = []
            for rows in np.array_split(np.arange(len(A)), {p.parts}):
                own = w  # each part goes steps of its own
                for _ in range({p.local}):
                    own = own - {rate_now} * slope(own, rows, {p.parts})
                drafts.append(own)
            before, w = w, np.mean(drafts, axis=0)
            """
        else:
            step = f"""
            before, w = w, w - {rate_now} * slope(w, np.arange(len(A)), 1)
            """
        learn = "\n" + filled(
            f"""
            for {"round" if "round" in rate_now else "_"} in range(STEPS):
                <step>
                if np.abs(w - before).max() <= 1e-9 * np.abs(w).max():
                    break  # it stands still
            """,
            step=step,
        )
    code = join_blocks(
        extended("1"),
        SIGN,
        "SHRINKS = np.ones(A.shape[1])"
        if p.penalise_b
        else "SHRINKS = np.append(np.ones(X.shape[1]), 0)",
        "REACH = RATE * C * len(A) * np.abs(A).max(axis=0)  # what a step changes at most",
        SCORE,
        decide(False),
        BAD,
        start(p.start),
        learn,
    )
    return Body(
        code,
        (("C", p.C), ("RATE", run.given.base_rate), ("STEPS", p.steps)),
        model=('print("w =", w[:-1], "b =", w[-1])',),
        differs=(
            "scikit-learn's SGDClassifier(loss='hinge') has alpha = 1/(n·C) and a falling rate of its own; LinearSVC(loss='hinge', "
            "C=C) goes to the bottom of the same loss and penalises b too. The lab takes a fixed number of steps: plain numpy.",
        ),
        share=0.98,
        score="score(w, extended(X))",
    )


WRITERS: Mapping[str, Writer] = {
    "perceptron": perceptron,
    "logistic_regression": logistic_regression,
    "softmax_regression": softmax_regression,
    "winnow": winnow,
    "multiclass_perceptron": multiclass_perceptron,
    "streaming_perceptron": streaming_perceptron,
    "mapreduce_perceptron": mapreduce_perceptron,
    "hinge_descent": hinge_descent,
}
