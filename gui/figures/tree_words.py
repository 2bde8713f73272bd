"""The text of a tree: the whole as plain text, and the tool tip of a node."""

from collections.abc import Sequence

from engine.scene.scene import Role, TreeNode
from engine.scene.tree_layout import depths, preorder
from gui.figures.row_names import RowNames

LISTED = 60  # most examples in a tool tip


def tree_text(nodes: Sequence[TreeNode], names: RowNames) -> str:
    """One line per node, indented by depth: branch, text, note, examples."""
    lines = []
    parents = [node.parent for node in nodes]
    depth_of = depths(parents)
    for k in preorder(parents):
        node = nodes[k]
        depth = depth_of[k]
        branch = f"{node.branch}: " if node.branch else ""
        rows = " ".join(names.title(index + 1) for index, _ in node.boxes)
        parts = [
            node.text or "?",
            f"({node.note})" if node.note else "",
            f"[{rows}]" if rows else "",
            "← now" if node.role is Role.ACTIVE else "",
        ]
        lines.append("  " * depth + branch + " ".join(p for p in parts if p))
    return "\n".join(lines)


def node_text(node: TreeNode, names: RowNames, cut: bool) -> str:
    """The tool tip of a node: note, examples, and its text where the picture cuts it."""
    rows = ", ".join(names.title(index + 1) for index, _ in node.boxes[:LISTED])
    hint = "Right click: put its column on an axis" if node.column else ""
    parts = (node.text if cut else "", node.note, rows and f"rows {rows}", hint)
    return "\n".join(part for part in parts if part)
