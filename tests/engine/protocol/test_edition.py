"""Pages of one's own and the version of `engine.authoring` that they are written for."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine import authoring
from engine.base.errors import EngineError
from engine.base.place import ASSETS
from engine.protocol import algorithm, edition, registry

NOW = edition.VERSION
NEXT = NOW + 1
PAGE = (ASSETS / "pages" / "nearest_mean.py").read_text("utf-8")
Fault = Callable[[str, str], str]


@pytest.fixture
def fault(tmp_path: Path) -> Iterator[Fault]:
    """What is wrong with the page of `new` when one text in it is replaced by another, '' when
    nothing is.
    """

    def fault_of(old: str, new: str) -> str:
        assert old in PAGE
        (tmp_path / "middles.py").write_text(PAGE.replace(old, new), "utf-8")
        registry.add_algorithms(tmp_path)
        return registry.broken().get("middles", "")

    yield fault_of
    registry.forget_added()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lab of the next version, which changed two names and what a function is given."""
    replaced = {
        "prepared": f"was renamed to prepare in version {NEXT}",
        "plots": f"was renamed to curves in version {NEXT}",
    }
    for module in (edition, authoring, algorithm):
        monkeypatch.setattr(module, "REPLACED", replaced, raising=False)
    monkeypatch.setattr(edition, "CHANGED", {NEXT: "steps() is given no rng"})
    monkeypatch.setattr(edition, "VERSION", NEXT)


def test_a_page_of_this_version_is_read(fault: Fault) -> None:
    assert fault("", "") == ""
    assert f"authoring={NOW}" in PAGE
    assert authoring.VERSION == NOW


def test_a_page_that_says_no_version_is_of_the_first(fault: Fault) -> None:
    assert fault(f"    authoring={NOW},\n", "") == ""


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("version", range(1, NEXT))
def test_a_page_of_an_earlier_version_is_refused_with_what_changed(
    fault: Fault, version: int
) -> None:
    said = fault(f"authoring={NOW}", f"authoring={version}")
    assert said.startswith(f"The page is written for version {version} of engine.authoring")
    assert f"What changed: in version {NEXT}, steps() is given no rng." in said
    assert f"write authoring={NEXT} in it" in said


@pytest.mark.usefixtures("later")
def test_a_page_of_the_present_version_needs_no_change(fault: Fault) -> None:
    assert fault(f"authoring={NOW}", f"authoring={NEXT}") == ""


@pytest.mark.usefixtures("later")
def test_the_import_of_a_removed_name_says_what_became_of_it(
    fault: Fault,
) -> None:
    said = fault("    prepare,\n", "    prepare,\n    prepared,\n")
    assert (
        "“prepared” of engine.authoring was renamed to prepare" in said
        and f"version {NEXT}" in said
    )


@pytest.mark.usefixtures("later")
def test_a_removed_argument_says_what_became_of_it(fault: Fault) -> None:
    said = fault(f"authoring={NOW},", f"authoring={NEXT}, plots=(),")
    assert said == f"“plots” of Algorithm.of was renamed to curves in version {NEXT}."


@pytest.mark.parametrize("name", ["dataclass", "quick"])
def test_a_page_of_the_first_version_gets_a_sentence_on_records(fault: Fault, name: str) -> None:
    said = fault("    Record,\n", f"    {name},\n")
    assert f"“{name}” of engine.authoring was removed in version 2:" in said
    assert "class State(Record)" in said


@pytest.mark.parametrize(
    ("kind", "head"),
    [("Params", "class Params(Record, eq=True):"), ("State", "class State(Record):")],
)
def test_a_dataclass_gets_a_sentence_on_records(fault: Fault, kind: str, head: str) -> None:
    made = f"from dataclasses import dataclass\n@dataclass(frozen=True)\nclass {kind}:"
    assert fault(head, made) == (
        f"{kind} is a dataclass; since version 2 of engine.authoring it is a record: write"
        f" class {kind}(Record) without @dataclass."
    )


def test_a_page_of_a_later_version_needs_a_later_lab(fault: Fault) -> None:
    said = fault(f"authoring={NOW}", f"authoring={NEXT}")
    assert f"this lab has version {NOW}: a newer lab can read it." in said


@pytest.mark.parametrize("version", ["0", "'two'", "None"])
def test_a_version_is_a_number(fault: Fault, version: str) -> None:
    assert "authoring is the number of a version" in fault(
        f"authoring={NOW}", f"authoring={version}"
    )


def test_a_name_that_never_was_is_reported(fault: Fault) -> None:
    said = fault("    Curve,\n", "    Curvature,\n")
    assert "ImportError" in said and "Curvature" in said
    with pytest.raises(AttributeError, match=r"engine\.authoring has no “Curvature”"):
        _ = authoring.Curvature  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("curves=(", "curve=(", "Algorithm.of takes no “curve”; did you mean “curves”?"),
        ('    title="Nearest mean",\n', "", "The page has no title=“…” in Algorithm.of."),
        ("    task=Task.CLASSIFY,\n", "", "The page has no task=Task.CLASSIFY in Algorithm.of."),
        ("PSEUDOCODE =", "CODE =", "The page has no PSEUDOCODE."),
        ("def steps(", "def step(", "The page has no steps(given, at, rng)."),
        ("def example(", "def sample(", "The page has no example()."),
    ],
)
def test_what_a_page_cannot_do_without_is_named(
    fault: Fault, old: str, new: str, said: str
) -> None:
    assert fault(old, new) == said


def test_all_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(EngineError, match=r"no steps\(given, at, rng\), example\(\)\.$"):
        algorithm.check_parts(["title", "task", "pseudocode"])
