#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
check.py calls CALLS GROUPS        the program's calls (recorder.so) are the groups' commands
check.py totals GROUPS STATS       sums over groups are the card's totals
check.py program NAME CALLS        shape, totals and calls of NAME.json, .stats and .calls, and of the run
                                   NAME-split, whose jobs were split and which has the same commands
                                   and sums; CALLS is that of programs.txt
check.py times GROUPS TRACE        each group's end, time and cycles are those of the card's trace
                                   (virtual time)
check.py apart GROUPS PROCESSES    groups of so many processes, one after the other on the GPU
check.py lost GROUPS NUMBER        a full ring: overwritten groups are counted, of NUMBER groups
check.py shape GROUPS              offsets, sequence numbers and parts of split commands

GROUPS is what vivgpu-groups --json printed. Ends with status 1 and a message if something differs.
"""

import bisect
import functools
import json
import os
import sys

FIRST_PART, SECOND_PART = 1, 2
COUNTS, EXACT, OVERLAPPED, FAILED = 1, 2, 4, 8
COLOR, DEPTH, STENCIL = 0x4000, 0x100, 0x400
MODES = ["points", "lines", "line loop", "line strip", "triangles", "triangle strip",
         "triangle fan", "quads", "quad strip", "polygon"]
# Vertices that make the first primitive, and how many each further one takes.
FIRST = [1, 2, 2, 2, 3, 3, 3, 4, 4, 3]
# Two steps of the clock from which time stamps are read, in ns.
STEP_NS = 512
# Groups at the start, which are submitted while the GPU works on them: the interrupt of one may be
# handled late by so many ns, which its time has and the next one's lacks.
WARM_UP = 3
LATE_NS = 16000
# Clocks of cores, in GHz.
MIN_CLOCK, MAX_CLOCK = 0.2, 1.0


@functools.cache
def read_groups(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def by_process(groups):
    """Groups of each process in the order of their sequence numbers."""
    processes = {}
    for group in groups:
        if "sequence" in group:
            processes.setdefault(group["process"], []).append(group)
    for own in processes.values():
        own.sort(key=lambda group: group["sequence"])
    return processes


def whole_commands(groups):
    """Commands in order; of split ones the last part, which has all parameters."""
    for group in groups:
        for command in group.get("commands", []):
            if not command.get("flags", 0) & FIRST_PART:
                yield command


def clear_token(bits):
    return ("clear", bool(bits & 0xfc), bool(bits & 1), bool(bits & 2))


def tokens_of_commands(commands):
    for command in commands:
        kind = command["type"]
        if kind == "draw":
            yield ("draw", command["mode"], command["count"], command["instances"])
        elif kind == "clear":
            yield clear_token(command["buffers"])
        elif kind in ("push", "marker"):
            yield (kind, command["text"])
        elif kind == "label":
            # The kind of the object, as GL names it, is before its number.
            yield (kind, command["text"].split(" ", 1)[1])
        elif kind == "pop":
            yield (kind,)


def tokens_of_calls(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "draw":
                mode, count, instances = map(int, words[1:4])
                if count >= FIRST[mode] and instances:
                    yield ("draw", MODES[mode], count, instances)
            elif words[0] == "clear":
                mask = int(words[1])
                yield ("clear", bool(mask & COLOR), bool(mask & DEPTH), bool(mask & STENCIL))
            elif words[0] == "push":
                yield ("push", line[5:-1][:56])
            elif words[0] == "label":
                yield ("label", line[6:-1])
            elif words[0] == "pop":
                yield ("pop",)


def merge_clears(tokens, bits):
    """Replace each row of clears by the number of clears of the colours (and depth if asked)."""
    merged, count = [], [0, 0, 0]
    for token in tokens:
        if token[0] == "clear":
            count = [a + (b and c) for a, b, c in zip(count, token[1:], bits)]
            continue
        if any(count):
            merged.append(("clears", *count))
        count = [0, 0, 0]
        merged.append(token)
    if any(count):
        merged.append(("clears", *count))
    return merged


def check_calls(calls_path, groups_path):
    groups = read_groups(groups_path)["groups"]
    processes = by_process(groups)
    if len(processes) != 1:
        sys.exit(f"{len(processes)} processes")
    own = next(iter(processes.values()))
    commands = list(whole_commands(own))
    # A target without depth or stencil has none to clear.
    cleared = [0, 0, 0]
    for token in tokens_of_commands(commands):
        if token[0] == "clear":
            cleared = [a or b for a, b in zip(cleared, token[1:])]
    expected = merge_clears(tokens_of_calls(calls_path), cleared)
    found = [t for t in merge_clears(tokens_of_commands(commands), cleared) if t[0] != "marker"]
    for number, (call, command) in enumerate(zip(expected, found)):
        if call != command:
            sys.exit(f"call {number} is {call}, the command {command}; before: {found[max(0, number - 3):number]}")
    if len(expected) != len(found):
        longer = expected if len(expected) > len(found) else found
        sys.exit(f"{len(expected)} calls, {len(found)} commands: {longer[min(len(expected), len(found))]}")
    with open(calls_path, encoding="utf-8") as file:
        swaps = sum(line.startswith("swap") for line in file)
    listed = sum(command["type"] == "swap" for command in commands)
    if listed > swaps or swaps - listed > 1:
        sys.exit(f"{swaps} swaps, {listed} listed")
    print(f"{len(expected)} calls in {len(own)} groups")


def sums(groups):
    total = {"vertices": 0, "primitives": 0, "fragments": 0}
    for group in groups:
        if "finished_ns" not in group:
            sys.exit(f"group {group.get('sequence')} has no result")
        if group["flags"] & FAILED or not group["flags"] & COUNTS:
            sys.exit(f"group {group.get('sequence')}: flags {group['flags']}")
        for name in total:
            total[name] += group[name]
    return total


def check_totals(groups_path, stats_path):
    data = read_groups(groups_path)
    if (data["lost_entries"] or data["lost_records"] or data["lost_descriptions"]
            or data["damaged_files"]):
        sys.exit("lost: " + str({name: value for name, value in data.items() if name != "groups"}))
    with open(stats_path, encoding="utf-8") as file:
        stats = dict(line.split() for line in file if len(line.split()) == 2)
    total = sums(data["groups"])
    card = {"vertices": int(stats["gc.pa.input_vertices"]),
            "primitives": int(stats["gc.ra.primitives"]),
            "fragments": int(stats["gc.ps.pixels"])}
    if total != card:
        sys.exit(f"groups: {total}, card: {card}")
    cycles = sum(group["cycles"] for group in data["groups"])
    if cycles < int(stats["gc.busy_cycles"]):
        sys.exit(f"{cycles} cycles in groups, the card was busy for {stats['gc.busy_cycles']}")
    print(f"{len(data['groups'])} groups: {total}, {cycles} cycles")


def described(command):
    """A command without what differs between two runs: places, and the names of buffers."""
    kept = {name: value for name, value in command.items() if name not in ("offset", "flags", "target")}
    kept["target"] = {name: value for name, value in command.get("target", {}).items() if name != "id"}
    return kept


def check_same(groups_path, split_path, calls):
    whole, split = read_groups(groups_path)["groups"], read_groups(split_path)["groups"]
    if sums(whole) != sums(split):
        sys.exit(f"sums: {sums(whole)}, split: {sums(split)}")
    for name in ("submitted_vertices", "draws"):
        a, b = (sum(group[name] for group in groups) for groups in (whole, split))
        if a != b:
            sys.exit(f"{name}: {a}, split: {b}")
    a, b = ([described(command) for command in whole_commands(sorted(groups, key=lambda g: g["sequence"]))
             if command["type"] == "draw"] for groups in (whole, split))
    different = [(x, y) for x, y in zip(a, b) if x != y]
    # The driver replaces some draws of the other programs by several; it describes one of these.
    if calls == "calls" and different:
        sys.exit(f"draw {different[0][0]}, split: {different[0][1]}")
    a, b = (merge_clears(tokens_of_commands(whole_commands(sorted(groups, key=lambda g: g["sequence"]))), [1, 1, 1])
            for groups in (whole, split))
    if a != b:
        different = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        sys.exit(f"command {different}: {a[different:different + 1]}, split: {b[different:different + 1]}")
    print(f"{len(whole)} groups, {len(split)} when split")


def check_program(prefix, calls):
    whole, split = prefix + ".json", prefix + "-split.json"
    check_shape(whole)
    check_totals(whole, prefix + ".stats")
    if calls == "calls":
        check_calls(prefix + ".calls", whole)
    if os.path.exists(split):
        check_shape(split)
        check_same(whole, split, calls)
        check_totals(split, prefix + "-split.stats")


def read_trace(path):
    """Cycles of the card's interrupts."""
    with open(path, encoding="utf-8") as file:
        return [int(line.split()[0]) for line in file if " hi interrupt " in line]


