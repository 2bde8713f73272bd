"""A shown formula, computed on paper from its numbers as they are shown, gives the result
that is shown.
"""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base import paper
from engine.base.notation import read_number
from engine.protocol.params import build, params_fields
from engine.protocol.step import Formula, Note, note
from engine.runs.run import Run
from tests.engine.digests import fewer

NUMBER = r"−?\d+(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
SHARE = rf"({NUMBER})/({NUMBER})"
VECTOR = rf"\(({NUMBER}(?:, {NUMBER})*)\)"


def entropy(*shares: float) -> float:
    return -sum(p * math.log2(p) for p in shares if p > 0)


def gini(*shares: float) -> float:
    return 1 - sum(p * p for p in shares)


MEANS = {
    "B": lambda p: entropy(p, 1 - p),
    "H": entropy,
    "I": gini,
    "log": math.log,
    "sqrt": math.sqrt,
}


def computed(text: str) -> float | None:
    """The value of a formula's numbers; None where it says more than numbers, as in 'Σ of 12
    branches'.
    """
    product = re.fullmatch(rf"{VECTOR} · {VECTOR}", text)
    if product is not None:
        w, x = ([read_number(entry) for entry in part.split(", ")] for part in product.groups())
        return sum(a * b for a, b in zip(w, x, strict=True))
    text = re.sub(rf"(?<![\d.]){SHARE}(?= ?[BHI,)\]])", r"(\1/\2)", text)
    text = re.sub(NUMBER, lambda found: repr(read_number(found[0])), text)
    text = re.sub(r"\) ([BHI]\()", r")*\1", text).replace("√", "sqrt").replace("²", "**2")
    text = text.replace("[", "(").replace("]", ")").replace("−", "-").replace("·", "*")
    if set(re.findall(r"[^\W\d_]+|[…|^]", re.sub(r"\de-?\d", "", text))) - set(MEANS):
        return None
    return float(eval(text, {"__builtins__": {}}, MEANS))


def wrong_lines(note: Note) -> list[str]:
    """The rows of numbers whose two sides are not the same on paper, where half a last digit may go
    either way.
    """
    found = []
    for formula in note.formulas:
        *ways, result = f"{note.worked(formula.body)} = {note.worked(formula.result)}".split(" = ")
        result = result.removesuffix(" bits").removesuffix(" bit")
        if not re.fullmatch(NUMBER, result):
            continue
        mantissa, _, _ = result.partition("·10")
        last = abs(read_number(result) / read_number(mantissa)) if read_number(mantissa) else 1.0
        half = 0.5 * last * 10.0 ** -len(mantissa.partition(".")[2])
        for way in ways:
            value = computed(way)
            if value is not None and abs(value - read_number(result)) > half * (1 + 1e-6) + 1e-12:
                found.append(f"{way} = {result}, not {value}")
    return found


