"""The words of a note as HTML."""

from string import Formatter

from engine.protocol.step import Fact, Note
from engine.web.markup import escaped


def sentence(note: Note) -> str:
    """The lead of a note as escaped HTML."""
    return escaped(note.text())


def facts(note: Note) -> str:
    """The facts of a note, caption and value, as HTML; "" where it has none."""
    return "".join(_fact(note, fact) for fact in note.facts)


def _fact(note: Note, fact: Fact) -> str:
    return f"<div><dt>{escaped(note.fill(fact.caption))}</dt><dd>{_with_numbers(note, fact.text)}</dd></div>"


def _with_numbers(note: Note, template: str) -> str:
    """A template with what is no word set in bold."""
    made = []
    for text, name, _, _ in Formatter().parse(template):
        made.append(escaped(text))
        if name is not None:
            o = note.operands[name]
            made.append(
                escaped(o.text()) if isinstance(o.value, str) else f"<b>{escaped(o.text())}</b>"
            )
    return "".join(made)
