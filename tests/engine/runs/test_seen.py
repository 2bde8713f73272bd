"""A round goes over all examples once, in whatever steps."""

import numpy as np

import engine
from engine.protocol.step import Level
from engine.runs.seen import examples_seen

DATA = engine.generate("moons", n=30)


def test_rounds_of_all_methods_have_seen_as_many_examples() -> None:
    for key, params in (
        ("perceptron", {"rounds": 5}),
        ("logistic_regression", {"steps": 5}),
        ("adaboost", {"rounds": 5}),
    ):
        trace = engine.run(key, DATA, **params)
        seen = examples_seen(trace)
        assert len(seen) == len(trace) and seen[0] == 0 and (np.diff(seen) >= 0).all()
        ends = list(trace.indices(Level.ROUND))
        np.testing.assert_allclose(seen[ends], 30 * np.arange(len(ends)))


def test_an_online_method_sees_one_example_a_step() -> None:
    """With the step that ends its round the perceptron makes one more than there are examples."""
    trace = engine.run("perceptron", DATA, rounds=2)
    first = trace.indices(Level.ROUND)[1]
    steps = [index for index in trace.indices(Level.STEP) if 0 < index <= first]
    grown = np.diff(examples_seen(trace)[[0, *steps]])
    assert (grown > 0).all() and abs(grown.sum() - 30) < 1e-9