def duration(group):
    """How long a group ran, in ns."""
    return group["finished_ns"] - group["started_ns"]


def nearest(times, time):
    """The index of the nearest of sorted times."""
    at = bisect.bisect_left(times, time)
    return min((i for i in (at - 1, at) if 0 <= i < len(times)), key=lambda i: abs(times[i] - time))


def check_durations(groups, interrupts, cycles, per_ns):
    """Groups that begin when the one before ends take the time and cycles between two interrupts."""
    compared = 0
    for i, (before, after) in enumerate(zip(groups, groups[1:])):
        if after["started_ns"] != before["finished_ns"]:
            continue
        counted = cycles[interrupts[i + 1]] - cycles[interrupts[i]]
        if abs(duration(after) * per_ns - counted) > 2 * STEP_NS * per_ns or \
                abs(after["cycles"] - counted) > 2 * STEP_NS * per_ns:
            sys.exit(f"group {after['sequence']}: {duration(after)} ns and {after['cycles']} cycles, "
                     f"the card's are {counted / per_ns:.0f} and {counted}")
        compared += 1
    if compared < len(groups) / 2:
        sys.exit(f"the times of {compared} groups only could be compared")
    return compared


def check_start(groups, start_ns, times):
    """The first groups end at interrupts of the card, or one of them a bit later; times begin at start_ns."""
    late = 0
    for group in groups:
        end = group["finished_ns"] - start_ns
        delay = min(end - time for time in times if time <= end + STEP_NS)
        late += delay > STEP_NS
        if delay > LATE_NS or late > 1:
            sys.exit(f"group {group['sequence']} ends {delay:.0f} ns after the card's interrupt")


