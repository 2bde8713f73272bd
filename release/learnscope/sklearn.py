"""The lab's methods as estimators of scikit-learn (`pip install "learnscope[sklearn]"`).

    from learnscope.sklearn import Perceptron, estimator

`estimator("perceptron")` and `Perceptron` are the same class. `fit`, `predict` and, where a method
has scores, `decision_function` work as everywhere in scikit-learn; `trace_` is the run, step by
step.
"""

from typing import Any

try:
    import sklearn as _  # noqa: F401 - an absolute import: scikit-learn, not this module
except ImportError:
    raise ImportError(
        'learnscope.sklearn needs scikit-learn: pip install "learnscope[sklearn]".'
    ) from None

import learnscope  # noqa: F401 - finds the engine
from engine.estimators.making import estimator, estimators

__all__ = ["estimator", "estimators"]


def __getattr__(name: str) -> Any:
    """The class of a method by its name, as `Perceptron`."""
    if name[:1].isupper() and name in (classes := estimators()):
        return classes[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *estimators()]
