"""Values: lines, curves, neighbours, kernels, radial units."""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import Body, ScriptRun, Writer, block, filled, join_blocks, refuse


def linear_regression(run: ScriptRun) -> Body:
    p = run.p
    if p.distance == "perpendicular":
        middle = "np.zeros(X.shape[1] + 1)" if p.through_origin else "rows.mean(axis=0)"
        code = block(f"""
            rows = np.column_stack([X, y])
            middle = {middle}
            normal = np.linalg.svd(rows - middle)[2][-1]  # the direction of least spread
            slopes = -normal[:-1] / normal[-1]
            w0 = middle[-1] - slopes @ middle[:-1]


            def predict(X):
                return w0 + np.asarray(X, dtype=float) @ slopes
        """)
        differs = (
            "scikit-learn has no line of least perpendicular distances; sklearn.decomposition.PCA finds its direction.",
        )
        return Body(code, model=('print("w =", w0, slopes)',), differs=differs)
    code = block(f"""
        model = LinearRegression(fit_intercept={not p.through_origin}).fit(X, y)


        def predict(X):
            return model.predict(np.asarray(X, dtype=float))
    """)
    return Body(
        code,
        imports=("from sklearn.linear_model import LinearRegression",),
        model=('print("w =", model.intercept_, model.coef_)',),
        differs=(
            "Where several lines are as good, as with columns that follow from one another, the lab takes the least weights with "
            "every column measured in its own spread, scikit-learn in its own unit.",
        ),
    )


def _weights_moved(update: str, rate: str, pulls: str) -> str:
    """The lines that change w by the pulls of `rows`: at once, or one weight after the other."""
    if update == "one after the other":
        return f"""
        for k in range(len(w)):  # each weight before the next one's slope is taken
            w[k] += {rate} * ({pulls} @ A[rows, k])
        """
    return f"w = w + {rate} * ({pulls} @ A[rows])"


