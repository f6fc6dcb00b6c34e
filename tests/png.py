# SPDX-License-Identifier: MIT
"""A reader of PNG files, for tests in Python."""

import pathlib
import struct
import zlib


def read_png(path):
    """Width, height and RGB bytes of an 8-bit RGB PNG."""
    data = pathlib.Path(path).read_bytes()
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height, depth, colour, _, _, lace = struct.unpack(">IIBBBBB", body)
            assert (depth, colour, lace) == (8, 2, 0), "8-bit RGB expected"
        elif kind == b"IDAT":
            packed += body
    return width, height, unfilter(zlib.decompress(packed), 3 * width, height)


def paeth(a, b, c):
    """The predictor of PNG filter 4."""
    p = a + b - c
    near = (abs(p - a), abs(p - b), abs(p - c))
    return (a, b, c)[near.index(min(near))]


def unfilter(data, pitch, height):
    """Undo PNG's filters."""
    above, rows = bytearray(pitch), []
    for y in range(height):
        kind, row = data[y * (pitch + 1)], bytearray(data[y * (pitch + 1) + 1:(y + 1) * (pitch + 1)])
        for i in range(pitch if kind else 0):
            left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            add = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
            row[i] = (row[i] + add) & 255
        rows.append(bytes(row))
        above = row
    return b"".join(rows)
