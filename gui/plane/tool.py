"""What a tool on the plane is: it receives places, edits the document through the session, and may
draw over the scene.
"""

from collections.abc import Iterable
from typing import ClassVar, Protocol

from PySide6.QtCore import Qt

from engine.base.arrays import Int
from engine.base.records import Record
from engine.document.edits import Shown
from engine.scene.scene import Layer
from gui.painters.view import View
from gui.plane.stroke import Stroke
from gui.session.session import Session

NO_PLANE = (
    "There is no plane: no column to learn from holds numbers. Ctrl+T shows and changes the table."
)


def no_plane(session: Session) -> str:
    """Why there is no plane for the hands to work on; "" where there is one, also
    without points.
    """
    problem = session.problem
    if problem is not None:
        return "" if problem.plane else NO_PLANE
    numbers = any(column.feature.numeric for column in session.data.features)
    return "" if numbers or session.document.transforms else NO_PLANE


class Place(Record, eq=True):
    """Where the pointer is: plane coordinates (snapped when snapping is on) and pixels of the
    plane's viewport.
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
    """The plane as a tool knows it: where its points stand, which are near or selected."""

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
    """Base of all hand tools.

    Left button only; the plane itself pans, zooms and opens the point's menu.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    hint: ClassVar[str] = ""
    shortcut: ClassVar[str] = ""
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.CrossCursor
    # a stroke leads from one place to another: a mere click is none
    two_places: ClassVar[bool] = False
    makes: ClassVar[bool] = (
        # it changes the data wherever it is put down: the click that goes to another lane is none
        True
    )

    def __init__(self, session: Session, plane: ToolPlane) -> None:
        self.session, self.plane = session, plane
        self.stroke: Stroke | None = None

    def refusal(self) -> str:
        """Why it has nothing to work on now; "" when it has."""
        return no_plane(self.session)

    def press(self, place: Place) -> None:
        """The left button went down."""
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
        """In the middle of something that `cancel` ends."""
        return self.stroke is not None and self.stroke.going

    def cancel(self) -> None:
        """Escape in the middle of a stroke: gives it up."""
        if self.stroke is not None:
            self.stroke.give_up()
        self.stroke = None
        self.plane.redraw()

    def key_pressed(self, key: int) -> bool:
        """A key alone that no command has; True when the tool took it."""
        return False

    def wheel(self, steps: int, alt: bool) -> bool:
        """Ctrl+wheel, or Alt+wheel; False leaves it to the plane, which zooms."""
        return False

    def layers(self) -> tuple[Layer, ...]:
        """What to draw over the scene now: a rubber band, a brush."""
        return ()
