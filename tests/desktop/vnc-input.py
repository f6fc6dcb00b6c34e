#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
vnc-input.py PORT: be the user of a VNC client of 127.0.0.1:PORT. Moves the pointer to the middle
of the screen, clicks, turns the wheel, types "A" with Shift, and goes while x is pressed.
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kms"))
from vnc import Client  # pylint: disable=wrong-import-position

LEFT = 1
WHEEL_DOWN = 16
SHIFT = 0xFFE1


def main(port):
    """RFC 6143, sections 7.5.4 and 7.5.5."""
    client = Client(port)
    for buttons in (0, LEFT, 0, WHEEL_DOWN, 0):
        client.socket.sendall(
            struct.pack(">BBHH", 5, buttons, client.width // 2, client.height // 2))
    for down, key in ((1, SHIFT), (1, ord("A")), (0, ord("A")), (0, SHIFT), (1, ord("x"))):
        client.socket.sendall(struct.pack(">BBxxI", 4, down, key))
    client.update(0)
    client.socket.close()


main(int(sys.argv[1]))
