# SPDX-License-Identifier: MIT
"""Figures of memory: read from the kernel's texts, and whether a row of them is flat.

All sizes are in KiB.
"""

import re

UNITS = {'': 1 / 1024, 'KiB': 1, 'kB': 1, 'MiB': 1024, 'GiB': 1024 * 1024}

# How much of a run is left out at its beginning, and what the rest is compared by.
WARM_UP = 0.2
PART = 1 / 3


def size(text):
    """KiB of "123", "123 KiB", ..."""
    number, _, unit = text.strip().partition(' ')
    return int(int(number) * UNITS[unit.strip()])


def fields(text):
    """{key: value} of lines "key: value"."""
    found = {}
    for line in text.splitlines():
        key, colon, value = line.partition(':')
        if colon:
            found[key.strip()] = value.strip()
    return found


def drm_memory(fdinfos):
    """(total, resident) of a process's files of our driver, given the texts of its fdinfo.

    A file that is open more than once counts once.
    """
    clients = {}
    for text in fdinfos:
        info = fields(text)
        if info.get('drm-driver') == 'vivgpu':
            # A file without a buffer says nothing of what is resident.
            clients[info['drm-client-id']] = (size(info.get('drm-total-memory', '0')),
                                              size(info.get('drm-resident-memory', '0')))
    return tuple(map(sum, zip(*clients.values()))) or (0, 0)


def mappings(text):
    """{client: (count, KiB)} of the driver's file "mmu" in debugfs."""
    found = {}
    client = ''
    for line in text.splitlines():
        head = re.match(r'client (\d+)', line)
        if head:
            client = head.group(1)
            found[client] = (0, 0)
            continue
        count, kib = found[client]
        found[client] = (count + 1, kib + int(line.split()[1], 16) // 1024)
    return found


def growth(samples):
    """How much a row of samples has grown: the least of its last third less that of its
    first, after the warm-up. What is taken and given back again and again is not in the
    least, what is lost is. None if there are too few to tell."""
    rest = samples[int(len(samples) * WARM_UP):]
    part = int(len(rest) * PART)
    if part < 1:
        return None
    return min(rest[-part:]) - min(rest[:part])
