#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
cursor.py HERE.png X,Y THERE.png X,Y: whether the pictures differ by a cursor only, which is at
these positions. An image of a cursor has at most SIZE pixels around the position it points to.
"""

import sys

import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from png import read_png  # pylint: disable=wrong-import-position

SIZE = 32


def near(pixel, position):
    """Whether the pixel may belong to a cursor at this position."""
    return all(abs(a - b) <= SIZE for a, b in zip(pixel, position))


def main(here, here_at, there, there_at):
    """Compare; an assertion fails if they differ otherwise."""
    width, _, before = read_png(here)
    _, _, after = read_png(there)
    positions = [tuple(map(int, text.split(","))) for text in (here_at, there_at)]
    counts = [0, 0]
    for i in range(0, len(before), 3):
        if before[i:i + 3] == after[i:i + 3]:
            continue
        pixel = (i // 3 % width, i // 3 // width)
        at = [near(pixel, position) for position in positions]
        assert any(at), f"pixel {pixel} differs"
        counts[at.index(True)] += 1
    print(f"{counts} pixels differ")
    assert min(counts) >= 50, "no cursor"


main(*sys.argv[1:])
