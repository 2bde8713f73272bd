"""Project files: what is saved comes back, and nothing that is wrong with a file gets past the
reader.
"""

import json
import math
import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import pytest
from documents import documents, small_document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.base.arrays import frozen
from engine.base.errors import EngineError
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.lane import Lane, lane
from engine.files import atomic, lanes, project
from engine.files.plain import parse, pieces
from engine.files.project import from_plain, load_project, read_project, save_project, to_plain
from engine.protocol.params import Range
from engine.protocol.step import Level
from engine.table.dataset import ColumnRole
from engine.table.given import MAX_SEED, next_seed

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


def text_of(document: Document) -> str:
    return b"".join(pieces(to_plain(document))).decode()


def types_of(document: Document) -> list[Any]:
    return [type(label) for column in document.data.columns for label in column.categories]


@pytest.mark.slow
@relaxed
@given(document=documents(), cursor=st.none() | st.integers(0, 10**6), level=st.sampled_from(Level))
def test_what_is_saved_comes_back(
    tmp_path: Path, document: Document, cursor: int | None, level: Level
) -> None:
    path = tmp_path / "any.learnscope"
    save_project(document, path, cursor, level)
    found = read_project(path)
    assert found.document == document
    assert found.document.data.about == document.data.about
    # True and 1 are equal, but not the same label
    assert types_of(found.document) == types_of(document)
    assert found.cursor == cursor
    assert found.level is (Level.STEP if cursor is None else level)
    assert all(not column.values.flags.writeable for column in found.document.data.columns)


def test_the_file_is_readable_text(tmp_path: Path) -> None:
    path = tmp_path / "three.learnscope"
    save_project(small_document(), path)
    text = path.read_text("utf-8")
    assert text.startswith('{\n "format": "learnscope project",\n "version": 1')
    assert '"values": [1.5, null, -0.25]' in text
    assert '"categories": ["None", "Some", "Full"]' in text
    assert '"values": [0, 1, null]' in text
    assert json.loads(text)["lanes"][0]["params"]["start"] == [1.0, -2.0, 0.0]
    assert engine.load_project(path) == small_document()


def test_what_is_no_project_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "none.learnscope"
    with pytest.raises(
        engine.EngineError, match=r"What is saved must be a Document, as in .*; it is 1."
    ):
        save_project(1, path)  # type: ignore[arg-type]
    with pytest.raises(
        engine.EngineError, match=r"The step to open at must be a whole number; it is “last”."
    ):
        save_project(small_document(), path, "last")  # type: ignore[arg-type]
    assert not path.exists()


@pytest.mark.parametrize("path", [None, 3, b"p.learnscope", ["p"]])
def test_a_project_is_saved_to_a_path_and_opened_from_one(path: Any) -> None:
    for call in (lambda: save_project(small_document(), path), lambda: engine.load_project(path)):
        with pytest.raises(
            engine.EngineError,
            match="A file is named by its path as text, or a Path; this is of the type",
        ):
            call()


def test_the_engine_offers_both() -> None:
    assert engine.load_project is load_project
    assert engine.save_project is save_project


def test_a_byte_order_mark_and_windows_line_ends_are_welcome(tmp_path: Path) -> None:
    path = tmp_path / "windows.learnscope"
    path.write_bytes(b"\xef\xbb\xbf" + text_of(small_document()).replace("\n", "\r\n").encode())
    assert load_project(path) == small_document()


def test_long_columns_are_written_in_pieces(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=10_000)
    document = replace(small_document(), data=engine.Dataset.from_arrays(values, values > 0))
    written = list(pieces(to_plain(document)))
    assert max(map(len, written)) < 120_000
    save_project(document, tmp_path / "long.learnscope")
    assert load_project(tmp_path / "long.learnscope") == document


class Margin(Record, eq=True):
    C: Annotated[float, Range(0, math.inf)] = 1.0
    width: float | None = 1.0


