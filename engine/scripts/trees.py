"""Trees of classes and of values."""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import (
    Body,
    ScriptRun,
    Writer,
    block,
    indented,
    join_blocks,
    listing,
    refuse,
)

IMPURITIES = {
    "gini": "return 1 - np.sum(p**2)",
    "gain": "return -np.sum(p * np.log2(np.where(p > 0, p, 1)))  # bits",
}


def decision_tree(run: ScriptRun) -> Body:
    p, problem = run.p, run.problem
    if problem.has_gaps:
        refuse(
            "A decision tree with missing values has no counterpart in numpy or scikit-learn: fill them or drop the rows."
        )
    if p.stop == "nodes":
        refuse(
            "A tree that grows level by level up to a number of nodes has no counterpart: choose another way to stop."
        )
    words = {j: len(f.categories) for j, f in enumerate(problem.features) if not f.numeric}
    plain = all(many == 2 for many in words.values())
    simple = (
        p.prune == "none"
        and p.importance != "ratio"
        and (p.stop in ("pure", "size") or (p.stop == "depth" and p.depth))
    )
    return _by_sklearn(run) if plain and simple else _by_hand(run, words)


def _by_sklearn(run: ScriptRun) -> Body:
    p = run.p
    options = ['criterion="gini"' if p.importance == "gini" else 'criterion="entropy"']
    options += [f"max_depth={p.depth}"] if p.stop == "depth" else []
    options += [f"min_samples_split={max(2, p.size)}"] if p.stop == "size" else []
    code = join_blocks(f"""
        model = DecisionTreeClassifier({", ".join(options)}, random_state=SEED).fit(X, y)


        def decide(X):
            return model.predict(X)
    """)
    return Body(
        code,
        imports=("from sklearn.tree import DecisionTreeClassifier, export_text",),
        model=(
            "print(export_text(model, feature_names=[str(name) for name in NAMES]))"
            if _same_columns(run)
            else "print(export_text(model))",
        ),
        differs=(
            "Tests of equal importance: the lab takes the first in the order of the table, scikit-learn one drawn by "
            "random_state.",
            "scikit-learn compares numbers of 32 bits, the lab of 64.",
        ),
        share=0.6,
    )


def _same_columns(run: ScriptRun) -> bool:
    """Whether NAMES are those of the prepared columns."""
    made = run.problem.made_of
    return made is None or not made.transforms


def _by_hand(run: ScriptRun, words: Mapping[int, int]) -> Body:
    p = run.p
    stops = {
        "entropy": f" or impurity(y[rows]) < {p.entropy}",
        "size": f" or len(rows) < {p.size}",
        "depth": f" or depth >= {p.depth}",
    }
    held_out = p.prune == "held-out"
    code = join_blocks(
        _tests(p),
        f"""


        def grow(rows, depth{", test" if held_out else ""}):
            \"\"\"A label, or (column, point, branches).\"\"\"
            label = np.bincount(y[rows], minlength=len(CLASSES)).argmax()
            if len(np.unique(y[rows])) == 1{stops.get(p.stop, "")}:
                return label
            best, chosen = -np.inf, None
            for j, point in candidates(rows):
                worth = importance(rows, way(j, point, X[rows, j]))
                if worth > best + 1e-9:  # of equals the first
                    best, chosen = worth, (j, point)
            if chosen is None{f" or best <= {p.least_gain} + 1e-9" if p.stop == "no-gain" else ""}:
                return label
            j, point = chosen
            width = WORDS[j] if point is None else 2
        """,
        _children(p),
        """


        def answer(node, x):
            while isinstance(node, tuple):
                j, point, children = node
                node = children[way(j, point, x[j])]
            return node


        """,
        f"TREE = grow(np.arange(len(X)), 0{', np.arange(len(X_test))' if held_out else ''})",
        """


        def decide(X):
            return np.array([answer(TREE, x) for x in X], dtype=int)
        """,
    )
    imports = ("from scipy.stats import chi2",) if p.prune == "chi2" else ()
    why = "scikit-learn's trees have two branches for each test and know no words; so this is plain numpy."
    by_lot = ("Of equal tests or equal counts the lab draws one here, the script takes the first.",)
    return Body(
        code,
        (("WORDS", dict(words)),),
        imports,
        model=("print(TREE)",),
        differs=(why, *(by_lot if "random" in (p.ties, p.plurality) else ())),
        share=0.4 if "random" in (p.ties, p.plurality) else 1.0,
        held_out=held_out,
    )


def _tests(p: Any) -> str:
    """Every test of a node, and what it is worth."""
    return block(f"""
        def impurity(codes):
            p = np.bincount(codes) / len(codes)
            {IMPURITIES["gini" if p.importance == "gini" else "gain"]}


        def way(j, point, x):
            \"\"\"The branch of each value of column j: its category, or 0 and 1.\"\"\"
            if point is None:
                return x.astype(int)
            return (x == point if j in WORDS else x > point).astype(int)


        def candidates(rows):
            \"\"\"Every test: (column, point); no point: a branch for each category.\"\"\"
            for j in range(X.shape[1]):
                x = X[rows, j]
                if j in WORDS:
                    yield from {"((j, v) for v in range(WORDS[j]))" if p.subset_tests else "[(j, None)]"}
                    continue
                values = np.unique(x)
                for low, high in zip(values[:-1], values[1:], strict=True):
                    {_where(p)}yield j, low + (high - low) / 2


        def importance(rows, branch):
            parts = [rows[branch == v] for v in np.unique(branch)]
            if len(parts) < 2:
                return -np.inf
            left = sum(len(part) * impurity(y[part]) for part in parts) / len(rows)
            gain = impurity(y[rows]) - left
            return {"gain / impurity(branch)" if p.importance == "ratio" else "gain"}
    """)


