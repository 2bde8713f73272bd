"""Naive Bayes, and networks of arcs."""

from collections.abc import Mapping

from engine.scripts.body import Body, ScriptRun, Writer, filled, join_blocks, refuse
from engine.scripts.networks import none


def naive_bayes(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    numbers = [j for j, f in enumerate(run.problem.features) if f.numeric]
    exact = p.arithmetic == "fractions"
    extra = int(p.laplace)
    share, whole = "Fraction(count + EXTRA, whole)", "len(rows) + EXTRA * SIZES[j]"
    if p.m and not p.laplace:
        share, whole = "Fraction(count * SIZES[j] + M, whole)", "SIZES[j] * (len(rows) + M)"
    code = filled(
        f"""
        def values(X):
            \"\"\"Rows as numbers of values; numbers are taken to the nearer of 0 and 1.\"\"\"
            X = np.array(X, dtype=float)
            <near>
            return X.astype(int)


        # how usual each value of each column is in both classes
        shares = [[], []]
        for c in (0, 1):
            rows = values(X[y == c])
            for j in range(X.shape[1]):
                counts = np.bincount(rows[:, j], minlength=SIZES[j]).tolist()
                whole = {whole}
                shares[c].append([{share} for count in counts])


        def product(x, c):
            \"\"\"S(c): the product of the shares of a row's values.\"\"\"
            s = {"Fraction(int((y == c).sum()), len(y))" if p.prior else "Fraction(1)"}
            for j, v in enumerate(x):
                s *= shares[c][j][v]
            return s


        def decide(X):
            \"\"\"The first class where its product is larger, else the second.\"\"\"
            rows = values(X).tolist()
            return np.array([0 if product(x, 0) > product(x, 1) else 1 for x in rows], int)
        """,
        near=f"X[:, {numbers}] = X[:, {numbers}] > 0.5" if numbers else "",
    )
    differs: tuple[str, ...] = (
        "scikit-learn's CategoricalNB(alpha=1) is this with the Laplace correction and the class prior; it adds logarithms of floats.",
    )
    if not exact:
        differs += (
            "The lab computes with floats here, whose long products vanish; the script with fractions.",
        )
    return Body(
        code,
        (
            ("SIZES", list(given.sizes)),
            ("M", p.m) if p.m and not p.laplace else ("EXTRA", extra),
        ),
        ("from fractions import Fraction",),
        (
            "for c, label in enumerate(CLASSES):",
            "    print(label, [[str(s) for s in column] for column in shares[c]])",
        ),
        differs,
        1.0 if exact else 0.9,
    )


def k2_search(run: ScriptRun) -> Body:
    given, problem = run.given, run.problem
    if problem.regress or (problem.classes and not problem.labelled.all()):
        refuse("K2 needs every value, also of the target: leave out the rows without one.")
    columns = "np.column_stack([X, y])" if problem.classes else "X"
    target = problem.d if problem.classes else -1
    code = join_blocks(f"""
        rows = {columns}.astype(int)  # a column for each variable


        def counts(x, parents):
            \"\"\"How often each value of x comes with each case of its parents.\"\"\"
            cases = [SIZES[z] for z in parents]
            N = np.zeros((*cases, SIZES[x]), dtype=int)
            np.add.at(N, tuple(rows[:, [*parents, x]].T), 1)
            return N.reshape(-1, SIZES[x])


        def score(x, parents):
            \"\"\"ln of (r − 1)! Π N! / (Σ N + r − 1)! over the cases.\"\"\"
            N, r = counts(x, parents), SIZES[x]
            return sum(lgamma(r) + sum(lgamma(n + 1) for n in case) - lgamma(case.sum() + r) for case in N)


        parents = {{}}
        for place, x in enumerate(ORDER):
            own, best = [], score(x, [])
            while len(own) < MOST:
                more = [z for z in ORDER[:place] if z not in own]
                scores = [score(x, [*own, z]) for z in sorted(more, key=ORDER.index)]
                if not more or max(scores) <= best + 1e-9 * max(1.0, abs(best)):
                    break
                best = max(scores)
                own.append(more[int(np.argmax(np.array(scores) >= best - 1e-9 * max(1.0, abs(best))))])
            parents[x] = own
        arcs = sorted((z, x) for x, own in parents.items() for z in own)
    """)
    settings = (
        ("SIZES", [int(s) for s in given.sizes]),
        ("ORDER", list(given.order)),
        ("MOST", run.p.parents),
    )
    names = "variables are numbered as the columns" + (
        f", {target} is the target" if target >= 0 else ""
    )
    return Body(
        code,
        settings,
        ("from math import lgamma",),
        (f'print("arcs ({names}):", arcs)',),
        ("scikit-learn has no search for Bayesian networks: this is plain numpy.",),
        answers=False,
    )


def gaussian_bayes(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    pool = """
    variances = np.tile(np.maximum(priors @ variances, LEAST), (K, 1))
    """
    code = filled(
        """
        seen = X[y >= 0]
        means, variances = np.tile(seen.mean(axis=0), (K, 1)), np.tile(seen.var(axis=0), (K, 1))
        priors = np.array([np.mean(y[y >= 0] == c) for c in range(K)])
        for c in np.flatnonzero(priors):
            means[c], variances[c] = X[y == c].mean(axis=0), X[y == c].var(axis=0)
        variances = np.maximum(variances, LEAST)
        <pool>


        def decide(X):
            \"\"\"The class with the largest prior times densities, by logarithms.\"\"\"
            X = np.array(X, dtype=float)[:, None]
            logs = -0.5 * ((X - means) ** 2 / variances + np.log(2 * np.pi * variances))
            with np.errstate(divide="ignore"):
                return (np.log(priors) + logs.sum(axis=2)).argmax(axis=1)
        """,
        pool=pool if p.variances == "shared" else "",
    )
    return Body(
        code,
        (("K", given.k), ("LEAST", given.least.tolist())),
        (),
        ("print(means)", "print(variances)"),
        ("scikit-learn's GaussianNB is this with a least variance for all columns together.",),
        1.0,
    )


def categorical_bayes(run: ScriptRun) -> Body:
    given = run.given
    numbers = [j for j, f in enumerate(run.problem.features) if f.numeric]
    code = filled(
        """
        def values(X):
            \"\"\"Rows as numbers of values; numbers are taken to the nearer of 0 and 1.\"\"\"
            X = np.array(X, dtype=float)
            <near>
            return X.astype(int)


        rows, known = values(X[y >= 0]), y[y >= 0]
        priors = np.bincount(known, minlength=K) / len(known)
        shares = []
        for j, size in enumerate(SIZES):
            n = np.zeros((size, K))
            np.add.at(n, (rows[:, j], known), 1)
            whole = n.sum(axis=0) + M[j]
            even = np.full_like(n, 1 / size)
            shares.append(np.divide(n + M[j] / size, whole, out=even, where=whole > 0))


        def decide(X):
            \"\"\"The class with the largest prior times shares; none where all are 0.\"\"\"
            with np.errstate(divide="ignore"):
                logs = np.log(priors) + sum(np.log(s)[values(X)[:, j]] for j, s in enumerate(shares))
            near = logs >= logs.max(axis=1, keepdims=True) - 1e-9
            return np.where(np.isfinite(logs).any(axis=1), near.argmax(axis=1), -1)
        """,
        near=f"X[:, {numbers}] = X[:, {numbers}] > 0.5" if numbers else "",
    )
    settings = (
        ("K", given.k),
        ("SIZES", list(given.values)),
        ("M", [given.added(j) for j in range(run.problem.d)]),
    )
    return Body(
        code,
        settings,
        (),
        ("for s in shares:", "    print(s)"),
        ("scikit-learn's CategoricalNB(alpha=m/values) is this.",),
        1.0,
    )


WRITERS: Mapping[str, Writer] = {
    "naive_bayes": naive_bayes,
    "categorical_bayes": categorical_bayes,
    "gaussian_bayes": gaussian_bayes,
    "multinomial_bayes": none(
        "Naive Bayes for texts has no script yet: scikit-learn's CountVectorizer and MultinomialNB are the same method."
    ),
    "bayes_net_em": none(
        "EM for a Bayesian network with values that are not seen takes more than a page of numpy, and scikit-learn has nothing like it."
    ),
    "k2_search": k2_search,
    "bayes_net_gradient": none(
        "Gradient ascent for a Bayesian network with hidden values takes more than a page of numpy, and scikit-learn has nothing like it."
    ),
}
