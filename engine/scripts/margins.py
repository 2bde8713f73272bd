"""Margins and kernels: the support vector machine, the kernel perceptron."""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import Body, ScriptRun, Writer, join_blocks, listing
from engine.scripts.linear import SIGN

HARD = 1e10  # the cost that stands for a hard margin


def svm(run: ScriptRun) -> Body:
    p = run.p
    hard = float("inf") == p.C
    kernels = {
        "linear": ['kernel="linear"'],
        "quadratic": ['kernel="poly"', "degree=2", "gamma=1", "coef0=0"],
        "polynomial": ['kernel="poly"', f"degree={p.degree}", "gamma=1", "coef0=1"],
        "rbf": ['kernel="rbf"', f"gamma={p.gamma}"],
    }
    options = [*kernels[p.kernel], f"C={HARD if hard else p.C}", f"tol={p.tolerance}"]
    code = join_blocks(
        listing("model = SVC", options, "(", ").fit(X, y)"),
        """


        def decide(X):
            s = -model.decision_function(X)  # above 0: the first class
            return np.where(np.abs(s) < 1e-9, -1, np.where(s > 0, 0, 1))
        """,
    )
    differs = [
        "Both solve the same problem pair by pair, to the tolerance; b is taken midway between what the margins ask for, in "
        "scikit-learn as the mean over the free support vectors.",
        "C counts alike in both: the cost of a unit of slack, summed over the rows (in other places of scikit-learn it is "
        "1/λ).",
    ]
    if hard:
        differs.append(
            "A hard margin, C = ∞, is C = 10¹⁰ here; where it does not exist both give up somewhere."
        )
    return Body(
        code,
        imports=("from sklearn.svm import SVC",),
        model=(
            'print("support vectors, from 0:", model.support_)',
            'print("b =", -model.intercept_)',
        ),
        differs=tuple(differs),
        share=0.75,
        score="-model.decision_function(X)",
    )


def kernel_code(p: Any) -> str:
    """The code of a function kernel(A, B) that returns the kernel of all pairs of rows, (n, m)."""
    formula = {
        "linear": "A @ B.T",
        "quadratic": "(A @ B.T) ** 2",
        "polynomial": f"(1 + A @ B.T) ** {p.degree}",
        "rbf": f"np.exp(-{p.gamma} * ((A[:, None] - B) ** 2).sum(axis=2))",
    }[p.kernel]
    return f"""
    def kernel(A, B):
        \"\"\"Of each row of A with each row of B.\"\"\"
        return {formula}
    """


def kernel_perceptron(run: ScriptRun) -> Body:
    learned = run.p.threshold == "learned"
    code = join_blocks(
        SIGN,
        kernel_code(run.p),
        f"""
        K = kernel(X, X){" + 1" if learned else ""}
        reach = np.sqrt(np.diag(K)) * np.sqrt(np.diag(K).max())  # what a mistake changes a score by at most
        reach = np.where(reach > 0, reach, 1.0)
        counts = np.zeros(len(X))  # mistakes made about each row
        ends = set()
        for _ in range(ROUNDS):
            before = counts.copy()
            for i in range(len(X)):
                terms = counts * sign * K[:, i]
                if sign[i] * terms.sum() <= 1e-12 * np.abs(terms).sum():
                    counts[i] += 1
            end = tuple(np.round((counts * sign) @ K / reach, 9) + 0.0)
            if (counts == before).all() or end in ends:
                break  # no mistake; or these scores ended an earlier round: all repeats itself
            ends.add(end)


        def decide(X_new):
            terms = (counts * sign)[:, None] * (kernel(X, X_new){" + 1" if learned else ""})
            s, size = terms.sum(axis=0), np.abs(terms).sum(axis=0)
            s = np.where(np.abs(s) <= 1e-12 * size, 0.0, s)
            return np.where(s > 0, 0, np.where(s < 0, 1, -1))
        """,
    )
    return Body(
        code,
        (("ROUNDS", run.p.rounds),),
        model=('print("mistakes about each row:", counts)',),
        share=0.99,
    )


WRITERS: Mapping[str, Writer] = {"svm": svm, "kernel_perceptron": kernel_perceptron}
