"""What a step costs: arrays are counted once, logs only by what is new."""

from unittest.mock import patch

import numpy as np

from engine.base.arrays import Log, Prefix, RowLog, frozen
from engine.base.records import Record, field
from engine.runs.weighing import SMALL, Scales


class State(Record):
    w: np.ndarray
    round: int = 0


class Known(Record, eq=True):
    parts: list[int] = field(default_factory=lambda: list(range(1000)))

    @property
    def own_bytes(self) -> int:
        return 7


def test_shared_arrays_are_counted_once() -> None:
    scales = Scales()
    big = frozen(np.zeros(100_000))
    assert scales.weigh((big,)) > 800_000
    assert scales.weigh((big, big[:5])) < 1000


def test_a_view_holds_the_whole_array() -> None:
    assert Scales().weigh(frozen(np.zeros(100_000))[:5]) > 800_000


def test_a_log_costs_only_what_is_new() -> None:
    scales = Scales()
    log = Log[np.ndarray]()
    sizes = [scales.weigh(log.append(frozen(np.zeros(100)))) for _ in range(50)]
    assert max(sizes) < 1200
    prefix = log.prefix()
    log.append(frozen(np.ones(3)))
    assert len(prefix) == 50


def test_a_log_of_rows_weighs_those_that_are_new_without_looking_at_them() -> None:
    log = Prefix(RowLog([np.zeros(9)]), 1).joined(frozen(np.zeros((1000, 9))))
    scales = Scales()
    each = SMALL + 9 * 8
    with patch.object(Scales, "weigh", autospec=True, side_effect=Scales.weigh) as weighed:
        assert scales.weigh(log) == SMALL + 1001 * each
        assert scales.weigh(log.plus(np.ones(9))) == SMALL + each
    assert weighed.call_count == 2


def test_states_are_the_sum_of_their_fields() -> None:
    first, second = State(np.zeros(1000)), State(np.zeros(2000), 1)
    scales = Scales()
    assert 8000 < scales.weigh(first) < 9000
    assert 16_000 < scales.weigh(second) < 17_000
    assert scales.weigh(first) < 100
    scales.forget()
    assert scales.weigh(first) > 8000


def test_what_knows_its_size_gives_it() -> None:
    assert Scales().weigh(Known()) == 7


def test_anything_can_be_weighed() -> None:
    values = (
        None,
        True,
        3,
        2.5,
        "text",
        np.float64(1),
        [1, 2],
        frozenset((1,)),
        {"a": np.zeros(10)},
        object(),
    )
    assert all(Scales().weigh(value) > 0 for value in values)
