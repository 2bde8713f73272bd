"""Rules over columns of few values: Find-S, version spaces, greedy and exhaustive searches,
decision lists.
"""

from collections.abc import Mapping
from typing import Any

from engine.scripts.body import Body, ScriptRun, Writer, filled, join_blocks, refuse

PLAIN = "scikit-learn learns no rules of this kind: this is plain numpy."


def near(run: ScriptRun) -> str:
    """The code of `values(X)`, which rounds numeric columns to the nearer of 0 and 1."""
    numbers = [j for j, f in enumerate(run.problem.features) if f.numeric]
    change = f"X[:, {numbers}] = X[:, {numbers}] > 0.5" if numbers else ""
    return filled(
        """
        def values(X):
            \"\"\"Rows as the rules see them; numbers are taken to the nearer of 0 and 1.\"\"\"
            X = np.array(X, dtype=float)
            <change>
            return X
        """,
        change=change,
    )


WIDEN = """
def join(low, high, x):
    \"\"\"The least box round a box and a row: of words that differ none is required any more.\"\"\"
    low, high = np.minimum(low, x), np.maximum(high, x)
    wide = WORDS & (low < high)
    return np.where(wide, LEAST, low), np.where(wide, MOST, high)
"""


BORDERS = """
WORDS = np.array(WORDS)  # columns of words: a hypothesis requires one value, or none
LEAST, MOST = np.array(LEAST), np.array(MOST)  # the borders of a column without a condition
"""


def _boxes(run: ScriptRun) -> tuple[tuple[str, Any], ...]:
    words = [not f.numeric for f in run.problem.features]
    least, most = run.given.least.tolist(), run.given.most.tolist()
    return ("WORDS", words), ("LEAST", least), ("MOST", most)


def find_s(run: ScriptRun) -> Body:
    code = join_blocks(
        BORDERS,
        WIDEN,
        """
        low, high = np.full(X.shape[1], np.inf), np.full(X.shape[1], -np.inf)  # S never holds
        for x, label in zip(X, y, strict=True):
            if label == 0 and not ((low <= x) & (x <= high)).all():
                low, high = join(low, high, x)  # a positive row that S does not cover


        def decide(X):
            return np.where(((low <= X) & (X <= high)).all(axis=1), 0, 1)
        """,
    )
    return Body(
        code,
        _boxes(run),
        model=('print("S asks for values from", low, "to", high)',),
        differs=(PLAIN,),
    )


def candidate_elimination(run: ScriptRun) -> Body:
    p = run.p
    if p.answer == "random":
        refuse("A hypothesis drawn between S and G has no script: choose another answer.")
    answers = {
        "unanimous": "np.where(inside, 0, np.where(wide, -1, 1))",
        "tightest": "np.where(inside, 0, 1)",
        "loosest": "np.where(first, 0, 1)",
    }
    code = join_blocks(
        BORDERS,
        WIDEN,
        VERSION_SPACE,
        f"""
        def decide(X):
            if S is None or not G:
                return np.full(len(X), -1)
            inside = np.array([covers(S, x) for x in X])
            wide = np.array([any(holds(g, x) for g in G) for x in X])
            first = np.array([holds(G[0], x) for x in X])
            return {answers[p.answer]}
    """.replace(
            "            first = np.array([holds(G[0], x) for x in X])\n",
            ""
            if p.answer != "loosest"
            else "            first = np.array([holds(G[0], x) for x in X])\n",
        )
        .replace(
            "            wide = np.array([any(holds(g, x) for g in G) for x in X])\n",
            ""
            if p.answer != "unanimous"
            else "            wide = np.array([any(holds(g, x) for g in G) for x in X])\n",
        )
        .replace(
            "            inside = np.array([covers(S, x) for x in X])\n",
            ""
            if p.answer == "loosest"
            else "            inside = np.array([covers(S, x) for x in X])\n",
        ),
    )
    model = ('print("S:", S)', 'print(len(G), "hypotheses in G:", G)')
    return Body(code, (("LIMIT", p.limit), *_boxes(run)), model=model, differs=(PLAIN,))


