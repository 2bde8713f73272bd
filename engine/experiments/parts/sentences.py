"""Pieces of what experiments say."""

from collections.abc import Sequence

from engine.base.arrays import Prefix


def last_reason(refused: Sequence[tuple[object, ...]] | Prefix[tuple[object, ...]]) -> str:
    """Why something could not be learnt last, without a full stop: the end of the last entry."""
    return str(refused[-1][-1]).rstrip(".")


def written_sum(values: Sequence[float], most: int) -> tuple[str, dict[str, float]]:
    """("{e0} + {e1} + {e2}", what stands in its places), for a formula of a note.

    Of more than `most` values the first two and the last are written, e-1.
    """
    if len(values) > most:
        return "{e0} + {e1} + … + {e-1}", {f"e{i}": values[i] for i in (0, 1, -1)}
    terms = " + ".join(f"{{e{i}}}" for i in range(len(values)))
    return terms, {f"e{i}": value for i, value in enumerate(values)}
