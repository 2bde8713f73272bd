"""Products of matrices are computed by the thread that calls for them."""

import subprocess
import sys

PROGRAM = """
import engine
from threadpoolctl import threadpool_info
print(*(library["num_threads"] for library in threadpool_info() if library["internal_api"] == "openblas"))
"""


def test_the_engine_brings_no_threads_along(monkeypatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    said = subprocess.check_output([sys.executable, "-c", PROGRAM], text=True).split()
    assert set(said) <= {"1"}  # none where numpy stands on another library
