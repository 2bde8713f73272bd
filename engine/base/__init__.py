"""The base of every package: records, arrays, errors, notation, lazy values, cancellable work.

Its import sets how numpy and malloc behave in this process, so it must come before numpy.
"""

import ctypes
import os
import sys
from contextlib import suppress

# Matrix products are small here, and waiting threads take the core that the window needs. With one
# thread sums are the same on every machine, whatever cores it has.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Pictures and surfaces are made of large, short-lived arrays. By default glibc gives such blocks
# back to the system at once, and mapping new pages costs more than the work on them.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # names in glibc's malloc.h
KEPT, MAPPED = (
    64 << 20,
    32 << 20,
)  # bytes that may lie free at the top of the heap; bytes from which a block is mapped
if sys.platform == "linux":
    with suppress(AttributeError, OSError):  # another C library
        _libc = ctypes.CDLL(None)
        _libc.mallopt(TRIM_THRESHOLD, KEPT)
        _libc.mallopt(MMAP_THRESHOLD, MAPPED)
