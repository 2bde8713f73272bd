"""Every method says what it said when its words were recorded.

Golden: the files `words/KEY.txt` are read and reviewed as text; they are no proof of rightness.
"""

import pytest

import engine
from tests.golden.words import COLUMNS, FOLDER, LINES, kept, words

KEYS = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.slow
def test_every_method_has_a_file_that_can_be_read_at_a_glance() -> None:
    assert set(KEYS) == set(engine.algorithms())
    for key in KEYS:
        rows = kept(key)
        assert 10 <= len(rows) <= LINES, key
        assert max(map(len, rows)) <= COLUMNS, key


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_the_words_are_those_that_were_recorded(key: str) -> None:
    assert words(key) == kept(key), (
        f"read what differs: python -m tests.golden.words {key}; where it is meant so, record it:"
        f" python -m tests.golden.words --record {key}"
    )
