#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""piglit_results.py COMMANDS OLD NEW EXPECTED: compare what tests/qemu/piglit-guest has written in two guests.

OLD and NEW are folders with a file for each line of the file COMMANDS. Prints how many tests and subtests passed,
failed and were skipped in each, and each whose result differs. Fails unless these are those of the file EXPECTED,
lines "TEST | OLD | NEW", and all tests of COMMANDS have run in both.
"""

import json
import os
import sys
from collections import Counter

# What a program of piglit ends with; its result is in its report.
REPORTED = {'0': '', '1': '', '124': 'timeout'}


def read_test(lines):
    """(test or test@subtest, result) of a file; a batch of shader tests has subtests only, unless it crashed."""
    name, status = lines[-1].split(' ::: ')
    reports = [json.loads(line[len('PIGLIT:'):]) for line in lines[:-1]]
    result = REPORTED.get(status, 'crash')
    for report in reports:
        result = result or report.get('result', '')
        for subtest, value in report.get('subtest', {}).items():
            yield f'{name}@{subtest}', value
    if result or not reports:
        yield name, result or 'crash'


def read(folder, tests):
    """{test or test@subtest: result}, with the numbers of the tests that have not run."""
    results = {}
    missing = []
    for number in range(1, tests + 1):
        try:
            with open(os.path.join(folder, str(number)), encoding='utf-8') as file:
                results.update(read_test(file.read().splitlines()))
        except FileNotFoundError:
            missing.append(number)
    return results, missing


def expected(path):
    """The lines of EXPECTED, as tuples."""
    with open(path, encoding='utf-8') as file:
        lines = [line.strip() for line in file]
    return {tuple(part.strip() for part in line.split('|')) for line in lines if line and line[0] != '#'}


def main(arguments):
    """As the text at the top says."""
    with open(arguments[0], encoding='utf-8') as file:
        tests = len(file.readlines())
    (old, no_old), (new, no_new) = (read(folder, tests) for folder in arguments[1:3])
    for results, missing in ((old, no_old), (new, no_new)):
        counts = [f'{count} {result}' for result, count in sorted(Counter(results.values()).items())]
        print(f'{tests - len(missing)} of {tests} programs:', ', '.join(counts))
    differ = {(name, old.get(name, 'absent'), new.get(name, 'absent'))
              for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    for line in sorted(differ):
        print(' | '.join(line))
    return bool(no_old or no_new or differ != expected(arguments[3]))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