VERSION_SPACE = """
def covers(box, x):
    return bool(((box[0] <= x) & (x <= box[1])).all())


def holds(g, x):
    \"\"\"A hypothesis of G holds between its borders, which it does not reach.\"\"\"
    return bool(((g[0] < x) & (x < g[1])).all())


def sides(j, x):
    \"\"\"The intervals of column j without the value of x that S allows.\"\"\"
    low, high = S[0][j], S[1][j]
    if WORDS[j]:
        values = range(int(MOST[j]) + 1) if low > high else [int(low)]
        return [(v - 0.5, v + 0.5) for v in values if v != x[j] and not low < high]
    below = [(-np.inf, x[j])] if high < x[j] else []
    return below + ([(x[j], np.inf)] if low > x[j] else [])


def within(g, h):
    return bool((h[0] <= g[0]).all() and (g[1] <= h[1]).all())


def cut(x):
    \"\"\"The widest hypotheses below those of G that do not hold at x and hold wherever S does.\"\"\"
    kept, found = [g for g in G if not holds(g, x)], []
    for j in range(len(x)):
        for low, high in sides(j, x):
            new = []
            for g in (g for g in G if holds(g, x)):
                a, b = g[0].copy(), g[1].copy()
                a[j], b[j] = max(a[j], low), min(b[j], high)
                if a[j] < b[j]:
                    new.append((a, b))
            for i, g in enumerate(new):
                others = [h for k, h in enumerate(new) if k < i or (k > i and not within(h, g))]
                if not any(within(g, h) for h in [*others, *kept]):
                    found.append(g)
    return [*kept, *found]


d = X.shape[1]
S = np.full(d, np.inf), np.full(d, -np.inf)  # never holds
G = [(np.full(d, -np.inf), np.full(d, np.inf))]  # always holds
for x, label in zip(X, y, strict=True):
    if label == 0:
        G = [g for g in G if holds(g, x)]
        if not covers(S, x) and G:
            S = join(*S, x)
    elif covers(S, x):
        S = None
    else:
        new = cut(x)
        if len(new) > LIMIT:
            break
        G = new
    if S is None or not G:
        break  # no hypothesis fits all rows
"""


def halving(run: ScriptRun) -> Body:
    kind = run.given.H.kind
    if kind == "rectangles":
        refuse("Halving over rectangles of whole numbers has no script: take columns of 0 and 1.")
    listed = {
        "conjunctions": "H = np.array([*product((0, 1, 2), repeat=X.shape[1]), (3,) * X.shape[1]])  # 2: nothing is asked, 3: never holds",
        "columns": "H = np.arange(X.shape[1])",
        "unbiased": "H = np.arange(2 ** 2 ** X.shape[1])  # number h holds at the input of code c where bit c of h is 1",
    }[kind]
    says = {
        "conjunctions": "((H == 2) | (H == x)).all(axis=1)",
        "columns": "x[H] == 1",
        "unbiased": "(H >> int((x == 1) @ (1 << np.arange(len(x))[::-1]))) & 1 == 1",
    }[kind]
    if kind == "conjunctions":
        listed = """
        every = product((0, 1, 2), repeat=X.shape[1])  # of each column: 0, 1, or 2: nothing is asked
        H = np.array([*every, (3,) * X.shape[1]])  # and the one that never holds
        """
    code = join_blocks(
        near(run),
        listed.replace("  # number", "\n# number") if kind == "unbiased" else listed,
        f"""
        left = np.ones(len(H), dtype=bool)  # the version space


        def says(x):
            return {says}


        for x, label in zip(X, y, strict=True):
            if left.sum() <= 1:
                break
            left &= says(x) == (label == 0)


        def decide(X):
            \"\"\"The first class where more than half of the version space hold, −1 where it is empty.\"\"\"
            if not left.any():
                return np.full(len(X), -1)
            return np.array([0 if 2 * says(x)[left].sum() > left.sum() else 1 for x in values(X)])
    """,
    )
    imports = ("from itertools import product",) if kind == "conjunctions" else ()
    return Body(
        code, (), imports, ('print(left.sum(), "of", len(H), "hypotheses are left")',), (PLAIN,)
    )


