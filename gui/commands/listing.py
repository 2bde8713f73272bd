"""The command `list`: every algorithm and data set, or one algorithm in detail."""

from typing import Any

from engine.base.place import PROGRAM
from gui.commands.console import Parser, say, write_out


def list_command(arguments: list[str]) -> int:
    """Print the lists, or the reference of one algorithm; returns the exit code."""
    parser = Parser(f"{PROGRAM} list", description="Show every algorithm and data set.")
    parser.add_argument(
        "key", nargs="?", help="one algorithm: its parameters, lines, events, metrics and state"
    )
    parser.add_argument(
        "--by-source",
        action="store_true",
        help="the sections, figures and exercises of the texts instead",
    )
    parser.add_argument(
        "--facts", action="store_true", help="with --by-source: what the texts state of each"
    )
    parser.add_argument(
        "--table",
        action="store_true",
        help="which method for what: the data that each method takes, and what it gives",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    given = parser.parse_args(arguments)
    if given.key is not None:
        from engine.protocol.reference import reference
        from engine.protocol.registry import algorithm

        say(reference(algorithm(given.key)))
        return 0
    from engine.files.books import book_lines, book_to_plain
    from engine.files.catalogue import catalogue_lines, catalogue_to_plain
    from engine.files.methods_table import table_lines, table_to_plain
    from engine.files.plain import pieces

    if given.facts:
        from engine.files.facts import fact_lines

        say(*fact_lines())
        return 0
    plain: Any
    if given.by_source:
        lines, plain = book_lines, book_to_plain
    elif given.table:
        lines, plain = table_lines, table_to_plain
    else:
        lines, plain = catalogue_lines, catalogue_to_plain
    if not given.json:
        say(*lines())
        return 0
    write_out(pieces(plain()))
    print()
    return 0
