"""The table of methods beside the books: opened, searched, not cut."""

import pytest
from cut import faults
from laboratory import Lab
from PySide6.QtWidgets import QPushButton

from gui.dialogs.in_my_book import InMyBook
from gui.dialogs.which_method import WhichMethod


def opened(lab: Lab) -> tuple[InMyBook, WhichMethod]:
    """The dialog of the books, and the table that its button opened."""
    lab.window.action("book").trigger()
    (books,) = lab.window.findChildren(InMyBook)
    (button,) = (b for b in books.findChildren(QPushButton) if b.text().startswith("Which"))
    button.click()
    (page,) = books.findChildren(WhichMethod)
    return books, page


def shown(page: WhichMethod) -> set[str]:
    rows = range(page.table.rowCount())
    return {page.rows[r].key for r in rows if not page.table.isRowHidden(r)}


@pytest.mark.slow
def test_the_table_opens_from_the_books_and_is_searched(open_lab) -> None:
    books, page = opened(open_lab(wait=False))
    assert {"decision_tree", "svm", "kmeans"} <= shown(page)
    page.search.setText("trees words")
    assert shown(page) == {"decision_tree", "given_tree", "regression_tree"}
    page.search.setText("values")
    assert "linear_regression" in shown(page)
    assert "svm" not in shown(page)
    page.search.setText("")
    assert faults(page) == []
    page.close()
    books.close()
