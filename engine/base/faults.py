"""Contains exceptions of a page that would end the program: SystemExit, GeneratorExit,
KeyboardInterrupt, its own BaseException.
"""

import threading
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

OWN = "own_algorithms"  # the family of the algorithms from other folders


def of_the_user(fault: BaseException) -> bool:
    """Whether it is Ctrl+C in the terminal, and no fault of a page.

    Python raises that in the main thread only.
    """
    return (
        isinstance(fault, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
    )


def contained(page: str, value: Any) -> Any:
    """`value`, found in the module `page`, made safe where that is a user's file.

    There a function, also in a mapping, raises RuntimeError in place of what would end the program.
    Classes are left as they are.
    """
    if not page.startswith(f"{OWN}."):
        return value
    if isinstance(value, Mapping):
        return {name: contained(page, each) for name, each in value.items()}
    return _guarded(page, value) if callable(value) and not isinstance(value, type) else value


def _guarded(page: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except Exception:
            raise
        except BaseException as fault:
            if of_the_user(fault):
                raise
            name = getattr(function, "__name__", "a function")
            kind = f"{type(fault).__name__}({fault})"
            raise RuntimeError(f"{name} of {page.rpartition('.')[2]} ended with {kind}") from fault

    return called
