"""Small pictures of whole numbers as PNG: one grey for each number.

See the PNG specification, third edition, W3C 2025.
"""

import base64
import struct
import zlib

import numpy as np

from engine.base.arrays import Int


def data_uri(levels: Int, clear: int = -1) -> str:
    """levels (rows, columns) 0 … 255, row 0 at the top, as a picture of these greys; clear: the
    level that is seen through.
    """
    return "data:image/png;base64," + base64.b64encode(png(levels, clear)).decode("ascii")


def png(levels: Int, clear: int = -1) -> bytes:
    rows, columns = levels.shape
    used, index = np.unique(levels, return_inverse=True)
    bits = next(b for b in (1, 2, 4, 8) if len(used) <= 2**b)
    palette = b"".join(bytes((int(v),) * 3) for v in used)
    parts = [
        _chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, bits, 3, 0, 0, 0)),
        _chunk(b"PLTE", palette),
    ]
    if clear >= 0 and clear in used:
        parts.append(_chunk(b"tRNS", bytes(0 if int(v) == clear else 255 for v in used)))
    parts.append(_chunk(b"IDAT", zlib.compress(_lines(index.reshape(rows, columns), bits), 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + _chunk(b"IEND", b"")


def _lines(index: Int, bits: int) -> bytes:
    """The rows with no filter, as many pixels to a byte as go into it."""
    rows, columns = index.shape
    each = 8 // bits
    wide = -(-columns // each)
    full = np.zeros((rows, wide * each), np.uint8)
    full[:, :columns] = index
    packed = np.zeros((rows, wide), np.uint8)
    for k in range(each):
        packed |= full[:, k::each] << (8 - bits * (k + 1))
    return b"".join(b"\x00" + row.tobytes() for row in packed)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )
