"""Scripts of this family."""

from collections.abc import Mapping

from engine.scripts.body import Writer

WRITERS: Mapping[str, Writer] = {}
