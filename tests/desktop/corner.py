#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corner.py PICTURE.png RRGGBB: whether the picture's first pixel has this colour."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from png import read_png  # pylint: disable=wrong-import-position

_, _, pixels = read_png(sys.argv[1])
sys.exit(pixels[:3] != bytes.fromhex(sys.argv[2]))
