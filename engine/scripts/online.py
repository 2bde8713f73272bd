"""Learning one example after the other: experts, a table that is filled."""

from collections.abc import Mapping

import numpy as np

from engine.scripts.body import Body, ScriptRun, Writer, filled, join_blocks, literal
from engine.scripts.networks import none
from engine.table.forecasts import forecasts


def experts(run: ScriptRun) -> Body:
    problem = run.problem
    said = []
    for j, feature in enumerate(problem.features):
        values = (
            np.arange(float(len(feature.categories)))
            if not feature.numeric
            else np.unique(problem.X[:, j])
        )
        rows = np.full((len(values), problem.d), np.nan)
        rows[:, j] = values
        codes = forecasts(problem, rows)[:, j].tolist()
        said.append(
            {
                value: code
                for value, code in zip(values.tolist(), codes, strict=True)
                if value == value
            }
        )
    lines = [
        "SAYS = [  # of each column, the expert: the number of the class that a value forecasts"
    ]
    code = join_blocks(
        *lines,
        *(f"    {literal(one)}," for one in said),
        "]",
        """


        def forecasts(X):
            return np.array([[SAYS[j].get(v, -1) for j, v in enumerate(x)] for x in X.tolist()])


        wrong = np.zeros(X.shape[1], dtype=int)  # mistakes of each expert
        for says, label in zip(forecasts(X), y, strict=True):
            wrong += says != label
        best = wrong.min()
        w = np.where(wrong == best, 1.0, 0.0) if BETA == 0 else BETA ** (wrong - best).astype(float)
        if BETA == 0 and best > 0:
            w[:] = 0.0  # all experts are out


        def decide(X):
            \"\"\"The class with most weight, the first of equals; −1 where no expert says anything.\"\"\"
            said = forecasts(np.asarray(X, dtype=float))
            votes = np.column_stack([(said == c) @ w for c in range(len(CLASSES))])
            most = votes.max(axis=1, keepdims=True)
            return np.where(most[:, 0] > 0, (votes >= most * (1 - 1e-9)).argmax(axis=1), -1)
        """,
    )
    return Body(
        code,
        (("BETA", run.p.beta),),
        model=('print("mistakes of the experts:", wrong)', 'print("weights beside the best:", w)'),
        differs=(
            "The weights follow from the experts' mistakes alone, so the script counts those; only ratios matter.",
        ),
        share=0.98,
    )


def uv_descent(run: ScriptRun) -> Body:
    p = run.p
    order = "rng.permutation(learnt)" if p.order == "random" else "learnt"
    move = "U[i], V[:, j] = u + RATE * e * v, v + RATE * e * u"
    if p.step == "printed":
        move = "U[i], V[:, j] = u + RATE * np.where(v, e / v, 0), v + RATE * np.where(u, e / u, 0)"
    share = (
        "2 * RANK * RATE"
        if p.step == "printed"
        else "RATE * ((U**2).sum() / len(U) + (V**2).sum() / V.shape[1])"
    )
    code = filled(f"""
        rng = np.random.default_rng(SEED)
        known = np.argwhere(~np.isnan(X))
        size = np.sqrt(np.nanmean(X**2))
        # some entries are held out, but for the last one of a row or a column
        rows, columns = np.bincount(known[:, 0]), np.bincount(known[:, 1])
        held = []
        for k in rng.permutation(len(known)).tolist():
            if len(held) == round({p.held} * len(known)):
                break
            i, j = known[k]
            if rows[i] > 1 and columns[j] > 1:
                held.append(k)
                rows[i] -= 1
                columns[j] -= 1
        learnt = np.delete(known, held, axis=0)
        middle, most = np.sqrt(size / RANK), 1e6 * np.sqrt(size)
        U = middle * (1 + 0.3 * rng.standard_normal((len(X), RANK)))
        V = middle * (1 + 0.3 * rng.standard_normal((RANK, X.shape[1])))
        V *= np.sign(np.nansum(X / size)) or 1.0


        def rmse(entries):
            i, j = entries.T
            return np.sqrt(np.mean((X[i, j] - (U[i] * V[:, j].T).sum(axis=1)) ** 2))


        before = rmse(learnt)
        for _ in range({p.rounds or 100_000}):
            for i, j in {order}:
                u, v = U[i].copy(), V[:, j].copy()
                e = X[i, j] - u @ v
                {move}
                if not max(np.abs(U[i]).max(), np.abs(V[:, j]).max()) < most:
                    break  # the numbers run away
            now, share = rmse(learnt), min({share}, 1.0)
            lost = not max(np.abs(U).max(), np.abs(V).max()) < most
            if lost or abs(before - now) <= 3e-4 * share * size:
                break  # the RMSE has settled, or the numbers have run away
            before = now
    """)
    model = ('print("RMSE of the entries learnt from:", rmse(learnt))', "print(U @ V)")
    return Body(code, (("RANK", p.rank), ("RATE", run.given.rate)), model=model, answers=False)


WRITERS: Mapping[str, Writer] = {
    "weighted_majority": experts,
    "randomized_weighted_majority": experts,
    "uv_descent": uv_descent,
    "active_learning": none(
        "Active learning asks for labels while it learns; a script has nothing to ask. Its learner by itself has one."
    ),
}