def check_times(groups_path, trace_path):
    everything = sorted(read_groups(groups_path)["groups"], key=lambda group: group["finished_ns"])
    groups = everything[WARM_UP:]
    cycles = read_trace(trace_path)
    span = (groups[-1]["finished_ns"] - groups[0]["finished_ns"]) or 1
    ends = [group["finished_ns"] - groups[0]["finished_ns"] for group in groups]

    # The last group's interrupt is the last one; which one is the first group's tells the clock.
    for first, start in enumerate(cycles[:-1]):
        per_ns = (cycles[-1] - start) / span
        if not MIN_CLOCK <= per_ns <= MAX_CLOCK:
            continue
        times = [(cycle - start) / per_ns for cycle in cycles[first:]]
        interrupts = [nearest(times, end) for end in ends]
        worst = max(abs(times[i] - end) for i, end in zip(interrupts, ends))
        if worst > STEP_NS:
            continue
        compared = check_durations(groups, interrupts, cycles[first:], per_ns)
        check_start(everything[:WARM_UP], groups[0]["finished_ns"],
                    [(cycle - start) / per_ns for cycle in cycles])
        print(f"{len(groups)} groups end within {worst:.0f} ns of the card's interrupts; "
              f"{compared} times and cycles are the card's")
        return
    sys.exit("the groups' ends are not those of the card's trace")


