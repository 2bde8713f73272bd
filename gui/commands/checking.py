"""`check`: the contract tests on an algorithm of one's own."""

from pathlib import Path

from engine.core.place import INSTALLED, PROGRAM, ROOT
from gui.commands.console import Parser, failed

PYTEST = "pip install pytest" if INSTALLED else "uv run main.py check FILE"


def check_command(arguments: list[str]) -> int:
    parser = Parser(
        f"{PROGRAM} check",
        description=(
            "Run the contract tests on an algorithm of your own: does it keep all promises?"
        ),
    )
    parser.add_argument(
        "file", help="a Python file with ALGORITHM = Algorithm.of(__name__, …), or a page's folder"
    )
    file = Path(parser.parse_args(arguments).file)
    from engine.core.registry import add_algorithms, algorithm

    keys = add_algorithms(file)
    for key in keys:
        algorithm(key)  # a page that cannot be loaded is told here, in one sentence
    try:
        import pytest
    except ModuleNotFoundError:
        return failed(f"The contract tests need pytest: {PYTEST} brings it along.")
    tests = ROOT / "tests" / "engine" / "test_contract.py"
    return int(
        pytest.main(
            [
                str(tests),
                "-o",
                "addopts=",
                "-o",
                f"pythonpath={ROOT}",
                "-q",
                "-p",
                "no:cacheprovider",
                "-k",
                " or ".join(f"[{key}]" for key in keys),
            ]
        )
        != 0
    )
