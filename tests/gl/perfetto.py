#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
perfetto.py TRACE JSON: whether a trace in Perfetto's format and one in Chrome's, which vivgpu-events
wrote of one recording, say the same. Reads protocol buffers by their specification alone
(https://protobuf.dev/programming-guides/encoding/); Perfetto's own rules that are checked: a packet
sequence begins with its state cleared, tracks are described before they are used, slices of a track
are nested and closed.
"""

import collections
import json
import sys


def number(data, at):
    """A number in base 128: its value, and the position after it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at


def fields(data):
    """The fields of a message: lists of values by number."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = number(data, at)
        kind = key & 7
        if kind == 0:
            value, at = number(data, at)
        elif kind == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif kind == 2:
            size, at = number(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field ends past its message"
        else:
            raise ValueError(f"wire type {kind}")
        found[key >> 3].append(value)
    return found


def argument(message):
    """Name and value of a debug annotation."""
    name = message[10][0].decode()
    if 6 in message:
        return name, message[6][0].decode()
    if 4 in message:
        value = message[4][0]
        return name, value - (1 << 64) if value >> 63 else value
    return name, message[3][0]


def slices_of(trace):
    """Slices and instants of a trace, as (name, begin, end, arguments), and its flows."""
    tracks, events, flows = {}, [], collections.Counter()
    packets = [fields(packet) for packet in fields(trace)[1]]
    assert packets[0][13] == [1], "the first packet does not clear the state"
    for packet in packets:
        assert packet[10] == [1], "a packet of no sequence"
        for descriptor in map(fields, packet[60]):
            tracks[descriptor[1][0]] = descriptor[2][0].decode()
        for event in map(fields, packet[11]):
            assert event[11][0] in tracks, "a track that is not described"
            events.append((packet[8][0], event))
            flows.update(event[47])
    done, stacks = [], collections.defaultdict(list)
    for time, event in sorted(events, key=lambda pair: pair[0]):
        stack = stacks[event[11][0]]
        if event[9] == [2]:
            begun = stack.pop()
            done.append((begun[0], begun[1], time, begun[2]))
            continue
        entry = (event[23][0].decode(), time, dict(argument(fields(a)) for a in event[4]))
        if event[9] == [1]:
            stack.append(entry)
        else:
            done.append((entry[0], time, time, entry[2]))
    assert not any(stacks.values()), "a slice has no end"
    return done, flows


def chrome(data):
    """The same of Chrome's trace events; times in us from the recording's start."""
    done, waits = [], {}
    for event in data["traceEvents"]:
        begin, key = event.get("ts"), (event.get("id"), event["name"])
        # Perfetto's format has predictions as annotations of the jobs only.
        if event.get("cat") == "prediction":
            continue
        if event["ph"] == "X":
            done.append((event["name"], begin, begin + event["dur"], event["args"]))
        elif event["ph"] == "i":
            done.append((event["name"], begin, begin, event["args"]))
        elif event["ph"] == "b":
            waits[key] = begin
        elif event["ph"] == "e":
            done.append((event["name"], waits.pop(key), begin, event["args"]))
    return done


def plain(events, scale, start):
    """Comparable: sorted, times in whole us."""
    return sorted((name, round((begin - start) / scale), round((end - begin) / scale),
                   json.dumps(args, sort_keys=True)) for name, begin, end, args in events)


def main(trace, path):
    with open(trace, "rb") as file:
        ours, flows = slices_of(file.read())
    with open(path, encoding="utf-8") as file:
        theirs = chrome(json.load(file))
    # Chrome's times begin with the recording: the first events are the same.
    start = min(begin for _, begin, _, _ in ours) - 1e3 * min(begin for _, begin, _, _ in theirs)
    one, other = plain(ours, 1e3, start), plain(theirs, 1, 0)
    assert len(one) == len(other), f"{len(one)} and {len(other)} events"
    for left, right in zip(one, other):
        near = abs(left[1] - right[1]) <= 1 and abs(left[2] - right[2]) <= 1
        assert left[0] == right[0] and near and left[3] == right[3], f"{left}\n{right}"
    joined = sum(count == 2 for count in flows.values())
    commands = sum("commands" in args for _, _, _, args in ours)
    print(f"{len(one)} events, {joined} flows with both ends, {commands} jobs with commands")
    assert joined and commands


if __name__ == "__main__":
    main(*sys.argv[1:])
