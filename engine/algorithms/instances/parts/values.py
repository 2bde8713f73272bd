"""The value that a word of a query or a rule stands for. MIT 2.1.24."""

from contextlib import suppress

from engine.authoring import EngineError
from engine.base.notation import MINUS, label_text, quoted
from engine.base.spelling import listed, place_of
from engine.table.dataset import Feature


def value_of(feature: Feature, word: float | str, who: str) -> float:
    """The number, or index of the category, that a word stands for.

    who: names the source of the word in the message

    Raises EngineError for a word that is neither.
    """
    if feature.categories:
        wanted = f"one of {listed(feature.categories)}"
        place = place_of(word, feature.categories)
        if place is not None:
            return float(place)
    else:
        wanted = "a number"
        with suppress(ValueError):
            return float(str(word).replace(MINUS, "-"))
    raise EngineError(
        f"{who} gives {quoted(feature.name)} the value {quoted(label_text(word))}; it must be"
        f" {wanted}."
    )
