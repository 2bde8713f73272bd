"""Executors that a person names, for example those of a cluster."""

import importlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor

from engine.base.errors import EngineError
from engine.base.notation import quoted


def executor_named(text: str) -> Callable[[int], Executor]:
    """A start function for `fits.use` from `module:callable`, which makes an executor without
    arguments.

    The working folder is searched last. Raises EngineError if the name is malformed, not found or
    not callable.
    """
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise EngineError(f"An executor is named as module:callable; it is {quoted(text)}.")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        make = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise EngineError(f"The executor {quoted(text)} is not there: {error}.") from None
    if not callable(make):
        raise EngineError(f"The executor {quoted(text)} cannot be called: it is no function.")

    def start(count: int) -> Executor:
        found = make()
        if not callable(getattr(found, "submit", None)):
            raise TypeError(f"{text} made no concurrent.futures.Executor: {found!r}")
        executor: Executor = found
        return executor

    return start
