"""The base class of the plane's tools. A tool receives places, edits the document through the
session and may draw layers over the scene.
"""

from collections.abc import Callable, Iterable
from itertools import count
from typing import ClassVar, Protocol

from PySide6.QtCore import Qt

from engine.base.arrays import Int
from engine.base.errors import EngineError
from engine.base.records import Record
from engine.document.document import Document
from engine.document.edits import Shown
from engine.scene.scene import Layer
from gui.painters.view import View
from gui.session.session import Session

_numbers = count(1)


class Stroke:
    """Edits that undo as one, and that `give_up` reverts as one. The stroke ends when anything else
    changes the document, such as undo.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._key = f"stroke {next(_numbers)}"
        self._before = self._made = session.document

    @property
    def going(self) -> bool:
        """Whether nothing else has changed the document since the last edit of the stroke."""
        return self._session.document is self._made

    def edit(self, change: Callable[[Document], Document], label: str) -> None:
        """Edit the document with `change`; an `EngineError` becomes a message of the session."""
        try:
            self._session.edit(
                self._session.document.in_lane(self._session.active, change), label, self._key
            )
        except EngineError as sentence:
            self._session.say(str(sentence), "error")
        self._made = self._session.document

    def give_up(self) -> None:
        """Put back the document from before the stroke, without a step of undo."""
        self._session.edit(self._before, "give up", self._key)


NO_PLANE = (
    "There is no plane: no column to learn from holds numbers. Ctrl+T shows and changes the table."
)


def no_plane(session: Session) -> str:
    """Why no plane can be edited; "" where there is one, even without points."""
    problem = session.problem
    if problem is not None:
        return "" if problem.plane else NO_PLANE
    numbers = any(column.feature.numeric for column in session.data.features)
    return "" if numbers or session.document.transforms else NO_PLANE


class Place(Record, eq=True):
    """The place of the pointer: plane coordinates (snapped when snapping is on) and pixels of the
    view box, with mouse button and modifier keys.
    """

    x: float
    y: float
    px: float
    py: float
    button: Qt.MouseButton = Qt.MouseButton.NoButton
    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    @property
    def xy(self) -> tuple[float, float]:
        return self.x, self.y


class ToolPlane(Protocol):
    """The interface of the plane that the tools use."""

    snap: bool

    @property
    def selected(self) -> frozenset[int]: ...
    def view(self) -> View: ...
    def redraw(self) -> None: ...
    def shown(self) -> Shown: ...
    def point_at(self, place: Place) -> int | None: ...
    def points_near(self, place: Place, radius: float) -> Int: ...
    def select(self, rows: Iterable[int]) -> None: ...


class Tool:
    """Base of all tools. Tools get the left button only; the plane pans, zooms and
    opens the menu.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    hint: ClassVar[str] = ""
    shortcut: ClassVar[str] = ""
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.CrossCursor
    # a stroke needs two places; one click makes none
    two_places: ClassVar[bool] = False
    makes: ClassVar[bool] = (
        # a press changes the data anywhere; the click that activates another lane must not press
        True
    )

    def __init__(self, session: Session, plane: ToolPlane) -> None:
        self.session, self.plane = session, plane
        self.stroke: Stroke | None = None

    def refusal(self) -> str:
        """Why the tool cannot be used; "" where it can."""
        return no_plane(self.session)

    def press(self, place: Place) -> None:
        """The left button went down: start a stroke."""
        self.stroke = Stroke(self.session)

    def drag(self, place: Place) -> None:
        """The pointer moved with the left button down."""

    def release(self, place: Place) -> None:
        """The left button went up: the next edit is a new undo step."""
        self.stroke = None
        self.session.history.seal()

    def hover(self, place: Place | None) -> None:
        """The pointer moved without a button, or left the plane (None)."""

    def busy(self) -> bool:
        """Whether a stroke is under way that `cancel` would end."""
        return self.stroke is not None and self.stroke.going

    def cancel(self) -> None:
        """Give up the stroke; Escape calls it."""
        if self.stroke is not None:
            self.stroke.give_up()
        self.stroke = None
        self.plane.redraw()

    def key_pressed(self, key: int) -> bool:
        """Handle a key that belongs to no command; True where the tool used it."""
        return False

    def wheel(self, steps: int, alt: bool) -> bool:
        """Handle Ctrl+wheel or Alt+wheel; False leaves it to the plane, which zooms."""
        return False

    def layers(self) -> tuple[Layer, ...]:
        """The layers to draw over the scene, such as a rubber band or a brush."""
        return ()
