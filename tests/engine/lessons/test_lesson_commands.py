"""The commands for lessons and hand-ins."""

from pathlib import Path

import pytest

import main
from engine.base.place import ASSETS
from engine.lessons import handin
from engine.lessons.handin import hand_in
from engine.lessons.package import open_lesson
from engine.lessons.progress import begin

SPAM = ASSETS / "lessons" / "mmds" / "six_e_mails.toml"


def test_lessons_are_checked_run_and_marked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["lesson", "run", str(SPAM)]) == 0
    said = capfd.readouterr().out
    assert "? Which w comes next?" in said and "= 0.50, 0.50, −0.50, 0, 0.50" in said
    text = SPAM.read_text("utf-8")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace("number = 4", "number = 5", 1), "utf-8")
    assert main.main(["lesson", "check", str(SPAM), str(wrong)]) == 1
    said = capfd.readouterr().out
    page = text[: text.index("number = 4")].rpartition("[[page]]")[0].count("\n") + 1
    assert f"{SPAM}: 8 pages, no fault." in said
    assert f"{wrong}, line {page}: The run has the event “mistake” 4 times only." in said
    unsigned = tmp_path / "unsigned.toml"
    unsigned.write_text(text[: text.index("\n[digest]")], "utf-8")
    assert main.main(["lesson", "check", "--digest", str(unsigned)]) == 0
    assert unsigned.read_text("utf-8") == text
    broken = tmp_path / "broken.toml"
    broken.write_text("title", "utf-8")
    assert main.main(["lesson", "check", str(broken)]) == 2
    assert main.main(["lesson", "run", str(broken)]) == 2
    capfd.readouterr()
    assert main.main(["lesson", "list"]) == 0
    said = capfd.readouterr().out
    assert "MMDS, Lines that learn\n  MM04  Six e-mails" in said and "AI03 AI04 AI05" in said
    assert main.main(["lesson", "check"]) == main.main(["lesson", "list", "x.toml"]) == 2
    lesson = open_lesson(SPAM).lesson
    assert lesson is not None
    handed = tmp_path / "lynx.handin"
    handed.write_text(handin.as_text(hand_in(begin(lesson), "Lynx", "9:00")), "utf-8")
    capfd.readouterr()
    assert main.main(["marks", str(handed), "--csv", "--lesson", str(SPAM)]) == 0
    assert capfd.readouterr().out.splitlines()[1] == "Lynx,,,,,,,,,0,12,0.0,"
    assert main.main(["marks", str(handed), str(broken)]) == 1
