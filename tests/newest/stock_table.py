#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stock_table.py FOLDER: print Documentation/vm/stock-tests.rst from what tests/newest/stock left.

FOLDER has KERNEL-kunit, lines "MODULE SUITE PASS FAIL SKIP" of KUnit suites, and
KERNEL-DRIVER-PART.json, results of IGT; beside each a file .status, how its guest ended.
KERNEL-DRIVER-hotunplug-TEST.json are results of one test of core_hotunplug.
"""

import collections
import itertools
import json
import pathlib
import sys

KERNELS = (('debug', '6.12'), ('newest', '7.3'))
DRIVERS = ('vkms', 'etnaviv', 'vivgpu')
PARTS = ('any', 'hotunplug', 'kms')
# igt_runner's words; all others are failures.
PASSED = ('pass', 'warn')
SKIPPED = ('skip', 'notrun')
# Our word for a test that its guest did not survive.
ENDED = 'ended'

HEAD = '''.. SPDX-License-Identifier: MIT

What stock tests say
====================

.. Written by tests/newest/stock; do not edit.

``tests/newest/stock`` runs tests that others wrote for every driver, on the debug kernel, which is
Debian's 6.12, and on the newest kernel with 2 processors (kernel.rst), and judges nothing. A
result that the three drivers share is one of the kernel, of the test or of the machine. vkms is the
kernel's display driver without hardware; etnaviv is unmodified and has no display.

A cell has the number of tests that passed, and of those that failed or were skipped, if there are
any. "ended" means that the guest did not survive a test, "warned" that the kernel's log has a
warning after the tests. If ``core_hotunplug`` ended its guest, each of its tests has one of its own.
A ``-`` means that there are no such tests on that kernel or for that driver, that the guest ended
before, or that they have not been run. Each guest with etnaviv on the newest kernel warns, because
that driver panics at power-off (kernel.rst).

The tests of displays ran in real time on a machine that other work kept busy. Many expect a picture,
a checksum or an event in each frame, and fail if a process waits for a processor meanwhile, on vkms
too; ``make test-kms`` runs those of vivgpu in virtual time, where they pass.
'''

KUNIT = '''
KUnit
-----

All suites that come with DRM, and those of vivgpu. DRM's scheduler has none in 6.12.
'''

IGT = '''
IGT
---

The programs of ``tests/igt/stock.txt``, which ask nothing of a driver but to be one or to have sync
objects, and of ``tests/kms/stock.txt``, which need a display; in real time.
'''

OTHERS = '''
Tests that neither pass nor are skipped, and what became of them:
'''


class Count:
    """Passed, failed and skipped tests, and those that ended their guest."""

    def __init__(self):
        self.passed = self.failed = self.skipped = self.ended = 0

    def add(self, result):
        """Count one by igt_runner's word, or ours."""
        self.passed += result in PASSED
        self.skipped += result in SKIPPED
        self.ended += result == ENDED
        self.failed += result not in (*PASSED, *SKIPPED, ENDED)

    def cell(self):
        """The cell of a table."""
        parts = [str(self.passed)]
        if self.failed:
            parts.append(f'{self.failed} failed')
        if self.skipped:
            parts.append(f'{self.skipped} skipped')
        if self.ended:
            parts.append(f'{self.ended} ended')
        return ', '.join(parts)


