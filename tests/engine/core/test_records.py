"""Changing frozen records: the same as `dataclasses.replace`, told apart only by speed."""

import builtins
import copy
import dataclasses
import pickle
from dataclasses import field
from threading import Barrier, Event, Thread
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.records import MANY, cached_property, dataclass, quick, replace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plain:
    a: int
    b: str = "b"
    c: tuple[int, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Wider(Plain):
    d: float = 0.5


@dataclass(frozen=True)
class Checked:
    a: int

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("negative")


@given(
    st.fixed_dictionaries(
        {}, optional={"a": st.integers(), "b": st.text(), "d": st.floats(allow_nan=False)}
    )
)
def test_it_does_what_dataclasses_do(changes: dict[str, object]) -> None:
    record = Wider(1, c=(1, 2))
    assert replace(record, **changes) == dataclasses.replace(record, **changes)
    assert record == Wider(1, c=(1, 2))


def test_it_does_the_same_however_often_it_was_done() -> None:
    """After many changes of one kind the function that makes them is another one."""

    @dataclass(frozen=True, slots=True)
    class Often(Plain):
        kind: float = 0.5

    for k in range(MANY + 3):
        record = Often(k, c=(k, 2))
        assert replace(record, b="x", kind=k / 2) == dataclasses.replace(record, b="x", kind=k / 2)
        if k % 100 == 0 or k > MANY:
            assert replace(record) == record
            with pytest.raises(TypeError, match="Often has no colour, made"):
                replace(record, a=2, made=3, colour=4)
            with pytest.raises(dataclasses.FrozenInstanceError):
                replace(record, a=2).a = 3  # type: ignore[misc]


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(TypeError, match="Plain has no colour"):
        replace(Plain(1), colour=3)


def test_a_record_that_checks_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="__post_init__"):
        replace(Checked(1), a=-1)


def test_the_copy_is_frozen_too() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Plain(1), a=2).a = 3  # type: ignore[misc]


@quick
@dataclass(frozen=True, slots=True)
class Quick(Generic[T]):
    a: T
    b: str = "b"
    c: list[int] = field(default_factory=list)


@quick
@dataclass(frozen=True)
class QuickWider(Plain):
    d: float = 0.5


def test_quick_records_are_made_like_any_other() -> None:
    assert Quick(1) == Quick(a=1, b="b", c=[])
    assert Quick(1, "x", [2]) == Quick(a=1, c=[2], b="x")
    assert Quick(1).c is not Quick(1).c
    assert type(Quick(1)) is Quick
    assert repr(Quick(1)) == "Quick(a=1, b='b', c=[])"
    assert (
        QuickWider(1, d=2.0)
        == dataclasses.replace(QuickWider(1), d=2.0)
        == replace(QuickWider(1), d=2.0)
    )
    assert (
        pickle.loads(pickle.dumps(Quick(1, "x"))) == copy.deepcopy(Quick(1, "x")) == Quick(1, "x")
    )
    for wrong in ((), (1, 2, 3, 4)):
        with pytest.raises(TypeError):
            Quick(*wrong)  # type: ignore[arg-type]


