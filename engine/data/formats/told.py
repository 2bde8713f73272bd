"""A guess of a table, mended by what its file says of the columns."""

from collections.abc import Sequence
from dataclasses import replace

from engine.core.dataset import ColumnRole
from engine.data.formats.form import Said
from engine.data.guess import TableGuess
from engine.data.kinds import ColumnGuess


def told(guess: TableGuess, said: Sequence[Said]) -> TableGuess:
    """`guess` with what the file says of its columns; without a word of their roles those that are guessed stay."""
    roles = {column.name: each.role for column, each in zip(guess.columns, said, strict=True)}
    target = next((name for name, role in roles.items() if role is ColumnRole.TARGET), None)
    if target is not None or ColumnRole.FEATURE in roles.values():
        guess = guess.with_target(target)
    columns = tuple(_told(column, each) for column, each in zip(guess.columns, said, strict=True))
    used = {c.name for c in columns if c.role is not ColumnRole.IGNORED}
    notices = (
        sentence
        for sentence in guess.notices
        if not (
            target is not None and (sentence.startswith("No column of classes") or "taken as the target" in sentence)
        )
        and not ("is ignored" in sentence and any(f"“{name}”" in sentence for name in used))
    )
    return replace(guess, columns=columns, notices=tuple(notices))


def _told(column: ColumnGuess, said: Said) -> ColumnGuess:
    """A column that is not learnt from may name the rows; one without any value is learnt from in no case."""
    role = said.role or column.role
    if role is ColumnRole.IGNORED and column.role is ColumnRole.NAME:
        return column
    if role is ColumnRole.FEATURE and not column.distinct:
        role = ColumnRole.IGNORED
    kind = column.kind if role is ColumnRole.NAME else said.kind or column.kind
    return replace(column, role=role, kind=kind)
