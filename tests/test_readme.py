"""The sample script in the README does what its comments say."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def scripts() -> list[str]:
    """What the README shows as Python, in its order."""
    return re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


def test_the_script_of_the_readme() -> None:
    script, _, _ = scripts()
    assert "trace[4].choice  # the five attributes that tie at 0.2516 bits" in script
    names: dict[str, Any] = {}
    exec(script, names)
    trace = names["trace"]
    choice = trace[4].choice
    assert [choice.options[i].score for i in choice.winners] == pytest.approx(
        [0.2516] * 5, abs=5e-5
    )
    assert len(trace.predict(trace.problem.X, at=4)) == 12
    assert trace.metrics["errors"][-1] == 0


@pytest.mark.slow
def test_the_script_with_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "release"))
    names: dict[str, Any] = {}
    exec(scripts()[1], names)
    assert names["search"].best_params_["depth"] > 1  # one cut cannot tell three classes apart
    assert names["search"].best_estimator_.trace_.problem.n == 150