def k_cnf(run: ScriptRun) -> Body:
    code = join_blocks(
        near(run),
        """
        # clauses of at most K literals (column, value), each column at most once
        clauses = []
        for size in range(1, K + 1):
            for columns in combinations(range(X.shape[1]), size):
                clauses += [list(zip(columns, bits, strict=True)) for bits in product((1, 0), repeat=size)]


        def true(clause, x):
            return any(x[j] == v for j, v in clause)


        S = clauses
        for x, label in zip(X, y, strict=True):
            if label == 0:
                S = [clause for clause in S if true(clause, x)]  # a positive row keeps what is true of it


        def decide(X):
            return np.array([0 if all(true(clause, x) for clause in S) else 1 for x in values(X)])
    """,
    )
    imports = ("from itertools import combinations, product",)
    return Body(code, (("K", run.p.k),), imports, ('print(len(S), "clauses are left")',), (PLAIN,))


def greedy_conjunction(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    stuck = {
        "literal": "if not usable:\n    break",
        "keep": "if not usable or max(removed) < FLOOR:\n    break  # stuck: the rule stays as it is",
        "drop": "if not usable or max(removed) < FLOOR:\n    rule = None  # stuck: no row is positive\n    break",
    }[p.stuck]
    code = filled(
        f"""
        {near(run).replace(chr(10), chr(10) + "        ")}


        P, N = X[y == 0], X[y == 1]
        able = [j for j in range(X.shape[1]) if (P[:, j] == 1).all()]  # 1 on all positives
        rule = []
        while len(N) > {given.allowed}:
            removed = [(N[:, j] == 0).sum() for j in able]
            usable = able if max(removed, default=0) else [j for j in able if j not in rule]
            removed = [(N[:, j] == 0).sum() for j in usable]
            <stuck>
            j = usable[int(np.argmax(removed))]
            rule.append(j)
            N = N[N[:, j] == 1]


        def decide(X):
            if rule is None:
                return np.ones(len(X), dtype=int)
            return np.where((values(X)[:, rule] == 1).all(axis=1), 0, 1)
        """,
        stuck=stuck,
    )
    return Body(
        code,
        (("FLOOR", p.floor),) if p.stuck != "literal" else (),
        model=('print("columns that must be 1:", rule)',),
        differs=(PLAIN,),
    )


def greedy_dnf(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    positives, negatives = (
        f"int(Fraction({str(p.epsilon)!r}) * len({rows}))" for rows in ("P", "N")
    )
    zero = "" if p.stuck == "literal" else " and plus[j]"
    code = join_blocks(
        near(run),
        f"""
        P, N = X[y == 0], X[y == 1]
        enough_P, enough_N = {positives}, {negatives}
        floor = {f"Fraction({given.floor.numerator}, {given.floor.denominator})"}
        rules, left = [], P
        while len(left) > enough_P:
            rule, covered, negative, dropped = [], left, N, False
            while len(negative) > enough_N:
                plus, minus = covered.sum(axis=0).astype(int), negative.sum(axis=0).astype(int)
                able = [j for j in range(X.shape[1]) if j not in rule{zero}]
                if all(minus[j] == len(negative) for j in able):
                    dropped = {p.stuck == "drop"}
                    break  # stuck: no column shrinks the negatives
                j = max(able, key=lambda j: Fraction(int(plus[j])) / max(Fraction(int(minus[j])), floor))
                rule.append(j)
                covered, negative = covered[covered[:, j] == 1], negative[negative[:, j] == 1]
            held = (left[:, rule] == 1).all(axis=1)
            if dropped or not held.any():
                break
            rules.append(rule)
            left = left[~held]


        def decide(X):
            held = [(values(X)[:, rule] == 1).all(axis=1) for rule in rules]
            return np.where(np.any(held, axis=0), 0, 1) if rules else np.ones(len(X), dtype=int)
    """,
    )
    return Body(
        code,
        (),
        ("from fractions import Fraction",),
        ('print("columns that must be 1, rule by rule:", rules)',),
        (PLAIN,),
    )


def decision_list(run: ScriptRun) -> Body:
    sizes = [2 if f.numeric else len(f.categories) for f in run.problem.features]
    widest = run.p.prefer == "widest"
    code = filled(
        f"""
        {near(run).replace(chr(10), chr(10) + "        ")}


        LITERALS = [(j, v) for j, size in enumerate(SIZES) for v in range(size)]


        def covers(test, X):
            held = np.ones(len(X), dtype=bool)
            for j, v in test:
                held &= X[:, j] == v
            return held


        def best(X, y):
            \"\"\"(test, class, rows) of the best test that matches rows of one class alone, or None.\"\"\"
            found = None
            for size in range(K + 1):
                for test in combinations(LITERALS, size):
                    if len({{j for j, _ in test}}) < size:
                        continue
                    held = covers(test, X)
                    more = held.sum() > (found[2] if found else 0)
                    if more and len(set(y[held])) == 1:
                        found = test, y[held][0], held.sum()
                <smallest>
            return found


        tests, rows = [], np.arange(len(X))
        while len(rows) and (found := best(X[rows], y[rows])):
            tests.append(found[:2])
            rows = rows[~covers(found[0], X[rows])]


        def decide(X):
            \"\"\"The class of the first test that holds, else the second class.\"\"\"
            codes, X = np.full(len(X), -1), values(X)
            for test, label in tests:
                codes[(codes < 0) & covers(test, X)] = label
            return np.where(codes < 0, 1, codes)
        """,
        smallest="" if widest else "if found:\n    break  # a shorter test is better",
    )
    return Body(
        code,
        (("K", run.p.k), ("SIZES", sizes)),
        ("from itertools import combinations",),
        ("for test, label in tests:", "    print(test, CLASSES[label])"),
        (PLAIN,),
    )


def exhaustive_rules(run: ScriptRun) -> Body:
    p = run.p
    if p.hypotheses == "dnf":
        refuse("Exhaustive search of disjunctions has no script: choose conjunctions.")
    signs = "(1, 0)" if p.negated else "(1,)"
    code = join_blocks(
        near(run),
        f"""
        def covers(rule, X):
            return np.all([X[:, j] == v for j, v in rule], axis=0) if rule else np.ones(len(X), dtype=bool)


        best, least = (), None  # the rule of least errors + α · literals, the first of equals
        for size in range(LITERALS + 1):
            for bits in product({signs}, repeat=size):
                for columns in combinations(range(X.shape[1]), size):
                    rule = tuple(zip(columns, bits, strict=True))
                    cost = int((covers(rule, X) != (y == 0)).sum()) + ALPHA * size
                    if least is None or cost < least:
                        best, least = rule, cost


        def decide(X):
            return np.where(covers(best, values(X)), 0, 1)
    """,
    )
    return Body(
        f"ALPHA = Fraction({str(p.alpha)!r})\n" + code,
        (("LITERALS", p.literals),),
        ("from fractions import Fraction", "from itertools import combinations, product"),
        ('print("the best rule, (column, value):", best, "cost", float(least))',),
        (PLAIN,),
    )


WRITERS: Mapping[str, Writer] = {
    "find_s": find_s,
    "candidate_elimination": candidate_elimination,
    "halving": halving,
    "k_cnf": k_cnf,
    "greedy_conjunction": greedy_conjunction,
    "greedy_dnf": greedy_dnf,
    "decision_list": decision_list,
    "exhaustive_rules": exhaustive_rules,
}
