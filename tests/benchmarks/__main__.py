"""`uv run python -m tests.benchmarks` measures everything and prints one table; names of parts choose some of them."""

import os
import sys
from collections.abc import Iterator
from typing import Any

from tests.benchmarks import fitting, keeping, opening, scripting, showing, stalls, starting
from tests.benchmarks.measure import Row, Sizes, table

PARTS: dict[str, Any] = {
    "starting": starting,
    "showing": showing,
    "fitting": fitting,
    "scripting": scripting,
    "keeping": keeping,
    "opening": opening,
    "stalls": stalls,
}


def measured(sizes: Sizes, wanted: list[str]) -> Iterator[Row]:
    for name in wanted or PARTS:
        for row in PARTS[name].rows(sizes):
            print(" ", *row.cells(), sep="  ", file=sys.stderr, flush=True)
            yield row


def main(wanted: list[str]) -> int:
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        print(f"There is no part “{unknown[0]}”; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(table(measured(Sizes(), wanted)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
