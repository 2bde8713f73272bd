"""The probe tool: reads the model under the pointer; a click places the probe."""

from itertools import count

from gui.plane.tool import Place, Tool

_moves = count(1)


class ProbeTool(Tool):
    key = "probe"
    title = "Probe"
    shortcut = "I"
    makes = False
    hint = "point to read, click or drag to put it down; Escape takes it away"

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.key_of_drag = ""

    def refusal(self) -> str:
        """Always "": without a plane the tool opens “Why?”, where a row of the table is chosen."""
        return ""

    def press(self, place: Place) -> None:
        """Choose the probe tool in the settings, then place the probe. Press and drag are one undo
        step.
        """
        self.session.set_settings(tool=self.key)
        self.key_of_drag = f"probe {next(_moves)}"
        self.drag(place)

    def drag(self, place: Place) -> None:
        self.session.place_probe(place.xy, self.key_of_drag)