def test_infinite_and_optional_parameters_survive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hard margin is C = ∞, which JSON has no number for."""
    monkeypatch.setattr(lanes, "algorithm", lambda key: SimpleNamespace(key=key, params=Margin))
    document = replace(small_document(), lanes=(Lane("svm", Margin(math.inf, None)),))
    save_project(document, tmp_path / "hard.learnscope")
    assert load_project(tmp_path / "hard.learnscope") == document


@pytest.mark.parametrize("key", engine.algorithms())
def test_every_algorithm_keeps_its_parameters(key: str) -> None:
    document = replace(small_document(), lanes=(lane(key, 3),))
    assert from_plain(parse(text_of(document))).document == document


def test_chebyshev_distance_survives() -> None:
    document = replace(small_document(), lanes=(lane("nearest_neighbours", p=math.inf),))
    assert '"p": "inf"' in text_of(document)
    assert from_plain(parse(text_of(document))).document == document


# -- what is wrong with a file ---------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(EngineError) as caught:
        load_project(path)
    sentence = str(caught.value)
    assert path.name in sentence
    assert sentence.endswith((".", "?"))
    assert not sentence.endswith("?.")
    assert "\n" not in sentence
    return sentence


def after(tmp_path: Path, change: Any) -> str:
    """The sentence for a valid project that `change` has edited."""
    plain = to_plain(small_document())
    change(plain)
    path = tmp_path / "edited.learnscope"
    path.write_text(json.dumps(plain), "utf-8")
    return refused(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "not a text file"),
        (b"a,b\n1,2\n", "is not a Learnscope project"),
        (b"[1, 2]", "is not a Learnscope project"),
        (b"{}", "is not a Learnscope project"),
        (b'{"format": "other", "version": 1}', "is not a Learnscope project"),
        (b'{"format": "learnscope project"}', "version must be a whole number"),
        (
            b'{"format": "learnscope project", "version": 9}',
            r"written by a newer Learnscope \(format 9\)",
        ),
        (b'{"format": "learnscope project", "version": true}', "version must be a whole number"),
        (b'{"format": "learnscope project", "version": 1, "version": 1}', "names “version” twice"),
        (b'{"format": nope}', "not valid JSON at line 1, column 12"),
        (b'{"format": NaN}', "holds NaN, which is no number"),
        (b'{"a": -Infinity}', "holds -Infinity"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "more digits"),
    ],
)
def test_files_that_are_no_projects(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.learnscope"
    path.write_bytes(content)
    with pytest.raises(EngineError, match=words):
        load_project(path)
    refused(path)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert "There is no file “none.learnscope”" in refused(tmp_path / "none.learnscope")
    (tmp_path / "folder.learnscope").mkdir()
    assert "is not a file" in refused(tmp_path / "folder.learnscope")
    os.mkfifo(tmp_path / "pipe.learnscope")
    assert "is not a file" in refused(tmp_path / "pipe.learnscope")
    with pytest.raises(EngineError):
        load_project("nul\0byte.learnscope")


def test_a_file_beyond_reason_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.learnscope"
    with open(path, "wb") as file:
        file.truncate(project.MAX_BYTES + 1)
    assert "too large" in refused(path)


def test_a_truncated_file_at_any_place(tmp_path: Path) -> None:
    whole = text_of(small_document()).encode()
    path = tmp_path / "cut.learnscope"
    for length in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:length])
        refused(path)
    path.write_bytes(whole[: len(whole) // 2])
    assert "a part of the file is missing" in refused(path)


def put(*path: Any, value: Any) -> Any:
    def change(plain: Any) -> None:
        for key in path[:-1]:
            plain = plain[key]
        plain[path[-1]] = value

    return change


def test_a_question_in_a_refusal_ends_with_its_own_mark(tmp_path: Path) -> None:
    path = tmp_path / "t.learnscope"
    plain = to_plain(small_document())
    put("lanes", 0, "key", value="perceptrom")(plain)
    path.write_bytes(b"".join(pieces(plain)))
    with pytest.raises(EngineError, match=r"did you mean “perceptron”\?$"):
        load_project(path)


COLUMN = ("data", "columns")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("lanes", 0, "key", value="perceptrom"), "There is no algorithm “perceptrom”"),
        (put("lanes", 0, "params", "rate", value=99), "Rate η must lie between"),
        (
            put("lanes", 0, "params", "rate", value="fast"),
            "lanes[0].params.rate must be a finite number; it is “fast”",
        ),
        (put("lanes", 0, "params", "rate", value="nan"), "must be a finite number"),
        (put("lanes", 0, "params", "rate", value=10**400), "must be a finite number"),
        (put("lanes", 0, "params", "rounds", value=2.5), "must be a whole number; it is 2.5"),
        (put("lanes", 0, "params", "rounds", value=10**300), "must be a whole number"),
        (put("lanes", 0, "params", "rounds", value=True), "must be a whole number; it is true"),
        (put("lanes", 0, "params", "start", value="1,2"), "must be a list in brackets"),
        (
            put("lanes", 0, "params", "start", value=[None]),
            "params.start[0] must be a finite number; it is null",
        ),
        (put("lanes", 0, "params", "rule", value=1), "must be one of mmds, aima; it is 1"),
        (
            put("lanes", 0, "params", "speed", value=1),
            "lanes[0].params holds “speed”, which means nothing there",
        ),
        (put("lanes", 0, "seed", value=-1), "lanes[0].seed must be a whole number from 0"),
        (put("lanes", value=[]), "lanes must have 1 to 4 entries; it has 0"),
        (put("lanes", value={}), "lanes must be a list in brackets; it is an object"),
        (put("lanes", 0, value=None), "lanes[0] must be an object in braces; it is null"),
        (put(*COLUMN, 0, "values", value=[1, 2]), "different lengths"),
        (
            put(*COLUMN, 0, "values", value=[1, 2, "x"]),
            "data.columns[0].values[2] must be a number or null; it is “x”",
        ),
        (
            put(*COLUMN, 0, "values", value=[1, 2, True]),
            "values[2] must be a number or null; it is true",
        ),
        (put(*COLUMN, 0, "values", value=[1, 2, 10**400]), "a whole number that is too large"),
        (
            put(*COLUMN, 0, "values", value=[1, 2, [1]]),
            "values[2] must be a number or null; it is a list",
        ),
        (put(*COLUMN, 0, "categories", value=["a"]), "holds numbers and cannot have categories"),
        (
            put(*COLUMN, 0, "kind", value="complex"),
            "must be one of numeric, categorical, boolean; it is “complex”",
        ),
        (put(*COLUMN, 0, "kind", value=["numeric"]), "must be one of numeric"),
        (put(*COLUMN, 0, "role", value="king"), "must be one of feature, target, name, ignored"),
        (put(*COLUMN, 0, "role", value="target"), "more than one column in the role “target”"),
        (put(*COLUMN, 0, "name", value="Rain"), "Two columns are called “Rain”"),
        (put(*COLUMN, 0, "name", value=3), "data.columns[0].name must be text in quotes; it is 3"),
        (
            put(*COLUMN, 1, "values", value=[0, 3, None]),
            "must be null or the place of a category, 0 to 2; it is 3",
        ),
        (put(*COLUMN, 1, "values", value=[0, -1, None]), "it is -1"),
        (
            put(*COLUMN, 1, "values", value=[0, 0.5, None]),
            "values[1] must be null or the place of a category",
        ),
        (put(*COLUMN, 1, "categories", value=["a", "b", "a"]), "names a value twice"),
        (put(*COLUMN, 1, "categories", value=["a", {"number": "nan"}, "c"]), "must be inf or -inf"),
        (
            put(*COLUMN, 2, "categories", value=[True]),
            "must name two values, because the column is boolean",
        ),
        (put("split", value={"share": 1.5}), "split.share must be a share from 0"),
        (put("split", value={"share": "half"}), "split.share must be a finite number"),
        (put("split", value=None), "split must be an object in braces"),
        (put("probe", value=[1]), "probe must have 2 entries; it has 1"),
        (put("view", value=[[0, 1], [1, 0]]), "the lower end of each axis before the upper one"),
        (put("view", value=[[0, 1], [-1e308, 1e308]]), "view[1] is too wide"),
        (
            put("lanes", 0, "seed", value=2**31),
            "lanes[0].seed must be a whole number from 0 to 2147483647",
        ),
        (put("plane", value=["a", "b", "c"]), "plane must have 0 to 2 entries; it has 3"),
        (put("plane", value=["a", "a"]), "The two axes need two different columns; both are “a”"),
        (
            put("data", "plane", value=["a", "a"]),
            "The two axes need two different columns; both are “a”",
        ),
        (
            put("transforms", value=[{"kind": "polar", "columns": "x"}]),
            "transforms[0].columns must be a list",
        ),
        (
            put("transforms", value=[{"kind": "magic"}]),
            "transforms[0].kind must be one of standardise, unit_range",
        ),
        (put("notes", value=7), "notes must be text in quotes; it is 7"),
        (put("cursor", value=-1), "cursor must be a whole number from 0"),
        (put("colour", value="blue"), "holds “colour”, which means nothing there"),
        (lambda plain: plain.pop("data"), "the file has no “data”"),
        (
            lambda plain: plain["data"]["columns"][0].pop("values"),
            "data.columns[0] has no “values”",
        ),
    ],
)
def test_hand_edited_nonsense(tmp_path: Path, change: Any, words: str) -> None:
    assert words in after(tmp_path, change)


def test_more_classes_than_the_lab_shows_are_refused(tmp_path: Path) -> None:
    many = {"categories": [f"c{k}" for k in range(65)], "values": [0, 1, 64]}

    def change(plain: dict[str, Any]) -> None:
        plain["data"]["columns"][3].update(many)

    assert "Column “y” has 65 different labels; the lab shows at most 64 classes" in after(
        tmp_path, change
    )
    plain = to_plain(small_document())
    plain["data"]["columns"][1].update(many)  # what is no target may have as many as it likes
    words = from_plain(plain).document.data
    # those with rows
    assert words.with_role("Patrons", ColumnRole.TARGET).classes == ("c0", "c1", "c64")


def test_the_seed_after_the_last_one_can_be_saved() -> None:
    assert next_seed(7) == 8
    assert next_seed(MAX_SEED) == next_seed(2**40) == 0
    for seed in (MAX_SEED, next_seed(MAX_SEED)):
        document = small_document().with_lane(0, seed=seed)
        assert from_plain(to_plain(document)).document == document


@pytest.mark.parametrize("value", [1e151, -1e308, 10**300])
def test_numbers_too_large_to_reckon_with_are_refused_as_in_tables(
    tmp_path: Path, value: float
) -> None:
    words = after(tmp_path, put(*COLUMN, 0, "values", value=[value, None, 1]))
    assert (
        "Column “größe” holds a number beyond 10¹⁵⁰, too large to compute: make it smaller."
        in words
    )


def test_numbers_beyond_floats_are_infinite(tmp_path: Path) -> None:
    path = tmp_path / "inf.learnscope"
    path.write_text(text_of(small_document()).replace("1.5, null", "1e999, null"), "utf-8")
    assert "data.columns[0].values[0] is an infinite number" in refused(path)


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    plain = to_plain(small_document())
    short = {name: plain[name] for name in ("format", "version", "data")} | {
        "lanes": [{"key": "perceptron"}]
    }
    document = from_plain(short).document
    assert document.lanes == (lane("perceptron"),)
    assert document.split == engine.Split()
    assert document.probe is None


@relaxed
@given(value=json_values)
def test_any_json_is_refused_in_words(value: Any) -> None:
    with pytest.raises(EngineError):
        from_plain(value)
    with pytest.raises(EngineError):
        from_plain({"format": project.FORMAT, "version": 1, "lanes": value, "data": value})


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(place for key, entry in entries for place in places(entry, (*path, key)))]


@pytest.mark.slow
@settings(relaxed, max_examples=80)
@given(data=st.data())
def test_any_change_of_one_value_is_read_or_refused_in_words(data: Any) -> None:
    plain = to_plain(data.draw(documents()), 3)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(places(plain)[1:]))
        holder: Any = plain
        for key in place[:-1]:
            holder = holder[key]
        if data.draw(st.booleans()):
            holder[place[-1]] = data.draw(json_values)
        else:
            del holder[place[-1]]
    try:
        found = from_plain(plain)
    except EngineError:
        return
    assert from_plain(to_plain(found.document, found.cursor)).document == found.document


SCRAPS = [b"1e999", b"NaN", b"]", b"}", b'"', b"null", b"-", b"[1]"]


@pytest.mark.slow
@settings(relaxed, max_examples=120)
@given(data=st.data())
def test_any_change_of_bytes_is_read_or_refused_in_words(tmp_path: Path, data: Any) -> None:
    raw = bytearray(text_of(small_document()).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(start + 20, len(raw))))
        raw[start:end] = data.draw(st.binary(max_size=6) | st.sampled_from(SCRAPS))
    path = tmp_path / "mutated.learnscope"
    path.write_bytes(raw)
    try:
        found = load_project(path)
    except EngineError as sentence:
        assert str(sentence).endswith((".", "…", "?"))
        return
    save_project(found, path)
    assert load_project(path) == found


# -- saving whole or not at all --------------------------------------------------------------------


def test_a_document_that_no_file_could_give_back_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "kept.learnscope"
    save_project(small_document(), path)
    broken = small_document()
    column = replace(broken.data.columns[0], values=frozen([math.inf, 0.0, 0.0]))
    with pytest.raises(EngineError, match=r"cannot be saved.*infinite"):
        save_project(replace(broken, data=broken.data.with_column(column)), path)
    assert load_project(path) == small_document()


def test_a_failure_half_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.learnscope"
    save_project(small_document(), path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "fsync", full)
    with pytest.raises(
        EngineError, match=r"“kept.learnscope” could not be saved in .*: No space left on device\."
    ):
        save_project(replace(small_document(), notes="new"), path)
    assert load_project(path) == small_document()
    assert os.listdir(tmp_path) == ["kept.learnscope"]


def test_a_reader_of_the_old_file_reads_it_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "read.learnscope"
    save_project(small_document(), path)
    with open(path, encoding="utf-8") as reader:
        save_project(replace(small_document(), notes="new"), path)
        assert reader.read() == text_of(small_document()) + "\n"
    assert load_project(path).notes == "new"


def test_a_failing_source_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken() -> Any:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic.write_atomic(tmp_path / "new.txt", broken())
    assert os.listdir(tmp_path) == []


def test_saving_where_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (
        tmp_path / "none" / "a.learnscope",
        tmp_path / "folder",
        Path("nul\0byte"),
        tmp_path / ("n" * 300),
    ):
        with pytest.raises(EngineError, match="could not be saved"):
            save_project(small_document(), path)
    assert os.listdir(tmp_path) == ["folder"]


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path, linked: bool) -> None:
    pipe = path = tmp_path / "pipe"
    os.mkfifo(pipe)
    if linked:
        path = tmp_path / "link"
        path.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        atomic.write_atomic(path, [b"one, ", b"two"])
        assert os.read(reader, 100) == b"one, two"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert path.is_symlink() == linked
    assert len(os.listdir(tmp_path)) == 1 + linked


def test_what_a_special_file_refuses_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "device"
    os.mkfifo(path)
    monkeypatch.setattr(atomic, "open", full_device, raising=False)
    with pytest.raises(
        EngineError, match=r"“device” could not be saved in .*: No space left on device\."
    ):
        atomic.write_atomic(path, [b"words"])


def full_device(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    real = tmp_path / "real.learnscope"
    save_project(small_document(), real)
    real.chmod(0o640)
    link = tmp_path / "link.learnscope"
    link.symlink_to(real)
    save_project(replace(small_document(), notes="again"), link)
    assert link.is_symlink()
    assert load_project(real).notes == "again"
    assert real.stat().st_mode & 0o777 == 0o640


def test_plain_values_parse_back() -> None:
    value = {"a": [], "b": {}, "c": [[1], []], "d": "half \ud800 pair", "e": [{"x": None}]}
    assert parse(b"".join(pieces(value)).decode()) == value


@pytest.mark.parametrize("path", [None, 5, b"t.learnscope"])
def test_a_project_is_named_by_its_path(path: object) -> None:
    with pytest.raises(EngineError, match="named by its path"):
        load_project(path)  # type: ignore[arg-type]
