"""The dialog that opens a table: it shows how the lab reads it, and the person corrects that.

Reading happens in the background.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QEventLoop, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, quoted
from engine.read.guess import TableGuess, TableOptions
from engine.read.number_cells import number_of
from engine.table.dataset import ColumnRole, Dataset, Kind
from engine.table.row_words import MANY
from gui.base.guard import guarded
from gui.dialogs.job import Job
from gui.dialogs.open_columns import ColumnsView
from gui.dialogs.open_options import MissingWords, ReadingOptions
from gui.dialogs.open_preview import PreviewView
from gui.dialogs.rows import without_check
from gui.dialogs.table_source import FileTable, PastedTable, TableSource, Unread
from gui.look import style, theme
from gui.look.style import describe
from gui.widgets.controls import Combo, Divider, ElidedLabel, ErrorLine, label

PATIENCE_MS = 120  # time to read a small file, so that the dialog opens complete
NOTICES = 3
LEFT, MOST = (
    460,
    0.56,
    # width of the list of columns: its least in pixels, its most as a share of the dialog's width
)
Change = Callable[[TableGuess], TableGuess]


def ask_table(
    parent: QWidget | None, path: str | Path, options: TableOptions | None = None, target: str = ""
) -> Dataset | None:
    """The table at `path` as the person wants it read; None when cancelled.

    options, target: set instead of guessed, for a known kind of file

    Raises EngineError for a file that is no table.
    """
    return _ask(parent, FileTable(path), options, target)


def choose_table(parent: QWidget | None, text: str) -> Dataset | None:
    """The table in a pasted text, as `ask_table`."""
    return _ask(parent, PastedTable(text))


def _ask(
    parent: QWidget | None,
    source: TableSource,
    options: TableOptions | None = None,
    target: str = "",
) -> Dataset | None:
    dialog = OpenTable(source, parent, options, target)
    try:
        if not dialog.wait_for_guess():
            dialog.exec()
        if dialog.fault is not None:
            raise dialog.fault
        return dialog.data
    finally:
        dialog.deleteLater()


class OpenTable(QDialog):
    """Shows a table as it is read, with controls to correct that.

    data: the table that was opened, None until then
    fault: why there is no table at all; the dialog then closes by itself
    """

    def __init__(
        self,
        source: TableSource,
        parent: QWidget | None = None,
        options: TableOptions | None = None,
        target: str = "",
    ) -> None:
        super().__init__(parent)
        self.source = source
        self.data: Dataset | None = None
        self.fault: EngineError | None = None
        self.guess: TableGuess | None = None
        self.changes: list[tuple[str, Change]] = []
        self._missing_words: tuple[str, ...] = ()
        self.reading = False
        self.job = Job()
        self.job.done.connect(self._on_done)
        self.job.moved.connect(self._on_moved)
        self.setWindowTitle(f"Open table – {cut(source.title)}")
        self._build()
        self._fit()
        if options is not None:
            self.options.options = options
        if target:
            self.changes.append(
                (target, lambda guess: guess.with_column(target, role=ColumnRole.TARGET))
            )
        self._guess(first=True)

    # -- layout ------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.title = ElidedLabel(self.source.title, "lead")
        self.about = label("", "caption")
        self.target = Combo("What is predicted: the target column")
        self.target.setMinimumContentsLength(16)
        self.target.activated.connect(self._on_target)
        self.options = ReadingOptions(self.source.encoded)
        self.options.setVisible(False)
        self.options.changed.connect(lambda *_: self._guess())
        self.missing = MissingWords()
        self.missing.changed.connect(self.options.set_missing)
        self.error = ErrorLine()
        self.error.acted.connect(lambda: self.missing.count_as_missing(self._missing_words))
        self.columns = ColumnsView()
        self.preview = PreviewView()
        self.columns.chosen.connect(self._on_chosen)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        style.mark(self.split, "clear")
        self.split.addWidget(self.columns)
        self.split.addWidget(self.preview)
        self.split.setHandleWidth(theme.GAP)
        self.split.setChildrenCollapsible(False)
        self.notices = label("", "muted")
        self.notices.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, 12, theme.PAD_X, 12)
        column.setSpacing(10)
        column.addLayout(self._head())
        column.addWidget(self.options)
        column.addWidget(self.error)
        column.addWidget(self.split, 1)
        column.addWidget(self.missing)
        column.addWidget(self.notices)
        column.addWidget(Divider())
        column.addLayout(self._foot())

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.title, 1)
        row.addWidget(self.about)
        row.addSpacing(2 * theme.GAP)
        self.predict = label("Predict", "strong")
        row.addWidget(self.predict)
        row.addWidget(self.target)
        return row

    def _foot(self) -> QHBoxLayout:
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        describe(self.bar, "How much is read")
        self.status = label("")
        style.mark(self.status, "muted")
        self.cancel, self.open_ = QPushButton("Cancel"), QPushButton("Open")
        style.mark(self.open_, "main")
        describe(self.cancel, "Cancel", "Nothing is opened (Escape)")
        describe(self.open_, "Open", "Take the table as it is shown (Return)")
        self.open_.setDefault(True)
        self.cancel.setAutoDefault(False)
        without_check(self.cancel, self.reject)
        self.open_.clicked.connect(self._read)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.bar, 1)
        row.addWidget(self.status, 1)
        row.addWidget(self.cancel)
        row.addWidget(self.open_)
        return row

    def _fit(self) -> None:
        look = theme.current()
        wanted = QSize(style.scale(look, 1000), style.scale(look, 640))
        room = (
            self.parentWidget().window().size()
            if self.parentWidget() is not None
            else QSize(1280, 800)
        )
        room = room.expandedTo(QSize(960, 620))
        self.resize(wanted.boundedTo(QSize(room.width() - 24, room.height() - 40)))
        self._divide(0)

    def _divide(self, wanted: int) -> None:
        """Give the list of columns the wanted width, at least `LEFT` and at most `MOST`."""
        left = max(style.scale(theme.current(), LEFT), min(wanted, int(MOST * self.width())))
        edges = self.layout().contentsMargins()
        # sizes with another sum would be scaled by Qt
        both = self.width() - edges.left() - edges.right() - self.split.handleWidth()
        self.split.setSizes([left, both - left])

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "columns"):
            self.columns.fit()

    # -- guessing ----------------------------------------------------------------------------------

    def wait_for_guess(self) -> bool:
        """Wait up to `PATIENCE_MS` for the first guess; returns whether it found no table."""
        loop = QEventLoop()
        self.job.done.connect(loop.quit)
        QTimer.singleShot(PATIENCE_MS, loop.quit)
        if self.job.busy:
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        return self.fault is not None

    def _guess(self, first: bool = False) -> None:
        options = self.options.options
        self.error.show_error("")
        self.job.start(lambda tick: self.source.guess(options, first))
        self._show_state("Reading the first rows…")

    def _on_done(self, result: Any) -> None:
        if self.reading:
            self._on_read(result)
        elif isinstance(result, EngineError):
            self.fault = result
            self.done(QDialog.DialogCode.Rejected)
        elif isinstance(result, Unread):
            self._show_unread(result)
        else:
            self._show_guess(result)

    def _show_unread(self, unread: Unread) -> None:
        self.guess = None
        self.options.show_guess(unread)
        self.options.setVisible(True)
        self.columns.show_guess(None)
        self.preview.show_guess(None, unread.lines)
        self.notices.setVisible(False)
        self._show_state()
        self.error.show_error(unread.why)

    def _show_guess(self, guess: TableGuess) -> None:
        """Show a new guess, with the person's changes to its columns applied again."""
        for name, change in self.changes:
            if any(c.name == name for c in guess.columns):
                guess = change(guess)
        self.options.show_guess(guess)
        self.options.setVisible(True)
        self.missing.show_guess(guess)
        self._show(guess)

    def _show(self, guess: TableGuess) -> None:
        first = self.guess is None
        self.guess = guess
        self.columns.show_guess(guess)
        if first:  # later the person may have moved the handle between the two
            self._divide(self.columns.wanted())
        self.preview.show_guess(guess)
        self.target.clear()
        self.target.addItem("nothing", None)
        for column in guess.columns:
            self.target.addItem(column.name, column.name)
        self.target.setCurrentIndex(max(0, self.target.findData(guess.target)))
        rows = f"{'' if guess.exact else 'about '}{counted(guess.rows, 'row')}"
        self.about.setText(f"{rows}, {counted(len(guess.columns), 'column')}")
        self.show_notices(guess)
        self._show_state()

    def show_notices(self, guess: TableGuess) -> None:
        """Show the remarks about a guess that still hold; many are counted."""
        said = [*self._about_size(guess), *self._standing(guess)]
        if len(said) > NOTICES + 1:  # the line for “more” has room for one remark
            said = [
                *said[:NOTICES],
                f"And {counted(len(said) - NOTICES, 'more remark')} of this kind.",
            ]
        self.notices.setText("\n".join(said))
        self.notices.setAccessibleName(" ".join(said))
        self.notices.setVisible(bool(said))

    def _about_size(self, guess: TableGuess) -> list[str]:
        if guess.rows <= MANY:
            return []
        rows = f"{'' if guess.exact else 'About '}{counted(guess.rows, 'row')}"
        most = self.source.most(guess)
        sampled = f"{most:,} of them are drawn by lot" if guess.rows > most else ""
        taken = (
            f"methods that take long with many rows learn from {MANY:,} of them"
            if most > MANY
            else ""
        )
        return [f"{rows}: {'; '.join(filter(None, (sampled, taken)))}."]

    def _standing(self, guess: TableGuess) -> list[str]:
        """The remarks of the guess that still hold.

        Without those about columns that the person has changed, or about a missing target once
        there is one.
        """
        changed = {name for name, _ in self.changes}
        return [
            sentence
            for sentence in guess.notices
            if not any(quoted(name) in sentence for name in changed)
            and not (guess.target is not None and sentence.startswith("No column of classes"))
        ]

    # -- what the person says ----------------------------------------------------------------------

    def _change(self, name: str, change: Change) -> None:
        if self.guess is None:
            return
        self.error.show_error("")
        self.changes.append((name, change))
        self._show(change(self.guess))

    def _on_target(self, place: int) -> None:
        name = self.target.itemData(place)
        previous = self.guess.target if self.guess is not None else None
        self._change(name or previous or "", lambda g: g.with_target(name))

    def _on_chosen(self, name: str, what: Kind | ColumnRole) -> None:
        if isinstance(what, ColumnRole):
            self._change(name, lambda g: g.with_column(name, role=what))
        elif what is not Kind.NUMERIC or not self._refuse_words(name):
            self._change(name, lambda g: g.with_column(name, kind=what))

    def _refuse_words(self, name: str) -> bool:
        """Whether a column with words is refused as a column of numbers; shows why.

        With one or two different words it offers to count them as missing.
        """
        words = self._words(name)
        if not words or self.guess is None:
            return False
        named = " and ".join(quoted(word) for word in words[:2])
        sentence = f"Column {quoted(name)} holds words like {named}, which are no numbers."
        if len(words) <= 2:
            self._missing_words = words
            self.error.show_error(sentence, f"Count {named} as missing")
        else:
            self.error.show_error(sentence + " It stays a column of categories.")
        self.columns.show_guess(self.guess)
        return True

    def _words(self, name: str) -> tuple[str, ...]:
        """The known cells of a column that are neither numbers nor missing, each once."""
        assert self.guess is not None
        place = [c.name for c in self.guess.columns].index(name)
        missing = self.guess.missing_in(self.guess.columns[place])
        known = (*(row[place] for row in self.guess.preview), *self.guess.columns[place].sample)
        comma = self.guess.comma_in(self.guess.columns[place])
        odd = (cell for cell in known if cell not in missing and number_of(cell, comma) is None)
        return tuple(dict.fromkeys(odd))

    # -- reading -----------------------------------------------------------------------------------

    def _read(self) -> None:
        if self.guess is None or self.job.busy:
            return
        guess = self.guess
        self.error.show_error("")
        self.reading = True
        self.bar.setValue(0)
        self.job.start(lambda tick: self.source.read(guess, tick))
        self._show_state(f"Reading {cut(self.source.title)}…")

    def _on_moved(self, fraction: float) -> None:
        self.bar.setValue(round(1000 * fraction))
        if self.guess is not None and self.guess.rows > MANY:
            self.status.setText(f"Reading, {fraction:.0%}…")

    def _on_read(self, result: Dataset | EngineError) -> None:
        self.reading = False
        self._show_state()
        if isinstance(result, Dataset):
            self.data = result
            self.accept()
        else:
            self.error.show_error(str(result))

    @guarded
    def reject(self) -> None:
        """Stop the reading, or close the dialog: Cancel and Escape."""
        if self.reading:
            self._stop()
            self._show_state("Reading was stopped; nothing has changed.")
            return
        self.job.cancel()
        super().reject()

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)

    def _stop(self) -> None:
        self.reading = False
        self.job.cancel()

    def _show_state(self, words: str = "") -> None:
        """Enable what can be used now, and show in `words` what goes on."""
        busy = self.job.busy
        self.status.setText(words)
        self.bar.setVisible(self.reading)
        for part in (self.options, self.missing, self.columns, self.target):
            part.setEnabled(not self.reading)
        for known in (self.missing, self.columns, self.target, self.predict):
            known.setVisible(self.guess is not None)
        self.open_.setEnabled(self.guess is not None and not busy)
        self.cancel.setText("Stop" if self.reading else "Cancel")
        if self.guess is None and not busy:
            self.about.setText("")
