"""Methods that keep the examples: nearest neighbours and the structures that find them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.scripts.body import (
    Body,
    ScriptRun,
    Writer,
    block,
    filled,
    join_blocks,
    listing,
    literal,
    refuse,
)


def nearest_neighbours(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    kept = ""
    if p.stretch and p.metric not in ("hamming", "mixed"):
        kept = f"SCALE = np.array({list(p.stretch)})"
    normalise = p.metric == "minkowski" and p.normalise
    weights = {
        "equal": '"uniform"',
        "1/d": '"distance"',
        "1/d²": "inverse_squares",
        "gaussian": "bells",
    }[p.weights]
    options = [str(given.k), f"weights={weights}", *_metric(run), 'algorithm="brute"']
    code = join_blocks(
        kept,
        "MEAN, SPREAD = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)"
        if normalise
        else "",
        f"""


        def place(X):
            \"\"\"Where rows lie in the space in which distances are taken.\"\"\"
            X = np.asarray(X, dtype=float)
            return {_placed(bool(kept), normalise)}


        """,
        INVERSE if p.weights == "1/d²" else "",
        BELLS.replace("<sigma>", repr(p.sigma)) if p.weights == "gaussian" else "",
        _distance(run),
        listing("model = KNeighborsClassifier", options, "(", ").fit(place(X), y)"),
        AGREED
        if p.disagree != "vote"
        else """


        def decide(X):
            return model.predict(place(X))
        """,
    )
    return Body(
        code,
        imports=("from sklearn.neighbors import KNeighborsClassifier",),
        model=(f'print("{given.k} of", len(X), "stored rows vote")',),
        differs=(
            "Equal votes: the lab takes the class of the nearer neighbour, scikit-learn the first class.",
            "Equal distances: distances are compared to 9 digits in the lab, where the row that comes first in the table is taken.",
        ),
        share=0.75,
    )


def _placed(stretched: bool, normalise: bool) -> str:
    placed = "(X - MEAN) / SPREAD" if normalise else "X"
    return f"{placed} * SCALE" if stretched else placed


def _metric(run: ScriptRun) -> list[str]:
    p = run.p
    if p.metric == "hamming":
        return ['metric="hamming"'] + [
            f'metric_params={{"w": np.array({literal(list(p.stretch))})}}'
        ] * bool(p.stretch)
    if p.metric == "mahalanobis":
        return ['metric="mahalanobis"', 'metric_params={"VI": np.linalg.inv(np.cov(place(X).T))}']
    if p.metric in ("kernel", "mixed", "jaccard", "cosine"):
        return ["metric=distance"]
    return ['metric="chebyshev"' if p.p == float("inf") else f"p={p.p}"]


def _distance(run: ScriptRun) -> str:
    """The code of `distance(a, b)`, where scikit-learn has none that is the same; else ""."""
    p, space = run.p, run.given.space
    if p.metric == "kernel":
        return _kernel(p)
    if p.metric == "mixed":
        scale = np.zeros(run.problem.d)
        scale[space.kept] = space.scale
        words = [not feature.numeric for feature in run.problem.features]
        return join_blocks(
            listing("SCALE = np.array", map(repr, scale.tolist()), "([", "])"),
            listing("WORDS = np.array", map(repr, words), "([", "])"),
            MIXED,
        )
    return {"jaccard": JACCARD, "cosine": COSINE}.get(p.metric, "")


def _kernel(p: Any) -> str:
    formula = {
        "quadratic": "(a @ b) ** 2",
        "polynomial": f"(1 + a @ b) ** {p.degree}",
        "rbf": f"np.exp(-{p.gamma} * ((a - b) ** 2).sum())",
    }[p.kernel]
    return f"""
    def kernel(a, b):
        return {formula}


    def distance(a, b):
        \"\"\"How far apart the kernel sees two rows.\"\"\"
        return np.sqrt(max(kernel(a, a) - 2 * kernel(a, b) + kernel(b, b), 0.0))
    """


INVERSE = """
def inverse_squares(distances):
    \"\"\"1/d²; where a row lies exactly at the place, only such rows vote.\"\"\"
    exact = distances == 0
    return np.where(exact.any(axis=1, keepdims=True), exact, 1 / np.where(exact, 1, distances) ** 2)


"""
BELLS = """
def bells(distances):
    \"\"\"e^(−d²/σ²).\"\"\"
    return np.exp(-((distances / <sigma>) ** 2))


"""
MIXED = """


