"""The dialog that asks for the name under which a student hands in."""

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from engine.base.notation import counted
from gui.base.guard import guarded
from gui.dialogs.rows import lay_out
from gui.lessons.player import LessonPlayer
from gui.widgets.controls import ErrorLine, describe

SAID = "The file holds your answers, sentences and times as readable text. Nothing is sent."


class HandInDialog(QDialog):
    """Asks for a name; `name` holds it."""

    def __init__(self, parent: QWidget, player: LessonPlayer, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Hand in")
        self.field = QLineEdit(name)
        self.field.setMinimumWidth(280)
        describe(self.field, "Your name")
        self.error = ErrorLine()
        progress = player.progress
        answers = progress.answers if progress is not None else ()
        left = sum(1 for each in answers if each.kind and not each.reached)
        open_tasks = f" {counted(left, 'task')} not reached yet." if left else ""
        lay_out(self, [("Your name", self.field)], self.error, SAID + open_tasks, "Save the file…")

    @property
    def name(self) -> str:
        return self.field.text().strip()

    @guarded
    def accept(self) -> None:
        if not self.name:
            self.error.show_error("Type your name, so that your teacher knows whose it is.")
            return
        super().accept()


def ask_name(parent: QWidget, player: LessonPlayer, name: str) -> str:
    """The name that the student typed; "" where the dialog was left."""
    dialog = HandInDialog(parent, player, name)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    found = dialog.name if accepted else ""
    dialog.deleteLater()
    return found
