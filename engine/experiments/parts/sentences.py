"""Pieces of what experiments say."""

from collections.abc import Sequence

from engine.base.arrays import Prefix


def last_reason(refused: Sequence[tuple[object, ...]] | Prefix[tuple[object, ...]]) -> str:
    """The reason in the last entry of a log of refusals, without its full stop."""
    return str(refused[-1][-1]).rstrip(".")


def written_sum(values: Sequence[float], most: int) -> tuple[str, dict[str, float]]:
    """(template "{e0} + {e1} + {e2}", its values by name), for a formula of a note.

    Of more than `most` values only the first two and the last (e-1) are written.
    """
    if len(values) > most:
        return "{e0} + {e1} + … + {e-1}", {f"e{i}": values[i] for i in (0, 1, -1)}
    terms = " + ".join(f"{{e{i}}}" for i in range(len(values)))
    return terms, {f"e{i}": value for i, value in enumerate(values)}
