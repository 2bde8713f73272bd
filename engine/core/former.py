"""Algorithms that still take (problem, params) apart, until their pages are brought to the protocol of design.md, 3."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numpy.random import Generator

from engine.core.algorithm import Algorithm
from engine.core.beside import Beside
from engine.core.moment import At
from engine.core.setting import AnySetting
from engine.core.step import Level, Step

APART = ("predict", "explain", "tweak", "scores", "component")


@dataclass(frozen=True, kw_only=True)
class Former(Algorithm[Any, Any]):
    own: Mapping[str, Any]  # what an algorithm of the new form finds beside its page

    @cached_property
    def _lines(self) -> tuple[tuple[str, Level, str], ...]:
        rows = [row.split(":", 1) for row in self.pseudocode.strip("\n").splitlines() if row.strip()]
        return tuple((label.strip(), Level.STEP, text.removeprefix(" ")) for label, text in rows)

    @property
    def scene(self) -> Any:
        return self.own["scene"]

    @property
    def fields(self) -> Any:
        return self.own["fields"]

    @property
    def summary(self) -> Any:
        return self.own["summary"]

    @property
    def errata(self) -> Any:
        return self.own["errata"]

    @property
    def explain(self) -> Any:
        return self.explained(self.own["explain"])

    @property
    def chips(self) -> Any:
        return self.own["chips"]

    @property
    def wording(self) -> Any:
        return self.own["wording"]


def former(
    *,
    steps: Callable[..., Iterator[Step[Any] | None]],
    scene: Callable[..., Any],
    fields: Mapping[str, Callable[..., Any]] | None = None,
    resume: Callable[..., Iterator[Step[Any] | None]] | None = None,
    chips: Any = None,
    wording: Any = None,
    **told: Any,
) -> Former:
    """The record of a page whose functions begin with (problem, params)."""

    def begun(given: AnySetting, at: At, rng: Generator) -> Iterator[Step[Any] | None]:
        return steps(given.problem, given.p, rng, at.pace)

    def gone_on(given: AnySetting, state: Any, at: At, rng: Generator) -> Iterator[Step[Any] | None]:
        assert resume is not None
        return resume(given.problem, given.p, state, rng, at.pace)

    apart: dict[str, Any] = {name: _apart(told.pop(name)) for name in APART if told.get(name) is not None}
    own = {
        "scene": _apart(scene),
        "fields": {name: _apart(field) for name, field in (fields or {}).items()},
        "explain": apart.pop("explain", None),
        "chips": chips,
        "wording": wording,
        "summary": told.pop("summary"),
        "errata": told.pop("errata", ()),
    }
    for name in APART:
        told.pop(name, None)
    beside = Beside(__name__)
    return Former(steps=begun, resume=gone_on if resume else None, beside=beside, own=own, **apart, **told)


def _apart(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda given, *rest: function(given.problem, given.p, *rest)
