"""The style sheet of a theme, by which Qt's own widgets follow the design tokens."""

from functools import lru_cache
from struct import pack

from PySide6.QtCore import qRegisterResourceData

from gui.look import icons, sizes, theme
from gui.look.theme import Theme

_VERSION, _FOLDER = 1, 2  # version of the format, with entries of 14 bytes; the flag of a folder
_kept: dict[str, tuple[bytes, bytes, bytes]] = {}  # kept alive, as Qt does not copy them


def put(name: str, content: bytes) -> str:
    """The path of a file `name` with this content; a later call with the same name keeps the first
    content.
    """
    if name not in _kept:
        names = pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
        root = pack(">IHII", 0, _FOLDER, 1, 1)  # no name, one child, which is the second entry
        # name and content stand first; any territory, no language ("C")
        file = pack(">IHHHI", 0, 0, 0, 1, 0)
        _kept[name] = (root + file, names, pack(">I", len(content)) + content)
        qRegisterResourceData(_VERSION, *_kept[name])
    return f":/{name}"


def _hash(name: str) -> int:
    """The number by which Qt looks up a name (qt_hash)."""
    h = 0
    for unit in name.encode("utf-16-be")[1::2]:
        h = (h << 4) + unit
        h ^= (h & 0xF0000000) >> 23
        h &= 0x0FFFFFFF
    return h


def scale(look: Theme, pixels: float) -> int:
    """A size of the light theme scaled to the type of theme `look`, in whole pixels."""
    return round(pixels * look.line_height("body") / theme.LIGHT.line_height("body"))


def bar(look: Theme, name: str) -> int:
    """The height in pixels of a part named in sizes.BARS."""
    heights = sizes.BARS[name]
    return (
        scale(look, heights[0])
        if look.name == "projector"
        else round(sizes.at_step(heights, look.step))
    )


def control_height(look: Theme) -> int:
    return bar(look, "control")


def style_sheet(look: Theme) -> str:
    """The whole style sheet of a theme."""
    parts = (
        _text,
        _buttons,
        _tools,
        _chips,
        _fields,
        _choices,
        _sliders,
        _lists,
        _tables,
        _menus,
        _frames,
        _bars,
    )
    return "\n".join(part(look) for part in parts)


def _type(look: Theme, style: str, line: bool = False) -> str:
    """CSS for the size and weight of a type style; `line`: also its line height, as the least
    height of a label.
    """
    size, height, weight = look.type_sizes[style]
    return f"font-size: {theme.pixel_size(size)}px; font-weight: {weight};" + (
        f" min-height: {height}px;" if line else ""
    )


@lru_cache(maxsize=64)
def _image(name: str, colour: str) -> str:
    """`image: url(…)` of an icon in one colour; it lies in memory, as a style sheet names pictures
    only by path.
    """
    path = put(f"{name}-{colour.lstrip('#')}.svg", icons.svg(name, colour))
    return f"image: url({path});"


def _text(t: Theme) -> str:
    return f"""
QLabel {{ background: transparent; }}
QLabel:disabled {{ color: {t.ink3}; }}
QLabel[kind="heading"] {{ {_type(t, "heading", True)} }}
QLabel[kind="strong"] {{ {_type(t, "heading")} }}
QLabel[kind="caption"] {{ {_type(t, "caption", True)} color: {t.ink3}; }}
QLabel[kind="muted"] {{ color: {t.ink2}; }}
QLabel[kind="lead"] {{ {_type(t, "lead", True)} }}
QLabel[kind="reading"] {{ {_type(t, "lead", True)} font-weight: 400; color: {t.ink2}; }}
QLabel[kind="title"] {{ {_type(t, "title", True)} }}
QLabel[kind="counter"] {{ {_type(t, "counter")} }}
QLabel[kind="total"] {{ {_type(t, "total")} color: {t.ink2}; }}
QLabel[kind="error"] {{ color: {t.error}; }}
QLabel[kind="refusal"] {{ color: {t.ink}; background: {t.field_}; border: 1px solid {t.strong}; border-radius: {theme.CARD_RADIUS}px;
    padding: 10px 14px; }}
QLabel[kind="key"] {{ {_type(t, "caption")} color: {t.ink3}; background: {t.dock}; border: 1px solid {t.line};
    border-radius: 3px; padding: 0 {scale(t, 5)}px; min-height: {scale(t, 17)}px; max-height: {scale(t, 17)}px; }}
QToolTip {{ color: {t.ink}; background: {t.field_}; border: 1px solid {t.strong}; padding: 3px 5px; }}
"""


