"""The package `learnscope`: the door for scripts, which hides nothing of the user's own and says
when it cannot open.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

IMPORT = 0.15  # seconds of CPU, the most that `import learnscope` may take


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a new Python prints that works in `folder`, as a user's script does."""
    found = find_spec("learnscope")
    assert found is not None and found.origin is not None
    paths = os.pathsep.join([str(folder), str(Path(found.origin).parents[1])])
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder with a package `engine`, a `main.py` and `tests` of the user's own."""
    for name in ("engine", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("MINE = True\n")
    (tmp_path / "main.py").write_text("MINE = True\n")
    return tmp_path


@pytest.mark.slow
def test_a_script_runs_a_method_and_asks_for_a_label(tmp_path: Path) -> None:
    said = python(
        "import learnscope\ntrace = learnscope.run('nearest_neighbours', ([[0.0], [1.0], [9.0]],"
        " ['a', 'a', 'b']), k=1)\nprint(*trace.predict([[0.4],"
        " [8.0]]))\nprint(learnscope.__version__, 'run' in dir(learnscope))",
        tmp_path,
    )
    assert said.stdout.splitlines() == ["a b", "0.1.0 True"], said.stderr


def test_modules_of_the_user_are_not_hidden(strange: Path) -> None:
    said = python("import learnscope, main, tests; print(main.MINE and tests.MINE)", strange)
    assert said.stdout.strip() == "True", said.stderr


@pytest.mark.slow
def test_the_lab_finds_its_own_engine_before_another_of_that_name(strange: Path) -> None:
    said = python("import learnscope; print(len(learnscope.algorithms()) > 70)", strange)
    assert said.stdout.strip() == "True", said.stderr


def test_another_engine_that_was_imported_before_is_named_in_one_sentence(strange: Path) -> None:
    said = python("import engine\nimport learnscope", strange)
    last = said.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: Learnscope has a package “engine” of its own")
    assert str(strange / "engine" / "__init__.py") in last
    assert said.returncode == 1


def test_what_it_has_not_is_an_attribute_error(tmp_path: Path) -> None:
    said = python("import learnscope; print(hasattr(learnscope, 'no_such_thing'))", tmp_path)
    assert said.stdout.strip() == "False", said.stderr


def test_importing_takes_little_time(tmp_path: Path) -> None:
    code = (
        "import time; before = time.process_time(); import learnscope; print(time.process_time() -"
        " before)"
    )
    assert min(float(python(code, tmp_path).stdout) for _ in range(3)) < IMPORT
