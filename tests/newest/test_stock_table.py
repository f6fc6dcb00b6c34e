#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of stock_table.py."""

import json
import pathlib
import sys
import tempfile

import stock_table


def write(folder, name, status, tests=None):
    """What tests/newest/stock leaves of one guest; no results without TESTS."""
    (folder / f'{name}.json.status').write_text(f'{status}\n', encoding='utf-8')
    if tests is not None:
        content = {'tests': {test: {'result': word} for test, word in tests.items()}}
        (folder / f'{name}.json').write_text(json.dumps(content), encoding='utf-8')


def cells(text, program):
    """The cells after a program's name in the first line that begins with it."""
    line = next(line for line in text.splitlines() if line.startswith(f'``{program}``'))
    return [cell.strip() for cell in line.split('  ') if cell.strip()][1:]


def test_counts(folder):
    """Words of igt_runner are counted by kind."""
    write(folder, 'debug-vkms-any', 0, {'igt@a@x': 'pass', 'igt@a@y': 'skip', 'igt@a@z': 'fail'})
    text = '\n'.join(stock_table.igt(folder))
    return cells(text, 'a') == ['1, 1 failed, 1 skipped', *'-----'] and '``a@z``' in text


def test_ended(folder):
    """A test that ended its own guest is named; those after it have their results."""
    write(folder, 'newest-etnaviv-hotunplug', 125)
    write(folder, 'newest-etnaviv-hotunplug-hotrebind', 125)
    write(folder, 'newest-etnaviv-hotunplug-hotreplug', 'log', {'igt@core_hotunplug@hotreplug': 'pass'})
    text = '\n'.join(stock_table.igt(folder))
    row = ['-', '-', '-', '-', '1, 1 ended', '-']
    return (cells(text, 'core_hotunplug') == row
            and cells(text, 'core_hotunplug@hotrebind')[4] == 'ended'
            and 'hotunplug ended' in text)


def test_nothing(folder):
    """Without results there is no table."""
    return 'None of them' in stock_table.igt(folder)[-1]


def main():
    """The command."""
    passed = failed = 0
    for test in (test_counts, test_ended, test_nothing):
        with tempfile.TemporaryDirectory() as folder:
            good = test(pathlib.Path(folder))
        passed += good
        failed += not good
        if not good:
            print(f'FAIL  {test.__doc__}')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
