"""Matches what a person types with what the lab writes: a keyboard has no −, ² or η.

An exact match comes first.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from engine.base.notation import INFINITY, MINUS, label_text, written

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ",
    "lambda": "λ",
    "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω",
    "sum": "Σ",
}  # fmt: skip
_SIGNS = {
    **dict.fromkeys((MINUS, "–", "‐", "‑"), "-"),
    INFINITY: "inf",
    "×": "*",
    "·": "*",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "√": "sqrt",
    "½": "1/2",
    "’": "'",
    "^": "",
    **{letter: name for name, letter in _GREEK.items()},
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789", strict=True)),
}
_TYPED = str.maketrans(_SIGNS)
_POSITIVE = {"yes", "true", "t", "y", "+", "+1", "1", "pos", "positive"}


def typed(text: str) -> str:
    """A text as a keyboard writes it, for comparison.

    '1/d²', '1/d^2' and '1/D2' become '1/d2', '−1' becomes '-1', 'η' becomes 'eta'.
    """
    return " ".join(text.replace("**", "^").translate(_TYPED).casefold().split())


def place_of(given: Any, options: Sequence[Any]) -> int | None:
    """The index of the option that is meant; None where it is not clear.

    It is the option itself, else the only one with the same text, else the only one that is typed
    the same.
    """
    ways: tuple[Callable[[Any], Any], ...] = (
        lambda o: o,
        str,
        label_text,
        lambda o: typed(label_text(o)),
    )
    for way, word in zip(
        ways, (given, written(given), label_text(given), typed(label_text(given))), strict=True
    ):
        found = [i for i, option in enumerate(options) if way(option) == word]
        if len(found) == 1:
            return found[0]
    return None


def listed(options: Iterable[Any], most: int = 8) -> str:
    """The texts of the first `most` options, for sentences."""
    words = [label_text(option) for option in options]
    return ", ".join(words[:most]) + (", …" if len(words) > most else "")


def order_labels(labels: set[Any]) -> tuple[Any, ...]:
    """The order of classes and categories: ascending, but of a yes/no or ± pair the positive one
    first.

    The first of two classes is the positive one everywhere in the lab (y = +1, the blue circle).
    """
    numeric = all(isinstance(v, (int, float)) for v in labels)
    ordered = (
        tuple(sorted(labels))
        if numeric
        else tuple(sorted(labels, key=lambda v: (str(v).casefold(), str(v))))
    )
    return positive_first(ordered)


def positive_first(labels: Sequence[Any]) -> tuple[Any, ...]:
    """The labels in their order, but of two the greater number, or the one that means yes,
    first.
    """
    ordered = tuple(labels)
    if len(ordered) != 2:
        return ordered
    if all(isinstance(v, (int, float)) for v in ordered):
        return max(ordered), min(ordered)
    return ordered[::-1] if str(ordered[1]).casefold() in _POSITIVE else ordered


def label_array(labels: Sequence[Any]) -> Any:
    """Labels as an array that keeps their types: numbers beside words stay numbers."""
    array = np.asarray(labels)
    return array if array.tolist() == list(labels) else np.asarray(labels, dtype=object)
