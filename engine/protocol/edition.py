"""The version of what a page may rely on, and what pages of earlier versions have to change.

Whoever changes `engine.authoring` so that a page of one's own no longer fits raises VERSION by one
and says below what changed. A page says for which version it is written: `authoring=2`.
"""

from collections.abc import Mapping

from engine.base.errors import EngineError

VERSION = 2
FIRST = 1  # of a page that says no version

# Names that are no longer in `engine.authoring`, or no longer taken by `Algorithm.of`: what became
# of each.
GONE: Mapping[str, str] = {
    "dataclass": "was removed in version 2: write a record, class State(Record)",
    "Late": "is called Lazy",
    "Said": "is called Words",
    "quick": "was removed in version 2: every record, class State(Record), is made quickly",
}

# What else no longer fits, by the version that changed it: a page that is written for an earlier
# version is refused with these sentences. {3: "steps() takes …"}
CHANGED: Mapping[int, str] = {}


def check_edition(version: object) -> None:
    """Raises EngineError where a page written for `version` does not fit this lab."""
    if not isinstance(version, int) or not version >= FIRST:
        raise EngineError(f"authoring is the number of a version, as {VERSION}; it is {version!r}.")
    if version > VERSION:
        raise EngineError(
            f"The page is written for version {version} of engine.authoring, this lab has version"
            f" {VERSION}: a newer lab can read it."
        )
    changes = [f"in version {at}, {said}" for at, said in CHANGED.items() if at > version]
    if changes:
        raise EngineError(
            f"The page is written for version {version} of engine.authoring, this lab has version"
            f" {VERSION}. What changed: {'; '.join(changes)}. Change the page, and write"
            f" authoring={VERSION} in it."
        )