def _buttons(t: Theme) -> str:
    height = scale(t, theme.BUTTON) - 2
    large = scale(t, theme.LARGE_BUTTON) - 2
    twice = height + t.line_height("body")
    return f"""
QPushButton {{ background: {t.field_}; border: 1px solid {t.strong}; border-radius: {theme.RADIUS}px;
    padding: 0 {scale(t, 10)}px; min-height: {height}px; max-height: {height}px; font-weight: 500; outline: none; }}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {t.sel}; color: {t.sel_ink}; border-color: {t.sel}; }}
QPushButton:disabled {{ color: {t.ink3}; border-color: {t.line}; background: {t.dock}; }}
QPushButton[compact="true"] {{ padding: 0 2px; }}
QPushButton::menu-indicator {{ {_image("chevron-down", t.ink2)} subcontrol-origin: padding;
    subcontrol-position: right center; right: {scale(t, 4)}px; width: {scale(t, 13)}px; height: {scale(t, 13)}px; }}
QPushButton[double="true"] {{ min-height: {twice}px; max-height: {twice}px; }}
QPushButton[large="true"] {{ min-height: {large}px; max-height: {large}px; padding: 0 {scale(t, 17)}px;
    {_type(t, "lead")} font-weight: 600; }}
QPushButton[kind="main"] {{ background: {t.sel}; color: {t.sel_ink}; border-color: {t.sel}; font-weight: 600; }}
QPushButton[kind="main"]:hover {{ background: {t.ink2}; border-color: {t.ink2}; }}
QPushButton[kind="main"]:pressed {{ background: {t.ink}; }}
QPushButton[kind="main"]:disabled {{ background: {t.line}; color: {t.ink3}; border-color: {t.line}; }}
QPushButton[kind="quiet"] {{ background: transparent; border-color: transparent; color: {t.ink2}; font-weight: 400; }}
QPushButton[kind="quiet"]:hover {{ background: {t.hover}; color: {t.ink}; }}
QPushButton[kind="quiet"]:checked, QPushButton[kind="quiet"]:pressed {{ background: {t.sel}; color: {t.sel_ink};
    border-color: {t.sel}; font-weight: 600; }}
QPushButton[kind="quiet"]:disabled {{ color: {t.ink3}; background: transparent; }}
QPushButton[kind="segment"] {{ border: none; border-radius: 0; font-weight: 400; padding: 0;
    min-height: {control_height(t) - 2}px; max-height: {control_height(t) - 2}px; }}
QPushButton[kind="segment"][place="middle"], QPushButton[kind="segment"][place="last"] {{
    border-left: 1px solid {t.strong}; }}
QPushButton[kind="segment"][place="first"] {{ border-top-left-radius: 3px; border-bottom-left-radius: 3px; }}
QPushButton[kind="segment"][place="last"] {{ border-top-right-radius: 3px; border-bottom-right-radius: 3px; }}
QPushButton[kind="segment"][place="only"] {{ border-radius: 3px; }}
QPushButton[kind="segment"]:checked {{ font-weight: 600; border-color: {t.strong}; }}
QPushButton[kind="answer"] {{ text-align: left; border-radius: {theme.CARD_RADIUS}px; min-height: {scale(t, 44)}px;
    max-height: {scale(t, 44)}px; }}
QPushButton[kind="answer"][many="true"] {{ min-height: {scale(t, 26)}px; max-height: {scale(t, 26)}px; }}
QPushButton[kind="answer"]:hover {{ border: 2px solid {t.ink}; background: {t.field_}; }}
"""


