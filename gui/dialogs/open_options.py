"""The controls for how a table is read.

Separator, decimal sign, encoding, header, sheet, and the words that count as missing.
"""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QWidget

from engine.base.notation import quoted
from engine.base.records import replace
from engine.read.guess import TableGuess, TableOptions
from gui.base.plain_text import as_words
from gui.dialogs.table_source import Unread
from gui.look import theme
from gui.look.style import describe
from gui.widgets.controls import Combo, label
from gui.widgets.segments import Segments
from gui.widgets.text_field import TextField

SEPARATORS = {",": "comma  ,", ";": "semicolon  ;", "\t": "tab", "|": "bar  |", " ": "blank"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8, marked",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "latin-1": "Latin-1",
    "iso8859-15": "Latin-9",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "mac-roman": "Mac Roman",
    "shift-jis": "Shift JIS",
    "gb18030": "GB 18030",
}
WORDS = 4


class ReadingOptions(QWidget):
    """The controls for separator, decimal sign, encoding, header and sheet.

    changed: signal (options) that the table is to be read again with these options
    options: what the person has set; everything else stays a guess
    """

    changed = Signal(object)

    def __init__(self, encoded: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options = TableOptions()
        self.separator = _combo("Separator between cells", SEPARATORS)
        self.encoding = _combo("Encoding of the file", ENCODINGS)
        self.decimal = Segments(
            (".", ","), ".", "Decimal sign", {".": "1.5", ",": "1,5"}.__getitem__
        )
        self.sheet = Combo("Sheet of the file")
        self.sheet.setMinimumContentsLength(10)
        self.header = QCheckBox("First row holds the names")
        self.header.setChecked(True)
        describe(self.header, "First row holds the names", "Off: the columns are called x1, x2, …")
        self.separator.activated.connect(
            lambda *_: self._set(separator=self.separator.currentData())
        )
        self.encoding.activated.connect(lambda *_: self._set(encoding=self.encoding.currentData()))
        self.decimal.picked.connect(lambda sign: self._set(decimal=sign))
        self.sheet.activated.connect(lambda *_: self._set(sheet=self.sheet.currentText()))
        self.header.clicked.connect(lambda on: self._set(header=on))
        self.encoded = encoded
        self._build()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.parts: dict[QWidget, QWidget] = {}
        for words, control in (
            ("Sheet", self.sheet),
            ("Separator", self.separator),
            ("Decimals", self.decimal),
            ("Encoding", self.encoding),
        ):
            self.parts[control] = _labelled(words, control)
            row.addWidget(self.parts[control])
        row.addWidget(self.header)
        row.addStretch(1)

    def _set(self, **changes: Any) -> None:
        self.options = replace(self.options, **changes)
        self.changed.emit(self.options)

    def set_missing(self, words: tuple[str, ...]) -> None:
        self._set(missing=words)

    def show_guess(self, guess: TableGuess | Unread) -> None:
        """Set the controls to the guess, and hide those that do not apply to this table."""
        read: Any = guess.options if isinstance(guess, Unread) else guess
        named = isinstance(guess, TableGuess) and guess.named
        no_separator = read.separator == ""
        no_encoding = read.encoding == "" or not self.encoded
        _choose(self.separator, read.separator, no_separator)
        _choose(self.encoding, read.encoding, no_encoding)
        self.decimal.set_value(read.decimal or ".")
        if isinstance(guess, TableGuess) or self.options.header is not None:
            self.header.setChecked(bool(read.header))
        if [self.sheet.itemText(k) for k in range(self.sheet.count())] != list(guess.sheets):
            self.sheet.clear()
            self.sheet.addItems(guess.sheets)
        self.sheet.setCurrentText(read.sheet)
        for control, hidden in (
            (self.sheet, len(guess.sheets) < 2),
            (self.separator, no_separator),
            (self.decimal, named),
            (self.encoding, no_encoding),
        ):
            self.parts[control].setHidden(hidden)
        self.header.setHidden(named)


def _labelled(words: str, control: QWidget) -> QWidget:
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 2 * theme.GAP, 0)
    row.setSpacing(theme.GAP)
    row.addWidget(label(words, "muted"))
    row.addWidget(control)
    return part


def _combo(accessible: str, words: dict[str, str]) -> Combo:
    box = Combo(accessible)
    for value, text in words.items():
        box.addItem(text, value)
    box.setMinimumContentsLength(max(len(text) for text in words.values()) - 1)
    return box


def _choose(box: Combo, value: str | None, idle: bool) -> None:
    if idle or value is None:
        return
    if box.findData(value) < 0:
        box.addItem(value, value)
    box.setCurrentIndex(box.findData(value))


class MissingWords(QWidget):
    """The words that count as missing.

    Doubtful words have a switch “is a category”.

    changed: signal (words) that these words count as missing
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words: tuple[str, ...] = ()
        self.switches: dict[str, QCheckBox] = {}
        self.field = TextField(
            _parsed, _with_commas, "Words that count as missing, with commas between"
        )
        self.field.setProperty("compact", False)
        self.field.setToolTip(
            "Empty cells are always missing. Words that mean so too, with commas between; Return"
            " takes them."
        )
        self.field.entered.connect(lambda words: self._set(("", *words)))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(label("Missing: empty cells and", "muted"))
        row.addWidget(self.field, 1)
        row.addSpacing(theme.GAP)
        self.row = QGridLayout()
        self.row.setHorizontalSpacing(2 * theme.GAP)
        row.addLayout(self.row)

    def show_guess(self, guess: TableGuess) -> None:
        """Show the words of a guess, with switches for the doubtful ones.

        A switch stays when its word is no longer doubtful, so that it can be switched back.
        """
        self.words = guess.missing
        self.field.set_value(tuple(word for word in guess.missing if word))
        for word in dict.fromkeys((*guess.doubtful, *guess.suggested)):
            if word not in self.switches and len(self.switches) < WORDS:
                self._add_switch(word)
        for word, switch in self.switches.items():
            switch.setChecked(word not in guess.missing)

    def _add_switch(self, word: str) -> None:
        switch = QCheckBox(as_words(f"{quoted(word, 12)} is a category"))
        describe(
            switch,
            f"{quoted(word)} is a category",
            f"Off: cells that hold {quoted(word)} count as missing",
        )
        switch.clicked.connect(lambda on, w=word: self._set(_with(self.words, w, missing=not on)))
        self.row.addWidget(switch, 0, len(self.switches))
        self.switches[word] = switch
        self.setTabOrder(self.field, switch)

    def _set(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.changed.emit(words)

    def count_as_missing(self, words: tuple[str, ...]) -> None:
        """Add words to those that count as missing."""
        for word in words:
            self.words = _with(self.words, word, missing=True)
        self.changed.emit(self.words)


def _with(words: tuple[str, ...], word: str, missing: bool) -> tuple[str, ...]:
    """The words with `word` at their end, or without it."""
    kept = tuple(w for w in words if w != word)
    return (*kept, word) if missing else kept


def _parsed(text: str) -> tuple[str, ...]:
    """The words of a text that has commas between them."""
    return tuple(dict.fromkeys(word for part in text.split(",") if (word := part.strip())))


def _with_commas(words: tuple[str, ...]) -> str:
    return ", ".join(words)
