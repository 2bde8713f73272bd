"""What every room builds on: records, arrays, errors, notation, lazy values, cancellable work.

Importing it settles how this process reckons, before numpy is there.
"""

import ctypes
import os
import sys
from contextlib import suppress

# Products of matrices are small here, and threads that wait for one another take the core that the
# window needs. The same thread adds up the same numbers on every machine, whatever cores it has.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Pictures and surfaces are made of arrays of a megabyte that live for a millisecond. Handed back to
# the system each time, as glibc does, they cost more in pages that are mapped anew than in all that
# is done with them.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # names in glibc's malloc.h
KEPT, MAPPED = (
    64 << 20,
    32 << 20,
)  # bytes: so many may lie free at the top of the heap; blocks from so many on are mapped
if sys.platform == "linux":
    with suppress(AttributeError, OSError):  # another C library
        _libc = ctypes.CDLL(None)
        _libc.mallopt(TRIM_THRESHOLD, KEPT)
        _libc.mallopt(MMAP_THRESHOLD, MAPPED)
