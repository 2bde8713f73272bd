"""The records of a lesson: data, lanes, and pages with a place in the run and a task.

They hold what the file says, whether or not this program knows the methods and sets that it
names; `engine.lessons.reading` reads them, `engine.lessons.meaning` says what is not known, and
`engine.lessons.setting` makes documents of them. docs/write-a-lesson.md explains the file.
"""

from enum import StrEnum

from engine.base.records import Record
from engine.files.openings import END, Settings
from engine.protocol.step import Level

VERSION = 1
MOST_PAGES, MOST_LANES, MOST_ROWS, MOST_LETTERS = 200, 8, 5_000, 4_000
MOST_ENTRIES = 50  # of a list or of the replies to wrong answers
HIDDEN = ("future", "regions", "sentence", "formula", "code", "curves", "figures", "examples")
LOCKED = ("method", "parameters", "data", "timeline", "lanes")


class TaskKind(StrEnum):
    """What a task asks for.

    STEP: the numbers of the step; PLACE: places on the plane or in a plot, anywhere; CURVE: a
    curve before it is shown; STATE: that a condition becomes true in the lab; TEXT: a sentence,
    which the teacher reads
    """

    POINT = "point"
    COLUMN = "column"
    SIDE = "side"
    CELL = "cell"
    BAR = "candidate"
    LINE = "line"
    STEP = "step"
    NUMBER = "number"
    CHOICE = "choice"
    PLACE = "place"
    CURVE = "curve"
    STATE = "state"
    TEXT = "text"


Cell = str | int | float | bool


class Data(Record, eq=True):
    """The table of a lesson or a lane: exactly one of a name, a file and rows is given.

    name: a set of the lab as a command line names it, with rows, noise, seed and classes of a
        generator: 'spam', 'moons:200:0.1:3'
    file: a CSV table beside the lesson
    rows: cells by row, '' for a missing one
    target: the column to predict; '' for the set's own, of rows the last
    """

    name: str = ""
    file: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    target: str = ""


class LessonLane(Record, eq=True):
    """A method at work. data: its own table, None for the lesson's."""

    method: str
    settings: Settings = ()
    seed: int = 0
    data: Data | None = None


class View(Record, eq=True):
    """How the lab is set up.

    transform: a transformation of the columns, see `engine.files.openings.COLUMNS`
    split: the share of rows held out, or their numbers; 0 for none
    unit: the level in which pages count steps
    pictures: the figures that lead
    x, y: declared ranges of the plane, () to fit the data
    """

    transform: str = ""
    split: float | tuple[int, ...] = 0.0
    split_seed: int = 0
    probe: tuple[float, ...] = ()
    axes: tuple[str, ...] = ()
    unit: Level = Level.STEP
    pictures: tuple[str, ...] = ()
    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()


class Where(Record, eq=True):
    """A step of the run of the first lane that a page shows.

    step: its number in the unit, END for the last one; used where event and line are ''
    event, line: the `number`th step, from 1, with this event or at this line
    before: the page stands one step earlier and asks about this one
    """

    step: int = 0
    event: str = ""
    line: str = ""
    number: int = 1
    before: bool = False

    @property
    def is_end(self) -> bool:
        """Whether it is the last step, or before that."""
        return self.step == END and not (self.event or self.line)

    def words(self) -> str:
        """'before mistake 2', 'step 8', 'the end'."""
        if self.event or self.line:
            place = f"{self.event or 'line ' + self.line} {self.number}"
        else:
            place = "the end" if self.step == END else f"step {self.step}"
        return f"before {place}" if self.before else place


class Task(Record, eq=True):
    """What a page asks.

    right: labels of the right answers; numbers or expressions of a NUMBER, of each PLACE; the
        line of a plot that is a CURVE; () as the run says
    within: the tolerance of numbers, None as their digits say; the distance up to which a place
        or a curve is right, None for a curve that is right by its shape
    wrong: (answer, reply) of wrong answers that people give
    condition: of a STATE, see `engine.judge.conditions`
    answer: a sentence that explains the answer
    on: where a place or a curve is drawn: a plot, or a metric; "" for the plane
    not_yet: (part of the condition, sentence) for a part that does not hold yet; other parts are
        said as `engine.lessons.lacking` says them
    """

    kind: TaskKind
    ask: str = ""
    right: tuple[str | float, ...] = ()
    within: float | None = None
    choices: tuple[str, ...] = ()
    condition: str = ""
    wrong: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    answer: str = ""
    on: str = ""
    not_yet: tuple[tuple[str, str], ...] = ()


class Page(Record, eq=True):
    """A page: a place in the run, two or three sentences, perhaps a task.

    lanes: the numbers, from 1, of the lanes that it shows; () for the first four
    text: with places for values: '{score}' an operand of the step, '{wrong()}' an expression
    light: what is lit: names of rows, columns and classes, operands in braces
    hide, lock: of HIDDEN and LOCKED
    picture: a file beside the lesson
    notes: for the teacher
    then: where it stands once its question is answered; None for the step that this is about
    """

    title: str = ""
    text: str = ""
    where: Where = Where()
    lanes: tuple[int, ...] = ()
    light: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    picture: str = ""
    notes: str = ""
    task: Task | None = None
    then: Where | None = None


class Digest(Record, eq=True):
    """What the author's run was, see `engine.lessons.digest`.

    lines: of the lines and events of all lanes
    pages: for each page the metrics of its lanes
    """

    lines: str
    pages: tuple[tuple[float, ...], ...] = ()


class Lesson(Record, eq=True):
    """A lesson: see the records of its parts. key: a short name that stays, 'MM04'."""

    title: str
    key: str = ""
    source: str = ""
    topic: str = ""
    minutes: int = 5
    data: Data = Data()
    lanes: tuple[LessonLane, ...] = ()
    view: View = View()
    pages: tuple[Page, ...] = ()
    digest: Digest | None = None

    def shown(self, page: int) -> tuple[int, ...]:
        """The indices of the lanes that page `page`, from 0, shows: at least one, at most four."""
        wanted = self.pages[page].lanes if page < len(self.pages) else ()
        found = tuple(n - 1 for n in wanted if 0 < n <= len(self.lanes))
        return (found or tuple(range(len(self.lanes))))[:4]