def test_quick_records_are_closed() -> None:
    record = Quick(1)
    for wrong in ("a", "other"):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
            setattr(record, wrong, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(record, b="c").b = "d"  # type: ignore[misc]
    assert record == Quick(1)


@quick
@dataclass(frozen=True, slots=True)
class QuickHeir(Quick[int]):
    d: float = 0.5


def test_a_quick_heir_of_a_quick_one_is_as_quick_and_as_closed() -> None:
    record = QuickHeir(1, "x", [2], 3.0)
    assert (record.a, record.b, record.c, record.d, type(record)) == (1, "x", [2], 3.0, QuickHeir)
    assert (
        replace(record, d=4.0) == dataclasses.replace(record, d=4.0) == QuickHeir(1, "x", [2], 4.0)
    )
    for change in (lambda: setattr(record, "d", 1.0), lambda: delattr(record, "d")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()


def test_a_record_that_checks_itself_cannot_be_quick() -> None:
    with pytest.raises(TypeError, match="__post_init__"):
        quick(Checked)


@pytest.mark.parametrize(
    "name",
    ["kind", "put", "opened", "self", "new", "made", "record", "known", "SAME", "NONE", "cls"],
)
@pytest.mark.parametrize("value", ["x", int])
def test_a_field_may_have_any_name(name: str, value: object) -> None:
    plain = dataclasses.make_dataclass(
        "Named", [(name, object), ("other", int)], frozen=True, slots=True
    )
    record = plain(value, 1)
    assert replace(record, other=2) == dataclasses.replace(record, other=2)
    swift = quick(
        dataclasses.make_dataclass("Swift", [(name, object), ("other", int, 5)], frozen=True)
    )
    assert (getattr(swift(value), name), swift(value).other, type(swift(value))) == (
        value,
        5,
        swift,
    )


def test_classes_derived_from_a_quick_one_are_made_as_themselves() -> None:
    class Heir(Quick[int]):
        pass

    class SlottedHeir(Quick[int]):
        __slots__ = ()

    assert [type(heir(1)) for heir in (Heir, SlottedHeir)] == [Heir, SlottedHeir]
    assert Heir(1, "x").b == "x"


def test_fields_that_have_no_place_cannot_be_quick() -> None:
    for odd in (field(default=3, init=False), field(kw_only=True)):
        made = dataclasses.make_dataclass(
            "Odd", [("a", int, odd), ("b", int)], frozen=True, slots=True
        )
        with pytest.raises(TypeError, match="a of Odd"):
            quick(made)
    with pytest.raises(TypeError, match="begins with _"):
        quick(dataclasses.make_dataclass("Odd", [("_a", int)], frozen=True))


# -- classes that are declared quickly -------------------------------------------------------------


def both(**how: Any) -> tuple[type[Any], type[Any]]:
    """The same class by `dataclasses` and by this module; no field has a default that is changed by
    its class.
    """

    def body() -> dict[str, Any]:
        kept: Any = dataclasses.field(default=0, compare=False)
        shy: Any = dataclasses.field(default_factory=list, repr=False)
        types = {"a": int, "b": str, "kept": int, "shy": list}
        return {
            "__annotations__": types,
            "__doc__": "One.",
            "__qualname__": "One",
            "kept": kept,
            "shy": shy,
            "b": "x",
        }

    return dataclasses.dataclass(**how)(type("One", (), body())), dataclass(**how)(
        type("One", (), body())
    )


HOW = [
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True, "eq": False},
    {"eq": True},
]


@pytest.mark.parametrize("how", HOW, ids=str)
@given(a=st.integers(0, 3), b=st.text(max_size=2), kept=st.integers(0, 1))
def test_a_class_is_what_dataclasses_would_make(
    how: dict[str, bool], a: int, b: str, kept: int
) -> None:
    for theirs, ours in zip(
        *[(kind(a, b, kept), kind(1, "x"), kind(a=1, b="x", shy=[])) for kind in both(**how)],
        strict=True,
    ):
        assert repr(ours) == repr(theirs)
        assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
        assert dataclasses.astuple(dataclasses.replace(ours, a=7)) == dataclasses.astuple(
            dataclasses.replace(theirs, a=7)
        )
        assert dataclasses.astuple(copy.copy(ours)) == dataclasses.astuple(theirs)
    answers = []
    for kind in both(**how):
        one, other = kind(a, b, kept), kind(1, "x", shy=[])
        answers.append(
            (
                one == other,
                one == kind(a, b, 1 - kept),
                one == 3,
                kind.__match_args__,
                hasattr(one, "__dict__"),
            )
        )
    assert answers[0] == answers[1]


@pytest.mark.parametrize("how", HOW[:4], ids=str)
def test_a_frozen_class_is_closed_as_theirs(how: dict[str, bool]) -> None:
    for kind in both(**how):
        one = kind(1)
        for change in (
            lambda o: setattr(o, "a", 2),
            lambda o: setattr(o, "new", 2),
            lambda o: delattr(o, "a"),
        ):
            # of slots they say it so
            with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
                change(one)
        assert one.a == 1
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind(1, nothing=3)


@dataclass(frozen=True, slots=True)
class Bounded:
    """With a check, in a module: it can be pickled."""

    low: int
    high: int = 5

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(self.low)


@dataclass(frozen=True, slots=True)
class Heir(Bounded):
    """Of a class that was declared quickly."""

    more: tuple[int, ...] = ()


def test_heirs_checks_hashes_and_pickles() -> None:
    with pytest.raises(ValueError, match="9"):
        Bounded(9)
    assert Heir(1, 2, (3,)) == Heir(1, 2, (3,)) != Heir(1, 2)
    assert Bounded(1) != Heir(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Heir(1).low = 2  # type: ignore[misc]
    for record in (Bounded(1), Heir(1, 2, (3,))):
        assert pickle.loads(pickle.dumps(record)) == record
        assert {record: 1}[copy.deepcopy(record)] == 1


def test_declaring_a_class_compiles_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six by `dataclasses`, which took a tenth of a start."""
    compiled: list[object] = []
    usual = builtins.exec
    monkeypatch.setattr(builtins, "exec", lambda *given: (compiled.append(given), usual(*given))[1])
    dataclass(frozen=True)(type("One", (), {"__annotations__": {"a": int, "b": int}}))
    assert len(compiled) == 1


class Slow:
    """What it reckons once takes until `go`."""

    def __init__(self) -> None:
        self.begun, self.go = Event(), Event()

    @cached_property
    def answer(self) -> object:
        self.begun.set()
        assert self.go.wait(10)
        return object()


def test_whoever_reckons_one_holds_up_nobody_who_wants_that_of_another() -> None:
    slow, other = Slow(), Slow()
    other.go.set()
    reckons = Thread(target=lambda: slow.answer)
    reckons.start()
    try:
        assert slow.begun.wait(10)
        # before Python 3.12 it would wait for the slow one, in vain
        assert other.answer is other.answer
    finally:
        slow.go.set()
        reckons.join()
    assert slow.answer is slow.answer


class Met:
    """Two reckon it at once, each to find another object."""

    def __init__(self) -> None:
        self.both = Barrier(2)

    @cached_property
    def answer(self) -> object:
        self.both.wait(10)
        return object()


def test_two_who_reckon_the_same_at_once_are_given_the_same() -> None:
    met = Met()
    found = list[object]()
    both = [Thread(target=lambda: found.append(met.answer)) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert found == [met.answer, met.answer]
