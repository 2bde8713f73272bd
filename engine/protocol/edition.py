"""The version of the interface for pages, and what pages of earlier versions have to change.

When a change of `engine.authoring` breaks pages in other folders, raise VERSION by one and describe
the change below. A page states the version that it is written for: `authoring=2`.
"""

from collections.abc import Mapping

from engine.base.errors import EngineError

VERSION = 2
FIRST = 1  # version of a page that states none

# Names removed from `engine.authoring` or the arguments of `Algorithm.of`, and what became of them.
REPLACED: Mapping[str, str] = {
    "dataclass": "was removed in version 2: write a record, class State(Record)",
    "Late": "is called Lazy",
    "Said": "is called Words",
    "quick": "was removed in version 2: every record, class State(Record), is made quickly",
}

# Other breaking changes, by the version that made them, as in {3: "steps() takes …"}: a page for an
# earlier version is refused with these sentences.
CHANGED: Mapping[int, str] = {}


def check_edition(version: object) -> None:
    """Raises EngineError where a page written for `version` cannot run in this lab."""
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
