"""The keyboard pointer: a cross that the keys move over the plane, for use without a mouse."""

from typing import Protocol

import numpy as np
from PySide6.QtWidgets import QApplication

from engine.base.arrays import Float
from engine.scene.scene import Layer, Role, Segments
from gui.plane.tool import Place, Tool, ToolPlane, no_plane
from gui.session.session import Session

ARM = 11.0  # pixels of each arm of the cross
GAP = 4.0  # pixels left free in its middle
ARMS = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)])


class PointerPlane(ToolPlane, Protocol):
    """The interface of the plane that the pointer uses."""

    holding: Tool | None

    @property
    def tool(self) -> Tool | None: ...
    def snapped(self, place: Place) -> Place: ...
    def hover(self, place: Place | None) -> None: ...
    def open_menu_at(self, row: int) -> None: ...


class KeyPointer:
    """A cross that moves by pixels and clicks with the tool in use. Moving the mouse hides it."""

    def __init__(self, session: Session, plane: PointerPlane) -> None:
        self.session, self.plane = session, plane
        # in plane units: it keeps its place when the view moves
        self.at: tuple[float, float] | None = None
        self._begun: tuple[Tool, Place] | None = None  # the tool of a started stroke, and its start

    def move(self, dx: float, dy: float) -> None:
        """Move by pixels, right and up. The first call puts the cross in the middle of the view."""
        if refusal := no_plane(self.session):
            self.session.say(refusal)
            return
        view = self.plane.view()
        if self.at is None:
            px = view.rect.center().x()
            py = view.rect.center().y()
        else:
            px, py = (float(v) for v in view.to_pixels(np.array(self.at)))
            px = min(max(px + dx, view.rect.left()), view.rect.right())
            py = min(max(py - dy, view.rect.top()), view.rect.bottom())
        self.at = view.to_plane(px, py)
        place = self._place()
        self.plane.hover(place)
        if (begun := self._stroke()) is not None:
            begun[0].drag(place)
        self.plane.redraw()

    def click(self, shift: bool = False, ctrl: bool = False) -> bool:
        """Press and release the tool at the cross. A tool with two places starts its stroke at one
        click and ends it at the next. False where there is no cross or no tool.
        """
        tool = self.plane.tool
        if no_plane(self.session):  # the cross is left over from other data
            self.hide()
        if self.at is None or tool is None or self.plane.holding is not None:
            return False
        place = self._place(shift, ctrl)
        begun = self._stroke()
        if begun is None:
            self._give_up()
            tool.press(place)
        self._begun = None
        if begun is None and tool.two_places:
            self._begun = tool, place
        else:
            tool.release(place)
        self.plane.redraw()
        return True

    def open_menu(self) -> bool:
        """Open the menu of the point under the cross, or of a selected one without a cross. False
        where there is none.
        """
        if QApplication.activePopupWidget() is not None:
            return True  # some systems send the menu key twice
        if (row := self._row()) is not None:
            self.plane.open_menu_at(row)
        return row is not None

    def _row(self) -> int | None:
        """The row of the point under the cross; without a cross, the first selected row."""
        if self.at is not None:
            return self.plane.point_at(self._place())
        return next(
            (int(row) for row in self.plane.shown().rows if row in self.plane.selected), None
        )

    def hide(self) -> None:
        """Hide the cross and cancel the stroke that it started."""
        if self.at is not None:
            self._give_up()
            self.at = None
            self.plane.redraw()

    def _give_up(self) -> None:
        """Cancel the started stroke, unless the mouse holds its tool."""
        if (
            self._begun is not None
            and self._begun[0].busy()
            and self._begun[0] is not self.plane.holding
        ):
            self._begun[0].cancel()
        self._begun = None

    def _stroke(self) -> tuple[Tool, Place] | None:
        """The started stroke, while its tool is in use and busy; else None."""
        begun = self._begun
        return (
            begun if begun is not None and begun[0] is self.plane.tool and begun[0].busy() else None
        )

    def _place(self, shift: bool = False, ctrl: bool = False) -> Place:
        assert self.at is not None
        px, py = (float(v) for v in self.plane.view().to_pixels(np.array(self.at)))
        return self.plane.snapped(Place(*self.at, px, py, shift=shift, ctrl=ctrl))

    def layers(self) -> tuple[Layer, ...]:
        """The cross, and a small one at the start of the stroke."""
        if self.at is None:
            return ()
        crosses = [self._arms(self.at, GAP, ARM)]
        if (begun := self._stroke()) is not None:
            crosses.append(self._arms(begun[1].xy, 0.0, GAP))
        return (Segments(np.concatenate(crosses), Role.BOUNDARY),)

    def _arms(self, at: tuple[float, float], inner: float, outer: float) -> Float:
        """The arms of a cross (4, 2, 2), from `inner` to `outer` pixels off its middle."""
        return (
            np.array(at) + np.stack([inner * ARMS, outer * ARMS], axis=1) / self.plane.view().unit
        )
