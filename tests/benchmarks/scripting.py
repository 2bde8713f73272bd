"""A script that fits once and ends, loading what it needs: the engine beside scikit-learn."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from tests.benchmarks.measure import Row, Sizes
from tests.benchmarks.rivals import FIT, ROUNDS, moons

ROOT = Path(__file__).parents[2]
READ = "import sys, numpy; table = numpy.load(sys.argv[1])"
OURS = f"""
from engine import Dataset, Level, Pace, run
data = Dataset.from_arrays(table["X"], table["y"])
run("perceptron", data, pace=Pace(Level.ROUND), stop="rounds", rounds={ROUNDS}, threshold="learned")
"""
THEIRS = f"""
from sklearn.linear_model import Perceptron
Perceptron(max_iter={ROUNDS}, tol=None, shuffle=False).fit(table["X"], table["y"])
"""


def rows(sizes: Sizes) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes.rows:
            problem = moons(n)
            table = Path(folder) / f"{n}.npz"
            np.savez(table, X=problem.X, y=np.asarray(problem.codes))
            ours, theirs = (
                1000 * median(ended(script, table) for _ in range(sizes.passes))
                for script in (OURS, THEIRS)
            )
            what = f"a script's one fit, from start to end: perceptron no line separates, n = {n:,}"
            yield Row(what, ours, theirs, "ms", "scikit-learn", FIT, watched=True)


def ended(script: str, table: Path) -> float:
    """Seconds until a fresh process that runs `script` on a table has ended."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", READ + script, str(table)], cwd=ROOT, check=True)
    return time.perf_counter() - began
