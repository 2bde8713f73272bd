"""Experiments about learners: the learner of the lab as a function, and rows that judge it."""

from collections.abc import Mapping
from typing import Any

from engine.protocol.recipe import recipe_text
from engine.scripts.body import (
    Body,
    ScriptRun,
    Writer,
    indented,
    join_blocks,
    listing,
    literal,
    refuse,
)
from engine.scripts.networks import none


def learner(run: ScriptRun) -> tuple[str, Body]:
    """(code of a function `learn(X, y, SEED)` that returns a predictor, the `Body` of the learner)
    for the learner under study.

    Raises EngineError where this learner has no script.
    """
    studied = run.given.learner
    chosen, title = studied.algorithm, studied.name
    writer = run.writers.get(chosen.family, {}).get(chosen.key)
    if writer is None:
        refuse(f"The learner {title} has no script.")
    body = writer(
        ScriptRun(
            run.problem,
            studied.params,
            chosen.given(run.problem, studied.params),
            0,
            title,
            run.writers,
        )
    )
    if body.held_out or not body.answers or body.groups:
        refuse(
            f"The learner {title} cannot be judged by a script with these settings: it learns from rows held out."
        )
    given = [
        f"{name} = {literal(value)}" for name, value in body.settings if not isinstance(value, list)
    ]
    given += [
        listing(f"{name} = ", map(literal, value), width=90)
        for name, value in body.settings
        if isinstance(value, list)
    ]
    answer = "predict" if run.problem.regress else "decide"
    inside = join_blocks(*given, body.code, f"return {answer}")
    head = 'def learn(X, y, SEED):\n    """What answers for rows, learnt from these."""'
    return f"{head}\n{indented(inside)}", body


def error_code(run: ScriptRun) -> str:
    wrong = "np.mean((h(X) - y) ** 2)" if run.problem.regress else "np.mean(h(X) != y)"
    least = 1 if run.problem.regress else run.given.learner.algorithm.needs.min_classes
    able = "True" if least < 2 else f"len(np.unique(y)) >= {least}"
    return f"""
        def error(h, X, y):
            \"\"\"{"The mean squared error" if run.problem.regress else "The share of wrong rows"}.\"\"\"
            return {wrong}


        def able(y):
            \"\"\"Whether the learner can begin with these rows.\"\"\"
            return {able}
    """


def _body(
    run: ScriptRun, code: str, settings: tuple[tuple[str, Any], ...], model: tuple[str, ...]
) -> Body:
    function, own = learner(run)
    learnt = run.given.learner
    imports = tuple(line.replace(", export_text", "") for line in own.imports)  # no tree is printed
    differs = [f"The learner is {recipe_text(learnt.key, learnt.params)}.", *own.differs]
    differs.append(
        "Rows are drawn as the lab draws them; what a learner is set to by the whole table stays so for its parts."
    )
    return Body(
        join_blocks(function, "\n\n", error_code(run), code),
        settings,
        imports,
        model,
        tuple(differs),
        answers=False,
    )


