"""Files that were damaged by chance: each opens, and is learnt from, or is refused in one sentence.

Seeded and bounded.
"""

import gzip
import io
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from engine import EngineError, Level, Pace, Run
from engine.files.sources import find_source, with_split
from engine.files.summary import summary_lines
from engine.protocol.registry import algorithm
from tests.engine.read.good_files import GOOD, zipped

pytestmark = pytest.mark.slow

LONGEST = 400  # letters of a sentence
ROUNDS = 40
LEARNERS = ("decision_tree", "nearest_neighbours", "linear_regression", "perceptron")
BITS = (
    b"",
    b'"',
    b"'",
    b"{",
    b"}",
    b"\x00",
    b"\xff",
    b"\n",
    b",",
    b"\t",
    b"|",
    b"-",
    b"nan",
    b"inf",
    b"1e999",
    b"?",
    b"#REF!",
    b"9" * 400,
    b"x" * 5000,
    b"[" * 2000,
    "é".encode(),
    b"</row>",
    b'r="XFD1048576"',
    b"\xf0",
    b":",
    b"=",
)


def mutant(raw: bytes, rng: np.random.Generator) -> bytes:
    """`raw` with a few bytes changed, cut out, put in, doubled, or broken off; of packed files what
    is inside, mostly.
    """
    if raw.startswith(b"PK") and rng.random() < 0.8:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        name = sorted(files)[rng.integers(len(files))]
        return zipped({**files, name: mutant(files[name], rng)})
    if raw.startswith(b"\x1f\x8b") and rng.random() < 0.8:
        return gzip.compress(mutant(gzip.decompress(raw), rng), mtime=0)
    found = bytearray(raw)
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(len(found) + 1))
        length = int(rng.integers(1, 1 + min(40, len(found) + 1)))
        kind = rng.integers(6)
        if kind == 0:
            found[place : place + 1] = bytes([rng.integers(256)])
        elif kind == 1:
            del found[place : place + length]
        elif kind == 2:
            found[place:place] = BITS[rng.integers(len(BITS))]
        elif kind == 3:
            found[place:place] = found[place : place + length]
        elif kind == 4:
            del found[place:]
        else:
            found[place : place + length] = BITS[rng.integers(len(BITS))]
    return bytes(found)


def seen(path: Path, learner: str, share: float | None = None) -> str:
    """What becomes of the file at `path`: the lines that `main.py run` prints, or the sentence that
    refuses it.
    """
    try:
        source = with_split(find_source(str(path)), share, 0)
        chosen = algorithm(learner)
        run = Run(chosen, source.problem(), chosen.params(), 0, Pace(Level.ROUND))
        run.advance(max_steps=20)
        return "\n".join(summary_lines(run, source.data.name))
    except EngineError as sentence:
        assert len(str(sentence)) <= LONGEST, str(sentence)
        assert str(sentence)[-1] in ".…?"
        assert not str(sentence).endswith(("?.", "..", "…."))
        return str(sentence)


@pytest.mark.parametrize("suffix", GOOD)
def test_a_good_file_is_learnt_from(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(GOOD[suffix]())
    source = find_source(str(path))
    assert len(source.data) == 6
    assert "finished" in seen(path, "decision_tree")


@pytest.mark.parametrize("suffix", GOOD)
def test_a_damaged_file_opens_or_is_refused_in_a_sentence(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(zlib.crc32(suffix.encode()))
    good = GOOD[suffix]()
    path = tmp_path / f"t{suffix}"
    for _ in range(ROUNDS):
        path.write_bytes(mutant(good, rng))
        assert seen(path, LEARNERS[rng.integers(len(LEARNERS))], (None, 0.3)[rng.integers(2)])