def _tools(t: Theme) -> str:
    side = bar(t, "tool")
    radius = theme.RADIUS
    quiet = scale(t, 28) - 2
    return f"""
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: {radius}px; color: {t.ink2};
    padding: 0 {scale(t, 5)}px; min-height: {quiet}px; max-height: {quiet}px; outline: none; }}
QToolButton:hover {{ background: {t.hover}; }}
QToolButton:pressed, QToolButton:checked {{ background: {t.sel}; color: {t.sel_ink}; border-color: {t.sel};
    font-weight: 600; }}
QToolButton:disabled {{ color: {t.ink3}; }}
QToolButton:checked:disabled {{ background: transparent; border-color: transparent; }}
QToolButton::menu-indicator {{ image: none; }}
QToolButton[kind="tool"], QToolButton[kind="transport"] {{ border: none; padding: 0;
    min-width: {side}px; max-width: {side}px; min-height: {side}px; max-height: {side}px; }}
QToolButton[kind="tool"][low="true"] {{ min-height: {scale(t, theme.LOW_TOOL)}px; max-height: {scale(t, theme.LOW_TOOL)}px; }}
QToolButton[kind="end"] {{ padding: 0 2px; }}
QToolButton[kind="letter"] {{ padding: 0; color: {t.ink}; background: {t.field_}; border: 1px solid {t.strong}; font-weight: 700;
    min-width: {scale(t, 20)}px; max-width: {scale(t, 20)}px; min-height: {scale(t, 20)}px; max-height: {scale(t, 20)}px; }}
QToolButton[kind="letter"]:hover {{ background: {t.hover}; }}
QToolButton[kind="letter"][on="true"] {{ background: {t.sel}; color: {t.sel_ink}; border-color: {t.sel}; }}
QToolButton[kind="class"] {{ padding: 0; color: {t.ink2}; font-weight: 500;
    min-width: {side - 2}px; max-width: {side - 2}px; min-height: {scale(t, 28)}px; max-height: {scale(t, 28)}px; }}
QToolButton[kind="class"]:checked, QToolButton[kind="class"]:pressed {{ background: {t.field_}; color: {t.ink2};
    border: 1px solid {t.ink}; font-weight: 500; }}
QToolButton[kind="play"] {{ background: {t.sel}; border: none; padding: 0;
    min-width: {scale(t, 44)}px; max-width: {scale(t, 44)}px; min-height: {side}px; max-height: {side}px; }}
QToolButton[kind="play"]:hover {{ background: {t.ink2}; }}
QToolButton[kind="play"]:pressed {{ background: {t.ink}; }}
QToolButton[kind="play"]:disabled {{ background: {t.line}; }}
QPushButton[kind="strip"] {{ border: 2px solid {t.ink}; border-radius: {theme.CARD_RADIUS}px; padding: 0;
    background: {t.plane}; min-width: {t.large(44)}px; max-width: {t.large(44)}px; min-height: {t.large(44)}px; max-height: {t.large(44)}px; }}
QPushButton[kind="strip"]:hover {{ background: {t.hover}; }}
QPushButton[kind="strip"]:checked, QPushButton[kind="strip"]:pressed {{ background: {t.sel}; }}
"""


def _chips(t: Theme) -> str:
    height = control_height(t) - 2
    radius = scale(t, theme.CHIP_RADIUS)
    return f"""
QPushButton[kind="chip"], QPushButton[kind="chip-main"] {{ background: {t.dock}; border: 1px solid {t.line};
    border-radius: {radius}px; padding: 0 {scale(t, 10)}px; color: {t.ink2}; font-weight: 400;
    min-height: {height}px; max-height: {height}px; }}
QPushButton[kind="chip-main"] {{ background: {t.field_}; border-color: {t.strong}; color: {t.ink}; font-weight: 600; }}
QPushButton[kind="chip"]:hover, QPushButton[kind="chip-main"]:hover {{ background: {t.hover}; color: {t.ink}; }}
QPushButton[kind="chip"]:pressed, QPushButton[kind="chip-main"]:pressed, QPushButton[kind="chip"]:checked {{
    background: {t.sel}; color: {t.sel_ink}; border-color: {t.sel}; }}
QPushButton[kind="chip"]:disabled, QPushButton[kind="chip-main"]:disabled {{ color: {t.ink3}; }}
QPushButton[kind="chip"]::menu-indicator, QPushButton[kind="chip-main"]::menu-indicator {{ image: none; width: 0; }}
"""


