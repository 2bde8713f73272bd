"""Whoever reckons a shown formula on paper, from its numbers as they are shown, gets the result that is shown."""

import math
import re
from typing import Any

import numpy as np
import pytest

import engine
from engine.core.notation import read_number
from engine.core.step import Note

NUMBER = r"−?\d+(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
SHARE = rf"({NUMBER})/({NUMBER})"
VECTOR = rf"\(({NUMBER}(?:, {NUMBER})*)\)"


def entropy(*shares: float) -> float:
    return -sum(p * math.log2(p) for p in shares if p > 0)


def gini(*shares: float) -> float:
    return 1 - sum(p * p for p in shares)


MEANS = {"B": lambda p: entropy(p, 1 - p), "H": entropy, "I": gini, "log": math.log, "sqrt": math.sqrt}


def reckoned(text: str) -> float | None:
    """The value of a formula's numbers; None where it says more than numbers, as in 'Σ of 12 branches'."""
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
    """The rows of numbers whose two sides are not the same on paper, where half a last digit may go either way."""
    found = []
    for formula in note.formulas:
        *ways, told = f"{note.worked(formula.body)} = {note.worked(formula.result)}".split(" = ")
        told = told.removesuffix(" bits").removesuffix(" bit")
        if not re.fullmatch(NUMBER, told):
            continue
        mantissa, _, _ = told.partition("·10")
        last = abs(read_number(told) / read_number(mantissa)) if read_number(mantissa) else 1.0
        half = 0.5 * last * 10.0 ** -len(mantissa.partition(".")[2])
        for way in ways:
            value = reckoned(way)
            if value is not None and abs(value - read_number(told)) > half * (1 + 1e-6) + 1e-12:
                found.append(f"{way} = {told}, not {value}")
    return found


CASES: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("perceptron", engine.generate("leaning_clouds"), {}),
    ("perceptron", engine.generate("leaning_clouds"), {"threshold": "learned", "rate": 0.1}),
    ("perceptron", engine.generate("moons", 60, 0.3), {"rule": "aima", "schedule": "1000/(1000+t)"}),
    ("nearest_neighbours", engine.generate("moons", 60, 0.3), {"k": 3}),
    ("nearest_neighbours", engine.generate("moons", 60, 0.3), {"k": 3, "normalise": True, "weights": "1/d²"}),
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
@pytest.mark.parametrize(("key", "data", "params"), CASES, ids=[f"{key}-{k}" for k, (key, _, _) in enumerate(CASES)])
def test_results_follow_from_the_numbers_as_they_are_shown(key: str, data: Any, params: dict[str, Any]) -> None:
    trace = engine.run(key, data, max_steps=300, **params)
    notes = [step.note for step in trace]
    assert [line for note in notes for line in wrong_lines(note)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("key", "data", "params"), CASES, ids=[f"{key}-{k}" for k, (key, _, _) in enumerate(CASES)])
def test_why_a_label_follows_as_well(key: str, data: Any, params: dict[str, Any]) -> None:
    trace = engine.run(key, data, max_steps=300, **params)
    explain, X = trace.algorithm.explain, trace.problem.X
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


def test_rounding_is_nobodys_vote() -> None:
    """Forty learners of one opinion: nothing is left for the other class, to the last bit."""
    trace = engine.run("adaboost", engine.generate("leaning_clouds"), rounds=40)
    state = trace[-1].state
    told = [trace.algorithm.explain(trace.given, state, x).note for x in trace.problem.X]
    assert not [note for note in told if any("10⁻" in note.worked(fact.text) for fact in note.facts)]
    assert any(len(note.facts) == 1 for note in told)


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
    assert reckoned(text) == (None if value is None else pytest.approx(value, abs=5e-5))
