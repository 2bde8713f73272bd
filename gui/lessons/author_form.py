"""The chosen page of a lesson that is being written, in place of the right dock."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, listed, plural
from engine.base.records import replace
from engine.document.document import MAX_LANES
from engine.document.lane_edits import LETTERS, lane_name
from engine.judge.conditions import Moment
from engine.lessons import SUFFIX
from engine.lessons.comparing import metric_names
from engine.lessons.drafting import number_of, places_at
from engine.lessons.lesson import HIDDEN, LOCKED, Page
from engine.lessons.steps import value_at
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.lessons.author import Author
from gui.lessons.author_question import QuestionPart, caption_at_right
from gui.lessons.author_text import ValueText
from gui.lessons.cover import Cover
from gui.lessons.flow import Flow
from gui.lessons.quiet import quiet
from gui.look import style, theme
from gui.predict.predict_score import folding_label
from gui.widgets.controls import Combo, Divider, ErrorLine, describe, label

FILTER = f"Lessons (*.toml *{SUFFIX})"
TEXT_LINES = 4
PAD = 12
MOST_REMARKS = 8
AGAIN = "Find it again"
WITHOUT = "A page at the shown step begins with Ctrl+Enter."
LATER = {"future": "while its step is shown", "timeline": "locked in the preview"}


class PageForm(Cover):
    """The words, the question and the restrictions of a page; below them check, save, preview."""

    def __init__(self, author: Author, ground: QWidget, folder: Callable[[], str]) -> None:
        """folder: where a file is saved at first"""
        super().__init__(ground)
        self.author, self._folder = author, folder
        self.setAccessibleName("Page of the lesson")
        self._filling = False
        self._at = -1
        self._chips: tuple[object, ...] = ()
        self.without = folding_label("muted")
        self.without.setText(WITHOUT)
        self.form = self._form()
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self.form)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.area, 1)
        column.addWidget(Divider())
        column.addWidget(self._foot())
        author.changed.connect(self._on_changed)
        author.edited.connect(self.refresh)
        author.moved.connect(self.refresh)
        author.checked.connect(self._show_remarks)

    # -- layout ------------------------------------------------------------------------------------

    def _form(self) -> QWidget:
        form = QFrame()
        style.mark(form, "dock")
        self.page = QWidget()
        column = QVBoxLayout(self.page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._head())
        column.addLayout(self._place())
        column.addWidget(self._lanes())
        self.gone = ErrorLine()
        self.gone.acted.connect(self.author.find_again)
        column.addWidget(self.gone)
        column.addWidget(Divider())
        column.addLayout(_heading("Text", "click a value to put it in; it follows the run"))
        self.text = ValueText()
        describe(self.text, "Text of the page")
        self.text.written.connect(self._keep)
        self.chips = Flow()
        column.addWidget(self.text)
        column.addWidget(self.chips)
        column.addLayout(self._boxes())
        column.addWidget(Divider())
        self.question = QuestionPart(self.author)
        self.question.changed.connect(self._on_question)
        self.question.condition.said.connect(self._fit)
        self.question.answers.resized.connect(self._fit)
        column.addWidget(self.question)
        whole = QVBoxLayout(form)
        whole.setContentsMargins(PAD, 8, PAD, 12)
        whole.addWidget(self.without)
        whole.addWidget(self.page)
        whole.addStretch(1)
        return form

    def _head(self) -> QHBoxLayout:
        self.name = QLineEdit()
        self.name.setPlaceholderText("Title of the page")
        describe(self.name, "Title of the page")
        self.name.textEdited.connect(lambda _: self._keep())
        self.number = label("", "caption")
        line = QHBoxLayout()
        line.addWidget(self.name, 1)
        line.addWidget(self.number)
        line.addWidget(quiet("trash", "Remove this page", self.author.remove))
        return line

    def _place(self) -> QHBoxLayout:
        self.where = Combo("Where the page opens")
        self.where.activated.connect(lambda _: self._on_where())
        self.here = QPushButton("Use this step")
        describe(self.here, "Use this step", "Let the page stand at the step that the lab shows")
        self.here.clicked.connect(lambda *_: self.author.take_step())
        line = QHBoxLayout()
        line.addWidget(self.where, 1)
        line.addWidget(self.here)
        return line

    def _lanes(self) -> QPushButton:
        """A menu of the lanes that the page shows."""
        self.lanes, menu = QPushButton(), QMenu(self)
        self.lane_boxes = [menu.addAction("") for _ in range(MAX_LANES)]
        for action in self.lane_boxes:
            action.setCheckable(True)
            action.toggled.connect(lambda _: self._on_lanes())
        self.lanes.setMenu(menu)
        return self.lanes

    def _show_lanes(self) -> None:
        author = self.author
        lanes = author.session.document.lanes
        titles = [lane_name(lane, lanes) for lane in lanes]
        shown = [author.session.lane_views.index(view) for view in author.lanes_of(author.at)]
        for k, action in enumerate(self.lane_boxes):
            action.setVisible(k < len(titles))
            action.setText(f"{LETTERS[k]}  {titles[k]}" if k < len(titles) else "")
            action.setChecked(k in shown)
        self.lanes.setVisible(len(titles) > 1)
        every = len(shown) == len(titles)
        names = listed([LETTERS[k] for k in shown])
        said = "all lanes" if every else f"{plural(len(shown), 'lane')} {names}"
        self.lanes.setText(f"Shows {said}")
        describe(self.lanes, f"Shows {said}", "The lanes that the page shows; the first decides")

    def _on_lanes(self) -> None:
        if self._filling:
            return
        count = len(self.author.session.lane_views)
        chosen = [k + 1 for k, box in enumerate(self.lane_boxes[:count]) if box.isChecked()]
        self.author.show_lanes(() if len(chosen) == count else tuple(chosen))
        self.refresh()

    def _boxes(self) -> QHBoxLayout:
        """Two menus: what a page hides, and what it locks."""
        line = QHBoxLayout()
        self.hide_boxes, self.lock_boxes = dict[str, QAction](), dict[str, QAction]()
        self.restricts: list[tuple[str, QPushButton, dict[str, QAction]]] = []
        for words, names, boxes in (
            ("Hide", HIDDEN, self.hide_boxes),
            ("Lock", LOCKED, self.lock_boxes),
        ):
            button, menu = QPushButton(), QMenu(self)
            for name in names:
                also = f"  ({LATER[name]})" if name in LATER else ""
                action = boxes[name] = menu.addAction(f"{name}{also}")
                action.setCheckable(True)
                action.toggled.connect(lambda _: self._keep())
            button.setMenu(menu)
            line.addWidget(button, 1)
            self.restricts.append((words, button, boxes))
        return line

    def _show_restrictions(self, page: Page) -> None:
        for (words, button, boxes), chosen in zip(
            self.restricts, (page.hide, page.lock), strict=True
        ):
            for name, box in boxes.items():
                box.setChecked(name in chosen)
            said = f"{words}: {', '.join(chosen) or 'nothing'}"
            room = button.width() - 2 * PAD - 8
            button.setText(button.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room))
            describe(button, said, f"What the page {words.lower()}s while it is shown")

    def _foot(self) -> QWidget:
        made = QWidget()
        self.remarks = folding_label("body")
        self.checks = QPushButton("Check")
        describe(self.checks, "Check", "List what is wrong with the lesson")
        self.checks.clicked.connect(lambda *_: self.author.check())
        self.saves = QPushButton("Save…")
        describe(self.saves, "Save as file", "Save the lesson as one file to mail")
        self.saves.clicked.connect(lambda *_: self.save())
        self.previews = QPushButton("Preview  F5")
        style.mark(self.previews, "main")
        describe(self.previews, "Preview", "Show this page as a student sees it (F5); Esc returns")
        self.previews.clicked.connect(lambda *_: self.author.preview())
        line = QHBoxLayout()
        for button in (self.checks, self.saves, self.previews):
            line.addWidget(button)
        column = QVBoxLayout(made)
        column.setContentsMargins(PAD, 8, PAD, 10)
        column.addWidget(self.remarks)
        column.addLayout(line)
        return made

    # -- what is shown -----------------------------------------------------------------------------

    def appear(self, shown: bool) -> None:
        """Cover the dock, or leave it free."""
        self.setVisible(shown)
        if shown:
            self.place()
            self.refresh()

    def _on_changed(self) -> None:
        """Show the beginning of another page."""
        if self.author.at != self._at:
            self._at = self.author.at
            self.area.verticalScrollBar().setValue(0)
        self.refresh()

    def refresh(self) -> None:
        """Show the chosen page, and the values of the step that it is about."""
        author = self.author
        some = author.at >= 0
        self.page.setVisible(some)
        self.without.setVisible(not some)
        self.previews.setEnabled(some)
        self.checks.setEnabled(some)
        self.saves.setEnabled(some or bool(author.lesson.title))
        self._show_remarks()
        if not some:
            return
        page = author.page
        self._filling = True
        if self.name.text() != page.title:
            self.name.setText(page.title)
        self.number.setText(f"page {author.at + 1} of {len(author.drafts)}")
        gone = author.gone[author.at] if author.at < len(author.gone) else ""
        self.gone.show_error(gone, AGAIN if gone else "")
        self._show_restrictions(page)
        self._show_lanes()
        place = author.stand(author.at)
        asked: Sequence[Moment] = place.asked if place is not None else ()
        self._offer_places(page, asked)
        self._show_values(page, asked)
        self.question.show_task(page.task, asked)
        self._filling = False
        self._fit()

    def _fit(self) -> None:
        """Make the form as high as its words are at this width."""
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        layout = self.form.layout()
        if layout is not None:
            layout.invalidate()
            high = layout.totalHeightForWidth(self.area.viewport().width())
            self.form.setMinimumHeight(max(0, high))

    def _offer_places(self, page: Page, asked: Sequence[Moment]) -> None:
        """The ways to say where the page stands: by an event or by a number, there or before."""
        author = self.author
        offered = [page.where]
        step = ""
        if asked:
            trace, cursor = asked[0].trace, asked[0].cursor
            offered = places_at(trace, cursor, author.unit)
            step = f"{author.unit.name.lower()} {number_of(trace, cursor, author.unit)}"
            if page.where not in offered:
                offered.insert(0, page.where)
        self.where.clear()
        for where in offered:
            words = where.words() if where.before else f"at {where.words()}"
            also = f", {step}" if where.event and step else ""
            self.where.addItem(f"Opens {words}{also}", where)
        self.where.setCurrentIndex(offered.index(page.where))

    def _show_values(self, page: Page, asked: Sequence[Moment]) -> None:
        self.text.setFixedHeight(TEXT_LINES * theme.current().line_height("body") + 18)
        self.text.show_text(page.text)
        values = values_at(asked)
        said = {name: words for name, (_, words) in values.items()}
        for name in self.text.names():  # expressions, and values that stand in no chip
            if name not in said and asked:
                try:
                    said[name] = value_at(name, asked)
                except EngineError:
                    continue
        self.text.show_values(said)
        chips = tuple((name, symbol) for name, (symbol, _) in values.items())
        if chips != self._chips:
            self._chips = chips
            self.chips.show_parts([self._chip(name, symbol) for name, symbol in chips])
        for chip, (_, words) in zip(self.chips.parts, values.values(), strict=True):
            chip.setToolTip(tip(words))

    def _chip(self, name: str, symbol: str) -> QPushButton:
        made = QPushButton(cut(symbol, 20).replace("&", "&&"))
        made.setProperty("compact", True)
        describe(made, f"Put in {symbol}")
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda *_: self.text.insert_value(name))
        return made

    def _show_remarks(self) -> None:
        """Say what the last check found, each with its page."""
        remarks = self.author.remarks
        if remarks is None:
            self.remarks.setText("")
        else:
            rows = [f"{counted(len(remarks), 'remark')}:"] if remarks else []
            rows += [
                f"Page {number + 1}: {sentence}" if number >= 0 else sentence
                for number, sentence in remarks[:MOST_REMARKS]
            ]
            if len(remarks) > MOST_REMARKS:
                rows.append(f"and {counted(len(remarks) - MOST_REMARKS, 'other remark')}")
            self.remarks.setText("\n".join(rows) or "✓ No fault was found in the lesson.")
        self.remarks.setVisible(bool(self.remarks.text()))

    # -- what the author does ----------------------------------------------------------------------

    def _keep(self) -> None:
        """Take over what stands in the form."""
        if self._filling or self.author.at < 0:
            return
        hide, lock = (
            tuple(name for name, box in boxes.items() if box.isChecked())
            for boxes in (self.hide_boxes, self.lock_boxes)
        )
        self.author.change(
            replace(
                self.author.page,
                title=self.name.text(),
                text=self.text.text(),
                hide=hide,
                lock=lock,
                task=self.question.task,
            )
        )

    def _on_question(self) -> None:
        """Keep the task, and show all that belongs to it."""
        before = self.author.page.task if self.author.at >= 0 else None
        self._keep()
        task = self.question.task
        if task is not None and (before is None or before.kind is not task.kind):
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            self.area.ensureWidgetVisible(self.question.detail, 0, 12)
            self.area.ensureWidgetVisible(self.question.choices[task.kind], 0, 12)

    def _on_where(self) -> None:
        where = self.where.currentData()
        if where is not None and where != self.author.page.where:
            self.author.stand_at(where)

    def save(self) -> None:
        """Ask for a file, and save the lesson in it."""
        name = self.author.lesson.title or "lesson"
        start = str(Path(self._folder()) / f"{name}{SUFFIX}")
        path, _ = QFileDialog.getSaveFileName(self, "Save the lesson", start, FILTER)
        if path:
            self.author.save(path if Path(path).suffix else path + SUFFIX)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "question"):
            self.refresh()


def _heading(words: str, about: str) -> QHBoxLayout:
    line = QHBoxLayout()
    line.addWidget(label(words, "heading"))
    line.addWidget(caption_at_right(about), 1)
    return line


def values_at(asked: Sequence[Moment]) -> dict[str, tuple[str, str]]:
    """What can be put into a text at a step: by name its symbol and its value in words."""
    if not asked:
        return {}
    trace, cursor = asked[0].trace, asked[0].cursor
    found = {
        name: (operand.symbol or name.replace("_", " "), operand.text())
        for name, operand in trace[cursor].note.operands.items()
    }
    symbols = Counter(symbol for symbol, _ in found.values())
    for name, (symbol, words) in found.items():
        if symbols[symbol] > 1 and symbol != name:  # w before and after
            found[name] = f"{symbol} {name.replace('_', ' ')}", words
    for name in [name for name in metric_names(trace) if name not in found]:
        expression = f'metric("{name}")'
        try:
            found[expression] = name.replace("_", " "), value_at(expression, asked)
        except EngineError:
            continue
    return found
