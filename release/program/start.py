"""What the program to double-click begins with: the lab, or one of the further processes that the
lab starts.

A frozen program is its own Python: where a checkout starts `python -P -c …`, it is started itself
with these arguments.
"""

import sys


def main() -> int:
    """The exit code; arguments of a further process are `-P -c` and its one line of code."""
    if sys.argv[1:3] == ["-P", "-c"]:
        exec(sys.argv[3], {"__name__": "__main__"})
        return 0
    from main import main as learnscope

    return learnscope()


if __name__ == "__main__":
    sys.exit(main())
