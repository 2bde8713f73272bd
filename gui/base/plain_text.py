"""Names from a file are words, whatever they look like: no HTML, no pictures, no
underlined keys.
"""

from html import escape

from PySide6.QtGui import Qt

LONGEST_TIP = 600  # letters


def tip(text: str) -> str:
    """Words for a tool tip that Qt shows as they stand; it takes for HTML what looks like it,
    <b>x</b>.
    """
    text = text if len(text) <= LONGEST_TIP else f"{text[:LONGEST_TIP]}…"
    return (
        f'<p style="white-space: pre-wrap">{escape(text)}</p>' if Qt.mightBeRichText(text) else text
    )


def as_words(text: str) -> str:
    """Words for a button or a menu that Qt shows as they stand: a single & would underline the next
    letter.
    """
    return text.replace("&", "&&")


def as_read(text: str) -> str:
    """The words of a button or a menu as a person reads them: the inverse of `as_words`."""
    return text.replace("&&", "&")
