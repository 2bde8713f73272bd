"""The command `check`: the contract tests on a person's own algorithms, reported in sentences."""

from pathlib import Path
from textwrap import wrap
from traceback import extract_tb
from typing import Any

from engine.base.notation import counted
from engine.base.place import INSTALLED, PROGRAM, ROOT
from gui.commands.console import Parser, failed, say

PYTEST = "pip install pytest" if INSTALLED else "uv run main.py check FILE"
TESTS = ROOT / "tests" / "engine" / "test_contract.py"
INTERRUPTED = 2  # pytest's exit code after Ctrl+C
COLUMNS = 100


def check_command(arguments: list[str]) -> int:
    """Run the contract tests and report.

    Returns the exit code: 0 when all promises hold, 1 when one is broken or a page cannot be read,
    2 when nothing can be checked.
    """
    parser = Parser(
        f"{PROGRAM} check",
        description=(
            "Run the contract tests on an algorithm of your own: does it keep all promises?"
        ),
    )
    parser.add_argument(
        "file",
        help=(
            "a Python file with ALGORITHM = Algorithm.of(__name__, …), a page's folder, or a folder"
            " of pages"
        ),
    )
    place = Path(parser.parse_args(arguments).file)
    from engine.base.errors import EngineError
    from engine.protocol.registry import add_algorithms, algorithm

    readable = []
    unreadable: dict[str, str] = {}
    for key in add_algorithms(place):
        try:
            algorithm(key)
            readable.append(key)
        except EngineError as sentence:
            unreadable[key] = str(sentence)
    if not readable:
        return failed(" ".join(unreadable.values()) or f"There are no pages in {place}.")
    try:
        import pytest
    except ModuleNotFoundError:
        return failed(f"The contract tests need pytest: {PYTEST} brings it along.")
    findings = Findings(readable)
    code = pytest.main(options(), plugins=[findings])
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if findings.trouble or not all(findings.kept.values()):
        return failed(
            findings.trouble or f"The contract tests did not run: pytest ended by {code}."
        )
    for key in readable:
        say(*findings.lines(key))
    say(*unreadable.values())
    return int(bool(unreadable) or any(findings.broken.values()))


def options() -> list[str]:
    """The arguments of pytest: the tests, no report of its own, no settings of a project."""
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "--assert=plain"]
    return [str(TESTS), "-o", "addopts=", "-o", f"pythonpath={ROOT}", *quiet]


class Findings:
    """A pytest plugin that runs the contract tests of some algorithms and notes what broke.

    kept: the number of promises tested, by the key of the algorithm
    broken: by key, for each sentence that says what is wrong, the promises that it breaks
    trouble: why the tests could not run, "" if they did
    """

    def __init__(self, keys: list[str]) -> None:
        self.kept = dict.fromkeys(keys, 0)
        self.broken: dict[str, dict[str, list[str]]] = {key: {} for key in keys}
        self.trouble = ""

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.trouble = f"The contract tests cannot be read: {report.longreprtext}"

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if key_of(item) in self.kept]

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        key = key_of(item)
        if call.when == "call":
            self.kept[key] += 1
        if call.excinfo is not None:
            notes = "".join(f", {note}" for note in getattr(call.excinfo.value, "__notes__", ()))
            promise = item.originalname.removeprefix("test_").replace("_", " ") + notes
            promises = self.broken[key].setdefault(sentence(call.excinfo.value, key), [])
            if promise not in promises:
                promises.append(promise)

    def lines(self, key: str) -> list[str]:
        """The report on an algorithm: each fault once, with the promises that it breaks."""
        faults = self.broken[key]
        if not faults:
            return [f"{key} keeps all {self.kept[key]} promises."]
        rows = [f"{key} has {counted(len(faults), 'fault')}:"]
        for fault, promises in faults.items():
            rows += wrap(fault, COLUMNS, initial_indent="- ", subsequent_indent="  ")
            rows += wrap(
                f"({'; '.join(promises)})", COLUMNS, initial_indent="  ", subsequent_indent="  "
            )
        return rows


def key_of(item: Any) -> str:
    """The key of the algorithm that a test is about, "" if it is about none."""
    given = getattr(item, "callspec", None)
    about = given.params.get("algorithm", "") if given is not None else ""
    return str(getattr(about, "key", about))


def sentence(fault: BaseException, key: str) -> str:
    """A sentence that says what is wrong.

    The message of a broken promise, else the name, message and place of the exception.
    """
    said = str(fault)
    if isinstance(fault, AssertionError) and said:
        return said
    return f"{type(fault).__name__}: {said or 'without a message'}{place_of(fault, key)}"


def place_of(fault: BaseException, key: str) -> str:
    """Where a fault was raised: the last place on the algorithm's own page, else in the lab."""
    from engine.protocol.registry import own_page

    page = own_page(key)
    frames = extract_tb(fault.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(page)]
    if own:
        return f" ({Path(own[-1].filename).name}, line {own[-1].lineno}, in {own[-1].name})"
    last = frames[-1]
    return f" (in the lab: {Path(last.filename).name}, line {last.lineno}, in {last.name})"
