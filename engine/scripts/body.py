"""What a method puts into its script: code that learns, and where the script and the lab differ."""

import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.table.problem import Problem

WIDTH = 100  # letters of a line of a script


class Body(Record, eq=True):
    """The code of a method.

    code: it finds X (n, d), for classes y (n,) with their numbers and −1 for none, for values y
    (n,); it defines `decide(X)`, the class numbers (m,), −1 for none, or `predict(X)` where there
    are no classes settings: names and values that stand before the code; imports: whole lines
    beyond `import numpy as np` model: an expression that is printed as the model, or lines of code
    that print it differs: sentences, where and why the answers can differ from the lab's; share: of
    the places at least so many get the same answer all the same, on the tables of the lab's tests;
    close: as far apart, as a share of the largest, values count as equal answers: the code defines
    `decide` or `predict`; else there is nothing to ask it about new rows groups: `predict` numbers
    groups, so there is no error to count held_out: the code learns from X_test and y_test as well
    score: of two classes an expression of X, (m,) above 0 for the first; "" for none
    """

    code: str
    settings: tuple[tuple[str, Any], ...] = ()
    imports: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()
    share: float = 1.0
    close: float = 1e-6
    answers: bool = True
    groups: bool = False
    held_out: bool = False
    score: str = ""


class ScriptRun(Record, eq=True):
    """The run whose script is written.

    p: its parameters
    given: the setting of the method
    writers: by family and method, for the script of a learner inside this one
    """

    problem: Problem
    p: Any
    given: Any
    seed: int
    title: str
    writers: Mapping[str, Mapping[str, Callable[..., "Body"]]]

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.problem.classes)


Writer = Callable[[ScriptRun], Body]


def refuse(sentence: str) -> NoReturn:
    """Raises EngineError with this sentence: the method, or its parameters, have no script."""
    raise EngineError(sentence)


def block(text: str) -> str:
    """Code without empty lines at its ends; a text that begins with a line break is also
    dedented.
    """
    return (textwrap.dedent(text) if text.startswith("\n") else text).strip("\n")


def join_blocks(*blocks: str) -> str:
    """Pieces of code, each a block of its own lines, in one text; empty pieces are left out."""
    return "\n".join(block(part) for part in blocks if part.strip())


def filled(template: str, **slots: str) -> str:
    """The template with each line `<name>` replaced by the slot of this name, indented as the line
    was.

    A line whose slot is empty disappears.
    """
    lines = list[str]()
    for line in block(template).split("\n"):
        name = line.strip().removeprefix("<").removesuffix(">")
        if line.strip() == f"<{name}>" and name in slots:
            text = block(slots[name])
            lines += (
                textwrap.indent(text, line[: len(line) - len(line.lstrip())]).split("\n")
                if text
                else []
            )
        else:
            lines.append(line)
    return "\n".join(lines)


def indented(code: str, by: int = 4) -> str:
    return textwrap.indent(code, " " * by)


def literal(value: Any) -> str:
    """A value as Python writes it in a script with numpy: infinite numbers as np.inf, missing ones
    as None.
    """
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(literal, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return (
            f"{{{', '.join(f'{literal(name)}: {literal(each)}' for name, each in value.items())}}}"
        )
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if value != value:
            return "None"
        if np.isinf(value):
            return "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def listing(
    name: str, items: Iterable[str], opening: str = "[", closing: str = "]", width: int = WIDTH
) -> str:
    """`name = [a, b, …]` in lines of at most `width` letters; `items` are written as they are."""
    items = list(items)
    line = f"{name}{opening}{', '.join(items)}{closing}"
    if len(line) <= width:
        return line
    lines = [name + opening]
    row = "   "
    for item in items:
        if len(row) + len(item) + 2 > width:
            lines.append(row)
            row = "   "
        row += f" {item},"
    return "\n".join([*lines, row, closing])


def comment(text: str, first: str = "# ", later: str = "# ") -> str:
    """A sentence as lines of a Python comment. first, later: what the first and the other lines
    begin with
    """
    return textwrap.fill(
        plain(text), WIDTH - 4, initial_indent=first, subsequent_indent=later, break_long_words=True
    )


def plain(text: str) -> str:
    """A text made safe for comments and string literals: one line, in which spaces replace quotes,
    backslashes and control characters.
    """
    calm = "".join(
        letter if letter.isprintable() and letter not in '"\\' else " " for letter in text
    )
    return " ".join(calm.split())