CASES: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("perceptron", engine.generate("leaning_clouds"), {}),
    ("perceptron", engine.generate("leaning_clouds"), {"threshold": "learned", "rate": 0.1}),
    (
        "perceptron",
        engine.generate("moons", 60, 0.3),
        {"rule": "aima", "schedule": "1000/(1000+t)"},
    ),
    ("nearest_neighbours", engine.generate("moons", 60, 0.3), {"k": 3}),
    (
        "nearest_neighbours",
        engine.generate("moons", 60, 0.3),
        {"k": 3, "normalise": True, "weights": "1/d²"},
    ),
    ("decision_tree", engine.textbook("restaurant"), {"prune": "chi2", "importance": "ratio"}),
    ("decision_tree", engine.generate("moons", 60, 0.3), {"importance": "gini"}),
    ("decision_tree", engine.real("iris"), {"prune": "chi2"}),
    ("regression_tree", engine.generate("sine", 60, 0.3), {}),
    ("regression_tree", engine.generate("houses", 40), {"leaf": "linear", "min_leaf": 5}),
    ("gradient_boosting", engine.generate("three_fields", 40), {"members": 3}),
    ("gradient_boosting", engine.generate("houses", 20), {"members": 3}),
    ("adaboost", engine.generate("moons", 60, 0.3), {"rounds": 30}),
    ("adaboost", engine.textbook("restaurant"), {"rounds": 10, "criterion": "gain"}),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "data", "params"), CASES, ids=[f"{key}-{k}" for k, (key, _, _) in enumerate(CASES)]
)
def test_results_follow_from_the_numbers_as_they_are_shown(
    key: str, data: Any, params: dict[str, Any]
) -> None:
    trace = engine.run(key, data, max_steps=300, **params)
    notes = [step.note for step in trace]
    assert [line for note in notes for line in wrong_lines(note)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "data", "params"), CASES, ids=[f"{key}-{k}" for k, (key, _, _) in enumerate(CASES)]
)
def test_why_a_label_follows_as_well(key: str, data: Any, params: dict[str, Any]) -> None:
    trace = engine.run(key, data, max_steps=300, **params)
    explain = trace.algorithm.explain
    X = trace.problem.X
    assert explain is not None
    rng = np.random.default_rng(0)
    width = 0.0 if key == "decision_tree" else 0.2
    notes = (
        [
            explain(
                trace.given,
                trace[int(at)].state,
                X[rng.integers(len(X))] + width * rng.normal(size=X.shape[1]),
            ).note
            for at in np.linspace(0, len(trace) - 1, 40)
        ]
        if not any(f.categories for f in trace.problem.features)
        else []
    )
    notes += [explain(trace.given, trace[-1].state, x).note for x in X]
    assert [line for note in notes for line in wrong_lines(note)] == []


def test_rounding_decides_no_vote() -> None:
    """Forty learners of one opinion: nothing is left for the other class, to the last bit."""
    trace = engine.run("adaboost", engine.generate("leaning_clouds"), rounds=40)
    state = trace[-1].state
    notes = [trace.algorithm.explain(trace.given, state, x).note for x in trace.problem.X]
    assert not [
        note for note in notes if any("10⁻" in note.worked(fact.text) for fact in note.facts)
    ]
    assert any(len(note.facts) == 1 for note in notes)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(0.50, −2) · (1.00·10⁻³, 3)", -5.9995),
        ("B(2/6) − [4/6 B(2/4) + 2/6 B(0/2)]", 0.2516),
        ("I(1/2, 1/2) − [1/2 I(1/1) + 1/2 I(1/1)]", 0.5),
        ("√((1 − (−2))² + 4²)", 5.0),
        ("log[(1 − 0.2500) / 0.2500]", 1.0986),
        ("(1 − 2)²/2 + 0.50", 1.0),
        ("H(1/2, 1/2) − Σ of 12 branches", None),
    ],
)
def test_the_checker_reckons_as_a_hand_does(text: str, value: float | None) -> None:
    assert computed(text) == (None if value is None else pytest.approx(value, abs=5e-5))


# -- every method and experiment -------------------------------------------------------------------

MOST, SHOWN = 50, 15  # steps of a run; places that are explained


def measured(scale: float, task: str = "classify") -> engine.Dataset:
    """Bills and bodies of two kinds of penguins, of about their size and spread, less 30 and in
    units of `scale`.
    """
    rng = np.random.default_rng(5)
    kind = np.arange(30) % 2
    bill = (38.8 + 4.3 * kind + rng.normal(0, 2.7, 30) - 30) * scale
    depth = (18.3 - 1.6 * kind + rng.normal(0, 1.0, 30) - 30) * scale
    mass = (3700 + 600 * kind + rng.normal(0, 400, 30) - 4000) * scale
    if task == "regress":
        return engine.Dataset.from_arrays(bill[:, None], mass.tolist(), task="regress")
    return engine.Dataset.from_arrays(np.c_[bill, depth], [("Adelie", "Gentoo")[k] for k in kind])


