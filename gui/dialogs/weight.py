"""The dialog that sets one weight of the shown state by hand; a run goes on from there."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from engine.base.notation import cut, number, quoted
from engine.read.number_cells import number_of
from engine.runs.start import weights_by_hand
from gui.base.guard import guarded
from gui.dialogs.rows import lay_out
from gui.session.session import Session
from gui.widgets.controls import Combo, ErrorLine, describe

SAID = "A new run goes on from here with this weight; Ctrl+Z goes back."
ON_LINKS = "The weights of {title} are set on its network: click a link there."
STEP_CHANGED = (
    "The step with these weights is no longer shown: close this and set a weight of the step that"
    " is shown now."
)
NONE = "{title} has no weights to set by hand."


class SetWeight(QDialog):
    """Asks for a weight and its value; not modal.

    It is about the state that was shown when it opened.

    weights: (name, value) of the weights that can be set
    """

    def __init__(
        self, parent: QWidget, session: Session, weights: tuple[tuple[str, float], ...]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Set a weight: {session.algorithm.title}")
        self.session, self.weights = session, weights
        self.names = Combo("Weight")
        for name, value in weights:
            self.names.addItem(f"{cut(name)}: {number(value, 4)}")
        self.names.setMinimumContentsLength(18)
        self.value = QLineEdit()
        describe(self.value, "The weight's value")
        self.value.setMinimumWidth(220)
        self.value.returnPressed.connect(self.accept)
        self.error = ErrorLine()
        lay_out(
            self,
            (("Weight", self.names), ("Value", self.value)),
            self.error,
            SAID,
            "Go on from here",
        )
        self.names.currentIndexChanged.connect(self._show)
        self._show()

    def _show(self) -> None:
        """Show the value of the chosen weight."""
        self.value.setText(f"{self.weights[self.names.currentIndex()][1]:.6g}")
        self.value.selectAll()
        self.error.show_error("")

    @guarded
    def accept(self) -> None:
        """Begin the run, or show what is wrong with the number or the step."""
        value = number_of(self.value.text())
        if value is None or abs(value) == float("inf"):
            self.error.show_error(
                f"{quoted(self.value.text())} is no number: write it as 0.75 or -2."
            )
            return
        if _weights(self.session) != self.weights:
            self.error.show_error(STEP_CHANGED)
            return
        super().accept()
        self.session.continuation.tweak((self.names.currentIndex(),), float(value))


def _weights(session: Session) -> tuple[tuple[str, float], ...]:
    """(name, value) of the shown state's weights that can be set by hand."""
    trace, step = session.trace, session.step
    return (
        ()
        if trace is None or step is None
        else weights_by_hand(trace.algorithm, trace.given, step.state)
    )


def ask_weight(parent: QWidget, session: Session) -> None:
    """Open the dialog, or say why the method has no weights to set there."""
    title = session.algorithm.title
    weights = _weights(session)
    if weights:
        session.player.pause()
        SetWeight(parent, session, weights).show()
    else:
        session.say((ON_LINKS if session.algorithm.tweak is not None else NONE).format(title=title))
