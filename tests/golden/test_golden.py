"""Every algorithm does what it did when the traces were recorded.

Golden: for refactoring, no proof of rightness.

Every fortieth of the runs, at all paces in turn; `python -m tests.golden.runs` compares all.
"""

import pytest
from threadpoolctl import threadpool_info

import engine
from tests.golden import KERNELS, X86
from tests.golden.runs import differences, kept, recorded

pytestmark = pytest.mark.slow

KEPT, EVERY = kept(), 40


def test_products_are_added_up_as_when_they_were_recorded() -> None:
    """Else what rounding alone decides would differ from processor to processor."""
    kernels = {
        library["architecture"] for library in threadpool_info() if library["user_api"] == "blas"
    }
    assert kernels
    assert not X86 or kernels == {KERNELS}


@pytest.mark.parametrize("key", sorted({name.split(" | ")[0] for name in KEPT}))
def test_nothing_differs_from_the_recorded_traces(key: str) -> None:
    assert key in engine.algorithms()
    now, held = recorded(key, EVERY), [name for name in KEPT if name.startswith(f"{key} |")]
    assert set(now) <= set(held) and len(now) == -(-len(held) // EVERY)
    odd = {
        name: found for name, digests in now.items() if (found := differences(KEPT[name], digests))
    }
    assert not odd, (
        "if a fault was mended, say so and record it: python -m tests.golden.runs --record " + key
    )
