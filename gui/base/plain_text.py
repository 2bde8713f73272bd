"""Names from a file shown as plain text: no HTML, no pictures, no underlined keys."""

from html import escape

from PySide6.QtGui import Qt

LONGEST_TIP = 600  # letters


def tip(text: str) -> str:
    """A tool tip that Qt shows literally, even if the text looks like HTML; cut after 600
    characters.
    """
    text = text if len(text) <= LONGEST_TIP else f"{text[:LONGEST_TIP]}…"
    return (
        f'<p style="white-space: pre-wrap">{escape(text)}</p>' if Qt.mightBeRichText(text) else text
    )


def as_words(text: str) -> str:
    """The text of a button or menu with each & doubled: a single one would underline the next
    letter.
    """
    return text.replace("&", "&&")


def as_read(text: str) -> str:
    """The text of a button or menu as a person reads it: the inverse of `as_words`."""
    return text.replace("&&", "&")
