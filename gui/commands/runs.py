"""The run, table and steps that the arguments of a command ask for."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gui.commands.console import complain

BATCH = 500  # steps that a run is advanced by before its length is checked


@contextmanager
def prepared_run(given: argparse.Namespace, shown: bool = False) -> Iterator[tuple[Any, str]]:
    """(run, name of its data): the run that the arguments ask for, not yet advanced.

    An EngineError raised within the context gets the options that help appended.

    shown: recorded at the pace of the window, where rounds refer to their steps; else the steps of
        the unit alone
    """
    from engine import Level, Pace
    from engine.files.advice import Setup, advised_run
    from engine.protocol.params import build
    from engine.protocol.registry import algorithm
    from engine.runs.run import pace_of

    if given.executor is not None:
        from engine.fit.fits import use
        from engine.fit.named import executor_named

        use(executor_named(given.executor))
    chosen = algorithm(given.key)
    params = build(chosen.params, dict(map(setting, given.set)))
    setup = Setup(wanted_source(given), chosen, params, given.seed)
    for notice in setup.source.notices:  # before the run, since they may say why it cannot begin
        complain(" ".join(notice.split()))
    rows = len(setup.source.data)
    unit = Level[given.unit.upper()]
    if rows > chosen.needs.sample:
        complain(
            f"A sample of {chosen.needs.sample:,} of its {rows:,} rows: {chosen.title} takes no"
            " more."
        )
    with advised_run(setup, lambda n: pace_of(unit, n) if shown else Pace(unit)) as run:
        yield run, setup.source.data.name


def wanted_source(given: argparse.Namespace) -> Any:
    """The table that the arguments name, with their columns, changes, split and probe. Raises
    EngineError where it cannot be read.
    """
    from engine.base.records import replace
    from engine.files.sources import find_source, with_changes, with_split, without, without_target

    source = find_source(given.data, given.target)
    source = without(without_target(source) if given.no_target else source, given.leave_out)
    source = with_split(with_changes(source, given.changes), given.split, given.seed)
    return source if given.probe is None else replace(source, probe=given.probe)


def setting(text: str) -> tuple[str, str]:
    """(name, value) of the text name=value; raises EngineError for other texts."""
    from engine import EngineError

    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise EngineError(f"--set takes name=value, as in --set rate=0.1; it is “{text}”.")
    return name.strip(), value.strip()


def chosen_steps(given: argparse.Namespace) -> Any:
    """The steps that the arguments choose, all of them by default."""
    from engine import Level
    from engine.runs.chosen_steps import Chosen, read_steps

    return Chosen(
        read_steps(":" if given.steps is None else given.steps),
        given.every,
        Level[given.unit.upper()],
    )
