"""The tools of the plane, in the order of the tool strip."""

from gui.plane.tool import Tool, ToolPlane
from gui.plane.tools.draw import AddTool, CurveTool, LineTool, SprayTool
from gui.plane.tools.edit import EraseTool, MoveTool, RelabelTool, SelectTool
from gui.plane.tools.probe import ProbeTool
from gui.session.session import Session

TOOLS = (
    SelectTool,
    AddTool,
    SprayTool,
    MoveTool,
    EraseTool,
    RelabelTool,
    LineTool,
    CurveTool,
    ProbeTool,
)


def make_tools(session: Session, plane: ToolPlane) -> dict[str, Tool]:
    """One tool of each kind, by key."""
    return {kind.key: kind(session, plane) for kind in TOOLS}
