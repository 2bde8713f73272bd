"""`uv run python -m tests.benchmarks` measures everything and prints one table; names of parts
choose some of them.

`--against FILE` names what got worse since an earlier table.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks import (
    experiments,
    fitting,
    keeping,
    laning,
    opening,
    paging,
    scripting,
    showing,
    stalls,
    starting,
    stepping,
)
from tests.benchmarks.measure import Row, Sizes, ratios, table, worse

PARTS: dict[str, Any] = {
    "starting": starting,
    "showing": showing,
    "laning": laning,
    "fitting": fitting,
    "stepping": stepping,
    "experiments": experiments,
    "scripting": scripting,
    "keeping": keeping,
    "opening": opening,
    "stalls": stalls,
    "paging": paging,
}


def measured(sizes: Sizes, wanted: list[str]) -> Iterator[Row]:
    for name in wanted or PARTS:
        for row in PARTS[name].rows(sizes):
            print(" ", *row.cells(), sep="  ", file=sys.stderr, flush=True)
            yield row


def main(given: list[str], sizes: Sizes = Sizes()) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--against", type=Path, metavar="FILE", help="a table printed earlier")
    args = parser.parse_args(given)
    unknown = [name for name in args.parts if name not in PARTS]
    if unknown:
        print(f"There is no part “{unknown[0]}”; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    try:
        earlier = ratios(args.against.read_text("utf-8")) if args.against else {}
    except OSError as fault:
        print(f"{args.against} cannot be read: {fault.strerror}.", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    found = [*measured(sizes, args.parts)]
    print(table(found))
    for line in worse(found, earlier):
        print("worse:", line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