def _fields(t: Theme) -> str:
    height = scale(t, theme.BUTTON) - 2
    small = control_height(t) - 2
    arrow, off = _image("chevron-down", t.ink2), _image("chevron-down", t.ink3)
    return f"""
QLineEdit, QAbstractSpinBox, QComboBox {{ background: {t.field_}; border: 1px solid {t.strong};
    border-radius: {theme.RADIUS}px; padding: 0 {scale(t, 7)}px; min-height: {height}px; max-height: {height}px; }}
QLineEdit[compact="true"], QAbstractSpinBox[compact="true"], QComboBox[compact="true"] {{
    min-height: {small}px; max-height: {small}px; }}
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover {{ border-color: {t.ink2}; }}
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {{ color: {t.ink3}; border-color: {t.line};
    background: {t.dock}; }}
QLineEdit {{ placeholder-text-color: {t.ink3}; }}
QLineEdit[wrong="true"] {{ border-color: {t.error}; }}
QAbstractSpinBox {{ padding-right: 0; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: none; background: transparent; min-height: 0;
    padding: 0 0 0 {scale(t, 5)}px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; background: transparent;
    width: {scale(t, 18)}px; subcontrol-origin: border; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {t.hover}; }}
QAbstractSpinBox::up-arrow {{ {_image("chevron-up", t.ink2)} width: {scale(t, 13)}px; height: {scale(t, 13)}px; }}
QAbstractSpinBox::down-arrow {{ {arrow} width: {scale(t, 13)}px; height: {scale(t, 13)}px; }}
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::up-arrow:disabled {{ {_image("chevron-up", t.ink3)} }}
QAbstractSpinBox::down-arrow:off, QAbstractSpinBox::down-arrow:disabled {{ {off} }}
QComboBox {{ combobox-popup: 0; padding-left: {scale(t, 8)}px; padding-right: 0; }}
QComboBox::drop-down {{ border: none; width: {scale(t, 24)}px; }}
QComboBox::down-arrow {{ {arrow} width: {scale(t, 16)}px; height: {scale(t, 16)}px; }}
QComboBox::down-arrow:disabled {{ {off} }}
QComboBox QAbstractItemView {{ background: {t.field_}; border: 1px solid {t.strong}; border-radius: 0; outline: none;
    padding: 0; }}
QComboBox QAbstractItemView::item {{ min-height: {scale(t, 26)}px; padding: 0 {scale(t, 8)}px; }}
QTextEdit, QPlainTextEdit {{ background: {t.field_}; border: 1px solid {t.strong}; border-radius: {theme.RADIUS}px;
    padding: {scale(t, 4)}px; }}
"""


def _choices(t: Theme) -> str:
    side = scale(t, 14)
    return f"""
QCheckBox, QRadioButton {{ spacing: {scale(t, 5)}px; background: transparent; outline: none; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {t.ink3}; }}
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {{ width: {side}px; height: {side}px;
    border: 1px solid {t.strong}; background: {t.field_}; border-radius: {theme.CHECK_RADIUS}px; }}
QRadioButton::indicator {{ border-radius: {side // 2 + 1}px; }}
QCheckBox::indicator:hover, QRadioButton::indicator:hover {{ border-color: {t.ink}; }}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{ background: {t.sel}; border-color: {t.sel};
    {_image("check", t.sel_ink)} }}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {{ background: {t.sel};
    border-color: {t.sel}; {_image("minus", t.sel_ink)} }}
QRadioButton::indicator:checked {{ width: {side - 8}px; height: {side - 8}px; border: 5px solid {t.sel};
    border-radius: {side // 2 + 1}px; background: {t.sel_ink}; }}
QCheckBox::indicator:disabled {{ border-color: {t.line}; background: {t.dock}; }}
QCheckBox::indicator:checked:disabled {{ background: {t.ink3}; border-color: {t.ink3};
    {_image("check", t.field_)} }}
"""


