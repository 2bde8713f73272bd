"""The style sheet of the window, built from a theme, and `apply()`, which puts a theme in force.

Plain Qt widgets need nothing. What goes beyond them is chosen by the dynamic property `kind`
(set it with `mark()`):

QLabel       heading (section title) · caption (small, grey) · muted (grey text) · strong (600) ·
             lead (this step's sentence) · title (question, card) · counter, total (step number) ·
             error · key (a key cap, as in “Space play”)
QPushButton  main (dark) · quiet (no frame) · chip, chip-main (above a plane) ·
             segment (made by widgets.Segments) · answer ·
             strip (48-px button of the projector's side strips);
             property `large` = True: 38 px high, `compact` = True: hardly wider than its word
QToolButton  tool (36-px tool strip, dark when checked) ·
             class (a class in the tool strip, framed when checked) · transport ·
             play (44 × 36, dark) · none: a quiet icon button of the menu row
QFrame       dock (dock colour) · row (chip row, window colour) · panel (framed field, radius 4) ·
             card (radius 6) · toast (a message) · segments ·
             rule, rule-vertical (1-px line)
QListView    flat (no frame, for docks such as “Source”)
QSplitter    clear (a gap in place of a rule)

A plain QWidget subclass shows a background of the sheet only with WA_StyledBackground; QFrame
always does.
"""

from collections.abc import Callable, Collection

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from gui.base import plain_text as plain
from gui.look import dressing, focus, fonts, icons, theme
from gui.look.style_sheet import bar, control_height, scale, style_sheet
from gui.look.theme import Theme

__all__ = [
    "apply",
    "bar",
    "control_height",
    "describe",
    "mark",
    "palette",
    "read_aloud",
    "refresh",
    "scale",
    "style_sheet",
]


def apply(app: QApplication, name: str, step: int = 0, folded: Collection[QWidget] = ()) -> Theme:
    """Switch to theme `name`: fonts, palette, icons given with icons.put() and style sheet, so that
    everything is repainted.

    folded: parts that only other themes show
    """
    look = prepare(app, name, step)
    if app.styleSheet() != style_sheet(look):  # even the same sheet would restyle every widget
        dressing.change(app, style_sheet(look), folded)
    return look


def prepare(app: QApplication, name: str, step: int = 0) -> Theme:
    """Do all of `apply` but the style sheet, for a window that is built next: building under a
    sheet is slow.
    """
    look = theme.use(name, step)
    fonts.load()
    if not app.property("fusion"):
        app.setStyle("Fusion")  # the same on every system; the sheet draws on top of it
        app.setProperty("fusion", True)
    app.setFont(look.font("body"))
    app.setPalette(palette(look))
    icons.refresh()
    focus.install(app)
    return look


def mark(widget: QWidget, kind: str, **properties: object) -> None:
    """Set a widget's `kind` (module docstring) and other style properties; works after it was
    shown, too.
    """
    for key, value in {"kind": kind, **properties}.items():
        widget.setProperty(key, value)
    refresh(widget)


def describe(widget: QWidget, accessible: str, tip: str = "") -> None:
    """Set a widget's accessible name and tool tip; `tip` defaults to the accessible name."""
    widget.setAccessibleName(accessible)
    if widget.toolTip() != plain.tip(
        tip or accessible
    ):  # setting the same tip would still send an event
        widget.setToolTip(plain.tip(tip or accessible))


def read_aloud(widget: QWidget, words: Callable[[], str], name: str = "") -> None:
    """Set the accessible name to all that a widget shows, but only while a screen reader listens.

    Otherwise set the short `name`, for a reader that starts later.
    """
    if QAccessible.isActive():
        widget.setAccessibleName(words())
    elif name:
        widget.setAccessibleName(name)


def refresh(widget: QWidget) -> None:
    """Apply the style sheet again after a change of the widget's properties; does nothing before
    the first time.
    """
    if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    dressing.dressed(widget)
    QWidget.update(widget)


def palette(look: Theme) -> QPalette:
    """The colours for all that is painted without the style sheet."""
    result = QPalette()
    roles = QPalette.ColorRole
    for role, token in {
        roles.Window: "dock",
        roles.WindowText: "ink",
        roles.Base: "field",
        roles.AlternateBase: "dock",
        roles.Text: "ink",
        roles.Button: "field",
        roles.ButtonText: "ink",
        roles.BrightText: "sel_ink",
        roles.Highlight: "sel",
        roles.HighlightedText: "sel_ink",
        roles.PlaceholderText: "ink3",
        roles.ToolTipBase: "field",
        roles.ToolTipText: "ink",
        roles.Link: "ink",
        roles.LinkVisited: "ink2",
        roles.Light: "field",
        roles.Midlight: "hover",
        roles.Mid: "line",
        roles.Dark: "strong",
        roles.Shadow: "strong",
        roles.Accent: "sel",
    }.items():
        result.setColor(role, look.colour(token))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, look.colour("ink3"))
    result.setColor(QPalette.ColorGroup.Disabled, roles.Highlight, QColor(look.line))
    result.setColor(QPalette.ColorGroup.Disabled, roles.HighlightedText, look.colour("ink3"))
    return result