def distance(a, b):
    \"\"\"Numbers as shares of their range, words 0 or 1.\"\"\"
    return (np.where(WORDS, a != b, np.abs(a - b)) * SCALE).sum()


"""
JACCARD = """
def distance(a, b):
    \"\"\"1 less the share of the ones that both have.\"\"\"
    either = np.maximum(a, b).sum()
    return 1 - np.minimum(a, b).sum() / either if either else 0.0


"""
COSINE = """
def distance(a, b):
    \"\"\"The angle in degrees, 90 from a row of zeros to others.\"\"\"
    sizes = np.sqrt(a @ a), np.sqrt(b @ b)
    if max(sizes) == 0:
        return 0.0
    a, b = (z / (size or 1.0) for z, size in zip((a, b), sizes, strict=True))
    return np.degrees(2 * np.arctan2(np.sqrt(((a - b) ** 2).sum()), np.sqrt(((a + b) ** 2).sum())))


"""
AGREED = """


def decide(X):
    \"\"\"The class of all neighbours, −1 where they disagree.\"\"\"
    codes = y[model.kneighbors(place(X), return_distance=False)]
    return np.where((codes == codes[:, :1]).all(axis=1), codes[:, 0], -1)
"""


def table_lookup(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    if any(one.tests for one in given.compared):
        refuse(
            "Table lookup by rules has no script: compare by columns alone, or leave “Columns compared” empty."
        )
    numeric = [j for j in given.kept.tolist() if run.problem.features[j].numeric]
    rounds = bool(p.rounding and numeric)
    default = "np.bincount(y).argmax()" if p.default == "commonest" else "-1"
    code = join_blocks(
        listing("COMPARED = ", map(str, given.kept.tolist())),
        listing("NUMBERS = ", map(str, numeric)) if rounds else "",
        filled(
            """
            def key(x):
                x = x.copy()
                <rounding>
                return tuple(x[COMPARED] + 0.0)


            table = {}
            for x, label in zip(X, y, strict=True):
                table.setdefault(key(x), []).append(label)
            """,
            rounding=f"x[NUMBERS] = np.floor(x[NUMBERS] / {p.rounding} + 0.5)" if rounds else "",
        ),
        COMMONEST if p.majority else FIRST,
        f"DEFAULT = {default}  # the answer for what was never seen",
        """
        def decide(X):
            return np.array([says(table[key(x)]) if key(x) in table else DEFAULT for x in X], int)
        """,
    )
    model = ('print(len(table), "different rows in the table")',)
    return Body(code, model=model)


COMMONEST = """
def says(labels):
    counts = np.bincount(labels)
    return counts.argmax() if (counts == counts.max()).sum() == 1 else -1  # a tie has no answer
"""
FIRST = """
def says(labels):
    return labels[0]