def _sliders(t: Theme) -> str:
    ring = 2 if t.stroke == 1 else 3
    # odd like the track: otherwise its height differs from its width, and Qt draws it square
    handle = scale(t, 13) | 1
    track = 3 if t.stroke == 1 else 5
    out = (handle - track) // 2
    return f"""
QSlider {{ background: transparent; outline: none; min-height: {scale(t, 22)}px; }}
QSlider::groove:horizontal {{ height: {track}px; margin: 0 {out - 1}px; border-radius: 1px; background: {t.strong}; }}
QSlider::sub-page:horizontal {{ background: {t.ink}; margin: 0 {out - 1}px; border-radius: 1px; }}
QSlider::add-page:horizontal {{ background: {t.strong}; margin: 0 {out - 1}px; border-radius: 1px; }}
QSlider::handle:horizontal {{ width: {handle - 2 * ring}px; margin: -{out}px -{out - 1}px; background: {t.field_};
    border: {ring}px solid {t.ink}; border-radius: {handle // 2}px; }}
QSlider::handle:horizontal:hover {{ background: {t.hover}; }}
QSlider::handle:horizontal:pressed {{ background: {t.ink}; }}
QSlider::sub-page:horizontal:disabled, QSlider::add-page:horizontal:disabled {{ background: {t.line}; }}
QSlider::handle:horizontal:disabled {{ border-color: {t.ink3}; background: {t.dock}; }}
"""


def _lists(t: Theme) -> str:
    return f"""
QAbstractItemView {{ background: {t.field_}; border: 1px solid {t.line}; border-radius: {theme.RADIUS}px; outline: none;
    selection-background-color: {t.sel}; selection-color: {t.sel_ink}; }}
QListView::item, QTreeView::item {{ min-height: {scale(t, 26)}px; padding: 0 {scale(t, 5)}px; border: none; }}
QListView::item:hover, QTreeView::item:hover, QComboBox QAbstractItemView::item:hover {{ background: {t.hover};
    color: {t.ink}; }}
QListView::item:selected, QTreeView::item:selected, QComboBox QAbstractItemView::item:selected {{ background: {t.sel};
    color: {t.sel_ink}; }}
QListView::item:disabled, QTreeView::item:disabled {{ color: {t.ink3}; }}
QListView[kind="flat"] {{ background: transparent; border: none; }}
QListView[kind="flat"]::item {{ border-radius: {theme.RADIUS}px; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
"""


def _tables(t: Theme) -> str:
    return f"""
QTableView {{ gridline-color: {t.line}; alternate-background-color: {t.dock}; }}
QTableView::item {{ padding: 0 {scale(t, 6)}px; border: none; }}
QTableView::item:selected {{ background: {t.sel}; color: {t.sel_ink}; }}
QTableView QLineEdit {{ border: 1px solid {t.ink}; border-radius: 0; min-height: 0; max-height: 999px;
    padding: 0 {scale(t, 4)}px; }}
QHeaderView {{ background: {t.dock}; border: none; }}
QHeaderView::section {{ background: {t.dock}; border: none; border-bottom: 1px solid {t.line};
    border-right: 1px solid {t.line}; padding: 0 {scale(t, 6)}px; min-height: {scale(t, 26)}px; {_type(t, "heading")} }}
QHeaderView::section:vertical {{ font-weight: 400; color: {t.ink3}; min-height: {scale(t, theme.TABLE_ROW)}px; }}
QHeaderView::section:hover {{ background: {t.hover}; }}
QHeaderView::down-arrow {{ {_image("chevron-down", t.ink2)} width: {scale(t, 12)}px; height: {scale(t, 12)}px; }}
QHeaderView::up-arrow {{ {_image("chevron-up", t.ink2)} width: {scale(t, 12)}px; height: {scale(t, 12)}px; }}
QTableCornerButton::section {{ background: {t.dock}; border: none; border-bottom: 1px solid {t.line};
    border-right: 1px solid {t.line}; }}
"""


