"""Applies what a file declares about its columns to the guess of its table."""

from collections.abc import Sequence

from engine.base.notation import quoted
from engine.base.records import replace
from engine.read.formats.form import DeclaredColumn
from engine.read.guess import TableGuess
from engine.read.kinds import ColumnGuess
from engine.table.dataset import MAX_CLASSES, ColumnRole, Kind


def declare(guess: TableGuess, said: Sequence[DeclaredColumn]) -> TableGuess:
    """`guess` with the kinds and roles that the file itself declares; guessed roles stay where it
    declares none.
    """
    too_many = [c.name for c, each in zip(guess.columns, said, strict=True) if _too_many(c, each)]
    said = [
        replace(each, role=ColumnRole.IGNORED) if c.name in too_many else each
        for c, each in zip(guess.columns, said, strict=True)
    ]
    roles = {column.name: each.role for column, each in zip(guess.columns, said, strict=True)}
    target = next((name for name, role in roles.items() if role is ColumnRole.TARGET), None)
    if too_many and target is None:
        guess = guess.with_target(None)
    if target is not None or ColumnRole.FEATURE in roles.values():
        guess = guess.with_target(target)
    columns = tuple(
        _declared(column, each) for column, each in zip(guess.columns, said, strict=True)
    )
    used = {c.name for c in columns if c.role is not ColumnRole.IGNORED}
    notices = (
        sentence
        for sentence in guess.notices
        if not (
            target is not None
            and (sentence.startswith("No column of classes") or "taken as the target" in sentence)
        )
        and not ("is ignored" in sentence and any(f"“{name}”" in sentence for name in used))
    )
    return replace(guess, columns=columns, notices=(*notices, *map(_no_class, too_many)))


def _too_many(column: ColumnGuess, said: DeclaredColumn) -> bool:
    """Whether the column would be a target with more classes than the lab shows.

    Counts the classes in the cells if the file declares the target, else the declared words.
    """
    if (said.kind or column.natural) is Kind.NUMERIC:
        return False
    if said.role is ColumnRole.TARGET:
        return column.distinct > MAX_CLASSES
    return column.role is ColumnRole.TARGET and len(said.domain) > MAX_CLASSES


def _no_class(name: str) -> str:
    return (
        f"Column {quoted(name)} has more than {MAX_CLASSES} different classes, the most that the"
        " lab shows; it is ignored. Choose another target, or learn without one."
    )


def _declared(column: ColumnGuess, said: DeclaredColumn) -> ColumnGuess:
    """The guess of a column with its declaration.

    An ignored column may still name the rows; a column without values is ignored in any case.
    """
    role = said.role or column.role
    if role is ColumnRole.IGNORED and column.role is ColumnRole.NAME:
        return column
    if role is ColumnRole.FEATURE and not column.distinct:
        role = ColumnRole.IGNORED
    kind = column.kind if role is ColumnRole.NAME else said.kind or column.kind
    if not said.domain:
        return replace(column, role=role, kind=kind)
    return replace(column, role=role, kind=kind, natural=Kind.CATEGORICAL, declared=said.domain)
