#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
vnc.py PORT FOLDER PICTURE.png...: whether the VNC server on 127.0.0.1:PORT shows the first
picture, and, once FOLDER/next was made, the second one, of which it may send only what changed.
Pictures of a single colour, from before and after the guest's program, do not count.

Speaks RFB 3.8 (RFC 6143): security type None, raw encoding, 32 bits per pixel. The guest runs
"kms-test still FOLDER". The pictures are the card's PNG files. Makes FOLDER/end at last.
"""

import pathlib
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from png import read_png

DEADLINE_S = 30
RAW = 0
NONE = 1


class Client:
    """A VNC client that keeps the screen as RGB bytes."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S)
        assert self.read(12) == b"RFB 003.008\n", "RFB 3.8 expected"
        self.socket.sendall(b"RFB 003.008\n")
        types = self.read(self.read(1)[0])
        assert NONE in types, f"security types {types}"
        self.socket.sendall(bytes([NONE]))
        assert self.read(4) == bytes(4), "refused"
        self.socket.sendall(b"\1")
        self.width, self.height = struct.unpack(">HH", self.read(4))
        self.read(16)
        self.read(struct.unpack(">I", self.read(4))[0])
        # 32 bits, depth 24, little endian, true colour; in memory red, green, blue, nothing
        self.socket.sendall(struct.pack(">B3xBBBBHHHBBB3x", 0, 32, 24, 0, 1, 255, 255, 255, 0, 8, 16))
        self.socket.sendall(struct.pack(">BxHi", 2, 1, RAW))
        self.screen = bytearray(3 * self.width * self.height)

    def read(self, size):
        """Exactly size bytes."""
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            assert part, "the server closed the connection"
            data += part
        return data

    def update(self, incremental):
        """Ask for an update and apply it; the number of pixels that came."""
        self.socket.sendall(struct.pack(">BBHHHH", 3, incremental, 0, 0, self.width, self.height))
        kind, count = struct.unpack(">BxH", self.read(4))
        assert kind == 0, f"message {kind}"
        return sum(self.rectangle() for _ in range(count))

    def rectangle(self):
        """Read a rectangle into the screen."""
        x, y, width, height, encoding = struct.unpack(">HHHHi", self.read(12))
        assert encoding == RAW, f"encoding {encoding}"
        data = self.read(4 * width * height)
        for row in range(height):
            line = data[4 * width * row:4 * width * (row + 1)]
            at = 3 * ((y + row) * self.width + x)
            for channel in range(3):
                self.screen[at + channel:at + 3 * width:3] = line[channel::4]
        return width * height


def refused_elsewhere(port):
    """The port is closed on another address of the loopback interface."""
    try:
        socket.create_connection(("127.0.0.2", port), timeout=1).close()
    except OSError:
        return True
    return False


def main(port, folder, *files):
    deadline = time.monotonic() + DEADLINE_S
    pictures = [read_png(file) for file in files]
    pictures = [picture for picture in pictures if picture[2] != picture[2][:3] * (len(picture[2]) // 3)]
    assert len(pictures) == 2, f"{len(pictures)} pictures"
    (width, height, before), (_, _, after) = pictures
    assert before != after
    assert refused_elsewhere(port), "listens on more than 127.0.0.1"
    client = Client(port)
    # The guest sets its mode at some time, and the server's screen follows: a new connection.
    while (client.width, client.height) != (width, height) or client.screen != before:
        assert time.monotonic() < deadline, "the first picture is not shown"
        client.socket.close()
        client = Client(port)
        client.update(0)
    print(f"{width}x{height}: the first picture is the card's")
    pathlib.Path(folder, "next").touch()
    pixels = 0
    while client.screen != after:
        assert time.monotonic() < deadline, "the second picture is not shown"
        pixels += client.update(1)
    print(f"the second is, after {pixels} of {width * height} pixels")
    assert 0 < pixels < width * height / 4, "more was sent than changed"
    client.socket.close()


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), *sys.argv[2:])
    finally:
        for name in ("next", "end"):
            pathlib.Path(sys.argv[2], name).touch()
