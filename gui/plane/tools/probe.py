"""The probe: reads the model at a place; a click puts it down, where it stays and asks."""

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
        """Without a plane it opens “Why?”, which then asks for a row of the table."""
        return ""

    def press(self, place: Place) -> None:
        """In hand anew: whatever another method's page was, this click asks."""
        self.session.set_settings(tool=self.key)
        self.key_of_drag = f"probe {next(_moves)}"
        self.drag(place)

    def drag(self, place: Place) -> None:
        self.session.place_probe(place.xy, self.key_of_drag)
