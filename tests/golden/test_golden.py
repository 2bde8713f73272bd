"""Every algorithm does what it did when the traces were recorded. Golden: for refactoring, no proof of rightness."""

import pytest

import engine
from tests.golden.runs import differences, kept, recorded

pytestmark = pytest.mark.slow

KEPT = kept()


@pytest.mark.parametrize("key", sorted({name.split(" | ")[0] for name in KEPT}))
def test_nothing_differs_from_the_recorded_traces(key: str) -> None:
    assert key in engine.algorithms()
    now = recorded(key)
    assert now.keys() == {name for name in KEPT if name.startswith(f"{key} |")}
    odd = {name: found for name, told in now.items() if (found := differences(KEPT[name], told))}
    assert not odd, "if a fault was mended, say so and record it: python -m tests.golden.runs --record " + key