def table(head, rows):
    """Lines of a simple table."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    rule = '  '.join('=' * width for width in widths)
    text = ['  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in [head, *rows]]
    return [rule, text[0], rule, *text[1:], rule]


def status(path):
    """How a guest ended; None if it did not run."""
    file = path.with_name(path.name + '.status')
    return file.read_text(encoding='utf-8').strip() if file.exists() else None


def read_kunit(path):
    """{(module, suite): cell} of a kernel; a module whose suites are missing ended the guest."""
    cells, begun = {}, None
    if not path.exists():
        return cells
    for line in path.read_text(encoding='utf-8', errors='replace').splitlines():
        words = line.split()
        if words[1:] == ['begins']:
            begun = words[0]
        elif begun and words[:1] == [begun] and len(words) == 5:
            count = Count()
            count.passed, count.failed, count.skipped = (int(word) for word in words[2:])
            cells[begun, words[1]] = count.cell()
        elif begun and words[:1] == [begun] and len(words) == 2:
            cells[begun, words[1]] = 'not counted'
    if status(path) != '0' and begun and not any(module == begun for module, _ in cells):
        cells[begun, '(all)'] = 'ended'
    return cells


def kunit(folder):
    """The section about KUnit."""
    kernels = [read_kunit(folder / f'{kernel}-kunit') for kernel, _ in KERNELS]
    rows = [[f'``{suite}``' if suite != '(all)' else module, *(result.get((module, suite), '-')
                                                             for result in kernels)]
            for module, suite in sorted(set().union(*kernels))]
    return [KUNIT, *table(['suite', *(name for _, name in KERNELS)], rows)]


def results(folder, kernel, driver, part):
    """{test: word} of a part, with those of its tests that had guests of their own."""
    words = {}
    for path in sorted(folder.glob(f'{kernel}-{driver}-{part}*.json.status')):
        file = path.with_suffix('')
        test = file.stem.removeprefix(f'{kernel}-{driver}-{part}').lstrip('-')
        if file.exists():
            tests = json.loads(file.read_text(encoding='utf-8'))['tests']
            words.update((name, entry['result']) for name, entry in tests.items())
        elif test:
            words[f'igt@core_{part}@{test}'] = ENDED
    return words


def read_igt(folder):
    """{(part, program): {(kernel, driver): Count}}, and {test: {(kernel, driver): word}} of failures."""
    counts, failures = collections.defaultdict(dict), collections.defaultdict(dict)
    for kernel, driver, part in itertools.product((name for name, _ in KERNELS), DRIVERS, PARTS):
        for name, word in results(folder, kernel, driver, part).items():
            program = part, name.split('@')[1]
            counts[program].setdefault((kernel, driver), Count()).add(word)
            if word not in PASSED + SKIPPED:
                failures[name][kernel, driver] = word
    return counts, failures


def guests(folder):
    """A row of how the guests of each column ended."""
    row = ['the guests']
    for kernel, _ in KERNELS:
        for driver in DRIVERS:
            words, ran = [], False
            for part in PARTS:
                ended = status(folder / f'{kernel}-{driver}-{part}.json')
                ran |= ended is not None
                if ended == 'log':
                    words.append(f'{part} warned')
                elif ended not in (None, '0', '1'):
                    words.append(f'{part} ended')
            row.append(', '.join(words) or ('good' if ran else '-'))
    return row


def igt(folder):
    """The section about IGT."""
    counts, failures = read_igt(folder)
    if not counts:
        return [IGT, 'None of them has been run so far.']
    columns = [(kernel, driver) for kernel, _ in KERNELS for driver in DRIVERS]
    head = ['program', *(f'{driver}, {name}' for _, name in KERNELS for driver in DRIVERS)]
    rows = [[f'``{program}``', *(cells[column].cell() if column in cells else '-'
                                 for column in columns)]
            for (_, program), cells in sorted(counts.items(), key=lambda item:
                                              (PARTS.index(item[0][0]), item[0][1]))]
    lines = [IGT, *table(head, [*rows, guests(folder)])]
    if failures:
        rows = [[f"``{name.removeprefix('igt@')}``", *(cells.get(column, '') or '\\'
                                                      for column in columns)]
                for name, cells in sorted(failures.items())]
        lines += [OTHERS, *table(head, rows)]
    return lines


def main():
    """The command."""
    folder = pathlib.Path(sys.argv[1])
    print('\n'.join([HEAD.rstrip('\n'), *kunit(folder), *igt(folder)]))


if __name__ == '__main__':
    main()