"""


def kd_tree(run: ScriptRun) -> Body:
    widest = run.p.axis == "widest"
    first = "np.argmax(np.ptp(X[rows], axis=0))" if widest else "depth % X.shape[1]"
    code = block(f"""
        def grow(rows, depth=0):
            \"\"\"The rows of a leaf, or (column, point, the side up to the point, the other side).\"\"\"
            if len(rows) <= LEAF_SIZE:
                return rows.tolist()
            first = {first}
            for step in range(X.shape[1]):
                j = (first + step) % X.shape[1]
                values = np.sort(X[rows, j])
                if values[0] == values[-1]:
                    continue  # equal here: the next column
                point = values[(len(values) - 1) // 2]  # the lower median
                if point == values[-1]:
                    point = values[values < point][-1]  # nothing would lie above it: a smaller one
                below = X[rows, j] <= point
                return int(j), float(point), grow(rows[below], depth + 1), grow(rows[~below], depth + 1)
            return rows.tolist()  # equal in every column


        tree = grow(np.arange(len(X)))
    """)
    differs = (
        "scikit-learn's KDTree keeps at least LEAF_SIZE rows in a leaf and always takes the widest column.",
    )
    return Body(
        code,
        (("LEAF_SIZE", run.p.leaf_size),),
        model=("print(tree)",),
        differs=differs,
        answers=False,
    )


def _nearest(run: ScriptRun, options: str, title: str) -> Body:
    """A search whose answer is that of a plain scan."""
    code = join_blocks(
        listing("QUERY = np.array", [literal(run.given.query.tolist())], "(", ")"),
        f"""
        search = NearestNeighbors(n_neighbors=K, algorithm="{options}").fit(X)
        distances, rows = search.kneighbors(QUERY[None])
        """,
    )
    return Body(
        code,
        (("K", int(run.given.k)),),
        ("from sklearn.neighbors import NearestNeighbors",),
        ('print("nearest rows, from 0:", rows[0])', 'print("distances:", distances[0])'),
        (
            title,
            "Of rows that are equally far the lab keeps the one that comes first in the table.",
        ),
        answers=False,
    )


def kd_search(run: ScriptRun) -> Body:
    return _nearest(
        run,
        "kd_tree",
        "scikit-learn's tree takes the widest column and has leaves of 30 rows; the answer is the same.",
    )


def va_file(run: ScriptRun) -> Body:
    if run.p.test != "bounds":
        refuse(
            "The VA file by the query's own cell errs on purpose and has no counterpart: choose candidates by bounds."
        )
    return _nearest(
        run,
        "brute",
        "A VA file saves reading, and by bounds it finds what a scan of all rows finds: here is the scan.",
    )


def lsh(run: ScriptRun) -> Body:
    given, p = run.given, run.p
    bits = given.bitwise
    many = [given.many(r) for r in given.radii]
    draw = LSH_BITS if bits else LSH_LINES
    far = "np.abs(X - QUERY).sum(axis=1)" if bits else "np.sqrt(((X - QUERY) ** 2).sum(axis=1))"
    code = join_blocks(
        listing("QUERY = np.array", [literal(given.query.tolist())], "(", ")"),
        "rng = np.random.default_rng(SEED)",
        draw,
        f"""
        distance = {far}
        met = np.zeros(len(X), dtype=bool)
        for radius, m in RADII:  # every radius has tables of its own
            tables = [drawn(m, radius) for _ in range(TABLES)]
            for table in tables:
                met |= table
            candidates = np.flatnonzero(met)
            nearest = candidates[np.argsort(distance[candidates], kind="stable")[:K]]
            if (distance[nearest] <= FACTOR * radius * (1 + 1e-9)).sum() >= K:
                break
        """,
    )
    settings = (
        ("K", int(given.k)),
        ("TABLES", p.tables),
        ("FACTOR", p.factor),
        ("RADII", list(zip(given.radii, many, strict=True))),
    )
    model = (
        'print("nearest of the rows met, from 0:", nearest)',
        'print("rows met:", met.sum(), "of", len(X))',
    )
    return Body(code, settings, model=model, answers=False)


LSH_BITS = """
def drawn(m, radius):
    \"\"\"Which rows agree with the query in m random columns of 0 and 1.\"\"\"
    columns = np.sort(rng.choice(X.shape[1], m, replace=False))
    return (X[:, columns] == QUERY[columns]).all(axis=1)
"""
LSH_LINES = """
def drawn(m, radius):
    \"\"\"Which rows lie in the strips of the query across m random lines.\"\"\"
    lines = rng.normal(size=(m, X.shape[1]))
    lines /= np.linalg.norm(lines, axis=1, keepdims=True)
    offsets = 2 * radius * rng.random(m)
    strips = np.floor((X @ lines.T + offsets) / (2 * radius))
    return (strips == np.floor((lines @ QUERY + offsets) / (2 * radius))).all(axis=1)
"""


def voronoi_diagram(run: ScriptRun) -> Body:
    plane = list(run.problem.plane)
    upright = run.problem.regress and len(plane) == 1
    if len(plane) < 2 and not upright:
        refuse(
            "The sites of this Voronoi diagram lie on a line: sort them, and the middles between neighbours are its edges."
        )
    sites = f"np.column_stack([X[:, {plane[0]}], y])" if upright else f"X[:, {plane}]"
    code = join_blocks(f"""
        places = {sites}
        sites, first = np.unique(places, axis=0, return_index=True)  # copies have no cell
        edges = sorted(tuple(sorted(map(int, first[pair]))) for pair in Voronoi(sites).ridge_points)
    """)
    return Body(
        code,
        imports=("from scipy.spatial import Voronoi",),
        model=(
            'print(len(edges), "edges, between the cells of these rows, from 0:")',
            "print(edges)",
        ),
        differs=(
            "Where four cells meet in one corner, scipy may count an edge of length 0 between two of them.",
            "scipy needs three sites that do not lie on one line.",
        ),
        answers=False,
    )


WRITERS: Mapping[str, Writer] = {
    "nearest_neighbours": nearest_neighbours,
    "table_lookup": table_lookup,
    "kd_tree": kd_tree,
    "kd_search": kd_search,
    "va_file": va_file,
    "lsh": lsh,
    "voronoi_diagram": voronoi_diagram,
}