TABLES: dict[str, Callable[[], Any]] = {
    "moons": lambda: engine.generate("moons", 60, 0.3),
    "iris": lambda: engine.real("iris"),
    "seismic": lambda: engine.generate("seismic"),
    "restaurant": lambda: engine.textbook("restaurant"),
    "conjunction": lambda: engine.textbook("mit_conjunction"),
    "houses": lambda: engine.generate("houses", 40),
    "sine": lambda: engine.generate("sine", 60, 0.3),
    "pundits": lambda: engine.generate("pundits"),
    "pool": lambda: engine.generate("expert_pool"),
}
SIGMOID = {"e⁻ᶻ": "one line for all examples, whose z differ"}
CUT = {"…": "the terms in the middle are left out"}
COUNTED = {"experts": "too many weights for a line: their number is said"}
# What a reader of numbers cannot reckon, by a part of it, and why it has no numbers.
UNREAD: dict[str, dict[str, str]] = {
    "naive_bayes": {**CUT, "ln 0/": "a share of 0 has no logarithm: the sum is −∞"},
    "adaboost": CUT,
    "cost_matrix": SIGMOID,
    "reject_option": SIGMOID,
    "logistic_regression": SIGMOID,
    "ensemble_error": CUT,
    "holdout": CUT,
    "learner_comparison": CUT,
    "overfitting_curve": CUT,
    "nearest_neighbours": {
        "Σ": "too many columns for a line: the vectors are shown",
        "columns that differ": "a count, not a sum",
        "S⁻¹": "the matrix S has no room",
    },
    "voronoi_diagram": {
        "x −": "a half plane, of all x",
        "|p − q|": "of the two sites, which the picture names",
    },
    "kd_tree": {
        "mod": "the remainder",
        "in order": "a place in a list",
        "lower median of": "the middle of a list",
    },
    "streaming_perceptron": {"|w|": "the length of the vector before it"},
    "winnow": {
        "where x": "some entries of a vector alone",
        "weights": "too many weights for a line",
    },
    "backpropagation": {"]": "relu: its slope is 1 where the answer is positive"},
    "randomized_weighted_majority": COUNTED,
    "weighted_majority": COUNTED,
    "linear_regression": {"(5 − 5)": "a tangent of ∞"},
    "regularised_regression": {"XᵀX": "a system of equations"},
}


def runs_of(algorithm: Any) -> Iterator[Any]:
    """Traces of its example, with each option of its parameters, and of every table
    that it takes.
    """
    named = {
        field.name: (True, False) if field.kind == "bool" else field.options
        for field in params_fields(algorithm.params)
    }
    ways = [{name: option} for name, options in named.items() for option in options]
    for way in [{}, *ways]:
        try:
            run = Run(
                algorithm, algorithm.example(), build(algorithm.params, fewer(algorithm) | way), 0
            )
            run.advance(max_steps=MOST)
        except engine.EngineError:
            continue
        yield run.trace
    for table in TABLES.values():
        try:
            yield engine.run(algorithm.key, table(), max_steps=MOST, **fewer(algorithm))
        except engine.EngineError:
            continue


def notes_of(trace: Any) -> Iterator[Note]:
    """The words of each step, and why some of its rows are called what they are."""
    yield from (step.note for step in trace)
    if trace.algorithm.explain is None or not trace.problem.d:
        return
    rng = np.random.default_rng(0)
    for at in np.linspace(0, len(trace) - 1, SHOWN):
        x = trace.problem.X[rng.integers(trace.problem.n)]
        explained = trace.algorithm.explain(trace.given, trace[int(at)].state, x)
        if explained is not None:
            yield explained.note


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", engine.algorithms().values(), ids=lambda a: a.key)
def test_every_formula_comes_to_its_result_on_paper(algorithm: Any) -> None:
    known = UNREAD.get(algorithm.key, {})
    wrong = list[str]()
    unread = list[str]()
    read = set[str]()
    for trace in runs_of(algorithm):
        for said in notes_of(trace):
            for formula in said.formulas:
                result = f" = {said.worked(formula.result)}" if formula.result else ""
                line = said.worked(formula.body) + result
                if formula.g is None and line in read:
                    continue
                read.add(line)
                faults, gaps = paper.line_faults(line, formula.g)
                wrong += faults
                unread += gaps
    assert wrong[:10] == []
    assert [line for line in unread if not any(part in line for part in known)][:10] == []
    assert [part for part in known if not any(part in line for line in unread)] == [], (
        "no longer needed"
    )


