"""The arguments that several commands share, and the types that check them."""

import argparse
import re
from typing import Any

from engine.base.place import PROGRAM
from gui.commands.console import Parser

CHANGES = (
    (
        "--one-hot",
        "one_hot",
        "turn words into 0/1 columns; changes are made in the order in which they are given",
    ),
    ("--fill", "fill_missing", "fill missing values by the mean or the most frequent one"),
    ("--drop-missing", "drop_missing", "leave out rows with missing values"),
    ("--standardise", "standardise", "give each column of numbers mean 0 and standard deviation 1"),
    ("--unit-range", "unit_range", "scale each column of numbers to 0…1"),
    ("--permute", "permute", "put the columns in another order, always the same"),
)  # option, transformation, help


def for_argparse(arguments: list[str]) -> list[str]:
    """The arguments in a form that argparse understands.

    `--probe -1,2` becomes `--probe=-1,2`, since argparse takes -1,2 for an option. Each setting
    after --set gets a --set of its own: if --set took several words, `run --set rate=1 perceptron`
    would take the last one, too.
    """
    found: list[str] = []
    for word in arguments:
        if found and found[-1] == "--probe" and re.match(r"-[\d.]", word):
            found[-1] += f"={word}"
        elif found[-2:-1] == ["--set"] and re.match(r"\w+ *=", word):
            found += ["--set", word]
        else:
            found.append(word)
    return found


def run_parser(name: str, description: str) -> argparse.ArgumentParser:
    """A parser with the arguments of all commands that run an algorithm on data."""
    parser = Parser(f"{PROGRAM} {name}", description=description)
    parser.add_argument("key", help=f"the algorithm, as “{PROGRAM} list” names it")
    parser.add_argument(
        "--data",
        required=True,
        metavar="FILE|NAME",
        help=(
            "a table, a project, or the name of a data set; generators take rows, noise, seed and"
            " classes: moons:200:0.1:3"
        ),
    )
    targets = parser.add_mutually_exclusive_group()
    targets.add_argument("--target", metavar="COLUMN", help="the column to learn")
    targets.add_argument(
        "--no-target",
        action="store_true",
        help="set the target aside; methods that need none run so",
    )
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="COLUMN",
        help="set a column aside; may be given repeatedly",
    )
    for option, kind, words in CHANGES:
        parser.add_argument(
            option, action="append_const", dest="changes", const=kind, default=[], help=words
        )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="name=value …",
        help="parameters of the algorithm",
    )
    parser.add_argument(
        "--seed", type=seed, default=0, help="of the algorithm's own chance and of the split"
    )
    parser.add_argument(
        "--unit",
        "--pace",
        dest="unit",
        choices=("detail", "step", "round"),
        default="step",
        help="what a step counts, as in the window (default: step)",
    )
    parser.add_argument(
        "--split", type=share, metavar="SHARE", help="share of the rows held out: 0.3 or 30%%"
    )
    parser.add_argument(
        "--executor",
        metavar="module:callable",
        help="workers for many fits, a concurrent.futures.Executor, as dask's for a cluster",
    )
    parser.add_argument(
        "--probe", type=place, metavar="X,Y", help="the placed query point on the plane"
    )
    return parser


def step_options(parser: Any) -> None:
    """Add --steps and --every to a parser or a group of one."""
    parser.add_argument(
        "--steps",
        metavar="0:200",
        help="from this to that one in the unit, both included; 12: to the end; 0,5,12 single ones",
    )
    parser.add_argument(
        "--every", type=count, default=1, metavar="N", help="one step in N (default: each)"
    )


def seed(text: str) -> int:
    """A seed, 0 to MAX_SEED; raises ArgumentTypeError, as all types of arguments here do."""
    from engine.table.given import MAX_SEED

    if not (text.isdecimal() and len(text) < 11 and int(text) <= MAX_SEED):
        raise argparse.ArgumentTypeError(
            f"must be a whole number from 0 to {MAX_SEED}; it is “{text}”"
        )
    return int(text)


def share(text: str) -> float:
    """A share, 0 ≤ share < 1, from 0.3 or 30%."""
    try:
        found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1:
        raise argparse.ArgumentTypeError(
            f"must be a share from 0 up to, but not with, 1; it is “{text}”"
        )
    return found


def place(text: str) -> tuple[float, float]:
    """A place (x, y) on the plane, from two finite numbers with a comma between."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be two numbers with a comma between them; it is “{text}”"
        ) from None
    if not abs(x) + abs(y) < float("inf"):
        raise argparse.ArgumentTypeError("must be finite")
    return x, y


def count(text: str) -> int:
    """A whole number above 0."""
    if not (text.isdecimal() and 0 < len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"must be a whole number above 0; it is “{text}”")
    return int(text)


def pixels(text: str) -> tuple[int, int]:
    """(width, height) in pixels, from 1280x800."""
    sides = text.lower().split("x")
    if len(sides) != 2 or not all(
        side.isdecimal() and len(side) < 6 and 16 <= int(side) <= 16384 for side in sides
    ):
        raise argparse.ArgumentTypeError(
            f"must be width x height in pixels, each from 16 to 16384, as 1280x800; it is “{text}”"
        )
    return int(sides[0]), int(sides[1])


def first_step(text: str) -> int:
    """The number of a step, from 0."""
    if not (text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"must be the number of a step, from 0; it is “{text}”")
    return int(text)
