"""The command `new`: a first page for a person's own algorithm."""

from engine.base.place import PROGRAM
from gui.commands.console import Parser, say

FOLDER = "mine"


def new_command(arguments: list[str]) -> int:
    """Write the page of a new algorithm and say what to do next; returns the exit code."""
    parser = Parser(
        f"{PROGRAM} new",
        description="Write the page of a new algorithm: a small method that works, to be changed.",
    )
    parser.add_argument("key", help="its name in files and commands, as nearest_mean")
    parser.add_argument(
        "--title", default="", help="its name for people (default: the key in words)"
    )
    parser.add_argument(
        "--family",
        default="",
        help="the heading under which it is listed, as trees (default: own_algorithms)",
    )
    parser.add_argument(
        "--out",
        default=FOLDER,
        metavar="FOLDER",
        help=f"where the file is written (default: {FOLDER}, in the folder that you are in)",
    )
    given = parser.parse_args(arguments)
    from engine.files.new_page import new_page

    path = new_page(given.out, given.key, given.title, given.family)
    say(
        f"{path} is a small method that works. Change it line by line; its comments say how.",
        f"  {PROGRAM} check {path}   does it keep all promises?",
        f"  {PROGRAM} --algorithms {path.parent}   the window, with it among the others",
    )
    return 0