@pytest.mark.slow
@pytest.mark.parametrize("key", ["nearest_neighbours", "distance_balls", "gradient_descent"])
@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e5])
def test_formulas_add_up_at_any_scale(key: str, scale: float) -> None:
    table = measured(scale, "regress" if key == "gradient_descent" else "classify")
    said = list(notes_of(engine.run(key, table, max_steps=60)))
    lines = [
        (f"{n.worked(f.body)} = {n.worked(f.result)}", f.g)
        for n in said
        for f in n.formulas
        if f.result
    ]
    assert lines
    assert [fault for line, g in lines for fault in paper.line_faults(line, g)[0]] == []


SIZES = st.floats(-1e4, 1e4, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-6)


@given(SIZES, SIZES, SIZES)
def test_a_note_takes_as_many_decimals_as_its_formula_needs(a: float, b: float, c: float) -> None:
    """Read by the reader of this file, which is not that of the engine."""
    said = note("", Formula("s =", "{a} − {b} · {c}", "{s}"), a=a, b=b, c=c, s=a - b * c)
    assert wrong_lines(said) == []


def test_two_decimals_stay_where_they_are_enough() -> None:
    said = note("", Formula("s =", "{a} + {b}", "{s}"), a=0.251, b=0.5, s=0.751)
    assert said.lines()[-1] == "0.25 + 0.50 = 0.75"
    said = note("", Formula("s =", "{a} + {b}", "{s}"), a=-0.386, b=-0.278, s=-0.664)
    assert said.lines()[-1] == "−0.386 + (−0.278) = −0.66"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(0.50, −2) · (1.00·10⁻³, 3)", -5.9995),
        ("(1, 2) + 0.5 · (−1) · (2, 4)", [0, 0]),
        ("(1.02, 0.98) / (0.51, 0.49)", [2, 2]),
        ("B(2/6) − [4/6 B(2/4) + 2/6 B(0/2)]", 0.2516),
        ("−(1/2 log₂ 1/2 + 1/2 log₂ 1/2)", 1),
        ("(2 · log₂(1/0.5) + log₂ 8) / log₂(2/(1 + 1))", None),
        ("1/4 ÷ 65/32", 8 / 65),
        ("(1! · 3! · 0! / 4!) · 2", 0.5),
        ("√((1 − (−2))² + 4²)", 5),
        ("(3^3 + 4^3 + 5^3)^(1 / 3)", 6),
        ("e^(−0² / 0.75²)", 1),
        ("max(0, 1 − (2 · 1.5 / 6)²)", 0.75),
        ("½·0.5·4²", 4),
        ("|5.25 − 7|", 1.75),
        ("g(2·1 + (−2))", 0.5),
        ("lower median of (1, 2)", None),
    ],
)
def test_the_reader_of_the_engine_reckons_as_a_hand_does(text: str, value: Any) -> None:
    found = paper.evaluated(text, lambda z: 1 / (1 + math.exp(-z)))
    assert found is None if value is None else found == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("−0.39 + (−0.28) = −0.66", False),
        ("3.04 / 45.06 = 0.068", False),
        ("(0.05, 0.05) + 0.01 · (0.20, 0.20) = (0.06, 0.06)", False),
        ("1 + 1 = 2 < θ = 5", True),
        ("48/625 > 0", True),
        ("2 > 3", False),
        ("0.9852 − 0 = 0.9852 bits", True),
        ("B(5/8) − [3/8 B(3/3) + 5/8 B(2/5)] = 0.9544 − 0.6068 = 0.3476 bits", True),
    ],
)
def test_the_reader_of_the_engine_finds_what_does_not_add_up(line: str, right: bool) -> None:
    wrong, unread = paper.line_faults(line)
    assert (not wrong, unread) == (right, [])