def _where(p: Any) -> str:
    """Only between neighbours of different class, where not all points are candidates."""
    if p.numeric == "all":
        return ""
    return "if len(np.unique(y[rows[(x == low) | (x == high)]])) > 1:\n" + " " * 24


def _children(p: Any) -> str:
    """The branches below a test, and whether the test stays."""
    if p.prune == "held-out":
        return indented(
            block("""
            branch, seen = way(j, point, X[rows, j]), way(j, point, X_test[test, j])
            children = [
                grow(rows[branch == v], depth + 1, test[seen == v]) if (branch == v).any() else label
                for v in range(width)
            ]
            node = j, point, children
            wrong = sum(answer(node, X_test[i]) != y_test[i] for i in test)
            return node if wrong < (y_test[test] != label).sum() else label
        """)
        )
    grown = """
        branch = way(j, point, X[rows, j])
        children = [
            grow(rows[branch == v], depth + 1) if (branch == v).any() else label
            for v in range(width)
        ]
    """
    if p.prune == "none":
        return indented(join_blocks(grown, "return j, point, children"))
    counted = "width" if p.freedom == "branches" else "len(np.unique(branch))"
    return indented(
        join_blocks(
            grown,
            f"""
        if any(isinstance(child, tuple) for child in children):
            return j, point, children
        sides = [y[rows[branch == v]] for v in range(width)]
        counts = np.array([np.bincount(side, minlength=len(CLASSES)) for side in sides])
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(rows)
        known = expected > 0
        deviation = ((counts - expected)[known] ** 2 / expected[known]).sum()
        freedom = ({counted} - 1) * (len(np.unique(y[rows])) - 1)
        proves = freedom > 0 and deviation > chi2.isf({p.significance}, freedom)
        return (j, point, children) if proves else label
    """,
        )
    )


def regression_tree(run: ScriptRun) -> Body:
    p = run.p
    words = {j: len(f.categories) for j, f in enumerate(run.problem.features) if not f.numeric}
    if p.leaf == "linear":
        refuse(
            "Leaves with lines of their own have no counterpart in scikit-learn: choose constant leaves."
        )
    if any(many > 2 for many in words.values()):
        refuse(
            "scikit-learn's regression tree knows no words: turn the columns of words into 0/1 columns."
        )
    if p.stop == "no-gain" or (p.stop == "depth" and not p.depth):
        refuse(
            "scikit-learn has no stop like this one: stop at a depth above 0, or by the examples in a leaf."
        )
    options = [
        f"min_samples_leaf={p.min_leaf}",
        *([f"max_depth={p.depth}"] if p.stop == "depth" else []),
        "random_state=SEED",
    ]
    code = join_blocks(
        listing("model = DecisionTreeRegressor", options, "(", ").fit(X, y)"),
        """
        def predict(X):
            return model.predict(np.asarray(X, dtype=float))
        """,
    )
    return Body(
        code,
        imports=("from sklearn.tree import DecisionTreeRegressor, export_text",),
        model=("print(export_text(model))",),
        differs=(
            "Tests that are as good: the lab takes the first of the table, scikit-learn one drawn by random_state.",
            "scikit-learn compares numbers of 32 bits, the lab of 64.",
        ),
        share=0.6,
        close=1e-4,
    )


def given_tree(run: ScriptRun) -> Body:
    tests = "\n".join(_tests_below(run.given.tree, 0, "    "))
    code = join_blocks(
        f'def leaf(x):\n    """The class of the leaf that row x reaches."""\n{tests}\n',
        """


        def decide(X):
            return np.array([leaf(x) for x in np.asarray(X, dtype=float)])
        """,
    )
    return Body(code, model=('print(leaf(X[0]), "is the code of the first row\'s class")',))


def _tests_below(tree: Any, node: int, margin: str) -> list[str]:
    """The lines that send x from `node` on to its leaf."""
    column, point = int(tree.column[node]), float(tree.point[node])
    if column < 0:
        return [f"{margin}return {int(tree.label[node])}"]
    lines = []
    for k, child in enumerate(tree.children(node)):
        test = f"x[{column}] == {k}" if point != point else f"x[{column}] {('<=', '>')[k]} {point}"
        lines += [f"{margin}if {test}:", *_tests_below(tree, child, margin + "    ")]
    return [*lines, f"{margin}return -1"]


WRITERS: Mapping[str, Writer] = {
    "decision_tree": decision_tree,
    "given_tree": given_tree,
    "regression_tree": regression_tree,
}
