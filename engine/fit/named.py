"""Workers that a person names: those of a cluster, say."""

import importlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor

from engine.base.errors import EngineError
from engine.base.notation import quoted


def executor_named(text: str) -> Callable[[int], Executor]:
    """What `fits.use` takes, of `module:callable`: the callable, given nothing, makes an executor.

    The module is looked for in the working folder last. Raises EngineError where there is no such
    thing.
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
