"""The notebook in examples/ runs from top to bottom, and shows pages, a drawing and tables."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[1]
BOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def test_there_is_a_notebook() -> None:
    assert BOOKS


@pytest.mark.parametrize("book", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(book: Path, tmp_path: Path) -> None:
    import nbclient  # not while tests are collected
    import nbformat

    folder = tmp_path / "examples"
    folder.mkdir()
    for part in ("engine", "assets"):
        (tmp_path / part).symlink_to(ROOT / part)
    shutil.copy(book, folder)
    notebook = nbformat.read(folder / book.name, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
    ).execute()
    shown = [
        output.get("data", {})
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    pages = [
        data["text/html"]
        for data in shown
        if data.get("text/html", "").startswith("<iframe srcdoc=")
    ]
    assert len(pages) == 2
    assert any("image/svg+xml" in data for data in shown)
    assert (
        sum(
            "<table" in data.get("text/html", "") and "srcdoc" not in data["text/html"]
            for data in shown
        )
        == 2
    )
    assert (folder / "perceptron.html").read_text("utf-8").startswith("<!DOCTYPE html>")