def _menus(t: Theme) -> str:
    return f"""
QMenuBar {{ background: {t.dock}; border: none; padding: 0; spacing: 0; }}
QMenuBar::item {{ background: transparent; padding: {scale(t, 5)}px {scale(t, 9)}px; border-radius: {theme.RADIUS}px; }}
QMenuBar::item:selected {{ background: {t.hover}; }}
QMenuBar::item:pressed {{ background: {t.sel}; color: {t.sel_ink}; }}
QMenuBar::item:disabled {{ color: {t.ink3}; }}
QMenu {{ background: {t.field_}; border: 1px solid {t.strong}; padding: 4px 0; }}
QMenu::item {{ padding: {scale(t, 5)}px {scale(t, 24)}px {scale(t, 5)}px {scale(t, 12)}px; border: none; }}
QMenu::item:selected {{ background: {t.sel}; color: {t.sel_ink}; }}
QMenu::item:disabled {{ color: {t.ink3}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 0; }}
QMenu::icon {{ padding-left: {scale(t, 10)}px; }}
QMenu::indicator {{ width: {scale(t, 16)}px; height: {scale(t, 16)}px; margin-left: {scale(t, 8)}px; }}
QMenu::indicator:checked {{ {_image("check", t.ink)} }}
QMenu::indicator:checked:selected {{ {_image("check", t.sel_ink)} }}
QMenu::right-arrow {{ {_image("chevron-right", t.ink2)} width: {scale(t, 14)}px; height: {scale(t, 14)}px; }}
QMenu::right-arrow:selected {{ {_image("chevron-right", t.sel_ink)} }}
"""


def _frames(t: Theme) -> str:
    return f"""
QMainWindow {{ background: {t.window}; }}
QDialog, QMessageBox {{ background: {t.dock}; }}
QFrame[kind="dock"] {{ background: {t.dock}; border: none; }}
QFrame[kind="row"] {{ background: {t.window}; border: none; }}
QFrame[kind="panel"] {{ background: {t.field_}; border: 1px solid {t.line}; border-radius: {theme.RADIUS}px; }}
QFrame[kind="card"] {{ background: {t.field_}; border: 1px solid {t.line}; border-radius: {theme.CARD_RADIUS}px; }}
QFrame[kind="toast"] {{ background: {t.field_}; border: 1px solid {t.strong}; border-radius: {theme.CARD_RADIUS}px; }}
QFrame[kind="segments"] {{ background: {t.field_}; border: 1px solid {t.strong}; border-radius: {theme.RADIUS}px; }}
QFrame[kind="rule"] {{ background: {t.line}; border: none; min-height: 1px; max-height: 1px; }}
QFrame[kind="rule-vertical"] {{ background: {t.line}; border: none; min-width: 1px; max-width: 1px; }}
QSplitter::handle {{ background: {t.line}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}
QSplitter::handle:hover {{ background: {t.strong}; }}
QSplitter[kind="clear"]::handle, QSplitter[kind="clear"]::handle:hover {{ background: transparent; }}
QGroupBox {{ border: none; margin-top: {scale(t, 24)}px; {_type(t, "heading")} }}
QGroupBox::title {{ subcontrol-origin: margin; subcontrol-position: top left; padding: 0; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {t.line}; }}
QTabBar::tab {{ background: transparent; color: {t.ink2}; padding: {scale(t, 5)}px {scale(t, 12)}px;
    border: none; border-bottom: 2px solid transparent; }}
QTabBar::tab:hover {{ color: {t.ink}; background: {t.hover}; }}
QTabBar::tab:selected {{ color: {t.ink}; border-bottom: 2px solid {t.ink}; font-weight: 600; }}
"""


def _bars(t: Theme) -> str:
    wide, thumb = scale(t, 10), scale(t, 28)
    return f"""
QProgressBar {{ background: {t.line}; border: none; border-radius: 2px; min-height: 4px; max-height: 4px;
    color: transparent; }}
QProgressBar::chunk {{ background: {t.ink}; border-radius: 2px; }}
QScrollBar {{ background: transparent; border: none; }}
QScrollBar:vertical {{ width: {wide}px; }}
QScrollBar:horizontal {{ height: {wide}px; }}
QScrollBar::handle {{ background: {t.strong}; border-radius: {(wide - 4) // 2}px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: {thumb}px; }}
QScrollBar::handle:horizontal {{ min-width: {thumb}px; }}
QScrollBar[kind="slim"]:vertical {{ width: {scale(t, 4)}px; }}
QScrollBar[kind="slim"]::handle {{ border-radius: {scale(t, 4) // 2}px; margin: 0; }}
QScrollBar::handle:hover {{ background: {t.ink2}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QStatusBar {{ background: {t.dock}; }}
QStatusBar::item {{ border: none; }}
"""
