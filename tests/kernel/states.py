#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""states.py HEADERS DRIVER USER...: are the states a client may load the right ones?

Every state that the register headers in the folder HEADERS name must be in
states.txt with a verdict, and nothing else. The tables in the kernel driver's
DRIVER/vivgpu_state.c must hold the permitted ones, address by address, and none
that has no name. A state that a user space driver in one of the folders USER
mentions cannot be called unused, and one that none mentions is not permitted.
So a state that is new, or that Mesa begins to use, shows up here.
"""

import pathlib
import re
import sys

HEADERS = ("state.xml.h", "state_3d.xml.h", "state_blt.xml.h")
LIST = pathlib.Path(__file__).with_name("states.txt")
PERMITTED = {"state", "action", "filler", "address"}
REFUSED = {"form", "event", "fetch", "mmu", "absent", "unused"}
# Permitted though no driver mentions their names: the filler; instructions, and
# textures' addresses, which drivers write by other names; and of a GC3000 the ends of
# programs, which Mesa 26 writes and 25 has no better names for.
BY_OTHER_NAMES = {"DUMMY_DUMMY", "SH_INST_MEM_MIRROR", "NTE_SAMPLER_ADDR",
                  "VS_HALTI5_UNK00878", "VS_HALTI5_UNK00880"}


def lengths(text):
    """Elements of arrays of states and of groups of them, by name."""
    found = re.findall(r"#define VIVS_(\w+)__LEN\s+(0x[0-9a-f]+)", text)
    return {name: int(count, 16) for name, count in found}


def counts(name, dimensions, known):
    """How many elements a state has in each dimension: its own and its groups' lengths."""
    around = sorted((g for g in known if name == g or name.startswith(g + "_")), key=len)
    found = [known[group] for group in around][-dimensions:]
    return [1] * (dimensions - len(found)) + found


def addresses(value, steps):
    """Addresses of an array of states; steps: (bytes, elements) of each dimension."""
    found = [value]
    for step, count in steps:
        found = [at + step * i for at in found for i in range(count)]
    return found


def parse_header(text):
    """Addresses of each state that a header defines, by name.

    The definition of a state, and of nothing else, follows an empty line.
    """
    known = lengths(text)
    states = {}
    for name, index, value in re.findall(
            r"\n\n#define VIVS_([A-Z0-9]+_\w+?)(?:\(([^)]*)\))?\s+(\(?0x.*)", text):
        numbers = [int(n, 16) for n in re.findall(r"0x[0-9a-f]+", value)]
        if not numbers[0]:
            continue
        dimensions = len(numbers) - 1 if index else 0
        steps = zip(numbers[1:], counts(name, dimensions, known))
        states[name] = addresses(numbers[0], list(steps))
    return states


def parse_list(text):
    """Verdicts by name, of which a state may have several."""
    lines = (line.split() for line in text.splitlines() if line and line[0] != "#")
    return {name: set(verdict.split("+")) for verdict, name in lines}


def expand(source):
    """The driver's source with its constants' values in place of their names."""
    for name, value in re.findall(r"^#define (\w+)\s+(0x[0-9a-f]+)$", source, re.M):
        source = re.sub(rf"\b{name}\b", value, source)
    return source


def parse_table(source, name):
    """Addresses in one of the driver's tables of areas."""
    body = re.search(name + r"\[\] = \{(.*?)\n\};", source, re.S)[1]
    found = set()
    for first, words, rows, step in re.findall(
            r"\{ (0x[0-9a-f]+), (\d+)(?:, (\d+), (0x[0-9a-f]+))? \}", body):
        for row in range(int(rows or 1)):
            start = int(first, 16) + row * int(step or "0", 16)
            found.update(range(start, start + 4 * int(words), 4))
    return found


def parse_actions(source):
    """Addresses in the driver's table of states that do something."""
    body = re.search(r"trigger_states\[\] = \{(.*?)\n\};", source, re.S)[1]
    return {int(at, 16) for at in re.findall(r"\t(0x[0-9a-f]+),", body)}


def words_of(folders):
    """All identifiers in C and C++ sources."""
    found = set()
    for folder in folders:
        for path in pathlib.Path(folder).rglob("*"):
            if path.suffix in (".c", ".h", ".cpp") and not path.name.endswith(".xml.h"):
                found.update(re.findall(r"\w+", path.read_text(errors="replace")))
    return found


def of_verdict(states, verdicts, wanted):
    """Addresses of all states with one of these verdicts."""
    return {at for name, found in states.items()
            if verdicts.get(name, set()) & wanted for at in found}


def differences(what, expected, found):
    """Lines about addresses that are in one set only."""
    return [f"{what}: {at:05x} is missing" for at in sorted(expected - found)] + \
           [f"{what}: {at:05x} is too much" for at in sorted(found - expected)]


def judge_names(states, verdicts, words):
    """Lines about states without a verdict, with an unknown one, or with a wrong one."""
    bad = [f"{name}: no verdict" for name in states if name not in verdicts]
    bad += [f"{name}: in no header" for name in verdicts if name not in states]
    for name, verdict in verdicts.items():
        used = name in words or "VIVS_" + name in words
        if not verdict <= PERMITTED | REFUSED:
            bad.append(f"{name}: what is {verdict}?")
        if "unused" in verdict and used:
            bad.append(f"{name}: a driver uses it")
        if verdict & PERMITTED and not used and name not in BY_OTHER_NAMES:
            bad.append(f"{name}: permitted, and no driver uses it")
    return bad


def main():
    headers, driver, *users = sys.argv[1:]
    states = {}
    for name in HEADERS:
        states.update(parse_header((pathlib.Path(headers) / name).read_text()))
    verdicts = parse_list(LIST.read_text())
    source = expand((pathlib.Path(driver) / "vivgpu_state.c").read_text())
    permitted = of_verdict(states, verdicts, PERMITTED)

    bad = judge_names(states, verdicts, words_of(users))
    bad += differences("permitted", permitted, parse_table(source, "vivgpu_state_areas"))
    bad += differences("actions", of_verdict(states, verdicts, {"action"}), parse_actions(source))
    # An address may have two names; what is permitted by one is refused by none.
    bad += [f"{at:05x}: permitted and refused"
            for at in sorted(permitted & of_verdict(states, verdicts, REFUSED))]
    print(*bad, sep="\n", end="\n" if bad else "")
    print(f"{len(states)} states with names, {len(permitted)} words permitted, {len(bad)} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