def gradient_descent(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    batch = p.mode == "batch"
    steps = {
        "fixed": "RATE",
        "1/(1+ct)": f"RATE / (1 + {p.decay} * t)",
        "1000/(1000+t)": "RATE * 1000 / (1000 + t)",
    }
    rows = "slice(None)" if batch else "slice(order[0], order.pop(0) + 1)"
    pulls = "np.sign(y[rows] - A[rows] @ w)" if given.absolute else "(y[rows] - A[rows] @ w)"
    one = _weights_moved(p.update, steps[p.schedule], pulls)
    order = "np.arange(len(A))" if p.order == "table" else "rng.permutation(len(A))"
    bottom = "np.linalg.norm(errors @ axes) <= 1e-6 * np.linalg.norm(y - y.mean())"
    if given.absolute:
        bottom = "not (np.sign(errors) @ A).any()"

    def loss(errors: str) -> str:
        return f"np.abs({errors}).sum()" if given.absolute else f"np.square({errors}).sum()"

    code = filled(
        f"""
        A = np.column_stack([np.ones(len(X)), X])  # x₀ = 1 belongs to w₀
        <axes>
        most = 1e6 * max({loss("y - A @ START")}, {loss("y - y.mean()")}, 1e-300)
        <begin>
        w = np.array(START, dtype=float)
        for {"_" if p.schedule == "fixed" else "t"} in range(STEPS):
            <draw>
            rows = {rows}
            <one>
            errors = y - A @ w
            <round>
            if {bottom}:
                break  # at the bottom
            if {loss("errors")} > most:
                break  # the steps are too long


        def predict(X):
            return w[0] + np.asarray(X, dtype=float) @ w[1:]
        """,
        axes=""
        if given.absolute
        else """
        U, spread, _ = np.linalg.svd(A / np.linalg.norm(A, axis=0).clip(1e-300), full_matrices=False)
        axes = U[:, spread > 1e-9 * spread[0]]  # what any model of these columns could explain
        """,
        begin=""
        if batch
        else join_blocks(
            "rng = np.random.default_rng(SEED)" if p.order == "random" else "", "order = []"
        ),
        draw="" if batch else f"order = order or {order}.tolist()",
        one="\n" + one if one.startswith("\n") else one,
        round=""
        if batch
        else """
        if order:
            continue  # looked at once a round
        """,
    )
    return Body(
        code,
        (
            ("RATE", float(given.alpha(0))),
            ("START", list(given.start(p.start).tolist())),
            ("STEPS", p.steps),
        ),
        model=('print("w =", w)',),
        differs=(
            "scikit-learn's SGDRegressor shuffles by draws of its own, has a penalty and a falling rate: so this is plain numpy.",
        ),
    )


def regularised_regression(run: ScriptRun) -> Body:
    p = run.p
    n = run.given.n
    total = float(run.given.total)
    kind = "LinearRegression" if not total else "Lasso" if p.q == 1 else "Ridge"
    alpha = total / (2 * n) if p.q == 1 else total
    options = (
        f"alpha={alpha!r}, tol=1e-12, max_iter=1_000_000"
        if kind == "Lasso"
        else f"alpha={alpha!r}"
        if total
        else ""
    )
    turn = f"""
        angle = np.radians({p.turn})
        TURN = np.eye(X.shape[1])
        if X.shape[1] > 1:
            TURN[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    """
    turned = " @ TURN" if p.turn else ""
    code = join_blocks(
        turn if p.turn else "",
        f"""
        model = {kind}({options}).fit(X{turned}, y)


        def predict(X):
            return model.predict(np.asarray(X, dtype=float){turned})
        """,
    )
    how = "1/(2n) Σ (y − h)² + alpha Σ |w|" if p.q == 1 else "Σ (y − h)² + alpha Σ w²"
    loss = "1/n Σ (y − h)²" if p.loss == "mean" else "Σ (y − h)²"
    return Body(
        code,
        imports=(f"from sklearn.linear_model import {kind}",),
        model=('print("w =", model.intercept_, model.coef_)',),
        differs=(
            f"The lab makes {loss} + λ Σ |w|^{p.q} least with λ = {p.strength:g}; scikit-learn {how}: so alpha is {alpha:g}.",
            "The lab goes weight by weight until the values stand still to a millionth."
            if p.q == 1
            else "",
        )[: 2 if p.q == 1 else 1],
        close=1e-4,
    )


def polynomial_fit(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    sine = "columns.append(np.sin(x))" if p.basis == "with sine" else ""
    simplest = p.take == "simplest consistent"
    code = filled(
        f"""
        x = X[:, {given.column}]
        middle = x.max() / 2 + x.min() / 2
        half = x.max() / 2 - x.min() / 2 or 1.0


        def basis(x, degree):
            \"\"\"Chebyshev's polynomials over the data's range: as powers, with less rounding.\"\"\"
            columns = list(chebvander((x - middle) / half, degree).T)
            <sine>
            return np.column_stack(columns)


        def fitted(degree):
            A = basis(x, degree)
            b = y
            <penalty>
            size = np.linalg.norm(A, axis=0)
            size[size == 0] = 1.0
            return np.linalg.lstsq(A / size, b, rcond=None)[0] / size


        <choose>


        def predict(X):
            return basis(np.asarray(X, dtype=float)[:, {given.column}], degree) @ c
        """,
        sine=sine,
        penalty=PENALTY if p.penalty > 0 else "",
        choose=SIMPLEST if simplest else "degree = DEGREE\nc = fitted(degree)",
    )
    imports = ["from numpy.polynomial.chebyshev import chebvander"]
    settings: tuple[tuple[str, Any], ...] = (("DEGREE", p.degree),)
    if p.penalty > 0:
        imports[0] = "from numpy.polynomial.chebyshev import cheb2poly, chebvander"
        imports.append("from numpy.polynomial.polynomial import Polynomial")
        settings += (("PENALTY", p.penalty),)
    return Body(
        code,
        settings,
        tuple(imports),
        model=('print("degree", degree, "coefficients of Chebyshev\'s polynomials:", c)',),
        close=1e-4,
        differs=(
            "scikit-learn has PolynomialFeatures with LinearRegression or Ridge; its powers lose digits at high degrees.",
        ),
    )


PENALTY = """
# λ n Σ c² of the powers of x, but for c₀: the powers that each polynomial of the basis comes to
inside = Polynomial([-middle / half, 1 / half])
powers = np.zeros((A.shape[1], A.shape[1]))
for k in range(degree + 1):
    terms = Polynomial(cheb2poly([0] * k + [1]))(inside).coef
    powers[: len(terms), k] = terms
for k in range(degree + 1, A.shape[1]):
    powers[k, k] = 1  # sin x
A = np.vstack([A, np.sqrt(len(x) * PENALTY) * powers[1:]])
b = np.append(y, np.zeros(len(powers) - 1))
"""
SIMPLEST = """
spread = np.ptp(y) or np.abs(y).max() or 1.0
for degree in range(DEGREE + 1):  # the lowest degree that meets every value, else the highest
    c = fitted(degree)
    if np.abs(basis(x, degree) @ c - y).max() <= 1e-6 * spread:
        break
"""


def connect_the_dots(run: ScriptRun) -> Body:
    column = run.given.model.column
    beyond = """
        if len(places) > 1:  # beyond the ends the last piece goes on straight
            slopes = np.diff(levels) / np.diff(places)
            values = np.where(q < places[0], levels[0] + slopes[0] * (q - places[0]), values)
            values = np.where(q > places[-1], levels[-1] + slopes[-1] * (q - places[-1]), values)
    """
    code = filled(
        f"""
        places, which = np.unique(X[:, {column}], return_inverse=True)
        levels = np.bincount(which, y) / np.bincount(which)  # the mean where several rows lie


        def predict(X):
            q = np.asarray(X, dtype=float)[:, {column}]
            values = np.interp(q, places, levels)
            <beyond>
            return values
        """,
        beyond=beyond if run.p.outside == "extrapolate" else "",
    )
    return Body(code, model=("print(np.column_stack([places, levels]))",))


KERNELS = {
    "equal": "np.ones(len(d))",
    "1/d": "np.where(d == 0, 1.0, 0.0) if (d == 0).any() else 1 / d",
    "1/d²": "np.where(d == 0, 1.0, 0.0) if (d == 0).any() else 1 / d**2",
    "gaussian": "np.exp((d.min() / WIDTH) ** 2 - (d / WIDTH) ** 2)",
    "quadratic": "np.maximum(0.0, 1 - (2 * d / WIDTH) ** 2)",
}
ESTIMATES = {
    "mean": "return w @ y[near] / w.sum()",
    "median": """
        order = np.argsort(y[near], kind="stable")
        values, reached = y[near][order], np.cumsum(w[order])
        low = np.argmax(reached >= reached[-1] / 2 * (1 - 1e-12))
        high = np.argmax(reached > reached[-1] / 2 * (1 + 1e-12))
        return (values[low] + values[high]) / 2
    """,
    "line": """
        w = np.where(w >= 1e-12 * w.max(), w, 0.0)
        mean, level = w @ X[near] / w.sum(), w @ y[near] / w.sum()
        away = (X[near] - mean) * np.sqrt(w)[:, None]  # a line of least Σ w (y − h)²
        size = np.linalg.norm(away, axis=0)
        reach = np.abs(X[near] - q)[w > 0].max(axis=0)
        if (size <= 1e-13 * np.sqrt(w.sum()) * reach).any():
            return level  # they settle no line
        slopes, _, rank, _ = np.linalg.lstsq(away / size, (y[near] - level) * np.sqrt(w), rcond=1e-5)
        return level + (q - mean) @ (slopes / size) if rank == len(size) else level
    """,
    "quadratic": """
        gaps = X[near] - q
        one, other = np.triu_indices(gaps.shape[1])
        bent = np.column_stack([gaps, gaps[:, one] * gaps[:, other]])
        return settled(y[near], w, bent, gaps)
    """,
}
SETTLED = """
def settled(y, w, *models):
    \"\"\"h(q) by the first of these models of least Σ w (y − h)² that the rows settle.\"\"\"
    w = np.where(w >= 1e-12 * w.max(), w, 0.0)
    root, level = np.sqrt(w), w @ y / w.sum()
    for A in models:
        mean = w @ A / w.sum()
        away = (A - mean) * root[:, None]
        size, reach = np.linalg.norm(away, axis=0), np.abs(A)[w > 0].max(axis=0)
        if (size > 1e-13 * np.sqrt(w.sum()) * reach).all():
            b, _, rank, _ = np.linalg.lstsq(away / size, (y - level) * root, rcond=1e-5)
            if rank == len(size):
                return level - mean @ (b / size)
    return level


"""


def smoother(run: ScriptRun) -> Body:
    rule = run.given.rule
    if rule.updates:
        refuse(
            "By gradient each query takes many updates to come near what is solved at one stroke: choose “solved” for a script."
        )
    near = (
        f'near = np.argsort(d.round(9), kind="stable")[:{rule.k}]'
        if rule.k
        else "near = np.arange(len(y))"
    )
    alone = (
        ""
        if rule.kernel != "quadratic"
        else """
        if w.max() == 0:
            w[d.argmin()] = 1.0  # no row is inside the window: the nearest counts
    """
    )
    code = filled(
        f"""
        def estimate(q):
            \"\"\"The value at one place, by the rows near it.\"\"\"
            d = np.sqrt(((X - q) ** 2).sum(axis=1))
            {near}
            d = d[near]
            w = {KERNELS[rule.kernel]}
            <alone>
            <value>


        def predict(X):
            return np.array([estimate(q) for q in np.asarray(X, dtype=float)])
        """,
        alone=alone,
        value=ESTIMATES[rule.estimate],
    )
    settings = (("WIDTH", float(rule.width)),) if "WIDTH" in code else ()
    rounded = "d.round(9)" in code
    return Body(
        (SETTLED if rule.estimate == "quadratic" else "") + code,
        settings,
        model=('print(len(X), "stored rows answer")',),
        differs=(
            "Rows that are equally far: the lab compares distances to 9 figures, the script to 9 decimals.",
        )
        if rounded
        else (),
        share=0.97,
    )


def neighbour_regression(run: ScriptRun) -> Body:
    p = run.p
    if p.estimate != "mean" or p.weights == "1/d²":
        return smoother(run)
    weights = '"uniform"' if p.weights == "equal" else '"distance"'
    code = block(f"""
        model = KNeighborsRegressor(min({p.k}, len(X)), weights={weights}, algorithm="brute").fit(X, y)


        def predict(X):
            return model.predict(np.asarray(X, dtype=float))
    """)
    return Body(
        code,
        imports=("from sklearn.neighbors import KNeighborsRegressor",),
        model=('print(len(X), "stored rows answer")',),
        differs=(
            "Rows that are equally far: the lab takes the first of the table, scikit-learn any of them.",
        ),
        share=0.8,
    )


def rbf_network(run: ScriptRun) -> Body:
    p = run.p
    random_centres = p.centres in ("k-means", "random")
    if p.centres == "by hand":
        first = "centres = np.array(PLACES, dtype=float).reshape(-1, X.shape[1])"
    elif random_centres:
        first = """
        centres = np.unique(X, axis=0)
        if K < len(centres):
            rng = np.random.default_rng(SEED)
            centres = centres[np.sort(rng.choice(len(centres), K, replace=False))]
        """
    else:
        first = "centres = np.unique(X, axis=0)"
    far = "WIDTH or widest / np.sqrt(2 * len(centres)) or alone"
    widest = "widest = far[np.isfinite(far)].max(initial=0)" if p.widths == "one for all" else ""
    near = "np.where(np.isfinite(far.min(axis=1)), far.min(axis=1), alone) * (WIDTH or 0.7)"
    one = p.widths == "one for all"
    code = filled(
        f"""
        <first>
        <heaps>
        far = np.sqrt(((centres[:, None] - centres) ** 2).sum(axis=2))
        far[far <= 1e-100] = np.inf  # a centre is none beside itself
        alone = np.sqrt(((X[:, None] - centres) ** 2).sum(axis=2).mean()) or 1.0
        <widest>
        widths = {f"np.full(len(centres), {far})" if one else near}


        def answers(X):
            \"\"\"What the units say of rows, 1 first: e^(−|x − μ|² / 2σ²).\"\"\"
            squares = ((X[:, None] - centres) ** 2).sum(axis=2)
            return np.column_stack([np.ones(len(X)), np.exp(-squares / (2 * widths**2))])


        A = answers(X)
        <fit>


        def predict(X):
            return answers(np.asarray(X, dtype=float)) @ w
        """,
        first="\n" + block(first) if first.startswith("\n") else first,
        widest=widest,
        heaps=HEAPS if p.centres == "k-means" else "",
        fit=DESCENT.replace(
            "<rate>", repr(p.rate) if p.rate else "1 / np.linalg.norm(A, 2) ** 2"
        ).replace("<steps>", str(p.steps))
        if p.fit == "descent"
        else "w = np.linalg.lstsq(A, y, rcond=1e-12)[0]",
    )
    settings: list[tuple[str, Any]] = [("WIDTH", p.width)]
    settings += [("K", p.k)] if random_centres else []
    settings += [("PLACES", list(p.places))] if p.centres == "by hand" else []
    return Body(
        code,
        tuple(settings),
        model=('print("centres:", centres)', 'print("widths:", widths)', 'print("w =", w)'),
        close=1e-4,
        differs=(
            "Where several weights are as good the least ones are taken, which may differ by rounding.",
        ),
        share=0.9,
    )


HEAPS = """
for _ in range(100):  # k-means: every centre to the mean of its rows
    nearest = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    own = [X[nearest == k] for k in range(len(centres))]
    means = [part.mean(axis=0) if len(part) else c for part, c in zip(own, centres, strict=True)]
    still = np.array_equal(means, centres)
    centres = np.array(means)
    if still:
        break
"""
DESCENT = """
rate = <rate>
U, spread, _ = np.linalg.svd(A / np.linalg.norm(A, axis=0), full_matrices=False)
axes = U[:, spread > 1e-9 * spread[0]]
w = np.zeros(A.shape[1])
for _ in range(<steps>):
    w = w + rate * ((y - A @ w) @ A)
    if np.linalg.norm((y - A @ w) @ axes) <= 1e-6 * np.linalg.norm(y - y.mean()):
        break  # at the bottom
"""

WRITERS: Mapping[str, Writer] = {
    "linear_regression": linear_regression,
    "gradient_descent": gradient_descent,
    "polynomial_fit": polynomial_fit,
    "regularised_regression": regularised_regression,
    "connect_the_dots": connect_the_dots,
    "neighbour_regression": neighbour_regression,
    "kernel_regression": smoother,
    "locally_weighted_regression": smoother,
    "rbf_network": rbf_network,
}