def cross_validation(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    if p.cheap and given.alone:
        refuse("The short cut answers from one model; without it leave-one-out has a script.")
    shuffled = p.shuffle and not given.alone
    stratified = p.scheme == "stratified" and not run.problem.regress
    code = join_blocks(
        "rng = np.random.default_rng(SEED)",
        f"order = {'rng.permutation(len(X))' if shuffled else 'np.arange(len(X))'}",
        'order = order[np.argsort(y[order], kind="stable")]  # every fold gets its share of each class'
        if stratified
        else "",
        f"""
        fold = np.empty(len(X), dtype=int)
        fold[order] = {"np.arange(len(X)) % K" if stratified else "np.arange(len(X)) * K // len(X)"}
        errors = []
        for i in range(K):
            seed, rest, test = int(rng.integers(2**31 - 1)), fold != i, fold == i
            if able(y[rest]):
                errors.append(error(learn(X[rest], y[rest], seed), X[test], y[test]))
        """,
    )
    model = (
        'print("errors of the folds:", np.round(errors, 4))',
        'print("mean error:", np.mean(errors))',
    )
    return _body(run, code, (("K", int(given.k)),), model)


def holdout(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    if given.cut:
        refuse("Holdout by batches has no script: choose random splits.")
    code = """
rng = np.random.default_rng(SEED)
errors = {share: [] for share in SHARES}
for share in SHARES:
    for _ in range(SPLITS):
        order, seed = rng.permutation(len(X)), int(rng.integers(2**31 - 1))
        m = len(X) - round(share * len(X))
        rest, test = np.sort(order[:m]), np.sort(order[m:])
        if able(y[rest]):
            errors[share].append(error(learn(X[rest], y[rest], seed), X[test], y[test]))
"""
    model = (
        "for share, found in errors.items():",
        '    print("test share", share, "mean error", np.mean(found), "sd", np.std(found, ddof=1))',
    )
    return _body(
        run, code.strip("\n"), (("SHARES", list(given.shares)), ("SPLITS", p.splits)), model
    )


def learning_curve(run: ScriptRun) -> Body:
    code = """
rng = np.random.default_rng(SEED)
curve = []
for m in SIZES:
    errors = []
    for _ in range(TRIALS):
        order, seed = rng.permutation(len(X)), int(rng.integers(2**31 - 1))
        rest, test = np.sort(order[:m]), np.sort(order[m:])
        if able(y[rest]):
            errors.append(error(learn(X[rest], y[rest], seed), X[test], y[test]))
    curve.append((m, np.mean(errors) if errors else np.nan))
"""
    settings = (("SIZES", list(run.given.sizes)), ("TRIALS", run.p.trials))
    return _body(
        run,
        code.strip("\n"),
        settings,
        ("for m, mean in curve:", '    print(m, "rows, mean error", mean)'),
    )


def ensemble_error(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    code = join_blocks(
        """
        rng = np.random.default_rng(SEED)
        shape = CASES, max(SIZES)
        copies = rng.random(shape) < np.sqrt(CORRELATION)  # who copies a source that all share
        own = rng.random(shape) < ERROR
        errs = np.where(copies, rng.random((CASES, 1)) < ERROR, own)
        """,
        """
        counted = [np.mean(2 * errs[:, :k].sum(axis=1) > k) for k in SIZES]


        def law(k):
            \"\"\"The chance that most of k independent members err.\"\"\"
            return sum(comb(k, i) * ERROR**i * (1 - ERROR) ** (k - i) for i in range(k // 2 + 1, k + 1))
        """,
    )
    settings = (
        ("ERROR", p.error),
        ("CORRELATION", p.correlation),
        ("CASES", int(given.cases)),
        ("SIZES", [int(k) for k in given.sizes]),
    )
    model = (
        "for k, share in zip(SIZES, counted, strict=True):",
        '    print(k, "members: the majority errs in", share, "if independent", law(k))',
    )
    return Body(code, settings, ("from math import comb",), model, answers=False)


FORMULAS = "{} computes with formulas and drawn examples, not with a model of this table: there is nothing that a script could learn."
STUDIES = "{} compares many models step by step, which takes more than a page; cross-validation and the learning curve have a script."
TITLES = {
    "pac_bounds": "PAC bounds", "version_space_exhaustion": "Version space exhaustion", "shattering": "Shattering",
    "vc_bounds": "VC bounds", "mistake_bounds": "Mistake bounds", "curse_of_dimensionality": "The curse of dimensionality",
    "regret_bounds": "Regret bounds", "entropy": "Entropy", "distance_balls": "Distance balls", "mdl_conjunction": "The MDL conjunction",

    "bayes_rule": "Bayes’ rule",
    "error_interval": "Error intervals", "posterior_of_degrees": "The posterior of degrees",
}  # fmt: skip
STUDYING = {
    "cost_matrix": "The cost matrix", "reject_option": "The reject option", "model_selection": "Model selection",
    "overfitting_curve": "The overfitting curve", "bootstrap_spread": "The bootstrap spread", "peeking": "Peeking",
    "learner_comparison": "The comparison of learners", "digit_pad": "The digit pad",
    "feature_selection": "Feature selection", "axis_weights": "The search for axis weights",
    "column_curves": "Learning curves by columns",
}  # fmt: skip
WRITERS: Mapping[str, Writer] = {
    "cross_validation": cross_validation,
    "holdout": holdout,
    "learning_curve": learning_curve,
    "ensemble_error": ensemble_error,
    **{key: none(FORMULAS.format(title)) for key, title in TITLES.items()},
    **{key: none(STUDIES.format(title)) for key, title in STUDYING.items()},
}