def check_apart(groups_path, num_processes):
    groups = read_groups(groups_path)["groups"]
    processes = by_process(groups)
    if len(processes) != int(num_processes):
        sys.exit(f"{len(processes)} processes")
    done = sorted((group for group in groups if "finished_ns" in group), key=lambda group: group["started_ns"])
    for before, after in zip(done, done[1:]):
        if after["started_ns"] < before["finished_ns"]:
            sys.exit(f"groups {before['global']} and {after['global']} overlap")
    turns = sum(a["process"] != b["process"] for a, b in zip(done, done[1:]))
    if turns < 4:
        sys.exit(f"the processes took {turns} turns only")
    print(f"{len(done)} groups of {len(processes)} processes, {turns} turns")


def check_shape(groups_path):
    for process, groups in by_process(read_groups(groups_path)["groups"]).items():
        open_command = None
        for last, group in zip([None] + groups, groups):
            if last and group["sequence"] != last["sequence"] + 1:
                sys.exit(f"{process}: no group {last['sequence'] + 1}")
            offset = 0
            for number, command in enumerate(group.get("commands", [])):
                flags = command.get("flags", 0)
                if not offset <= command["offset"] <= group["stream_bytes"]:
                    sys.exit(f"{process}: group {group['sequence']}: offset {command['offset']}")
                offset = command["offset"]
                if flags & SECOND_PART and (open_command is None or command["type"] != open_command["type"]):
                    sys.exit(f"{process}: group {group['sequence']}: a second part without a first")
                if flags & SECOND_PART:
                    open_command = None
                if flags & FIRST_PART:
                    open_command = command
            vertices = sum(c["count"] * c["instances"] for c in group.get("commands", [])
                           if c["type"] == "draw" and not c.get("flags", 0) & FIRST_PART)
            if not group["lost_commands"] and vertices != group["submitted_vertices"]:
                sys.exit(f"{process}: group {group['sequence']}: {vertices} vertices in draws")
    print("well formed")


def check_lost(groups_path, number):
    data = read_groups(groups_path)
    groups = [group for group in data["groups"] if "sequence" in group]
    results = [group for group in data["groups"] if "finished_ns" in group]
    last = max(group["sequence"] for group in groups)
    if last < int(number):
        sys.exit(f"the last group is {last}")
    if len({group["sequence"] for group in groups}) != last - min(group["sequence"] for group in groups) + 1:
        sys.exit("a group in between is missing")
    if not data["lost_entries"] or len(groups) + len(results) + data["lost_entries"] != 2 * last:
        sys.exit(f"{len(groups)} groups, {len(results)} results, {data['lost_entries']} lost, of {last}")
    # The group that was first with a description is overwritten, the description is not.
    draws = [command for group in groups for command in group["commands"] if command["type"] == "draw"]
    if data["lost_descriptions"] or not draws or not all(draw["program"] for draw in draws):
        sys.exit(f"{data['lost_descriptions']} descriptions lost, {len(draws)} draws")
    print(f"{len(groups)} of {last} groups, {data['lost_entries']} entries lost")


def check_programs(groups_path, table_path):
    """The table of programs has one, with the totals of its groups, most of which were predicted."""
    groups = [g for g in read_groups(groups_path)["groups"] if "finished_ns" in g]
    predicted = [g for g in groups if g.get("predicted_ns")]
    with open(table_path, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip()][1:]
    assert len(predicted) > len(groups) / 2, f"{len(predicted)} of {len(groups)} were predicted"
    errors = sum(abs(duration(g) - g["predicted_ns"]) for g in predicted)
    within = sum(duration(g) <= g["predicted_ns"] + g["bound_ns"] for g in predicted)
    expected = [f"{len(groups)}", f"{sum(map(duration, groups)) / 1e6:.2f}", "-",
                f"{sum(g['cycles'] for g in groups)}",
                f"{sum(g['predicted_ns'] for g in predicted) / 1e6:.2f}",
                f"{100 * errors / sum(map(duration, predicted)):.2f}",
                f"{100 * within / len(predicted):.1f}"]
    assert [row[1:] for row in rows] == [expected], f"{rows}, but {expected}"
    print(f"{len(groups)} groups")


CHECKS = {"calls": check_calls, "totals": check_totals, "program": check_program, "times": check_times,
          "apart": check_apart, "lost": check_lost, "shape": check_shape,
          "programs": check_programs}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    CHECKS[sys.argv[1]](*sys.argv[2:])
