"""Places in the five texts as sources name them: “AIMA Fig 18.1(c)”, “MIT 2.2.11-2.2.30”."""

import re
from typing import NamedTuple

_CITED = re.compile(
    r"(?P<text>AIMA|MIT|MMDS|ML) (?:(?P<kind>Fig|Ex|Exercise|Eq|Table|Theorem) )?"
    r"(?P<low>\d+(?:\.\d+)*)(?:-(?P<high>\d+(?:\.\d+)*))?(?P<part>\([a-z]\))?"
    r"|LS, (?P<heading>[^;]+)"
)
Number = tuple[int | str, ...]


class Cite(NamedTuple):
    """A place in a text as a source names it.

    kind: 'Fig', 'Ex' …, '' for a section
    low, high: the ends of a range of numbers, equal for a single place
    part: '(a)' of a figure
    """

    text: str
    kind: str
    low: Number
    high: Number
    part: str = ""

    def names(self, other: "Cite") -> bool:
        """Whether both places are the same or overlap."""
        parted = self.part and other.part and self.part != other.part
        return (
            self.group == other.group
            and not parted
            and self.low <= other.high
            and other.low <= self.high
        )

    @property
    def group(self) -> tuple[str, str, int]:
        """(text, kind, depth); only places with equal ones can overlap."""
        return self.text, self.kind, len(self.low)


def cites(source: str) -> tuple[Cite, ...]:
    """The places that `source` names, in their order."""
    return tuple(map(_cite, _CITED.finditer(source)))


def _cite(found: re.Match[str]) -> Cite:
    if found["heading"]:
        heading = (found["heading"].strip(),)
        return Cite("LS", "", heading, heading)
    low, high = (
        tuple(map(int, text.split("."))) for text in (found["low"], found["high"] or found["low"])
    )
    kind = found["kind"] or ""
    if kind == "Exercise" and found["text"] != "MMDS":  # where “Ex” is a worked example
        kind = "Ex"
    return Cite(found["text"], kind, low, high, found["part"] or "")
