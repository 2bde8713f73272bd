"""The functions of the commands, by the word that is typed."""

from collections.abc import Callable

from gui.commands.asking import answers_command
from gui.commands.checking import check_command
from gui.commands.lessons import lesson_command, marks_command
from gui.commands.listing import list_command
from gui.commands.rendering import render_command
from gui.commands.running import run_command, script_command, table_command
from gui.commands.writing import new_command

COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "list": list_command,
    "run": run_command,
    "render": render_command,
    "answers": answers_command,
    "script": script_command,
    "table": table_command,
    "check": check_command,
    "lesson": lesson_command,
    "marks": marks_command,
    "new": new_command,
}
