"""Records: frozen, made and changed by the names of their fields; and whatever looks into them sees
all of them.
"""

import copy
import pickle
import weakref
from threading import Barrier, Event, Thread
from typing import Any, Generic, TypeVar

import numpy as np
import pytest

import engine
from engine.base.records import Record, cached_property, field, field_names, is_record, replace
from engine.files.numbers import state_fields
from engine.judge.likeness import Likeness, part_names
from engine.protocol.algorithm import NoParams
from engine.protocol.params import params_fields
from engine.protocol.reference import reference
from engine.runs.packing import packed
from engine.runs.weighing import Kind, Scales, kind_of
from tests.engine.digests import parts
from tests.engine.test_contract import arrays
from tests.golden.runs import short

T = TypeVar("T")


class Point(Record, eq=True):
    x: int
    y: str = "b"
    rest: tuple[int, ...] = ()


class Wider(Point, eq=True, dict=True, weakref=True):
    d: float = 0.5

    @cached_property
    def twice(self) -> list[float]:
        return [2 * self.d]


class Alone(Record, Generic[T]):
    values: T


class Checked(Record):
    low: int

    def __post_init__(self) -> None:
        if self.low < 0:
            raise ValueError("below 0")


def test_a_record_is_made_by_place_and_by_name() -> None:
    record = Wider(1, "c", d=2.0)
    assert (record.x, record.y, record.rest, record.d) == (1, "c", (), 2.0)
    assert repr(record) == "Wider(x=1, y='c', rest=(), d=2.0)"
    match record:
        case Wider(x, y, rest):
            assert (x, y, rest) == (1, "c", ())
    for given in ((), (1, "b", (), 0.5, 9)):
        with pytest.raises(TypeError):
            Wider(*given)


def test_a_record_stays_as_it_is() -> None:
    record = Wider(1)
    for name in ("x", "d", "other"):
        with pytest.raises(AttributeError):
            setattr(record, name, 2)
    with pytest.raises(AttributeError):
        del record.x
    changed = replace(record, d=3.0, rest=(1,))
    assert (changed, record) == (Wider(1, "b", (1,), 3.0), Wider(1))
    with pytest.raises(TypeError, match="other"):
        replace(record, other=1)


def test_a_changed_record_is_checked_and_computes_again() -> None:
    record = Wider(1)
    assert record.twice is record.twice == [1.0]
    assert replace(record, d=2.0).twice == [4.0]
    with pytest.raises(ValueError, match="below 0"):
        replace(Checked(1), low=-1)


def test_records_equal_by_their_fields_only_where_they_say_so() -> None:
    assert Point(1) == Point(1) != Point(2)
    assert Point(1) != Wider(1)
    assert {Point(1): "a"}[Point(1)] == "a"
    values = np.zeros(3)
    one, other = Alone(values), Alone(values)
    assert one != other and len({one, other}) == 2


def test_records_are_copied_pickled_and_referred_to() -> None:
    record = Wider(1, rest=(2, 3))
    assert record.twice == [1.0]
    for again in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert again == record and again is not record and again.twice == [1.0]
    assert weakref.ref(record)() is record


def test_a_default_that_is_made_is_no_other_record_s() -> None:
    class Listing(Record):
        items: list[int] = field(default_factory=list)

    Listing().items.append(1)
    assert Listing().items == []


# -- who looks into records ------------------------------------------------------------------------


def test_whatever_looks_into_states_and_parameters_sees_their_fields() -> None:
    """A check that took a state for something without parts would pass whatever the state is."""
    for key, algorithm in engine.algorithms().items():
        state = engine.run(key, algorithm.example(), max_steps=3)[0].state
        names = field_names(state)
        assert names and is_record(state) and names == field_names(algorithm.state), key
        assert part_names(state) == [name for name, _ in state_fields(state)] == list(names), key
        words = reference(algorithm)
        assert all(f"    {name} " in words for name in names), key
        declared = [each.name for each in params_fields(algorithm.params)]
        assert declared == list(field_names(algorithm.params)), key
        assert declared or algorithm.params is NoParams, key
        assert kind_of(type(state)) is not Kind.UNKNOWN, key
        held = [value for _, value in state_fields(state) if isinstance(value, np.ndarray)]
        assert {id(value) for value in held} <= {id(value) for value in arrays(state)}, key


class Kept(Record):
    """A state with one large array."""

    w: Any
    b: float = 0.0


def test_a_changed_field_is_noticed_by_all_who_compare() -> None:
    one, other = Kept(np.zeros(2000)), Kept(np.zeros(2000), 1.0)
    same = Kept(np.zeros(2000))
    assert Likeness()(one, same) and not Likeness()(one, other)
    for digest in (short, lambda state: b"".join(parts(state))):
        assert digest(one) == digest(same) != digest(other)
    assert packed(one, lambda name, array: (name, array.size)) == {"w": ("w", 2000)}
    assert Scales().weigh(one) > one.w.nbytes


# -- cached_property -------------------------------------------------------------------------------


class Slow:
    """What it reckons once takes until `go`."""

    def __init__(self) -> None:
        self.begun, self.go = Event(), Event()

    @cached_property
    def answer(self) -> object:
        self.begun.set()
        assert self.go.wait(10)
        return object()


def test_computing_one_does_not_hold_up_another() -> None:
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
